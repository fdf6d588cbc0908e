"""What seats may ask of each other, and the law of taking back.

Nothing is taken back past new information. That is a draw; the end of a shared minute; and an
action that told somebody what was hidden from him before. One thing is excepted: what a player
himself has shown to his opponents he may take back, for he alone pays for it.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from watermeet.core.contract import CHANCE
from watermeet.core.errors import suggest
from watermeet.core.game import Game
from watermeet.core.information import reveals_information
from watermeet.core.state import State
from watermeet.server.matches.errors import CannotUndo, NoSuchOffer, WrongStage

if TYPE_CHECKING:
    from watermeet.server.matches.match import Match, Proposal, Step

UNDO, PAUSE, RESUME, DRAW, STOP, REMATCH = "undo", "pause", "resume", "draw", "stop", "rematch"
STAGES = {
    UNDO: ("playing",),
    PAUSE: ("playing",),
    RESUME: ("paused",),
    DRAW: ("playing",),
    STOP: ("playing", "paused"),
    REMATCH: ("over", "gone"),
}
"""What can be offered, and in which stages."""


def knows_draw(game: Game) -> bool:
    """Whether a game lets its players agree on a draw. None declares it so far."""
    return False


def asked(match: Match, what: str) -> list[int]:
    """The seats whose consent it takes. Bots agree, and so do those for whom bots play."""
    if what == REMATCH:
        return match.people()
    return [number for number, seat in enumerate(match.seats) if seat.is_asked]


def is_agreed(match: Match, offer: Proposal) -> bool:
    """Whether all have agreed who are asked."""
    return offer.yes.issuperset(asked(match, offer.what))


def check_offer(match: Match, seat: int, what: str) -> None:
    """Raises unless a seat may offer this now."""
    if what not in STAGES:
        raise NoSuchOffer(f"{what!r} cannot be offered", suggest(what, STAGES))
    if match.stage not in STAGES[what]:
        raise WrongStage(
            f"{what} cannot be offered while the match is {match.stage}",
            f"it can while it is {' or '.join(STAGES[what])}",
        )
    if what == DRAW and not knows_draw(match.game):
        raise NoSuchOffer(f"{match.game.name} knows no draw by agreement", "play on, or resign")
    if what == REMATCH and match.rematch:
        raise NoSuchOffer("the rematch is agreed already", f"it is {match.rematch}")
    if seat not in asked(match, what):
        raise NoSuchOffer(f"seat {seat} has no say any more", "a bot plays it")
    offer = match.offer(what)
    if offer is not None and seat in offer.yes:
        raise NoSuchOffer(f"{what} is offered already", "wait for the answers, or withdraw it")
    if (seat, what) in match.declined:
        raise NoSuchOffer(f"{what} was declined", "offer it again after the next action")


# ---- taking back --------------------------------------------------------------------------------


def undo_steps(match: Match, seat: int, to_seq: int | None) -> list[Step]:
    """The actions that an undo takes back, the last one first; raises CannotUndo.

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
        raise CannotUndo(
            f"seat {seat} has played nothing that could be taken back",
            "an undo goes back to before an action of one's own",
        )
    _check_information(match, seat, found)
    return found


def is_free(match: Match, seat: int, steps: list[Step]) -> bool:
    """Whether nobody needs to be asked: within one's own turn, or against bots only."""
    is_own_turn = match.state.to_move == seat and all(step.mover == seat for step in steps)
    return is_own_turn or all(other == seat for other in asked(match, UNDO))


def _check_information(match: Match, seat: int, steps: list[Step]) -> None:
    for step in steps:
        if step.mover == CHANCE or step.by_clock:
            what = "chance has drawn" if step.mover == CHANCE else "a minute has ended"
            raise CannotUndo(f"{what} since then", "what came before that stands")
    after = match.state
    for step in steps:
        before = match.state_before(step)
        if any(
            reveals_information(before, step.action, after, other)
            for other in _who_counts(match, seat, step)
        ):
            raise CannotUndo(
                "somebody has learned something new since then", "what came before that stands"
            )
        after = before


def _who_counts(match: Match, seat: int, step: Step) -> Iterator[int]:
    """Whose new knowledge stands against an undo of a step that ``seat`` asks for."""
    own = next(team for team in match.game.teams if seat in team)
    for other in match.people():
        if step.mover != seat or other in own:
            yield other


def undo_target(steps: list[Step]) -> int:
    """The ``to_seq`` of an undo of these actions."""
    return steps[-1].seq - 1


def state_to_be(match: Match, steps: list[Step]) -> State:
    """The state that an undo of these actions leads to."""
    return match.state_before(steps[-1])
