"""Which of several databases, and which of several buses, a match belongs to."""

from __future__ import annotations

import re
import zlib


def shard_of(key: str, count: int) -> int:
    """The number of a key's shard: the same on every node, and forever.

    >>> [shard_of(key, 3) for key in ("npFFdfds5jew", "pKLm3DsPq8hi", "6JjyqqVtQYPH")]
    [1, 1, 0]
    """
    return zlib.crc32(key.encode()) % count


def split_urls(urls: str) -> list[str]:
    """The URLs in a text; a file's path may contain spaces too.

    >>> split_urls("postgresql://a/x  postgresql://b/x")
    ['postgresql://a/x', 'postgresql://b/x']
    >>> split_urls("sqlite:////home/ada/my matches.db")
    ['sqlite:////home/ada/my matches.db']
    """
    return re.split(r"\s+(?=\w+://)", urls.strip())
