"""The messages between the server and a bot worker: one JSON object per line.

A request holds the state as the seat knows it, so a bot can't use what it must not know. What is
hidden from the seat doesn't change a single byte of it.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, TypeVar

import msgspec
import numpy as np

from watermeet.bots.levels import hint_level
from watermeet.core.game import Game
from watermeet.core.options import Value
from watermeet.core.registry import game as find_game
from watermeet.core.state import State
from watermeet.server.matches.match import Match

R = TypeVar("R", bound="BotRequest")


class BotRequest(msgspec.Struct, frozen=True, tag="choose"):
    """Choose an action for a bot of this level."""

    id: int
    match: str
    seat: int
    level: str
    game: str
    version: int
    options: Mapping[str, Value]
    array: bytes
    seconds: float | None
    """The time limit; None for the level's own."""

    def state(self) -> State:
        """The state as the seat knows it."""
        game: Game = find_game(self.game).at_version(self.version).with_options(**self.options)
        array = np.frombuffer(self.array, dtype=game.dtype).copy()
        return State(game, array, self.seat)


class ThinkRequest(BotRequest, frozen=True, tag="think"):
    """Search as a bot of this level would, and report what was found."""


class Stop(msgspec.Struct, frozen=True, tag="stop"):
    """Respond to the current request at once."""


class Load(msgspec.Struct, frozen=True, tag="load"):
    """Load the compiled code of a game's bots, which play by plain Python until then."""

    game: str


class StepInfo(msgspec.Struct, frozen=True):
    """An action of a line: its notation, and what the game explains about it."""

    action: int
    move: str
    explanation: dict[str, Any]


class CandidateInfo(msgspec.Struct, frozen=True):
    """An action worth considering.

    ``value`` is the return that the seat expects, and ``proven`` says that it is exact. ``line``
    begins with the action itself and continues as far as the seat's turn goes.
    """

    action: int
    visits: int
    value: float
    proven: bool
    line: tuple[StepInfo, ...]


class Thoughts(msgspec.Struct, frozen=True):
    """What a search found for the seat to move, the best candidate first.

    ``worst`` and ``best`` are the least and the largest return of the game. ``nodes`` is 0 where
    nothing had to be searched, because there is only one legal action.
    """

    candidates: tuple[CandidateInfo, ...]
    worst: float
    best: float
    nodes: int
    seconds: float


class BotResponse(msgspec.Struct, frozen=True, omit_defaults=True):
    """The chosen action, or what was found, or what went wrong."""

    id: int
    action: int = -1
    thoughts: Thoughts | None = None
    error: str = ""


Input = BotRequest | ThinkRequest | Stop | Load
_INPUT: msgspec.json.Decoder[Input] = msgspec.json.Decoder(Input)
_RESPONSE = msgspec.json.Decoder(BotResponse)
decode_input, decode_response = _INPUT.decode, _RESPONSE.decode


def encode(message: Input | BotResponse) -> bytes:
    """A message as a line."""
    return msgspec.json.encode(message) + b"\n"


def make_request(match: Match, seat: int, seconds: float | None) -> BotRequest:
    """The request for a bot's seat; the worker numbers it."""
    return _request(BotRequest, match, seat, match.seats[seat].bot, seconds)


def make_think_request(match: Match, seat: int, seconds: float) -> ThinkRequest:
    """The request for a hint: it knows what a bot on that seat would, and has the top level."""
    return _request(ThinkRequest, match, seat, hint_level(match.game).name, seconds)


def make_position_request(known: State, seconds: float) -> ThinkRequest:
    """The request for a position of no match, as its seat to move knows it."""
    level = hint_level(known.game).name
    return _state_request(ThinkRequest, "", known, known.to_move, level, seconds)


def _request(kind: type[R], match: Match, seat: int, level: str, seconds: float | None) -> R:
    return _state_request(kind, match.id, match.state.conceal(seat), seat, level, seconds)


def _state_request(
    kind: type[R], match: str, known: State, seat: int, level: str, seconds: float | None
) -> R:
    game, array = known.game, known.array.tobytes()
    options = dict(game.options)
    return kind(0, match, seat, level, game.name, game.version, options, array, seconds)
