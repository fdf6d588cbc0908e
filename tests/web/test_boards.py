"""The boards in a real browser: whole matches by keys alone, words for who listens, reasons at
their place, dragging, touch, and signs between partners."""

from __future__ import annotations

import re

import pytest
from playwright.sync_api import Browser, BrowserContext, Locator, Page, expect
from tests.web.conftest import new_person
from tests.web.pages import (
    FREE,
    free_cells,
    is_over,
    lay_table,
    move_count,
    take_over,
    wait_for_moves,
)
from tests.web.staging import Stage, give_seats
from tests.web.test_browser import OPTIONS, axe

pytestmark = pytest.mark.slow
GAMES = sorted(OPTIONS)
FEW = 24
"""So many times tiles of a hand are laid; then they are exchanged, which ends a match soon."""
WAITS = ".hand-over, .panel form input, a:has-text('Play again')"
PHONE = {"width": 375, "height": 740}


def focus_board(page: Page) -> None:
    """Comes to the board by Tab, as people do who have no mouse."""
    for _ in range(60):
        if page.evaluate("document.activeElement?.hasAttribute('data-cell') ?? false"):
            return
        page.keyboard.press("Tab")
    raise AssertionError("Tab does not lead to the board")


def press(page: Page, *keys: str) -> None:
    """Presses keys one after the other."""
    for key in keys:
        page.keyboard.press(key)


def begin(page: Page) -> None:
    """Until who is to move can see the board."""
    page.locator(WAITS).first.wait_for(state="attached")
    take_over(page)
    expect(page.get_by_label("Type a move")).to_be_visible()


def said(page: Page) -> str:
    """What the board read aloud last."""
    return page.locator(".board-frame .announced").inner_text()


def has_moved(page: Page, before: int, patience_ms: int = 20_000) -> bool:
    """Whether something was played, the device is to be passed on, or the match is over."""
    for _ in range(patience_ms // 25):
        is_passed = page.locator(".hand-over").count() > 0
        if is_passed or move_count(page) > before or is_over(page):
            return True
        page.wait_for_timeout(25)
    return False


WORD_KEYS = {
    "Draw a tile": "d",
    "End the turn": "e",
    "Take a card": "c",
    "Discard": "x",
    "Pass": "p",
    "Time is up": "u",
}


def lay_by_keys(page: Page, number: int) -> None:
    """Chooses a cell that can be chosen, and all that belongs to it."""
    press(page, *["n"] * (1 + number % 4), "Enter")
    if page.locator(".board-frame .landing").count():
        press(page, "n", "Enter")
    elif page.get_by_role("button", name="Lay it here").count():
        press(page, "r", "Enter")


def enabled(buttons: Locator) -> list[int]:
    """The places of those that can be pressed, all seen at once: they may be about to go."""
    usable: list[bool] = buttons.evaluate_all("(all) => all.map((each) => !each.disabled)")
    return [place for place, is_usable in enumerate(usable) if is_usable]


def play_by_keys(page: Page, number: int) -> None:
    """One action, by the keys that the help lists."""
    before = move_count(page)
    hand, actions = page.locator(".hand .held"), page.locator(".cards .action")
    held, cards = enabled(hand), enabled(actions)
    offered = page.locator(".board-frame .tray .button:not(.small)").all_inner_texts()
    keys = [key for text in offered for word, key in WORD_KEYS.items() if text.startswith(word)]
    if held and "e" not in keys and number < FEW:
        press(page, str(1 + held[number % len(held)]))
        lay_by_keys(page, number)
    elif "d" in keys:
        press(page, "d")
    elif free_cells(page).count() and not hand.count() and not (number % 3 and "e" in keys):
        lay_by_keys(page, number)
    elif keys:
        press(page, keys[0])
    elif cards:
        press(page, str(1 + cards[0]))
        if not has_moved(page, before, 300):  # It wants a target, or one of its words.
            press(page, *(("n", "Enter") if free_cells(page).count() else ("1",)))
    else:
        press(page, "t", "1")  # Sets a tile aside; the turn is ended then.
    assert has_moved(page, before), f"{offered}: {page.locator('.status').inner_text()}"


def keys_through(page: Page, most: int = 400) -> None:
    """Plays a match on one screen without touching a mouse."""
    for number in range(most):
        page.locator(WAITS).first.wait_for(state="attached")
        if is_over(page):
            return
        if page.locator(".hand-over").count():
            page.keyboard.press("Enter")  # Its only button has the focus.
            expect(page.locator(".hand-over")).to_have_count(0)
            continue
        focus_board(page)
        play_by_keys(page, number)
    raise AssertionError("the match does not end")


@pytest.mark.parametrize("game", GAMES)
def test_a_match_by_keys_alone(context: BrowserContext, address: str, game: str) -> None:
    page = context.new_page()
    errors: list[str] = []
    page.on("pageerror", lambda error: errors.append(str(error)))
    lay_table(page, address, game, "hotseat", OPTIONS[game])
    keys_through(page)
    expect(page.locator(".status strong")).to_contain_text(re.compile("win|lose|draw"))
    assert errors == []


@pytest.mark.parametrize("game", GAMES)
def test_boards_are_read_aloud(browser: Browser, address: str, game: str) -> None:
    """Where something can go, the line, what is mine, the keys; and axe finds nothing."""
    context = new_person(browser, bypass_csp=True, color_scheme="dark")
    page = context.new_page()
    lay_table(page, address, game, "hotseat", OPTIONS[game])
    begin(page)
    focus_board(page)
    told = []
    for key in ("w", "l", "m", "?"):
        page.keyboard.press(key)
        told.append(said(page))
    assert all(told), told
    assert "Enter: choose" in told[-1]
    labels = page.locator(".board [data-cell]").evaluate_all(
        "(cells) => cells.map((cell) => cell.getAttribute('aria-label'))"
    )
    assert all(labels)
    assert len(set(labels)) == len(labels)
    play_by_keys(page, 0)
    expect(page.locator("[data-news]")).not_to_be_empty()
    assert axe(page) == []
    context.close()


def test_a_reason_is_shown_at_its_place(context: BrowserContext, address: str) -> None:
    page = context.new_page()
    lay_table(page, address, "flume", "hotseat", OPTIONS["flume"])
    cell = page.locator("[data-cell=c3]")
    cell.click()
    wait_for_moves(page, 0)
    begin(page)
    cell.click(force=True)
    bubble = page.locator(".bubble")
    expect(bubble).to_contain_text("already holds")
    place, shown = cell.bounding_box(), bubble.bounding_box()
    assert place
    assert shown
    assert abs(shown["y"] + shown["height"] - place["y"]) < 30
    bubble.click()
    expect(bubble).to_have_count(0)
    page.keyboard.press("Tab")
    cell.focus()
    press(page, "y")
    expect(bubble).to_be_visible()
    press(page, "Escape")
    expect(bubble).to_have_count(0)


def drag(page: Page, source: str, target: str) -> None:
    """Drags something to a cell, step by step."""
    boxes = [page.locator(where).first.bounding_box() for where in (source, target)]
    points = [(box["x"] + box["width"] / 2, box["y"] + box["height"] / 2) for box in boxes if box]
    page.mouse.move(*points[0])
    page.mouse.down()
    page.mouse.move(*points[1], steps=6)
    page.mouse.up()


@pytest.mark.parametrize(
    ("game", "source"),
    [("flume", ".bowl"), ("qwirkle", ".held:not(:disabled)"), ("flows", ".held svg")],
)
def test_pieces_are_dragged(context: BrowserContext, address: str, game: str, source: str) -> None:
    page = context.new_page()
    lay_table(page, address, game, "hotseat", OPTIONS[game])
    begin(page)
    if game == "qwirkle":
        page.locator(source).first.click()  # So that its cells are offered.
    free = ".board [data-cell][role=button]:not([aria-disabled=true])"
    before = move_count(page)
    drag(page, source, free)
    assert has_moved(page, before)


def middle_of(page: Page, where: str) -> tuple[float, float]:
    """The middle of the first such thing."""
    box = page.locator(where).first.bounding_box()
    assert box
    return box["x"] + box["width"] / 2, box["y"] + box["height"] / 2


def opened(context: BrowserContext, address: str, stage: Stage, game: str) -> Page:
    """A match in its middle, with all seats in this browser."""
    staged = stage.middle(game)
    give_seats(context, staged, *staged.seats)
    page = context.new_page()
    page.goto(address + staged.path)
    begin(page)
    return page


def test_a_row_is_dragged_to_where_its_front_lands(
    context: BrowserContext, address: str, stage: Stage
) -> None:
    page = opened(context, address, stage, "flecks")
    free_cells(page).first.click()  # A stone comes first.
    rear = ".board [data-cell][aria-label*='a row begins here']"
    expect(page.locator(rear).first).to_be_visible()
    before = move_count(page)
    page.mouse.move(*middle_of(page, rear))
    page.mouse.down()
    page.mouse.move(*middle_of(page, ".board .landing"), steps=6)
    page.mouse.up()
    assert has_moved(page, before)


def test_a_tile_that_was_drawn_and_a_card_are_dragged(
    context: BrowserContext, address: str, stage: Stage
) -> None:
    page = opened(context, address, stage, "flow")
    before = move_count(page)
    card = ".cards .action:not(:disabled):has-text('Current')"
    page.locator(card).click()  # So that its cells are offered.
    target = middle_of(page, FREE)
    page.locator(card).click()
    page.mouse.move(*middle_of(page, card))
    page.mouse.down()
    page.mouse.move(*target, steps=6)
    page.mouse.up()
    assert has_moved(page, before), "a card is dragged to what it takes"
    take_over(page)
    free_cells(page).first.wait_for(state="attached")
    before = move_count(page)
    drag(page, ".held svg", FREE)
    assert has_moved(page, before), "and the tile that it took to its new place"


@pytest.mark.parametrize("game", GAMES)
def test_boards_fit_a_phone(browser: Browser, address: str, game: str) -> None:
    """Nothing sticks out at 375 pixels, and cells are large enough, or can be brought nearer."""
    context = new_person(browser, viewport=PHONE, has_touch=True)
    page = context.new_page()
    lay_table(page, address, game, "hotseat")
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
    if game == "flow":
        page.get_by_role("button", name="Draw a tile").tap()
        assert has_moved(page, before)
        before = move_count(page)
    if game == "qwirkle":
        page.locator(".held:not(:disabled)").first.tap()
    free_cells(page).first.tap(force=True)
    if game in ("flow", "flows"):
        free_cells(page).first.tap(force=True)  # Turns it.
        page.get_by_role("button", name="Lay it here").tap()
    assert has_moved(page, before)
    context.close()


def test_partners_see_what_is_pointed_at(browser: Browser, address: str) -> None:
    host, guest = new_person(browser), new_person(browser)
    first, second = host.new_page(), guest.new_page()
    lay_table(first, address, "flow", "friend", OPTIONS["flow"])
    second.goto(first.locator("input[readonly]").input_value())
    second.get_by_role("button", name="Join").click()
    first.get_by_role("button", name="Point at a cell").click()
    first.locator("[data-cell=c4]").click(force=True)
    expect(second.locator(".sign")).to_have_count(1)
    expect(first.locator(".sign")).to_have_count(0)
    expect(second.locator(".sign")).to_have_count(0, timeout=8000)
    host.close()
    guest.close()
