"""Requests that the server sends to addresses that users gave it: push services.

Nobody can have the server call its own network: the name is resolved once, all its addresses must
be public, and the connection goes to one of those. Redirects aren't followed. One deadline holds
for all of it, from looking up the name to the status of the response, however slowly that comes.
Sites that don't answer share places of their own, and threads that look up their names.
"""

from __future__ import annotations

import asyncio
import socket
import ssl
from collections.abc import Mapping
from ipaddress import IPv4Address, IPv4Network, IPv6Address, IPv6Network, ip_address
from urllib.parse import SplitResult, urlsplit

from watermeet.server.errors import BadUrl
from watermeet.server.fair_threads import FairThreads
from watermeet.server.push_sites import PushSites, site_of

DEADLINE_S = 5.0
LOOK_UPS = 4
"""Names that are looked up at once: of sites that are sure, and as many of others."""
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
        self._sites = PushSites()
        self._sure_look_ups = FairThreads("look-up", LOOK_UPS)
        self._look_ups = FairThreads("first-look-up", LOOK_UPS)
        self._tls = ssl.create_default_context()

    async def check(self, url: str, *, by: str) -> None:
        """Raise BadUrl for a URL that may not be called; ``by`` is the address that wants it."""
        parts = self._parts(url)
        try:
            await self._resolve(parts, by)
        except (OSError, UnicodeError) as error:
            raise BadUrl("this host can't be found", "is the name right?") from error

    async def post(self, url: str, headers: Mapping[str, str], body: bytes) -> int:
        """Post a body, and return the status; raises BadUrl, OSError, TooMany."""
        parts = self._parts(url)
        host = parts.hostname or ""
        with self._sites.place(host):
            async with asyncio.timeout(DEADLINE_S):
                return await self._post(
                    parts, await self._resolve(parts, site_of(host)), headers, body
                )

    async def _post(
        self, parts: SplitResult, address: str, headers: Mapping[str, str], body: bytes
    ) -> int:
        is_tls = parts.scheme == "https"
        reader, writer = await asyncio.open_connection(
            address,
            _port(parts),
            ssl=self._tls if is_tls else None,
            server_hostname=parts.hostname if is_tls else None,
        )
        try:
            writer.write(_head(parts, headers, len(body)) + body)
            await writer.drain()
            return await _status(reader)
        except ValueError as error:  # It isn't HTTP, or has no end.
            raise ConnectionError("this isn't a response") from error
        finally:
            writer.transport.abort()

    def close(self) -> None:
        """Stop; what is under way may finish."""
        self._look_ups.close()
        self._sure_look_ups.close()

    def _parts(self, url: str) -> SplitResult:
        """The parts of a URL; raises BadUrl."""
        try:
            parts = urlsplit(url)
            _port(parts)
        except ValueError as error:
            raise BadUrl("this isn't a URL", "write https://host/path") from error
        schemes = ("https", "http") if self._allow_private else ("https",)
        is_complete = parts.scheme in schemes and parts.hostname and not parts.username
        is_plain = url.isascii() and url.isprintable() and " " not in url
        if not is_complete or len(url) > MAX_URL or not is_plain:
            raise BadUrl("the server can't call this URL", "write https://host/path")
        return parts

    async def _resolve(self, parts: SplitResult, by: str) -> str:
        """The address to connect to; raises BadUrl, OSError, TooMany."""
        host, look_up = parts.hostname or "", socket.getaddrinfo
        threads = self._sure_look_ups if self._sites.is_sure(host) else self._look_ups
        found = await threads.run(by, look_up, host, _port(parts), type=socket.SOCK_STREAM)
        addresses = [str(each[4][0]) for each in found]
        if not self._allow_private and not all(map(is_public, addresses)):
            raise BadUrl("this host is on a private network", "use a public one")
        return addresses[0]


def _head(parts: SplitResult, headers: Mapping[str, str], length: int) -> bytes:
    target = (parts.path or "/") + (f"?{parts.query}" if parts.query else "")
    lines = [f"POST {target} HTTP/1.1"]
    own = {"Host": parts.netloc, "Content-Length": str(length), "Connection": "close"}
    lines += [f"{name}: {value}" for name, value in (own | dict(headers)).items()]
    return ("\r\n".join(lines) + "\r\n\r\n").encode()


async def _status(reader: asyncio.StreamReader) -> int:
    """The status of a response; raises ValueError, OSError."""
    while True:
        version, _, rest = (await reader.readline()).partition(b" ")
        if not version.startswith(b"HTTP/1."):
            raise ValueError("not HTTP")
        status = int(rest[:3])
        if status >= 200:
            return status
        while (await reader.readline()).strip():  # Something that precedes the response.
            pass


def _port(parts: SplitResult) -> int:
    return parts.port or (443 if parts.scheme == "https" else 80)
