"""The checks of rules, notation, views and kernels: those of ``watermeet.core.contract``.

Each takes a game with its options and a random source. No check knows any game.
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
from watermeet.testing.checks import Nonconformance, applies_if, check, require, sample_states
from watermeet.testing.faces import NATIVE, PLAIN, compare_compiled
from watermeet.testing.matches import random_action, random_match

# ---- declaration ------------------------------------------------------------------------------


@check
def declaration_is_valid(game: Game, rng: random.Random) -> None:
    """The declared facts are complete, and options accept their samples and nothing else."""
    is_word = re.fullmatch(r"[a-z][a-z0-9_-]*", game.name)
    require(is_word, "the name must be lower-case letters, digits, - and _", game)
    newest = game.versions[-1]
    is_counted = game.versions == tuple(range(newest - len(game.versions) + 1, newest + 1))
    require(is_counted and game.versions[0] >= 1, "versions must count from 1", game)
    texts = game.title and game.summary and game.credit
    require(texts, "title, summary and credit must not be empty", game)
    low, high = game.seat_range
    require(1 <= low <= game.seats <= high, "seats must lie in the declared range", game)
    seated = sorted(seat for team in game.teams for seat in team)
    require(seated == list(range(game.seats)), "every seat must belong to one team", game)
    sizes = game.sizes
    require(sizes.actions > 0, "there must be at least one action", game)
    require(sizes.max_length > 0, "max_length must be at least 1", game)
    require(0 <= sizes.cache < sizes.state, "the cache must be smaller than the array", game)
    is_integer = np.issubdtype(np.dtype(game.dtype), np.integer)
    require(is_integer, "dtype must be an integer type", game)
    require(json.dumps(game.facts()), "facts must be plain data", game)
    for option in game.declared_options:
        has_sentence = option.sentence.endswith((".", "?"))
        require(has_sentence, f"option {option.name} must have a sentence", game)
        for value in option.samples():
            is_same = option.decode(option.encode(value)) == value
            require(is_same, f"option {option.name} must decode what it encodes", game)
            is_same = option.parse(option.format(value)) == value
            require(is_same, f"option {option.name} must parse what it formats", game)
        try:
            game.with_options(**{option.name: "no such value"})
        except InvalidOptions:
            continue
        raise Nonconformance(f"option {option.name} must reject a nonsense value (in {game!r})")
    for options in (game.people_options, *game.presets.values()):
        require("seats" not in options, "presets must leave the number of seats open", game)
        require(game.with_options(**options).sizes, "presets must be valid options", game)


# ---- play -------------------------------------------------------------------------------------


@check
def matches_terminate(game: Game, rng: random.Random) -> None:
    """Random matches end within max_length; legal actions ascend, differ and are in range."""
    state = game.start()
    movers = (*range(game.seats), OVER, *((CHANCE,) if game.chance else ()))
    for _ in range(game.sizes.max_length + 1):
        actions = state.legal_actions
        is_sorted = list(actions) == sorted(set(actions))
        require(is_sorted, "legal actions must ascend without repetition", state)
        in_range = all(0 <= action < game.sizes.actions for action in actions)
        require(in_range, "legal actions must be below Sizes.actions", state)
        is_playable = bool(actions) == (state.to_move != OVER)
        require(is_playable, "there must be a legal action until the match is OVER", state)
        is_mover = state.to_move in movers
        require(is_mover, "to_move must be a seat, OVER, or CHANCE if declared", state)
        if state.to_move == OVER:
            break
        state = state.play(random_action(state, rng))
    is_over = state.to_move == OVER
    require(is_over, f"a match must end within {game.sizes.max_length} actions", game)
    require(state.outcome is not None, "a finished match must have an outcome", state)


@check
def returns_are_valid(game: Game, rng: random.Random) -> None:
    """Returns are one per seat, in the declared range, with the declared sum; teams share them."""
    state = random_match(game, rng).end
    outcome = state.outcome
    is_complete = outcome is not None and len(outcome.returns) == game.seats
    require(is_complete, "there must be one return per seat", state)
    assert outcome is not None
    low, high = game.returns_range
    in_range = all(low <= value <= high for value in outcome.returns)
    require(in_range, "returns must lie in the declared range", state)
    if game.returns_sum is not None:
        is_sum = abs(sum(outcome.returns) - game.returns_sum) < 1e-9
        require(is_sum, "returns must have the declared sum", state)
    has_reason = outcome.reason.code and outcome.reason.sentence
    require(has_reason, "an outcome must have a reason", state)
    for team in game.teams:
        is_shared = len({outcome.returns[seat] for seat in team}) == 1
        require(is_shared, "the seats of a team must have the same return", state)


@check
def illegal_actions_are_rejected(game: Game, rng: random.Random) -> None:
    """Illegal actions are rejected with a reason, and legal ones are explained as legal."""
    for state in sample_states(random_match(game, rng), rng, 6):
        legal = set(state.legal_actions)
        for action in rng.sample(range(game.sizes.actions), min(40, game.sizes.actions)):
            explanation = state.explain(action)
            agrees = explanation.legal == (action in legal)
            require(agrees, f"explain must agree with legal on action {action}", state)
            has_words = explanation.code and explanation.sentence
            require(has_words, "an explanation must have a code and a sentence", state)
            if action not in legal:
                is_rejected = _rejects(state, action, IllegalMove)
                require(is_rejected, f"the illegal action {action} must be rejected", state)
        for action in (-1, game.sizes.actions):
            is_rejected = _rejects(state, action, InvalidNotation)
            require(is_rejected, f"{action} is out of range and must be rejected", state)
        is_rejected = not state.explain("no such move!").legal
        require(is_rejected, "a text that names no move must be rejected", state)


def _rejects(state: State, action: int, error: type[Exception]) -> bool:
    try:
        state.play(action)
    except error:
        return True
    return False


@check
def states_are_immutable(game: Game, rng: random.Random) -> None:
    """Playing makes a new state and leaves the old one alone; states compare and pickle."""
    match = random_match(game, rng)
    for state in sample_states(match, rng):
        before = state.array.tobytes()
        for action in state.legal_actions[:5]:
            is_same = state.play(action) == state.play(action)
            require(is_same, "playing the same action twice must give equal states", state)
        require(state.array.tobytes() == before, "play must not change the state", state)
        require(not state.array.flags.writeable, "a state's array must be read-only", state)
        restored = pickle.loads(pickle.dumps(state))
        is_same = restored == state and hash(restored) == hash(state)
        require(is_same, "a state must survive pickling", state)
        is_same = restored.legal_actions == state.legal_actions
        require(is_same, "an unpickled state must have the same legal actions", state)
    replayed = match.states[0]
    for action in match.actions:
        replayed = replayed.play(action)
    require(replayed == match.end, "the same actions must lead to the same state", replayed)


@check
def cache_is_redundant(game: Game, rng: random.Random) -> None:
    """The cache in a state's array changes no answer, and ``rebuild_cache`` can restore it."""
    applies_if(game.sizes.cache, "the game keeps no cache in its states")
    for state in sample_states(random_match(game, rng), rng):
        array = state.array.copy()
        array[game.sizes.identity :] = 1
        game.kernels.rebuild_cache(array)
        rebuilt = State(game, array)
        is_same = rebuilt == state and hash(rebuilt) == hash(state)
        require(is_same, "equality and hash must ignore the cache", state)
        require(rebuilt.text == state.text, "a state's text must ignore the cache", state)
        is_same = rebuilt.legal_actions == state.legal_actions
        require(is_same, "legal must not depend on the cache", state)
        for action in state.legal_actions[:5]:
            is_same = rebuilt.play(action) == state.play(action)
            require(is_same, "apply must not depend on the cache", state)


# ---- text -------------------------------------------------------------------------------------


@check
def notation_round_trips(game: Game, rng: random.Random) -> None:
    """Moves and states parse from their texts, and no two legal moves share a text."""
    for state in sample_states(random_match(game, rng), rng):
        moves = state.legal_moves
        require(len(set(moves)) == len(moves), "legal moves must have different texts", state)
        for action, move in zip(state.legal_actions, moves, strict=True):
            parses = state.parse_move(move) == action
            require(parses, f"the move {move!r} must parse to the action it came from", state)
            is_word = _is_record_word(move)
            require(is_word, f"the move {move!r} must be one word that a record can hold", state)
        require(len(state.text.splitlines()) == 1, "a state's text must be one line", state)
        parsed = game.parse(state.text)
        is_same = parsed == state and parsed.text == state.text
        require(is_same, "a state's text must parse to the same state", state)
        is_same = parsed.legal_actions == state.legal_actions
        require(is_same, "a parsed state must have the same legal actions", state)


def _is_record_word(move: str) -> bool:
    is_number = re.fullmatch(r"[0-9]+\.", move)
    is_mark = re.fullmatch(r"[()]|[!?]{1,2}", move) is not None
    return re.fullmatch(r"[^\s{}@~][^\s{}]*", move) is not None and not (is_number or is_mark)


@check
def records_replay(game: Game, rng: random.Random) -> None:
    """The record of a match parses, and replays to the same end."""
    match = random_match(game, rng)
    record = Record.from_actions(match.states[0], match.actions)
    parsed = Record.parse(record.format())
    require(parsed == record, "a record must parse from its text", game)
    require(parsed.format() == record.format(), "a parsed record must format the same", game)
    require(parsed.replay() == match.states, "a record must replay to the same states", game)
    middle = len(match.actions) // 2
    rest = Record.from_actions(match.states[middle], match.actions[middle:])
    is_same = Record.parse(rest.format()).replay()[-1] == match.end
    require(is_same, "a record from the middle of a match must replay", game)


@check
def views_and_renderings_are_valid(game: Game, rng: random.Random) -> None:
    """A view is plain data with a sentence, and every state renders for every seat."""
    for state in sample_states(random_match(game, rng), rng, 6):
        for seat in (None, *range(game.seats)):
            view = state.view(seat)
            is_plain = json.loads(json.dumps(view)) == view
            require(is_plain, "a view must be plain JSON data", state)
            is_complete = view["sentence"] and "board" in view
            require(is_complete, "a view must have a sentence and a board", state)
            require(len(view["seats"]) == game.seats, "a view must list every seat", state)
            is_right = bool(view["legal"]) == (state.to_move == seat)
            require(is_right, "only the mover's view must list legal moves", state)
            require(state.render(seat).plain.strip(), "render_text must not be empty", state)
            picture = state.render_svg(seat)
            if picture is not None:
                is_svg = ElementTree.fromstring(picture).tag.endswith("svg")
                require(is_svg, "render_svg must return SVG", state)


@check
def perfect_information_views_agree(game: Game, rng: random.Random) -> None:
    """Without hidden information, views differ only in the seat and its legal moves.

    Servers rely on it: they make one view and share it.
    """
    applies_if(not game.hidden, "the game has hidden information")
    for state in sample_states(random_match(game, rng), rng, 4):
        spectated = state.view(None)
        for seat in range(game.seats):
            shown = {**state.view(seat), "seat": None, "legal": []}
            require(shown == spectated, "all seats must see the same board", state)


# ---- chance and hidden information ------------------------------------------------------------


@check
def chance_probabilities_sum_to_one(game: Game, rng: random.Random) -> None:
    """At CHANCE the outcomes have positive probabilities that sum to 1."""
    applies_if(game.chance, "the game has no chance")
    for state in random_match(game, rng).states:
        if state.to_move == CHANCE:
            weights = [weight for _, weight in state.chance_outcomes]
            is_complete = len(weights) == len(state.legal_actions)
            require(is_complete, "every chance outcome must have a probability", state)
            is_possible = all(weight > 0 for weight in weights)
            require(is_possible, "probabilities must be above 0", state)
            require(abs(sum(weights) - 1) < 1e-9, "probabilities must sum to 1", state)


@check
def hidden_information_does_not_leak(game: Game, rng: random.Random) -> None:
    """What a seat gets stays the same, to the byte, when what it can't know is resampled."""
    applies_if(game.hidden, "the game has no hidden information")
    for state in sample_states(random_match(game, rng), rng, 8):
        for seat in (None, *range(game.seats)):
            known = state.conceal(seat)
            require(known.conceal(seat) == known, "concealing twice must change nothing", state)
            is_same = known.to_move == state.to_move
            require(is_same, "conceal must not hide whose turn it is", state)
            require(known.outcome == state.outcome, "conceal must not hide the outcome", state)
            if seat == state.to_move:
                is_same = known.legal_actions == state.legal_actions
                require(is_same, "the mover must know their legal actions", state)
            _check_resampled(state, known, seat, rng)


def _check_resampled(state: State, known: State, seat: int | None, rng: random.Random) -> None:
    view, pictures = json.dumps(state.view(seat)), (known.render(seat), known.render_svg(seat))
    for _ in range(2):
        other = known.resample(rng)
        is_same = other.conceal(seat).array.tobytes() == known.array.tobytes()
        require(is_same, "a resampled state must conceal to the same bytes", state)
        require(json.dumps(other.view(seat)) == view, "a view must not leak", state)
        is_same = (other.render(seat), other.render_svg(seat)) == pictures
        require(is_same, "a picture must not leak", state)
        is_same = other.to_move == state.to_move
        require(is_same, "a resampled state must have the same mover", state)


@check
def secrets_are_declared(game: Game, rng: random.Random) -> None:
    """Without declared secrets, a seat that is not to move knows no more than a spectator."""
    applies_if(game.hidden, "the game has no hidden information")
    applies_if(not game.has_secrets, "the game declares that seats have secrets")
    for state in sample_states(random_match(game, rng), rng, 8):
        spectated = state.conceal(None).array.tobytes()
        for seat in range(game.seats):
            is_same = seat == state.to_move or state.conceal(seat).array.tobytes() == spectated
            require(is_same, "secrets_of must say that seats keep something secret", state)


# ---- kernels ----------------------------------------------------------------------------------


@check
def faces_agree(game: Game, rng: random.Random) -> None:
    """All faces of the kernels give the same results, with the same random numbers.

    Plain Python and native code always; the others within ``watermeet.testing.all_faces``.
    """
    match = random_match(game, rng)
    for state in sample_states(match, rng):
        seed = rng.random()
        native = _kernel_results(state, seed)
        with plain_python():
            plain = _kernel_results(state, seed)
        step = next(step for step, each in enumerate(match.states) if each is state)
        for name, result in native.items():
            rule = f"{name} must agree in {PLAIN} and {NATIVE}, and differs at step {step}"
            require(plain[name] == result, rule, state)
    compare_compiled(game, rng.random())


def _kernel_results(state: State, seed: float) -> dict[str, Any]:
    """What every kernel returns for a state; randomness comes from the seed."""
    state = State(state.game, state.array.copy())  # Without cached answers.
    game = state.game
    chosen = random.Random(seed)
    results: dict[str, Any] = {
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
        buffer = np.zeros(game.sizes.actions, dtype=np.int32)
        generator = seeded(seed)
        sample = game.kernels.sample_action
        sampled = [sample(state.array.copy(), buffer, generator) for _ in range(3)]
        results["sample_action"] = (sampled, generator.tolist())
    if game.hidden:
        known = [state.conceal(seat) for seat in (None, *range(game.seats))]
        results["conceal"] = [each.array.tolist() for each in known]
        results["resample"] = [each.resample(chosen).array.tolist() for each in known]
    return results


@check
def sample_action_is_uniform(game: Game, rng: random.Random) -> None:
    """``sample_action`` returns only legal actions, each equally often."""
    states = [state for state in random_match(game, rng).states if state.to_move >= 0]
    # Short lists show as much, sooner.
    states = [state for state in states if len(state.legal_actions) <= 100] or states
    generator = seeded(rng.random())
    actions = np.zeros(game.sizes.actions, dtype=np.int32)
    for state in rng.sample(states, min(3, len(states))):
        array = state.array.copy()
        tries = 60 * len(state.legal_actions)
        counts = Counter(
            game.kernels.sample_action(array, actions, generator) for _ in range(tries)
        )
        is_legal = set(counts) <= set(state.legal_actions)
        require(is_legal, "sample_action must return legal actions only", state)
        is_same = array.tobytes() == state.array.tobytes()
        require(is_same, "sample_action must not change the state", state)
        spread = max(abs(counts[action] - 60) for action in state.legal_actions)
        # Each count has a standard deviation of about 7.7: eight of those never happen by accident.
        require(spread < 62, "sample_action must be uniform over legal actions", state)
