"""Plays one match between bots."""

from __future__ import annotations

import contextlib
import random
import time
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace
from typing import Any

from watermeet.arena.pairing import Fixture, Key
from watermeet.bots.bot import Bot
from watermeet.bots.players import choose_any
from watermeet.bots.specs import make_bot
from watermeet.core.contract import CHANCE, OVER
from watermeet.core.errors import BotFailed
from watermeet.core.game import Game
from watermeet.core.outcome import Outcome
from watermeet.core.record import Record
from watermeet.core.state import State
from watermeet.search.limits import Limits

STARTUP_SECONDS = 300.0
"""How long a bot may take to start and to make a first move: much may have to be compiled."""
OPENING_TRIES = 20
"""How many random openings are tried until one doesn't end the match."""


@dataclass(frozen=True)
class Conditions:
    """What applies to every match of a job."""

    openings: int = 0
    """The number of random moves at the start, the same in all rotations of a round."""
    seconds: float | None = None
    nodes: int | None = None
    """Limits for every move, which replace those of the bots; None for those."""
    keeps_record: bool = False
    timeout: float | None = None
    """The seconds after which a bot that hasn't moved fails; None for the bot's own timeout."""

    def limits(self) -> Limits | None:
        """The limits for each move, or None for those of the bots."""
        if self.seconds is None and self.nodes is None:
            return None
        return Limits(seconds=self.seconds, nodes=self.nodes)


@dataclass(frozen=True)
class MatchResult:
    """A match that was played, or one that failed, with an ``error``."""

    variation: str
    bots: tuple[str, ...]
    round: int
    rotation: int
    chance_seed: str
    seats: tuple[str, ...]
    returns: tuple[float, ...] = ()
    moves: int = 0
    """The number of moves, including the opening; chance outcomes don't count."""
    seconds: float = 0.0
    reason: str = ""
    """The code of the reason that ended it."""
    seat_moves: tuple[int, ...] = ()
    seat_seconds: tuple[float, ...] = ()
    points: tuple[float, ...] = ()
    """The final points of each seat, if the game counts points."""
    figures: Mapping[str, float] = field(default_factory=dict, hash=False)
    """The numbers that the game reports about the end."""
    error: str = ""
    record: str = ""
    """The record, if records are kept. It isn't stored in the job's file."""

    @property
    def key(self) -> Key:
        """Identifies the match in its job."""
        return self.variation, self.bots, self.round, self.rotation

    @staticmethod
    def failure(fixture: Fixture, error: str, seconds: float = 0.0) -> MatchResult:
        """The result of a match that failed."""
        return MatchResult(
            *fixture.key, fixture.chance_seed, fixture.seats, seconds=seconds, error=error
        )


class Watchdog:
    """Watches over bots that must move in time. This one does nothing.

    Nothing inside a process can stop a bot that doesn't return, so others must end the process.
    """

    def start(self, seat: int, seconds: float) -> None:
        """Start a countdown for the bot at a seat."""

    def stop(self) -> None:
        """Stop the countdown: the bot has moved."""


class Roster:
    """The bots of one process, made once per seat and reused in later matches."""

    def __init__(self, watchdog: Watchdog | None = None) -> None:
        self._watchdog = watchdog or Watchdog()
        self._bots: dict[tuple[Game, str, int], Bot] = {}
        self._warm: set[tuple[Game, str]] = set()

    def bot(self, game: Game, spec: str, seat: int, timeout: float | None = None) -> Bot:
        """The bot for a seat. Seats never share one: it may remember what it saw there."""
        key = game, spec, seat
        if key not in self._bots:
            with self.waiting(seat, STARTUP_SECONDS + (timeout or 0.0)):
                self._bots[key] = make_bot(game, spec)
                self._bots[key].timeout = timeout
                if (game, spec) not in self._warm:
                    _warm_up(self._bots[key])
                    self._warm.add((game, spec))
        return self._bots[key]

    @contextlib.contextmanager
    def waiting(self, seat: int, seconds: float) -> Iterator[None]:
        """Run the watchdog while the block waits for the bot at a seat."""
        self._watchdog.start(seat, seconds)
        try:
            yield
        finally:
            self._watchdog.stop()

    def close(self) -> None:
        """Close all bots; the next match makes new ones."""
        bots = list(self._bots.values())
        self._bots.clear()
        for bot in bots:
            bot.close()


def _warm_up(bot: Bot) -> None:
    """Let a bot move once, so that compiling takes no time from its first match."""
    state = bot.game.start().sample(random.Random(1))
    with contextlib.suppress(Exception):  # If it always fails, it will in the match.
        if state.to_move != OVER:
            bot.new_match("warm-up")
            bot.play(state.conceal(state.to_move), Limits(nodes=1))


def play_fixture(fixture: Fixture, conditions: Conditions, roster: Roster) -> MatchResult:
    """Play a match. What a bot raises becomes the ``error``; only Ctrl-C gets out."""
    started = time.perf_counter()
    try:
        return _Play(fixture, conditions, roster).run()
    except Exception as error:  # noqa: BLE001 - a third-party bot may raise anything.
        seconds = round(time.perf_counter() - started, 3)
        result = MatchResult.failure(fixture, f"{type(error).__name__}: {error}", seconds)
    try:
        roster.close()  # Don't trust a bot that failed with another match.
    except Exception as error:  # noqa: BLE001 - the same.
        message = f"{result.error}; when closed: {error!r}"
        return MatchResult.failure(fixture, message, result.seconds)
    return result


class _Play:
    """A match in progress."""

    def __init__(self, fixture: Fixture, conditions: Conditions, roster: Roster) -> None:
        self._fixture, self._conditions, self._roster = fixture, conditions, roster
        game = fixture.game
        self._bots = [
            roster.bot(game, spec, seat, conditions.timeout)
            for seat, spec in enumerate(fixture.seats)
        ]
        self._moves, self._seconds = [0] * game.seats, [0.0] * game.seats

    def run(self) -> MatchResult:
        started = time.perf_counter()
        fixture = self._fixture
        actions, state = opening(fixture.game, fixture.chance_seed, self._conditions.openings)
        for seat, bot in enumerate(self._bots):
            with self._roster.waiting(seat, bot.timeout_for()):
                bot.new_match(f"{fixture.chance_seed}/{fixture.rotation}/{seat}")
        openings = sum(self._opening_moves(actions))
        while state.to_move != OVER:
            action = self._next(state, len(actions))
            actions.append(action)
            state = state.play(action)
        assert state.outcome is not None, "a match that is over has an outcome"
        seconds = time.perf_counter() - started
        return self._result(state, state.outcome, actions, openings, seconds)

    def _opening_moves(self, actions: list[int]) -> list[bool]:
        """For each action of the opening, whether it was a move rather than a chance outcome."""
        state, chosen = self._fixture.game.start(), []
        for action in actions:
            chosen.append(state.to_move != CHANCE)
            state = state.play(action)
        return chosen

    def _next(self, state: State, number: int) -> int:
        if state.to_move == CHANCE:
            return sample_outcome(state, self._fixture.chance_seed, number)
        seat = state.to_move
        bot, limits = self._bots[seat], self._conditions.limits()
        timeout = bot.timeout_for(limits)
        started = time.perf_counter()
        with self._roster.waiting(seat, timeout):
            action = bot.play(state.conceal(seat), limits).action
        spent = time.perf_counter() - started
        self._seconds[seat] += spent
        self._moves[seat] += 1
        if spent > timeout:
            raise BotFailed(
                f"{bot.name!r} at seat {seat} took {spent:.3g} s to move in {state.text!r}",
                f"its timeout is {timeout:g} s",
            )
        if not state.is_legal(action):
            raise BotFailed(
                f"{bot.name!r} at seat {seat} played {action!r} in {state.text!r}",
                "that isn't a legal action",
            )
        return int(action)

    def _result(
        self, end: State, outcome: Outcome, actions: list[int], openings: int, seconds: float
    ) -> MatchResult:
        fixture = self._fixture
        return MatchResult(
            *fixture.key,
            fixture.chance_seed,
            fixture.seats,
            returns=outcome.returns,
            moves=openings + sum(self._moves),
            seconds=round(seconds, 3),
            reason=outcome.reason.code,
            seat_moves=tuple(self._moves),
            seat_seconds=tuple(round(each, 4) for each in self._seconds),
            points=_points(end),
            figures=_numbers(outcome.reason.facts),
            record=_record(fixture, actions) if self._conditions.keeps_record else "",
        )


def sample_outcome(state: State, chance_seed: str, number: int) -> int:
    """The chance outcome at action ``number``: the same in equal states of a round."""
    outcomes, weights = zip(*state.chance_outcomes, strict=True)
    return int(random.Random(f"{chance_seed}/{number}").choices(outcomes, weights)[0])


def opening(game: Game, chance_seed: str, moves: int) -> tuple[list[int], State]:
    """The actions of an opening of random moves, and the state they lead to, which isn't over."""
    for attempt in range(OPENING_TRIES):
        state, actions, left = game.start(), list[int](), moves
        while left and state.to_move != OVER:
            if state.to_move == CHANCE:
                action = sample_outcome(state, chance_seed, len(actions))
            else:
                rng = random.Random(f"{chance_seed}/opening {attempt}/{len(actions)}")
                action = choose_any(state.conceal(state.to_move), rng)
                left -= 1
            actions.append(action)
            state = state.play(action)
        if state.to_move != OVER:
            return actions, state
    return [], game.start()


def _points(end: State) -> tuple[float, ...]:
    points = [seat.get("score") for seat in end.view(None)["seats"]]
    return tuple(points) if all(_is_number(each) for each in points) else ()


def _numbers(facts: Mapping[str, Any]) -> dict[str, float]:
    return {name: value for name, value in facts.items() if _is_number(value)}


def _is_number(value: object) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool)


def _record(fixture: Fixture, actions: list[int]) -> str:
    record = Record.from_actions(fixture.game.start(), actions)
    names = tuple(name.replace(",", " ") for name in fixture.seats)  # A comma separates seats.
    headers = {
        "seed": fixture.chance_seed,
        "round": str(fixture.round),
        "rotation": str(fixture.rotation),
    }
    return replace(record, seats=names, headers=headers).format()
