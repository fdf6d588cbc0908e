"""Flows in a real browser: what only this board does."""

from __future__ import annotations

import pytest
from playwright.sync_api import BrowserContext, expect
from tests.web.pages import (
    FREE,
    PLAY,
    begin,
    drag,
    free_cells,
    has_moved,
    move_count,
    open_match,
    start_match,
    wait_for_moves,
)
from tests.web.staging import Stage

pytestmark = pytest.mark.slow


def test_tiles_can_be_dragged(context: BrowserContext, address: str) -> None:
    page = context.new_page()
    start_match(page, address, "flows", "hotseat", {"radius": "2"})
    for _ in range(2):
        begin(page)
        before = move_count(page)
        drag(page, ".held svg", FREE)
        assert move_count(page) == before, "it can still be rotated, or taken back"
        page.locator(PLAY).click()
        assert has_moved(page, before)


def test_what_was_drawn_since_is_undone(
    context: BrowserContext, address: str, stage: Stage
) -> None:
    """Every turn ends with a draw, which an undo takes back with it."""
    staged = stage.start("flows", 2)
    page = open_match(context, address, staged, *staged.seats)
    begin(page)
    undo = page.get_by_role("button", name="Undo")
    expect(undo).to_be_disabled()
    tile, before = page.locator(".held svg").get_attribute("aria-label"), move_count(page)
    assert tile
    for turn in range(2):  # Both play, and draw.
        free_cells(page).first.click()
        free_cells(page).first.click()
        wait_for_moves(page, before + 2 * turn + 1)
        free_cells(page).first.wait_for()
    undo.click()
    page.wait_for_function(
        "count => document.querySelector('.replay input').max == count", arg=before
    )
    expect(page.locator(".held svg")).to_have_attribute("aria-label", tile)


def test_sides_and_goals_carry_names(context: BrowserContext, address: str, stage: Stage) -> None:
    """Nobody is a seat, and what the last tile changed for whom is shown beside it."""
    staged = stage.middle("flows")
    page = open_match(context, address, staged, *staged.seats)
    begin(page)
    page.locator("[data-side]").first.wait_for()
    labels = page.locator("[data-side]").all_text_contents()
    assert sum("goal" in label for label in labels) == 3
    for name in ("Ana", "Ben", "Cleo"):
        assert sum(name in label for label in labels) == 2  # Their side and their goal.
    expect(page.locator("[data-goal]")).to_have_count(3)
    expect(page.locator(".short")).to_contain_text("Ana: at least 3 tiles to go")
    expect(page.locator(".cross").first).to_be_visible()
    for _ in range(6):  # Sooner or later a tile makes a route longer or shorter.
        moves = move_count(page)
        stage.play(staged)
        wait_for_moves(page, moves)
        if page.locator("[data-change]").count():
            return
    raise AssertionError("no tile changed anything")
