"""What a worker is asked and what it answers: all that passes between the server and a worker.

A question holds the state as the seat knows it, by its array: so a bot cannot use what it may not
know, and what is sent does not change by a byte with what is hidden from the seat.
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

LENGTH_BYTES = 4
"""Every message is led by its length, so many bytes long, the highest first."""


class BotRequest(msgspec.Struct, frozen=True, tag="question"):
    """What would a bot of this level play?"""

    number: int
    match: str
    seat: int
    level: str
    game: str
    version: int
    options: Mapping[str, Value]
    array: bytes
    seconds: float | None
    """It may think so long at the most; None: as long as its level does."""

    def state(self) -> State:
        """The state, known to the seat alone."""
        game: Game = find_game(self.game).at_version(self.version).with_options(**self.options)
        array = np.frombuffer(self.array, dtype=game.dtype).copy()
        return State(game, array, self.seat)


class Stop(msgspec.Struct, frozen=True, tag="stop"):
    """Nobody waits any longer: answer now."""


class BotResponse(msgspec.Struct, frozen=True):
    """What it plays; or what went wrong."""

    number: int
    action: int = -1
    error: str = ""


Asked = BotRequest | Stop
_ASKED: msgspec.msgpack.Decoder[Asked] = msgspec.msgpack.Decoder(Asked)
_ANSWER = msgspec.msgpack.Decoder(BotResponse)


def make_request(match: Match, seat: int, seconds: float | None, number: int = 0) -> BotRequest:
    """What a worker is asked for a seat."""
    state = match.state.conceal(seat)
    return BotRequest(
        number,
        match.id,
        seat,
        match.seats[seat].bot,
        match.game.name,
        match.game.version,
        dict(match.game.options),
        state.array.tobytes(),
        seconds,
    )


def pack(message: Asked | BotResponse) -> bytes:
    """A message as it goes through a pipe."""
    body = msgspec.msgpack.encode(message)
    return len(body).to_bytes(LENGTH_BYTES, "big") + body


def decode_input(body: bytes) -> Asked:
    """What a worker is told; raises msgspec's errors."""
    return _ASKED.decode(body)


def decode_response(body: bytes) -> BotResponse:
    """What a worker tells; raises msgspec's errors."""
    return _ANSWER.decode(body)
