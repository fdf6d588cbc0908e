"""Digests: who gets which mail, how often, and how it ends."""

from __future__ import annotations

import asyncio
from pathlib import Path
from typing import Any, cast
from urllib.parse import urlsplit

import pytest
from tests.server.inside import call, inside, until
from tests.server.people.test_slow_play import SLOW, play
from tests.server.smtp import mail_server

from watermeet.server.jobs import JobRunner
from watermeet.server.mail import Mail
from watermeet.server.metrics import Metrics
from watermeet.server.people.digests import DIGEST_JOB, HOUR_MS, Digests
from watermeet.server.people.texts import TEXTS, say_count
from watermeet.server.store import sign_in
from watermeet.server.store.sql import Statement

pytestmark = pytest.mark.anyio

URL = "https://play.example.org"


async def test_a_digest_lists_what_waits_and_ends_with_one_click(tmp_path: Path) -> None:
    async with mail_server() as server_of_mail:
        mail: dict[str, Any] = {
            "smtp_url": f"smtp://127.0.0.1:{server_of_mail.port}",
            "mail_from": "play@example.org",
            "public_url": URL,
        }
        async with inside(tmp_path, **mail) as server:
            services = server.services
            store, at = services.store, services.now()
            first, (ada, bob) = await server.seated("flume", 2, **SLOW)
            await server.seated("flume", 2)
            user = (await call(server, bob, "GET", "/me"))["user"]
            wanted = {"every": "daily", "language": "pl"}
            assert (await call(server, bob, "PUT", "/me/digest", wanted))["code"] == "no_mail"
            await store._write(Statement(sign_in.PUT_MAIL, [user, "bob@example.org"]))
            state = await call(server, bob, "PUT", "/me/digest", wanted)
            assert (state["every"], state["is_possible"]) == ("daily", True)
            sent: list[str] = []

            class Counted:
                is_on = True

                async def send(self, *message: str, unsubscribe: str) -> None:
                    sent.append(message[0])
                    await services.mail.send(*message, unsubscribe=unsubscribe)

            def runner() -> JobRunner:
                return JobRunner(store, Metrics(), lambda: at, "node")

            def node(runner: JobRunner) -> Digests:
                return Digests(store, cast(Mail, Counted()), runner, lambda: at, URL)

            nodes = [node(runner()) for _ in range(3)]

            async def is_done() -> bool:
                return await store.ready_at(DIGEST_JOB) is None

            async def sweep() -> int:
                """How many messages are sent when three nodes have found what is due, and ended."""
                before = len(sent)
                await asyncio.gather(*(each.sweep() for each in nodes))
                assert len(sent) == before
                restarted = runner()
                node(restarted)
                restarted.start()
                await until(is_done)
                await restarted.close()
                return len(sent) - before

            at += HOUR_MS
            assert await sweep() == 0, "it isn't Bob's turn"
            await play(server, first, ada, "a1")
            at = services.now() + 2 * HOUR_MS
            assert await sweep() == 1
            message = await server_of_mail.next()
            assert message["To"] == "bob@example.org"
            assert message["Subject"] == "Twój ruch: jedna partia"
            text = message.get_content()
            assert f"Flume: Guest\n{URL}/match/{first}\n" in text.replace("\r\n", "\n")
            at += 23 * HOUR_MS
            assert await sweep() == 0, "the day isn't over"
            at += 2 * HOUR_MS
            assert await sweep() == 0, "nothing new"
            link = urlsplit(message["List-Unsubscribe"].strip("<>"))
            assert message["List-Unsubscribe-Post"] == "List-Unsubscribe=One-Click"
            assert f"{URL}/unsubscribe#{link.path.split('/')[3]}" in text
            async with server.http() as http:
                form = {"List-Unsubscribe": "One-Click"}
                assert (await http.post(link.path, data=form)).status_code == 200
                assert (await http.post(link.path, data=form)).status_code == 404
            assert (await call(server, bob, "GET", "/me/digest"))["every"] == "never"


@pytest.mark.parametrize(
    ("language", "count", "text"),
    [
        ("en", 1, "Your turn in one game"),
        ("de", 2, "Du bist in 2 Partien dran"),
        ("pl", 4, "Twój ruch: 4 partie"),
        ("pl", 5, "Twój ruch: 5 partii"),
        ("pl", 12, "Twój ruch: 12 partii"),
        ("pl", 22, "Twój ruch: 22 partie"),
    ],
)
def test_subjects_follow_the_plurals_of_a_language(language: str, count: int, text: str) -> None:
    assert say_count(language, "digest", count) == text
    assert {key for key in TEXTS[language] if not key.endswith(".few")} == set(TEXTS["en"])
