"""Flume in a real browser: what only this board does."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from playwright.sync_api import BrowserContext, expect
from tests.web.pages import (
    FREE,
    begin,
    drag,
    has_moved,
    open_match,
    start_match,
    wait_for_moves,
)
from tests.web.staging import Stage

pytestmark = pytest.mark.slow
SMALL = {"size": "5"}


def test_a_reason_is_shown_at_its_cell(context: BrowserContext, address: str) -> None:
    page = context.new_page()
    start_match(page, address, "flume", "hotseat", SMALL)
    cell, bubble = page.locator("[data-cell=c3]"), page.locator(".bubble")
    cell.click()
    wait_for_moves(page, 0)
    begin(page)
    cell.click(force=True)
    expect(bubble).to_contain_text("c3")
    place, shown = cell.bounding_box(), bubble.bounding_box()
    assert place
    assert shown
    assert abs(shown["y"] + shown["height"] - place["y"]) < 30
    bubble.click()
    expect(bubble).to_have_count(0)
    page.keyboard.press("Tab")
    cell.focus()
    page.keyboard.press("y")
    expect(bubble).to_be_visible()
    page.keyboard.press("Escape")
    expect(bubble).to_have_count(0)


def test_a_stone_is_clicked_and_dragged(context: BrowserContext, address: str) -> None:
    page = context.new_page()
    start_match(page, address, "flume", "hotseat", SMALL)
    page.locator("[data-cell=c3]").click()
    wait_for_moves(page, 0)
    expect(page.locator("[data-cell=c3].red")).to_be_visible()
    begin(page)
    drag(page, ".bowl", FREE)
    assert has_moved(page, 1)


def test_a_refusal_is_explained_in_the_language_of_the_page(
    person: Callable[..., BrowserContext], address: str, stage: Stage
) -> None:
    staged = stage.start("flume")
    stage.play(staged, "c3")
    page = open_match(person(locale="de-DE"), address, staged, stage.mover(staged))
    begin(page)
    page.locator("[data-cell=c3]").click(force=True)
    expect(page.locator(".bubble")).to_contain_text("c3")
    expect(page.locator(".bubble")).to_contain_text("Rot", ignore_case=True)


def test_a_swap_is_shown(context: BrowserContext, address: str, stage: Stage) -> None:
    """Both players' new colours are named, and the stone on the board carries its new owner."""
    staged = stage.start("flume", options={"size": 5})
    page = open_match(context, address, staged, 0)
    begin(page)
    page.locator("[data-cell=b2]").click()
    expect(page.locator("[data-cell=b2].red")).to_be_visible()
    stage.play(staged, "swap")
    banner = page.locator("[data-swap]")
    expect(banner).to_contain_text("Colours swapped")
    expect(banner.locator(".player")).to_contain_text(["You", "Ben"])
    expect(page.locator("[data-cell=b2].red .owner")).to_have_text("Ben")
    news = "Ben swaps colours and plays red now. You play blue."
    expect(page.locator("[data-line]")).to_have_text(news)
    page.locator("[data-cell=d4]").click()
    expect(page.locator("[data-cell=d4].blue")).to_be_visible()
    expect(banner).to_have_count(0)
    turns = page.locator(".list li")  # Who moved as what colour stays true.
    expect(turns).to_contain_text(["You (Red)", "Ben swapped colours", "You (Blue)"])


def test_moving_again_says_why(context: BrowserContext, address: str, stage: Stage) -> None:
    staged = stage.start("flume", options={"size": 5})
    for move in ("b2", "c3", "d5"):
        stage.play(staged, move)
    stage.play(staged, "d4")  # Joins two stones.
    page = open_match(context, address, staged, 0)
    begin(page)
    page.locator("[data-cell=d3]").click()  # Joins two, too.
    stage.play(staged, "e4")
    page.locator("[data-cell=e3]").click()  # Joins d3, e4 and the rim.
    expect(page.locator(".tray .chain")).to_have_text("You move again: 3 neighbours.")
    expect(page.locator(".links.made path")).to_have_count(3)
