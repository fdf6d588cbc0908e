"""Which actions a seat sees, and what they reveal to it."""

from __future__ import annotations

import random
import re

import pytest

import watermeet as wm
from watermeet.core.information import is_seen, reveals_information
from watermeet.core.kernel import plain_python
from watermeet.testing.matches import random_match

KINDS = [colour + shape for colour in "ROYGBP" for shape in "cxdsbv"]
DEAL = wm.game("kuhn_poker").start()


@pytest.mark.parametrize("seat", [None, 0, 1])
def test_only_the_owner_sees_a_dealt_card(seat: int | None) -> None:
    first, both = DEAL.play(0), DEAL.play(0).play(2)
    assert not is_seen(DEAL, 0, first, None)
    assert is_seen(DEAL, 0, first, 0)
    assert not is_seen(DEAL, 0, first, 1)
    assert is_seen(first, 2, both, seat) == (seat == 1)
    assert is_seen(both, 3, both.play(3), seat)


def test_without_hidden_information_every_action_is_seen() -> None:
    start = wm.game("flume", size=3).start()
    assert is_seen(start, 0, start.play(0), None)
    assert not reveals_information(start, 0, start.play(0), 1)


def test_public_outcomes_are_seen_even_if_nothing_changes() -> None:
    """Dice that hit nothing: several numbers lead to one state, and everybody saw the dice."""
    with plain_python():
        game = wm.game("flow")
        rng = random.Random(5)
        match = random_match(game, rng)
        for index, action in enumerate(match.actions):
            before, after = match.states[index], match.states[index + 1]
            for seat in (None, 0, 1):
                assert is_seen(before, action, after, seat)
                if before.to_move >= 0:
                    assert not reveals_information(before, action, after, seat)


def test_a_returned_tile_is_hidden_even_if_forced() -> None:
    """With tiles of one kind only, there is one tile to return. The others can't know that."""
    with plain_python():
        game = wm.game("qwirkle")
        rng = random.Random(3)
        match = random_match(game, rng, max_length=60)
        checked = 0
        for index, action in enumerate(match.actions):
            before, after = match.states[index], match.states[index + 1]
            if before.format(action).startswith("trade:"):
                checked += 1
                mover = before.to_move
                assert is_seen(before, action, after, mover)
                assert not is_seen(before, action, after, 1 - mover)
                assert not is_seen(before, action, after, None)
                if "aside=" not in before.text:  # The next one reveals something: they ascend.
                    assert not reveals_information(before, action, after, 1 - mover)
        assert checked


def test_a_forced_choice_reveals_nothing() -> None:
    """In the real world only one tile can be returned; in other worlds it would be another."""
    with plain_python():
        state = wm.game("qwirkle").start().sample(random.Random(1))
        for _ in range(40):
            if state.to_move == 1 and "trade:" in " ".join(state.legal_moves):
                break
            state = state.play(state.legal_actions[0]).sample(random.Random(1))
        theirs = re.search(r"hands=\w*/(\w*)", state.text)
        assert theirs is not None
        low, high = [kind for kind in KINDS if kind not in state.text][:2]
        hand = f"/{low * 3}{high * 3}"
        alike = wm.game("qwirkle").parse(state.text.replace(f"/{theirs[1]}", hand))
        alike = alike.play(f"trade:{high}")  # Those that follow ascend: there is no choice left.
        (move,) = (move for move in alike.legal_moves if move.startswith("trade:"))
        action = alike.parse_move(move)
        for seat in (0, None):
            assert not is_seen(alike, action, alike.play(action), seat)


def test_a_placed_tile_reveals_part_of_the_hand() -> None:
    with plain_python():
        state = wm.game("qwirkle").start().sample(random.Random(1))
        mover = state.to_move
        after = state.play(state.legal_actions[0])
        assert is_seen(state, state.legal_actions[0], after, 1 - mover)
        assert reveals_information(state, state.legal_actions[0], after, 1 - mover)
        assert not reveals_information(state, state.legal_actions[0], after, mover)


def test_a_chance_outcome_always_reveals_information() -> None:
    assert reveals_information(DEAL, 0, DEAL.play(0), 1)
    both = DEAL.play(0).play(2)
    assert not reveals_information(both, 3, both.play(3), 1)
    shown = both.play(3)
    assert reveals_information(shown, 3, shown.play(3), 0), "the cards are laid open"
    assert reveals_information(shown, 3, shown.play(3), 1), "to the mover as well"
