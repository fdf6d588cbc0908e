"""A match that has been agreed on, and is to be created with everybody seated."""

from __future__ import annotations

import msgspec

from watermeet.server.matches.setup import MatchSetup


class PlannedPlayer(msgspec.Struct, frozen=True):
    """Somebody who gets a seat."""

    seat: int
    user: str
    name: str
    is_registered: bool = False
    is_guest: bool = False


class Plan(msgspec.Struct, frozen=True):
    """A match to create; seats that no player gets are bots'."""

    setup: MatchSetup
    players: tuple[PlannedPlayer, ...]
    rematch_of: str = ""
    by: str = ""
    """The host who invited the others, of the match that is played again."""


_DECODER = msgspec.json.Decoder(Plan)


def encode_plan(plan: Plan) -> bytes:
    """A plan as JSON."""
    return msgspec.json.encode(plan)


def decode_plan(body: bytes) -> Plan:
    """A plan from JSON."""
    return _DECODER.decode(body)
