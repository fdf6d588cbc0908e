"""The checks of what a net gets of a game: the laws of ``watermeet.core.features``.

A game that says nothing of its own passes them too: then the concealed array itself serves.
"""

from __future__ import annotations

import random

import numpy as np

from watermeet.core.contract import CHANCE, OVER
from watermeet.core.features import NO_CODE, FeatureArray, Symmetry
from watermeet.core.game import Game
from watermeet.core.kernel import plain_python
from watermeet.core.state import State
from watermeet.testing.laws import demand, law, some_states
from watermeet.testing.matches import random_action, random_match

LOOK_AT = 8
"""How many states of a match are looked at."""
SYMMETRIES = 3
"""How many symmetries a match is played with, each time others."""
ACTIONS = 60
"""For how many actions a match is played twice."""
GARBAGE = 0.123
"""What features hold before they are written."""


def _observed(state: State, seat: int) -> FeatureArray:
    """The features of a concealed state, with what was there before written over."""
    features = state.game.features
    out = np.full(features.layout.size, GARBAGE, dtype=np.float32)
    array = state.array.copy()
    features.observe(array, seat, out)
    demand(array.tobytes() == state.array.tobytes(), "observe leaves the state", state)
    return out


@law
def features_fit(game: Game, rng: random.Random) -> None:
    """Features have names, are all written, lie in their range, and repeat themselves."""
    layout = game.features.layout
    demand(len(layout.planes) == 0 or layout.height * layout.width > 0, "planes have cells", game)
    names = (*layout.planes, *layout.numbers)
    demand(len(set(names)) == len(names) > 0, "planes and numbers have names of their own", game)
    for state in some_states(random_match(game, rng), rng, LOOK_AT):
        for seat in range(game.seats):
            known = state.conceal(seat)
            told = _observed(known, seat)
            inside = bool(np.all((told >= layout.low) & (told <= layout.high)))
            demand(inside, "features lie in their range", known)
            is_written = not np.any(told == np.float32(GARBAGE))
            demand(is_written, "all features are written", known)
            again = game.features.of(state, seat).tobytes() == told.tobytes()
            demand(again, "features repeat themselves", known)


@law
def features_keep_secrets(game: Game, rng: random.Random) -> None:
    """A seat gets the same features in all states that it cannot tell apart, memo or not."""
    for state in some_states(random_match(game, rng), rng, LOOK_AT):
        for seat in range(game.seats):
            told = game.features.of(state, seat).tobytes()
            if game.hidden:
                other = state.conceal(seat).resample(rng)
                same = game.features.of(other, seat).tobytes() == told
                demand(same, "features do not leak", state)
            if game.sizes.cache:
                array = state.array.copy()
                game.kernels.rebuild_cache(array)
                renewed = State(game, array)
                same = game.features.of(renewed, seat).tobytes() == told
                demand(same, "features do not depend on the order of a memo", state)


@law
def codes_tell_actions_apart(game: Game, rng: random.Random) -> None:
    """Legal actions have different codes within their range, or no code where there is no room."""
    count = game.features.layout.codes
    for state in some_states(random_match(game, rng), rng, LOOK_AT):
        codes = [int(code) for code in game.features.codes_of(state) if code != NO_CODE]
        demand(all(0 <= code < count for code in codes), "codes lie in their range", state)
        demand(len(set(codes)) == len(codes), "legal actions have different codes", state)


@law
def symmetries_hold(game: Game, rng: random.Random) -> None:
    """Playing what a symmetry maps leads to states that it maps, and the first one is plain."""
    first, *others = game.features.symmetries
    layout = game.features.layout
    for each in (first, *others):
        is_one = _is_permutation(each.features, layout.size)
        demand(is_one, "a symmetry permutes the features", game)
        demand(_is_permutation(each.codes, layout.codes), "a symmetry permutes the codes", game)
    stays = first.features.tolist() == list(range(layout.size))
    stays = stays and first.codes.tolist() == list(range(layout.codes))
    demand(stays, "the first symmetry leaves all where it is", game)
    for each in rng.sample(others, min(SYMMETRIES, len(others))):
        _play_twice(game, each, rng)


def _is_permutation(images: object, count: int) -> bool:
    return sorted(np.asarray(images).tolist()) == list(range(count))


def _play_twice(game: Game, mapped: Symmetry, rng: random.Random) -> None:
    """Plays a match, and what it is mapped to beside it."""
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
    demand(state.to_move == image.to_move, "an image has the same mover", state)
    for seat in range(game.seats) if game.seats <= 2 else (rng.randrange(game.seats),):
        told, of_image = game.features.of(state, seat), game.features.of(image, seat)
        same = mapped.apply(told).tobytes() == of_image.tobytes()
        demand(same, "an image has the features that the symmetry maps", state)
    codes = game.features.codes_of(state)
    known = codes[codes != NO_CODE]
    image_codes = game.features.codes_of(image)
    same = sorted(mapped.codes[known].tolist()) == sorted(
        image_codes[image_codes != NO_CODE].tolist()
    )
    demand(same, "an image has the codes that the symmetry maps", state)
    if state.outcome is not None and image.outcome is not None:
        demand(state.outcome.returns == image.outcome.returns, "an image ends the same", state)
    if state.to_move == CHANCE:
        weights, others = (_weights(each) for each in (state, image))
        demand(weights == others, "chances are mapped too", state)


def _weights(state: State) -> list[float]:
    return sorted(weight for _, weight in state.chance_outcomes)


@law
def features_are_as_written(game: Game, rng: random.Random) -> None:
    """The compiled kernels of features and the plain Python they are written in agree."""
    for state in some_states(random_match(game, rng), rng, LOOK_AT):
        compiled = _told(state)
        with plain_python():
            plain = _told(State(game, state.array.copy()))
        demand(compiled == plain, "features agree compiled and plain", state)


def _told(state: State) -> list[object]:
    features = state.game.features
    told: list[object] = [features.of(state, seat).tolist() for seat in range(state.game.seats)]
    return [*told, features.codes_of(state).tolist()]
