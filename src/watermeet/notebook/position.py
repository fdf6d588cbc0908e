"""What a board in a notebook shows: plain data, as web/src/embed/notebook/kernel.ts says."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from watermeet.cli.opponents import thoughts_of
from watermeet.core.contract import CHANCE

if TYPE_CHECKING:
    from watermeet.cli.match import Match
    from watermeet.core.state import State
    from watermeet.search.result import SearchResult

Shown = dict[str, Any]


def show(
    match: Match, viewer: int | None, at: int, *, since: int, result: str = "", **more: object
) -> Shown:
    """The position after ``at`` actions, for a viewer who last saw that after ``since``."""
    new = range(since, at) if since < at else range(0)
    return {
        "view": match.states[at].view(viewer),
        "before": match.states[since].view(viewer) if new else None,
        "moves": [_move(match, index, viewer) for index in new],
        "last": _last_turn(match, at, viewer),
        "names": list(match.players),
        "you": viewer,
        "thinking": "",
        "result": result,
        "canUndo": False,
        "refusal": None,
        "thoughts": None,
        "step": None,
        **more,
    }


def thoughts(state: State, thought: SearchResult) -> dict[str, object]:
    """What a search thinks."""
    found = thoughts_of(state, thought)
    keys = ("move", "chances", "words")
    listed = [dict(zip(keys, each, strict=True)) for each in found.candidates]
    return {"candidates": listed, "expects": found.expects, "effort": found.effort}


def stops_of(states: Sequence[State]) -> list[int]:
    """The positions to stop at when stepping: wherever a seat is to move, and the end."""
    last = len(states) - 1
    return [index for index, state in enumerate(states) if state.to_move != CHANCE or index == last]


def _move(match: Match, index: int, viewer: int | None) -> dict[str, object]:
    mover, seen = match.mover(index), match.is_seen(index, viewer)
    return {
        "seq": index + 1,
        "at": 0,
        "seat": None if mover == CHANCE else mover,
        "move": match.entries[index].move.removeprefix("~") if seen else None,
        "spent_ms": 0,
        "by_timer": False,
        "action": match.actions[index] if seen else None,
    }


def _last_turn(match: Match, at: int, viewer: int | None) -> list[str]:
    """The moves of the last turn that the viewer saw."""
    moves: list[str] = []
    mover: int | None = None
    for index in reversed(range(at)):
        if match.mover(index) == CHANCE:
            continue
        if mover is not None and match.mover(index) != mover:
            break
        mover = match.mover(index)
        if match.is_seen(index, viewer):
            moves.append(match.entries[index].move)
    return moves[::-1]
