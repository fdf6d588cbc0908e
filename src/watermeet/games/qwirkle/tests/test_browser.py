"""Qwirkle in a real browser: what only this board does."""

from __future__ import annotations

import pytest
from playwright.sync_api import BrowserContext, expect
from tests.web.pages import (
    FREE,
    HELD,
    begin,
    drag,
    free_cells,
    has_moved,
    move_count,
    start_match,
    take_over,
)

pytestmark = pytest.mark.slow


def test_hands_are_hidden_between_turns(context: BrowserContext, address: str) -> None:
    page = context.new_page()
    start_match(page, address, "qwirkle", "hotseat")
    page.locator(f"{HELD}, .hand-over").first.wait_for()
    take_over(page)  # The first player is drawn.
    page.locator(HELD).first.click()
    free_cells(page).first.click(force=True)
    page.locator(".tray .button.main").click()
    expect(page.get_by_role("alertdialog")).to_contain_text("Pass the device to")
    assert take_over(page)
    expect(page.locator(".held")).to_have_count(6)


def test_a_tile_is_dragged(context: BrowserContext, address: str) -> None:
    page = context.new_page()
    start_match(page, address, "qwirkle", "hotseat")
    begin(page)
    page.locator(HELD).first.click()  # Its cells are offered.
    before = move_count(page)
    drag(page, HELD, FREE)
    assert has_moved(page, before)
