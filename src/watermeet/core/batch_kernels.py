"""The kernels of batches: what ``VectorGame`` does in each match, on the CPU and on a GPU.

A batch keeps the *list* of every match: the legal actions of the seat to move and their codes, so
that masks, random choices and codes all come from listing them once a step.
"""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt

from watermeet.core.binding import complete_kernels, without_inlining
from watermeet.core.contract import (
    CHANCE,
    OVER,
    ActionArray,
    FloatArray,
    RandomArray,
    StateArray,
    apply,
    conceal,
    legal,
    score,
    to_move,
)
from watermeet.core.features import NO_CODE, FeatureArray, encode, observe
from watermeet.core.game import Game
from watermeet.core.intrinsic import on_gpu, thread
from watermeet.core.kernel import Kernel, kernel
from watermeet.core.linking import specialize
from watermeet.core.playout import copy_state, sample_chance
from watermeet.core.rng import next_below

MaskArray = npt.NDArray[np.bool_]  # [codes]: whether each action is legal; or [matches]
Matrix = npt.NDArray[Any]  # [matches, ...]
Rows = npt.NDArray[np.intp]  # The numbers of some matches.

MOVER, OBSERVER, STEPS, LEGAL = range(4)
"""The columns of ``marks``: the seat to move or OVER; the one that sees the features; the number of
actions played; the number of legal ones."""
TERMINATED, TRUNCATED = range(2)
"""The columns of ``flags``."""
LONG_MASK = 1024
"""A longer mask is cleared code by code."""


@kernel
def share(count: int) -> tuple[int, int]:
    """The first row that this thread works on, and the end: all rows on the CPU, one on a GPU."""
    if on_gpu():
        return thread(), min(thread() + 1, count)
    return 0, count


# ---- by match ---------------------------------------------------------------------------------


@kernel
def play_chance(
    state: StateArray, actions: ActionArray, weights: FloatArray, rng: RandomArray
) -> int:
    """Sample chance until a seat is to move or the match is over; return the seat, or OVER.

    ``actions`` and ``weights`` are buffers.
    """
    mover = to_move(state)
    while mover == CHANCE:
        apply(state, sample_chance(state, actions, weights, rng))
        mover = to_move(state)
    return int(mover)


@kernel
def list_coded(state: StateArray, actions: ActionArray, codes: ActionArray) -> int:
    """List the legal actions and their codes.

    Actions without a code are left out. If none has one, they are numbered from 0 in their order.
    Agrees with ``Features.legal_codes``.
    """
    count, coded = legal(state, actions), 0
    for index in range(count):
        code = encode(state, int(actions[index]))
        if code != NO_CODE:
            actions[coded] = actions[index]
            codes[coded] = code
            coded += 1
    if coded > 0:
        return coded
    for index in range(count):
        codes[index] = index
    return int(count)


@kernel
def clear(array: npt.NDArray[Any]) -> None:
    """Fill an array with zeros."""
    for index in range(len(array)):
        array[index] = 0


@kernel
def clear_mask(mask: MaskArray, is_coded: bool, codes: ActionArray, count: int) -> None:
    """Clear a mask, which may be far longer than the list of what is set in it."""
    if is_coded and len(mask) > LONG_MASK:
        for index in range(count):
            mask[int(codes[index])] = False
    elif is_coded or not on_gpu():
        clear(mask)


@kernel
def write_mask(mask: MaskArray, is_coded: bool, codes: ActionArray, count: int) -> None:
    """Write which codes are legal, after ``clear_mask``."""
    if is_coded or not on_gpu():
        for index in range(count):
            mask[int(codes[index])] = True
        return
    # Actions are listed in order. Here neighbouring threads write neighbouring bytes.
    index = 0
    for code in range(len(mask)):
        is_legal = index < count and int(codes[index]) == code
        mask[code] = is_legal
        index += int(is_legal)


@kernel
def action_of(code: int, actions: ActionArray, codes: ActionArray, count: int) -> int:
    """The action in a list that has this code."""
    for index in range(count):
        if codes[index] == code:
            return int(actions[index])
    return NO_CODE


@kernel
def observe_as(
    state: StateArray, seat: int, is_hidden: bool, known: StateArray, out: FeatureArray
) -> None:
    """Write the features of a full state as a seat sees it into an array of zeros.

    ``is_hidden`` tells whether anything can be hidden from it; ``known`` is a buffer.
    """
    if is_hidden:
        conceal(state, seat, known)
        observe(known, seat, out)
    else:
        observe(state, seat, out)


# ---- by batch ---------------------------------------------------------------------------------


@kernel
def observe_batch(
    first: int,
    end: int,
    rows: Rows,
    states: Matrix,
    seats: ActionArray,
    is_hidden: bool,
    is_dense: bool,
    features: Matrix,
    known: StateArray,
) -> None:
    """Write the features of some rows, each as one seat sees it."""
    for index in range(first, end):
        if not is_dense:
            clear(features[index])
        observe_as(states[rows[index]], int(seats[index]), is_hidden, known, features[index])


@kernel
def list_match(
    match: int,
    mover: int,
    is_coded: bool,
    states: Matrix,
    marks: Matrix,
    masks: Matrix,
    actions: Matrix,
    codes: Matrix,
) -> None:
    """Write the list and the mask of a match; the list that the mask shows is still there."""
    mask, listed = masks[match], codes[match]
    clear_mask(mask, is_coded, listed, int(marks[match, LEGAL]))
    count = 0
    if mover >= 0:
        if is_coded:
            count = list_coded(states[match], actions[match], listed)
        else:
            count = int(legal(states[match], listed))
    write_mask(mask, is_coded, listed, count)
    marks[match, MOVER] = mover
    marks[match, LEGAL] = count


@kernel
def begin_match(
    match: int,
    is_coded: bool,
    states: Matrix,
    marks: Matrix,
    masks: Matrix,
    rngs: Matrix,
    actions: Matrix,
    codes: Matrix,
    weights: FloatArray,
) -> None:
    """Begin a match whose state has just been set."""
    mover = play_chance(states[match], actions[match], weights, rngs[match])
    marks[match, OBSERVER] = max(0, mover)
    marks[match, STEPS] = 0
    list_match(match, mover, is_coded, states, marks, masks, actions, codes)


@kernel
def begin_batch(
    first: int,
    end: int,
    chosen: MaskArray,
    is_coded: bool,
    states: Matrix,
    marks: Matrix,
    masks: Matrix,
    rngs: Matrix,
    actions: Matrix,
    codes: Matrix,
    weights: FloatArray,
) -> None:
    """Begin the chosen ones of some matches."""
    for match in range(first, end):
        if chosen[match]:
            begin_match(
                match, is_coded, states, marks, masks, rngs, actions, codes, weights,
            )  # fmt: skip


@kernel
def step_match(
    match: int,
    code: int,
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
    weights: FloatArray,
) -> None:
    """Play an action in a match that is not over."""
    state, observer = states[match], int(marks[match, MOVER])
    count, steps = int(marks[match, LEGAL]), int(marks[match, STEPS]) + 1
    apply(state, action_of(code, actions[match], codes[match], count) if is_coded else code)
    mover = play_chance(state, actions[match], weights, rngs[match])
    is_over = mover == OVER
    is_cut = not is_over and 0 < limit <= steps
    flags[match, TERMINATED] = is_over
    flags[match, TRUNCATED] = is_cut
    for seat in range(returns.shape[1]):
        returns[match, seat] = 0.0
    if is_over:
        score(state, returns[match])
    if autoreset and (is_over or is_cut):
        copy_state(start, state)
        mover = play_chance(state, actions[match], weights, rngs[match])
        steps = 0
    marks[match, OBSERVER] = mover if mover >= 0 else observer
    marks[match, STEPS] = steps
    list_match(match, mover, is_coded, states, marks, masks, actions, codes)


@kernel
def step_batch(
    first: int,
    end: int,
    chosen: ActionArray,
    playing: MaskArray,
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
    weights: FloatArray,
) -> None:
    """Play the chosen actions in those of some matches that are playing, and not over."""
    for match in range(first, end):
        if playing[match] and marks[match, MOVER] >= 0:
            step_match(
                match, int(chosen[match]), autoreset, limit, is_coded, start, states,
                marks, masks, returns, flags, rngs, actions, codes, weights,
            )  # fmt: skip


@kernel
def sample_batch(
    first: int,
    end: int,
    wanted: MaskArray,
    marks: Matrix,
    rngs: Matrix,
    codes: Matrix,
    out: ActionArray,
) -> None:
    """Sample a legal action in each wanted one of some matches, all equally likely; else 0."""
    for match in range(first, end):
        out[match] = 0
        if wanted[match] and marks[match, MOVER] >= 0:
            out[match] = codes[match, next_below(rngs[match], int(marks[match, LEGAL]))]


@kernel
def first_illegal(chosen: ActionArray, playing: MaskArray, marks: Matrix, masks: Matrix) -> int:
    """The first of the matches that ``step_batch`` plays whose action is not legal, or -1."""
    for match in range(len(chosen)):
        action = int(chosen[match])
        if not playing[match] or marks[match, MOVER] < 0:
            continue
        if action < 0 or action >= masks.shape[1] or not masks[match, action]:
            return match
    return -1


def bind_features(game: Game, generic: Kernel[Any, Any]) -> Kernel[Any, Any]:
    """A kernel of this module with a game's rules and features in its slots."""
    features = {"observe": game.features.observe, "encode": game.features.encode}
    kernels = without_inlining(game, complete_kernels(game) | game.evaluation.by_name | features)
    kernels["encode"] = game.features.encode  # Inlined: it is short, and called for every action.
    return specialize(generic, f"{game.package}.batched", kernels)
