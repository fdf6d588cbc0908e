"""Requests that the server sends to addresses that users gave it: webhooks and push services.

Nobody can have the server call its own network: the name is resolved once, all its addresses must
be public, and the connection goes to one of those. Redirects aren't followed. Threads of their own
do the waiting.
"""

from __future__ import annotations

import asyncio
import http.client
import socket
import ssl
from collections.abc import Mapping
from concurrent.futures import ThreadPoolExecutor
from ipaddress import IPv4Address, IPv4Network, IPv6Address, IPv6Network, ip_address
from urllib.parse import SplitResult, urlsplit

from watermeet.server.errors import BadUrl

TIMEOUT_S = 10.0
THREADS = 8
MAX_URL = 1_000
_GLOBAL_UNICAST = IPv6Network("2000::/3")
_SPECIAL: tuple[IPv4Network | IPv6Network, ...] = (
    IPv4Network("192.88.99.0/24"),
    *map(IPv6Network, ("2001::/23", "2001:db8::/32", "3fff::/20")),
)
"""Beside what the library knows: old relays, protocols, and documentation (RFC 6890, RFC 9637)."""


def is_public(address: str) -> bool:
    """Whether an address is on the public internet, in whatever form it is written.

    >>> [is_public(each) for each in ("9.9.9.9", "10.0.0.1", "::ffff:127.0.0.1", "169.254.169.254")]
    [True, False, False, False]
    """
    found: IPv4Address | IPv6Address = ip_address(address.partition("%")[0])
    if isinstance(found, IPv6Address):
        inner = found.ipv4_mapped or found.sixtofour
        if inner:
            return is_public(str(inner))
        if found not in _GLOBAL_UNICAST:  # Among others IPv4 in its other forms, and NAT64.
            return False
    is_special = any(found in network for network in _SPECIAL)
    return found.is_global and not found.is_multicast and not is_special


class Outgoing:
    """Sends requests."""

    def __init__(self, *, allow_private: bool) -> None:
        self._allow_private = allow_private
        self._threads = ThreadPoolExecutor(THREADS, thread_name_prefix="outgoing")
        self._tls = ssl.create_default_context()

    async def check(self, url: str) -> None:
        """Raise BadUrl for a URL that may not be called."""
        try:
            await self._resolve(url)
        except (OSError, UnicodeError) as error:
            raise BadUrl("this host can't be found", "is the name right?") from error

    async def post(self, url: str, headers: Mapping[str, str], body: bytes) -> int:
        """Post a body, and return the status; raises BadUrl, OSError."""
        parts, address = await self._resolve(url)
        try:
            return await asyncio.get_running_loop().run_in_executor(
                self._threads, self._post, parts, address, dict(headers), body
            )
        except http.client.HTTPException as error:
            raise ConnectionError(str(error)) from error

    def close(self) -> None:
        """Stop; what is under way may finish."""
        self._threads.shutdown(wait=False, cancel_futures=True)

    async def _resolve(self, url: str) -> tuple[SplitResult, str]:
        """The parts of a URL, and the address to connect to; raises BadUrl, OSError."""
        try:
            parts = urlsplit(url)
            port = _port(parts)
        except ValueError as error:
            raise BadUrl("this isn't a URL", "write https://host/path") from error
        schemes = ("https", "http") if self._allow_private else ("https",)
        is_complete = parts.scheme in schemes and parts.hostname and not parts.username
        if not is_complete or len(url) > MAX_URL or not url.isascii() or not url.isprintable():
            raise BadUrl("the server can't call this URL", "write https://host/path")
        loop = asyncio.get_running_loop()
        found = await loop.getaddrinfo(parts.hostname, port, type=socket.SOCK_STREAM)
        addresses = [str(each[4][0]) for each in found]
        if not self._allow_private and not all(map(is_public, addresses)):
            raise BadUrl("this host is on a private network", "use a public one")
        return parts, addresses[0]

    def _post(self, parts: SplitResult, address: str, headers: dict[str, str], body: bytes) -> int:
        host, port = parts.hostname or "", _port(parts)
        link: socket.socket = socket.create_connection((address, port), TIMEOUT_S)
        try:
            if parts.scheme == "https":
                link = self._tls.wrap_socket(link, server_hostname=host)
            connection = http.client.HTTPConnection(host, port, timeout=TIMEOUT_S)
            connection.sock = link  # It won't look the name up again.
            target = (parts.path or "/") + (f"?{parts.query}" if parts.query else "")
            connection.request("POST", target, body, {**headers, "Host": parts.netloc})
            return connection.getresponse().status
        finally:
            link.close()


def _port(parts: SplitResult) -> int:
    return parts.port or (443 if parts.scheme == "https" else 80)
