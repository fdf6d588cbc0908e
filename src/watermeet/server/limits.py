"""Rate limits by token bucket, in the memory of a node.

A bucket fills evenly, and each request takes a token. Short bursts pass, but the long-term rate
stays within its limit.
"""

from __future__ import annotations

import ipaddress
from collections import Counter, OrderedDict
from collections.abc import Callable, Iterable
from typing import TypeVar

MAX_CLIENTS = 10_000
T = TypeVar("T")


def client_key(address: str) -> str:
    """The key of a client: its IPv4 address, or its IPv6 network, where addresses are plentiful.

    >>> client_key("192.0.2.7"), client_key("2001:db8:1:2:3:4:5:6"), client_key("2001:db8:1:2::9")
    ('192.0.2.7', '2001:db8:1:2::/64', '2001:db8:1:2::/64')
    >>> client_key("::ffff:192.0.2.7"), client_key("::ffff:192.0.2.8")
    ('192.0.2.7', '192.0.2.8')
    """
    address = plain_address(address)
    if ":" not in address:
        return address
    try:
        return str(ipaddress.ip_network((address.partition("%")[0], 64), strict=False))
    except ValueError:
        return address


def plain_address(address: str) -> str:
    """An address, without what a server that listens on :: sees before IPv4 addresses.

    >>> plain_address("::ffff:192.0.2.7"), plain_address("::FFFF:c000:207"), plain_address("::1")
    ('192.0.2.7', '192.0.2.7', '::1')
    """
    if ":" not in address:
        return address
    try:
        mapped = ipaddress.IPv6Address(address.partition("%")[0]).ipv4_mapped
    except ValueError:
        return address
    return address if mapped is None else str(mapped)


def few_of_each(items: Iterable[T], by: Callable[[T], str], few: int) -> list[T]:
    """The items in their order, but what is more than a few of one comes after everybody's.

    >>> few_of_each(["a1", "a2", "b1", "a3"], lambda item: item[0], 1)
    ['a1', 'b1', 'a2', 'a3']
    """
    counts = Counter[str]()
    first, rest = list[T](), list[T]()
    for item in items:
        counts[by(item)] += 1
        (first if counts[by(item)] <= few else rest).append(item)
    return first + rest


class TokenBucket:
    """The tokens of one client."""

    __slots__ = ("_capacity", "_filled_at", "_rate", "_tokens")

    def __init__(self, rate: float, capacity: float, now: float) -> None:
        """A full bucket that gains ``rate`` tokens per second."""
        self._rate, self._capacity = rate, capacity
        self._tokens, self._filled_at = capacity, now

    def take(self, now: float, tokens: float = 1.0) -> bool:
        """Take tokens; False if there aren't enough."""
        gained = max(0.0, now - self._filled_at) * self._rate  # The clock may go back.
        self._tokens = min(self._capacity, self._tokens + gained)
        self._filled_at = now
        if self._tokens < tokens:
            return False
        self._tokens -= tokens
        return True


class RateLimiter:
    """A bucket per client. To bound the memory, it forgets the least recently used one."""

    def __init__(self, rate: float, capacity: float, max_clients: int = MAX_CLIENTS) -> None:
        self._rate, self._capacity, self._max_clients = rate, capacity, max_clients
        self._buckets: OrderedDict[str, TokenBucket] = OrderedDict()

    def take(self, key: str, now: float, tokens: float = 1.0) -> bool:
        """Take tokens of a client; False if it hasn't enough."""
        bucket = self._buckets.get(key)
        if bucket is None:
            bucket = self._buckets[key] = TokenBucket(self._rate, self._capacity, now)
            if len(self._buckets) > self._max_clients:
                self._buckets.popitem(last=False)
        self._buckets.move_to_end(key)
        return bucket.take(now, tokens)

    def __len__(self) -> int:
        return len(self._buckets)
