"""The checks of the conformance kit. Each takes a game with its options and a random source.

The laws here are those of ``watermeet.core.contract`` and of ``State``; those of what a game thinks
of its states are in ``evaluation``. No check knows any game.
"""

from __future__ import annotations

import json
import pickle
import random
import re
from collections import Counter
from typing import Any
from xml.etree import ElementTree

import numpy as np

from watermeet.core.contract import CHANCE, OVER
from watermeet.core.errors import IllegalMove, InvalidNotation, InvalidOptions
from watermeet.core.game import Game
from watermeet.core.kernel import plain_python
from watermeet.core.record import Record
from watermeet.core.rng import seeded
from watermeet.core.state import State
from watermeet.testing.laws import Nonconformance, demand, law, some_states
from watermeet.testing.matches import random_action, random_match

# ---- facts ------------------------------------------------------------------------------------


@law
def facts_are_sound(game: Game, rng: random.Random) -> None:
    """What the game declares is complete, and its options accept their samples and nothing else."""
    demand(re.fullmatch(r"[a-z][a-z0-9_-]*", game.name), "the name is lower-case letters", game)
    demand(game.version >= 1, "the version counts from 1", game)
    demand(game.title and game.summary and game.credit, "title, summary and credit are said", game)
    low, high = game.seat_range
    demand(1 <= low <= game.seats <= high, "the seats lie in the declared range", game)
    seated = sorted(seat for team in game.teams for seat in team)
    demand(seated == list(range(game.seats)), "every seat is in one team", game)
    sizes = game.sizes
    demand(sizes.actions > 0 and sizes.max_length > 0, "actions and length are bounded", game)
    demand(0 <= sizes.cache < sizes.state, "the memo leaves room for a state", game)
    demand(np.issubdtype(np.dtype(game.dtype), np.integer), "states are integers", game)
    demand(json.dumps(game.facts()), "facts are plain data", game)
    for option in game.declared_options:
        demand(option.sentence.endswith((".", "?")), f"option {option.name} has a sentence", game)
        for value in option.samples():
            demand(option.decode(option.encode(value)) == value, "options round-trip", game)
            demand(option.parse(option.format(value)) == value, "option texts round-trip", game)
        try:
            game.with_options(**{option.name: "no such value"})
        except InvalidOptions:
            continue
        raise Nonconformance(f"option {option.name} of {game!r} takes any text")


# ---- play -------------------------------------------------------------------------------------


@law
def matches_end(game: Game, rng: random.Random) -> None:
    """Random matches end in time; legal actions are ascending, different and in range."""
    state = game.start()
    for _ in range(game.sizes.max_length + 1):
        actions = state.legal_actions
        demand(list(actions) == sorted(set(actions)), "legal actions ascend", state)
        demand(all(0 <= a < game.sizes.actions for a in actions), "actions are in range", state)
        demand(bool(actions) == (state.to_move != OVER), "there is an action until OVER", state)
        movers = (*range(game.seats), OVER, *((CHANCE,) if game.chance else ()))
        demand(state.to_move in movers, "a seat, declared CHANCE, or OVER is to move", state)
        if state.to_move == OVER:
            break
        state = state.play(random_action(state, rng))
    demand(state.to_move == OVER, f"a match ends within {game.sizes.max_length} actions", game)
    demand(state.outcome is not None, "a match that is over has an outcome", state)


@law
def returns_fit(game: Game, rng: random.Random) -> None:
    """Returns are one per seat, within the declared range, and sum to what is declared."""
    state = random_match(game, rng).end
    outcome = state.outcome
    demand(outcome is not None and len(outcome.returns) == game.seats, "one return a seat", state)
    assert outcome is not None
    low, high = game.returns_range
    demand(all(low <= value <= high for value in outcome.returns), "returns in range", state)
    if game.returns_sum is not None:
        total = sum(outcome.returns)
        demand(abs(total - game.returns_sum) < 1e-9, "returns have the declared sum", state)
    demand(outcome.reason.code and outcome.reason.sentence, "the outcome has a reason", state)
    for team in game.teams:
        shared = {outcome.returns[seat] for seat in team}
        demand(len(shared) == 1, "a team wins or loses together", state)


@law
def others_are_refused(game: Game, rng: random.Random) -> None:
    """What is not legal is refused with a reason, and what is legal is explained as legal."""
    for state in some_states(random_match(game, rng), rng, 6):
        legal = set(state.legal_actions)
        for action in rng.sample(range(game.sizes.actions), min(40, game.sizes.actions)):
            explanation = state.explain(action)
            demand(explanation.legal == (action in legal), "explain agrees with legal", state)
            demand(explanation.code and explanation.sentence, "explanations say why", state)
            if action not in legal:
                demand(_is_refused(state, action, IllegalMove), "illegal is refused", state)
        for action in (-1, game.sizes.actions):
            demand(_is_refused(state, action, InvalidNotation), "no action is refused", state)
        demand(not state.explain("no such move!").legal, "nonsense is refused", state)


def _is_refused(state: State, action: int, error: type[Exception]) -> bool:
    try:
        state.play(action)
    except error:
        return True
    return False


@law
def states_are_values(game: Game, rng: random.Random) -> None:
    """Playing changes nothing but the new state; equal states are equal however they came about."""
    match = random_match(game, rng)
    for state in some_states(match, rng):
        before = state.array.tobytes()
        for action in state.legal_actions[:5]:
            demand(state.play(action) == state.play(action), "play repeats itself", state)
        demand(state.array.tobytes() == before, "play leaves the state as it was", state)
        demand(not state.array.flags.writeable, "the array is read-only", state)
        restored = pickle.loads(pickle.dumps(state))
        demand(restored == state and hash(restored) == hash(state), "states pickle", state)
        demand(restored.legal_actions == state.legal_actions, "pickles play on", state)
    again = match.states[0]
    for action in match.actions:
        again = again.play(action)
    demand(again == match.end, "the same actions lead to the same state", again)


@law
def memo_does_not_matter(game: Game, rng: random.Random) -> None:
    """What is kept beside a position changes no answer, and ``rebuild_cache`` can write it anew."""
    if not game.sizes.cache:
        return
    for state in some_states(random_match(game, rng), rng):
        array = state.array.copy()
        array[game.sizes.identity :] = 1
        game.kernels.rebuild_cache(array)
        anew = State(game, array)
        demand(anew == state and hash(anew) == hash(state), "identity ignores the memo", state)
        demand(anew.text == state.text, "the text ignores the memo", state)
        demand(anew.legal_actions == state.legal_actions, "legal ignores the memo", state)
        for action in state.legal_actions[:5]:
            demand(anew.play(action) == state.play(action), "play ignores the memo", state)


# ---- text -------------------------------------------------------------------------------------


@law
def texts_round_trip(game: Game, rng: random.Random) -> None:
    """Moves and states have a text that is read back, and moves have texts of their own."""
    for state in some_states(random_match(game, rng), rng):
        moves = state.legal_moves
        demand(len(set(moves)) == len(moves), "moves have different texts", state)
        for action, move in zip(state.legal_actions, moves, strict=True):
            demand(state.parse_move(move) == action, f"the move {move!r} is read back", state)
            demand(_is_a_word(move), f"the move {move!r} can stand in a record", state)
        demand(len(state.text.splitlines()) == 1, "a state's text is one line", state)
        parsed = game.parse(state.text)
        demand(parsed == state and parsed.text == state.text, "a state's text is read back", state)
        demand(parsed.legal_actions == state.legal_actions, "a parsed state plays on", state)


def _is_a_word(move: str) -> bool:
    return re.fullmatch(r"[^\s{}@~][^\s{}]*", move) is not None and not re.fullmatch(
        r"[0-9]+\.", move
    )


@law
def records_replay(game: Game, rng: random.Random) -> None:
    """The record of a match is read back and leads to the same end."""
    match = random_match(game, rng)
    record = Record.of_match(match.states[0], match.actions)
    parsed = Record.parse(record.format())
    demand(parsed == record, "a record is read back", game)
    demand(parsed.format() == record.format(), "a record's text is read back", game)
    demand(parsed.replay() == match.states, "a record replays", game)
    middle = len(match.actions) // 2
    rest = Record.of_match(match.states[middle], match.actions[middle:])
    demand(Record.parse(rest.format()).replay()[-1] == match.end, "half a record replays", game)


@law
def views_and_pictures_are_shown(game: Game, rng: random.Random) -> None:
    """A view is plain data with a sentence, and every state can be drawn for everybody."""
    for state in some_states(random_match(game, rng), rng, 6):
        for seat in (None, *range(game.seats)):
            view = state.view(seat)
            demand(json.loads(json.dumps(view)) == view, "a view is plain data", state)
            demand(view["sentence"] and "board" in view, "a view says what happens", state)
            demand(len(view["seats"]) == game.seats, "a view lists the seats", state)
            may_choose = bool(view["legal"])
            demand(may_choose == (state.to_move == seat), "only the mover may choose", state)
            demand(state.render(seat).plain.strip(), "a state can be drawn", state)
            picture = state.render_svg(seat)
            if picture is not None:
                demand(ElementTree.fromstring(picture).tag.endswith("svg"), "it is SVG", state)


@law
def open_games_show_everybody_the_same(game: Game, rng: random.Random) -> None:
    """Where nothing is hidden, views differ in the seat and in what it can play alone.

    Servers rely on it: they make one view and share it.
    """
    if game.hidden:
        return
    for state in some_states(random_match(game, rng), rng, 4):
        watched = state.view(None)
        for seat in range(game.seats):
            seen = {**state.view(seat), "seat": None, "legal": []}
            demand(seen == watched, "all see the same", state)


# ---- chance and secrets -----------------------------------------------------------------------


@law
def chance_sums_to_one(game: Game, rng: random.Random) -> None:
    """At CHANCE the outcomes have positive probabilities that sum to 1."""
    for state in random_match(game, rng).states:
        if state.to_move == CHANCE:
            weights = [weight for _, weight in state.chance_outcomes]
            demand(len(weights) == len(state.legal_actions), "each outcome has a weight", state)
            demand(all(weight > 0 for weight in weights), "outcomes can happen", state)
            demand(abs(sum(weights) - 1) < 1e-9, "probabilities sum to 1", state)


@law
def secrets_are_kept(game: Game, rng: random.Random) -> None:
    """What a seat gets does not change by a byte when what it cannot know is drawn anew."""
    for state in some_states(random_match(game, rng), rng, 8):
        for seat in (None, *range(game.seats)):
            known = state.conceal(seat)
            demand(known.conceal(seat) == known, "concealing twice changes nothing", state)
            demand(known.to_move == state.to_move, "everybody knows whose turn it is", state)
            demand(known.outcome == state.outcome, "everybody knows how it ended", state)
            if seat == state.to_move:
                same = known.legal_actions == state.legal_actions
                demand(same, "the mover knows what can be played", state)
            if game.hidden:
                _check_secrets(state, known, seat, rng)


@law
def curtains_are_needed_where_declared(game: Game, rng: random.Random) -> None:
    """Where a game declares no secrets, who is not to move knows what every watcher knows."""
    if game.has_secrets:
        return
    for state in some_states(random_match(game, rng), rng, 8):
        watched = state.conceal(None).array.tobytes()
        for seat in range(game.seats):
            same = seat == state.to_move or state.conceal(seat).array.tobytes() == watched
            demand(same, "nothing is kept from others behind one's turn", state)


def _check_secrets(state: State, known: State, seat: int | None, rng: random.Random) -> None:
    seen, drawn = json.dumps(state.view(seat)), (known.render(seat), known.render_svg(seat))
    for _ in range(2):
        other = known.resample(rng)
        same = other.conceal(seat).array.tobytes() == known.array.tobytes()
        demand(same, "a resampled state looks the same, to the byte", state)
        demand(json.dumps(other.view(seat)) == seen, "views do not leak", state)
        demand((other.render(seat), other.render_svg(seat)) == drawn, "pictures keep it", state)
        demand(other.to_move == state.to_move, "a resampled state plays on", state)


# ---- kernels ----------------------------------------------------------------------------------


@law
def compiled_equals_plain(game: Game, rng: random.Random) -> None:
    """The compiled kernels and the plain Python they are written in agree along a match."""
    for state in some_states(random_match(game, rng), rng):
        compiled = _answers(state, rng.random())
        seed = compiled["seed"]
        with plain_python():
            plain = _answers(state, seed)
        for name, answer in compiled.items():
            demand(plain[name] == answer, f"{name} agrees compiled and plain", state)


def _answers(state: State, seed: Any) -> dict[str, Any]:
    """What every kernel says of a state; randomness comes from the seed."""
    state = State(state.game, state.array.copy())  # With nothing remembered.
    game = state.game
    chosen = random.Random(seed)
    answers: dict[str, Any] = {
        "seed": seed,
        "to_move": state.to_move,
        "legal": state.legal_actions,
        "chance": state.chance_outcomes,
        "score": state.outcome,
        "setup": game.start().array.tolist(),
        "apply": [
            state.play(action).array.tolist()
            for action in chosen.sample(state.legal_actions, min(3, len(state.legal_actions)))
        ],
    }
    if state.to_move >= 0:
        room = np.zeros(game.sizes.actions, dtype=np.int32)
        generator = seeded(seed)
        drawn = [game.kernels.sample_action(state.array.copy(), room, generator) for _ in range(3)]
        answers["sample_action"] = (drawn, generator.tolist())
    if game.hidden:
        known = [state.conceal(seat) for seat in (None, *range(game.seats))]
        answers["conceal"] = [each.array.tolist() for each in known]
        answers["resample"] = [each.resample(chosen).array.tolist() for each in known]
    return answers


@law
def sample_action_is_uniform(game: Game, rng: random.Random) -> None:
    """``draw`` gives legal actions only, and each about as often as any other."""
    states = [state for state in random_match(game, rng).states if state.to_move >= 0]
    # Short lists tell as much, sooner.
    states = [state for state in states if len(state.legal_actions) <= 100] or states
    generator = seeded(rng.random())
    actions = np.zeros(game.sizes.actions, dtype=np.int32)
    for state in rng.sample(states, min(3, len(states))):
        array = state.array.copy()
        tries = 60 * len(state.legal_actions)
        counts = Counter(
            game.kernels.sample_action(array, actions, generator) for _ in range(tries)
        )
        demand(set(counts) <= set(state.legal_actions), "only legal actions are drawn", state)
        demand(array.tobytes() == state.array.tobytes(), "drawing leaves the state", state)
        spread = max(abs(counts[action] - 60) for action in state.legal_actions)
        # Each count has a deviation of about 7.7; eight of those do not happen by accident.
        demand(spread < 62, "every legal action is as likely", state)
