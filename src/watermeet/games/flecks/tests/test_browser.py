"""Flecks in a real browser: what only this board does."""

from __future__ import annotations

import pytest
from playwright.sync_api import BrowserContext, expect
from tests.web.pages import begin, free_cells, has_moved, middle_of, move_count, open_match
from tests.web.staging import Stage

pytestmark = pytest.mark.slow


def test_a_row_can_be_dragged_to_where_its_front_lands(
    context: BrowserContext, address: str, stage: Stage
) -> None:
    staged = stage.middle("flecks")
    page = open_match(context, address, staged, *staged.seats)
    begin(page)
    free_cells(page).first.click()  # A stone comes first.
    rear = ".board [data-cell].own"
    expect(page.locator(rear).first).to_be_visible()
    before = move_count(page)
    page.mouse.move(*middle_of(page, rear))
    page.mouse.down()  # Its landings are shown.
    page.mouse.move(*middle_of(page, ".board .landing"), steps=6)
    page.mouse.up()
    assert has_moved(page, before)


def test_the_chosen_row_and_its_way_are_obvious(
    context: BrowserContext, address: str, stage: Stage
) -> None:
    """Cells keep their names, arrows lead to the landings, and the row slides there."""
    staged = stage.middle("flecks")
    page = open_match(context, address, staged, stage.mover(staged))
    begin(page)
    expect(page.locator(".score")).to_have_count(0)  # Stones aren't a score.
    expect(page.locator("[data-cell=d5] .name.go")).to_have_text("d5")
    page.locator("[data-cell=d5]").click()
    expect(page.locator(".tray")).to_contain_text("the one at the back")
    page.locator("[data-cell=b7]").click()
    expect(page.locator("[data-cell=b7] .rear")).to_be_visible()
    expect(page.locator("[data-cell=e4] .landing")).to_be_visible()
    expect(page.locator("[data-cell=e4] .name")).to_have_text("e4")
    page.locator("[data-cell=e4]").click()
    expect(page.locator("[data-cell=e4] .stone.slid")).to_be_visible()
    expect(page.locator(".trail")).to_be_visible()
    expect(page.locator("[data-line]")).to_have_text("You move the row from b7 1 step north-east.")
    expect(page.locator(".list")).to_contain_text("row north-east, 1 step")


def test_a_finger_hits_the_cell_that_it_means(
    phone: BrowserContext, address: str, stage: Stage
) -> None:
    """The first tap shows where the stone would be, the second plays; elsewhere takes it back."""
    page = open_match(phone, address, stage.start("flecks"), 0)
    begin(page)
    waiting, question = page.locator("[data-cell].waits"), page.locator(".confirm")
    page.locator("[data-cell=a8]").tap()
    expect(waiting).to_have_attribute("data-cell", "a8")
    page.locator("[data-cell=a9]").tap()
    expect(waiting).to_have_attribute("data-cell", "a9")
    question.get_by_role("button", name="Cancel").tap()
    expect(waiting).to_have_count(0)
    assert move_count(page) == 0
    page.locator("[data-cell=a9]").tap()
    page.locator("[data-cell=a9]").tap()
    assert has_moved(page, 0)
    expect(question).to_have_count(0)
