"""The analysis of a finished match: a button, the mistakes, and a way to each of them."""

from __future__ import annotations

import pytest
from playwright.sync_api import BrowserContext, expect
from tests.web.pages import axe_script, promised
from tests.web.staging import SIMPLE, Stage, give_seats

pytestmark = pytest.mark.slow
RECORD = """game: flume@1
options: size=3 pie=false
seats: Ada, Bob
start: 3/1br/rrb r 0

1. b3 a3 2. a2 c3
"""


def test_mistakes_are_found_and_lead_to_their_positions(
    address: str, stage: Stage, context: BrowserContext
) -> None:
    context.add_init_script(axe_script())
    page = context.new_page()
    page.goto(address + stage.import_record(RECORD).path)
    card = page.locator(".analysis")
    card.get_by_role("button", name="Find the mistakes").click()
    worst = card.get_by_role("button", name="Blunder")
    expect(worst).to_have_count(1, timeout=60_000)
    expect(worst).to_contain_text("b3 ??")
    expect(worst).to_contain_text("Better: a2")
    expect(worst).to_contain_text("proven · turning point", timeout=60_000)
    expect(card.locator("tbody tr")).to_have_count(2)
    worst.click()
    expect(page.locator(".replay .count")).to_have_text("0/4")
    wrong = "axe.run().then(({ violations }) => violations.map(({ id }) => id))"
    assert promised(page, wrong) == []
    page.reload()
    expect(worst).to_have_count(1)


def test_a_player_may_ask_too(address: str, stage: Stage, context: BrowserContext) -> None:
    played = stage.start(SIMPLE)
    stage.play(played)
    stage.do(played, 0, {"type": "resign"})
    give_seats(context, played, 0)
    page = context.new_page()
    page.goto(address + played.path)
    card = page.locator(".analysis")
    card.get_by_role("button", name="Find the mistakes").click()
    expect(card.get_by_role("progressbar").or_(card.get_by_role("table"))).to_be_visible()
    expect(card.get_by_role("alert")).to_have_count(0)
