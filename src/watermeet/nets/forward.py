"""A quantized network as kernels: for browsers, and natively on processors that are fast at it.

It computes what ``nets.network`` describes and ``train.quantize`` has made of it, with the same
integers: inputs of a convolution are rounded to 8 bits, and so are its results. Cells are stored
row by row, each with all its channels. Zeros surround the board: a row above it, a row below, and
after each row a cell, which is to the left of the next one, too.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from watermeet.core.contract import FloatArray
from watermeet.core.kernel import kernel
from watermeet.core.portable_math import exp, tanh
from watermeet.nets.products import ROUND, TOP, Singles, Words, add_scaled, convolve

Integers = npt.NDArray[np.integer[Any]]
(PLANES, NUMBERS, KINDS, LOOSE, SEATS, WIDE, BLOCKS, HEIGHT, WIDTH, POSITIONS, CHANNELS) = range(11)
"""The entries of ``sizes``. WIDE is the number of channels; convolutions compute CHANNELS of them
at POSITIONS at a time."""
_ZERO = np.float32(0.0)


class Net(NamedTuple):
    """A network for one board, and the arrays that it works in."""

    sizes: Words
    filters: Integers
    """The convolutions of the blocks, each [channels / 8, 9, channels / 2, 8, 2] in browsers, and
    natively [9, channels / 4, channels, 4]."""
    floats: Singles
    """Everything else, in the order of use."""
    features: Singles
    places: Words
    """[codes]: where the logit of each code is."""
    cells: Singles
    between: Singles
    """What is between the two convolutions of a block."""
    rounded: Integers
    """Either as 8-bit integers, which convolutions take."""
    pooled: Singles
    hidden: Singles
    logits: Singles
    priors: FloatArray
    values: FloatArray


NET_TYPES: dict[str, type[np.generic]] = dict.fromkeys(Net._fields, np.float32) | {
    **dict.fromkeys(("sizes", "places"), np.int32),
    **dict.fromkeys(("filters", "rounded"), np.int16),
    **dict.fromkeys(("priors", "values"), np.float64),
}
"""The types of arrays in browsers."""


def work_sizes(sizes: Words, codes: int) -> dict[str, int]:
    """The lengths of the arrays that a network works in, for a board."""
    channels, positions = int(sizes[WIDE]), int(sizes[POSITIONS])
    cells = (int(sizes[HEIGHT]) + 2) * (int(sizes[WIDTH]) + 1) + positions + 2
    return {
        **dict.fromkeys(("cells", "between", "rounded"), cells * channels),
        "pooled": 2 * channels,
        "hidden": max(2 * channels, int(sizes[KINDS])),
        "priors": codes,
        "values": int(sizes[SEATS]),
    }


@kernel
def evaluate_features(net: Net) -> None:
    """Write the values and all priors of what is in ``features``."""
    at, kinds = _see(net), int(net.sizes[KINDS])
    board, wide = int(net.sizes[HEIGHT]) * int(net.sizes[WIDTH]), int(net.sizes[WIDE])
    at = _judge_cells(net, at)
    size = int(net.sizes[LOOSE])
    at = _layer(net.floats, at, net.pooled, 2 * wide, net.logits, kinds * board, size)
    best = net.logits[int(net.places[0])]
    for code in range(len(net.places)):
        best = max(best, net.logits[int(net.places[code])])
    for code in range(len(net.places)):
        net.priors[code] = exp(float(net.logits[int(net.places[code])] - best))
    _write_values(net, at)


@kernel
def evaluate_some(net: Net, codes: Words, count: int) -> None:
    """Write the values, and the priors of the first ``count`` codes; one below 0 has none."""
    at, best = _see(net), -np.float32(np.inf)
    for index in range(count):
        if codes[index] >= 0:
            net.logits[index] = _logit(net, at, int(net.places[codes[index]]))
            best = max(best, net.logits[index])
    for index in range(count):
        if codes[index] >= 0:
            net.priors[codes[index]] = exp(float(net.logits[index] - best))
    wide = int(net.sizes[WIDE])
    at += (wide + 1) * int(net.sizes[KINDS]) + (2 * wide + 1) * int(net.sizes[LOOSE])
    _write_values(net, at)


@kernel
def _see(net: Net) -> int:
    """All but the heads: cells and pooled; returns where the parameters of the heads are."""
    sizes, floats = net.sizes, net.floats
    wide = int(sizes[WIDE])
    for index in range(len(net.rounded)):
        net.rounded[index] = 0
    at = _enter(net)
    for block in range(int(sizes[BLOCKS])):
        _pool(net)
        at = _layer(floats, at, net.pooled, 2 * wide, net.hidden, 0, wide)
        filters = 2 * block * 9 * wide * wide
        at = _convolve(net, net.cells, filters, at, net.hidden, 0, net.between)
        at = _convolve(net, net.between, filters + 9 * wide * wide, at, net.cells, 1, net.cells)
    _pool(net)
    return at


@kernel
def _write_values(net: Net, at: int) -> None:
    wide, seats = int(net.sizes[WIDE]), int(net.sizes[SEATS])
    at = _layer(net.floats, at, net.pooled, 2 * wide, net.hidden, 0, 2 * wide)
    for index in range(2 * wide):
        net.hidden[index] = max(net.hidden[index], _ZERO)
    _layer(net.floats, at, net.hidden, 2 * wide, net.pooled, 0, seats)
    for seat in range(seats):
        net.values[seat] = tanh(float(net.pooled[seat]))


@kernel
def _logit(net: Net, at: int, place: int) -> Any:
    """One logit: of an action on a cell, or of one that belongs to none."""
    wide, width, kinds = int(net.sizes[WIDE]), int(net.sizes[WIDTH]), int(net.sizes[KINDS])
    board = int(net.sizes[HEIGHT]) * width
    if place < kinds * board:
        kind, cell = place // board, place % board
        start = _row(net, cell // width) + cell % width * wide
        return _weigh(net.floats, at, kinds, kind, net.cells[start : start + wide], wide)
    at += (wide + 1) * kinds
    return _weigh(
        net.floats, at, int(net.sizes[LOOSE]), place - kinds * board, net.pooled, 2 * wide
    )


@kernel
def _weigh(floats: Singles, at: int, size: int, which: int, given: Singles, count: int) -> Any:
    """One of the results of a layer."""
    total = floats[at + count * size + which]
    for source in range(count):
        if given[source] != _ZERO:
            total += given[source] * floats[at + source * size + which]
    return total


@kernel
def _row(net: Net, row: int) -> int:
    """Where the channels of a row's first cell begin; those of the other cells follow."""
    return ((row + 1) * (int(net.sizes[WIDTH]) + 1) + 1) * int(net.sizes[WIDE])


@kernel
def _layer(
    floats: Singles, at: int, given: Singles, count: int, out: Singles, to: int, size: int
) -> int:
    """A fully connected layer; returns where the next parameters are."""
    biases = at + count * size
    result, bias = out[to : to + size], floats[biases : biases + size]
    for index in range(size):
        result[index] = bias[index]
    for source in range(count):
        if given[source] != _ZERO:
            add_scaled(out, to, given[source], floats, at + source * size, size)
    return biases + size


@kernel
def _enter(net: Net) -> int:
    """The first convolution, of the planes that aren't 0, and the numbers."""
    sizes, floats, cells = net.sizes, net.floats, net.cells
    wide, height, width = int(sizes[WIDE]), int(sizes[HEIGHT]), int(sizes[WIDTH])
    planes, board = int(sizes[PLANES]), height * width
    at = planes * 9 * wide
    numbers = _layer(
        floats, at + wide, net.features[planes * board :], int(sizes[NUMBERS]), net.hidden, 0, wide
    )
    bias = floats[at : at + wide]
    for start in range(0, len(cells), wide):
        cell = cells[start : start + wide]
        for index in range(wide):
            cell[index] = net.hidden[index] + bias[index]
    for plane in range(planes):
        for row in range(height):
            first = _row(net, row)
            for column in range(width):
                value = net.features[plane * board + row * width + column]
                if value != _ZERO:
                    _add_taps(cells, first + column * wide, value, floats, plane, width + 1, wide)
    for row in range(height):
        start = _row(net, row)
        line = cells[start : start + width * wide]
        for index in range(width * wide):
            line[index] = max(line[index], _ZERO)
    return numbers


@kernel
def _add_taps(
    cells: Singles, at: int, value: float, floats: Singles, plane: int, row: int, wide: int
) -> None:
    """Add what one number of a plane contributes to the cells around it."""
    start = plane * 9 * wide
    for down in range(-1, 2):
        for across in range(-1, 2):
            add_scaled(cells, at - (down * row + across) * wide, value, floats, start, wide)
            start += wide


@kernel
def _pool(net: Net) -> None:
    """The mean and the maximum of each channel."""
    wide, height, width = int(net.sizes[WIDE]), int(net.sizes[HEIGHT]), int(net.sizes[WIDTH])
    means, highest = net.pooled[:wide], net.pooled[wide:]
    for index in range(wide):
        means[index] = _ZERO
        highest[index] = _ZERO  # Cells are never below.
    for row in range(height):
        start = _row(net, row)
        for at in range(start, start + width * wide, wide):
            cell = net.cells[at : at + wide]
            for index in range(wide):
                means[index] += cell[index]
                highest[index] = max(highest[index], cell[index])
    for index in range(wide):
        means[index] /= np.float32(height * width)


@kernel
def _convolve(
    net: Net, given: Singles, filters: int, at: int, added: Singles, step: int, out: Singles
) -> int:
    """A convolution of 8-bit integers, plus something; returns where the next parameters are.

    What is added is one number for each channel, or with a ``step`` of 1 one for each cell, too.
    """
    sizes, floats = net.sizes, net.floats
    wide, row = int(sizes[WIDE]), int(sizes[WIDTH]) + 1
    positions, channels = int(sizes[POSITIONS]), int(sizes[CHANNELS])
    _round(net, given, floats[at], floats[at + 1])
    for channel in range(0, wide, channels):
        for position in range(row + 1, (int(sizes[HEIGHT]) + 1) * row, positions):
            convolve(
                net.rounded, position, wide, row, net.filters, filters + channel * 9 * wide,
                floats, at, channel, added, step * position * wide + channel, step * wide, out,
            )  # fmt: skip
    return at + 4 + 2 * wide


@kernel
def _round(net: Net, given: Singles, scale: float, zero: float) -> None:
    """Round the cells to 8 bits, without their zero point."""
    size, low, high = int(net.sizes[WIDTH] * net.sizes[WIDE]), -zero, TOP - zero
    for row in range(int(net.sizes[HEIGHT])):
        start = _row(net, row)
        line, rounded = given[start : start + size], net.rounded[start : start + size]
        for index in range(size):
            value = (line[index] / scale + ROUND) - ROUND
            rounded[index] = np.int32(min(max(value, low), high))


@kernel
def _judge_cells(net: Net, at: int) -> int:
    """The logits of actions on cells; returns where the next parameters are."""
    wide, kinds = int(net.sizes[WIDE]), int(net.sizes[KINDS])
    height, width = int(net.sizes[HEIGHT]), int(net.sizes[WIDTH])
    judged, place = net.hidden, 0
    for row in range(height):
        start = _row(net, row)
        for first in range(start, start + width * wide, wide):
            _layer(net.floats, at, net.cells[first : first + wide], wide, judged, 0, kinds)
            for kind in range(kinds):
                net.logits[kind * height * width + place] = judged[kind]
            place += 1
    return at + (wide + 1) * kinds
