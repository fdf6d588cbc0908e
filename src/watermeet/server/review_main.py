"""The program that reviews one match: reads its record from stdin, writes JSON lines to stdout.

The first line is the number of decisions, then comes each of them, and at last the whole review.
"""

from __future__ import annotations

import contextlib
import os
import sys
from typing import Any

import msgspec

from watermeet.core.record import Record
from watermeet.learn.review import Reviewer

NICENESS = 10
"""Reviews leave the processor to bots and to the server."""


def main() -> None:
    """Review the match."""
    with contextlib.suppress(AttributeError, OSError):  # Windows has no such thing.
        os.nice(NICENESS)
    reviewer = Reviewer(Record.parse(sys.stdin.buffer.read().decode()))
    _write(len(reviewer.numbers))
    found = []
    for decision in reviewer.decisions():
        found.append(decision)
        _write(decision)
    _write(reviewer.finish(reviewer.look_again(found)).to_dict())


def _write(content: Any) -> None:
    sys.stdout.buffer.write(msgspec.json.encode(content) + b"\n")
    sys.stdout.buffer.flush()


if __name__ == "__main__":
    main()
