"""Queued replies, or conditional moves: what the server plays when others play as expected.

A line is a list of moves from the position in which it was queued, the others' and one's own. Lines
form a tree: in every position there is at most one reply. They are no part of the log, and nobody
else sees them; what is played from them is an entry like any other.
"""

from __future__ import annotations

from collections.abc import Sequence

import msgspec

from watermeet.server.matches.errors import NoQueue
from watermeet.server.matches.match import PAUSED, PLAYING, Match
from watermeet.server.matches.setup import Correspondence
from watermeet.server.matches.writer import check_person, check_stage

MOST_LINES, LONGEST_LINE, MOST_MOVES = 20, 40, 200

Moves = tuple[str, ...]


class Queue(msgspec.Struct, frozen=True):
    """The lines of a seat from the position after entry ``base``; 0 is the first position."""

    base: int
    lines: tuple[Moves, ...]


def check_queue(match: Match, seat: int) -> None:
    """Raise NoQueue unless replies can be queued: in slow matches without chance or secrets."""
    check_stage(match, PLAYING, PAUSED)
    check_person(match, seat)
    if not isinstance(match.setup.time_control, Correspondence):
        raise NoQueue("the match has no days per turn", "replies are for slow matches")
    if match.game.chance or match.game.hidden:
        raise NoQueue("the game has chance or hidden information", "wait for your turn")


def make_queue(match: Match, seat: int, lines: Sequence[Sequence[str]]) -> Queue:
    """Check lines against the rules, and write their moves in the notation of the game.

    Raises NoQueue; and what State.play raises, for a move that isn't legal.
    """
    check_queue(match, seat)
    if match.state.to_move == seat:
        raise NoQueue("it is your turn", "play first, then queue your replies")
    if len(lines) > MOST_LINES or sum(map(len, lines)) > MOST_MOVES:
        raise NoQueue("that is too much", f"{MOST_LINES} lines, {MOST_MOVES} moves at most")
    replies: dict[Moves, str] = {}
    found = [_checked(match, seat, line, replies) for line in lines]
    base = match.last_step.seq if match.last_step else 0
    return Queue(base, tuple(dict.fromkeys(found)))


def _checked(match: Match, seat: int, line: Sequence[str], replies: dict[Moves, str]) -> Moves:
    if not 2 <= len(line) <= LONGEST_LINE:
        raise NoQueue("a line has at least a move and a reply", f"{LONGEST_LINE} moves at most")
    state, is_own = match.state, False
    done: Moves = ()
    for text in line:
        action = state.parse_move(text)
        is_own, move = state.to_move == seat, state.format(action)
        if is_own and replies.setdefault(done, move) != move:
            raise NoQueue(f"there are two replies to {' '.join(done)}", "choose one of them")
        state, done = state.play(action), (*done, move)
    if not is_own:
        raise NoQueue(f"{line[-1]!r} isn't yours", "a line ends with a reply of your own")
    return done


def remaining(match: Match, queue: Queue) -> tuple[Moves, ...]:
    """What is left of the lines in the position of the match; empty if it has left them all."""
    done: list[str] = []
    last = 0
    for step in match.steps_back():
        if step.seq <= queue.base:
            last = step.seq
            break
        done.append(match.state_before(step).format(step.action))
    if last != queue.base:  # More was undone than was played since.
        return ()
    played = tuple(done[::-1])
    count = len(played)
    return tuple(
        line[count:] for line in queue.lines if len(line) > count and line[:count] == played
    )
