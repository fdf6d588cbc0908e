"""Play a whole match with a function that chooses moves."""

from __future__ import annotations

from collections.abc import Callable

from watermeet.client.connection import Connection
from watermeet.client.errors import ApiError
from watermeet.client.position import Position

OUTDATED = (
    "conflict",
    "not_your_turn",
    "out_of_time",
    "wrong_stage",
    "stand_in_plays",
    "no_such_offer",
)
"""Rejections because the match went on while we were thinking: a new position follows."""


def play_match(
    connection: Connection,
    match: str,
    choose: Callable[[Position], str | int],
    *,
    accept_offers: bool = True,
) -> Position:
    """Play a match to its end, and return the final position.

    ``choose`` gets the positions in which it is our turn. The connection follows this match only.
    """
    connection.follow(match)
    for position in connection.positions():
        if position.match != match:
            continue
        if position.is_over:
            return position
        if position.seat is None:
            continue
        try:
            for offer in position.offers:
                connection.command(match, "respond", what=offer["what"], accept=accept_offers)
            if position.is_our_turn:
                connection.play(position, choose(position))
        except ApiError as error:
            if error.server_code not in OUTDATED:
                raise
    raise AssertionError("positions never end")
