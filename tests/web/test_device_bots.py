"""Hints, bots that think in the player's browser, and the server that takes over."""

from __future__ import annotations

import json
import re

import httpx2
import pytest
from playwright.sync_api import BrowserContext, expect
from tests.web.pages import open_match
from tests.web.staging import GAMES, SIMPLE, Stage, Staged, give_seats
from tests.web.test_engine import module_of

import watermeet as wm
from watermeet.bots.engine import can_run
from watermeet.bots.levels import OCEAN, playable_levels

pytestmark = [pytest.mark.slow, pytest.mark.compiled]
BOT = {"who": "bot", "level": "stream"}
DEAF = "window.Worker = class { postMessage() {} terminate() {} }"
"""A browser whose engine never answers."""


OUTSIDE = [
    name
    for name in GAMES
    if not wm.game(name).package.startswith("watermeet.") and not wm.game(name).hidden
]
"""Open games of other packages, such as those in examples/."""
NETWORKED = [
    name
    for name in GAMES
    for level in playable_levels(wm.game(name))
    if level.name == OCEAN and can_run(wm.game(name), level) and not level.solver_nodes
]
"""Games that devices may play with a network."""


def bot_moves(address: str, staged: Staged, count: int) -> list[bool]:
    """For each of so many moves of the bot, whether a device found it."""
    path, found = f"{address}/api/matches/{staged.match}/events?after=1", []
    with httpx2.stream("GET", path, timeout=20) as stream:
        for line in stream.iter_lines():
            for event in json.loads(line).get("events", ()):
                if event["kind"] == "played" and event["seat"] == 1:
                    found.append(event.get("on_device", False))
            if len(found) == count:
                break
    return found


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
    expect(page.locator(".seat", has_text="Ana")).to_contain_text("1 hint")
    said = page.locator("[data-hint]").inner_text()
    page.keyboard.press("Escape")
    expect(mark).to_have_count(0)
    button.click()
    expect(page.locator("[data-hint]")).to_have_text(said)  # The same one isn't counted again.
    cell = said.removeprefix("Place a stone on ").rstrip(".")
    page.locator(f".board [data-cell={cell}]").click()
    expect(mark).to_have_count(0)
    expect(button).to_be_enabled()  # The bot has played.
    expect(page.locator(".seat", has_text="Ana")).to_contain_text("1 hint")
    page.goto(thinking + shared.path)
    expect(page.locator(".board [data-cell]").first).to_be_visible()
    expect(button).to_have_count(0)
    stage.close()


def test_a_bot_thinks_on_the_device_until_the_tab_is_gone(
    thinking: str, context: BrowserContext
) -> None:
    module_of(SIMPLE)
    stage = Stage(thinking)
    staged = stage.start(SIMPLE, [{"who": "open"}, BOT])
    page = open_match(context, thinking, staged, 0)
    bot = page.locator(".others .seat")
    expect(bot).to_contain_text("thinks on your device")
    stage.play(staged)
    assert bot_moves(thinking, staged, 1) == [True]

    page.goto(thinking + "/settings")
    page.get_by_label("Let bots think on this device").uncheck()
    page.goto(thinking + staged.path)
    expect(page.locator("button.hint")).to_be_enabled()
    expect(bot).not_to_contain_text("your device")
    page.goto(thinking + "/settings")
    page.get_by_label("Let bots think on this device").check()
    page.close()

    deaf = context.new_page()
    deaf.add_init_script(DEAF)
    deaf.goto(thinking + staged.path)
    expect(deaf.locator(".others .seat")).to_contain_text("thinks on your device")
    stage.play(staged)
    expect(deaf.locator("button.hint")).to_be_disabled()
    deaf.close()
    assert bot_moves(thinking, staged, 2) == [True, False]
    stage.close()


@pytest.mark.parametrize("name", OUTSIDE)
def test_a_game_of_another_package_has_an_engine_for_hints_and_bots(
    thinking: str, context: BrowserContext, name: str
) -> None:
    module_of(name)
    stage = Stage(thinking)
    staged = stage.start(name, [{"who": "open"}, BOT])
    page = open_match(context, thinking, staged, 0)
    expect(page.locator(".others .seat")).to_contain_text("thinks on your device")
    with page.expect_response("**/thoughts*"):  # The browser has found the hint.
        page.locator("button.hint").click()
    expect(page.locator(".why")).not_to_be_empty()
    stage.play(staged)
    assert bot_moves(thinking, staged, 1) == [True]
    stage.close()


@pytest.mark.nightly
@pytest.mark.parametrize("name", NETWORKED)
def test_a_bot_with_a_network_thinks_on_the_device(
    thinking: str, context: BrowserContext, name: str
) -> None:
    module_of(name)
    stage = Stage(thinking)
    staged = stage.start(name, [{"who": "open"}, {"who": "bot", "level": OCEAN}])
    give_seats(context, staged, 0)
    page = context.new_page()
    fetched: list[str] = []
    page.on("request", lambda request: fetched.append(request.url))
    page.goto(thinking + staged.path)
    expect(page.locator(".others .seat")).to_contain_text("thinks on your device")
    assert not any("/networks/" in url for url in fetched), "it is fetched when a bot needs it"
    while stage.mover(staged) == 0:  # A turn may have several moves.
        stage.play(staged)
    assert bot_moves(thinking, staged, 1) == [True]
    stage.close()
