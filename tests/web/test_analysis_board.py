"""The analysis board: records with variations, free moves, keys; and a link to somebody else."""

from __future__ import annotations

import pytest
from playwright.sync_api import BrowserContext, Page, expect

pytestmark = pytest.mark.slow
RECORD = """game: flume@1
options: size=5 pie=no no_centre_first=no
seats: Ada, Bob

{two ways} 1. a1 !? {a corner} ( 1. b2 ! 2. c3 {far} ( 2. a3 ) ) ( 1. c1 ) 2. c1 ?? 3. e5
"""
CURRENT, READY = ".tree [aria-current]", ".board[aria-busy=false]"


def open_record(page: Page, address: str, record: str) -> None:
    page.goto(f"{address}/analysis")
    page.get_by_label("Paste a game record").fill(record)
    page.get_by_role("button", name="Open", exact=True).first.click()
    page.locator(f"{READY} [data-cell]").first.wait_for()


def test_a_record_is_explored_by_keys_and_clicks(context: BrowserContext, address: str) -> None:
    page = context.new_page()
    open_record(page, address, RECORD)
    now, moves = page.locator(CURRENT), page.locator(".tree button")
    expect(moves).to_have_count(7)
    page.keyboard.press("End")
    expect(now).to_have_text("e5")
    expect(page.locator('.board [data-cell="e5"]')).to_have_attribute("aria-label", "e5: red stone")
    page.keyboard.press("Home")
    page.keyboard.press("ArrowRight")
    page.keyboard.press("ArrowDown")
    expect(now).to_have_text("b2!")
    page.keyboard.press("ArrowRight")
    expect(now).to_have_text("c3")
    page.locator(READY).wait_for()
    page.locator('.board [data-cell="b2"]').click(force=True)  # Taken.
    expect(page.get_by_role("alert").first).to_contain_text("b2")
    page.locator('.board [data-cell="d4"]').click()
    expect(now).to_have_text("d4")
    expect(moves).to_have_count(8)
    page.locator(".panel h2").first.click()  # Away from the board, whose own keys come first.
    page.keyboard.press("v")
    expect(moves.first).to_have_text("b2!")
    page.get_by_role("button", name="?! Dubious").click()
    expect(now).to_have_text("d4?!")
    page.locator(".panel h2").first.click()
    page.keyboard.press("x")
    expect(now).to_have_text("c3")
    for _ in range(3):
        page.keyboard.press("Control+z")
    expect(moves.first).to_have_text("a1!?")
    expect(now).to_have_text("d4")
    page.keyboard.press("Control+z")
    expect(moves).to_have_count(7)
