"""The page in a real browser: whole matches by mouse and by keys, lost lines, curtains, replays."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from playwright.sync_api import Browser, BrowserContext, Locator, Page, expect
from playwright.sync_api import TimeoutError as TookTooLong
from tests.web.conftest import ROOT, new_person
from tests.web.pages import (
    free_cells,
    is_over,
    lay_table,
    move_count,
    promised,
    take_over,
    wait_for_choice,
    wait_for_moves,
    words,
)

import watermeet as wm

pytestmark = pytest.mark.slow
SIZE = {"Points along each side of the board, the green rim not counted.": "5"}
OPTIONS: dict[str, dict[str, str]] = {
    "flecks": {"Cells along each side of the board.": "5"},
    "flow": {"Turns in a round, if turns are counted.": "6"},
    "flows": {"Rings of cells around the centre.": "2"},
    "flume": SIZE,
    "qwirkle": {"After so many rounds of nothing but exchanges the match is over.": "1"},
}
LAID = 30
"""After so many clicks tiles of a hand are exchanged, if they can be: that ends a match soon."""
PAGES = ("/", "/play/flume", "/rules/flume", "/nothing/here", "/match/nothing")
AXE = ROOT / "node_modules" / "axe-core" / "axe.min.js"


def click_soon(what: Locator, *, force: bool = False) -> bool:
    """Clicks something that may be about to go; whether it was still there."""
    try:
        what.click(timeout=2000, force=force)
    except TookTooLong:
        return False
    return True


def click_through(page: Page, most: int = 600) -> None:
    """Plays a match on one screen with the mouse: the board's cells, else the first word.

    Between a look at the page and a click the position may change, and what was there be gone: then
    it looks again.
    """
    for number in range(most):
        wait_for_choice(page)
        if take_over(page):
            wait_for_choice(page)
        if is_over(page):
            return
        before = move_count(page)
        held = page.locator(".hand .held:not(:disabled)")
        trade = page.locator(".board").get_by_role("button", name="Exchange tiles")
        if page.locator(".board .aside").count():
            # Unless the turn has ended meanwhile, and the curtain has fallen.
            if click_soon(page.locator(".board").get_by_role("button", name="End the turn")):
                wait_for_moves(page, before)
            continue
        if number > LAID and trade.count():
            if click_soon(trade) and click_soon(held.first):
                wait_for_moves(page, before)
            continue
        if count := held.count():
            click_soon(held.nth(number % count))
        cells = free_cells(page)
        if count := cells.count():
            if not click_soon(cells.nth((number * 7) % count), force=True):
                continue
            if page.locator(".board .landing").count():
                click_soon(page.locator(".board .cell:has(.landing)").first, force=True)
        else:
            choices = words(page).count()
            if not choices:  # Between two positions nothing is offered.
                continue
            if not click_soon(words(page).nth(number % choices)):
                continue
            if cells.count():  # A card wants a target.
                click_soon(cells.first, force=True)
        wants_more = page.get_by_role("button", name="Put the card back")
        for _ in range(60):  # A word may want another one: then nothing has been played yet.
            if move_count(page) > before or page.locator(".hand-over").count() or is_over(page):
                break
            if wants_more.count():
                break
            page.wait_for_timeout(50)
    raise AssertionError("the match does not end")


# ---- pages --------------------------------------------------------------------------------------


def test_the_first_page_shows_all_games(context: BrowserContext, address: str) -> None:
    page = context.new_page()
    page.goto(address)
    expect(page.locator(".games li")).to_have_count(len(wm.games()))
    expect(page.get_by_role("link", name="Rules").first).to_be_visible()


def test_what_is_not_there_has_a_page(context: BrowserContext, address: str) -> None:
    page = context.new_page()
    page.goto(f"{address}/nothing/here")
    expect(page.get_by_role("heading", name="Page not found")).to_be_visible()
    page.goto(f"{address}/match/nothing")
    expect(page.get_by_text("Game not found")).to_be_visible()


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_axe_finds_nothing(browser: Browser, address: str, scheme: str) -> None:
    context = new_person(browser, bypass_csp=True, color_scheme=scheme)
    page = context.new_page()
    for path in PAGES:
        page.goto(address + path)
        page.locator("h1").first.wait_for(state="attached")
        assert axe(page) == [], path
    lay_table(page, address, "flume", "hotseat")
    free_cells(page).first.click()
    wait_for_moves(page, 0)
    assert axe(page) == []
    context.close()


def axe(page: Page) -> list[str]:
    """What axe has to say against a page."""
    page.add_script_tag(content=AXE.read_text(encoding="utf-8"))
    found = promised(page, "axe.run().then((result) => result.violations)")
    return [f"{one['id']}: {[node['html'][:120] for node in one['nodes'][:3]]}" for one in found]


@pytest.mark.parametrize(
    ("locale", "rules"),
    [("fr-FR", "Règles"), ("de-DE", "Regeln"), ("pl-PL", "Zasady")],
)
def test_the_page_speaks_the_browsers_language(
    browser: Browser, address: str, locale: str, rules: str
) -> None:
    context = new_person(browser, locale=locale)
    page = context.new_page()
    page.goto(address)
    expect(page.get_by_role("link", name=rules).first).to_be_visible()
    assert page.locator("html").get_attribute("lang") == locale[:2]
    page.goto(f"{address}/rules/flume")
    expect(page.locator("article")).to_have_attribute("lang", locale[:2])
    told = (ROOT / f"src/watermeet/games/flume/RULES.{locale[:2]}.md").read_text(encoding="utf-8")
    first = re.findall(r"^## (.+)$", told, re.MULTILINE)[0]
    expect(page.get_by_role("heading", name=first)).to_be_visible()
    expect(page.locator(".examples figcaption").first).not_to_contain_text("the turn ends")
    context.close()


# ---- matches ------------------------------------------------------------------------------------


@pytest.mark.parametrize("game", sorted(OPTIONS))
def test_a_match_on_one_screen_by_mouse(context: BrowserContext, address: str, game: str) -> None:
    page = context.new_page()
    errors: list[str] = []
    page.on("pageerror", lambda error: errors.append(str(error)))
    lay_table(page, address, game, "hotseat", OPTIONS[game])
    click_through(page)
    expect(page.locator(".status strong")).to_contain_text(re.compile("win|lose|draw"))
    assert errors == []


def test_what_was_played_on_one_screen_is_taken_back(context: BrowserContext, address: str) -> None:
    page = context.new_page()
    lay_table(page, address, "flume", "hotseat", SIZE)
    free_cells(page).first.click()
    expect(page.locator(".board .stone")).to_have_count(1)
    free_cells(page).first.wait_for()
    free_cells(page).first.click()
    expect(page.locator(".board .stone")).to_have_count(2)
    free_cells(page).first.wait_for()
    page.get_by_role("button", name="Undo").click()
    expect(page.locator(".board .stone")).to_have_count(0)


def test_typed_moves_are_the_same_moves(context: BrowserContext, address: str) -> None:
    page = context.new_page()
    lay_table(page, address, "flume", "hotseat", SIZE)
    page.get_by_label("Type a move").fill("C3")
    page.keyboard.press("Enter")
    wait_for_moves(page, 0)
    expect(page.get_by_role("button", name="c3: red stone")).to_be_visible()


def test_a_curtain_hides_hands_on_one_screen(context: BrowserContext, address: str) -> None:
    page = context.new_page()
    lay_table(page, address, "qwirkle", "hotseat")
    page.locator(".held:not(:disabled), .hand-over").first.wait_for()
    take_over(page)  # Who begins is drawn.
    page.locator(".held:not(:disabled)").first.click()
    free_cells(page).first.click(force=True)
    page.locator(".board").get_by_role("button", name="End the turn").click()
    expect(page.get_by_role("alertdialog")).to_contain_text("Pass the device to")
    assert take_over(page)
    expect(page.locator(".held")).to_have_count(6)


def test_friends_play_over_a_line_that_breaks(browser: Browser, address: str) -> None:
    """One is offline while the other moves, and moves at once when the line is back."""
    host, guest = new_person(browser), new_person(browser)
    first, second = host.new_page(), guest.new_page()
    lay_table(first, address, "flume", "friend", SIZE)
    link = first.locator("input[readonly]").input_value()
    second.goto(link)
    second.get_by_role("button", name="Join").click()
    players = {True: first, False: second}
    expect(second.locator(".status strong")).to_contain_text(re.compile("turn"))
    first.locator(".status strong").wait_for()
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


def test_a_match_can_be_looked_at_again(context: BrowserContext, address: str) -> None:
    page = context.new_page()
    lay_table(page, address, "flume", "hotseat", SIZE)
    click_through(page)
    page.get_by_role("button", name="First").click()
    expect(page.locator(".board .stone")).to_have_count(0)
    page.get_by_role("button", name="Next").click()
    expect(page.locator(".board .stone")).to_have_count(1)
    page.get_by_role("button", name="Last").click()
    expect(page.locator(".board .stone")).to_have_count(25)


# ---- size ---------------------------------------------------------------------------------------


def test_the_first_page_is_small() -> None:
    """Less than 100 kB packed, pictures included; a board less than 40 kB more."""
    static = ROOT / "src" / "watermeet" / "server" / "static"
    if not (static / "index.html").is_file():
        pytest.skip("the client is not built (./test client)")
    page = (static / "index.html").read_text(encoding="utf-8")
    named = [static / found for found in re.findall(r"/(assets/[^\"]+)", page)]
    assert named
    assert sum(packed(file) for file in (*named, *static.glob("assets/*.svg"))) < 100_000
    for file in (*static.glob("assets/web-*.js"), *static.glob("assets/Match-*.js")):
        assert packed(file) < 40_000, file.name


def packed(file: Path) -> int:
    if file.suffix in (".br", ".gz"):
        return 0
    small = file.with_name(f"{file.name}.br")
    return (small if small.is_file() else file).stat().st_size
