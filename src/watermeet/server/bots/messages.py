"""The messages between the server and a bot worker: one JSON object per line.

A request holds the state as the seat knows it, so a bot can't use what it must not know. What is
hidden from the seat doesn't change a single byte of it.
"""

from __future__ import annotations

from collections.abc import Mapping

import msgspec
import numpy as np

from watermeet.core.game import Game
from watermeet.core.options import Value
from watermeet.core.registry import game as find_game
from watermeet.core.state import State
from watermeet.server.matches.match import Match


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


class Stop(msgspec.Struct, frozen=True, tag="stop"):
    """Respond to the current request at once."""


class Load(msgspec.Struct, frozen=True, tag="load"):
    """Load the compiled code of a game's bots, which play by plain Python until then."""

    game: str


class BotResponse(msgspec.Struct, frozen=True):
    """The chosen action, or what went wrong."""

    id: int
    action: int = -1
    error: str = ""


_INPUT: msgspec.json.Decoder[BotRequest | Stop | Load] = msgspec.json.Decoder(
    BotRequest | Stop | Load
)
_RESPONSE = msgspec.json.Decoder(BotResponse)
decode_input, decode_response = _INPUT.decode, _RESPONSE.decode


def encode(message: BotRequest | Stop | Load | BotResponse) -> bytes:
    """A message as a line."""
    return msgspec.json.encode(message) + b"\n"


def make_request(match: Match, seat: int, seconds: float | None) -> BotRequest:
    """The request for a bot's seat; the worker numbers it."""
    game = match.game
    array = match.state.conceal(seat).array.tobytes()
    level, options = match.seats[seat].bot, dict(game.options)
    return BotRequest(0, match.id, seat, level, game.name, game.version, options, array, seconds)
