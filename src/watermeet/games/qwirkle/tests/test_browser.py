"""Qwirkle in a real browser: what only this board does."""

from __future__ import annotations

from collections.abc import Callable

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
    open_match,
    start_match,
    take_over,
)
from tests.web.staging import Stage, random_record

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


def test_a_tile_can_be_dragged(context: BrowserContext, address: str) -> None:
    page = context.new_page()
    start_match(page, address, "qwirkle", "hotseat")
    begin(page)
    page.locator(HELD).first.click()  # Its cells are offered.
    before = move_count(page)
    drag(page, HELD, FREE)
    assert has_moved(page, before)


def test_points_appear_where_they_are_made(
    context: BrowserContext, address: str, stage: Stage
) -> None:
    staged = stage.middle("qwirkle")
    seat = stage.mover(staged)
    page = open_match(context, address, staged, seat)
    begin(page)
    stage.play(staged, "Gc@-1,-2")
    expect(page.locator(".held")).to_have_count(5)
    drag(page, "[data-cell='-1,-2']", ".hand")  # It goes back.
    expect(page.locator(".held")).to_have_count(6)
    stage.play(staged, "Gc@-1,-2")
    stage.play(staged, "end")
    expect(page.locator(".points.final .badge")).to_have_text("+2")
    turns = page.locator(".list li")  # One line, with its points.
    expect(turns).to_have_count(1)
    expect(turns).to_contain_text("green circle")
    expect(turns.get_by_role("button", name="+2")).to_be_visible()


def test_a_qwirkle_is_celebrated(context: BrowserContext, address: str, stage: Stage) -> None:
    reds = [f"R{shape}" for shape in "cxdsbv"]
    greens = [f"G{shape}" for shape in "cxdsb"]
    draws = [f"~draw:{tile}" for tile in [*reds, *greens, "Yv"]]
    placed = [f"{tile}@{x},0" for x, tile in enumerate(reds)]
    moves = " ".join([*draws, *placed])
    record = f"game: qwirkle@1\noptions: seats=2\n\n{moves}"
    imported = stage.import_record(record)
    staged = stage.start("qwirkle", start={"match": imported.match, "ply": 18})
    page = open_match(context, address, staged, 1)
    expect(page.locator(".points .cheer")).to_have_text("Qwirkle!")
    stage.play(staged, "end")
    expect(page.locator(".points.final .badge")).to_have_text("+12")
    expect(page.locator("[data-line]")).to_have_text("Ana scores 12 points: a Qwirkle!")


def test_a_hand_is_put_in_order(context: BrowserContext, address: str, stage: Stage) -> None:
    staged = stage.middle("qwirkle")
    page = open_match(context, address, staged, stage.mover(staged))
    begin(page)
    tiles = page.locator(".held")
    expect(tiles).to_have_count(6)
    before = [tile.get_attribute("aria-label") for tile in tiles.all()]
    drag(page, ".held:nth-child(5)", ".held:nth-child(1)")
    after = [tile.get_attribute("aria-label") for tile in tiles.all()]
    assert after == [before[4], *before[:4], before[5]]
    assert move_count(page) == 0


def test_late_tiles_are_large_enough_on_a_phone(
    phone: BrowserContext, address: str, stage: Stage
) -> None:
    """The grid shows where something can be placed, and one button shows all of it."""
    record = stage.import_record(random_record("qwirkle"))
    staged = stage.start("qwirkle", start={"match": record.match, "ply": 250})
    seat = stage.mover(staged)
    page = open_match(phone, address, staged, seat)
    begin(page)
    widths = "(tiles) => tiles.map((tile) => tile.getBoundingClientRect().width)"
    assert min(page.locator(".tile").evaluate_all(widths)) >= 26
    page.get_by_role("button", name="Fit the board").tap()
    assert max(page.locator(".tile").evaluate_all(widths)) < 26


def test_a_desktop_shows_the_whole_grid(
    person: Callable[..., BrowserContext], address: str, stage: Stage
) -> None:
    """Late in a match, too: a mouse hits smaller tiles, so nothing is cut off."""
    record = stage.import_record(random_record("qwirkle"))
    staged = stage.start("qwirkle", start={"match": record.match, "ply": 310})
    context = person(viewport={"width": 1280, "height": 700})
    page = open_match(context, address, staged, stage.mover(staged))
    begin(page)
    cut = (
        "(tiles) => { const area = document.querySelector('.area > svg').getBoundingClientRect();"
        "return tiles.map((one) => one.getBoundingClientRect()).filter((one) =>"
        "one.top < area.top || one.bottom > area.bottom || one.left < area.left ||"
        "one.right > area.right).length; }"
    )
    assert page.locator(".board svg .tile").evaluate_all(cut) == 0
