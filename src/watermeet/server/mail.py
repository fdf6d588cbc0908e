"""Mail, by SMTP. Without the setting ``smtp_url`` there is none.

Whatever is mailed is a job, so that it survives a restart, and is tried again after a temporary
failure. Threads of their own do the waiting. Nobody's address is ever logged.
"""

from __future__ import annotations

import asyncio
import logging
import re
import smtplib
import ssl
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from email.message import EmailMessage
from email.policy import SMTP
from email.utils import formatdate, make_msgid
from urllib.parse import unquote, urlsplit

from watermeet.server.errors import BadMailAddress, InvalidSettings, NoMail
from watermeet.server.jobs import TryAgain
from watermeet.server.logs import fields

LOG = logging.getLogger(__name__)
TIMEOUT_S, DEADLINE_S = 20.0, 60.0
"""How long one response of the mail server may take, and all of them."""
THREADS = 2
RETRIES_S = 10, 60, 600, 3600
"""How long a job with mail waits after each failure; then it is dropped."""
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


class Mail:
    """Sends mail."""

    def __init__(self, smtp_url: str, mail_from: str) -> None:
        """Raises InvalidSettings for a URL that can't be read, or without a sender."""
        self._server = _parse(smtp_url) if smtp_url else None
        self._from = mail_from
        if self._server is not None and "@" not in mail_from:
            raise InvalidSettings("smtp_url needs mail_from", "set the address that mail is from")
        self._threads = ThreadPoolExecutor(THREADS, thread_name_prefix="mail")

    @property
    def is_on(self) -> bool:
        """Whether this server can send mail."""
        return self._server is not None

    def close(self) -> None:
        """Stop; what is under way may finish."""
        self._threads.shutdown(wait=False, cancel_futures=True)

    async def send(self, to: str, subject: str, text: str, *, unsubscribe: str = "") -> None:
        """Send a message; raises NoMail, BadMailAddress, and TryAgain where that makes sense.

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
        loop = asyncio.get_running_loop()
        try:
            async with asyncio.timeout(DEADLINE_S):
                await loop.run_in_executor(self._threads, _deliver, self._server, message)
        except (smtplib.SMTPException, OSError) as error:
            code = _code(error)
            # The server's text may quote the address: the kind of the error has to do.
            about = fields(error=type(error).__name__, code=code)
            if not 500 <= code < 600:
                LOG.warning("mail not sent yet", extra=about)
                raise TryAgain(type(error).__name__) from None
            LOG.warning("mail rejected", extra=about)


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
