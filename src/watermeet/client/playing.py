"""Plays a whole match with a function that chooses moves."""

from __future__ import annotations

from collections.abc import Callable

from watermeet.client.errors import ServerRefused
from watermeet.client.line import Line
from watermeet.client.position import Position

PASSED_BY = ("conflict", "not_your_turn", "time_is_up", "wrong_stage", "stand_in_plays")
"""Refusals that say that the match has gone on while we thought: there is a new position."""


def play(
    line: Line, match: str, choose: Callable[[Position], str | int], *, agrees: bool = True
) -> Position:
    """Plays a match to its end, and returns how it stands then.

    ``choose`` is given positions in which it is our turn. What others offer is agreed to, or not.
    The line follows this match alone.
    """
    line.follow(match)
    for position in line.positions():
        if position.match != match:
            continue
        if position.is_over:
            return position
        if position.seat is None:
            continue
        try:
            for offer in position.offers:
                line.do(match, "answer", what=offer["what"], yes=agrees)
            if position.is_our_turn:
                line.play(position, choose(position))
        except ServerRefused as refused:
            if refused.server_code not in (*PASSED_BY, "no_such_offer"):
                raise
    raise AssertionError("positions never end")
