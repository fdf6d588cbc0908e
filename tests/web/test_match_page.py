"""The match page: its layout, what it shows and plays, broken connections, and what comes after."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any

import pytest
from playwright.sync_api import BrowserContext, Page, expect
from tests.web.cable import cable
from tests.web.fixtures import DESKTOP
from tests.web.pages import (
    HEADLINE,
    axe,
    free_cells,
    move_count,
    open_match,
    promised,
    small_options,
    start_match,
    wait_for_moves,
)
from tests.web.staging import BOARDS, SECRETIVE, SIMPLE, Stage, Staged, give_seats, two_by_day

import watermeet as wm

pytestmark = pytest.mark.slow
People = Callable[..., BrowserContext]
TITLE = f"{wm.game(SIMPLE).title} \N{EN DASH} Watermeet"
MINUTES = {"type": "real_time", "initial_ms": 300_000, "increment_ms": 2_000}
COOPERATIVE = next(name for name in BOARDS if any(len(team) > 1 for team in wm.game(name).teams))
"""A board whose players have partners."""


def two_people(person: People, address: str, staged: Staged) -> tuple[Page, Page]:
    """The first two players of a match, each with a browser of their own."""
    return open_match(person(), address, staged, 0), open_match(person(), address, staged, 1)


def test_a_first_match_begins_with_the_goal(person: People, address: str, stage: Stage) -> None:
    """It is shown once for each game, with one's colour, and never again after that."""
    staged = stage.start(SIMPLE)
    page = open_match(person(is_new=True), address, staged, stage.mover(staged))
    card = page.get_by_role("dialog")
    expect(card.locator(".goal")).to_have_text(re.compile("^Have more stones"))
    expect(card.locator(".side")).to_contain_text("You play Red.")
    assert axe(page) == []
    card.get_by_role("button", name="Let\N{RIGHT SINGLE QUOTATION MARK}s play").click()
    expect(card).to_have_count(0)
    page.reload()
    expect(page.locator(HEADLINE)).to_have_text("Your turn")
    expect(card).to_have_count(0)


# ---- layout -------------------------------------------------------------------------------------

WITHIN = """(height) => {
  const [board, controls] = ['.board-frame .area > svg', '.replay'].map((where) =>
    document.querySelector(where).getBoundingClientRect());
  return board.bottom <= controls.top && controls.bottom <= height;
}"""
"""Whether the whole board is above the controls of the replay, and these are in sight."""


@pytest.mark.parametrize("game", two_by_day(BOARDS))
def test_the_board_and_its_controls_are_in_sight(
    phone: BrowserContext, person: People, address: str, stage: Stage, game: str
) -> None:
    """What is rarely needed is folded away on a phone, and fingers find everything."""
    staged = stage.start(game, time_control=MINUTES)
    mover = stage.mover(staged)
    desk = open_match(person(**DESKTOP), address, staged, mover)
    desk.wait_for_function(WITHIN, arg=800)
    page = open_match(phone, address, staged, mover)
    for width, height in ((360, 640), (390, 844)):
        page.set_viewport_size({"width": width, "height": height})
        expect(page.locator(".area > svg")).to_be_in_viewport(ratio=1)
        assert page.evaluate("document.documentElement.scrollWidth") <= width
        for clock in page.get_by_role("timer").all():
            expect(clock).to_be_in_viewport(ratio=1)
        assert not page.locator(".list").is_visible()
        small = page.locator(".panel button, .panel a, .panel summary, .bar button").evaluate_all(
            "(all) => all.map((one) => [one.textContent, one.getBoundingClientRect().height])"
            ".filter(([_, height]) => height > 0 && height < 40)"
        )
        assert small == []
    page.get_by_role("button", name="Help").click()
    expect(page.get_by_role("dialog")).to_be_in_viewport(ratio=1)


def is_same(one: list[Any], other: list[Any]) -> bool:
    """Whether two lists of boxes are equal, but for a rounded pixel."""
    return len(one) == len(other) and all(
        abs(a - b) <= 1
        for boxes in zip(one, other, strict=True)
        for a, b in zip(*boxes, strict=True)
    )


@pytest.mark.parametrize("width", [1280, 390])
def test_nothing_moves_between_turns(
    person: People, address: str, stage: Stage, width: int
) -> None:
    """Buttons are disabled rather than gone, and news, clocks and offers have their places."""
    staged = stage.start(SIMPLE, time_control=MINUTES)
    context = person(viewport={"width": width, "height": 800})
    page = open_match(context, address, staged, 0)

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


@pytest.mark.parametrize("game", two_by_day(BOARDS))
def test_the_board_stays_where_it_is(
    phone: BrowserContext, address: str, stage: Stage, game: str
) -> None:
    """Whatever is said above it, and whatever buttons a turn brings below it."""
    staged = stage.start(game)
    page = open_match(phone, address, staged, 0)
    drawing = page.locator(".area > svg")
    drawing.wait_for()
    page.get_by_role("button", name="Resign").wait_for()
    known = drawing.bounding_box()
    for ply in range(8):
        stage.play(staged)
        wait_for_moves(page, ply)
        assert drawing.bounding_box() == known, ply


def test_a_refusal_appears_once(context: BrowserContext, address: str, stage: Stage) -> None:
    staged = stage.start(SIMPLE)
    stage.play(staged)
    page = open_match(context, address, staged, stage.mover(staged))
    page.locator(".board [data-cell][aria-disabled=true]").first.click(force=True)
    expect(page.locator(".bubble")).to_be_visible()
    expect(page.locator(".refusal")).to_have_count(0)
    assert page.get_by_role("button", name="Play on").count() == 0  # No engine among people.


# ---- one screen ---------------------------------------------------------------------------------


@pytest.mark.parametrize("game", two_by_day(BOARDS))
def test_the_device_is_handed_over_only_with_hidden_information(
    context: BrowserContext, address: str, stage: Stage, game: str
) -> None:
    staged = stage.middle(game)
    page = open_match(context, address, staged, *staged.seats)
    if wm.game(game).has_secrets and stage.mover(staged) != 0:
        expect(page.get_by_role("alertdialog")).to_contain_text("Pass the device to")
        assert axe(page) == []
    else:
        expect(page.locator(HEADLINE)).to_contain_text("turn")
        expect(page.locator(".hand-over")).to_have_count(0)


def test_a_shared_screen_undoes_moves_and_goes_to_its_rematch(
    context: BrowserContext, address: str
) -> None:
    page = context.new_page()
    start_match(page, address, SIMPLE, "hotseat", small_options(SIMPLE))
    for played in range(2):
        free_cells(page).nth(3 * played).click()
        wait_for_moves(page, played)
    free_cells(page).first.wait_for()
    page.get_by_role("button", name="Undo").click()
    expect(page.locator(".replay input")).to_have_attribute("max", "0")
    page.get_by_role("button", name="Resign").click()
    page.get_by_role("dialog").get_by_role("button", name="Resign").click()
    over = page.url
    page.get_by_role("button", name="Rematch").click()
    page.wait_for_url(lambda url: "/match/" in url and url != over)
    for played in range(2):
        free_cells(page).nth(3 * played).click()
        wait_for_moves(page, played)


# ---- sounds, notifications, talk ----------------------------------------------------------------

LISTENING = """
window.felt = [];
const set = AudioParam.prototype.setValueAtTime;
AudioParam.prototype.setValueAtTime = function (value, at) {
  if (value > 100) window.felt.push(Math.round(value));
  return set.call(this, value, at);
};
navigator.vibrate = (pulses) => window.felt.push(`${pulses.length} pulses`);
"""
MOVE, TURN, WIN, LOW = 392, 520, 1047, 880
"""The pitches of sounds."""


def expect_felt(page: Page, *wanted: int | str) -> None:
    """All this is heard or felt."""
    page.wait_for_function("(all) => all.every((one) => felt.includes(one))", arg=list(wanted))
    page.evaluate("window.felt.splice(0)")


def test_every_sound_comes_at_its_moment_and_a_move_is_felt(
    person: People, address: str, stage: Stage
) -> None:
    """Little time left, a move, one's turn and victory: each has a pitch of its own."""
    context = person(has_touch=True, is_mobile=True)
    context.add_init_script(LISTENING)
    staged = stage.start(SIMPLE, time_control={"type": "real_time", "initial_ms": 21_000})
    page = open_match(context, address, staged, stage.mover(staged))
    page.locator("h1").first.dispatch_event("pointerdown")  # Before that, pages make no sound.
    expect_felt(page, LOW)
    free_cells(page).first.click(force=True)
    expect_felt(page, MOVE, "1 pulses")
    stage.play(staged)
    expect_felt(page, TURN, "3 pulses")
    page.get_by_role("button", name="Settings").click()
    page.get_by_label("Sounds").uncheck()
    page.get_by_label("Vibration").uncheck()
    page.get_by_role("button", name="Close").click()
    page.evaluate("window.felt.splice(0)")
    free_cells(page).first.click(force=True)
    stage.play(staged)
    expect(page.locator(HEADLINE)).to_contain_text("Your turn")
    assert page.evaluate("window.felt") == []
    page.get_by_role("button", name="Settings").click()
    page.get_by_label("Sounds").check()
    page.get_by_role("button", name="Close").click()
    stage.do(staged, 1 - stage.mover(staged), {"type": "resign"})
    expect_felt(page, WIN)


RECORD_NOTIFICATIONS = """
Object.defineProperty(document, 'hidden', { get: () => true });
window.heard = [];
window.Notification = class {
  static permission = 'granted';
  constructor(title, options) { window.heard.push(`${title}: ${options.body}`); }
};
window.AudioContext = class { constructor() { window.heard.push('sound'); throw new Error(); } };
"""


@pytest.mark.parametrize("is_enabled", [True, False])
def test_notifications_on_your_turn(
    context: BrowserContext, address: str, stage: Stage, is_enabled: bool
) -> None:
    wanted = str(is_enabled).lower()
    kept = f'{{"title":{wanted},"sound":{wanted},"notify":{wanted}}}'
    context.add_init_script(
        RECORD_NOTIFICATIONS + f"localStorage.setItem('watermeet.settings', '{kept}');"
    )
    staged = stage.start(SIMPLE)
    page = open_match(context, address, staged, 1 - stage.mover(staged))
    expect(page.locator(HEADLINE)).to_contain_text("s turn")
    assert page.title() == TITLE
    stage.play(staged)
    expect(page.locator(HEADLINE)).to_contain_text("Your turn")
    heard = page.evaluate("window.heard")
    if is_enabled:
        assert page.title() == f"● {TITLE}"
        assert sorted(word.partition(":")[0] for word in heard) == ["Your turn", "sound"]
    else:
        assert (page.title(), heard) == (TITLE, [])


def test_players_talk_in_phrases_and_can_be_muted(
    person: People, address: str, stage: Stage
) -> None:
    ana, ben = two_people(person, address, stage.start(SIMPLE))
    opener = ana.get_by_role("button", name="Say something")
    opener.press("Enter")  # By keyboard alone.
    expect(ana.get_by_role("button", name="Smile")).to_be_focused()
    ana.get_by_role("button", name="Good luck!").press("Enter")
    expect(opener).to_be_focused()
    heard = ben.get_by_role("log", name="Table talk")
    expect(heard).to_contain_text("Ana: Good luck!")
    expect(ben.locator(".seat").filter(has_text="Ana").get_by_text("Good luck!")).to_be_visible()
    ben.get_by_role("button", name="Mute table talk").click()
    for _ in range(4):
        opener.click()
        ana.get_by_role("button", name="Applause").click()
    expect(ana.get_by_role("status").filter(has_text="sending too fast")).to_be_visible()
    expect(heard).to_have_text("Table talk is muted.")


def test_partners_point_by_key_and_it_is_read_aloud(
    person: People, address: str, stage: Stage
) -> None:
    ana, ben = two_people(person, address, stage.start(COOPERATIVE))
    cell = ana.locator(".board [data-cell][tabindex='0']").first
    cell.focus()
    ana.keyboard.press("g")
    name = cell.get_attribute("data-cell")
    expect(ben.get_by_role("log", name="Table talk")).to_contain_text(f"Ana points at {name}")
    expect(ben.locator(".sign")).to_have_count(1)
    expect(ana.locator(".sign")).to_have_count(0)


# ---- broken connections -------------------------------------------------------------------------


def test_a_match_continues_after_the_connection_was_cut(
    person: People, address: str, stage: Stage
) -> None:
    """Moves made meanwhile arrive, and a pending command is done once."""
    staged = stage.start(SIMPLE)
    with cable(address) as far:
        first = open_match(person(), address, staged, 0)
        second = open_match(person(), far.address, staged, 1)
        far.cut()
        expect(second.locator(".connection.reconnecting")).to_be_visible()
        free_cells(first).nth(12).click(force=True)
        wait_for_moves(first, 0)
        assert move_count(second) == 0
        far.mend()
        wait_for_moves(second, 0)
        expect(second.locator(".connection.open")).to_be_attached()
        far.cut()
        free_cells(second).nth(3).click(force=True)
        expect(second.locator(".connection.reconnecting")).to_be_visible()
        far.mend()
        wait_for_moves(first, 1)
        wait_for_moves(second, 1)
        assert move_count(first) == move_count(second) == 2


def test_a_board_that_failed_to_load_is_requested_again(
    context: BrowserContext, address: str, stage: Stage
) -> None:
    """The connection may break while a page loads: the board appears once it is back."""
    staged, refused = stage.start(SIMPLE), []
    page = context.new_page()

    def refuse(route: Any) -> None:
        refused.append(route.request.url)
        route.abort()

    page.route(re.compile(r"/assets/web-[^/]*\.js"), refuse)  # The boards.
    page.goto(address + staged.path)
    page.locator(HEADLINE).wait_for()
    while len(refused) < 2:  # It was asked for once more.
        page.wait_for_event("requestfailed")
    expect(page.locator(".board svg")).to_have_count(0)
    page.unroute_all()
    expect(page.locator(".board svg").first).to_be_visible()


def test_an_absent_player_can_be_claimed(
    context: BrowserContext, address: str, stage: Stage
) -> None:
    staged = stage.start(SIMPLE)
    give_seats(context, staged, 1 - stage.mover(staged))
    page = context.new_page()
    page.clock.install()
    page.goto(address + staged.path)
    expect(page.locator(HEADLINE)).to_contain_text("turn")
    assert page.get_by_role("button", name="seems to be away").count() == 0
    page.clock.run_for(31_000)
    page.get_by_role("button", name="seems to be away").click()
    page.get_by_role("button", name="Let a bot take over").click()
    alert = page.get_by_role("alert").filter(has_text="been away long enough")
    expect(alert).to_be_visible()


# ---- the end, and after it ----------------------------------------------------------------------


def test_both_read_the_truth_about_a_resignation(person: People, address: str) -> None:
    """Then one press each leads both to the rematch, and a third to watch it."""
    host, guest, spectator = (person().new_page() for _ in range(3))
    start_match(host, address, SIMPLE, "friend", small_options(SIMPLE))
    guest.goto(host.locator("input[readonly]").input_value())
    guest.get_by_role("button", name="Join").click()
    for page in (host, guest):
        expect(page.locator(HEADLINE)).to_contain_text("turn")
    over = host.url
    spectator.goto(over)
    expect(spectator.get_by_text("You\N{RIGHT SINGLE QUOTATION MARK}re watching")).to_be_visible()
    is_host = "Your turn" in host.locator(HEADLINE).inner_text()
    first, second = (host, guest) if is_host else (guest, host)
    free_cells(first).nth(12).click(force=True)
    wait_for_moves(second, 0)
    second.get_by_role("button", name="Resign").click()
    second.get_by_role("dialog").get_by_role("button", name="Resign").click()
    expect(second.locator(HEADLINE)).to_have_text("You resigned.")
    expect(second.locator(".status.lost .now")).to_contain_text("wins.")
    expect(first.locator(HEADLINE)).to_have_text("You win!")
    expect(first.locator(".status.won .now")).to_contain_text("resigned.")
    expect(first.locator(".own .winner .crown")).to_be_visible()
    expect(second.locator(".own small")).to_contain_text("resigned")
    assert first.locator(".end .button.main").all_inner_texts() == ["Rematch"]
    first.get_by_role("button", name="Rematch").click()
    second.get_by_role("button", name="Accept", exact=True).click()
    for page in (first, second):
        page.wait_for_url(lambda url: "/match/" in url and url != over)
        expect(page.locator(HEADLINE)).to_contain_text("turn")
        expect(page.locator(".own strong")).to_have_text("You")
    follow = spectator.locator(".end .button.main")
    expect(follow).to_have_text("Watch the rematch")
    follow.click()
    spectator.wait_for_url(first.url)
    assert first.url == second.url


def test_after_the_match_a_phone_shows_the_main_button_at_once(
    phone: BrowserContext, address: str, stage: Stage
) -> None:
    """And a review has the board in sight, however far one reads."""
    staged = stage.start(SECRETIVE, time_control=MINUTES)
    page = open_match(phone, address, staged, 0)
    stage.play(staged)
    stage.do(staged, 1, {"type": "resign"})
    rematch = page.get_by_role("button", name="Rematch")
    expect(rematch).to_be_in_viewport(ratio=1)
    assert page.evaluate("scrollY") == 0
    page.get_by_role("button", name="Review").tap()
    expect(page.locator(HEADLINE)).to_contain_text("Move 0 of")
    for shown in (page.get_by_role("heading", name="Review"), page.locator(".area > svg")):
        expect(shown).to_be_in_viewport(ratio=1)
    stage.do(staged, 1, {"type": "offer", "what": "rematch"})
    accept = page.get_by_role("button", name="Accept", exact=True)
    expect(accept).to_be_in_viewport(ratio=1)
    accept.tap()  # Nothing lies over it.
    page.wait_for_url(lambda url: "/match/" in url and not url.endswith(staged.path))


def test_a_replay_has_keys_slider_links_and_plays_on(
    context: BrowserContext, address: str, stage: Stage
) -> None:
    over, page = stage.over(SIMPLE), context.new_page()
    page.goto(f"{address}{over.path}?ply=3")
    headline = page.locator(HEADLINE)
    expect(headline).to_contain_text("Move 3 of")
    drawn = page.locator(".board svg").first.inner_html()
    page.keyboard.press("ArrowLeft")
    expect(headline).to_contain_text("Move 2 of")
    page.get_by_role("button", name="Next").click()
    expect(headline).to_contain_text("Move 3 of")
    page.locator(".replay input").fill("10")
    expect(headline).to_contain_text("Move 10 of")
    assert page.locator(".board svg").first.inner_html() != drawn
    context.grant_permissions(["clipboard-read", "clipboard-write"])
    page.get_by_role("button", name="Link to this position").click()
    expect(page.get_by_role("button", name="Copied")).to_be_visible()
    assert promised(page, "navigator.clipboard.readText()").endswith(f"{over.path}?ply=10")
    page.get_by_role("button", name="Autoplay").click()
    expect(headline).to_contain_text("Move 12 of")
    page.get_by_role("button", name="Autoplay").click()
    page.get_by_text("More", exact=True).click()
    play_on = page.get_by_role("button", name="Play on")
    expect(play_on).to_be_enabled()
    page.get_by_role("button", name="Last").click()
    expect(headline).to_contain_text("wins")
    expect(play_on).to_be_disabled()
    page.get_by_role("button", name="Review").click()
    expect(headline).to_contain_text("Move 0 of")
    page.get_by_role("button", name="Next").click()
    play_on.click()
    page.wait_for_url(lambda url: "ply" not in url)
    expect(headline).to_contain_text(re.compile("turn|thinking|warming"))


def test_records_and_pictures_can_be_downloaded(
    context: BrowserContext, address: str, stage: Stage
) -> None:
    """And the list of moves hides what chance does, until it is asked for."""
    over = stage.over(SECRETIVE)
    page = open_match(context, address, over)

    def download(button: str) -> bytes:
        with page.expect_download() as found:
            page.get_by_role("button", name=button).click()
        assert over.match in found.value.suggested_filename
        return found.value.path().read_bytes()

    record = wm.Record.parse(download("Game record (text)").decode())
    assert record.game.name == SECRETIVE
    assert download("Image (SVG)").startswith(b"<svg")
    png = download("Image (PNG)")
    assert png.startswith(b"\x89PNG")
    width, height = int.from_bytes(png[16:20]), int.from_bytes(png[20:24])
    assert max(width, height) == 1600
    assert len(png) > 20_000, "a board is on it, not one colour"
    names = page.locator(".list .name")
    expect(names.first).to_be_visible()
    assert "Chance" not in names.all_inner_texts()
    page.get_by_label(re.compile("Show rolls and draws")).check()
    assert "Chance" in names.all_inner_texts()
