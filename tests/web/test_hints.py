"""Hints, which the engine in the player's browser finds, also for games of other packages."""

from __future__ import annotations

import re

import pytest
from playwright.sync_api import BrowserContext, expect
from tests.web.pages import open_match
from tests.web.staging import GAMES, SIMPLE, Stage, give_seats
from tests.web.test_engine import module_of

import watermeet as wm

pytestmark = [pytest.mark.slow, pytest.mark.compiled]
BOT = {"who": "bot", "level": "stream"}
OUTSIDE = [
    name
    for name in GAMES
    if not wm.game(name).package.startswith("watermeet.") and not wm.game(name).hidden
]
"""Open games of other packages, such as those in examples/."""


def test_a_hint_shows_a_move_says_why_and_is_counted(
    thinking: str, context: BrowserContext
) -> None:
    stage = Stage(thinking)
    random_bot = [{"who": "open"}, {"who": "bot", "level": "random"}]
    alone, shared = stage.start(SIMPLE, random_bot), stage.start(SIMPLE)
    give_seats(context, shared, 0, 1)
    page = open_match(context, thinking, alone, 0)
    button, mark = page.locator("button.hint"), page.locator(".board .hint-mark")
    expect(button).to_be_enabled()
    expect(mark).to_have_count(0)
    page.keyboard.press("h")
    expect(page.locator("[data-hint]")).to_contain_text("Place a stone on")
    expect(page.locator(".why")).to_have_text(re.compile(r"\w+ \w+.*\."))
    expect(mark).to_have_count(1)
    expect(page.locator(".own")).to_contain_text("1 hint")
    said = page.locator("[data-hint]").inner_text()
    page.keyboard.press("Escape")
    expect(mark).to_have_count(0)
    button.click()
    expect(page.locator("[data-hint]")).to_have_text(said)  # The same one isn't counted again.
    cell = said.removeprefix("Place a stone on ").rstrip(".")
    page.locator(f".board [data-cell={cell}]").click()
    expect(mark).to_have_count(0)
    expect(button).to_be_enabled()  # The bot has played.
    expect(page.locator(".own")).to_contain_text("1 hint")
    page.goto(thinking + shared.path)
    expect(page.locator(".board [data-cell]").first).to_be_visible()
    expect(button).to_have_count(0)
    stage.close()


@pytest.mark.parametrize("name", OUTSIDE)
def test_a_game_of_another_package_has_an_engine_for_hints(
    thinking: str, context: BrowserContext, name: str
) -> None:
    module_of(name)
    stage = Stage(thinking)
    staged = stage.start(name, [{"who": "open"}, BOT])
    page = open_match(context, thinking, staged, 0)
    with page.expect_response("**/thoughts*"):  # The browser has found the hint.
        page.locator("button.hint").click()
    expect(page.locator(".why")).not_to_be_empty()
    stage.close()
