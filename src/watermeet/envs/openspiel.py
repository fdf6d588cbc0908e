"""Every game for OpenSpiel: ``pyspiel.load_game("watermeet_NAME_vVERSION(option=value)")``.

Importing this module registers them. Chance is explicit: every chance outcome has its node. Actions
are numbered by their codes (see ``watermeet.core.features``), and chance outcomes share that
numbering. Games and states can be copied and pickled.

An *observation* is what a seat knows now: its features or, as a string, the text of the concealed
state. An *information state* adds the seat's history: an entry for each action of the match, which
is the action itself if the seat played it, and otherwise a digest of what the seat saw. So two
information states are equal exactly if a seat with perfect recall can't tell them apart.

``from_state(state)`` is the game starting from a state, so that algorithms that walk the whole
tree, such as CFR, can solve endgames of larger games. In a game string, the parameter ``start``
does the same; its value is the state's text, URL-encoded (``urllib.parse.quote``).
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any
from urllib.parse import quote, unquote

import numpy as np

from watermeet.core.checks import require_type
from watermeet.core.contract import CHANCE, OVER
from watermeet.core.errors import IllegalMove
from watermeet.core.game import Game
from watermeet.core.registry import game as find_game
from watermeet.core.registry import games
from watermeet.core.state import State
from watermeet.envs.extra import from_extra

with from_extra():
    import pyspiel

START = "start"
"""The extra parameter: the text of the first state, or empty."""
_KINDS = pyspiel.GameType
_DIGITS = 12
"""Hex digits of a digest: two collide with a probability of about 1e-14."""


Mark = tuple[int, str]


@dataclass(frozen=True, eq=False)
class Past:
    """An action of the history (its code), the state after it, and the history before."""

    before: Past | None
    mover: int
    action: int
    after: State
    marks: dict[int, Mark] = field(default_factory=dict)
    """The seats' marks computed so far."""

    def mark(self, seat: int) -> Mark:
        """The action if the seat played it, else -1; and a digest of what the seat saw."""
        if seat not in self.marks:
            known = self.after.conceal(seat)
            seen = known.array[: known.game.sizes.identity].tobytes()
            digest = hashlib.blake2b(seen).hexdigest()[:_DIGITS]
            self.marks[seat] = (self.action if self.mover == seat else -1, digest)
        return self.marks[seat]

    def __deepcopy__(self, memo: Any) -> Past:
        return self  # Immutable, so copies share it.

    def __reduce__(self) -> tuple[object, ...]:
        past, found = self, [(self.mover, self.action, self.after)]
        while past.before is not None:  # As a list: pickle can't follow a long chain.
            past = past.before
            found.append((past.mover, past.action, past.after))
        return _restore_past, (found[::-1],)


def _restore_past(actions: list[tuple[int, int, State]]) -> Past | None:
    past = None
    for mover, action, after in actions:
        past = Past(past, mover, action, after)
    return past


def marks_of(past: Past | None, seat: int) -> list[Mark]:
    """A seat's marks of all actions, oldest first."""
    found = []
    while past is not None:
        found.append(past.mark(seat))
        past = past.before
    return found[::-1]


class SpielState(pyspiel.State):  # type: ignore[misc]
    """A state of a match with its history."""

    def __init__(self, game: SpielGame, state: State) -> None:
        super().__init__(game)
        self.position = state
        """The full state, hidden information included."""
        self._codes: dict[int, int] | None = None
        self._past: Past | None = None
        self._known_past: dict[int, list[Mark]] = {}

    def current_player(self) -> int:
        """The seat to move, or OpenSpiel's id for chance or the end."""
        mover = self.position.to_move
        if mover == OVER:
            return int(pyspiel.PlayerId.TERMINAL)
        return int(pyspiel.PlayerId.CHANCE) if mover == CHANCE else mover

    @property
    def codes(self) -> dict[int, int]:
        """The legal actions by their codes, ascending."""
        if self._codes is None:
            self._codes = self.position.game.features.legal_codes(self.position)
        return self._codes

    def _legal_actions(self, player: int) -> list[int]:
        return list(self.codes) if player == self.current_player() else []

    def chance_outcomes(self) -> list[tuple[int, float]]:
        """The chance outcomes with their probabilities."""
        weights = dict(self.position.chance_outcomes)
        return [(code, weights[action]) for code, action in self.codes.items()]

    def _apply_action(self, code: int) -> None:
        if code not in self.codes:
            raise IllegalMove(
                f"{self.position.game.name}: action {code} is illegal in {self.position.text!r}",
                "choose one of legal_actions()",
            )
        mover, self.position = self.position.to_move, self.position.play(self.codes[code])
        self._codes = None
        self._past = Past(self._past, mover, code, self.position)

    def _action_to_string(self, player: int, code: int) -> str:
        if code in self.codes:
            return self.position.format(self.codes[code])
        return f"action {code}"  # Only legal actions are sure to have a text.

    def is_terminal(self) -> bool:
        """Whether the match is over."""
        return self.position.to_move == OVER

    def returns(self) -> list[float]:
        """Each seat's return; zero before the end."""
        outcome = self.position.outcome
        return [0.0] * self.position.game.seats if outcome is None else list(outcome.returns)

    def __str__(self) -> str:
        return self.position.text

    # ---- what a seat knows ----

    def marks(self, seat: int) -> list[Mark]:
        """A seat's history: see ``marks_of``."""
        return [*self._known_past.get(seat, []), *marks_of(self._past, seat)]

    def resample_from_infostate(self, player: int, sampler: Any) -> SpielState:
        """A state consistent with what the seat knows, sampled with the right probability.

        Its history is what the seat has seen.
        """

        class Source:
            """Adapts OpenSpiel's sampler."""

            def random(self) -> float:
                """A number in [0, 1)."""
                return float(sampler())

        sampled = self.position.conceal(player).resample(Source())
        state = SpielState(self.get_game(), sampled)
        state._known_past = {player: self.marks(player)}
        return state


class SpielObserver:
    """What a seat knows, as a tensor and a string, with or without perfect recall."""

    def __init__(self, game: Game, kind: Any) -> None:
        if kind.private_info == pyspiel.PrivateInfoType.ALL_PLAYERS or not kind.public_info:
            raise ValueError(f"{game.name} only has observations of one player's whole knowledge")
        layout = game.features.spec
        self._game, self._perfect_recall = game, bool(kind.perfect_recall)
        self._layout = layout
        past = game.sizes.max_length if self._perfect_recall else 0
        self.tensor = np.zeros(layout.size + past, dtype=np.float32)
        self.dict = {}
        if layout.planes:
            self.dict["planes"] = self.tensor[: layout.plane_size].reshape(layout.shape)
        if layout.numbers:
            self.dict["numbers"] = self.tensor[layout.plane_size : layout.size]
        if self._perfect_recall:
            self.dict["past"] = self.tensor[layout.size :]

    def set_from(self, state: SpielState, player: int) -> None:
        """Write the features and, with perfect recall, a number for each action so far."""
        features = state.position.game.features.of(state.position, player)
        self.tensor[: self._layout.size] = features
        if self._perfect_recall:
            past = self.dict["past"]
            past[:] = 0
            numbers = list(self._numbers(state.marks(player)))
            past[: len(numbers)] = numbers

    def _numbers(self, marks: list[Mark]) -> Iterator[float]:
        """The seat's own actions are positive, digests of the others' negative."""
        for action, digest in marks:
            if action >= 0:
                yield (1 + action) / self._game.features.spec.codes
            else:
                yield -(1 + int(digest[:6], 16)) / 16**6

    def string_from(self, state: SpielState, player: int) -> str:
        """The text of what the seat knows and, with perfect recall, its marks."""
        known = state.position.conceal(player)
        text = f"seat {player}: {known.text}"
        if not self._perfect_recall:
            return text
        marks = (
            digest if action < 0 else f"{action}:{digest}" for action, digest in state.marks(player)
        )
        return f"{text} after {' '.join(marks)}"


class SpielGame(pyspiel.Game):  # type: ignore[misc]
    """A game with its options; ``register`` makes a subclass for each registered game."""

    name = ""

    def __init__(self, params: dict[str, Any] | None = None) -> None:
        options = dict(params or {})
        start = unquote(options.pop(START, ""))
        self.game = find_game(self.name, **options)
        self._start = self.game.parse(start) if start else self.game.start()
        super().__init__(game_type(find_game(self.name)), game_info(self.game), params or {})

    def __reduce__(self) -> tuple[object, ...]:
        return _restore_game, (str(self),)

    def new_initial_state(self) -> SpielState:
        """The first state, or the one given by ``start``."""
        return SpielState(self, self._start)

    def make_py_observer(self, iig_obs_type: Any = None, params: Any = None) -> SpielObserver:
        """Called by ``open_spiel.python.observation``."""
        if params:
            raise ValueError(f"observations take no parameters, got {params!r}")
        kind = iig_obs_type or pyspiel.IIGObservationType(perfect_recall=False)
        return SpielObserver(self.game, kind)

    def max_chance_nodes_in_history(self) -> int:
        """At most the number of actions."""
        return self.game.sizes.max_length if self.game.chance else 0


def _restore_game(text: str) -> Any:
    return pyspiel.load_game(text)  # By a function of this module, which registers the games.


def short_name(game: Game) -> str:
    """A game's short name in OpenSpiel."""
    return f"watermeet_{game.name}_v{game.version}"


def from_state(state: State) -> Any:
    """The OpenSpiel game that starts from a state."""
    require_type(state, State, "a state")
    options = dict(state.game.options)
    find_game(state.game.name, **options).require_state(state)  # OpenSpiel knows the newest rules.
    return pyspiel.load_game(short_name(state.game), {**options, START: quote(state.text)})


def game_type(game: Game) -> Any:
    """The facts that don't depend on options."""
    low, high = game.seat_range
    return _KINDS(
        short_name=short_name(game),
        long_name=game.title,
        dynamics=_KINDS.Dynamics.SEQUENTIAL,
        chance_mode=_KINDS.ChanceMode.EXPLICIT_STOCHASTIC
        if game.chance
        else _KINDS.ChanceMode.DETERMINISTIC,
        information=_KINDS.Information.IMPERFECT_INFORMATION
        if game.hidden
        else _KINDS.Information.PERFECT_INFORMATION,
        utility=_utility(game),
        reward_model=_KINDS.RewardModel.TERMINAL,
        min_num_players=low,
        max_num_players=high,
        provides_information_state_string=True,
        provides_information_state_tensor=True,
        provides_observation_string=True,
        provides_observation_tensor=True,
        parameter_specification={**game.options, START: ""},
    )


def _utility(game: Game) -> Any:
    if game.returns_sum is None:
        is_one_team = len(game.teams) == 1
        return _KINDS.Utility.IDENTICAL if is_one_team else _KINDS.Utility.GENERAL_SUM
    return _KINDS.Utility.ZERO_SUM if game.returns_sum == 0 else _KINDS.Utility.CONSTANT_SUM


def game_info(game: Game) -> Any:
    """The facts that depend on options."""
    low, high = game.returns_range
    return pyspiel.GameInfo(
        num_distinct_actions=game.features.spec.codes,
        max_chance_outcomes=game.features.spec.codes if game.chance else 0,
        num_players=game.seats,
        min_utility=low,
        max_utility=high,
        utility_sum=game.returns_sum,
        max_game_length=game.sizes.max_length,
    )


def register() -> None:
    """Register all games with OpenSpiel; importing this module does it."""
    known = set(pyspiel.registered_names())
    for name in games():
        facts = game_type(find_game(name))
        if facts.short_name not in known:
            # OpenSpiel outlives the interpreter and keeps what it is given: a class survives that.
            pyspiel.register_game(facts, type(facts.short_name, (SpielGame,), {"name": name}))


register()
