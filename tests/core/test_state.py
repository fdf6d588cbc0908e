"""States as values, their errors, and what a seat knows; for every registered game."""

from __future__ import annotations

import copy
import json
import pickle
import random
from collections import Counter

import pytest
from hypothesis import given
from hypothesis import strategies as st

import watermeet as wm
from watermeet.core.state import OMNISCIENT
from watermeet.testing import option_sets, random_match, strategies

HIDDEN = wm.game("kuhn_poker")
OPEN = next(wm.game(name) for name in wm.games() if wm.game(name).declared_options)


def test_states_differ_by_game_and_knowledge() -> None:
    start = HIDDEN.start()
    assert start != OPEN.start()
    assert start != "a text"
    dealt = start.play_all(["0", "1"])
    assert dealt.conceal(0) != dealt.conceal(1)
    assert dealt.conceal(0) != dealt


def test_states_differ_by_options() -> None:
    games = {OPEN.with_options(**options) for options in option_sets(OPEN)}
    starts = {game.start() for game in games}
    assert len(starts) == len(games) > 1
    assert OPEN.with_options() == OPEN
    assert OPEN != "a text"


def test_copies_and_pickles_are_equal() -> None:
    state = HIDDEN.start().play_all(["2", "0", "3"])
    assert copy.copy(state) is copy.deepcopy(state) is state
    assert pickle.loads(pickle.dumps(state)) == state
    known = state.conceal(1)
    assert pickle.loads(pickle.dumps(known)) == known
    assert pickle.loads(pickle.dumps(OPEN.start())).game is not OPEN


def test_a_pickle_of_another_version_is_refused() -> None:
    content = pickle.dumps(HIDDEN.start(), protocol=0)
    other = content.replace(b"watermeet_kuhn_poker\np2\nI1\n", b"watermeet_kuhn_poker\np2\nI9\n")
    assert other != content
    with pytest.raises(wm.VersionMismatch, match="written under version 9"):
        pickle.loads(other)


def test_reprs() -> None:
    assert repr(HIDDEN) == "<game kuhn_poker@1>"
    assert repr(HIDDEN.start()).startswith("<state of kuhn_poker@1: ")
    assert str(HIDDEN.start()) == HIDDEN.start().text
    assert HIDDEN.start()._repr_svg_() is None
    assert HIDDEN.start().describe("2") == "", "the game has no words for moves"


@pytest.mark.parametrize("action", [-1, 5, 10**30])
def test_numbers_out_of_range_are_not_actions(action: int) -> None:
    with pytest.raises(wm.InvalidNotation, match="actions are 0 to 4"):
        HIDDEN.start().play(action)
    assert HIDDEN.start().explain(action).code == "unreadable"


@pytest.mark.parametrize("move", ["", "x", "-1", "5", "99999999999", "1 2", "²"])
def test_unreadable_moves_are_refused(move: str) -> None:
    with pytest.raises(wm.InvalidNotation, match="a move is a number from 0 to 4"):
        HIDDEN.start().play(move)


def test_an_illegal_move_says_what_where_and_why() -> None:
    state = HIDDEN.start().play("0")
    with pytest.raises(wm.IllegalMove) as refused:
        state.play("0")
    error = refused.value
    assert "'0'" in error.message
    assert state.text in error.message
    assert error.hint == "0 isn't a legal move here."
    assert error.as_json()["code"] == "illegal_move"
    assert error.explanation is not None
    assert error.explanation.code == "not_listed"
    assert pickle.loads(pickle.dumps(error)).explanation == error.explanation
    with pytest.raises(wm.IllegalMove, match="action 0 is illegal"):
        state.play(0)


@pytest.mark.parametrize(
    "text", ["", "nonsense", "0.0#00000000", "-1.-1.0.0.0.0#ffffffff", "9" * 5000]
)
def test_unreadable_states_are_refused(text: str) -> None:
    with pytest.raises(wm.InvalidNotation, match="isn't a state of kuhn_poker@1"):
        HIDDEN.parse(text)


def test_the_default_text_of_a_state_cannot_be_tampered_with() -> None:
    """Kernels must never see numbers that they didn't write."""
    text = HIDDEN.start().play("0").text
    with pytest.raises(wm.InvalidNotation):
        HIDDEN.parse("7" + text[1:])


# ---- chance -----------------------------------------------------------------------------------


def test_sample_plays_chance_until_a_seat_is_to_move() -> None:
    state = HIDDEN.start().sample(random.Random(1))
    assert state.to_move == 0
    assert state.sample(random.Random(1)) is state


def test_sample_follows_the_probabilities() -> None:
    rng = random.Random(2)
    deals = Counter(tuple(HIDDEN.start().sample(rng).array[:2].tolist()) for _ in range(1200))
    assert len(deals) == 6
    assert all(abs(count - 200) < 80 for count in deals.values())


def test_sample_survives_rounding_errors() -> None:
    class Edge:
        def random(self) -> float:
            return 1.0 + 1e-9

    assert HIDDEN.start().sample(Edge()).array[:2].tolist() == [2, 1]


def test_only_chance_has_outcomes() -> None:
    assert OPEN.start().chance_outcomes == ()
    assert HIDDEN.start().chance_outcomes == ((0, 1 / 3), (1, 1 / 3), (2, 1 / 3))


# ---- knowledge --------------------------------------------------------------------------------


def test_a_seat_knows_only_its_own_card() -> None:
    dealt = HIDDEN.start().play_all(["2", "0"])
    assert dealt.known_to == OMNISCIENT
    assert dealt.conceal(0).array[:2].tolist() == [2, -2]
    assert dealt.conceal(1).array[:2].tolist() == [-2, 0]
    assert dealt.conceal(None).array[:2].tolist() == [-2, -2]


def test_a_concealed_state_shows_no_other_seats_knowledge() -> None:
    known = HIDDEN.start().play_all(["2", "0"]).conceal(0)
    with pytest.raises(wm.HiddenInformation, match="only has what seat 0 knows"):
        known.conceal(1)
    with pytest.raises(wm.HiddenInformation, match="only has what seat 0 knows"):
        known.view(None)


def test_resample_has_the_right_distribution() -> None:
    """All consistent deals, equally likely: two for a player, six for a spectator."""
    dealt = HIDDEN.start().play_all(["1", "2", "3"])
    rng = random.Random(3)
    seen = Counter(tuple(dealt.conceal(0).resample(rng).array[:2].tolist()) for _ in range(400))
    assert set(seen) == {(1, 0), (1, 2)}
    assert abs(seen[1, 0] - 200) < 60
    seen = Counter(tuple(dealt.conceal(None).resample(rng).array[:2].tolist()) for _ in range(900))
    assert len(seen) == 6
    assert all(abs(count - 150) < 70 for count in seen.values())


def test_resampling_a_full_state_changes_nothing() -> None:
    dealt = HIDDEN.start().play_all(["1", "2"])
    assert dealt.resample(random.Random(1)) == dealt
    assert OPEN.start().conceal(0).resample(random.Random(1)) == OPEN.start()


def test_only_the_mover_gets_legal_moves() -> None:
    dealt = HIDDEN.start().play_all(["1", "2"])
    assert dealt.view(0)["legal"] == [{"action": 3, "move": "3"}, {"action": 4, "move": "4"}]
    assert dealt.view(1)["legal"] == dealt.view(None)["legal"] == []
    assert HIDDEN.start().view(0)["sentence"] == "Waiting for chance."
    assert dealt.view(0)["sentence"] == "Seat 1 is to move."
    over = dealt.play_all(["4", "3"])
    assert over.view(1)["sentence"] == "The match is over."
    assert over.view(1)["outcome"]["returns"] == [1.0, -1.0]


def test_explain_is_a_function_too() -> None:
    state = HIDDEN.start()
    assert wm.explain(state, "0") == state.explain("0")
    assert json.dumps(wm.explain(state, "0").as_json())


# ---- fuzz -------------------------------------------------------------------------------------


@pytest.mark.compiled
@given(state=strategies.states(), text=st.text(max_size=12))
def test_no_move_text_crashes(state: wm.State, text: str) -> None:
    """Whatever is typed, the result is a state or one of our errors."""
    try:
        state.play(text)
    except (wm.InvalidNotation, wm.IllegalMove):
        assert not state.explain(text).legal


@given(game=strategies.games(), text=st.text(max_size=60))
def test_no_state_text_crashes(game: wm.Game, text: str) -> None:
    """Whatever is parsed, the result is a playable state or InvalidNotation."""
    try:
        state = game.parse(text)
    except wm.InvalidNotation:
        return
    assert state.legal_moves or state.outcome


@pytest.mark.compiled
@given(match=strategies.matches(max_length=30))
def test_truncated_texts_of_states_do_not_crash(match: object) -> None:
    """A truncated text is refused, or is another state."""
    from watermeet.testing.matches import Match

    assert isinstance(match, Match)
    state = match.end
    for length in range(0, len(state.text), 7):
        try:
            state.game.parse(state.text[:length])
        except wm.InvalidNotation:
            continue


def test_a_random_match_can_be_limited() -> None:
    assert len(random_match(HIDDEN, random.Random(1), max_length=3).actions) == 3
