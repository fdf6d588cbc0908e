"""What a search found, in the words of the game: for hints."""

from __future__ import annotations

from collections.abc import Sequence

from watermeet.core.errors import WatermeetError
from watermeet.core.state import State
from watermeet.search.result import SearchResult
from watermeet.server.bots.messages import CandidateInfo, StepInfo, Thoughts

MAX_CANDIDATES = 5


def thoughts_of(known: State, result: SearchResult) -> Thoughts:
    """The best candidates of a search from a state as its mover knows it."""
    worst, best = known.game.returns_range
    return Thoughts(
        tuple(
            CandidateInfo(
                candidate.action,
                candidate.visits,
                candidate.value,
                result.proven and place == 0,
                line_of(known, result.pv if place == 0 else (candidate.action,)),
            )
            for place, candidate in enumerate(result.candidates[:MAX_CANDIDATES])
            if place == 0 or candidate.visits  # Of the others nothing is known.
        ),
        float(worst),
        float(best),
        result.nodes,
        result.seconds,
    )


def line_of(known: State, actions: Sequence[int]) -> tuple[StepInfo, ...]:
    """The first actions, as long as the same seat is to move and knows what happens."""
    steps: list[StepInfo] = []
    state, seat = known, known.to_move
    for action in actions:
        if state.to_move != seat or not state.is_legal(action):
            break
        explanation = state.explain(action).as_json()
        steps.append(StepInfo(action, state.format(action), explanation))
        try:
            state = state.play(action)
        except WatermeetError:  # It depends on what the seat doesn't know.
            break
    return tuple(steps)
