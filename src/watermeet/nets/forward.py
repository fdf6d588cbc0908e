"""A quantized network as kernels, for engines in browsers, which have no onnxruntime.

It computes what ``nets.network`` describes and ``train.quantize`` has made of it, with the same
integers: inputs of a convolution are rounded to 8 bits, and so are its results. Cells are stored
row by row with a border of zeros, each with all its channels.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from watermeet.core.contract import FloatArray
from watermeet.core.kernel import kernel
from watermeet.core.portable_math import exp, tanh
from watermeet.nets.products import CHANNELS, POSITIONS, Halves, Words, add_products

Singles = npt.NDArray[np.float32]
(PLANES, NUMBERS, KINDS, LOOSE, SEATS, WIDE, BLOCKS, HEIGHT, WIDTH) = range(9)
"""The entries of ``sizes``; WIDE is the number of channels."""
_ROUND = np.float32(12_582_912.0)
"""Added and subtracted, it rounds a float of 32 bits to the nearest integer, ties to even."""
_ZERO, _TOP = np.float32(0.0), np.float32(255.0)


class Net(NamedTuple):
    """A network for one board, and the arrays that it works in."""

    sizes: Words
    filters: Halves
    """The convolutions of the blocks, each [channels / 8, 9, channels / 2, 8, 2]."""
    floats: Singles
    """Everything else, in the order of use."""
    features: Singles
    places: Words
    """[codes]: where the logit of each code is."""
    cells: Singles
    between: Singles
    rounded: Halves
    sums: Words
    pooled: Singles
    hidden: Singles
    logits: Singles
    priors: FloatArray
    values: FloatArray


NET_TYPES: dict[str, type[np.generic]] = dict.fromkeys(Net._fields, np.float32) | {
    **dict.fromkeys(("sizes", "places", "sums"), np.int32),
    **dict.fromkeys(("filters", "rounded"), np.int16),
    **dict.fromkeys(("priors", "values"), np.float64),
}


def work_sizes(channels: int, height: int, width: int, codes: int, seats: int) -> dict[str, int]:
    """The lengths of the arrays that a network works in, for a board."""
    cells = (height + 3) * (width + 2) + POSITIONS + 2
    return {
        "cells": cells * channels,
        "between": cells * channels,
        "rounded": cells * channels,
        "sums": POSITIONS * CHANNELS,
        "pooled": 2 * channels,
        "hidden": 2 * channels,
        "priors": codes,
        "values": seats,
    }


@kernel
def evaluate_features(net: Net) -> None:
    """Write the priors and the values of what is in ``features``."""
    sizes, floats = net.sizes, net.floats
    wide = int(sizes[WIDE])
    for index in range(len(net.rounded)):
        net.rounded[index] = 0
    at = _enter(net)
    for block in range(int(sizes[BLOCKS])):
        _pool(net)
        at = _layer(floats, at, net.pooled, 2 * wide, net.hidden, 0, wide)
        start = 2 * block * 9 * wide * wide
        at = _convolve(net, net.cells, net.between, start, at)
        _add_board(net)
        at = _convolve(net, net.between, net.between, start + 9 * wide * wide, at)
        _add_cells(net)
    _pool(net)
    at = _judge_cells(net, at)
    count = int(sizes[KINDS]) * int(sizes[HEIGHT]) * int(sizes[WIDTH])
    at = _layer(floats, at, net.pooled, 2 * wide, net.logits, count, int(sizes[LOOSE]))
    at = _layer(floats, at, net.pooled, 2 * wide, net.hidden, 0, 2 * wide)
    for index in range(2 * wide):
        net.hidden[index] = max(net.hidden[index], _ZERO)
    at = _layer(floats, at, net.hidden, 2 * wide, net.pooled, 0, int(sizes[SEATS]))
    for seat in range(int(sizes[SEATS])):
        net.values[seat] = tanh(float(net.pooled[seat]))
    _write_priors(net)


@kernel
def _write_priors(net: Net) -> None:
    """Weights of the codes, which needn't sum to 1."""
    best = net.logits[int(net.places[0])]
    for code in range(len(net.places)):
        best = max(best, net.logits[int(net.places[code])])
    for code in range(len(net.places)):
        net.priors[code] = exp(float(net.logits[int(net.places[code])] - best))


@kernel
def _position(net: Net, cell: int) -> int:
    """Where the channels of a cell begin."""
    width = int(net.sizes[WIDTH])
    return ((cell // width + 1) * (width + 2) + cell % width + 1) * int(net.sizes[WIDE])


@kernel
def _layer(
    floats: Singles, at: int, given: Singles, count: int, out: Singles, to: int, size: int
) -> int:
    """A fully connected layer; returns where the next parameters are."""
    biases = at + count * size
    for index in range(size):
        out[to + index] = floats[biases + index]
    for source in range(count):
        value = given[source]
        if value != _ZERO:
            for index in range(size):
                out[to + index] += value * floats[at + source * size + index]
    return biases + size


@kernel
def _enter(net: Net) -> int:
    """The first convolution, of the planes that aren't 0, and the numbers."""
    sizes, floats, cells = net.sizes, net.floats, net.cells
    wide, width = int(sizes[WIDE]), int(sizes[WIDTH])
    board = int(sizes[HEIGHT]) * width
    planes = int(sizes[PLANES])
    at = planes * 9 * wide
    numbers = _layer(
        floats, at + wide, net.features[planes * board :], int(sizes[NUMBERS]), net.hidden, 0, wide
    )
    for index in range(len(cells)):
        cells[index] = net.hidden[index % wide] + floats[at + index % wide]
    for plane in range(planes):
        for cell in range(board):
            value = net.features[plane * board + cell]
            if value != _ZERO:
                for tap in range(9):
                    shift = (1 - tap // 3) * (width + 2) + 1 - tap % 3
                    to = _position(net, cell) + shift * wide
                    weights = (plane * 9 + tap) * wide
                    for index in range(wide):
                        cells[to + index] += value * floats[weights + index]
    for cell in range(board):
        to = _position(net, cell)
        for index in range(wide):
            cells[to + index] = max(cells[to + index], _ZERO)
    return numbers


@kernel
def _pool(net: Net) -> None:
    """The mean and the maximum of each channel."""
    wide = int(net.sizes[WIDE])
    board = int(net.sizes[HEIGHT]) * int(net.sizes[WIDTH])
    for index in range(wide):
        net.pooled[index] = _ZERO
        net.pooled[wide + index] = _ZERO  # Cells are never below.
    for cell in range(board):
        start = _position(net, cell)
        for index in range(wide):
            value = net.cells[start + index]
            net.pooled[index] += value
            net.pooled[wide + index] = max(net.pooled[wide + index], value)
    for index in range(wide):
        net.pooled[index] /= np.float32(board)


@kernel
def _convolve(net: Net, given: Singles, out: Singles, start: int, at: int) -> int:
    """A convolution of 8-bit integers; returns where the next parameters are."""
    floats, sums, rounded = net.floats, net.sums, net.rounded
    wide, height, width = int(net.sizes[WIDE]), int(net.sizes[HEIGHT]), int(net.sizes[WIDTH])
    _round(net, given, floats[at], floats[at + 1])
    scale, low = floats[at + 2], -floats[at + 3]
    high = _TOP + low
    factors = at + 4
    biases = factors + wide
    row = width + 2
    last = height * row + width
    for channel in range(0, wide, CHANNELS):
        for position in range(row + 1, last + 1, POSITIONS):
            for index in range(POSITIONS * CHANNELS):
                sums[index] = int(floats[biases + channel + index % CHANNELS])
            weights = start + channel * 9 * wide
            for tap in range(9):
                first = position + (tap // 3 - 1) * row + tap % 3 - 1
                block = weights + tap * CHANNELS * wide
                add_products(rounded, first * wide, wide, net.filters, block, sums, 0)
            for index in range(POSITIONS * CHANNELS):
                one = channel + index % CHANNELS
                value = np.float32(sums[index]) * floats[factors + one]
                value = min(max(value, low), high)
                value = (value + _ROUND) - _ROUND
                out[(position + index // CHANNELS) * wide + one] = value * scale
    return biases + wide


@kernel
def _round(net: Net, given: Singles, scale: float, zero: float) -> None:
    """Round the cells to 8 bits, without their zero point."""
    wide = int(net.sizes[WIDE])
    for cell in range(int(net.sizes[HEIGHT]) * int(net.sizes[WIDTH])):
        start = _position(net, cell)
        for index in range(start, start + wide):
            value = (given[index] / scale + _ROUND) - _ROUND
            value = min(max(value, -zero), _TOP - zero)
            net.rounded[index] = int(value)


@kernel
def _add_board(net: Net) -> None:
    """Between the two convolutions of a block: add what the whole board says."""
    wide = int(net.sizes[WIDE])
    for cell in range(int(net.sizes[HEIGHT]) * int(net.sizes[WIDTH])):
        start = _position(net, cell)
        for index in range(wide):
            net.between[start + index] = max(net.between[start + index] + net.hidden[index], _ZERO)


@kernel
def _add_cells(net: Net) -> None:
    """At the end of a block: add what it began with."""
    wide = int(net.sizes[WIDE])
    for cell in range(int(net.sizes[HEIGHT]) * int(net.sizes[WIDTH])):
        start = _position(net, cell)
        for index in range(start, start + wide):
            net.cells[index] = max(net.cells[index] + net.between[index], _ZERO)


@kernel
def _judge_cells(net: Net, at: int) -> int:
    """The logits of actions on cells; returns where the next parameters are."""
    wide, kinds = int(net.sizes[WIDE]), int(net.sizes[KINDS])
    board = int(net.sizes[HEIGHT]) * int(net.sizes[WIDTH])
    biases = at + kinds * wide
    for kind in range(kinds):
        for cell in range(board):
            total, start = net.floats[biases + kind], _position(net, cell)
            for index in range(wide):
                total += net.cells[start + index] * net.floats[at + kind * wide + index]
            net.logits[kind * board + cell] = total
    return biases + kinds
