"""Mail, by SMTP. Without the setting ``smtp_url`` there is none.

Messages wait in the memory of a node and are sent by a thread, so nothing else waits for the mail
server. Temporary failures are retried. Nobody's address is ever logged.
"""

from __future__ import annotations

import asyncio
import logging
import re
import smtplib
import ssl
from dataclasses import dataclass
from email.message import EmailMessage
from email.policy import SMTP
from email.utils import formatdate, make_msgid
from urllib.parse import unquote, urlsplit

from watermeet.server.background import Background
from watermeet.server.errors import BadMailAddress, InvalidSettings, NoMail
from watermeet.server.logs import fields

LOG = logging.getLogger(__name__)
TIMEOUT_S = 20.0
RETRY_S = (10.0, 60.0, 600.0, 3600.0)
"""How long to wait after each failure; then the message is dropped."""
MAX_WAITING = 10_000
_ADDRESS = re.compile(r"[A-Za-z0-9.!#$%&'*+/=?^_`{|}~-]{1,64}@[A-Za-z0-9](?:[A-Za-z0-9.-]{0,250})")
_POLICY = SMTP.clone(max_line_length=998)
"""The longest line that there may be: longer headers, such as links, would be encoded."""
_LOOPBACK = ("localhost", "127.0.0.1", "::1")


@dataclass(frozen=True)
class _Server:
    host: str
    port: int
    user: str
    password: str
    is_tls: bool
    """From the first byte; otherwise STARTTLS, which only this machine may do without."""


def check_address(address: str) -> str:
    """A mail address without spaces around it; raises BadMailAddress."""
    address = address.strip()
    is_encoded = "=?" in address  # RFC 2047: mail programs would read another address.
    if is_encoded or not _ADDRESS.fullmatch(address) or "." not in address.rpartition("@")[2]:
        raise BadMailAddress("this isn't a mail address", "write it like name@example.org")
    return address


class Mail(Background):
    """Sends mail, one message after the other."""

    def __init__(self, smtp_url: str, mail_from: str) -> None:
        """Raises InvalidSettings for a URL that can't be read, or without a sender."""
        super().__init__()
        self._server = _parse(smtp_url) if smtp_url else None
        self._from = mail_from
        if self._server is not None and "@" not in mail_from:
            raise InvalidSettings("smtp_url needs mail_from", "set the address that mail is from")
        self._waiting: asyncio.Queue[EmailMessage] = asyncio.Queue(MAX_WAITING)
        self._is_retrying = 0

    @property
    def is_on(self) -> bool:
        """Whether this server can send mail."""
        return self._server is not None

    def start(self) -> None:
        """Start to send."""
        if self._server is not None:
            self._spawn(self._run(self._server))

    async def send(self, to: str, subject: str, text: str, *, unsubscribe: str = "") -> None:
        """Send a message soon, and return at once; raises NoMail, BadMailAddress.

        ``unsubscribe`` is a URL at which mail programs end such messages with one click (RFC 8058).
        """
        if self._server is None:
            raise NoMail("this server sends no mail", "ask the host")
        message = EmailMessage(policy=_POLICY)
        message["From"], message["To"] = self._from, check_address(to)
        message["Subject"] = " ".join(subject.split())
        message["Date"], message["Message-ID"] = (
            formatdate(),
            make_msgid(domain=_domain(self._from)),
        )
        message["Auto-Submitted"] = "auto-generated"
        if unsubscribe:
            message["List-Unsubscribe"] = f"<{unsubscribe}>"
            message["List-Unsubscribe-Post"] = "List-Unsubscribe=One-Click"
        message.set_content(text)
        if self._waiting.full():
            LOG.error("mail dropped: too many messages wait")
        else:
            self._waiting.put_nowait(message)

    async def _run(self, server: _Server) -> None:
        while True:
            message = await self._waiting.get()
            if not await self._try(server, message):
                if self._is_retrying >= MAX_WAITING:
                    LOG.error("mail dropped: too many messages wait")
                    continue
                self._is_retrying += 1
                self._spawn(self._retry(server, message))

    async def _retry(self, server: _Server, message: EmailMessage) -> None:
        try:
            for seconds in RETRY_S:
                await asyncio.sleep(seconds)
                if await self._try(server, message):
                    return
            LOG.error("mail dropped after several attempts")
        finally:
            self._is_retrying -= 1

    async def _try(self, server: _Server, message: EmailMessage) -> bool:
        """Send a message; False if another attempt makes sense."""
        try:
            await asyncio.to_thread(_deliver, server, message)
        except (smtplib.SMTPException, OSError) as error:
            code = _code(error)
            is_final = 500 <= code < 600
            word = "mail rejected" if is_final else "mail not sent yet"
            # The server's text may quote the address: the kind of the error has to do.
            LOG.warning(word, extra=fields(error=type(error).__name__, code=code))
            return is_final
        return True


def _parse(url: str) -> _Server:
    try:
        parts = urlsplit(url)
        port = parts.port
    except ValueError as error:
        raise InvalidSettings(f"smtp_url can't be read: {error}", "") from None
    if parts.scheme not in ("smtp", "smtps") or not parts.hostname:
        raise InvalidSettings(
            "smtp_url can't be read", "write smtp://user:password@host:587 or smtps://..."
        )
    is_tls = parts.scheme == "smtps"
    user, password = unquote(parts.username or ""), unquote(parts.password or "")
    return _Server(parts.hostname, port or (465 if is_tls else 587), user, password, is_tls)


def _deliver(server: _Server, message: EmailMessage) -> None:
    """Send a message, in a thread."""
    context = ssl.create_default_context()
    if server.is_tls:
        client: smtplib.SMTP = smtplib.SMTP_SSL(
            server.host, server.port, timeout=TIMEOUT_S, context=context
        )
    else:
        client = smtplib.SMTP(server.host, server.port, timeout=TIMEOUT_S)
    with client:
        if not server.is_tls:
            client.ehlo()
            if client.has_extn("starttls") or server.host not in _LOOPBACK:
                client.starttls(context=context)  # Fails where there is none.
        if server.user:
            client.login(server.user, server.password)
        client.send_message(message)


def _code(error: Exception) -> int:
    """The SMTP code of an error; 0 without one."""
    if isinstance(error, smtplib.SMTPResponseException):
        return error.smtp_code
    if isinstance(error, smtplib.SMTPRecipientsRefused):
        return max((code for code, _ in error.recipients.values()), default=0)
    return 0


def _domain(address: str) -> str:
    return address.rpartition("@")[2].strip("> ")
