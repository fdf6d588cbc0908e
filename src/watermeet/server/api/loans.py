"""Loans: the connections whose devices think for the bots of their matches.

Where ``matches.lending`` allows it, a bot's seat is lent to one connection of the only person in
the match. On the bot's turn it is sent what to search, and the job of the server's own bot waits.
The loan ends when the connection closes, gives it back, plays something illegal or plays nothing in
time. Then the server's bot plays, at once. Loans are in the memory of one node: if the node dies,
the job is in the database, and is ready a few seconds later.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Callable
from dataclasses import dataclass

import msgspec

from watermeet.bots.engine import engine_task
from watermeet.bots.levels import Level
from watermeet.core.errors import Conflict, WatermeetError
from watermeet.server.api.connection import Connection
from watermeet.server.api.messages import BotTask, Lent
from watermeet.server.api.models import EngineTask
from watermeet.server.background import Background
from watermeet.server.engines import EngineFile, Engines, url_of
from watermeet.server.errors import NotFound
from watermeet.server.logs import fields
from watermeet.server.match_cache import LiveMatch
from watermeet.server.matches.errors import CannotLend
from watermeet.server.matches.lending import check_lending, know_the_same, level_of
from watermeet.server.matches.match import Match
from watermeet.server.matches.service import BOT_JOB, Matches, bot_to_move
from watermeet.server.store.store import Store

LOG = logging.getLogger(__name__)
PATIENCE_MS = 3_000
"""How long a device may take for a move besides the time limit of the level,"""
SLACK_MS = 1_000
"""and how much later the server's bot plays if the node that waits for the device is gone."""
LATE, RETURNED = "late", "returned"


@dataclass(eq=False)
class _Loan:
    """A match whose bots' seats are lent."""

    connection: Connection
    match: str
    person: int
    seats: tuple[int, ...]
    module: str
    asked: int = 0
    """The entry that led to the state which the device was last asked about."""
    timer: asyncio.TimerHandle | None = None

    def stop_timer(self) -> None:
        if self.timer is not None:
            self.timer.cancel()
            self.timer = None


class Loans(Background):
    """The loans of a node."""

    def __init__(
        self,
        matches: Matches,
        store: Store,
        engines: Engines,
        now: Callable[[], int],
        wake_up: Callable[[], None],
    ) -> None:
        """``wake_up`` makes the server's own bots look for jobs."""
        super().__init__()
        self._matches, self._store, self._engines = matches, store, engines
        self._now, self._wake_up = now, wake_up
        self._loans: dict[str, _Loan] = {}
        matches.listen(self._on_change)
        matches.bot_delay = self._delay_ms

    def start(self) -> None:
        """Nothing runs before the first loan."""

    async def close(self) -> None:
        """End all loans; the jobs are ready in a moment, for another node or the next start."""
        for loan in self._loans.values():
            loan.stop_timer()
        self._loans.clear()
        await super().close()

    # ---- lending ----

    async def lend(self, connection: Connection, match: str, person: int) -> None:
        """Lend a connection the bots' seats, from the next turn of a bot on, and say which."""
        try:
            loan = await self._new_loan(connection, match, person)
        except WatermeetError as error:
            connection.send(Lent(match, why=error.code))
            return
        is_new = match not in self._loans
        self._loans[match] = loan
        connection.send(Lent(match, loan.seats, loan.module))
        if is_new:  # The bot may wait for a device whose node died: the server's plays this move.
            await self._hurry(match)

    async def _new_loan(self, connection: Connection, match: str, person: int) -> _Loan:
        live = await self._matches.current(match)
        seats = check_lending(live.match, person)
        game = live.match.game.name
        module: EngineFile | None = await asyncio.to_thread(self._engines.find, game)
        if module is None:
            raise NotFound(f"{game} has no engine yet", "ask again in a minute")
        loan = self._loans.get(match)
        if loan is not None and loan.connection is not connection:
            raise Conflict("another connection thinks for the bots", "ask again later")
        return loan or _Loan(connection, match, person, seats, url_of(game, module))

    async def end(self, connection: Connection, match: str, why: str = RETURNED) -> None:
        """End a loan, if the connection has it: the server's bot plays at once."""
        loan = self._loans.get(match)
        if loan is None or loan.connection is not connection:
            return
        loan.stop_timer()
        del self._loans[match]
        connection.send(Lent(match, why=why))
        LOG.info("bots are back on the server", extra=fields(match=match, why=why))
        await self._hurry(match)

    async def _hurry(self, match: str) -> None:
        """Let the server's bot play at once, if it is waiting."""
        try:
            await self._store.hurry(BOT_JOB, match, self._now())
        except WatermeetError as error:  # Then the job waits for a few seconds.
            LOG.warning("job not hurried", extra=fields(match=match, code=error.code))
        self._wake_up()

    def check(self, connection: Connection, match: str, seat: int) -> None:
        """Raise CannotLend unless a seat is lent to this connection."""
        loan = self._loans.get(match)
        if loan is None or loan.connection is not connection or seat not in loan.seats:
            raise CannotLend(f"seat {seat} isn't lent to this connection", "the server's bot plays")

    # ---- turns ----

    def _lent(self, match: Match) -> tuple[_Loan, int, Level] | None:
        """The loan, the seat and its level, if a device is to think now."""
        loan, seat = self._loans.get(match.id), bot_to_move(match)
        if loan is None or seat is None or seat not in loan.seats:
            return None
        level = level_of(match, seat)
        if level is None or not know_the_same(match.state, loan.person, seat):
            return None
        return loan, seat, level

    def _delay_ms(self, match: Match) -> int:
        lent = self._lent(match)
        return 0 if lent is None else limit_ms(lent[2]) + SLACK_MS

    def _on_change(self, live: LiveMatch) -> None:
        match = live.match
        loan = self._loans.get(match.id)
        if loan is None or match.changed_seq == loan.asked:
            return
        loan.stop_timer()
        if match.has_ended:
            del self._loans[match.id]
            return
        lent = self._lent(match)
        if lent is not None:
            _, seat, level = lent
            loan.asked = match.changed_seq
            late = limit_ms(level) / 1000
            loan.timer = asyncio.get_running_loop().call_later(late, self._on_late, loan)
            self._spawn(self._ask(loan, match, seat, level))

    async def _ask(self, loan: _Loan, match: Match, seat: int, level: Level) -> None:
        try:
            found = await asyncio.to_thread(engine_task, match.state, level)
        except Exception:  # A third-party game may raise anything.
            LOG.exception("no task for a device", extra=fields(match=match.id))
            await self.end(loan.connection, loan.match, LATE)
            return
        # The number of an action is enough.
        task = msgspec.convert(found | {"moves": []}, EngineTask)
        loan.connection.send(BotTask(match.id, seat, match.seq, task))

    def _on_late(self, loan: _Loan) -> None:
        self._spawn(self.end(loan.connection, loan.match, LATE))


def limit_ms(level: Level) -> int:
    """How long a device may take for a move of a level."""
    return int(1000 * (level.seconds or 0)) + PATIENCE_MS
