"""The pages in a real browser, and whole matches of every game by mouse and by move list."""

from __future__ import annotations

import random
import re
from pathlib import Path

import pytest
from _pytest.mark.structures import ParameterSet
from playwright.sync_api import Browser, BrowserContext, Page, expect
from tests.web.fixtures import ROOT, new_person
from tests.web.pages import (
    click_anything,
    free_cells,
    is_over,
    move_count,
    small_options,
    start_match,
    take_over,
    wait_for_choice,
    wait_for_moves,
)
from tests.web.staging import BOARDS, GAMES, SECRETIVE, SIMPLE, Stage, give_seats

import watermeet as wm

pytestmark = pytest.mark.slow
FEW = {SIMPLE, SECRETIVE, *set(GAMES) - set(BOARDS)}
"""With a board, with a board and hidden information, and without a board."""
RESULT = re.compile("win|lose|draw")
FIRST_CLICKS, MAX_CLICKS = 24, 1500


def few(games: list[str]) -> list[ParameterSet]:
    """A few of these games in every run, the others in the soak."""
    return [pytest.param(game, marks=() if game in FEW else pytest.mark.soak) for game in games]


# ---- pages --------------------------------------------------------------------------------------


def test_the_home_page_shows_every_game(context: BrowserContext, address: str) -> None:
    page = context.new_page()
    page.goto(address)
    expect(page.locator(".games li")).to_have_count(len(wm.games()))
    expect(page.get_by_role("link", name="Rules").first).to_be_visible()


def test_unknown_urls_have_a_page(context: BrowserContext, address: str) -> None:
    page = context.new_page()
    page.goto(f"{address}/nothing/here")
    expect(page.get_by_role("heading", name="Page not found")).to_be_visible()
    page.goto(f"{address}/match/nothing")
    expect(page.get_by_text("Game not found")).to_be_visible()


@pytest.mark.parametrize(
    ("locale", "rules"),
    [("fr-FR", "Règles"), ("de-DE", "Regeln"), ("pl-PL", "Zasady")],
)
def test_the_page_uses_the_browsers_language(
    browser: Browser, address: str, locale: str, rules: str
) -> None:
    context = new_person(browser, locale=locale)
    page = context.new_page()
    page.goto(address)
    expect(page.get_by_role("link", name=rules).first).to_be_visible()
    assert page.locator("html").get_attribute("lang") == locale[:2]
    page.goto(f"{address}/rules/{SIMPLE}/full")
    expect(page.locator("article").first).to_have_attribute("lang", locale[:2])
    file = ROOT / f"src/watermeet/games/{SIMPLE}/RULES.{locale[:2]}.md"
    first = re.findall(r"^## (.+)$", file.read_text(encoding="utf-8"), re.MULTILINE)[0]
    expect(page.get_by_role("heading", name=first)).to_be_visible()
    context.close()


# ---- matches ------------------------------------------------------------------------------------


def click_through(page: Page, seed: str, clicks: int) -> bool:
    """Play a random hot-seat match with the mouse; return whether it has ended.

    The position may change between a look at the page and a click: then it looks again.
    """
    rng = random.Random(seed)
    for _ in range(clicks):
        wait_for_choice(page)
        if take_over(page):
            wait_for_choice(page)
        if is_over(page):
            return True
        click_anything(page, rng)
    return False


@pytest.mark.parametrize("game", few(BOARDS))
def test_a_match_can_be_played_by_mouse(
    context: BrowserContext, address: str, stage: Stage, game: str
) -> None:
    """From its beginning, and one to its end."""
    page = context.new_page()
    errors: list[str] = []
    page.on("pageerror", lambda error: errors.append(str(error)))
    start_match(page, address, game, "hotseat", small_options(game))
    if not click_through(page, game, FIRST_CLICKS):
        assert move_count(page) > 0
        staged = stage.short(game, small_options(game))
        give_seats(context, staged, *staged.seats)
        page.goto(address + staged.path)
        assert click_through(page, game, MAX_CLICKS), "the match does not end"
    expect(page.locator(".status strong")).to_contain_text(RESULT)
    assert errors == []


@pytest.mark.parametrize("game", few(GAMES))
def test_a_match_can_be_played_from_the_move_list(
    context: BrowserContext, address: str, game: str
) -> None:
    """Any game can be played by the list of legal moves, with a board or without."""
    page = context.new_page()
    rng = random.Random(game)
    start_match(page, address, game, "hotseat", small_options(game))
    for _ in range(6):
        page.locator(".panel details summary, .hand-over").first.wait_for(state="attached")
        take_over(page)
        if is_over(page):
            break
        parts = page.locator(".panel .parts button:not(:disabled)")
        parts.first.wait_for(state="attached")
        before = move_count(page)
        for _ in range(8):  # A move has several parts.
            if move_count(page) > before or page.locator(".hand-over").count() or is_over(page):
                break
            if count := parts.count():
                parts.nth(rng.randrange(count)).evaluate("(button) => button.click()")
            page.wait_for_timeout(150)
    assert page.locator(".hand-over").count() or is_over(page) or move_count(page) > 0


def test_moves_can_be_undone_on_a_shared_screen(context: BrowserContext, address: str) -> None:
    page = context.new_page()
    start_match(page, address, SIMPLE, "hotseat", small_options(SIMPLE))
    for played in range(2):
        free_cells(page).nth(3 * played).click()
        wait_for_moves(page, played)
    free_cells(page).first.wait_for()
    page.get_by_role("button", name="Undo").click()
    expect(page.locator(".replay input")).to_have_attribute("max", "0")


def test_friends_play_despite_a_broken_connection(browser: Browser, address: str) -> None:
    """One is offline while the other moves, and moves as soon as the connection is back."""
    host, guest = new_person(browser), new_person(browser)
    first, second = host.new_page(), guest.new_page()
    start_match(first, address, SIMPLE, "friend", small_options(SIMPLE))
    second.goto(first.locator("input[readonly]").input_value())
    second.get_by_role("button", name="Join").click()
    players = {True: first, False: second}
    for page in players.values():
        expect(page.locator(".status strong")).to_contain_text("turn")
    is_first = "Your turn" in first.locator(".status strong").inner_text()
    mover, other = players[is_first], players[not is_first]
    (guest if is_first else host).set_offline(True)
    free_cells(mover).nth(12).click(force=True)
    wait_for_moves(mover, 0)
    (guest if is_first else host).set_offline(False)
    wait_for_moves(other, 0)
    free_cells(other).nth(3).click(force=True)
    wait_for_moves(mover, 1)
    host.close()
    guest.close()


# ---- size ---------------------------------------------------------------------------------------


def test_the_first_page_is_small() -> None:
    """Less than 100 kB compressed, pictures included; a board less than 40 kB more."""
    static = ROOT / "src" / "watermeet" / "server" / "static"
    if not (static / "index.html").is_file():
        pytest.skip("the client is not built (./test client)")
    page = (static / "index.html").read_text(encoding="utf-8")
    named = [static / found for found in re.findall(r"/(assets/[^\"]+)", page)]
    assert named
    pictures = static.glob("assets/picture-*.svg")  # The others belong to pages about games.
    assert sum(compressed_size(file) for file in (*named, *pictures)) < 100_000
    for file in (*static.glob("assets/web-*.js"), *static.glob("assets/Match-*.js")):
        assert compressed_size(file) < 40_000, file.name


def compressed_size(file: Path) -> int:
    if file.suffix in (".br", ".gz"):
        return 0
    small = file.with_name(f"{file.name}.br")
    return (small if small.is_file() else file).stat().st_size
