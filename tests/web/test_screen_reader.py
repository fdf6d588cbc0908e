"""A match of each game, played to its end by what a screen reader would say alone.

The player knows the accessibility tree, nothing else: roles, names and states, no selectors, no
places on the screen. Every button is found by its role and name and pressed with Enter.
"""

from __future__ import annotations

import random
import re
import time
from dataclasses import dataclass

import pytest
from playwright.sync_api import BrowserContext, Page
from playwright.sync_api import TimeoutError as TookTooLong
from tests.web.pages import small_options
from tests.web.staging import BOARDS, SIMPLE, Stage, give_seats

pytestmark = pytest.mark.slow
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


@pytest.mark.parametrize(
    "game",
    [pytest.param(game, marks=() if game == SIMPLE else pytest.mark.soak) for game in BOARDS],
)
def test_a_match_is_played_by_ear(
    context: BrowserContext, address: str, stage: Stage, game: str
) -> None:
    staged = stage.short(game, small_options(game))
    give_seats(context, staged, *staged.seats)
    page = context.new_page()
    page.goto(address + staged.path)
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
            page.wait_for_timeout(50)
            tried.clear()
            continue
        cells = [one.name for one in buttons if "application" in one.within]
        assert len(cells) == len(set(cells)), "cells that sound alike"
        press(page, name, "" if handed else "Board")
        last, presses = name, presses + 1
        tried.add(name)
    words = " ".join(one.name for one in spoken(page))
    assert time.monotonic() < until, f"not over after {presses} presses: {words[:2000]}"
