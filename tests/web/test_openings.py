"""The opening explorer in a browser: from the rules to a move of the table, and back."""

from __future__ import annotations

import pytest
from playwright.sync_api import Browser, expect
from tests.web.fixtures import new_person
from tests.web.pages import axe_script
from tests.web.staging import BOARDS

import watermeet as wm
from watermeet.learn.explorer import engine_openings, has_openings

pytestmark = pytest.mark.slow
GAME = next(name for name in BOARDS if has_openings(wm.game(name)))
VIOLATIONS = "axe.run().then((result) => result.violations.map((each) => each.id))"


def test_openings_are_explored_on_a_phone(browser: Browser, address: str) -> None:
    context = new_person(
        browser, viewport={"width": 390, "height": 844}, has_touch=True, color_scheme="dark"
    )
    context.add_init_script(axe_script())
    page, first = context.new_page(), engine_openings(wm.game(GAME))[0]
    page.goto(f"{address}/rules/{GAME}")
    page.get_by_role("link", name="Openings").first.click()
    expect(page.get_by_role("radio", name="Bots")).to_be_checked()
    row = page.locator("tbody tr").first
    expect(row).to_contain_text(first.move)
    assert page.evaluate(VIOLATIONS) == []
    row.get_by_role("button").click()
    expect(page.locator(".played button")).to_have_text([first.move])
    assert not page.evaluate("document.documentElement.scrollWidth > innerWidth")
    page.reload()  # The address holds the position.
    expect(page.locator(".played button")).to_have_text([first.move])
    page.keyboard.press("ArrowLeft")
    expect(page.locator(".played button")).to_have_count(0)
    page.locator(f'.board [data-cell="{first.move}"]').click(force=True)
    expect(page.locator(".played button")).to_have_text([first.move])
    page.get_by_text("This server").click()
    expect(page.get_by_text("No games from this position yet.")).to_be_visible()
    context.close()
