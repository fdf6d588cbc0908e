"""Finding company in browsers: quick pairing, seeks of others, and challenges."""

from __future__ import annotations

import json
import re
import urllib.request
from collections.abc import Callable
from typing import Any

import pytest
from playwright.sync_api import BrowserContext, Page, WebSocketRoute, expect
from tests.server.nodes import PlainNode
from tests.web.fixtures import PHONE
from tests.web.pages import axe
from tests.web.staging import SIMPLE as GAME

import watermeet as wm
from watermeet.client import Client

pytestmark = pytest.mark.slow
TITLE = wm.game(GAME).title
MATCH = re.compile(r"/match/([A-Za-z0-9_-]+)$")


People = Callable[..., BrowserContext]


def with_account(person: People, address: str, name: str, **more: Any) -> BrowserContext:
    """Somebody with an account, and their browser."""
    client = Client(address)
    client.create_guest()
    client.sign_up(name, "correct horse")
    context = person(**more)
    token = json.dumps(json.dumps(client.token))
    context.add_init_script(f"localStorage.setItem('watermeet.token', {token})")
    return context


def guest(person: People, name: str) -> BrowserContext:
    """A guest who goes by a name."""
    context = person()
    context.add_init_script(f"localStorage.setItem('watermeet.name', JSON.stringify('{name}'))")
    return context


def look_for(page: Page, *, rated: bool) -> None:
    panel = page.get_by_role("region", name="Find an opponent")
    panel.get_by_label("Game").select_option(GAME)
    panel.get_by_text("5 min + 3 s per turn").click()
    panel.get_by_text("Rated" if rated else "Casual", exact=True).click()
    panel.get_by_label(re.compile("play a bot")).uncheck()
    panel.get_by_role("button", name="Find an opponent").click()


def match_of(page: Page) -> str:
    page.wait_for_url(MATCH)
    expect(page.locator(".frame")).to_be_visible()
    found = MATCH.search(page.url)
    assert found
    return found[1]


def document(address: str, match: str) -> Any:
    with urllib.request.urlopen(f"{address}/api/matches/{match}") as response:  # noqa: S310
        return json.load(response)


def test_two_people_find_each_other_and_play_a_rated_match(
    person: People, nodes: list[PlainNode]
) -> None:
    here, there, elsewhere = (f"http://{node.address}" for node in nodes)
    first = with_account(person, here, "Nina", **PHONE).new_page()
    second = with_account(person, there, "Otto").new_page()
    first.goto(here)
    second.goto(f"{there}/lobby")
    look_for(first, rated=True)
    expect(first.get_by_text("Looking for an opponent…")).to_be_visible()
    expect(first.get_by_role("button", name="Cancel")).to_be_focused()
    expect(first.get_by_role("timer")).to_have_text("0:02")
    assert axe(first) == []
    listed = second.get_by_role("button", name=re.compile(f"^Play: {TITLE}, Nina"))
    expect(listed).to_be_visible()
    look_for(second, rated=True)
    match = match_of(first)
    assert match_of(second) == match
    found = document(elsewhere, match)
    assert (found["stage"], found["info"]["is_rated"]) == ("playing", True)
    assert {seat["name"] for seat in found["seats"]} == {"Nina", "Otto"}


def test_guests_join_a_seek_by_a_click_and_take_theirs_back(person: People, address: str) -> None:
    first, second = guest(person, "Ulla").new_page(), guest(person, "Viktor").new_page()
    first.goto(address)
    second.goto(f"{address}/lobby")
    expect(first.get_by_label("Rated", exact=True)).to_be_disabled()
    look_for(first, rated=False)
    button = second.get_by_role("button", name=re.compile(f"^Play: {TITLE}, Ulla"))
    expect(button).to_be_visible()
    first.get_by_role("button", name="Cancel").click()
    expect(first.get_by_role("button", name="Find an opponent")).to_be_focused()
    expect(button).to_have_count(0)
    look_for(first, rated=False)
    first.goto(f"{address}/rules/{GAME}")
    expect(first.get_by_text("Looking for an opponent…")).to_be_visible()
    button.click()
    match = match_of(second)
    expect(first.get_by_text("Your game is ready.")).to_be_visible()
    assert first.url.endswith(f"/rules/{GAME}")  # Nobody is thrown off a page.
    first.get_by_role("button", name="Go to the game").click()
    assert match_of(first) == match


def test_a_challenge_is_declined_and_then_accepted(person: People, address: str) -> None:
    first, second = (
        with_account(person, address, name).new_page() for name in ("Petra", "Quentin")
    )
    is_late = False

    def forward(route: WebSocketRoute) -> None:
        server = route.connect_to_server()

        def receive(message: str | bytes) -> None:
            if not (is_late and '"is_mine":true' in str(message) and '"open"' in str(message)):
                route.send(message)

        server.on_message(receive)

    first.route_web_socket("**/api/socket", forward)
    second.goto(f"{address}/puzzles")
    first.goto(f"{address}/lobby")

    def challenge(to: str) -> None:
        first.get_by_role("button", name=re.compile("^Challenge")).click()
        dialog = first.get_by_role("dialog")
        dialog.get_by_label(re.compile("^Player.s name")).fill(to)
        dialog.get_by_label("Game").select_option(GAME)
        dialog.get_by_role("button", name="Send challenge").click()

    challenge("Nobody at all")
    expect(first.get_by_role("alert")).to_have_text("Nobody is called Nobody at all.")
    first.keyboard.press("Escape")
    challenge("quentin")
    expect(second.get_by_text("Petra challenges you")).to_be_visible()
    expect(first.get_by_text("Waiting for Quentin to accept")).to_be_visible()
    assert axe(second) == []
    second.get_by_role("button", name="Decline").click()
    expect(first.get_by_text("Quentin declined your challenge.")).to_be_visible()
    first.get_by_role("button", name="Close").click()
    is_late = True  # News that it is open comes too late: it has been accepted.
    first.goto(f"{address}/user/Quentin")  # Wherever one waits, the game opens.
    challenge("Quentin")
    second.get_by_role("button", name="Accept").click()
    assert match_of(second) == match_of(first)
