"""Chat, blocks, reports and moderation on the page; on three nodes, everybody is on another."""

from __future__ import annotations

import re
import secrets
from collections.abc import Callable

import pytest
from playwright.sync_api import BrowserContext, Page, expect
from tests.server.nodes import PlainNode
from tests.web.pages import axe
from tests.web.staging import SIMPLE as GAME

from watermeet.client import ApiError, Client

pytestmark = pytest.mark.slow
PASSWORD = "correct horse"  # noqa: S105
SCRIPT = "<img src=x onerror='window.hacked=1'>"


class Person:
    """Somebody with an account and a browser."""

    def __init__(self, context: BrowserContext, node: PlainNode, name: str) -> None:
        self.name, self.address = name, f"http://{node.address}"
        self.client = Client(self.address)
        self.client.create_guest()
        self.client.sign_up(name, PASSWORD)
        self.context = context
        context.add_init_script(
            f"localStorage.setItem('watermeet.token', JSON.stringify('{self.client.token}'));"
            f"localStorage.setItem('watermeet.account', JSON.stringify({name!r}))"
        )

    def open(self, path: str) -> Page:
        page = self.context.new_page()
        page.goto(f"{self.address}{path}")
        return page


def say(page: Page, text: str) -> None:
    page.get_by_label("Message", exact=True).fill(text)
    page.get_by_role("button", name="Send", exact=True).click()
    expect(page.get_by_label("Message", exact=True)).to_have_value("")


def test_an_insult_is_reported_and_its_author_suspended(
    person: Callable[..., BrowserContext], nodes: list[PlainNode]
) -> None:
    number = secrets.randbelow(10**6)
    ada, eve, mod = (
        Person(person(), node, f"{name} {number}")
        for node, name in zip(nodes, ("Ada", "Eve", "Gus"), strict=True)
    )
    assert "moderator" in nodes[0].run("admin", "role", mod.name, "moderator")
    days = {"type": "correspondence", "days_per_turn": 3, "bank_days": 5}
    body = {"game": GAME, "seats": [{}, {}], "seat": 0, "is_rated": True, "time_control": days}
    match = ada.client.request("POST", "/matches", body)["match"]
    eve.client.join(match, 1)
    hers, theirs = ada.open(f"/match/{match}"), eve.open(f"/match/{match}")

    # The page says how it is played, and how much time is left.
    expect(hers.get_by_text("Rated · 3 days per turn")).to_be_visible()
    expect(hers.locator(".seat.turn .slow")).to_have_text(
        re.compile("days.* left.*days in reserve")
    )

    # They chat; what looks like a script is shown as text, and a rude word isn't.
    say(hers, "Good luck!")
    expect(theirs.get_by_role("log", name="Chat")).to_contain_text(f"{ada.name} Good luck!")
    say(theirs, f"{SCRIPT} bitch")
    log = hers.get_by_role("log", name="Chat")
    expect(log).to_contain_text(f"{SCRIPT} •••••")
    assert hers.evaluate("window.hacked") is None
    assert axe(hers) == []

    # One reports and blocks the other, and hears nothing more.
    def menu() -> None:
        hers.get_by_role("button", name=f"More about {eve.name}").click()

    menu()
    hers.get_by_role("button", name="Report").click()
    hers.get_by_label("Reason").select_option("insults")
    hers.get_by_label("Anything to add?").fill(SCRIPT)
    assert axe(hers) == []
    hers.locator("dialog").get_by_role("button", name="Send").click()
    expect(hers.get_by_text("The moderators will look at it.")).to_be_visible()
    menu()
    hers.get_by_role("button", name="Follow", exact=True).click()
    expect(hers.get_by_text(f"You follow {eve.name}.")).to_be_visible()
    menu()
    hers.get_by_role("button", name="Unfollow").click()
    menu()
    hers.get_by_role("button", name="Block").click()
    hers.locator("dialog").get_by_role("button", name="Block").click()
    expect(log).not_to_contain_text(SCRIPT)
    say(theirs, "Hello?")
    say(hers, "Bye.")
    expect(log).to_contain_text("Bye.")
    expect(log).not_to_contain_text("Hello?")
    friends = ada.open("/friends")
    expect(friends.locator("li", has_text=eve.name)).to_contain_text("blocked")
    assert axe(friends) == []

    # A moderator reads it as it was written, and suspends its author.
    desk = mod.open("/moderation")
    case = desk.locator("article", has_text=eve.name)
    expect(case).to_contain_text(f"{SCRIPT} bitch")
    expect(case.locator("blockquote")).to_have_text(SCRIPT)
    assert axe(desk) == []
    case.get_by_label("Action").select_option("suspend")
    case.get_by_label("Reason").fill("insults")
    case.get_by_label("Days").fill("7")
    case.get_by_role("button", name="Apply").click()
    expect(desk.get_by_text("No open reports.")).to_be_visible()
    audit = desk.locator("section", has_text="Audit log")
    expect(audit).to_contain_text(f"{mod.name}: Suspend, {eve.name}")
    assert desk.evaluate("window.hacked") is None

    # Their socket is closed, the match is over, and they can't join anywhere.
    expect(theirs.get_by_text("You are suspended.").first).to_be_visible()
    expect(hers.locator(".frame.over")).to_be_visible()
    other = ada.client.request("POST", "/matches", body)["match"]
    with pytest.raises(ApiError) as refused:
        eve.client.join(other, 1)
    assert refused.value.server_code == "suspended"
    denied = ada.open("/moderation")
    expect(denied.get_by_text("Only moderators can see this page.")).to_be_visible()
    assert not any("bitch" in node.log for node in nodes)
