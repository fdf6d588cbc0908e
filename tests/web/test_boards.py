"""Boards by keyboard alone, by ear alone, and with fingers."""

from __future__ import annotations

import random
import re
import time
from dataclasses import dataclass

import pytest
from playwright.sync_api import BrowserContext, Page, expect
from playwright.sync_api import TimeoutError as TookTooLong
from tests.web.pages import (
    HELD,
    PLAY,
    axe,
    begin,
    free_cells,
    has_moved,
    is_over,
    move_count,
    open_match,
    small_options,
    start_match,
    wait_for_choice,
)
from tests.web.staging import BOARDS, Stage, two_by_day

pytestmark = pytest.mark.slow
COMMON_KEYS = 12
"""The shortcuts of all boards, which the help lists after the game's own."""
MAX_PRESSES = 2500
ENOUGH = 4
"""Moves that show how a game is played."""


# ---- by keyboard --------------------------------------------------------------------------------


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
    page.evaluate("new Promise(requestAnimationFrame)")


@pytest.mark.parametrize("game", two_by_day(BOARDS))
def test_a_match_can_be_played_by_keyboard(
    context: BrowserContext, address: str, game: str
) -> None:
    """And screen readers can read the board."""
    page = context.new_page()
    start_match(page, address, game, "hotseat", small_options(game))
    begin(page)
    keys, rng = own_shortcuts(page), random.Random(game)
    check_what_is_read(page)
    before, is_checked = move_count(page), False
    for _ in range(MAX_PRESSES):
        wait_for_choice(page)
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
    assert is_over(page) or move_count(page) >= before + ENOUGH


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


# ---- with fingers -------------------------------------------------------------------------------


@pytest.mark.parametrize("game", two_by_day(BOARDS))
def test_boards_fit_on_a_phone(phone: BrowserContext, address: str, game: str) -> None:
    """Cells are large enough, or can be zoomed."""
    page = phone.new_page()
    start_match(page, address, game, "hotseat")
    begin(page)
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
    main, held = page.locator(f".tray .button.main, {PLAY}"), page.locator(HELD)
    for _ in range(4):  # A tile is chosen, shown on a cell, placed.
        for found in (held, free_cells(page), main):
            if found.count() and not has_moved(page, before, 500):
                found.first.tap(force=True)
    assert has_moved(page, before)


# ---- by ear -------------------------------------------------------------------------------------
# The player knows the accessibility tree, nothing else: roles, names and states, no selectors, no
# places on the screen. Every button is found by its role and name and pressed with Enter.

LINE = re.compile(r'^( *)- (?:\'?)([a-z]+)(?: "((?:[^"\\]|\\.)*)")?(.*)$')
ASIDE = re.compile(r"^(Zoom|Fit|Point|Rotate|Cancel|Deselect|Show|Let go|Take back)")
"""Buttons that don't lead on."""
LONGEST_S = 240.0


@dataclass(frozen=True)
class Spoken:
    """Something in the accessibility tree, and the names of what it is in."""

    role: str
    name: str
    is_enabled: bool
    within: tuple[str, ...]


def spoken(page: Page) -> list[Spoken]:
    """What a screen reader finds in the main part of the page, in order."""
    found: list[Spoken] = []
    above: list[tuple[int, str]] = []
    for line in page.get_by_role("main").aria_snapshot().splitlines():
        read = LINE.match(line)
        if read is None:
            continue
        depth, role, name, state = len(read[1]), read[2], read[3] or "", read[4]
        above = [one for one in above if one[0] < depth]
        name = re.sub(r"\\(.)", r"\1", name)
        within = tuple(one[1] for one in above)
        found.append(Spoken(role, name, "[disabled]" not in state, within))
        above.append((depth, role if role == "application" else name))
    return found


def press(page: Page, name: str, where: str) -> None:
    """Presses a button, unless it has just gone."""
    within = page.get_by_role("region", name=where) if where else page
    try:
        within.get_by_role("button", name=name, exact=True).first.press("Enter", timeout=500)
    except TookTooLong:
        return


def choose(heard: list[Spoken], last: str, tried: set[str], rng: random.Random) -> str | None:
    """The next button that wasn't tried in vain: a cell of the board, or something beside it."""
    buttons = [
        one
        for one in heard
        if one.role == "button" and "Board" in one.within and one.name not in tried
    ]
    cells = [one.name for one in buttons if "application" in one.within and one.is_enabled]
    beside = [
        one.name
        for one in buttons
        if "application" not in one.within and one.is_enabled and not ASIDE.match(one.name)
    ]
    place = last.partition(":")[0]
    again = [name for name in cells if name != last and name.startswith(f"{place}:")]
    if again and rng.random() < 0.9:  # The first Enter shows how a piece would lie.
        return again[0]
    if cells and (not beside or rng.random() < 0.75):
        return rng.choice(cells)
    return rng.choice(beside) if beside else None


@pytest.mark.parametrize("game", two_by_day(BOARDS))
def test_a_match_is_played_to_its_end_by_ear(
    context: BrowserContext, address: str, stage: Stage, game: str
) -> None:
    staged = stage.ending(game)
    page = open_match(context, address, staged, *staged.seats)
    rng = random.Random(game)
    last, until, presses = "", time.monotonic() + LONGEST_S, 0
    before: list[Spoken] = []
    tried: set[str] = set()
    while time.monotonic() < until:
        heard = spoken(page)
        if heard != before:
            before, tried = heard, set()
        buttons = [one for one in heard if one.role == "button"]
        assert all(one.name for one in buttons), "a button without a name"
        if any(one.name.startswith("Rematch") for one in buttons):
            break
        handed = [one.name for one in buttons if one.name.endswith("continue")]
        name = handed[0] if handed else choose(heard, last, tried, rng)
        if name is None or name in tried:
            page.evaluate("new Promise(requestAnimationFrame)")
            tried.clear()
            continue
        cells = [one.name for one in buttons if "application" in one.within]
        assert len(cells) == len(set(cells)), "cells that sound alike"
        press(page, name, "" if handed else "Board")
        last, presses = name, presses + 1
        tried.add(name)
    assert any(one.name.startswith("Rematch") for one in spoken(page)), f"{presses} presses"
