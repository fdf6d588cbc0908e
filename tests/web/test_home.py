"""The way to a match: the home page, the set-up, and invitations."""

from __future__ import annotations

import re

import pytest
from playwright.sync_api import Browser, BrowserContext, Route, expect
from tests.web.fixtures import new_person
from tests.web.pages import axe, start_match
from tests.web.staging import BOARDS, GAMES, Stage, give_seats
from tests.web.staging import SIMPLE as GAME

import watermeet as wm
from watermeet.core.options import Number

pytestmark = pytest.mark.slow
TITLE = wm.game(GAME).title
MANY = next(name for name in BOARDS if "seats" in wm.game(name).options)
"""A board for more than two."""


def as_called(name: str) -> str:
    """A script for a browser whose owner has this name."""
    return f"localStorage.setItem('watermeet.name', JSON.stringify('{name}'))"


def test_an_invitation_says_who_invites_to_what(browser: Browser, address: str) -> None:
    """With which clock and options, and with one button; a link for one machine says so."""
    phone = {"viewport": {"width": 390, "height": 844}, "bypass_csp": True}
    host, guest = new_person(browser), new_person(browser, **phone)
    host.add_init_script(as_called("Nora"))
    first, second = host.new_page(), guest.new_page()
    first.goto(f"{address}/play/{GAME}")
    first.get_by_text("Friend", exact=True).click()
    first.get_by_text("5 min + 3 s per turn").click()
    first.locator("summary").filter(has_text="Options").click()
    first.locator("select").first.select_option(index=0)
    first.get_by_role("button", name="Start").click()
    expect(first.get_by_text("Only this computer can open this link")).to_be_visible()
    expect(first.get_by_role("img", name="QR code of the link")).to_have_count(0)
    second.goto(first.locator("input[readonly]").input_value())
    invitation = second.locator(".waiting")
    expect(second.get_by_role("heading", name=f"Nora invites you to play {TITLE}")).to_be_visible()
    expect(invitation).to_contain_text("5 min + 3 s per turn")
    expect(invitation.locator("dd").last).to_have_text(re.compile(r"^.+: \d+$"))
    expect(invitation).to_contain_text("People with the link")
    expect(second.locator("main button")).to_have_count(1)
    assert axe(second) == []
    second.get_by_role("button", name="Join").click()
    expect(second.locator(".frame")).to_be_visible()
    host.close()
    guest.close()


def test_cancelling_a_waiting_game_asks_first(context: BrowserContext, address: str) -> None:
    """Then it is gone: it isn't among one's games, and nothing offers a rematch."""
    page = context.new_page()
    start_match(page, address, GAME, "friend")
    match = page.url
    page.get_by_role("button", name="Cancel game").click()
    dialog = page.get_by_role("dialog", name="Cancel this game?")
    expect(dialog).to_be_visible()
    page.keyboard.press("Escape")
    expect(dialog).to_have_count(0)
    expect(page.get_by_text("Waiting for 1 more player")).to_be_visible()
    page.get_by_role("button", name="Cancel game").click()
    dialog.get_by_role("button", name="Cancel game").click()
    page.wait_for_url(f"{address}/")
    expect(page.locator(".games li").first).to_be_visible()
    page.goto(match)
    expect(page.locator("main")).to_contain_text(re.compile("Aborted|cancelled"))
    expect(page.get_by_role("button", name="Rematch")).to_have_count(0)


def test_a_host_is_asked_before_others_lose_their_game(browser: Browser, address: str) -> None:
    """And whoever waits learns who has cancelled it."""
    host, guest = new_person(browser), new_person(browser)
    host.add_init_script(as_called("Nora"))
    first, second = host.new_page(), guest.new_page()
    first.goto(f"{address}/play/{MANY}")
    first.get_by_text("Friend", exact=True).click()
    first.locator("input[name=people][value='3'] + span").click()
    first.get_by_role("button", name="Start").click()
    second.goto(first.locator("input[readonly]").first.input_value())
    second.get_by_role("button", name="Join").click()
    expect(second.get_by_text("The game starts as soon as everyone has joined.")).to_be_visible()
    expect(second.get_by_role("button", name="Leave")).to_be_visible()
    expect(first.get_by_role("heading", name="Waiting for 1 more player")).to_be_visible()
    first.get_by_role("button", name="Cancel game").click()
    dialog = first.get_by_role("dialog", name="Cancel this game?")
    expect(dialog).to_contain_text("Another player is waiting for it to start.")
    dialog.get_by_role("button", name="Cancel game").click()
    expect(second.get_by_role("heading", name="Nora cancelled this game")).to_be_visible()
    host.close()
    guest.close()


def test_my_matches_come_first_and_the_header_counts_my_turns(
    browser: Browser, address: str, stage: Stage
) -> None:
    """With the board as it stands, who plays, whose turn it is, and how it ended."""
    context, me = new_person(browser, viewport={"width": 390, "height": 844}), stage.guest()
    context.add_init_script(f"localStorage.setItem('watermeet.token', JSON.stringify('{me}'))")
    matches = []
    for _ in range(3):
        staged = stage.create(GAME, seats=[{"who": "open"}, {"who": "open"}])
        staged.seats = {0: stage.join(staged.match, 0, guest=me), 1: stage.join(staged.match, 1)}
        give_seats(context, staged, 0)
        matches.append(staged)
    stage.play(matches[1])
    stage.do(matches[2], 0, {"type": "resign"})
    page = context.new_page()
    page.goto(address)
    mine, theirs, lost = (page.locator(".mine li").nth(number) for number in range(3))
    expect(mine).to_contain_text("Your turn")
    expect(mine).to_contain_text("You · Ben")
    expect(mine.locator("img")).to_have_attribute("src", re.compile("^data:image/svg"))
    empty = mine.locator("img").get_attribute("src") or ""
    expect(theirs.locator("img")).not_to_have_attribute("src", empty)
    expect(theirs).to_contain_text("Ben\N{RIGHT SINGLE QUOTATION MARK}s turn")
    expect(lost).to_contain_text("Lost")
    boxes = [page.locator(where).bounding_box() for where in ("div.mine", ".games")]
    first, games = [box["y"] for box in boxes if box]
    assert first < 120 < games
    expect(page.locator(".games h3").first).to_have_text(TITLE)
    page.goto(f"{address}/settings")
    badge = page.get_by_role("link", name="1 game is waiting for your move")
    badge.click()
    expect(page.locator(".status strong")).to_contain_text("Your turn")
    expect(badge).to_have_count(0)
    stage.play(matches[1])
    expect(badge).to_be_visible()  # Without a reload.
    context.close()


def test_open_games_say_on_which_terms(context: BrowserContext, address: str, stage: Stage) -> None:
    option = next(each for each in wm.game(GAME).declared_options if isinstance(each, Number))
    value = next(each for each in option.samples() if each != option.default)
    clock = {"type": "real_time", "initial_ms": 300_000, "increment_ms": 3_000}
    seats = [{"who": "open"}, {"who": "open"}]
    request = {"seats": seats, "is_public": True, "time_control": clock}
    waiting = stage.create(GAME, options={option.name: value}, **request)
    page = context.new_page()
    page.goto(f"{address}/lobby")
    row = page.locator("li").filter(has=page.locator(f"a[href='{waiting.path}']"))
    expect(row).to_contain_text("5 min + 3 s per turn")
    expect(row).to_contain_text(re.compile(rf": {value}\b"))


def test_no_game_is_alone_in_its_row(context: BrowserContext, address: str) -> None:
    """Whatever their number, and neither of five nor of six on any screen; alone it has a row."""
    page, count = context.new_page(), 0

    def shorten(route: Route) -> None:
        games = (route.fetch().json()["games"] * 3)[:count]
        named = [game | {"name": f"{game['name']}{n}"} for n, game in enumerate(games)]
        route.fulfill(json={"games": named})

    page.route("**/api/games", shorten)
    places = [("/", ".games li", number) for number in range(1, 9)]
    for path, cards, count in [*places, *(("/lobby", "ul.few li", number) for number in (5, 6))]:
        page.goto(address + path)
        expect(page.locator(cards)).to_have_count(count)
        for width in (360, 390, 768, 900, 1280) if count in (5, 6) else (900, 1280):
            page.set_viewport_size({"width": width, "height": 900})
            boxes = page.locator(cards).evaluate_all(
                "(cards) => cards.map((card) => card.getBoundingClientRect().toJSON())"
            )
            assert len(boxes) == count
            rows: dict[int, float] = {}
            for box in boxes:
                rows[round(box["y"])] = rows.get(round(box["y"]), 0) + box["width"]
            assert min(rows.values()) > 0.9 * max(rows.values()), (path, count, width)


# ---- the set-up ---------------------------------------------------------------------------------

TIMED = next(name for name in GAMES if wm.game(name).presets and wm.game(name).people_options)
"""A game with levels of difficulty, which people play in real time."""


def test_levels_of_difficulty_come_before_single_options(
    context: BrowserContext, address: str
) -> None:
    """Tables of people get the real clock, as the page says; a preset sets its options."""
    page = context.new_page()
    page.goto(f"{address}/play/{TIMED}")
    name, options = list(wm.game(TIMED).presets.items())[-1]
    expect(page.locator("form select")).to_have_count(0)
    expect(page.get_by_text("No clock: take all the time you need.")).to_be_visible()
    page.get_by_text("Friend", exact=True).click()
    expect(page.get_by_text("is played in real time: one clock runs")).to_be_visible()
    page.locator(f"input[name=preset][value={name}] + span").click()
    page.get_by_text("Custom", exact=True).click()
    for option, value in options.items():
        expect(page.locator(f"form [name={option}]")).to_have_value(str(value))
    page.locator(f"input[name=preset][value={name}] + span").click()
    with page.expect_request("**/api/matches") as sent:
        page.get_by_role("button", name="Start").click()
    body = sent.value.post_data_json
    assert body is not None
    assert body["options"] == {**options, **wm.game(TIMED).people_options}
    expect(page.locator(".waiting")).to_contain_text("In real time: one minute per round")


def test_time_odds_and_a_closed_table(browser: Browser, address: str) -> None:
    host, guest = new_person(browser), new_person(browser)
    first, second = host.new_page(), guest.new_page()
    first.goto(f"{address}/play/{GAME}")
    first.get_by_text("Friend", exact=True).click()
    first.get_by_text("5 min + 3 s per turn").click()
    first.get_by_label("Different clocks").check()
    first.get_by_role("group", name="You").get_by_label("Minutes").select_option("1")
    first.get_by_role("group", name="You").get_by_label("Seconds").select_option("0")
    first.locator("input[name=spectators][value=none] + span").click()
    first.get_by_role("button", name="Start").click()
    second.goto(first.locator("input[readonly]").input_value())
    players = second.locator(".players li")
    expect(players.filter(has_text="1 min in all")).to_contain_text("Guest")
    expect(players.filter(has_text="5 min + 3 s per turn")).to_contain_text("You")
    expect(second.locator(".waiting")).to_contain_text("Nobody")
    host.close()
    guest.close()
