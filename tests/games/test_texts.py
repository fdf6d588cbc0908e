"""Texts and pictures of every game, with the options of its golden records."""

from __future__ import annotations

import random
from functools import cache

import pytest
from hypothesis import given
from hypothesis import strategies as st

import watermeet as wm
from watermeet.testing import random_match
from watermeet.testing.folders import built_in_games
from watermeet.testing.goldens import golden_files

pytestmark = pytest.mark.compiled  # Every game with many options.
STATES = 5
"""How many states of each match are looked at."""
MOVES = 120
"""How many moves a match has at most."""


@cache
def states_of(name: str) -> tuple[wm.State, ...]:
    """States of random matches of a game, with many options."""
    found = []
    for file, game in golden_files(wm.game(name)).items():
        rng = random.Random(f"{name} {file}")
        states = random_match(game, rng, max_length=MOVES).states
        found += [*rng.sample(states, min(STATES, len(states))), states[-1]]
    return tuple(found)


@pytest.mark.parametrize("name", built_in_games())
def test_what_a_seat_knows_survives_a_round_trip(name: str) -> None:
    """Unless the game can't read what is hidden; the conformance kit tests full states."""
    for state in states_of(name):
        for seat in (None, *range(state.game.seats)):
            known = state.conceal(seat)
            identity = state.game.sizes.identity
            try:
                array = state.game.parse(known.text).array
            except wm.InvalidNotation:
                assert "??" in known.text
                continue
            assert array[:identity].tolist() == known.array[:identity].tolist()


@pytest.mark.parametrize("name", built_in_games())
def test_every_action_has_a_text_and_an_explanation(name: str) -> None:
    """Also those that can't be played, and in the eyes of others."""
    for state in states_of(name)[::4]:
        rng, actions = random.Random(state.text), range(state.game.sizes.actions)
        legal = set(state.legal_actions)
        for action in rng.sample(actions, min(300, len(actions))):
            assert state.format(action)
            assert state.explain(action).legal == (action in legal)
            assert state.conceal(None).explain(action).sentence.endswith(".")


def mutated(text: str, data: st.DataObject) -> str:
    """The text with another letter, or with one more or less."""
    place = data.draw(st.integers(0, len(text)))
    letter: str = data.draw(st.sampled_from([*"abcgswx0123*?-/=!;,.@ ", *sorted(set(text))]))
    return text[:place] + letter + text[place + data.draw(st.integers(0, 2)) :]


@pytest.mark.parametrize("name", built_in_games())
@given(st.data())
def test_no_text_of_a_state_crashes(name: str, data: st.DataObject) -> None:
    """Any text is a playable state, or InvalidNotation."""
    state = data.draw(st.sampled_from(states_of(name)))
    text = data.draw(st.one_of(st.text(max_size=20), st.just(state.text)))
    for _ in range(data.draw(st.integers(1, 2))):
        text = mutated(text, data)
    try:
        found = state.game.parse(text)
    except wm.InvalidNotation:
        return
    assert state.game.parse(found.text) == found
    if "?" not in found.text:  # Nobody can play on with what is unknown.
        moves = found.legal_moves
        assert bool(moves) == (found.to_move != wm.OVER)
        if moves:
            after = found.play(data.draw(st.sampled_from(moves)))
            assert state.game.parse(after.text) == after


@pytest.mark.parametrize("name", built_in_games())
@given(st.data())
def test_no_text_of_a_move_crashes(name: str, data: st.DataObject) -> None:
    """Any text is a move, or InvalidNotation."""
    state = data.draw(st.sampled_from(states_of(name)))
    moves = st.sampled_from(state.legal_moves or ("a1",))
    text = mutated(data.draw(st.one_of(st.text(max_size=12), moves)), data)
    try:
        action = state.parse_move(text)
    except wm.InvalidNotation:
        return
    if state.is_legal(action):
        assert state.parse_move(state.format(action)) == action


@pytest.mark.parametrize("name", built_in_games())
def test_any_last_action_can_be_shown(name: str) -> None:
    """Also one that was never played; a terminal has 80 columns, and maybe only ASCII."""
    for state in states_of(name)[::3]:
        rng = random.Random(state.text)
        last = rng.sample(range(state.game.sizes.actions), 3)
        assert state.render_svg(last=last) == state.render_svg(last=last)
        text = state.render(last=last)
        assert text.ascii.plain.isascii()
        for line in text.plain.splitlines():
            assert len(line) <= 80
            assert line == line.rstrip()


def test_notebooks_show_the_picture() -> None:
    state = wm.game(built_in_games()[0]).start()
    assert state._repr_svg_() == state.render_svg()
