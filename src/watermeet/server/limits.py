"""Rates: how much somebody may ask for in a while. Kept in a node's memory, and bounded there.

A bucket holds some tokens and is filled evenly; who asks takes one, and finds it empty when asking
too often. So short bursts pass, and the rate in the long run does not exceed its limit.
"""

from __future__ import annotations

import ipaddress
from collections import OrderedDict

LARGEST = 10_000


def client_key(address: str) -> str:
    """Who asks, by address: of the newer kind everybody has as many as they like of a network's.

    >>> client_key("192.0.2.7"), client_key("2001:db8:1:2:3:4:5:6"), client_key("2001:db8:1:2::9")
    ('192.0.2.7', '2001:db8:1:2::/64', '2001:db8:1:2::/64')
    """
    if ":" not in address:
        return address
    try:
        return str(ipaddress.ip_network((address.partition("%")[0], 64), strict=False))
    except ValueError:
        return address


class TokenBucket:
    """Tokens of one asker."""

    __slots__ = ("_filled_at", "_rate", "_room", "_tokens")

    def __init__(self, rate: float, room: float, now: float) -> None:
        """``rate`` tokens come in a second, and at most ``room`` are kept."""
        self._rate, self._room = rate, room
        self._tokens, self._filled_at = room, now

    def take(self, now: float) -> bool:
        """Takes a token; False if there is none."""
        # A clock that goes back gives nothing, and takes nothing.
        gained = max(0.0, now - self._filled_at) * self._rate
        self._tokens = min(self._room, self._tokens + gained)
        self._filled_at = now
        if self._tokens < 1.0:
            return False
        self._tokens -= 1.0
        return True


class RateLimiter:
    """One bucket for each asker, by key. The one that asked longest ago is forgotten first.

    Who is forgotten starts with a full bucket again: with ``largest`` askers at the same time that
    costs little, and memory stays bounded.
    """

    def __init__(self, rate: float, room: float, largest: int = LARGEST) -> None:
        self._rate, self._room, self._largest = rate, room, largest
        self._buckets: OrderedDict[str, TokenBucket] = OrderedDict()

    def take(self, key: str, now: float) -> bool:
        """Takes a token of the asker; False if it has none."""
        bucket = self._buckets.get(key)
        if bucket is None:
            bucket = self._buckets[key] = TokenBucket(self._rate, self._room, now)
            if len(self._buckets) > self._largest:
                self._buckets.popitem(last=False)
        self._buckets.move_to_end(key)
        return bucket.take(now)

    def __len__(self) -> int:
        return len(self._buckets)
