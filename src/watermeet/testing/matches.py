"""Random matches of any game, and sample sets of its options."""

from __future__ import annotations

import random
from dataclasses import dataclass

from watermeet.core.contract import CHANCE, OVER
from watermeet.core.game import Game
from watermeet.core.options import Value
from watermeet.core.state import State


@dataclass(frozen=True)
class Match:
    """A match that was played; there is one more state than there are actions."""

    states: tuple[State, ...]
    actions: tuple[int, ...]

    @property
    def end(self) -> State:
        """The last state."""
        return self.states[-1]


def random_match(game: Game, rng: random.Random, *, max_length: int | None = None) -> Match:
    """Play uniformly random actions, and chance by its probabilities, at most ``max_length``."""
    limit = game.sizes.max_length if max_length is None else max_length
    states = [game.start()]
    actions: list[int] = []
    while states[-1].to_move != OVER and len(actions) < limit:
        action = random_action(states[-1], rng)
        actions.append(action)
        states.append(states[-1].play(action))
    return Match(tuple(states), tuple(actions))


def random_action(state: State, rng: random.Random) -> int:
    """A uniformly random legal action, or a chance outcome by its probability."""
    if state.to_move == CHANCE:
        actions, weights = zip(*state.chance_outcomes, strict=True)
        return int(rng.choices(actions, weights)[0])
    return rng.choice(state.legal_actions)


def option_sets(game: Game) -> list[dict[str, Value]]:
    """The defaults; each sample value of each option alone; all first and all last samples.

    Sets that make the same game are listed once.
    """
    samples = {option.name: option.samples() for option in game.declared_options}
    sets: list[dict[str, Value]] = [{}]
    for name, values in samples.items():
        sets += [{name: value} for value in values if value != game.options[name]]
    sets.append({name: values[0] for name, values in samples.items()})
    sets.append({name: values[-1] for name, values in samples.items()})
    unique: dict[Game, dict[str, Value]] = {}
    for chosen in sets:
        unique.setdefault(game.with_options(**chosen), chosen)
    return list(unique.values())
