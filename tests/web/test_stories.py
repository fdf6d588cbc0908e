"""Each game in a real browser, from its set-up to its result."""

from __future__ import annotations

import random
import re

import pytest
from playwright.sync_api import BrowserContext, Page, WebSocketRoute, expect
from tests.web.pages import (
    HEADLINE,
    click_anything,
    is_over,
    move_count,
    open_match,
    small_options,
    start_match,
    take_over,
    wait_for_choice,
    wait_for_moves,
)
from tests.web.staging import BOARDS, SIMPLE, Stage

import watermeet as wm

RESULT = re.compile("win|lose|draw")
MAX_CLICKS = 300


def click_until(page: Page, rng: random.Random, moves: int) -> None:
    """Click what can be clicked until there are more moves, or the match is over.

    The position may change between a look at the page and a click: then it looks again.
    """
    for _ in range(MAX_CLICKS):
        wait_for_choice(page)
        if take_over(page):
            wait_for_choice(page)
        if is_over(page) or move_count(page) > moves:
            return
        click_anything(page, rng)
    raise AssertionError(f"{MAX_CLICKS} clicks have played nothing")


@pytest.mark.parametrize("game", BOARDS)
def test_a_game_is_set_up_and_played_by_mouse(
    context: BrowserContext, address: str, stage: Stage, game: str
) -> None:
    page, rng = context.new_page(), random.Random(game)
    start_match(page, address, game, "hotseat", small_options(game))
    for _ in range(3):
        click_until(page, rng, move_count(page))
    take_over(page)
    if is_over(page):  # With the smallest limits, nothing but trades soon ends a match.
        pass
    elif all(len(team) == 1 for team in wm.game(game).teams):
        page.get_by_role("button", name="Resign").click()
        page.get_by_role("dialog").get_by_role("button", name="Resign").click()
    else:  # A bot would take over: somebody who resigns may not spoil it for their partners.
        staged = stage.ending(game)
        page = open_match(context, address, staged, *staged.seats)
        while not is_over(page):
            click_until(page, rng, move_count(page))
    expect(page.locator(HEADLINE)).to_contain_text(RESULT)


@pytest.mark.slow
def test_a_game_without_a_board_is_played_from_the_list_of_its_moves(
    context: BrowserContext, address: str
) -> None:
    """The page takes it for one of which it knows nothing."""
    known, unknown = f'"game":"{SIMPLE}"', '"game":"unknown"'

    def rename(socket: WebSocketRoute) -> None:
        server = socket.connect_to_server()
        server.on_message(lambda text: socket.send(str(text).replace(known, unknown)))

    context.route_web_socket("**/api/socket", rename)
    page = context.new_page()
    start_match(page, address, SIMPLE, "hotseat", small_options(SIMPLE))
    for _ in range(3):
        before = move_count(page)
        page.locator(".board li button").last.click()
        wait_for_moves(page, before)
