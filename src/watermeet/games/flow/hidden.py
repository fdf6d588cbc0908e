"""Hidden information: the others' hands, if there is no communication (R2.4, R8.1).

Cards that all saw at a wave are known, and stay in their hands when those are concealed.

Otherwise only the order of face-down tiles and cards is unknown, and those are drawn by chance.
"""

from __future__ import annotations

from watermeet.core.contract import RandomArray, StateArray
from watermeet.core.kernel import kernel
from watermeet.core.playout import copy_state
from watermeet.core.rng import next_below
from watermeet.games.flow import layout


@kernel
def conceal(state: StateArray, seat: int, out: StateArray) -> None:
    """Move the unknown cards of the others' hands to the pile, and count them."""
    copy_state(state, out)
    if (
        not state[layout.IN_PLAY + layout.NO_COMMUNICATION]
        or state[layout.STAGE] == layout.FINISHED
    ):
        return
    for other in range(int(state[layout.SEATS])):
        if other != seat:
            for card in range(layout.CARD_KINDS):
                place = other * layout.CARD_KINDS + card
                hidden = out[layout.HANDS + place] - out[layout.SHOWN + place]
                out[layout.HIDDEN_CARDS + other] += hidden
                out[layout.PILE + card] += hidden
                out[layout.HANDS + place] -= hidden


@kernel
def resample(concealed: StateArray, seat: int, rng: RandomArray, out: StateArray) -> None:
    """Deal the hidden hands from the unseen cards, uniformly at random."""
    copy_state(concealed, out)
    for other in range(int(out[layout.SEATS])):
        while out[layout.HIDDEN_CARDS + other] > 0:
            _draw_hidden(out, other, rng)
            out[layout.HIDDEN_CARDS + other] -= 1


@kernel
def _draw_hidden(state: StateArray, seat: int, rng: RandomArray) -> None:
    unseen = 0
    for card in range(layout.CARD_KINDS):
        unseen += int(state[layout.PILE + card])
    left = next_below(rng, unseen)
    for card in range(layout.CARD_KINDS):
        if left < state[layout.PILE + card]:
            state[layout.PILE + card] -= 1
            state[layout.HANDS + seat * layout.CARD_KINDS + card] += 1
            return
        left -= int(state[layout.PILE + card])
