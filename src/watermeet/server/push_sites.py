"""Places for calls to sites that anybody can name: those that don't answer take none from others.

A site that has answered quickly is sure, and has several places. All others share a few, one each,
and after a failure a site rests, the longer the more often it has failed. Names below one domain
are one site, since they cost nothing.
"""

from __future__ import annotations

import time
from collections import OrderedDict
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass

from watermeet.server.errors import TooMany
from watermeet.server.limits import MAX_CLIENTS, client_key

SHARE, UNSURE = 8, 4
"""How many calls there may be at once to a sure site, and to all others together."""
QUICK_S = 2.0
"""A site that takes longer to answer isn't sure."""
FIRST_REST_S, LONGEST_REST_S = 2.0, 600.0


@dataclass
class _Site:
    running: int = 0
    failures: int = 0
    is_sure: bool = False
    rests_until: float = 0.0


class PushSites:
    """What is known of sites, in the memory of a node."""

    def __init__(self) -> None:
        self._sites = OrderedDict[str, _Site]()
        self._unsure = 0

    def is_sure(self, host: str) -> bool:
        """Whether the site of a host has answered the last call quickly."""
        site = self._sites.get(site_of(host))
        return site is not None and site.is_sure

    @contextmanager
    def place(self, host: str) -> Iterator[None]:
        """Call a host; raises TooMany without a place, and ConnectionError while the site rests."""
        site = self._sites.setdefault(site_of(host), _Site())
        self._sites.move_to_end(site_of(host))
        if len(self._sites) > MAX_CLIENTS:
            self._sites.popitem(last=False)
        began, is_sure = time.monotonic(), site.is_sure
        if began < site.rests_until:
            raise ConnectionError("this site hasn't answered lately")
        is_full = not is_sure and self._unsure >= UNSURE
        if is_full or site.running >= (SHARE if is_sure else 1):
            raise TooMany("others are being called", "wait a moment")
        site.running += 1
        self._unsure += not is_sure
        try:
            yield
        except OSError:
            site.is_sure = False
            if site.rests_until <= began:  # Calls that fail together count once.
                rest_s = min(FIRST_REST_S * 2.0 ** min(site.failures, 20), LONGEST_REST_S)
                site.failures, site.rests_until = site.failures + 1, time.monotonic() + rest_s
            raise
        else:
            site.is_sure, site.failures = time.monotonic() - began < QUICK_S, 0
        finally:
            site.running -= 1
            self._unsure -= not is_sure


def site_of(host: str) -> str:
    """The domain that a host belongs to, or its address.

    >>> site_of("fcm.googleapis.com"), site_of("a.b.example.co.uk"), site_of("192.0.2.7")
    ('googleapis.com', 'example.co.uk', '192.0.2.7')
    >>> site_of("2001:db8::1"), site_of("localhost")
    ('2001:db8::/64', 'localhost')
    """
    labels = host.rstrip(".").lower().split(".")
    if ":" in host or labels[-1].isdigit():
        return client_key(host)
    is_short = len(labels) > 1 and len(labels[-2]) <= 3  # Such as in co.uk.
    return ".".join(labels[-3 if is_short else -2 :])
