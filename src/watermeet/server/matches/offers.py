"""Offers between seats, and the law of undo.

Nothing is undone past new information: a chance outcome, the end of the shared timer, or an action
that revealed something hidden. One exception: players may take back what they have revealed to
their opponents, since it costs nobody but themselves.
"""

from __future__ import annotations

from collections.abc import Iterator

from watermeet.core.contract import CHANCE
from watermeet.core.errors import suggest
from watermeet.core.information import reveals_information
from watermeet.server.matches.errors import CannotUndo, NoSuchOffer, NothingToUndo, WrongStage
from watermeet.server.matches.match import (
    ABORTED,
    FINISHED,
    PAUSED,
    PLAYING,
    Match,
    PendingOffer,
    Step,
)

UNDO, PAUSE, RESUME, ABORT, REMATCH = "undo", "pause", "resume", "abort", "rematch"
STAGES = {
    UNDO: (PLAYING,),
    PAUSE: (PLAYING,),
    RESUME: (PAUSED,),
    ABORT: (PLAYING, PAUSED),
    REMATCH: (FINISHED, ABORTED),
}
"""What can be offered, and in which stages."""


def voters(match: Match, what: str) -> list[int]:
    """The seats that have to accept. Bots always do, and so do seats that bots stand in for."""
    if what == REMATCH:
        return match.people()
    return [number for number, seat in enumerate(match.seats) if seat.has_say]


def is_accepted(match: Match, offer: PendingOffer) -> bool:
    """Whether everybody who has to accept has done so."""
    return set(voters(match, offer.what)) <= set(offer.accepted_by)


def check_offer(match: Match, seat: int, what: str) -> None:
    """Raise unless a seat may offer this now."""
    if what not in STAGES:
        raise NoSuchOffer(f"{what!r} can't be offered", suggest(what, STAGES))
    if match.stage not in STAGES[what]:
        raise WrongStage(
            f"{what} can't be offered while the match is {match.stage}",
            f"it can while it is {' or '.join(STAGES[what])}",
        )
    if what == UNDO and match.setup.is_rated:
        raise NoSuchOffer("the match is rated", "you can undo within your own turn")
    if what == REMATCH and not match.began_at:
        raise NoSuchOffer("this match never began", "create a new one")
    if what == REMATCH and match.rematch:
        raise NoSuchOffer("the rematch is agreed already", f"it is {match.rematch}")
    if seat not in voters(match, what):
        raise NoSuchOffer(f"seat {seat} has no say any more", "a bot plays it")
    offer = match.offer(what)
    if offer is not None and seat in offer.accepted_by:
        raise NoSuchOffer(f"{what} is offered already", "wait for the others, or withdraw it")
    if (seat, what) in match.declined:
        raise NoSuchOffer(f"{what} was declined", "offer it again after the next action")


# ---- undo ---------------------------------------------------------------------------------------


def undo_steps(match: Match, seat: int, to_seq: int | None) -> list[Step]:
    """The actions that an undo takes back, the last one first.

    Raises NothingToUndo, CannotUndo.

    Without ``to_seq`` it goes back to before the seat's last action.
    """
    found: list[Step] = []
    for step in match.steps_back():
        if to_seq is not None and step.seq <= to_seq:
            break
        found.append(step)
        if to_seq is None and step.mover == seat:
            break
    if not found or found[-1].mover != seat:
        raise NothingToUndo(
            "you have nothing to undo there", "an undo goes back to before an action of your own"
        )
    _check_information(match, seat, found)
    return found


def is_free(match: Match, seat: int, steps: list[Step]) -> bool:
    """Whether nobody has to agree: within one's own turn, or against bots only."""
    is_own_turn = match.state.to_move == seat and all(step.mover == seat for step in steps)
    is_against_bots = all(other == seat for other in voters(match, UNDO))
    return is_own_turn or (is_against_bots and not match.setup.is_rated)


def _check_information(match: Match, seat: int, steps: list[Step]) -> None:
    hint = "what came before that can't be undone"
    for step in steps:
        if step.mover == CHANCE or step.by_timer:
            what = "chance has decided" if step.mover == CHANCE else "the timer has expired"
            raise CannotUndo(f"{what} since then", hint)
    after = match.state
    for step in steps:
        before = match.state_before(step)
        for other in _who_counts(match, seat, step):
            if reveals_information(before, step.action, after, other):
                raise CannotUndo("somebody has learned something since then", hint)
        after = before


def _who_counts(match: Match, seat: int, step: Step) -> Iterator[int]:
    """Whose new knowledge prevents ``seat`` from undoing a step."""
    own = next(team for team in match.game.teams if seat in team)
    for other in match.people():
        if step.mover != seat or other in own:
            yield other


def undo_target(steps: list[Step]) -> int:
    """The ``to_seq`` of an undo of these actions."""
    return steps[-1].seq - 1
