"""The checks of what neural networks see: those of ``watermeet.core.features``.

They also run on a game without ``features.py``, whose features are the concealed array itself.
"""

from __future__ import annotations

import random

import numpy as np

from watermeet.core.contract import CHANCE, OVER
from watermeet.core.features import NO_CODE, NO_PLACE, FeatureArray, Symmetry
from watermeet.core.game import Game
from watermeet.core.kernel import plain_python
from watermeet.core.state import State
from watermeet.testing.checks import applies_if, check, require, sample_states
from watermeet.testing.matches import random_action, random_match

SAMPLED = 8
"""How many states of a match are checked."""
SYMMETRIES = 3
"""How many symmetries are checked, chosen at random."""
ACTIONS = 60
"""For how many actions a match and its image are played."""


def _observed(state: State, seat: int) -> FeatureArray:
    """The features of a concealed state."""
    features = state.game.features
    out = np.zeros(features.spec.size, dtype=np.float32)
    if features.spec.dense:
        out.fill(np.nan)
    array = state.array[: state.game.sizes.identity].copy()
    features.observe(array, seat, out)
    require(not np.isnan(out).any(), "with dense=True observe must write every number", state)
    is_same = array.tobytes() == state.array[: len(array)].tobytes()
    require(is_same, "observe must not change the state", state)
    return out


@check
def features_are_valid(game: Game, rng: random.Random) -> None:
    """Features have unique names, lie in range, and are deterministic."""
    layout = game.features.spec
    require(
        len(layout.planes) == 0 or layout.height * layout.width > 0,
        "planes must have a height and a width",
        game,
    )
    names = (*layout.planes, *layout.numbers)
    require(len(set(names)) == len(names) > 0, "planes and numbers must have unique names", game)
    for state in sample_states(random_match(game, rng), rng, SAMPLED):
        for seat in range(game.seats):
            known = state.conceal(seat)
            values = _observed(known, seat)
            inside = bool(np.all((values >= layout.low) & (values <= layout.high)))
            require(inside, "features must lie in the layout's range", known)
            again = game.features.of(state, seat).tobytes() == values.tobytes()
            require(again, "observe must be deterministic", known)


@check
def features_do_not_leak(game: Game, rng: random.Random) -> None:
    """A seat gets the same features in all states that it can't tell apart, whatever the cache."""
    reason = "the game has no hidden information and keeps no cache"
    applies_if(game.hidden or game.sizes.cache, reason)
    for state in sample_states(random_match(game, rng), rng, SAMPLED):
        for seat in range(game.seats):
            values = game.features.of(state, seat).tobytes()
            if game.hidden:
                other = state.conceal(seat).resample(rng)
                is_same = game.features.of(other, seat).tobytes() == values
                require(is_same, "features must not leak", state)
            if game.sizes.cache:
                out = np.zeros(game.features.spec.size, dtype=np.float32)
                game.features.observe(state.conceal(seat).array.copy(), seat, out)
                require(out.tobytes() == values, "features must not depend on the cache", state)


@check
def action_codes_are_unique(game: Game, rng: random.Random) -> None:
    """Legal actions have different codes in range, or NO_CODE."""
    count = game.features.spec.codes
    for state in sample_states(random_match(game, rng), rng, SAMPLED):
        codes = [int(code) for code in game.features.codes_of(state) if code != NO_CODE]
        require(all(0 <= code < count for code in codes), "codes must be below spec.codes", state)
        require(len(set(codes)) == len(codes), "legal actions must have different codes", state)
        if game.hidden and state.to_move >= 0:
            encode, array = game.features.encode, state.array.copy()
            open_codes = [int(encode(array, action)) for action in state.legal_actions]
            is_same = open_codes == game.features.codes_of(state).tolist()
            require(is_same, "codes must not depend on what the mover doesn't know", state)


@check
def symmetries_commute_with_play(game: Game, rng: random.Random) -> None:
    """Playing the image of each action leads to the image of each state; the first is identity."""
    first, *others = game.features.symmetries
    applies_if(others, "the game declares no symmetries")
    layout = game.features.spec
    for each in (first, *others):
        is_one = _is_permutation(each.features, layout.size)
        require(is_one, "a symmetry must permute the features", game)
        require(
            _is_permutation(each.codes, layout.codes), "a symmetry must permute the codes", game
        )
    stays = first.features.tolist() == list(range(layout.size))
    stays = stays and first.codes.tolist() == list(range(layout.codes))
    require(stays, "the first symmetry must be the identity", game)
    for each in rng.sample(others, min(SYMMETRIES, len(others))):
        _play_with_image(game, each, rng)


def _is_permutation(images: object, count: int) -> bool:
    return sorted(np.asarray(images).tolist()) == list(range(count))


def _play_with_image(game: Game, mapped: Symmetry, rng: random.Random) -> None:
    """Play a match and its image side by side."""
    state, image = game.start(), game.start()
    for _ in range(ACTIONS):
        _check_image(state, image, mapped, rng)
        if state.to_move == OVER:
            return
        codes, image_codes = (game.features.codes_of(each).tolist() for each in (state, image))
        action = random_action(state, rng)
        code = codes[state.legal_actions.index(action)]
        if code == NO_CODE:
            return
        place = image_codes.index(int(mapped.codes[code]))
        state, image = state.play(action), image.play(image.legal_actions[place])


def _check_image(state: State, image: State, mapped: Symmetry, rng: random.Random) -> None:
    game = state.game
    require(state.to_move == image.to_move, "an image must have the same mover", state)
    for seat in range(game.seats) if game.seats <= 2 else (rng.randrange(game.seats),):
        values, of_image = game.features.of(state, seat), game.features.of(image, seat)
        is_same = mapped.apply(values).tobytes() == of_image.tobytes()
        require(is_same, "an image must have the mapped features", state)
    codes = game.features.codes_of(state)
    known = codes[codes != NO_CODE]
    image_codes = game.features.codes_of(image)
    is_same = sorted(mapped.codes[known].tolist()) == sorted(
        image_codes[image_codes != NO_CODE].tolist()
    )
    require(is_same, "an image must have the mapped codes", state)
    if state.outcome is not None and image.outcome is not None:
        is_same = state.outcome.returns == image.outcome.returns
        require(is_same, "an image must have the same returns", state)
    if state.to_move == CHANCE:
        weights, others = (_weights(each) for each in (state, image))
        require(weights == others, "an image must have the same probabilities", state)


def _weights(state: State) -> list[float]:
    return sorted(weight for _, weight in state.chance_outcomes)


@check
def places_commute_with_symmetries(game: Game, rng: random.Random) -> None:
    """No two codes share a place, and a symmetry maps a code's cell as it maps the features."""
    applies_if("places_of" in game.features.own, "the game declares no places of codes")
    spec, places = game.features.spec, game.features.places
    cells = spec.height * spec.width
    placed = np.flatnonzero(places != NO_PLACE)
    require(bool((places >= NO_PLACE).all()), "places must be NO_PLACE or more", game)
    require(len(set(places[placed].tolist())) == len(placed), "places must be unique", game)
    for mapped in game.features.symmetries:
        images = places[mapped.codes[placed]]
        require(bool((images != NO_PLACE).all()), "an image of a placed code must be placed", game)
        cell_images = mapped.features[places[placed] % cells] % cells  # Those of the first plane.
        is_same = bool((images % cells == cell_images).all())
        require(is_same, "symmetries must map codes with their cells", game)


@check
def compiled_features_match_python(game: Game, rng: random.Random) -> None:
    """Compiled kernels of features and the Python they are written in agree."""
    applies_if(game.features.own, "the game has no features.py")
    for state in sample_states(random_match(game, rng), rng, SAMPLED):
        compiled = _feature_results(state)
        with plain_python():
            plain = _feature_results(State(game, state.array.copy()))
        require(compiled == plain, "features must agree compiled and in Python", state)


def _feature_results(state: State) -> list[object]:
    features = state.game.features
    values: list[object] = [features.of(state, seat).tolist() for seat in range(state.game.seats)]
    return [*values, features.codes_of(state).tolist()]
