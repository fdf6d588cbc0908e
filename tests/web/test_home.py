"""The way to a match: the home page, the set-up, and invitations."""

from __future__ import annotations

import re

import pytest
from playwright.sync_api import Browser, BrowserContext, expect
from tests.web.fixtures import new_person
from tests.web.pages import axe, start_match
from tests.web.staging import SIMPLE as GAME

import watermeet as wm

pytestmark = pytest.mark.slow
TITLE = wm.game(GAME).title


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
