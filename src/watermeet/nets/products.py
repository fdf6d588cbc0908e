"""What networks spend their time with, as code for vectors: convolutions of 8-bit integers.

A browser's vectors multiply eight pairs of 16-bit integers at once and add neighbours, so channels
come in pairs there. Processors with VNNI multiply 64 pairs of 8-bit integers and add them by fours.
All faces compute the same numbers.
"""

from __future__ import annotations

from functools import cache
from typing import Any

import numpy as np
import numpy.typing as npt

from watermeet.core.intrinsic import Intrinsic
from watermeet.core.kernel import runs_plain_python

Singles = npt.NDArray[np.float32]
Words = npt.NDArray[np.int32]
TAPS = 9
"""A convolution sees a cell and its eight neighbours."""
POSITIONS, CHANNELS = 4, 8
"""The size of a block of results in a browser: as many as fit into its vectors."""
SCALE, ZERO, FACTORS = 2, 3, 4
"""Where the parameters of a convolution are, after those of its input: the scale and the zero point
of its results, then a factor for each channel, then a bias for each."""
ROUND = np.float32(12_582_912.0)
"""Added and subtracted, it rounds a float of 32 bits to the nearest integer, ties to even."""
TOP = np.float32(255.0)
_PAIR, _QUAD = 2, 4
_LANES, _WIDE_LANES = 4, 16
_SUMS = 24
"""With VNNI: this many vectors of sums are kept at a time, of all channels."""
BYTE_CHANNELS = range(_WIDE_LANES, 4 * _WIDE_LANES + 1, _WIDE_LANES)
"""How many channels a network may have there: they fill vectors, and their sums fit."""


def has_vnni() -> bool:
    """Whether kernels have the instructions of this processor that make 8-bit integers fast."""
    return not runs_plain_python() and _processor_has_vnni()


@cache
def _processor_has_vnni() -> bool:
    import llvmlite.binding

    features = llvmlite.binding.get_host_cpu_features()
    return bool(features.get("avx512vnni") and features.get("avx512bw"))


def block_of(channels: int) -> tuple[int, int]:
    """With bytes, how many positions and channels are computed at a time.

    >>> block_of(48)
    (8, 48)
    """
    assert channels in BYTE_CHANNELS, "a number of channels that fits"
    return _SUMS // (channels // _WIDE_LANES), channels


class _Convolve(Intrinsic):
    """See ``convolve``."""

    def __call__(
        self,
        cells: Any,
        first: int,
        width: int,
        row: int,
        weights: Any,
        at: int,
        floats: Singles,
        parameters: int,
        channel: int,
        added: Singles,
        start: int,
        step: int,
        out: Singles,
    ) -> None:
        has_bytes = cells.dtype == np.uint8
        positions, channels = block_of(width) if has_bytes else (POSITIONS, CHANNELS)
        group = _QUAD if has_bytes else _PAIR
        block = weights[at : at + TAPS * width * channels]
        block = block.reshape(TAPS, width // group, channels, group).astype(np.int32)
        scale, low = floats[parameters + SCALE], -floats[parameters + ZERO]
        here = parameters + FACTORS + channel
        factors, biases = floats[here : here + channels], floats[here + width :][:channels]
        for position in range(positions):
            total = biases.astype(np.int32)
            for tap in range(TAPS):
                place = (first + position + (tap // 3 - 1) * row + tap % 3 - 1) * width
                groups = cells[place : place + width].reshape(-1, 1, group)
                total += (groups * block[tap]).sum(axis=(0, 2), dtype=np.int32)
            values = np.clip(total.astype(np.float32) * factors, low, TOP + low)
            values = ((values + ROUND) - ROUND) * scale
            values += added[start + position * step :][:channels]
            to = (first + position) * width + channel
            out[to : to + channels] = np.maximum(values, np.float32(0.0))

    def make_native(self) -> Any:
        return _compiled_convolve(_multiply)

    def make_wasm(self) -> Any:
        return _compiled_convolve(_multiply_in_wasm)


class _AddScaled(Intrinsic):
    """See ``add_scaled``."""

    def __call__(
        self, out: Singles, to: int, value: Any, given: Singles, start: int, count: int
    ) -> None:
        out[to : to + count] += value * given[start : start + count]

    def make_native(self) -> Any:
        return _compiled_add_scaled(_WIDE_LANES)

    def make_wasm(self) -> Any:
        return _compiled_add_scaled(_LANES)


class _Code:
    """Generates code on vectors for a call of an intrinsic."""

    def __init__(self, context: Any, builder: Any, signature: Any, arguments: Any) -> None:
        from numba.core import types

        self._context, self._types = context, signature.args
        self.builder, self._arguments = builder, arguments
        self.number = context.get_value_type(types.intp)

    def array(self, index: int) -> Any:
        """The address of an array."""
        made = self._context.make_array(self._types[index])
        return made(self._context, self.builder, self._arguments[index]).data

    def value(self, index: int, kind: Any) -> Any:
        """A number."""
        given = self._arguments[index], self._types[index]
        return self._context.cast(self.builder, *given, kind)

    def load(self, start: Any, offset: Any, kind: Any) -> Any:
        """A vector or a number at some place of an array."""
        pointer = self.builder.gep(start, [offset])
        return self.builder.load(self.builder.bitcast(pointer, kind.as_pointer()), align=1)

    def store(self, value: Any, start: Any, offset: Any) -> None:
        """Write a vector or a number to some place of an array."""
        pointer = self.builder.gep(start, [offset])
        self.builder.store(value, self.builder.bitcast(pointer, value.type.as_pointer()), align=1)

    def spread(self, value: Any, lanes: int) -> Any:
        """A vector of the same number."""
        from llvmlite import ir

        kind = ir.VectorType(value.type, lanes)
        empty, mask = ir.Constant(kind, ir.Undefined), ir.VectorType(ir.IntType(32), lanes)
        single = self.builder.insert_element(empty, value, ir.IntType(32)(0))
        return self.builder.shuffle_vector(single, empty, ir.Constant(mask, [0] * lanes))

    def larger(self, one: Any, other: Any) -> Any:
        """The maximum of each lane."""
        return self.builder.select(self.builder.fcmp_ordered(">", one, other), one, other)

    def smaller(self, one: Any, other: Any) -> Any:
        """The minimum of each lane."""
        return self.builder.select(self.builder.fcmp_ordered("<", one, other), one, other)


def _compiled_convolve(multiply: Any) -> Any:
    from numba.core import types
    from numba.core.extending import intrinsic

    def typed(
        typing: Any, cells: Any, first: Any, width: Any, row: Any, weights: Any, at: Any,
        floats: Any, parameters: Any, channel: Any, added: Any, start: Any, step: Any, out: Any,
    ) -> Any:  # fmt: skip
        def generate(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
            code = _Code(context, builder, signature, arguments)
            if cells.dtype == types.uint8:
                found = code.value(2, types.intp)
                for channels in BYTE_CHANNELS:
                    parts = channels // _WIDE_LANES
                    with builder.if_then(builder.icmp_signed("==", found, code.number(channels))):
                        block = _Block(code, _SUMS // parts, parts, _WIDE_LANES, _QUAD)
                        block.write(block.sums(8, _add_fours))
            else:
                block = _Block(code, POSITIONS, CHANNELS // _LANES, _LANES, _PAIR)
                block.write(block.sums(16, _adding(multiply)))
            return context.get_dummy_value()

        return types.void(
            cells, first, width, row, weights, at, floats, parameters, channel, added, start, step,
            out,
        ), generate  # fmt: skip

    return intrinsic(typed)


class _Block:
    """Generates the code for a block of results: ``parts`` vectors of channels at each position."""

    def __init__(self, code: _Code, positions: int, parts: int, lanes: int, group: int) -> None:
        from llvmlite import ir
        from numba.core import types

        self._code, self._positions, self._parts = code, positions, parts
        self._lanes, self._group = lanes, group
        self._words = ir.VectorType(ir.IntType(32), lanes)
        self._floats = ir.VectorType(ir.FloatType(), lanes)
        numbers = (code.value(index, types.intp) for index in (1, 2, 3, 5, 7, 8, 10, 11))
        self._first, self._width, self._row, self._at, *rest = numbers
        self._parameters, self._channel, self._start, self._step = rest

    def _channels(self, offset: Any) -> list[Any]:
        """Vectors of what each channel of the block has among the floats, from an offset on."""
        code, builder = self._code, self._code.builder
        here = builder.add(builder.add(self._parameters, self._channel), offset)
        return [
            code.load(
                code.array(6), builder.add(here, code.number(part * self._lanes)), self._floats
            )
            for part in range(self._parts)
        ]

    def sums(self, bits: int, multiply: Any) -> dict[tuple[int, int], Any]:
        """The sums of products of all taps, by position and part."""
        from llvmlite import ir
        from numba.core import cgutils

        code, builder, number = self._code, self._code.builder, self._code.number
        group, channels = self._group, self._parts * self._lanes
        factors = ir.VectorType(ir.IntType(bits), self._lanes * group)
        biases = self._channels(builder.add(self._width, number(FACTORS)))
        whole = [builder.fptosi(each, self._words) for each in biases]
        added: dict[tuple[int, int], Any] = {}
        for position in range(self._positions):
            for part in range(self._parts):
                added[position, part] = cgutils.alloca_once(builder, self._words)
                builder.store(whole[part], added[position, part])
        with cgutils.for_range(builder, number(TAPS)) as tap:
            down = builder.sub(builder.udiv(tap.index, number(3)), number(1))
            across = builder.sub(builder.urem(tap.index, number(3)), number(1))
            place = builder.add(self._first, builder.mul(down, self._row))
            begin = builder.mul(builder.add(place, across), self._width)
            line = builder.mul(tap.index, builder.mul(self._width, number(channels)))
            line = builder.add(self._at, line)
            with cgutils.for_range(builder, builder.udiv(self._width, number(group))) as loop:
                start = builder.add(line, builder.mul(loop.index, number(channels * group)))
                given = []
                for part in range(self._parts):
                    offset = builder.add(start, number(part * self._lanes * group))
                    given.append(code.load(code.array(4), offset, factors))
                column = builder.add(begin, builder.mul(loop.index, number(group)))
                for position in range(self._positions):
                    several = code.load(code.array(0), column, ir.IntType(32))
                    column = builder.add(column, self._width)
                    spread = builder.bitcast(code.spread(several, self._lanes), factors)
                    for part, one in enumerate(given):
                        total = added[position, part]
                        found = multiply(builder, builder.load(total), spread, one)
                        builder.store(found, total)
        return {key: builder.load(total) for key, total in added.items()}

    def write(self, sums: dict[tuple[int, int], Any]) -> None:
        """Write the results that follow from the sums."""
        from llvmlite import ir

        code, builder, number, lanes = (
            self._code,
            self._code.builder,
            self._code.number,
            self._lanes,
        )
        floats, single = code.array(6), ir.FloatType()

        def constant(value: Any) -> Any:
            return ir.Constant(self._floats, [float(value)] * lanes)

        def parameter(offset: int) -> Any:
            place = builder.add(self._parameters, number(offset))
            return code.spread(code.load(floats, place, single), lanes)

        scale, zero = parameter(SCALE), parameter(ZERO)
        low, high = builder.fsub(constant(0.0), zero), builder.fsub(constant(TOP), zero)
        factors = self._channels(number(FACTORS))
        to = builder.add(builder.mul(self._first, self._width), self._channel)
        base = self._start
        for position in range(self._positions):
            for part in range(self._parts):
                offset = number(part * lanes)
                value = builder.sitofp(sums[position, part], self._floats)
                value = builder.fmul(value, factors[part])
                value = code.smaller(code.larger(value, low), high)
                value = builder.fsub(builder.fadd(value, constant(ROUND)), constant(ROUND))
                other = code.load(code.array(9), builder.add(base, offset), self._floats)
                value = builder.fadd(builder.fmul(value, scale), other)
                value = code.larger(value, constant(0.0))
                code.store(value, code.array(12), builder.add(to, offset))
            to = builder.add(to, self._width)
            base = builder.add(base, self._step)


def _compiled_add_scaled(lanes: int) -> Any:
    from llvmlite import ir
    from numba.core import cgutils, types
    from numba.core.extending import intrinsic

    def typed(
        typing: Any, out: Any, to: Any, value: Any, given: Any, start: Any, count: Any
    ) -> Any:
        def generate(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
            code = _Code(context, builder, signature, arguments)
            number, single = code.number, ir.FloatType()
            target, source = code.array(0), code.array(3)
            to, start, count = (code.value(index, types.intp) for index in (1, 4, 5))
            factor = code.value(2, types.float32)

            def add(offset: Any, kind: Any, factor: Any) -> None:
                here = builder.add(to, offset)
                weight = code.load(source, builder.add(start, offset), kind)
                found = builder.fadd(code.load(target, here, kind), builder.fmul(factor, weight))
                code.store(found, target, here)

            vectors = builder.udiv(count, number(lanes))
            wide, kind = code.spread(factor, lanes), ir.VectorType(single, lanes)
            with cgutils.for_range(builder, vectors) as loop:
                add(builder.mul(loop.index, number(lanes)), kind, wide)
            done = builder.mul(vectors, number(lanes))
            with cgutils.for_range(builder, builder.sub(count, done)) as loop:
                add(builder.add(done, loop.index), single, factor)
            return context.get_dummy_value()

        return types.void(out, to, value, given, start, count), generate

    return intrinsic(typed)


def _adding(multiply: Any) -> Any:
    return lambda builder, total, one, other: builder.add(total, multiply(builder, one, other))


def _multiply(builder: Any, one: Any, other: Any) -> Any:
    """Eight products of 16-bit integers, neighbours added."""
    return _sum_groups(builder, builder.sext, one, other, _LANES, _PAIR)


def _multiply_in_wasm(builder: Any, one: Any, other: Any) -> Any:
    """The same, for which WebAssembly has an instruction."""
    from llvmlite import ir
    from numba.core import cgutils

    words = ir.VectorType(ir.IntType(32), _LANES)
    kind = ir.FunctionType(words, [one.type, other.type])
    dot = cgutils.get_or_insert_function(builder.module, kind, "llvm.wasm.dot")
    return builder.call(dot, [one, other])


def _add_fours(builder: Any, total: Any, one: Any, other: Any) -> Any:
    """64 products of unsigned and signed 8-bit integers, added by fours."""
    if not has_vnni():
        found = _sum_groups(builder, builder.zext, one, other, _WIDE_LANES, _QUAD)
        return builder.add(total, found)
    import llvmlite.binding
    from llvmlite import ir
    from numba.core import cgutils

    # LLVM's function took words until version 22.
    taken = total.type if llvmlite.binding.llvm_version_info < (22,) else one.type
    kind = ir.FunctionType(total.type, [total.type, taken, taken])
    dot = cgutils.get_or_insert_function(builder.module, kind, "llvm.x86.avx512.vpdpbusd.512")
    return builder.call(dot, [total, *(builder.bitcast(each, taken) for each in (one, other))])


def _sum_groups(builder: Any, extend: Any, one: Any, other: Any, lanes: int, group: int) -> Any:
    """Products of vectors, neighbours added in groups, as any processor can do it."""
    from llvmlite import ir

    wide, words = (ir.VectorType(ir.IntType(32), size) for size in (lanes * group, lanes))
    found = builder.mul(extend(one, wide), builder.sext(other, wide))
    masks = ([group * lane + place for lane in range(lanes)] for place in range(group))
    total, *rest = (
        builder.shuffle_vector(found, found, ir.Constant(words, mask)) for mask in masks
    )
    for part in rest:
        total = builder.add(total, part)
    return total


convolve = _Convolve()
"""``convolve(cells, first, width, row, weights, at, floats, parameters, channel, added, start,
step, out)`` computes a block of results.

Each position has ``width`` channels, ``first`` is the first of the block, and ``row`` is how far
the position below is. The weights of the block's channels, which begin with ``channel``, are at
``at``: for each of the nine taps [width / 2, channels, 2], or [width / 4, channels, 4] with bytes.
What is ``added`` to the results is at ``start`` for the first position, and ``step`` further for
the next.
"""

add_scaled = _AddScaled()
"""``add_scaled(out, to, value, given, start, count)`` adds ``value`` times some floats."""
