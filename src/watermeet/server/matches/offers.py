"""Offers between seats, and the law of undo.

Nothing is undone past the end of the shared timer. Whoever plays against bots alone may undo
everything else; among people all others must agree, but for what a player has done within their own
turn, while chance has decided nothing and no partner has learned anything.
"""

from __future__ import annotations

from typing import Literal

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
    if any(_is_by_somebody_away(match, step) for step in found if step.mover != seat):
        raise CannotUndo(
            "somebody who is away has played since then", "they may agree once they are back"
        )
    if any(step.by_timer for step in found):
        raise CannotUndo(
            "the timer has expired since then", "what came before that can't be undone"
        )
    return found


def _is_by_somebody_away(match: Match, step: Step) -> bool:
    """Whether a person whom a bot stands in for now has played this themselves."""
    if step.mover == CHANCE:
        return False
    seat = match.seats[step.mover]
    return bool(seat.stand_in) and not seat.out and step.seq < seat.stood_in_seq


def objection(match: Match, seat: int, steps: list[Step]) -> str:
    """Why the others have to agree to an undo of these actions; empty if they don't."""
    if not match.setup.is_rated and all(other == seat for other in voters(match, UNDO)):
        return ""
    movers = {step.mover for step in steps}
    if movers - {seat, CHANCE}:
        return "others have played since then"
    if CHANCE in movers:
        return "chance has decided since then"
    if match.state.to_move != seat:
        return "your turn is over"
    return "your partners have learned something since then" if _teaches(match, seat, steps) else ""


def _teaches(match: Match, seat: int, steps: list[Step]) -> bool:
    """Whether somebody of the seat's own team has learned something by what it did.

    What it has revealed to its opponents costs nobody but itself.
    """
    team = next(team for team in match.game.teams if seat in team)
    after = match.state
    for step in steps:
        before = match.state_before(step)
        for other in set(team) & set(match.people()):
            if reveals_information(before, step.action, after, other):
                return True
        after = before
    return False


UndoKind = Literal["", "free", "consent"]
"""Whether a seat can undo its last action: not at all, at once, or if the others agree."""


def undo_kind(match: Match, seat: int | None) -> UndoKind:
    """How a seat can undo its last action now."""
    if seat is None or match.stage != PLAYING or match.seats[seat].bot:
        return ""
    try:
        steps = undo_steps(match, seat, None)
    except (CannotUndo, NothingToUndo):
        return ""
    if not objection(match, seat, steps):
        return "free"
    is_refused = match.setup.is_rated or (seat, UNDO) in match.declined
    return "" if is_refused or seat not in voters(match, UNDO) else "consent"


def undo_target(steps: list[Step]) -> int:
    """The ``to_seq`` of an undo of these actions."""
    return steps[-1].seq - 1
