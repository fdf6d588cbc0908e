"""VectorGame on a GPU: one thread for each match, and nothing is copied to the CPU.

The matches are those of the CPU: the same seeds give the same states, masks, features and returns.
What differs is what a GPU is bad at:

- Arrays are ``GpuArray``s, in Fortran order; PyTorch, JAX and CuPy take them without a copy.
- ``step`` returns before the GPU is done. It plays nothing in a match whose action is illegal, and
  the next ``check`` raises IllegalMove.
"""

from __future__ import annotations

import os
from collections.abc import Sequence
from functools import cache
from typing import Any, cast

import numpy as np
import numpy.typing as npt

from watermeet.core.batch import VectorGame
from watermeet.core.batch_kernels import (
    MOVER,
    OBSERVER,
    STEPS,
    TERMINATED,
    TRUNCATED,
    MaskArray,
    Matrix,
    begin_match,
    bind_features,
    observe_as,
    sample_batch,
    step_match,
)
from watermeet.core.checks import require_integer
from watermeet.core.contract import ActionArray, StateArray
from watermeet.core.cuda_device import Gpu, GpuArray, Launch
from watermeet.core.errors import NotInstalled
from watermeet.core.features import FeatureArray
from watermeet.core.intrinsic import thread
from watermeet.core.kernel import kernel
from watermeet.core.playout import copy_state
from watermeet.core.rng import next_below, seeded, seeded_many
from watermeet.core.state import State

REFUSED = 2
"""Added to a refused action, so that 0 stands for none; the least action is -1."""


# ---- the GPU -----------------------------------------------------------------------------------


@cache
def find_gpu() -> Gpu:
    """The GPU of this machine; raises NotInstalled if there is none that can be used."""
    if os.environ.get("NUMBA_ENABLE_CUDASIM", "0") not in ("", "0"):
        from watermeet.core.cuda_simulator import SimulatedGpu

        return cast("Gpu", SimulatedGpu())
    try:
        from cuda.bindings import driver
    except ImportError as error:
        raise NotInstalled(
            "code for GPUs needs numba-cuda", "install the extra cuda (docs/guides/install.md)"
        ) from error
    try:
        result = driver.cuInit(0)[0]
    except RuntimeError as error:  # It can't load the driver's library.
        raise NotInstalled(
            "NVIDIA's driver isn't installed", "install it, or use device='cpu'"
        ) from error
    if int(result) != 0:
        raise NotInstalled(
            f"this machine has no GPU that can be used ({result.name})",
            "use one with an NVIDIA GPU, or device='cpu'",
        )
    return Gpu(driver)


# ---- programs ---------------------------------------------------------------------------------


@kernel
def begin_thread(
    chosen: MaskArray,
    starts: Matrix,
    returns: Matrix,
    flags: Matrix,
    is_coded: bool,
    states: Matrix,
    marks: Matrix,
    masks: Matrix,
    rngs: Matrix,
    actions: Matrix,
    codes: Matrix,
    weights: Matrix,
) -> None:
    """Begin the chosen matches, all from the same state or each from its own."""
    match = thread()
    if match >= len(chosen) or not chosen[match]:
        return
    copy_state(starts[match if len(starts) > 1 else 0], states[match])
    for column in range(flags.shape[1]):
        flags[match, column] = False
    for seat in range(returns.shape[1]):
        returns[match, seat] = 0.0
    begin_match(
        match, is_coded, states, marks, masks, rngs, actions, codes, weights[match],
    )  # fmt: skip


@kernel
def step_thread(
    chosen: ActionArray,
    playing: MaskArray,
    refused: ActionArray,
    autoreset: bool,
    limit: int,
    is_coded: bool,
    start: StateArray,
    states: Matrix,
    marks: Matrix,
    masks: Matrix,
    returns: Matrix,
    flags: Matrix,
    rngs: Matrix,
    actions: Matrix,
    codes: Matrix,
    weights: Matrix,
) -> None:
    """Play the chosen actions; note those that are illegal."""
    match = thread()
    if match >= len(chosen) or not playing[match] or marks[match, MOVER] < 0:
        return
    action = int(chosen[match])
    if action < 0 or action >= masks.shape[1] or not masks[match, action]:
        refused[match] = action + REFUSED
        return
    step_match(
        match, action, autoreset, limit, is_coded, start, states, marks, masks, returns,
        flags, rngs, actions, codes, weights[match],
    )  # fmt: skip


@kernel
def sample_thread(
    wanted: MaskArray, marks: Matrix, rngs: Matrix, codes: Matrix, out: ActionArray
) -> None:
    """Sample a legal action in each wanted match."""
    match = thread()
    if match < len(wanted):
        sample_batch(match, match + 1, wanted, marks, rngs, codes, out)


@kernel
def observe_thread(
    rows: ActionArray,
    seats: ActionArray,
    is_hidden: bool,
    states: Matrix,
    known: Matrix,
    features: Matrix,
) -> None:
    """Write the features of some matches, each as one seat sees it, into an array of zeros."""
    index = thread()
    if index < len(rows):
        row = int(rows[index])
        observe_as(states[row], int(seats[index]), is_hidden, known[row], features[index])


@kernel
def convert_thread(source: ActionArray, target: ActionArray) -> None:
    """Copy numbers of another type; one that is too large becomes -1."""
    index = thread()
    if index < len(target):
        number = int(source[index])
        target[index] = number if 0 <= number < 1 << 31 else -1


def _smallest(limit: int) -> type[np.signedinteger[Any]]:
    """The type for numbers below a limit, with less to read and write than the CPU's 32 bits."""
    return np.int16 if limit <= 1 << 15 else np.int32


# ---- the batch --------------------------------------------------------------------------------


class CudaVectorGame(VectorGame):
    """Many matches of one game on a GPU; made by ``VectorGame(game, count, device="cuda")``."""

    device = "cuda"
    gpu: Gpu
    # What the CPU has as NumPy's arrays.
    states: Any
    masks: Any
    mask_bytes: Any
    returns: Any
    to_move: Any
    observers: Any
    steps: Any
    terminated: Any
    truncated: Any
    _marks: Any
    _flags: Any
    rngs: Any
    _sampled: Any
    numbers: Any
    _chosen: Any
    _actions: Any
    _codes: Any
    _features: Any

    def _allocate(self) -> None:
        self.gpu = find_gpu()
        game, count, new = self.game, self.count, self.gpu.zeros
        spec, sizes = game.features.spec, game.sizes
        self._gpu_arrays: dict[str, GpuArray] = {
            "states": new((count, sizes.state), game.dtype),
            "masks": new((count, spec.codes), np.bool_),
            "returns": new((count, game.seats), np.float64),
            "marks": new((count, 4), np.int32),
            "flags": new((count, 2), np.bool_),
            "refused": new((count,), np.int64),
            "sampled": new((count,), np.int32),
            "actions": new((count, sizes.actions), _smallest(sizes.actions)),
            "rngs": self.gpu.upload(seeded_many(count, np.random.SeedSequence().entropy)),
        }
        if self._is_coded:
            self._gpu_arrays["codes"] = new((count, sizes.actions), _smallest(spec.codes))

    def _prepare(self) -> None:
        game, count, new = self.game, self.count, self.gpu.zeros
        arrays = self._gpu_arrays
        self.states, self.masks, self.returns = (
            arrays[name] for name in ("states", "masks", "returns")
        )
        self._marks, self._flags, self.rngs = (arrays[name] for name in ("marks", "flags", "rngs"))
        self._sampled, self.refused = arrays["sampled"], arrays["refused"]
        self.mask_bytes = self.masks.view(np.int8)
        self.to_move, self.observers, self.steps = map(self._marks.column, (MOVER, OBSERVER, STEPS))
        self.terminated, self.truncated = map(self._flags.column, (TERMINATED, TRUNCATED))
        self._start = game.start_array()
        self._all = np.ones(count, dtype=np.bool_)
        self._has_features = False
        self._chosen = new((count,), np.int32)
        self._everywhere = self.gpu.upload(self._all)
        self.numbers = self.gpu.upload(np.arange(count, dtype=np.int32))
        """[count]: 0, 1, 2 …"""
        self._started = self.gpu.upload(self._start)
        self._actions = arrays["actions"]
        self._codes = arrays.get("codes", self._actions)
        self._weights = new((count, game.sizes.actions if game.chance else 1), np.float64)
        self._known = new((count, game.sizes.identity if game.hidden else 1), game.dtype)
        self.arrays = (
            self._is_coded, self._started, self.states, self._marks, self.masks,
            self.returns, self._flags, self.rngs, self._actions, self._codes, self._weights,
        )  # fmt: skip
        """What ``step_match`` works on, in its order."""
        self._features = None
        self._launches: dict[str, Launch] = {}

    def __getstate__(self) -> dict[str, Any]:
        kept = ("game", "count", "threads", "autoreset", "max_steps", "_is_coded", "_is_dense")
        arrays = {name: array.numpy() for name, array in self._gpu_arrays.items()}
        return {name: getattr(self, name) for name in kept} | {"_gpu_arrays": arrays}

    def __setstate__(self, state: dict[str, Any]) -> None:
        vars(self).update(state)
        self.gpu = find_gpu()
        self._gpu_arrays = {
            name: self.gpu.upload(array) for name, array in state["_gpu_arrays"].items()
        }
        self._prepare()

    # ---- starting ----

    def reset(
        self,
        seed: object = None,
        *,
        rows: npt.ArrayLike | None = None,
        states: State | str | Sequence[State | str] | None = None,
    ) -> None:
        """Restart all matches, or only some ``rows``; as on the CPU."""
        chosen = self._mask_of(rows)
        starts = self.upload_starts(states, chosen)
        if seed is not None:
            rngs = self.rngs.numpy()
            rngs[chosen] = seeded_many(self.count, seed)[chosen]
            self.gpu.upload(rngs, self.rngs)
        self.gpu.prepare(
            bind_features(self.game, begin_thread), self.count, self._upload_mask(chosen),
            starts, self.returns, self._flags, self._is_coded, self.states,
            self._marks, self.masks, self.rngs, self._actions, self._codes, self._weights,
        )()  # fmt: skip
        self._has_features = False

    def upload_starts(
        self, states: State | str | Sequence[State | str] | None, chosen: MaskArray
    ) -> GpuArray:
        """[1 or count, state size]: what the chosen matches start from; raises as ``reset``."""
        given = self._start if states is None else self._arrays_of(states, chosen)
        starts = given[None, :]
        if given.ndim == 2:
            starts = np.zeros((self.count, given.shape[1]), dtype=given.dtype)
            starts[chosen] = given
        return self.gpu.upload(starts)

    def reseed(self, seeds: Sequence[object], rows: npt.ArrayLike | None = None) -> None:
        """Give each of the rows its own seed."""
        rngs = self.rngs.numpy()
        for row, seed in self._seeds_of(seeds, rows):
            rngs[row] = seeded(seed)
        self.gpu.upload(rngs, self.rngs)

    def _mask_of(self, rows: npt.ArrayLike | None) -> MaskArray:
        return super()._mask_of(rows.numpy() if isinstance(rows, GpuArray) else rows)

    def _upload_mask(self, mask: MaskArray) -> GpuArray:
        return self._everywhere if mask is self._all else self.gpu.upload(mask)

    # ---- playing ----

    def step(self, actions: npt.ArrayLike, rows: npt.ArrayLike | None = None) -> None:
        """Play one action in each match, or only in some ``rows``.

        ``actions`` are of any library and device. What is illegal is not played; see ``check``.
        """
        chosen = self.upload_actions(actions)
        is_kept = rows is None and (chosen is self._chosen or chosen is self._sampled)
        launch = self._launches.get(f"step {chosen.address}") if is_kept else None
        if launch is None:
            launch = self.gpu.prepare(
                bind_features(self.game, step_thread), self.count, chosen,
                self._upload_mask(self._mask_of(rows)), self.refused,
                self.autoreset, self.max_steps or 0, *self.arrays,
            )  # fmt: skip
        if is_kept:
            self._launches[f"step {chosen.address}"] = launch
        launch()
        self._has_features = False

    def upload_actions(self, actions: Any) -> GpuArray:
        """Actions as the program takes them: 32 bits, side by side, on the GPU."""
        if actions is self._sampled:
            return self._gpu_arrays["sampled"]
        found = self.gpu.wrap(actions)
        if found is None:
            given = self._integers(actions)
            given = np.where((given >= 0) & (given < 1 << 31), given, -1)
            return self.gpu.upload(given.astype(np.int32), self._chosen)
        self._require_integers(found, actions)
        self.gpu.prepare(convert_thread, self.count, found, self._chosen)()
        converted: GpuArray = self._chosen
        return converted

    def check(self) -> None:
        """Wait for the GPU; raise IllegalMove if an action was refused since the last check."""
        refused = self.refused.numpy()
        if refused.any():
            self.gpu.clearing(self.refused)()
            match = int(np.flatnonzero(refused)[0])
            self._refuse(match, int(refused[match]) - REFUSED)

    def sample_actions(self, rows: npt.ArrayLike | None = None) -> Any:
        """A random legal action for each match; the next call overwrites the array."""
        launch = self._launches.get("sample") if rows is None else None
        if launch is None:
            launch = self.gpu.prepare(
                sample_thread, self.count, self._upload_mask(self._mask_of(rows)), self._marks,
                self.rngs, self._codes, self._sampled,
            )  # fmt: skip
        if rows is None:
            self._launches["sample"] = launch
        launch()
        return self._sampled

    def play(self, match: int, action: int) -> None:
        """Play an action in one match, and wait for the GPU; raises IllegalMove."""
        actions = np.zeros(self.count, dtype=np.int64)
        actions[match] = action
        self.step(actions, [match])
        self.check()

    def sample_action(self, match: int) -> int:
        """A random legal action in one match; waits for the GPU."""
        return int(self.sample_actions([match]).numpy()[match])

    def sample_below(self, limit: int, rows: npt.ArrayLike | None = None) -> ActionArray:
        """A random number below the limit for each of the rows; waits for the GPU."""
        rngs = np.ascontiguousarray(self.rngs.numpy())
        numbers = np.flatnonzero(self._mask_of(rows))
        found = np.array([next_below(rngs[row], limit) for row in numbers], dtype=np.int32)
        self.gpu.upload(rngs, self.rngs)
        return found

    # ---- looking ----

    @property
    def features(self) -> Any:
        """[count, features]: what each seat to move sees, or saw when it ended the match."""
        if self._features is None:
            size = (self.count, self.game.features.spec.size)
            self._features = self.gpu.zeros(size, np.float32)
            self._launches["observe"] = self.observing(self.numbers, self.observers, self._features)
        if not self._has_features:
            self._launches["observe"]()
            self._has_features = True
        return self._features

    def observe(self, seats: npt.ArrayLike, rows: npt.ArrayLike | None = None) -> Any:
        """[rows, features]: what a seat sees in each of the rows; one seat for all, or for each."""
        numbers = np.flatnonzero(self._mask_of(rows)).astype(np.int32)
        given = self._seats_of(seats, len(numbers))
        out = self.gpu.zeros((len(numbers), self.game.features.spec.size), np.float32)
        self.observing(self.gpu.upload(numbers), self.gpu.upload(given), out)()
        return out

    def observe_one(self, match: int, seat: int) -> FeatureArray:
        """[features]: what a seat sees in one match; waits for the GPU."""
        found: FeatureArray = self.observe(seat, [match]).numpy()[0]
        return found

    def observe_all(self, rows: npt.ArrayLike | None = None) -> FeatureArray:
        """[rows, seats, features]: what every seat sees; waits for the GPU."""
        each = [self.observe(seat, rows).numpy() for seat in range(self.game.seats)]
        return np.stack(each, axis=1)

    def observing(self, rows: Any, seats: Any, out: GpuArray) -> Launch:
        """Each call of the result writes what a seat sees in each of the rows into an array."""
        observing = self.gpu.prepare(
            bind_features(self.game, observe_thread), len(rows), rows, seats, self.game.hidden,
            self.states, self._known, out,
        )  # fmt: skip
        if self._is_dense:
            return observing
        clearing = self.gpu.clearing(out)

        def observe() -> None:
            clearing()
            observing()

        return observe

    def state(self, match: int) -> State:
        """The state of one match, as a value; waits for the GPU."""
        index = require_integer(match, "the number of a match", low=0, high=self.count - 1)
        return State(self.game, np.ascontiguousarray(self.states.numpy()[index]))

    def synchronize(self) -> None:
        """Wait until the GPU has done everything."""
        self.gpu.synchronize()

    def close(self) -> None:
        """Do nothing: memory is freed with the last array."""
