"""The opening explorer: what was played in a position, and how those matches ended.

Positions that are images of each other under the game's symmetries count as one, and so do moves
that lead to the same position up to symmetry. It serves games whose first moves everybody sees and
nobody draws: where chance or hidden hands open a match, no two matches share an opening.

``openings.txt`` in a game's folder holds engine matches, which ``watermeet openings`` plays.
"""

from __future__ import annotations

import hashlib
import random
import threading
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from importlib import resources
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from watermeet.bots.search_bot import SearchBot
from watermeet.bots.specs import level_of
from watermeet.core.checks import require_type
from watermeet.core.contract import OVER
from watermeet.core.errors import InvalidArgument
from watermeet.core.features import NO_CODE, Symmetry
from watermeet.core.game import Game
from watermeet.core.state import State

FILE = "openings.txt"
PLIES = 12
"""How many moves of a match are counted. Later positions hardly ever come up twice."""
KEY_BYTES = 16
_COUNTING = threading.Lock()
VARIED_PLIES, TEMPERATURE = 8, 0.03
"""Engines vary their first moves among those that look nearly as good, then play their best."""


def has_openings(game: Game) -> bool:
    """Whether an opening can be played twice: no chance, and nothing hidden."""
    return not (game.chance or game.hidden)


def require_openings(game: Game) -> None:
    """Raise InvalidArgument for a game that chance or hidden information opens."""
    if not has_openings(game):
        raise InvalidArgument(
            f"{game.name} has no openings: chance or hidden information decides its first moves",
            "explore a game without them",
        )


# ---- positions ----------------------------------------------------------------------------------


@dataclass(frozen=True, eq=False)
class Position:
    """A state up to symmetry: its key, and the symmetries that map it to the form with that key."""

    key: bytes
    symmetries: tuple[Symmetry, ...]

    def code(self, code: int) -> int:
        """The code of a move, the same for all moves that are images of each other here."""
        return min(int(each.codes[code]) for each in self.symmetries)


def position_of(state: State) -> Position:
    """The position of a state in which a seat is to move."""
    require_type(state, State, "a state")
    game, seat = state.game, state.to_move
    features = game.features.of(state, seat)
    images = [image.tobytes() for image in features[_images(game)]]
    least = min(images)
    text = f"{game.describe()}:{seat}:".encode()
    key = hashlib.blake2b(text + least, digest_size=KEY_BYTES).digest()
    found = zip(images, game.features.symmetries, strict=True)
    return Position(key, tuple(each for image, each in found if image == least))


@lru_cache(maxsize=64)
def _images(game: Game) -> NDArray[np.int64]:
    """For each symmetry, where each feature of the image comes from."""
    return np.array([np.argsort(each.features) for each in game.features.symmetries])


def _codes(state: State) -> dict[int, int]:
    """The codes of the legal actions that have one."""
    codes = state.game.features.codes_of(state).tolist()
    pairs = zip(state.legal_actions, codes, strict=True)
    return {action: code for action, code in pairs if code != NO_CODE}


# ---- counting -----------------------------------------------------------------------------------


class Tally(NamedTuple):
    """How the matches ended in which a move was played, for whoever played it.

    ``plies`` is the number of moves of all these matches together.
    """

    wins: int = 0
    draws: int = 0
    losses: int = 0
    plies: int = 0

    @property
    def matches(self) -> int:
        """How many matches there are."""
        return self.wins + self.draws + self.losses

    def plus(self, other: Tally) -> Tally:
        """Both together."""
        return Tally(*(mine + theirs for mine, theirs in zip(self, other, strict=True)))


Tallies = dict[bytes, dict[int, Tally]]
"""By the key of a position and the code of a move in it."""


def tally_match(start: State, actions: Sequence[int], returns: Sequence[float]) -> Tallies:
    """What a match adds: its first moves, each with the result for its seat."""
    found: Tallies = {}
    _add_match(found, {}, start, actions, len(actions), returns)
    return found


def _add_match(
    tallies: Tallies,
    known: dict[tuple[int, ...], tuple[bytes, int, int, State]],
    start: State,
    actions: Sequence[int],
    plies: int,
    returns: Sequence[float],
) -> None:
    """Add a match; ``known`` remembers the beginnings that matches share."""
    state, mean = start, sum(returns) / max(1, len(returns))
    for number, action in enumerate(actions[:PLIES], 1):
        step = known.get(tuple(actions[:number]))
        if step is None:
            code = _codes(state).get(action)
            if code is None:
                return
            position = position_of(state)
            step = position.key, position.code(code), state.to_move, state.play(action)
            known[tuple(actions[:number])] = step
        key, code, seat, state = step
        gain = returns[seat] - mean
        result = Tally(int(gain > 0), int(gain == 0), int(gain < 0), plies)
        moves = tallies.setdefault(key, {})
        moves[code] = moves.get(code, Tally()).plus(result)


# ---- exploring ----------------------------------------------------------------------------------


@dataclass(frozen=True)
class OpeningMove:
    """A move that was played; ``also`` are moves that come to the same by symmetry."""

    action: int
    move: str
    also: tuple[str, ...]
    wins: int
    draws: int
    losses: int
    length: float
    """The moves of a match on average."""

    @property
    def matches(self) -> int:
        """In how many matches it was played."""
        return self.wins + self.draws + self.losses


def explore(state: State, tallies: Mapping[int, Tally]) -> list[OpeningMove]:
    """The moves that were played in a state, the most frequent first."""
    require_type(state, State, "a state")
    if state.to_move < 0 or not tallies:
        return []
    position = position_of(state)
    actions: dict[int, list[int]] = {}
    for action, code in _codes(state).items():
        actions.setdefault(position.code(code), []).append(action)
    found = []
    for code, (first, *others) in actions.items():
        tally = tallies.get(code, Tally())
        if tally.matches:
            also = tuple(state.format(action) for action in others)
            length = tally.plies / tally.matches
            found.append(OpeningMove(first, state.format(first), also, *tally[:3], length))
    return sorted(found, key=lambda each: -each.matches)


def play_moves(game: Game, moves: Iterable[str | int]) -> State:
    """The state after these moves from the start; raises IllegalMove, InvalidNotation."""
    require_openings(game)
    state = game.start()
    for move in moves:
        state = state.play(move)
    return state


def engine_openings(game: Game, moves: Iterable[str | int] = ()) -> list[OpeningMove]:
    """What engines played after these moves, from the file in the game's folder."""
    state = play_moves(game, moves)
    if state.to_move == OVER:
        return []
    return explore(state, engine_tallies(game).get(position_of(state).key, {}))


# ---- engine matches -----------------------------------------------------------------------------


def engine_tallies(game: Game) -> Tallies:
    """The engine matches of a game under these options, counted once; none if there is no file."""
    with _COUNTING:
        return _engine_tallies(game)


@lru_cache(maxsize=16)
def _engine_tallies(game: Game) -> Tallies:
    tallies: Tallies = {}
    known: dict[tuple[int, ...], tuple[bytes, int, int, State]] = {}
    matches = list(read_matches(game))
    shared = Counter(
        tuple(actions[:number]) for actions, _, _ in matches for number in range(1, PLIES + 1)
    )
    for actions, plies, returns in matches:
        alone = [n for n in range(1, len(actions) + 1) if shared[tuple(actions[:n])] == 1]
        kept = actions[: alone[0]] if alone else actions  # What one match alone played says little.
        _add_match(tallies, known, game.start(), kept, plies, returns)
    return tallies


def has_engine_matches(game: Game) -> bool:
    """Whether there are engine matches under these options."""
    return bool(_lines(game))


@lru_cache(maxsize=16)
def _lines(game: Game) -> tuple[str, ...]:
    """A line for each match; none if they were played under other options, or older rules."""
    file = resources.files(game.package) / FILE
    if not file.is_file():
        return ()
    lines = [line for line in file.read_text(encoding="utf-8").splitlines() if line[:1] != "#"]
    return tuple(lines[1:]) if lines and lines[0] == game.describe() else ()


def read_matches(game: Game) -> Iterator[tuple[list[int], int, list[float]]]:
    """The engine matches in a game's folder: first actions, how many in all, and the returns."""
    states: dict[tuple[str, ...], State] = {(): game.start()}
    for line in _lines(game):
        returns, plies, *words = line.split()
        actions = []
        for number, word in enumerate(words, 1):
            before, path = states[tuple(words[: number - 1])], tuple(words[:number])
            actions.append(before.parse_move(word))
            if path not in states:
                states[path] = before.play(actions[-1])
        yield actions, int(plies), [float(each) for each in returns.split(",")]


def play_matches(
    game: Game,
    specs: Sequence[str],
    count: int,
    *,
    seed: int = 0,
    progress: Callable[[], None] = lambda: None,
) -> Iterator[str]:
    """Have levels of a game play each other, and write each match as a line of the file.

    Each of the ``specs`` plays itself, in turn: stronger play and weaker play, both balanced.
    """
    require_openings(game)
    if not specs:
        raise InvalidArgument("there are no bots", "name at least one")
    levels = [level_of(game, spec) for spec in specs]
    for spec, level in zip(specs, levels, strict=True):
        if level is None:
            raise InvalidArgument(f"{spec} isn't a level", "give a level of the game")
    for number in range(count):
        level = levels[number % len(levels)]
        assert level is not None, "checked above"
        bot = SearchBot(game, level, seed=(seed, number))
        rng = random.Random(f"{seed} {number}")
        words: list[str] = []
        state = game.start()
        while state.to_move != OVER:
            temperature = TEMPERATURE if len(words) < VARIED_PLIES else level.temperature
            action = bot.analyse(state).choose(temperature, rng)
            words.append(state.format(action))
            state = state.play(action)
        outcome = state.outcome
        assert outcome is not None, "the match is over"
        returns = ",".join(f"{each:g}" for each in outcome.returns)
        yield " ".join([returns, str(len(words)), *words[:PLIES]])
        progress()
