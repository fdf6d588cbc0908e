"""The settings of Monte Carlo tree search, as the tuple that kernels read."""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import Any, NamedTuple

from watermeet.core.errors import InvalidOptions, suggest
from watermeet.core.game import Game
from watermeet.search.limits import checked_number


class Settings(NamedTuple):
    """How a Monte Carlo tree search behaves."""

    exploration: float = 1.0
    """The exploration constant of UCT and PUCT (c_puct), as a fraction of the best return."""
    use_priors: bool = False
    """Select by PUCT with the game's ``priors``; otherwise by UCT, which tries every action."""
    fpu_reduction: float = 0.2
    """First-play urgency of PUCT: an unvisited action is worth its parent less this fraction."""
    evaluation_weight: float = 0.0
    """The share of ``evaluate`` in a leaf's value, from 0 to 1; the rest is that of a rollout.
    With a network the rest is the network's, and the game's priors have the same share in its."""
    max_rollout_length: int = 1 << 30
    """A rollout stops after this many actions, and ``evaluate`` values where it got to."""
    progressive_widening: float = 0.0
    """Above 0: consider this times visits ** ``widening_exponent`` actions, best priors first."""
    widening_exponent: float = 0.5
    """The exponent of progressive widening."""
    expand_after: int = 1
    """Expand a node on the visit after this many."""
    transpositions: bool = False
    """Let equal states share a node, however they were reached; ISMCTS ignores it."""
    prune_zero_priors: bool = False
    """Ignore actions with a prior of 0: some other action is at least as good."""
    stop_at_chance: bool = False
    """ISMCTS: end the tree where chance acts, and leave the rest to the evaluation."""

    best_return: float = 1.0
    """The best return a seat can get; ``for_game`` fills it in."""
    identity: int = 0
    """How many numbers of the state array tell states apart; ``for_game`` fills it in."""

    @property
    def asks_game(self) -> bool:
        """Whether a search with a network asks the game's own evaluation, too."""
        return self.evaluation_weight > 0.0 or self.prune_zero_priors

    def for_game(self, game: Game) -> Settings:
        """The same settings with the game's facts, every field of its declared type."""
        checked = Settings.of({name: getattr(self, name) for name in SETTING_NAMES})
        return checked._replace(
            best_return=float(game.returns_range[1]), identity=int(game.sizes.identity)
        )

    @classmethod
    def of(cls, values: Mapping[str, Any]) -> Settings:
        """Settings from plain data; raises InvalidOptions for an unknown name or a bad value."""
        for name in values:
            if name not in SETTING_NAMES:
                raise InvalidOptions(
                    f"{name!r} isn't a search setting", suggest(str(name), SETTING_NAMES)
                )
        checked = {
            name: checked_number(
                name, value, type(cls._field_defaults[name]), _HIGHEST.get(name, math.inf)
            )
            for name, value in values.items()
        }
        return cls(**checked)


SETTING_NAMES = tuple(name for name in Settings._fields if name not in ("best_return", "identity"))
"""The settings that callers choose."""
_HIGHEST = {"evaluation_weight": 1}
