"""Plays one match between bots, and keeps what is worth keeping of it."""

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

MAKING_S = 300.0
"""How long a bot may take to be made and to answer for the first time: much may be compiled."""
OPENING_TRIES = 20
"""How many openings are drawn until one leaves something to play."""


@dataclass(frozen=True)
class Conditions:
    """What holds for every match of a job."""

    openings: int = 0
    """So many actions of seats are drawn at random, the same in all rotations of a bout."""
    seconds: float | None = None
    nodes: int | None = None
    """Limits for every choice of every bot, in place of its own; None: its own."""
    keeps_record: bool = False
    patience: float | None = None
    """After so many seconds without an answer a bot has failed; None: as its limits deserve."""

    def limits(self) -> Limits | None:
        """The limits to hand to a bot."""
        if self.seconds is None and self.nodes is None:
            return None
        return Limits(seconds=self.seconds, nodes=self.nodes)


@dataclass(frozen=True)
class Played:
    """A match that was played, or that failed: then ``error`` says how."""

    variation: str
    bots: tuple[str, ...]
    bout: int
    rotation: int
    luck: str
    seats: tuple[str, ...]
    returns: tuple[float, ...] = ()
    moves: int = 0
    """Actions of seats, those of the opening among them; chance does not count."""
    seconds: float = 0.0
    reason: str = ""
    """The code of what ended it."""
    seat_moves: tuple[int, ...] = ()
    seat_seconds: tuple[float, ...] = ()
    points: tuple[float, ...] = ()
    """What each seat had in the end, where the game counts points."""
    figures: Mapping[str, float] = field(default_factory=dict, hash=False)
    """The numbers in what the game says about the end."""
    error: str = ""
    record: str = ""
    """The text of the match, if it was asked for. Not in the job's file."""

    @property
    def key(self) -> Key:
        """What tells it from all others of a job."""
        return self.variation, self.bots, self.bout, self.rotation

    @staticmethod
    def failure(fixture: Fixture, error: str, seconds: float = 0.0) -> Played:
        """A match that came to no end."""
        return Played(*fixture.key, fixture.luck, fixture.seats, seconds=seconds, error=error)


class Watch:
    """Is told whose answer is waited for, and how long that may take. This one does nothing.

    Nothing inside a process can stop a bot that does not return, so others end the process.
    """

    def begin(self, seat: int, seconds: float) -> None:
        """From now on the bot at a seat is waited for."""

    def end(self) -> None:
        """It has answered."""


class Roster:
    """The bots of one process: made once for each seat, and used again in the next match."""

    def __init__(self, watch: Watch | None = None) -> None:
        self._watch = watch or Watch()
        self._bots: dict[tuple[Game, str, int], Bot] = {}
        self._warm: set[tuple[Game, str]] = set()

    def bot(self, game: Game, text: str, seat: int, patience: float | None = None) -> Bot:
        """The bot for a seat. No two seats share one, for it may remember what it saw there."""
        key = game, text, seat
        if key not in self._bots:
            with self.waiting(seat, MAKING_S + (patience or 0.0)):
                self._bots[key] = make_bot(game, text)
                self._bots[key].timeout = patience
                if (game, text) not in self._warm:
                    _warm_up(self._bots[key])
                    self._warm.add((game, text))
        return self._bots[key]

    @contextlib.contextmanager
    def waiting(self, seat: int, seconds: float) -> Iterator[None]:
        """While the block runs, the bot at a seat is waited for."""
        self._watch.begin(seat, seconds)
        try:
            yield
        finally:
            self._watch.end()

    def close(self) -> None:
        """Gives all bots back; the next match makes new ones."""
        bots = list(self._bots.values())
        self._bots.clear()
        for bot in bots:
            bot.close()


def _warm_up(bot: Bot) -> None:
    """Lets a bot answer once, so that compilers take no time from its first match."""
    state = bot.game.start().sample(random.Random(1))
    with contextlib.suppress(Exception):  # If it fails for good, it will in the match.
        if state.to_move != OVER:
            bot.new_match("warm-up")
            bot.play(state.conceal(state.to_move), Limits(nodes=1))


def play_fixture(fixture: Fixture, conditions: Conditions, roster: Roster) -> Played:
    """Plays a match. Whatever a bot raises is told in ``error``; nothing but Ctrl-C gets out."""
    begun = time.perf_counter()
    try:
        return _Play(fixture, conditions, roster).run()
    except Exception as error:  # noqa: BLE001 - a stranger's bot may raise anything.
        told = f"{type(error).__name__}: {error}"
        played = Played.failure(fixture, told, round(time.perf_counter() - begun, 3))
    try:
        roster.close()  # Who failed once is not trusted with another match.
    except Exception as error:  # noqa: BLE001 - the same.
        return Played.failure(fixture, f"{played.error}; at the end {error!r}", played.seconds)
    return played


class _Play:
    """A match while it is played."""

    def __init__(self, fixture: Fixture, conditions: Conditions, roster: Roster) -> None:
        self._fixture, self._conditions, self._roster = fixture, conditions, roster
        game = fixture.game
        self._bots = [
            roster.bot(game, text, seat, conditions.patience)
            for seat, text in enumerate(fixture.seats)
        ]
        self._moves, self._seconds = [0] * game.seats, [0.0] * game.seats

    def run(self) -> Played:
        begun = time.perf_counter()
        actions, state = opening(self._fixture.game, self._fixture.luck, self._conditions.openings)
        for seat, bot in enumerate(self._bots):
            with self._roster.waiting(seat, bot.timeout_for()):
                bot.new_match(f"{self._fixture.luck}/{self._fixture.rotation}/{seat}")
        openings = sum(self._opening_moves(actions))
        while state.to_move != OVER:
            action = self._next(state, len(actions))
            actions.append(action)
            state = state.play(action)
        assert state.outcome is not None, "a match that is over has an outcome"
        return self._played(state, state.outcome, actions, openings, time.perf_counter() - begun)

    def _opening_moves(self, actions: list[int]) -> list[bool]:
        """For each action of the opening, whether a seat chose it."""
        state, chosen = self._fixture.game.start(), []
        for action in actions:
            chosen.append(state.to_move != CHANCE)
            state = state.play(action)
        return chosen

    def _next(self, state: State, number: int) -> int:
        if state.to_move == CHANCE:
            return draw(state, self._fixture.luck, number)
        seat = state.to_move
        bot, limits = self._bots[seat], self._conditions.limits()
        patience = bot.timeout_for(limits)
        begun = time.perf_counter()
        with self._roster.waiting(seat, patience):
            action = bot.play(state.conceal(seat), limits).action
        spent = time.perf_counter() - begun
        self._seconds[seat] += spent
        self._moves[seat] += 1
        if spent > patience:
            raise BotFailed(
                f"{bot.name!r} at seat {seat} took {spent:.3g} s to answer in {state.text!r}",
                f"nobody waits longer than {patience:g} s",
            )
        if not state.is_legal(action):
            raise BotFailed(
                f"{bot.name!r} at seat {seat} answered {action!r} in {state.text!r}",
                "that cannot be played",
            )
        return int(action)

    def _played(
        self, end: State, outcome: Outcome, actions: list[int], openings: int, seconds: float
    ) -> Played:
        fixture = self._fixture
        return Played(
            *fixture.key,
            fixture.luck,
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


def draw(state: State, luck: str, number: int) -> int:
    """What chance does before action ``number``: equal positions of a bout draw equally."""
    outcomes, weights = zip(*state.chance_outcomes, strict=True)
    return int(random.Random(f"{luck}/{number}").choices(outcomes, weights)[0])


def opening(game: Game, luck: str, plies: int) -> tuple[list[int], State]:
    """Random actions, ``plies`` of them by seats, and where they lead: never to the end."""
    for attempt in range(OPENING_TRIES):
        state, actions, left = game.start(), list[int](), plies
        while left and state.to_move != OVER:
            if state.to_move == CHANCE:
                action = draw(state, luck, len(actions))
            else:
                rng = random.Random(f"{luck}/opening {attempt}/{len(actions)}")
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
    names = tuple(name.replace(",", " ") for name in fixture.seats)  # A comma parts two seats.
    headers = {"luck": fixture.luck, "bout": str(fixture.bout), "rotation": str(fixture.rotation)}
    return replace(record, seats=names, headers=headers).format()
