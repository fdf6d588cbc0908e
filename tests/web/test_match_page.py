"""The match page as players meet it: the layout, the news, the ending, and what comes after."""

from __future__ import annotations

import re
from typing import Any

import pytest
from playwright.sync_api import Browser, BrowserContext, Page, WebSocketRoute, expect
from tests.web.fixtures import new_person
from tests.web.pages import (
    free_cells,
    move_count,
    small_options,
    start_match,
    type_move,
    wait_for_moves,
)
from tests.web.staging import BOARDS, SECRETIVE, SIMPLE, Stage, Staged, give_seats

pytestmark = pytest.mark.slow
HEADLINE = ".status strong"
MINUTES = {"type": "real_time", "initial_ms": 300_000, "increment_ms": 2_000}


def seated(context: BrowserContext, address: str, staged: Staged, *seats: int) -> Page:
    """A page of a match on these seats, with the board loaded."""
    give_seats(context, staged, *seats)
    page = context.new_page()
    page.goto(address + staged.path)
    page.locator(".board svg").first.wait_for()
    return page


def friends(browser: Browser, address: str) -> tuple[Page, Page]:
    """Two people with browsers of their own in a match, the mover first."""
    host, guest = (new_person(browser).new_page() for _ in range(2))
    start_match(host, address, SIMPLE, "friend", small_options(SIMPLE))
    guest.goto(host.locator("input[readonly]").input_value())
    guest.get_by_role("button", name="Join").click()
    for page in (host, guest):
        expect(page.locator(HEADLINE)).to_contain_text("turn")
    is_host = "Your turn" in host.locator(HEADLINE).inner_text()
    return (host, guest) if is_host else (guest, host)


# ---- layout -------------------------------------------------------------------------------------


PHONES = [(360, 640), (390, 844)]


@pytest.mark.parametrize("game", BOARDS)
def test_a_phone_shows_the_board_with_its_controls(
    browser: Browser, address: str, stage: Stage, game: str
) -> None:
    """And nothing sticks out; what is rarely needed is folded away; fingers find everything."""
    width, height = PHONES[0]
    context = new_person(browser, viewport={"width": width, "height": height}, has_touch=True)
    staged = stage.start(game, time_control=MINUTES)
    page = seated(context, address, staged, stage.mover(staged))
    for width, height in PHONES:
        page.set_viewport_size({"width": width, "height": height})
        page.wait_for_timeout(200)  # The board takes the room that is measured.
        check_phone(page, width, height)
    context.close()


def check_phone(page: Page, width: int, height: int) -> None:
    """The board and what belongs to it are in sight."""
    assert page.evaluate("document.documentElement.scrollWidth") <= width
    board = page.locator(".board-frame .area > svg").bounding_box()
    controls = page.locator(".replay").bounding_box()
    assert board
    assert controls
    assert board["y"] + board["height"] <= controls["y"]
    assert controls["y"] + controls["height"] <= height
    for clock in page.get_by_role("timer").all():
        expect(clock).to_be_in_viewport(ratio=1)
    assert not page.get_by_label("Type a move").is_visible()
    assert not page.locator(".list").is_visible()
    small = page.locator(".panel button, .panel a, .panel summary, .bar button").evaluate_all(
        "(all) => all.map((one) => [one.textContent, one.getBoundingClientRect().height])"
        ".filter(([_, height]) => height > 0 && height < 40)"
    )
    assert small == []


def is_same(one: list[Any], other: list[Any]) -> bool:
    """Whether two lists of boxes are equal, but for a rounded pixel."""
    return len(one) == len(other) and all(
        abs(a - b) <= 1
        for boxes in zip(one, other, strict=True)
        for a, b in zip(*boxes, strict=True)
    )


@pytest.mark.parametrize("game", BOARDS)
def test_a_desktop_shows_the_whole_board_above_its_controls(
    browser: Browser, address: str, stage: Stage, game: str
) -> None:
    context = new_person(browser, viewport={"width": 1280, "height": 800})
    staged = stage.start(game)
    page = seated(context, address, staged, stage.mover(staged))
    page.wait_for_timeout(200)  # The board takes the room that is measured.
    board = page.locator(".board-frame .area").bounding_box()
    controls = page.locator(".replay").bounding_box()
    assert board
    assert controls
    assert board["y"] + board["height"] <= controls["y"]
    assert controls["y"] + controls["height"] <= 800
    context.close()


@pytest.mark.parametrize("width", [1280, 390])
def test_nothing_moves_between_turns(
    browser: Browser, address: str, stage: Stage, width: int
) -> None:
    """Buttons are disabled rather than gone, and news, clocks and offers have their places."""
    context = new_person(browser, viewport={"width": width, "height": 800})
    staged = stage.start(SIMPLE, time_control=MINUTES)
    page = seated(context, address, staged, 0)

    def places() -> Any:
        return page.locator(".board, .area, .bar, .panel .card, .panel > * .button").evaluate_all(
            "(all) => all.filter((one) => one.checkVisibility())"
            ".map((one) => one.getBoundingClientRect())"
            ".map(({ x, y, width, height }) => [x, y, width, height].map(Math.round))"
        )

    expect(page.locator(HEADLINE)).to_contain_text("turn")
    page.get_by_role("button", name="Resign").wait_for()
    known = places()
    for ply in range(3):
        stage.play(staged)
        wait_for_moves(page, ply)
        assert is_same(places(), known)
    stage.do(staged, 1, {"type": "offer", "what": "pause"})
    expect(page.get_by_text("Ben would like to pause.")).to_be_visible()
    buttons = places()
    page.get_by_role("button", name="Decline").click()
    expect(page.get_by_text("Ben would like to pause.")).to_have_count(0)
    assert is_same(places(), buttons)
    context.close()


def test_a_refusal_appears_once(context: BrowserContext, address: str, stage: Stage) -> None:
    staged = stage.start(SIMPLE)
    stage.play(staged)
    page = seated(context, address, staged, stage.mover(staged))
    type_move(page, "z99")
    words = "isn’t a valid move"  # noqa: RUF001 - as the page writes it
    expect(page.get_by_role("alert")).to_contain_text(words)
    assert page.get_by_text(words).count() == 1
    page.get_by_role("button", name="Close").click()
    taken = page.locator(".board [data-cell][aria-disabled=true]").first
    taken.click(force=True)
    expect(page.locator(".bubble")).to_be_visible()
    expect(page.locator(".refusal")).to_have_count(0)


def test_help_opens_in_view(browser: Browser, address: str, stage: Stage) -> None:
    context = new_person(browser, viewport={"width": 390, "height": 844})
    page = seated(context, address, stage.start(SIMPLE), 0)
    page.get_by_role("button", name="Help").click()
    dialog = page.get_by_role("dialog")
    expect(dialog).to_be_in_viewport(ratio=1)
    page.keyboard.press("Escape")
    expect(dialog).to_have_count(0)
    context.close()


# ---- news ---------------------------------------------------------------------------------------


def bots_instead(page: Page) -> list[str]:
    """Lets the page believe that everybody else is a bot: none thinks on this server.

    Returns what the page has been sent, which grows.
    """
    sent: list[str] = []

    def rewrite(text: str) -> str:
        return re.sub(r'"who":"person","name":"Ben"', '"who":"bot","name":"Ben"', text)

    def meet(route: WebSocketRoute) -> None:
        server = route.connect_to_server()

        def pass_on(text: str | bytes) -> None:
            route.send(rewrite(str(text)))
            sent.append(str(text))

        server.on_message(pass_on)

    page.route_web_socket(re.compile("/api/"), meet)
    return sent


def test_the_actions_of_bots_come_one_by_one(
    context: BrowserContext, address: str, stage: Stage
) -> None:
    """Each stays for a while with its own position and a line of news; a click shows the rest.

    Here for ten minutes, so it can't end before the test has looked; pacing.test.ts has the clock.
    """
    staged = stage.start(SIMPLE)
    context.add_init_script(
        "localStorage.setItem('watermeet.settings', JSON.stringify({ pace: 600_000 }))"
    )
    give_seats(context, staged, 0)
    page = context.new_page()
    sent = bots_instead(page)
    page.goto(address + staged.path)
    page.locator(".board svg").first.wait_for()
    line = page.locator("[data-line]")
    expect(line).to_have_text("The game begins.")
    assert stage.mover(staged) == 0
    stage.play(staged)
    wait_for_moves(page, 0)
    before = move_count(page)
    for _ in range(2):
        while stage.mover(staged) == 0:
            stage.play(staged)
        stage.play(staged)
    played = len(stage.read(staged.match, staged.seats[0])["moves"])
    for _ in range(1000):
        if sum('"type":"changes"' in text for text in sent) >= played:
            break
        page.wait_for_timeout(25)
    page.wait_for_timeout(100)
    assert before <= move_count(page) < played
    expect(line).not_to_have_text("The game begins.")
    page.locator(".board").dispatch_event("pointerdown")
    assert move_count(page) == played


# ---- the end, and after it ----------------------------------------------------------------------


def test_both_read_the_truth_about_a_resignation(browser: Browser, address: str) -> None:
    """Then one press each leads both to the rematch."""
    first, second = friends(browser, address)
    free_cells(first).nth(12).click(force=True)
    wait_for_moves(second, 0)
    second.get_by_role("button", name="Resign").click()
    second.get_by_role("dialog").get_by_role("button", name="Resign").click()
    expect(second.locator(HEADLINE)).to_have_text("You resigned.")
    expect(second.locator(".status.lost .now")).to_contain_text("wins.")
    expect(first.locator(HEADLINE)).to_have_text("You win!")
    expect(first.locator(".status.won .now")).to_contain_text("resigned.")
    expect(first.locator(".own .winner .crown")).to_be_visible()
    expect(second.locator(".own small")).to_contain_text("you · resigned")
    decoration = "getComputedStyle(document.querySelector('.own strong')).textDecorationLine"
    assert first.evaluate(decoration) == second.evaluate(decoration) == "none"

    over = first.url
    assert first.locator(".end .button.main").all_inner_texts() == ["Rematch"]
    first.get_by_role("button", name="Rematch").click()
    second.get_by_role("button", name="Accept", exact=True).click()
    for page in (first, second):
        page.wait_for_url(lambda url: "/match/" in url and url != over)
        expect(page.locator(HEADLINE)).to_contain_text("turn")
        expect(page.locator(".own small")).to_contain_text("you")
    assert first.url == second.url
    for page in (first, second):
        page.context.close()


def test_spectators_may_follow_the_players_to_their_rematch(
    context: BrowserContext, address: str, stage: Stage
) -> None:
    staged = stage.start(SIMPLE)
    page = context.new_page()
    page.goto(address + staged.path)
    expect(page.get_by_text("You\N{RIGHT SINGLE QUOTATION MARK}re watching")).to_be_visible()
    stage.do(staged, 0, {"type": "resign"})
    stage.do(staged, 0, {"type": "offer", "what": "rematch"})
    stage.do(staged, 1, {"type": "respond", "what": "rematch", "accept": True})
    follow = page.locator(".end .button.main")
    expect(follow).to_have_text("Watch the rematch")
    follow.click()
    page.wait_for_url(lambda url: "/match/" in url and not url.endswith(staged.path))
    expect(page.locator(".own strong, .others strong").first).to_be_visible()
    expect(page.get_by_text("You\N{RIGHT SINGLE QUOTATION MARK}re watching")).to_be_visible()


def test_a_shared_screen_goes_to_its_rematch(context: BrowserContext, address: str) -> None:
    page = context.new_page()
    start_match(page, address, SIMPLE, "hotseat", small_options(SIMPLE))
    free_cells(page).nth(3).click()
    wait_for_moves(page, 0)
    page.get_by_role("button", name="Resign").click()
    page.get_by_role("dialog").get_by_role("button", name="Resign").click()
    over = page.url
    page.get_by_role("button", name="Rematch").click()
    page.wait_for_url(lambda url: "/match/" in url and url != over)
    for played in range(2):
        free_cells(page).nth(3 * played).click()
        wait_for_moves(page, played)


def test_a_review_starts_at_the_first_position(
    context: BrowserContext, address: str, stage: Stage
) -> None:
    """And one can play on from any position but the last."""
    page = context.new_page()
    page.goto(address + stage.over(SIMPLE).path)
    play_on = page.get_by_role("button", name="Play on")
    expect(play_on).to_be_disabled()
    page.get_by_role("button", name="Review").click()
    expect(page.locator(HEADLINE)).to_contain_text("Move 0 of")
    page.get_by_role("button", name="Next").click()
    play_on.click()
    page.wait_for_url(lambda url: "ply" not in url)
    expect(page.locator(HEADLINE)).to_contain_text(re.compile("turn|thinking|warming"))


def test_after_the_match_a_phone_shows_the_main_button_at_once(
    browser: Browser, address: str, stage: Stage
) -> None:
    """And a review starts with the board in sight, wherever it was asked for."""
    context = new_person(browser, viewport={"width": 390, "height": 844}, has_touch=True)
    staged = stage.start(SECRETIVE, time_control=MINUTES)
    page = seated(context, address, staged, 0)
    stage.play(staged)
    stage.do(staged, 1, {"type": "resign"})
    rematch = page.get_by_role("button", name="Rematch")
    expect(rematch).to_be_in_viewport(ratio=1)
    assert page.evaluate("scrollY") == 0
    page.get_by_role("button", name="Review").tap()
    expect(page.locator(HEADLINE)).to_contain_text("Move 0 of")
    for shown in (page.locator(".status"), page.locator(".area > svg"), page.locator(".replay")):
        expect(shown).to_be_in_viewport(ratio=1)
    expect(rematch).to_be_in_viewport(ratio=1)
    stage.do(staged, 1, {"type": "offer", "what": "rematch"})
    accept = page.get_by_role("button", name="Accept", exact=True)
    expect(accept).to_be_in_viewport(ratio=1)
    accept.tap()  # Nothing lies over it.
    page.wait_for_url(lambda url: "/match/" in url and not url.endswith(staged.path))
    context.close()


def test_no_engine_on_tap_in_a_match_of_people(
    context: BrowserContext, address: str, stage: Stage
) -> None:
    staged = stage.start(SIMPLE)
    stage.play(staged)
    page = seated(context, address, staged, 0)
    wait_for_moves(page, 0)
    expect(page.get_by_role("button", name="Help")).to_be_visible()
    assert page.get_by_role("button", name="Play on").count() == 0
