"""Products of 8-bit integers, four positions by eight channels at a time: what a convolution takes.

A browser's vectors multiply eight pairs of 16-bit integers at once and add neighbours, so channels
come in pairs. All faces compute the same integers.
"""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt

from watermeet.core.intrinsic import Intrinsic

Halves = npt.NDArray[np.int16]
Words = npt.NDArray[np.int32]
POSITIONS, CHANNELS = 4, 8
"""The size of a block of results."""
_LANES = 4


class _AddProducts(Intrinsic):
    """See ``add_products``."""

    def __call__(
        self, cells: Halves, first: int, width: int, weights: Halves, at: int, sums: Words, to: int
    ) -> None:
        block = weights[at : at + width * CHANNELS].reshape(width // 2, CHANNELS, 2)
        for position in range(POSITIONS):
            start = first + position * width
            pairs = cells[start : start + width].reshape(-1, 1, 2).astype(np.int32)
            row = to + position * CHANNELS
            sums[row : row + CHANNELS] += (pairs * block).sum(axis=(0, 2), dtype=np.int32)

    def make_native(self) -> Any:
        return _compiled(_multiply)

    def make_wasm(self) -> Any:
        return _compiled(_multiply_in_wasm)


def _compiled(multiply: Any) -> Any:
    from llvmlite import ir
    from numba.core import cgutils, types
    from numba.core.extending import intrinsic

    half, word = ir.IntType(16), ir.IntType(32)
    halves, words = ir.VectorType(half, 2 * _LANES), ir.VectorType(word, _LANES)

    def typed(
        typing: Any, cells: Any, first: Any, width: Any, weights: Any, at: Any, sums: Any, to: Any
    ) -> Any:
        def generate(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
            def address(index: int) -> Any:
                made = context.make_array(signature.args[index])
                return made(context, builder, arguments[index]).data

            def load(start: Any, offset: Any, kind: Any) -> Any:
                pointer = builder.gep(start, [offset])
                return builder.load(builder.bitcast(pointer, kind.as_pointer()), align=2)

            inputs, products, results = address(0), address(3), address(5)
            number = context.get_value_type(types.intp)
            _, begin, size, _, weight, _, end = (
                context.cast(builder, value, kind, types.intp)
                if isinstance(kind, types.Integer)
                else value
                for value, kind in zip(arguments, signature.args, strict=True)
            )
            blocks = [
                (position, part) for position in range(POSITIONS) for part in range(CHANNELS // 4)
            ]
            added = {}
            for position, part in blocks:
                offset = builder.add(end, number(position * CHANNELS + part * _LANES))
                pointer = builder.bitcast(builder.gep(results, [offset]), words.as_pointer())
                total = cgutils.alloca_once(builder, words)
                builder.store(builder.load(pointer, align=4), total)
                added[position, part] = total, pointer
            with cgutils.for_range(builder, builder.lshr(size, number(1))) as loop:
                row = builder.add(weight, builder.mul(loop.index, number(2 * CHANNELS)))
                parts = [
                    load(products, builder.add(row, number(part * 2 * _LANES)), halves)
                    for part in range(CHANNELS // 4)
                ]
                column = builder.add(begin, builder.mul(loop.index, number(2)))
                for position in range(POSITIONS):
                    pair = load(inputs, column, word)
                    column = builder.add(column, size)
                    single = builder.insert_element(ir.Constant(words, ir.Undefined), pair, word(0))
                    mask = ir.Constant(words, [0] * _LANES)
                    spread = builder.shuffle_vector(single, ir.Constant(words, ir.Undefined), mask)
                    for part, one in enumerate(parts):
                        total, _ = added[position, part]
                        product = multiply(builder, builder.bitcast(spread, halves), one)
                        builder.store(builder.add(builder.load(total), product), total)
            for total, pointer in added.values():
                builder.store(builder.load(total), pointer, align=4)
            return context.get_dummy_value()

        return types.void(cells, first, width, weights, at, sums, to), generate

    return intrinsic(typed)


def _multiply(builder: Any, one: Any, other: Any) -> Any:
    """Eight products of 16-bit integers, neighbours added."""
    from llvmlite import ir

    wide = ir.VectorType(ir.IntType(32), 2 * _LANES)
    found = builder.mul(builder.sext(one, wide), builder.sext(other, wide))
    kind = ir.VectorType(ir.IntType(32), _LANES)
    even, odd = (
        builder.shuffle_vector(found, found, ir.Constant(kind, [2 * i + part for i in range(4)]))
        for part in range(2)
    )
    return builder.add(even, odd)


def _multiply_in_wasm(builder: Any, one: Any, other: Any) -> Any:
    """The same, for which WebAssembly has an instruction."""
    from llvmlite import ir
    from numba.core import cgutils

    words = ir.VectorType(ir.IntType(32), _LANES)
    kind = ir.FunctionType(words, [one.type, other.type])
    dot = cgutils.get_or_insert_function(builder.module, kind, "llvm.wasm.dot")
    return builder.call(dot, [one, other])


add_products = _AddProducts()
"""``add_products(cells, first, width, weights, at, sums, to)`` adds to a block of sums.

Four rows of ``cells``, each ``width`` long, begin at ``first``; the weights of eight channels for
them at ``at``, as [width / 2, 8, 2]; and the sums, [4, 8], at ``to``.
"""
