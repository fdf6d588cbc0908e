"""Mail: what arrives, what is retried, and what never leaves unencrypted."""

from __future__ import annotations

import io
from collections.abc import AsyncIterator
from pathlib import Path

import pytest
from tests.server.inside import Clock, call, inside, until
from tests.server.smtp import MailServer, mail_server

from watermeet.server import mail as mail_module
from watermeet.server.errors import BadMailAddress, InvalidSettings, NoMail
from watermeet.server.jobs import TryAgain
from watermeet.server.mail import Mail
from watermeet.server.store import sign_in
from watermeet.server.store.sql import Statement

pytestmark = pytest.mark.anyio

ADA = "ada@example.org"
TEXT = "Grüße aus Łódź 🌊\n.\nA line with a dot above it.\n" + "long " * 300


@pytest.fixture
async def server() -> AsyncIterator[MailServer]:
    async with mail_server() as found:
        yield found


async def test_a_message_arrives_whole(server: MailServer) -> None:
    mail = Mail(f"smtp://ada:secret%21@127.0.0.1:{server.port}", "Watermeet <play@example.org>")
    link = f"https://play.example.org/api/digests/{'x' * 80}/unsubscribe"
    await mail.send(ADA, "Grüße\r\nBcc: eve@example.org", TEXT, unsubscribe=link)
    found = await server.next()
    raw = [value for name, value in found.raw_items() if name == "List-Unsubscribe"]
    assert [value.strip() for value in raw] == [f"<{link}>"], "plain, on one line"
    assert (found["To"], found["Bcc"]) == (ADA, None)
    assert found["Subject"] == "Grüße Bcc: eve@example.org"
    assert found["From"] == "Watermeet <play@example.org>"
    assert found.get_content().split() == TEXT.split()
    assert any(line.startswith("AUTH PLAIN") for line in server.commands)
    mail.close()


async def test_only_temporary_failures_are_worth_another_try_and_nobody_is_named(
    server: MailServer, lines: io.StringIO
) -> None:
    nobody = "nobody@example.org"
    server.failures = {
        f"rcpt TO:<{ADA}>": [f"451 not now <{ADA}>"],
        f"rcpt TO:<{nobody}>": [f"550 no such user <{nobody}>"],
    }
    mail = Mail(f"smtp://127.0.0.1:{server.port}", "play@example.org")
    with pytest.raises(TryAgain):
        await mail.send(ADA, "first", "text")
    await mail.send(nobody, "second", "text")
    await mail.send(ADA, "third", "text")
    assert (await server.next())["Subject"] == "third"
    mail.close()
    assert not any(server.failures.values())
    assert "mail rejected" in lines.getvalue()
    assert "example.org" not in lines.getvalue()


async def test_no_password_leaves_this_machine_unencrypted(
    server: MailServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(mail_module, "_LOOPBACK", ())
    mail = Mail(f"smtp://ada:secret@127.0.0.1:{server.port}", "play@example.org")
    with pytest.raises(TryAgain):
        await mail.send(ADA, "first", "text")
    mail.close()
    assert [line.split()[0] for line in server.commands] == ["ehlo", "QUIT"]


async def test_without_a_mail_server_there_is_no_mail() -> None:
    with pytest.raises(NoMail):
        await Mail("", "").send(ADA, "first", "text")
    mail = Mail("smtps://mail.example.org", "play@example.org")
    encoded = "=?utf-8?q?x=0D=0ABcc=3A_v=40evil.com?=@example.com"
    other = "=?utf-8?q?eve=40evil.com=2C?=x@example.com"
    malformed = ("ada", "ada@localhost", f"{ADA}\nBcc: x@example.org", "@example.org")
    for address in (*malformed, encoded, other):
        with pytest.raises(BadMailAddress):
            await mail.send(address, "first", "text")
    for url, sender in (("http://mail", "a@b"), ("smtp://mail:x", "a@b"), ("smtp://mail", "")):
        with pytest.raises(InvalidSettings):
            Mail(url, sender)


async def test_mail_that_waits_at_an_orderly_stop_is_sent_after_it(
    server: MailServer, tmp_path: Path, clock: Clock
) -> None:
    settings = {"smtp_url": f"smtp://127.0.0.1:{server.port}", "mail_from": "play@example.org"}
    settings |= {"public_url": "https://play.example.org"}
    server.failures = {f"rcpt TO:<{ADA}>": ["451 not now"]}
    async with inside(tmp_path, **settings) as first:
        await first.member("Ada")
        store = first.services.store
        ada = (await store.user_named("Ada")).id
        await store._write(Statement(sign_in.PUT_MAIL, [ada, ADA]))
        await call(first, "", "POST", "/sessions/reset-link", {"name": "Ada"}, 200)
        await until(lambda: not server.failures[f"rcpt TO:<{ADA}>"])
    clock.now += 60_000
    async with inside(tmp_path, **settings):
        assert "/account#reset=" in (await server.next()).get_content()
