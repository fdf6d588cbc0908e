"""Flow in a real browser: what only this board does."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from playwright.sync_api import BrowserContext, expect
from tests.web.pages import (
    FREE,
    PLAY,
    begin,
    drag,
    free_cells,
    has_moved,
    middle_of,
    move_count,
    open_match,
    take_over,
)
from tests.web.staging import Stage

pytestmark = pytest.mark.slow


def test_a_card_and_its_tile_can_be_dragged(
    context: BrowserContext, address: str, stage: Stage
) -> None:
    staged = stage.middle("flow")
    page = open_match(context, address, staged, *staged.seats)
    begin(page)
    before = move_count(page)
    card = ".cards .action:not(:disabled):has-text('Current')"
    page.locator(card).click()  # Its cells are offered.
    target = middle_of(page, FREE)
    page.locator(card).click()
    page.mouse.move(*middle_of(page, card))
    page.mouse.down()
    page.mouse.move(*target, steps=6)
    page.mouse.up()
    assert has_moved(page, before), "a card is dragged to the tile that it takes"
    take_over(page)
    free_cells(page).first.wait_for(state="attached")
    before = move_count(page)
    drag(page, ".held svg", FREE)
    page.locator(PLAY).click()
    assert has_moved(page, before), "and the tile to its new place"


def test_the_wave_stays_until_it_has_been_seen(
    context: BrowserContext, address: str, stage: Stage
) -> None:
    """Although the next player moves at once; it names what it hit, and can be dismissed."""
    staged = stage.start("flow", 2, options={"clock": "free"})
    page = open_match(context, address, staged, 0)
    begin(page)
    for move in ("draw", None, "draw", None, "time", "draw"):
        stage.play(staged, move)
    banner = page.locator(".banner")
    expect(banner).to_contain_text("Giant wave! It hits row")
    expect(page.locator(".loud")).to_be_visible()
    expect(banner).to_have_count(0)  # By itself.
    for move in (None, "draw", None, "time", "draw"):
        stage.play(staged, move)
    expect(banner).to_be_visible()
    banner.get_by_role("button", name="Got it").click()
    expect(banner).to_have_count(0, timeout=500)
    expect(page.get_by_role("list", name="The animals").locator("li")).to_have_count(4)


def test_with_a_real_minute_nobody_calls_time(
    person: Callable[..., BrowserContext], address: str, stage: Stage
) -> None:
    """The timekeeper does; and the strip says only once whose turn it is."""
    for clock, count in (("free", 1), ("minute", 0)):
        staged = stage.start("flow", 2, options={"clock": clock})
        mover = stage.mover(staged)
        stage.play(staged, "draw")
        for seat in (mover, 1 - mover):
            page = open_match(person(), address, staged, seat)
            page.locator(".board .held").wait_for()
            is_mine = seat == mover
            wanted = count if is_mine else 0
            expect(page.get_by_role("button", name="Call time")).to_have_count(wanted)
            now = "Place your tile." if is_mine else "turn Placing a tile."
            expect(page.locator(".status .now")).to_contain_text(now)
