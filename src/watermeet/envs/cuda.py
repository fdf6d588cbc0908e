"""Gymnasium's vector API on a GPU: ``make_vec(…, device="cuda")``.

The matches are those of the CPU: the same settings, seeds and actions give the same observations,
rewards and ends. One program does a whole step: the learner's action, the opponents' until it is
the learner's turn again, and the next match where one has ended. What differs:

- All arrays stay on the GPU, and every step overwrites them. Give ``convert`` a function such as
  ``torch.from_dlpack`` to get another library's: it sees the same memory, and is called once.
- Opponents are ``"random"`` or, with ``"self"``, the learner; they can't be replaced.
- Nothing waits for the GPU. An illegal action isn't played, and the next ``check`` raises
  IllegalMove; so does an action in a match that has ended, with DISABLED.
- With SAME_STEP, ``infos["final_obs"]`` and ``infos["final_info"]`` have arrays, not lists of
  dicts; what they hold counts where ``infos["_final_obs"]`` is true.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from watermeet.bots.batched import Playable
from watermeet.bots.specs import RANDOM
from watermeet.core.batch import VectorGame
from watermeet.core.batch_kernels import (
    LEGAL,
    MOVER,
    OBSERVER,
    TERMINATED,
    TRUNCATED,
    MaskArray,
    Matrix,
    begin_match,
    bind_features,
    step_match,
)
from watermeet.core.checks import quote
from watermeet.core.contract import OVER, ActionArray, FloatArray, StateArray
from watermeet.core.cuda_batch import REFUSED, CudaVectorGame
from watermeet.core.cuda_device import GpuArray, Launch
from watermeet.core.errors import InvalidArgument
from watermeet.core.features import FeatureArray
from watermeet.core.game import Game
from watermeet.core.intrinsic import thread
from watermeet.core.kernel import kernel
from watermeet.core.playout import copy_state
from watermeet.core.rng import next_below
from watermeet.envs.extra import from_extra
from watermeet.envs.matches import NEXT, RAISE, RANDOM_SEAT, SELF, check_settings, state_option
from watermeet.envs.spaces import ACTION_MASK, OBSERVATION
from watermeet.envs.vector import GameVectorEnv, Infos, Observations

with from_extra():
    from gymnasium.vector import AutoresetMode, VectorEnv

EVERY_SEAT, ANY_SEAT = -2, -1
"""In place of the learner's seat: self-play; a random one in each match."""
SEAT, ACTIONS = range(2)
"""The columns of ``learners``: the learner's seat, and how many actions it has played."""
NEXT_STEP, SAME_STEP, DISABLED = range(3)
"""Gymnasium's modes, as the programs take them."""


# ---- programs ---------------------------------------------------------------------------------


@kernel
def play_others(
    match: int,
    learner: int,
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
    weights: FloatArray,
) -> None:
    """Let the other seats move randomly until it is the learner's turn."""
    if learner == EVERY_SEAT:
        return
    while marks[match, MOVER] >= 0 and marks[match, MOVER] != learner:
        code = int(codes[match, next_below(rngs[match], int(marks[match, LEGAL]))])
        step_match(
            match, code, False, 0, is_coded, start, states, marks, masks, returns, flags,
            rngs, actions, codes, weights,
        )  # fmt: skip


@kernel
def begin_learning(
    match: int,
    seat: int,
    given: StateArray,
    learners: Matrix,
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
    weights: FloatArray,
) -> None:
    """Start a match from a given state, and play up to the learner's first turn."""
    copy_state(given, states[match])
    while True:
        flags[match, TERMINATED] = False
        flags[match, TRUNCATED] = False
        for each in range(returns.shape[1]):
            returns[match, each] = 0.0
        begin_match(
            match, is_coded, states, marks, masks, rngs, actions, codes, weights,
        )  # fmt: skip
        learner = seat
        if seat == ANY_SEAT:
            learner = int(next_below(rngs[match], returns.shape[1]))
        learners[match, SEAT] = learner
        learners[match, ACTIONS] = 0
        play_others(
            match, learner, is_coded, start, states, marks, masks, returns, flags, rngs,
            actions, codes, weights,
        )  # fmt: skip
        if marks[match, MOVER] != OVER:
            return
        copy_state(start, states[match])  # It ended before the learner's first turn.


@kernel
def restart_thread(
    chosen: MaskArray,
    seat: int,
    starts: Matrix,
    learners: Matrix,
    is_over: MaskArray,
    keeps_end: bool,
    final_masks: Matrix,
    final_returns: Matrix,
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
    """Start the chosen matches, each from its own state or all from one.

    If ``keeps_end``, they have just ended: write down how.
    """
    match = thread()
    if match >= len(chosen) or not chosen[match]:
        return
    if keeps_end:
        for code in range(final_masks.shape[1]):
            final_masks[match, code] = masks[match, code]
        for each in range(final_returns.shape[1]):
            final_returns[match, each] = returns[match, each]
    else:
        is_over[match] = False
    begin_learning(
        match, seat, starts[match if len(starts) > 1 else 0], learners, is_coded, start, states,
        marks, masks, returns, flags, rngs, actions, codes, weights[match],
    )  # fmt: skip


@kernel
def next_legal(mask: MaskArray, action: int) -> int:
    """The action, or the next legal one, wrapping around to 0."""
    for code in range(max(0, action), len(mask)):
        if mask[code]:
            return code
    for code in range(len(mask)):
        if mask[code]:
            return code
    return action


@kernel
def learn_thread(
    chosen: ActionArray,
    seat: int,
    limit: int,
    mode: int,
    takes_next: bool,
    refused: ActionArray,
    learners: Matrix,
    rewards: FloatArray,
    ended: Matrix,
    is_over: MaskArray,
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
    """Play the learner's action and the others'; start again where a match had ended before."""
    match = thread()
    if match >= len(chosen):
        return
    rewards[match] = 0.0
    if mode == NEXT_STEP and is_over[match]:
        begin_learning(
            match, seat, start, learners, is_coded, start, states, marks, masks, returns, flags,
            rngs, actions, codes, weights[match],
        )  # fmt: skip
        is_over[match] = False
        ended[match, TERMINATED] = False
        ended[match, TRUNCATED] = False
        return
    action = int(chosen[match])
    if takes_next:
        action = next_legal(masks[match], action)
    is_playing = mode != DISABLED or not is_over[match]
    if not (is_playing and 0 <= action < masks.shape[1] and masks[match, action]):
        refused[match] = action + REFUSED
        return
    step_match(
        match, action, False, 0, is_coded, start, states, marks, masks, returns, flags, rngs,
        actions, codes, weights[match],
    )  # fmt: skip
    learner = int(learners[match, SEAT])
    play_others(
        match, learner, is_coded, start, states, marks, masks, returns, flags, rngs, actions, codes,
        weights[match],
    )  # fmt: skip
    if learner == EVERY_SEAT:
        learner = int(marks[match, OBSERVER])
    learners[match, ACTIONS] += 1
    rewards[match] = returns[match, learner]
    ended[match, TERMINATED] = flags[match, TERMINATED]
    ended[match, TRUNCATED] = 0 < limit <= learners[match, ACTIONS]
    is_over[match] = ended[match, TERMINATED] or ended[match, TRUNCATED]


# ---- the environment --------------------------------------------------------------------------


_MODES = [AutoresetMode.NEXT_STEP, AutoresetMode.SAME_STEP, AutoresetMode.DISABLED]


class CudaVectorEnv(GameVectorEnv):
    """Many matches of one game on a GPU; takes the settings of ``GameVectorEnv``."""

    many: CudaVectorGame

    def __init__(
        self,
        game: Game,
        num_envs: int = 1,
        *,
        autoreset_mode: AutoresetMode | str = AutoresetMode.NEXT_STEP,
        convert: Callable[[GpuArray], Any] | None = None,
        seat: int | str = 0,
        opponents: Playable = RANDOM,
        illegal: str = RAISE,
        max_episode_steps: int | None = None,
    ) -> None:
        self._describe(game, num_envs, autoreset_mode)
        check_settings(game, seat, illegal)
        if not isinstance(opponents, str) or opponents not in (RANDOM, SELF):
            raise InvalidArgument(
                f"{quote(opponents)} can't play on a GPU",
                f"choose {RANDOM!r}, or {SELF!r} to play every seat yourself",
            )
        self._learner = ANY_SEAT if seat == RANDOM_SEAT else int(seat)
        if opponents == SELF:
            self._learner = EVERY_SEAT
        self._mode, self._takes_next = _MODES.index(self.autoreset_mode), illegal == NEXT
        self._limit = max_episode_steps or 0
        batch: Any = VectorGame(game, num_envs, autoreset=False, device="cuda")
        self.many = batch
        self._allocate(convert or (lambda array: array))

    def _allocate(self, convert: Callable[[GpuArray], Any]) -> None:
        many, game, count = self.many, self.game, self.num_envs
        new = many.gpu.zeros
        self._learners = new((count, 2), np.int32)
        self._rewards, self._ends = new((count,), np.float64), new((count, 2), np.bool_)
        self._is_over = new((count,), np.bool_)
        features = game.features.spec.size
        self._features, self._final_features = (new((count, features), np.float32) for _ in "ab")
        self._final_masks = new((count, game.features.spec.codes), np.bool_)
        self._final_returns = new((count, game.seats), np.float64)
        is_self_play = self._learner == EVERY_SEAT
        seats = many.observers if is_self_play else self._learners.column(SEAT)
        self._observe, self._observe_final = (
            many.observing(many.numbers, seats, each)
            for each in (self._features, self._final_features)
        )
        start = many.upload_starts(None, np.ones(count, dtype=np.bool_))
        self._restart = self._beginning(self._is_over, start, keeps_end=True)
        self._launches: dict[int, Launch] = {}
        self._everywhere = np.ones(count, dtype=np.bool_)
        self._masks = convert(many.masks)
        self._results = tuple(
            map(convert, (self._rewards, *map(self._ends.column, (TERMINATED, TRUNCATED))))
        )
        masks, finals = map(convert, (many.mask_bytes, self._final_masks.view(np.int8)))
        self._seen: Observations = {OBSERVATION: convert(self._features), ACTION_MASK: masks}
        self._known: Infos = {
            ACTION_MASK: masks, "seat": convert(many.to_move), "returns": convert(many.returns)
        }  # fmt: skip
        is_over = convert(self._is_over)
        final = {OBSERVATION: convert(self._final_features), ACTION_MASK: finals}
        returns = convert(self._final_returns)
        self._final: Infos = {
            "final_obs": final,
            "_final_obs": is_over,
            "final_info": {ACTION_MASK: finals, "returns": returns},
            "_final_info": is_over,
        }

    def set_opponents(self, opponents: Playable) -> None:
        """Refuse: the programs are made for the opponents they have."""
        raise InvalidArgument(
            f"{quote(opponents)} can't replace opponents on a GPU", "make another environment"
        )

    def action_masks(self) -> Any:
        """The masks of legal actions, as booleans; the memory of the batch."""
        return self._masks

    def state(self) -> FeatureArray:
        """What all seats see together in each match; waits for the GPU."""
        return self.many.observe_all().reshape(self.num_envs, -1)

    def reset(
        self,
        *,
        seed: int | Sequence[int | None] | None = None,
        options: dict[str, Any] | None = None,
    ) -> tuple[Observations, Infos]:
        VectorEnv.reset(self, seed=seed if isinstance(seed, int) else None)
        rows, seeds = self._reset_mask(options), self._seeds(seed)
        starts = self.many.upload_starts(state_option(options), rows)
        if seeds is not None:
            given = [row for row in range(self.num_envs) if rows[row] and seeds[row] is not None]
            self.many.reseed([seeds[row] for row in given], given)
        self._beginning(self.many.gpu.upload(rows), starts, keeps_end=False)()
        self._observe()
        return self._seen, self._infos(rows)

    def _beginning(self, chosen: GpuArray, starts: GpuArray, *, keeps_end: bool) -> Launch:
        return self.many.gpu.prepare(
            bind_features(self.game, restart_thread), self.num_envs, chosen, self._learner, starts,
            self._learners, self._is_over, keeps_end, self._final_masks, self._final_returns,
            *self.many.arrays,
        )  # fmt: skip

    def step(self, actions: Any) -> tuple[Observations, Any, Any, Any, Infos]:
        many = self.many
        chosen = many.upload_actions(actions)
        launch = self._launches.get(chosen.address)
        if launch is None:
            launch = many.gpu.prepare(
                bind_features(self.game, learn_thread), self.num_envs, chosen, self._learner,
                self._limit, self._mode, self._takes_next, many.refused, self._learners,
                self._rewards, self._ends, self._is_over, *many.arrays,
            )  # fmt: skip
            self._launches[chosen.address] = launch
        launch()
        infos = self._infos()
        if self._mode == SAME_STEP:
            self._observe_final()
            self._restart()
            infos |= self._final
        self._observe()
        rewards, terminated, truncated = self._results
        return self._seen, rewards, terminated, truncated, infos

    def _infos(self, rows: MaskArray | None = None) -> Infos:
        have = self._everywhere if rows is None else rows
        return self._known | {f"_{key}": have for key in self._known}

    def check(self) -> None:
        """Wait for the GPU; raise IllegalMove if an action was refused since the last check."""
        self.many.check()

    def close_extras(self, **kwargs: Any) -> None:
        """Do nothing: memory is freed with the last array."""
