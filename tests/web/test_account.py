"""The account page: from guest to account by passkey, other devices, a lost password, and the end.

On three nodes with PostgreSQL, where each step is on another node: what one begins, another can
finish.
"""

from __future__ import annotations

import json
import secrets
from collections.abc import Callable

import pytest
from playwright.sync_api import BrowserContext, Page, expect
from tests.server.nodes import PlainNode
from tests.web.fixtures import PHONE
from tests.web.pages import axe
from tests.web.staging import SIMPLE as GAME

pytestmark = pytest.mark.slow
PASSWORD = "correct horse"  # noqa: S105


def with_authenticator(context: BrowserContext) -> Page:
    """A page whose browser has a fingerprint reader, as Chromium's DevTools pretend."""
    page = context.new_page()
    devtools = context.new_cdp_session(page)
    devtools.send("WebAuthn.enable")
    options = {
        "protocol": "ctap2",
        "transport": "internal",
        "hasResidentKey": True,
        "hasUserVerification": True,
        "isUserVerified": True,
    }
    devtools.send("WebAuthn.addVirtualAuthenticator", {"options": options})
    return page


def delete_account(page: Page) -> None:
    data = page.locator("section", has_text="Your data")
    password = data.get_by_label("Current password")
    if password.count():
        password.fill(PASSWORD)
    data.get_by_role("button", name="Delete for good").click()
    page.locator("dialog").get_by_role("button", name="Delete for good").click()


def sign_out(page: Page) -> None:
    """Sign out on this device: the list of devices has a button of that name for each other one."""
    data = page.locator("section", has_text="Your data")
    data.get_by_role("button", name="Sign out", exact=True).click()


def test_a_guests_whole_story(
    person: Callable[..., BrowserContext], nodes: list[PlainNode]
) -> None:
    """A guest plays, gets an account, uses two devices, loses everything, and leaves for good."""
    # Passkeys belong to a name, not to an address such as 127.0.0.1.
    first, second, third = (f"http://localhost:{node.port}" for node in nodes)
    name = f"Ada {secrets.randbelow(10**6)}"
    home, friend, phone = person(), person(), person(**PHONE)
    page, other, nora = with_authenticator(home), phone.new_page(), friend.new_page()

    # A guest begins a match, and signs up by passkey: no password anywhere.
    page.goto(f"{first}/play/{GAME}")
    page.get_by_text("Friend", exact=True).click()
    page.get_by_role("button", name="Start").click()
    page.locator("input[readonly]").wait_for()
    old = page.url.rpartition("/")[2]
    page.goto(f"{first}/account")
    page.get_by_label("Name").fill(name)
    page.get_by_role("button", name="Sign up with a passkey").click()
    expect(page.get_by_role("heading", name=name, level=1)).to_be_visible()
    assert axe(page) == []

    # Signed out, and in again by passkey alone; the guest's match is still there.
    sign_out(page)
    page.get_by_role("button", name="I have an account").click()
    page.get_by_role("button", name="Sign in with a passkey").click()
    expect(page.get_by_role("heading", name=name, level=1)).to_be_visible()
    page.goto(f"{first}/lobby")
    expect(page.locator(f"a[href='/match/{old}']").first).to_be_visible()

    # A second device, by the letters, on another node.
    page.goto(f"{first}/account")
    page.get_by_role("button", name="Show a code").click()
    letters = page.locator(".code code").inner_text()
    other.goto(f"{second}/account#device={letters}")
    assert axe(other) == []
    other.get_by_role("button", name="Continue here").click()
    expect(other.get_by_role("heading", name=name, level=1)).to_be_visible()
    assert axe(other) == []

    # A match that is begun at home: the phone has the seat, and Nora is marked as a guest.
    page.goto(f"{first}/play/{GAME}")
    page.get_by_text("Friend", exact=True).click()
    page.get_by_role("button", name="Start").click()
    invitation = page.locator("input[readonly]").input_value()
    match = page.url.rpartition("/")[2]
    friend.add_init_script("localStorage.setItem('watermeet.name', JSON.stringify('Nora'))")
    nora.goto(invitation)
    nora.get_by_role("button", name="Join").click()
    expect(nora.locator(".seat", has_text=name)).not_to_contain_text("guest")
    other.goto(f"{second}/match/{match}")
    expect(other.locator(".own strong")).to_have_text("You")
    expect(other.locator(".seat", has_text="Nora")).to_contain_text("guest")

    # All is lost: a link of the host, on the third node, and the others are signed out.
    again = person().new_page()
    again.goto(f"{third}/account")
    again.get_by_role("button", name="I have an account").click()
    again.get_by_role("button", name="Lost your password?").click()
    expect(again.get_by_text("Ask the person who runs it")).to_be_visible()
    assert axe(again) == []
    link = nodes[2].run("admin", "reset", name).strip()
    again.goto(f"{third}/account#{link.partition('#')[2]}")
    again.get_by_label("New password").fill(PASSWORD)
    again.get_by_role("button", name="Set password and sign in").click()
    expect(again.get_by_role("heading", name=name, level=1)).to_be_visible()
    expect(other.get_by_role("link", name="Sign in")).to_be_visible()
    other.reload()
    expect(other.get_by_role("link", name="Sign in")).to_be_visible()
    page.get_by_role("link", name="Sign in").click()
    page.get_by_role("button", name="Sign in with a passkey").click()
    expect(page.locator(".own strong")).to_have_text("You")
    page.get_by_role("link", name="Account").click()
    sign_out(page)
    expect(page.get_by_text("playing as a guest")).to_be_visible()

    # Data, and the end: not before all matches have ended.
    with again.expect_download() as started:
        again.get_by_role("button", name="Download my data").click()
    assert json.loads(started.value.path().read_text())["user"]["name"] == name
    delete_account(again)
    expect(again.get_by_role("alert").last).to_contain_text("still playing")
    again.goto(f"{third}/match/{match}")
    again.get_by_role("button", name="Resign").first.click()
    again.locator("dialog").get_by_role("button", name="Resign").click()
    expect(again.locator(".frame.over")).to_be_visible()
    again.goto(f"{third}/match/{old}")
    again.get_by_role("button", name="Cancel game").click()
    again.locator("dialog").get_by_role("button", name="Cancel game").click()
    again.wait_for_url(f"{third}/")
    again.goto(f"{third}/account")
    again.get_by_role("heading", name=name, level=1).wait_for()
    delete_account(again)
    expect(again.get_by_text("playing as a guest")).to_be_visible()
    again.goto(f"{third}/match/{match}")
    expect(again.locator(".seat", has_text="Deleted user")).to_be_visible()
    expect(again.get_by_text(name)).to_have_count(0)


def test_a_token_for_a_program_is_made_and_revoked(context: BrowserContext, address: str) -> None:
    page = context.new_page()
    page.goto(f"{address}/account")
    page.get_by_label("Name").fill(f"Ida {secrets.randbelow(10**6)}")
    page.get_by_label("Password").fill(PASSWORD)
    page.get_by_role("button", name="Sign up", exact=True).click()
    tokens = page.locator("section", has_text="API tokens")
    tokens.locator("summary").click()
    assert axe(page) == []
    tokens.get_by_label("What is it for?").fill("My bot")
    tokens.get_by_label("Current password").fill(PASSWORD)
    tokens.get_by_role("button", name="New token").click()
    token = tokens.locator(".notice code").inner_text()
    headers = {"Authorization": f"Bearer {token}"}
    assert context.request.get(f"{address}/api/me/matches", headers=headers).status == 200
    assert context.request.get(f"{address}/api/me/data", headers=headers).status == 403
    tokens.get_by_role("button", name="Revoke").click()
    expect(tokens.get_by_text("My bot")).to_have_count(0)
    assert context.request.get(f"{address}/api/me/matches", headers=headers).status == 401
