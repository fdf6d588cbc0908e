"""Every board in a real browser: matches by keyboard alone, screen readers, phones."""

from __future__ import annotations

import random
import re

import pytest
from playwright.sync_api import Browser, Page, expect
from tests.web.fixtures import new_person
from tests.web.pages import (
    HELD,
    OVER,
    axe,
    begin,
    free_cells,
    has_moved,
    is_over,
    move_count,
    small_options,
    start_match,
)
from tests.web.staging import BOARDS

pytestmark = pytest.mark.slow
PHONE = {"width": 375, "height": 740}
COMMON_KEYS = 12
"""The shortcuts of all boards, which the help lists after the game's own."""
MAX_PRESSES = 2500
ENOUGH = 12
"""Moves that show how a game is played; random keys take minutes to end the long ones."""


def focus_board(page: Page) -> None:
    """Reach the board by Tab, unless the device changes hands: then there is no way to it."""
    for _ in range(60):
        if page.locator(".hand-over").count():
            return
        if page.evaluate("document.activeElement?.hasAttribute('data-cell') ?? false"):
            return
        page.keyboard.press("Tab")
    raise AssertionError("Tab does not lead to the board")


def own_shortcuts(page: Page) -> list[str]:
    """The game's own keys, as listed in its help; ``1-6`` is six keys."""
    page.get_by_role("button", name="Help").click()
    listed = page.locator(".help kbd").all_inner_texts()
    page.keyboard.press("Escape")
    assert len(listed) >= COMMON_KEYS
    keys: list[str] = []
    for key in listed[:-COMMON_KEYS]:
        low, *high = re.split("[\N{EN DASH}-]", key)
        keys += [str(n) for n in range(int(low), int(high[0]) + 1)] if high else [key.lower()]
    return keys


def press_anything(page: Page, keys: list[str], rng: random.Random) -> None:
    """Choose a random cell, or press one of the game's keys."""
    focus_board(page)
    if page.locator(".hand-over").count():
        return
    if free_cells(page).count() and rng.random() < 0.7:
        pressed = ["n"] * rng.randint(1, 4) + ["Enter"] * rng.randint(1, 2)
    else:
        pressed = [rng.choice(keys)] if keys else ["n", "Enter"]
    for key in pressed:
        page.keyboard.press(key)
    page.wait_for_timeout(30)


@pytest.mark.parametrize("game", BOARDS)
def test_a_match_can_be_played_by_keyboard(browser: Browser, address: str, game: str) -> None:
    """And screen readers can read the board."""
    context = new_person(browser, bypass_csp=True, color_scheme="dark")
    page = context.new_page()
    errors: list[str] = []
    page.on("pageerror", lambda error: errors.append(str(error)))
    start_match(page, address, game, "hotseat", small_options(game))
    begin(page)
    keys, rng = own_shortcuts(page), random.Random(game)
    check_what_is_read(page)
    before, is_checked = move_count(page), False
    for _ in range(MAX_PRESSES):
        page.locator(f".hand-over, .panel form input, {OVER}").first.wait_for(state="attached")
        if is_over(page) or move_count(page) >= before + ENOUGH:
            break
        if page.locator(".hand-over").count():
            # It has the focus, unless a key pressed just before it appeared has moved it away.
            page.locator(".hand-over button").press("Enter")
            page.locator(".hand-over").wait_for(state="detached")
            continue
        if move_count(page) > before and not is_checked:
            expect(page.locator("[data-news]")).not_to_be_empty()
            assert axe(page) == []
            is_checked = True
        press_anything(page, keys, rng)
    assert is_checked
    if move_count(page) < before + ENOUGH:
        expect(page.locator(".status strong")).to_contain_text(re.compile("win|lose|draw"))
    assert errors == []
    context.close()


def check_what_is_read(page: Page) -> None:
    """The targets, the row, the player's own pieces, the shortcuts; and every cell has a name."""
    focus_board(page)
    announced = []
    for key in ("w", "l", "m", "?"):
        page.keyboard.press(key)
        announced.append(page.locator(".board-frame .announced").inner_text())
    assert all(announced), announced
    assert "Enter: select" in announced[-1]
    labels = page.locator(".board [data-cell]").evaluate_all(
        "(cells) => cells.map((cell) => cell.getAttribute('aria-label'))"
    )
    assert all(labels)
    assert len(set(labels)) == len(labels)


@pytest.mark.parametrize("game", BOARDS)
def test_boards_fit_on_a_phone(browser: Browser, address: str, game: str) -> None:
    """Nothing sticks out at 375 pixels, and cells are large enough, or can be zoomed."""
    context = new_person(browser, viewport=PHONE, has_touch=True)
    page = context.new_page()
    start_match(page, address, game, "hotseat")
    begin(page)
    assert page.evaluate("document.documentElement.scrollWidth") <= PHONE["width"]
    smallest = (
        "() => Math.min(...[...document.querySelectorAll('.board-frame [data-cell]')]"
        ".map((cell) => Math.min(...['width', 'height']"
        ".map((side) => cell.getBoundingClientRect()[side]))))"
    )
    assert page.evaluate(smallest) >= 24
    page.get_by_role("button", name="Zoom in").tap()
    assert page.evaluate(smallest) >= 30
    page.get_by_role("button", name="Fit the board").tap()
    before = move_count(page)
    main, held = page.locator(".tray .button.main"), page.locator(HELD)
    for _ in range(4):  # A tile is chosen, previewed, rotated, placed.
        for found in (held, free_cells(page), main):
            if found.count() and not has_moved(page, before, 100):
                found.first.tap(force=True)
    assert has_moved(page, before)
    context.close()
