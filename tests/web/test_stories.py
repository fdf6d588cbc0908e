"""Each game in a real browser, from its set-up to its result."""

from __future__ import annotations

import random
import re

import pytest
from playwright.sync_api import BrowserContext, Page, expect
from tests.web.pages import (
    HEADLINE,
    OVER,
    click_anything,
    has_moved,
    is_over,
    move_count,
    open_match,
    small_options,
    start_match,
    take_over,
    wait_for_choice,
)
from tests.web.staging import BOARDS, GAMES, Stage

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
@pytest.mark.parametrize("game", sorted(set(GAMES) - set(BOARDS)))
def test_a_game_without_a_board_is_played_from_the_list_of_its_moves(
    context: BrowserContext, address: str, game: str
) -> None:
    page = context.new_page()
    start_match(page, address, game, "hotseat", small_options(game))
    listed = page.locator(".board li button")
    for _ in range(3):
        listed.first.or_(page.locator(f".hand-over, {OVER}")).first.wait_for(state="attached")
        take_over(page)
        if is_over(page):
            break
        before = move_count(page)
        listed.last.click()
        assert has_moved(page, before)
