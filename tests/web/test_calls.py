"""Being called in a real browser: a push message with no page open, queued replies, a vacation."""

from __future__ import annotations

import contextlib
import json
import queue
import threading
from collections.abc import Callable, Iterator
from http.server import BaseHTTPRequestHandler, HTTPServer
from typing import Any

import httpx2
import pytest
from playwright.sync_api import BrowserContext, expect
from tests.server.nodes import PlainNode, running
from tests.server.people.listening import Browser, Request
from tests.web.pages import open_match, promised
from tests.web.staging import Stage

pytestmark = pytest.mark.slow

GAME = "flume"
SLOW: dict[str, Any] = {
    "options": {"size": 3, "pie": False},
    "time_control": {"type": "correspondence", "days_per_turn": 2},
}


@contextlib.contextmanager
def push_service() -> Iterator[tuple[str, queue.Queue[Request]]]:
    """A push service of our own: Chromium would insist on its vendor's."""
    received: queue.Queue[Request] = queue.Queue()

    class Handler(BaseHTTPRequestHandler):
        def do_POST(self) -> None:
            body = self.rfile.read(int(self.headers["content-length"]))
            headers = {name.lower(): value for name, value in self.headers.items()}
            received.put(Request(self.path, headers, body))
            self.send_response(201)
            self.end_headers()

        def log_message(self, *_: object) -> None:
            pass

    server = HTTPServer(("127.0.0.1", 0), Handler)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    yield f"http://127.0.0.1:{server.server_port}", received
    server.shutdown()
    server.server_close()


def test_a_push_message_reaches_a_closed_page_and_opens_the_match(
    person: Callable[..., BrowserContext],
) -> None:
    """The server's own message, decrypted as a browser does, goes to the service worker by CDP.

    A click on a notification can't be made by a program: the event is, and what it opens is noted.
    """
    node = PlainNode(allow_private_urls="true")
    with push_service() as (service, received), running(node):
        address = f"http://{node.address}"
        context = person(service_workers="allow")
        context.grant_permissions(["notifications"], origin=address)
        page = context.new_page()
        page.goto(f"{address}/play/{GAME}")
        promised(page, "navigator.serviceWorker.ready.then(() => undefined)")
        stage = Stage(address)
        staged = stage.create(GAME, seats=[{}, {}], **SLOW)
        staged.seats[0], guest = stage.join(staged.match, 0), stage.guest()
        stage.join(staged.match, 1, guest=guest)
        page.evaluate(f"localStorage.setItem('watermeet.token', '\"{guest}\"')")
        phone = Browser(service)
        with httpx2.Client(headers={"Authorization": f"Bearer {guest}"}) as http:
            wanted = phone.subscription("turn", language="fr")
            assert http.put(f"{address}/api/me/push", json=wanted).is_success
        worker = context.service_workers[0]
        blank = context.new_page()
        devtools = context.new_cdp_session(blank)
        registrations: list[str] = []
        devtools.on(
            "ServiceWorker.workerRegistrationUpdated",
            lambda found: registrations.extend(
                each["registrationId"]
                for each in found["registrations"]
                if each["scopeURL"].startswith(address)
            ),
        )
        devtools.send("ServiceWorker.enable")
        page.close()
        stage.play(staged, "a1")
        message = phone.read(received.get(timeout=30))
        while not registrations:
            blank.wait_for_timeout(50)
        devtools.send(
            "ServiceWorker.deliverPushMessage",
            {"origin": address, "registrationId": registrations[0], "data": json.dumps(message)},
        )
        shown: list[Any] = []
        for _ in range(200):
            shown = worker.evaluate(
                "registration.getNotifications().then((all) => all.map(({title, body, lang, tag})"
                " => [title, body, lang, tag]))"
            )
            if shown:
                break
            blank.wait_for_timeout(50)
        assert shown == [["À vous de jouer", "Flume avec Ana", "fr", staged.match]]
        opened = worker.evaluate(
            """async () => {
                const [notification] = await registration.getNotifications();
                let opened = '';
                clients.openWindow = async (path) => { opened = path; };
                const event = new NotificationEvent('notificationclick', { notification });
                dispatchEvent(event);
                for (let tries = 0; !opened && tries < 100; tries++)
                    await new Promise((done) => setTimeout(done, 20));
                return opened;
            }"""
        )
        assert opened == f"/match/{staged.match}"
        blank.goto(address + opened)
        expect(blank.locator(".frame .status")).to_contain_text("Your turn")
        stage.close()


def test_replies_are_queued_by_playing_them(
    context: BrowserContext, address: str, stage: Stage
) -> None:
    """What is half entered stays, whatever else happens in the match."""
    staged = stage.start(GAME, **SLOW)
    page = open_match(context, address, staged, 1)
    page.get_by_text("Queue replies", exact=True).click()
    fold = page.locator(".queue")
    line, queue = (
        fold.locator(".stage > p[role=status]"),
        fold.get_by_role("button", name="Queue this line"),
    )

    def play(cell: str, shown: str) -> None:
        fold.locator(f'.board [data-cell="{cell}"]:not([aria-disabled=true])').click()
        expect(line).to_have_text(shown)

    play("a1", "a1")
    with page.expect_response("**/record"):  # The board learns what has happened.
        stage.do(staged, 0, {"type": "offer", "what": "pause"})
    play("b2", "a1 → b2")
    queue.click()
    expect(fold.locator("li")).to_have_count(1)
    stage.play(staged, "a1")
    expect(page.locator(".replay input").first).to_have_attribute("max", "2")
    expect(fold.locator("li")).to_have_count(0)
    expect(line).to_have_text("")
    play("c3", "c3")
    play("a3", "c3 → a3")
    queue.click()
    fold.get_by_role("button", name="Delete the line").click()
    expect(fold.locator("li")).to_have_count(0)


def test_somebody_begins_and_ends_a_vacation(
    context: BrowserContext, address: str, stage: Stage
) -> None:
    context.add_init_script(f"localStorage.setItem('watermeet.token', '\"{stage.guest()}\"')")
    page = context.new_page()
    page.goto(address)
    page.get_by_role("button", name="Settings").click()
    page.get_by_role("link", name="Notifications and vacation").click()
    expect(page.get_by_text("28 days left")).to_be_visible()
    page.get_by_role("button", name="Start vacation").click()
    page.get_by_role("dialog").get_by_role("button", name="Start vacation").click()
    expect(page.get_by_text("at the latest")).to_be_visible()
    page.get_by_role("button", name="End vacation").click()
    expect(page.get_by_text("27 days left")).to_be_visible()


def test_a_link_in_a_mail_ends_digests(context: BrowserContext, address: str) -> None:
    page = context.new_page()
    with page.expect_request("**/api/digests/abc/unsubscribe") as asked:
        page.goto(f"{address}/unsubscribe#abc")
    assert asked.value.method == "POST"
    expect(page.get_by_role("status").last).to_contain_text("any more of these mails")
