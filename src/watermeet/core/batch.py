"""VectorGame: thousands of matches of one game, stepped together by compiled code.

Everything is in arrays that are allocated once and overwritten by every step; no Python runs per
match. Chance is sampled inside. Each match has its own random numbers, so results depend on the
seed and not on the number of threads, or on the other matches.

Actions are numbered by their *codes* (``watermeet.core.features``), which mean the same in every
state of every match. In most games that is the action's own number.

For one state at a time, with checks and reasons, there is ``State``; both run the same kernels.
"""

from __future__ import annotations

import copy
import itertools
from collections.abc import Callable, Iterable, Sequence
from importlib import import_module
from typing import TYPE_CHECKING, Any, NamedTuple, Self, cast

import numpy as np
import numpy.typing as npt

from watermeet.core.batch_kernels import (
    MOVER,
    OBSERVER,
    STEPS,
    TERMINATED,
    TRUNCATED,
    MaskArray,
    Matrix,
    Rows,
    begin_batch,
    bind_features,
    first_illegal,
    observe_batch,
    sample_batch,
    step_batch,
)
from watermeet.core.checks import integer, quote, require_integer, require_items, require_type
from watermeet.core.contract import OVER, ActionArray, FloatArray, StateArray
from watermeet.core.errors import HiddenInformation, IllegalMove, InvalidArgument, NotYourTurn
from watermeet.core.features import FeatureArray
from watermeet.core.game import Game
from watermeet.core.rng import next_below, seeded, seeded_many
from watermeet.core.state import OMNISCIENT, State

if TYPE_CHECKING:
    from concurrent.futures import ThreadPoolExecutor

MIN_MATCHES_PER_THREAD = 64
"""With fewer matches each, threads cost more than they save."""


class _Buffers(NamedTuple):
    """The working memory of one thread."""

    weights: FloatArray
    known: StateArray


class VectorGame:
    """Many matches of one game, stepped together, with the mask and features of each mover.

    The arrays are public, and every ``step`` overwrites them: copy what you want to keep. Don't
    write to them: compiled code trusts them and checks nothing.

    With ``autoreset`` a match that ends starts again within the same step; without, it stays as it
    is, and its actions are ignored, until ``reset``. After ``max_steps`` actions a match is
    truncated. A batch can be pickled and copied, and its copy plays on as it would have.

    With ``device="cuda"`` it lives on a GPU: see ``watermeet.core.cuda_batch``.
    """

    device = "cpu"

    def __new__(cls, *args: Any, device: str = "cpu", **kwargs: Any) -> Self:
        """A batch for a device."""
        if device not in ("cpu", "cuda"):
            raise InvalidArgument(f"{quote(device)} isn't a device", "choose 'cpu' or 'cuda'")
        if device == "cuda" and cls is VectorGame:
            on_gpu = import_module("watermeet.core.cuda_batch").CudaVectorGame
            return cast("Self", super().__new__(on_gpu))
        return super().__new__(cls)

    def __init__(
        self,
        game: Game,
        count: int,
        *,
        seed: object = None,
        threads: int = 1,
        autoreset: bool = True,
        max_steps: int | None = None,
        device: str = "cpu",
    ) -> None:
        require_type(game, Game, "a game")
        count = require_integer(count, "a number of matches", low=1)
        self.threads = require_integer(threads, "a number of threads", low=1)
        self.game, self.count, self.autoreset = game, count, bool(autoreset)
        self.max_steps = (
            None if max_steps is None else require_integer(max_steps, "a number of steps", low=1)
        )
        self._is_coded = "encode" in game.features.own
        self._is_dense = game.features.spec.dense
        self._allocate()
        self._prepare()
        self.reset(seed)

    def _allocate(self) -> None:
        game, count = self.game, self.count
        spec = game.features.spec
        self.states: StateArray = np.zeros((count, game.sizes.state), dtype=game.dtype)
        """[count, state size]: the full states, hidden information included."""
        self.masks: MaskArray = np.zeros((count, spec.codes), dtype=np.bool_)
        """[count, codes]: whether each action is legal."""
        self.returns: FloatArray = np.zeros((count, game.seats), dtype=np.float64)
        """[count, seats]: each seat's return where ``terminated``; zero elsewhere."""
        self._features: FeatureArray = np.zeros((count, spec.size), dtype=np.float32)
        self._has_features = False
        self._marks = np.zeros((count, 4), dtype=np.int32)
        self._flags = np.zeros((count, 2), dtype=np.bool_)
        self._sampled: ActionArray = np.zeros(count, dtype=np.int32)
        self._actions: Matrix = np.zeros((count, game.sizes.actions), dtype=np.int32)
        self._codes = np.zeros_like(self._actions) if self._is_coded else self._actions
        self.rngs: Matrix = seeded_many(count, np.random.SeedSequence().entropy)
        """[count, 1]: each match's random numbers."""

    def _prepare(self) -> None:
        """Make what can't be pickled: views; threads, and their memory; kernels."""
        self.to_move: ActionArray = self._marks[:, MOVER]
        """[count]: the seat that moves next; OVER if the match is over and waits for a reset."""
        self.observers: ActionArray = self._marks[:, OBSERVER]
        """[count]: the seat that sees ``features``: the one to move, or that moved last."""
        self.steps: ActionArray = self._marks[:, STEPS]
        """[count]: the number of actions played in this match."""
        self.mask_bytes: npt.NDArray[np.int8] = self.masks.view(np.int8)
        """[count, codes]: the masks as 0 and 1, as other libraries want them."""
        self.terminated: MaskArray = self._flags[:, TERMINATED]
        """[count]: whether the last step ended the match."""
        self.truncated: MaskArray = self._flags[:, TRUNCATED]
        """[count]: whether the last step reached ``max_steps``."""
        self._start = self.game.start_array()
        self._all = np.ones(self.count, dtype=np.bool_)
        self._numbers = np.arange(self.count)
        self._each_seat = np.arange(self.game.seats, dtype=np.int32).reshape(-1, 1)
        self._chosen: ActionArray = np.zeros(self.count, dtype=np.int32)
        self._slices = self._split(self.count)
        self._buffers = [self._new_buffers() for _ in self._slices]
        self._pool = _thread_pool(len(self._slices) - 1)
        self._arrays = (
            self._is_coded, self._start, self.states, self._marks, self.masks,
            self.returns, self._flags, self.rngs, self._actions, self._codes,
        )  # fmt: skip
        """What ``step_batch`` works on, in its order."""
        self._arrays_and_weights = (*self._arrays, self._buffers[0].weights)
        self._step, self._begin, self._observe = (
            bind_features(self.game, each) for each in (step_batch, begin_batch, observe_batch)
        )

    def __getstate__(self) -> dict[str, Any]:
        return {name: value for name, value in vars(self).items() if name not in _NOT_PICKLED}

    def __setstate__(self, state: dict[str, Any]) -> None:
        vars(self).update(state)
        self._prepare()

    def clone(self) -> Self:
        """A copy that plays on as this one would, random numbers included."""
        return copy.deepcopy(self)

    def _split(self, count: int) -> list[tuple[int, int]]:
        """The first row of each thread, and the end of its rows."""
        parts = max(1, min(self.threads, count // MIN_MATCHES_PER_THREAD))
        ends = [count * part // parts for part in range(parts + 1)]
        return list(itertools.pairwise(ends))

    def _new_buffers(self) -> _Buffers:
        sizes = self.game.sizes
        return _Buffers(
            np.zeros(sizes.actions, dtype=np.float64),
            np.zeros(sizes.identity, dtype=self.game.dtype),
        )

    # ---- starting ----

    def reset(
        self,
        seed: object = None,
        *,
        rows: npt.ArrayLike | None = None,
        states: State | str | Sequence[State | str] | None = None,
    ) -> None:
        """Restart all matches, or only some ``rows``: their numbers, or a mask.

        The seed alone decides what chance brings; without one, each match's generator continues.
        ``states`` are what to start from: one for all, or one for each row.
        """
        chosen = self._mask_of(rows)
        part = slice(None) if chosen is self._all else chosen  # Quicker.
        self.states[part] = self._start if states is None else self._arrays_of(states, chosen)
        if seed is not None:
            self.rngs[part] = seeded_many(self.count, seed)[part]
        self._flags[part] = False
        self.returns[part] = 0.0

        def begin(first: int, end: int, buffers: _Buffers) -> None:
            self._begin(
                first, end, chosen, self._is_coded, self.states, self._marks,
                self.masks, self.rngs, self._actions, self._codes, buffers.weights,
            )  # fmt: skip

        self._run(begin, self._slices)
        self._has_features = False

    def reseed(self, seeds: Sequence[object], rows: npt.ArrayLike | None = None) -> None:
        """Give each of the rows its own seed; a match with the same seed is dealt the same."""
        for row, seed in self._seeds_of(seeds, rows):
            self.rngs[row] = seeded(seed)

    def _seeds_of(
        self, seeds: Sequence[object], rows: npt.ArrayLike | None
    ) -> Iterable[tuple[int, object]]:
        """The rows with their seeds; raises InvalidArgument."""
        numbers, given = np.flatnonzero(self._mask_of(rows)).tolist(), require_items(seeds, "seeds")
        if len(given) != len(numbers):
            raise InvalidArgument(
                f"{len(given)} seeds can't be those of {len(numbers)} matches", "pass one for each"
            )
        return zip(numbers, given, strict=True)

    def _mask_of(self, rows: npt.ArrayLike | None) -> MaskArray:
        """The rows as a mask; raises InvalidArgument."""
        if rows is None:
            return self._all
        given = _as_array(rows)
        if given.dtype == _BOOL and given.shape == (self.count,):
            return given
        mask = np.zeros(self.count, dtype=np.bool_)
        is_list = given.ndim == 1 and (given.dtype.kind in "iu" or not given.size)
        if not is_list or (given.size and not 0 <= given.min() <= given.max() < self.count):
            raise InvalidArgument(
                f"{quote(rows)} aren't rows of {self.count} matches",
                "pass their numbers, or a boolean for each match",
            )
        mask[given.astype(np.intp)] = True
        return mask

    def _arrays_of(
        self, states: State | str | Sequence[State | str], chosen: MaskArray
    ) -> StateArray:
        """The arrays to start from: one for all rows, or one for each."""
        if isinstance(states, State | str):
            return self._array_of(states)
        given, count = require_items(states, "states"), int(chosen.sum())
        if len(given) != count:
            raise InvalidArgument(
                f"{len(given)} states can't start {count} matches", "pass one for each, or one"
            )
        return np.stack([self._array_of(each) for each in given]) if count else self._start

    def _array_of(self, state: State | str) -> StateArray:
        parsed = self.game.parse(state) if isinstance(state, str) else state
        found = self.game.require_state(parsed)
        if found.known_to != OMNISCIENT:
            raise HiddenInformation(
                f"{found!r} only has what seat {found.known_to} knows", "start from a full state"
            )
        if found.to_move == OVER:
            raise NotYourTurn(f"{found!r} is over", "start from a state with a seat to move")
        return found.array

    # ---- playing ----

    def step(self, actions: npt.ArrayLike, rows: npt.ArrayLike | None = None) -> None:
        """Play one action in each match, or only in some ``rows``; raises IllegalMove.

        ``actions`` has one for each match in any case. Nothing is played in matches that are over.
        """
        playing = self._mask_of(rows)
        chosen = self._checked(actions, playing)

        def step(first: int, end: int, buffers: _Buffers) -> None:
            self._step(
                first, end, chosen, playing, self.autoreset, self.max_steps or 0,
                *self._arrays, buffers.weights,
            )  # fmt: skip

        self._run(step, self._slices)
        self._has_features = False

    def play(self, match: int, action: int) -> None:
        """Play an action in one match, where this is quicker than ``step``; raises IllegalMove.

        Nothing is played if it is over.
        """
        row = match if type(match) is int and 0 <= match < self.count else self._row(match)
        code = action if type(action) is int else integer(action)
        if code is None:
            raise InvalidArgument(f"{quote(action)} isn't an action", "pass its code")
        is_over = self.to_move.item(row) < 0
        if not (is_over or (0 <= code < self.masks.shape[1] and self.masks.item(row, code))):
            self._refuse(row, code)
        self._chosen[row] = 0 if is_over else code
        self._step(
            row, row + 1, self._chosen, self._all, self.autoreset, self.max_steps or 0,
            *self._arrays_and_weights,
        )  # fmt: skip
        self._has_features = False

    def _checked(self, actions: npt.ArrayLike, playing: MaskArray) -> ActionArray:
        """The actions as the kernels want them; raises unless those of all that play are legal."""
        given = self._integers(actions)
        if given.dtype not in _ACTION_TYPES:  # What doesn't fit into 64 bits is as illegal as -1.
            given = np.where((given >= 0) & (given < self.masks.shape[1]), given, -1)
            given = given.astype(np.int64)
        given = np.ascontiguousarray(given)
        wrong = int(first_illegal(given, playing, self._marks, self.masks))
        if wrong >= 0:
            self._refuse(wrong, int(given[wrong]))
        return given.astype(np.int32, copy=False)

    def _integers(self, actions: npt.ArrayLike) -> npt.NDArray[Any]:
        """Actions as an array, one for each match; raises InvalidArgument."""
        given = _as_array(actions)
        self._require_integers(given, actions)
        return given

    def _require_integers(self, given: Any, actions: object) -> None:
        if given.shape != (self.count,) or given.dtype.kind not in "iu":
            raise InvalidArgument(
                f"{quote(actions)} aren't actions for {self.count} matches",
                "pass an array of integers, one per match",
            )

    def _refuse(self, match: int, code: int) -> None:
        state = self.state(match)
        what = f"{self.game.name}: action {code} is illegal in match {match}, {state.text!r}"
        if self._is_coded:
            raise IllegalMove(what, "choose one that the mask allows")
        reason = state.explain(code)
        raise IllegalMove(what, reason.sentence, reason)

    def sample_actions(self, rows: npt.ArrayLike | None = None) -> ActionArray:
        """A random legal action for each match; the next call overwrites the array.

        Zero in rows that weren't asked for, and in matches that are over.
        """
        wanted = self._mask_of(rows)

        def sample(first: int, end: int, buffers: _Buffers) -> None:
            sample_batch(first, end, wanted, self._marks, self.rngs, self._codes, self._sampled)

        self._run(sample, self._slices)
        return self._sampled

    def sample_action(self, match: int) -> int:
        """A random legal action for one match; zero if it is over."""
        row = self._row(match)
        sample_batch(row, row + 1, self._all, self._marks, self.rngs, self._codes, self._sampled)
        return int(self._sampled[row])

    def sample_below(self, limit: int, rows: npt.ArrayLike | None = None) -> ActionArray:
        """A random number below the limit for each of the rows, from its match's generator."""
        limit = require_integer(limit, "a limit", low=1, high=2**31 - 1)
        numbers = np.flatnonzero(self._mask_of(rows))
        return np.array([next_below(self.rngs[row], limit) for row in numbers], dtype=np.int32)

    # ---- looking ----

    @property
    def features(self) -> FeatureArray:
        """[count, features]: what each seat to move sees, or saw when it ended the match.

        They are computed when they are first read after a step.
        """
        if not self._has_features:
            self._write_features(self.observers.copy(), self._numbers, self._features)
            self._has_features = True
        return self._features

    def observe(self, seats: npt.ArrayLike, rows: npt.ArrayLike | None = None) -> FeatureArray:
        """[rows, features]: what a seat sees in each of the rows; one seat for all, or for each."""
        numbers = self._numbers if rows is None else np.flatnonzero(self._mask_of(rows))
        given = self._seats_of(seats, len(numbers))
        out = np.empty((len(numbers), self.game.features.spec.size), dtype=np.float32)
        self._write_features(given, numbers, out)
        return out

    def _seats_of(self, seats: npt.ArrayLike, count: int) -> ActionArray:
        """A seat for each row; raises InvalidArgument."""
        given = _as_array(seats)
        if given.ndim == 0 and given.dtype.kind in "iu":
            given = np.full(count, given)
        is_list = given.shape == (count,) and given.dtype.kind in "iu"
        if not is_list or (count and not 0 <= given.min() <= given.max() < self.game.seats):
            raise InvalidArgument(
                f"{quote(seats)} aren't seats for {count} rows",
                f"pass one seat, or one for each, from 0 to {self.game.seats - 1}",
            )
        return np.ascontiguousarray(given, dtype=np.int32)

    def observe_one(self, match: int, seat: int) -> FeatureArray:
        """[features]: what a seat sees in one match, where this is quicker than ``observe``."""
        row = match if type(match) is int and 0 <= match < self.count else self._row(match)
        if type(seat) is not int or not 0 <= seat < self.game.seats:
            seat = require_integer(seat, "a seat", low=0, high=self.game.seats - 1)
        out: FeatureArray = np.empty((1, self._features.shape[1]), dtype=np.float32)
        self._observe(
            0, 1, self._numbers[row : row + 1], self.states, self._each_seat[seat],
            self.game.hidden, self._is_dense, out, self._buffers[0].known,
        )  # fmt: skip
        found: FeatureArray = out[0]
        return found

    def observe_all(self, rows: npt.ArrayLike | None = None) -> FeatureArray:
        """[rows, seats, features]: what every seat sees, for a centralised critic."""
        each = [self.observe(seat, rows) for seat in range(self.game.seats)]
        return np.stack(each, axis=1)

    def state(self, match: int) -> State:
        """The state of one match, as a value."""
        return State(self.game, self.states[self._row(match)].copy())

    def _row(self, match: int) -> int:
        return require_integer(match, "the number of a match", low=0, high=self.count - 1)

    def _write_features(self, seats: ActionArray, rows: Rows, out: FeatureArray) -> None:
        def observe(first: int, end: int, buffers: _Buffers) -> None:
            self._observe(
                first, end, rows, self.states, seats, self.game.hidden, self._is_dense, out,
                buffers.known,
            )  # fmt: skip

        self._run(observe, self._split(len(rows)) if self._pool else [(0, len(rows))])

    # ---- threads ----

    def check(self) -> None:
        """Do nothing. On a GPU it waits, and raises what ``step`` raises here."""

    def synchronize(self) -> None:
        """Do nothing: ``step`` returns when everything is done. On a GPU it doesn't."""

    def close(self) -> None:
        """Stop the threads; nothing can be played afterwards."""
        if self._pool is not None:
            self._pool.shutdown()

    def _run(
        self, work: Callable[[int, int, _Buffers], None], slices: list[tuple[int, int]]
    ) -> None:
        """Do the work for every slice; the first runs in this thread, which would only wait."""
        if self._pool is None:
            work(*slices[0], self._buffers[0])
            return
        futures = [
            self._pool.submit(work, *bounds, buffers)
            for bounds, buffers in zip(slices[1:], self._buffers[1:], strict=False)
        ]
        work(*slices[0], self._buffers[0])
        for future in futures:
            future.result()


def _as_array(values: npt.ArrayLike) -> npt.NDArray[Any]:
    """What somebody passed, as an array; empty, and so refused, if it is a ragged list."""
    try:
        return np.asarray(values)
    except ValueError:
        return np.empty((0, 0))


_BOOL = np.dtype(np.bool_)
_ACTION_TYPES = (np.dtype(np.int32), np.dtype(np.int64))
_VIEWS = ("to_move", "observers", "steps", "mask_bytes", "terminated", "truncated")
_CONSTANTS = ("_start", "_all", "_numbers", "_each_seat", "_chosen")
_ARGUMENTS = ("_arrays", "_arrays_and_weights", "_slices", "_buffers", "_pool")
_KERNELS = ("_step", "_begin", "_observe")
_NOT_PICKLED = (*_VIEWS, *_CONSTANTS, *_ARGUMENTS, *_KERNELS)


def _thread_pool(count: int) -> ThreadPoolExecutor | None:
    from concurrent.futures import ThreadPoolExecutor  # Rarely needed, and slow to import.

    return ThreadPoolExecutor(count) if count else None
