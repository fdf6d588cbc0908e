"""The account page: from guest to account, other devices, a lost password, and the end."""

from __future__ import annotations

import json
import secrets

import pytest
from playwright.sync_api import Browser, Page, expect
from tests.web.fixtures import new_person
from tests.web.pages import axe
from tests.web.staging import SIMPLE as GAME

pytestmark = pytest.mark.slow
PASSWORD = "correct horse"  # noqa: S105


def sign_up(page: Page, address: str, name: str) -> list[str]:
    """A new account; its recovery codes."""
    page.goto(f"{address}/account")
    page.get_by_label("Name").fill(name)
    page.get_by_label("Password").fill(PASSWORD)
    page.get_by_role("button", name="Sign up").click()
    expect(page.get_by_role("heading", name="Your recovery codes")).to_be_visible()
    return page.locator("ol code").all_inner_texts()


def test_a_guest_becomes_a_user_on_two_devices(browser: Browser, address: str) -> None:
    """Who plays on, loses the password, and leaves for good."""
    name = f"Ada {secrets.randbelow(10**6)}"
    home = new_person(browser, bypass_csp=True)
    phone = new_person(browser, bypass_csp=True, viewport={"width": 390, "height": 844})
    page, other = home.new_page(), phone.new_page()
    codes = sign_up(page, address, name)
    assert len(set(codes)) == 8
    assert axe(page) == []
    page.get_by_role("button", name="saved them").click()
    expect(page.get_by_role("heading", name=name, level=1)).to_be_visible()
    expect(page.locator("code")).to_have_count(0)

    # Another device, by the letters.
    page.get_by_role("button", name="Show a code").click()
    letters = page.locator(".code code").inner_text()
    other.goto(f"{address}/account#device={letters}")
    expect(other.get_by_role("heading", name="Continue here?")).to_be_visible()
    assert axe(other) == []
    other.get_by_role("button", name="Continue here").click()
    expect(other.get_by_role("heading", name=name, level=1)).to_be_visible()
    assert axe(other) == []

    # A match that is started at home.
    page.goto(f"{address}/play/{GAME}")
    page.get_by_text("Friend", exact=True).click()
    page.get_by_role("button", name="Start").click()
    invitation = page.locator("input[readonly]").input_value()
    match = page.url

    # Somebody joins; the phone has the seat that was taken at home, and sees that they are a guest.
    friend = new_person(browser)
    friend.add_init_script("localStorage.setItem('watermeet.name', JSON.stringify('Nora'))")
    third = friend.new_page()
    third.goto(invitation)
    third.get_by_role("button", name="Join").click()
    expect(third.locator(".frame")).to_be_visible()
    expect(third.locator(".seat", has_text=name)).not_to_contain_text("guest")
    other.goto(match)
    expect(other.locator(".seat", has_text=name)).to_contain_text("you")
    expect(other.locator(".seat", has_text="Nora")).to_contain_text("guest")

    # A lost password signs out the others.
    lost = new_person(browser)
    again = lost.new_page()
    again.goto(f"{address}/account")
    again.get_by_role("button", name="I have an account").click()
    again.get_by_role("button", name="Lost your password?").click()
    again.get_by_label("Name").fill(name)
    again.get_by_label("Recovery code").fill(codes[2].upper())
    again.get_by_label("New password").fill("another horse")
    again.get_by_role("button", name="Set password and sign in").click()
    expect(again.get_by_text("You have 7 recovery codes left.")).to_be_visible()
    page.goto(f"{address}/account")
    expect(page.get_by_text("playing as a guest")).to_be_visible()

    # Data, and the end.
    with again.expect_download() as started:
        again.get_by_role("button", name="Download my data").click()
    assert json.loads(started.value.path().read_text())["user"]["name"] == name
    data = again.locator("section", has_text="Your data")
    data.get_by_label("Current password").fill("another horse")
    data.get_by_role("button", name="Delete for good").click()
    again.locator("dialog").get_by_role("button", name="Delete for good").click()
    expect(data.get_by_role("alert")).to_contain_text("still playing")
    again.goto(match)
    again.get_by_role("button", name="Resign").first.click()
    again.locator("dialog").get_by_role("button", name="Resign").click()
    expect(again.locator(".ending, .end, [role=status]").first).to_be_visible()
    again.goto(f"{address}/account")
    data.get_by_label("Current password").fill("another horse")
    data.get_by_role("button", name="Delete for good").click()
    again.locator("dialog").get_by_role("button", name="Delete for good").click()
    expect(again.get_by_text("playing as a guest")).to_be_visible()
    third.goto(match)
    expect(third.locator(".seat", has_text="Deleted user")).to_be_visible()
    for each in (home, phone, friend, lost):
        each.close()
