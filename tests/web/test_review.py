"""The review of a match on its page: how it is shared, and whom it speaks of."""

from __future__ import annotations

import re

import pytest
from playwright.sync_api import Browser, expect
from tests.web.fixtures import new_person
from tests.web.staging import Stage

pytestmark = pytest.mark.slow
RECORD = """game: flume@1
options: size=3 pie=false
result: -1 1

1. a1 2. c1 3. b1 4. c2 5. b2 6. b3 7. a3 8. a2 9. c3
"""


def test_a_stranger_opens_a_shared_review_at_its_move(
    browser: Browser, address: str, stage: Stage
) -> None:
    match = stage.import_record(RECORD)
    context = new_person(browser)
    context.grant_permissions(["clipboard-read", "clipboard-write"])
    page = context.new_page()
    page.goto(address + match.path)
    page.get_by_role("button", name="Find the mistakes").click()
    share = page.get_by_role("button", name="Share this review")
    share.wait_for(timeout=90_000)
    blunder = page.locator(".analysis li", has_text="b3")
    blunder.get_by_role("button").click()
    expect(page).to_have_url(re.compile(r"ply=5"))
    share.click()
    expect(page.get_by_role("button", name="Copied")).to_be_visible()
    link = page.evaluate("navigator.clipboard.readText()")
    found = blunder.inner_text()
    context.close()

    other = new_person(browser)
    page = other.new_page()
    page.goto(link)
    blunder = page.locator(".analysis li.shown")
    expect(blunder).to_be_in_viewport()
    assert blunder.inner_text() == found
    other.close()
