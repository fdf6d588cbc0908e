"""A mail server for tests: it takes messages, and fails on demand."""

from __future__ import annotations

import asyncio
import email
import email.policy
import ssl
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from email.message import EmailMessage


class MailServer:
    """``messages`` are those that it took; ``failures`` are responses to recipients, in turn."""

    def __init__(self, tls: ssl.SSLContext | None = None) -> None:
        self._tls = tls
        self.port = 0
        self.messages: asyncio.Queue[EmailMessage] = asyncio.Queue()
        self.failures: dict[str, list[str]] = {}
        self.commands: list[str] = []
        self.tasks: set[asyncio.Task[None]] = set()

    async def next(self) -> EmailMessage:
        async with asyncio.timeout(20):
            return await self.messages.get()

    def accept(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        self.tasks.add(asyncio.create_task(self._serve(reader, writer)))

    async def _serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        def say(text: str) -> None:
            writer.write(text.encode() + b"\r\n")

        is_encrypted = False
        say("220 mail")
        while line := (await reader.readline()).decode().rstrip():
            self.commands.append(line)
            verb = line.split()[0].upper()
            if verb == "EHLO":
                offers_tls = self._tls is not None and not is_encrypted
                say("250-mail\r\n250 " + ("STARTTLS" if offers_tls else "AUTH PLAIN"))
            elif verb == "STARTTLS" and self._tls is not None:
                say("220 go")
                await writer.start_tls(self._tls)
                is_encrypted = True
            elif verb == "RCPT" and self.failures.get(line):
                say(self.failures[line].pop(0))
            elif verb == "DATA":
                say("354 go")
                data = await reader.readuntil(b"\r\n.\r\n")
                say("250 taken")
                data = data[:-3].replace(b"\r\n..", b"\r\n.")
                found = email.message_from_bytes(data, policy=email.policy.default)
                assert isinstance(found, EmailMessage)
                self.messages.put_nowait(found)
            else:
                say({"AUTH": "235 fine", "QUIT": "221 bye"}.get(verb, "250 fine"))
        writer.close()
        await writer.wait_closed()


@asynccontextmanager
async def mail_server(tls: ssl.SSLContext | None = None) -> AsyncIterator[MailServer]:
    mail = MailServer(tls)
    server = await asyncio.start_server(mail.accept, "127.0.0.1", 0)
    mail.port = server.sockets[0].getsockname()[1]
    try:
        yield mail
    finally:
        server.close()
        await asyncio.wait_for(asyncio.gather(*mail.tasks, return_exceptions=True), 20)
