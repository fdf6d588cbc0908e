"""Reviews of matches that have ended: computed once, in a process of their own, then stored."""

from __future__ import annotations

import asyncio
import contextlib
import logging
import sys
from asyncio.subprocess import DEVNULL, PIPE, Process
from collections import OrderedDict
from collections.abc import Mapping
from dataclasses import fields as fields_of
from typing import Any, Literal

import msgspec

from watermeet.core.contract import CHANCE
from watermeet.core.errors import WatermeetError
from watermeet.learn.findings import Balance, Decision, Findings, Section
from watermeet.server.background import Background
from watermeet.server.errors import TooLong, TooMany
from watermeet.server.logs import fields
from watermeet.server.matches.match import Match
from watermeet.server.matches.records import record_of
from watermeet.server.store.store import Store

LOG = logging.getLogger(__name__)

PROGRAM = (sys.executable, "-m", "watermeet.server.review_main")
TIMEOUT_S = 300.0
"""A review takes some 20 seconds, and longer while its game is being compiled."""
MAX_WAITING, MAX_OF_ADDRESS = 16, 4
"""How many matches may wait for a review, and how many of those that one address has asked for."""
MAX_DECISIONS = 1_000
"""How many decisions may be reviewed; the longest matches of our games have a few hundred."""
MAX_FAILED = 64
"""How many failures are remembered, so that whoever asked learns of theirs."""


class MatchReview(msgspec.Struct, frozen=True):
    """What each decision of a match gave away.

    While it is ``running``, ``searched`` of ``total`` decisions have been searched, verdicts are
    provisional, and the fields after them are empty. ``worst`` and ``best`` are the lowest and the
    highest value.
    """

    stage: Literal["none", "waiting", "running", "complete", "failed"]
    worst: float
    best: float
    searched: int = 0
    total: int = 0
    decisions: tuple[Decision, ...] = ()
    accuracy: Mapping[int, float] = {}
    turning_point: int | None = None
    balances: tuple[Balance, ...] = ()
    sections: tuple[Section, ...] = ()


class Reviews(Background):
    """Computes one review after another, and keeps them in the store."""

    def __init__(self, store: Store, program: tuple[str, ...] = PROGRAM) -> None:
        super().__init__()
        self._store, self._program = store, program
        self._waiting: OrderedDict[str, tuple[Match, str]] = OrderedDict()
        """With the addresses that have asked."""
        self._progress: dict[str, MatchReview] = {}
        self._failed: OrderedDict[str, None] = OrderedDict()
        self._wake_up = asyncio.Event()
        self._process: Process | None = None

    def start(self) -> None:
        """Start computing."""
        self._spawn(self._work())

    async def close(self) -> None:
        """Stop; what was being computed is forgotten."""
        await super().close()
        await self._end()

    async def find(self, match: Match) -> MatchReview:
        """The review of a match, as far as it goes."""
        stored = await self._store.review(match.id)
        found = None
        if stored is not None:
            with contextlib.suppress(msgspec.ValidationError):  # An older server stored less.
                found = msgspec.json.decode(stored, type=Findings)
        if found is not None:
            total = len(found.decisions)
            return msgspec.structs.replace(
                self._empty(match, "complete"),
                searched=total,
                total=total,
                **{each.name: getattr(found, each.name) for each in fields_of(Findings)},
            )
        if match.id in self._progress:
            return self._progress[match.id]
        if match.id in self._waiting:
            return self._empty(match, "waiting")
        return self._empty(match, "failed" if match.id in self._failed else "none")

    async def request(self, match: Match, address: str) -> MatchReview:
        """Have a match reviewed, unless it has been; raises TooMany, TooLong."""
        found = await self.find(match)
        if found.stage not in ("none", "failed"):
            return found
        if sum(step.mover != CHANCE for step in match.steps_back()) > MAX_DECISIONS:
            hint = "analyse its positions one by one"
            raise TooLong(f"a match of more than {MAX_DECISIONS} moves isn't reviewed", hint)
        if len(self._waiting) >= MAX_WAITING:
            raise TooMany("many others want a review", "try again in a few minutes")
        if sum(by == address for _, by in self._waiting.values()) >= MAX_OF_ADDRESS:
            raise TooMany("several reviews for your address are waiting", "wait a few minutes")
        self._failed.pop(match.id, None)
        self._waiting[match.id] = match, address
        self._wake_up.set()
        return self._empty(match, "waiting")

    def _empty(self, match: Match, stage: Any) -> MatchReview:
        worst, best = match.game.returns_range
        return MatchReview(stage, float(worst), float(best))

    async def _work(self) -> None:
        while True:
            await self._wake_up.wait()
            self._wake_up.clear()
            while self._waiting:
                name, (match, _) = self._waiting.popitem(last=False)
                self._progress[name] = self._empty(match, "running")
                try:
                    async with asyncio.timeout(TIMEOUT_S):
                        await self._store.put_review(name, await self._compute(match))
                except Exception as error:  # A third-party game may raise anything.
                    is_known = isinstance(error, OSError | ValueError | WatermeetError)
                    about = fields(match=name, error=str(error))
                    LOG.warning("no review", exc_info=not is_known, extra=about)
                    self._failed[name] = None
                    while len(self._failed) > MAX_FAILED:
                        self._failed.popitem(last=False)
                finally:
                    await self._end()
                    del self._progress[name]

    async def _compute(self, match: Match) -> bytes:
        """The last line of the program; the others are progress. Raises ValueError."""
        record = await asyncio.to_thread(lambda: record_of(match).format())
        process = self._process = await asyncio.create_subprocess_exec(
            *self._program, stdin=PIPE, stdout=PIPE, stderr=DEVNULL, limit=1 << 24
        )
        assert process.stdin is not None, "stdin is a pipe"
        assert process.stdout is not None, "stdout is a pipe"
        process.stdin.write(record.encode())
        process.stdin.write_eof()
        total = msgspec.json.decode(await process.stdout.readline(), type=int)
        decisions: list[Decision] = []
        self._show(match.id, total, decisions)
        for _ in range(total):
            line = await process.stdout.readline()
            decisions.append(msgspec.json.decode(line, type=Decision))
            self._show(match.id, total, decisions)
        line = await process.stdout.readline()
        msgspec.json.decode(line, type=Findings)
        return line

    def _show(self, match: str, total: int, decisions: list[Decision]) -> None:
        self._progress[match] = msgspec.structs.replace(
            self._progress[match], searched=len(decisions), total=total, decisions=tuple(decisions)
        )

    async def _end(self) -> None:
        """Kill the process if it still runs, and wait for its end."""
        process, self._process = self._process, None
        if process is None:
            return
        if process.returncode is None:
            with contextlib.suppress(ProcessLookupError):
                process.kill()
        await process.communicate()  # Reads what is left, so that the pipe is closed, too.
