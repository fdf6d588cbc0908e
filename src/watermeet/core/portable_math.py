"""Elementary functions that give the same bits everywhere: as Python, compiled, on a GPU, as wasm.

The C libraries of two machines, NumPy, a GPU and a browser each round ``exp`` or ``log`` their own
way, and a search that meets a difference in the last bit takes another path. These functions only
add, multiply, divide and look at bits, which IEEE 754 defines exactly. They are as in fdlibm, with
errors of about one unit in the last place. ``math.sqrt`` is exact everywhere as it is.
"""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from watermeet.core.intrinsic import Intrinsic
from watermeet.core.kernel import kernel

_LN2_HIGH = 6.93147180369123816490e-01
_LN2_LOW = 1.90821492927058770002e-10
_LOG2_E = 1.44269504088896338700e00
_SQRT2 = 1.4142135623730951
_LARGEST_EXPONENT, _SMALLEST_EXPONENT = 709.782712893384, -708.0
_LARGEST_POWER, _SMALLEST_POWER = 1023, -1022
_MANTISSA_BITS, _BIAS = 52, 1023
_MANTISSA = (1 << _MANTISSA_BITS) - 1
_SMALLEST_NORMAL = 2.2250738585072014e-308
_SERIES = 0.5
"""Below this, ``tanh`` is a continued fraction: the exponential would cancel."""


class _Bitcast(Intrinsic):
    """The same 64 bits as another type. NumPy's ``view`` has no code for a GPU."""

    def __init__(self, source: type[np.generic], target: type[np.generic]) -> None:
        self._source, self._target = source, target

    def __call__(self, number: float) -> Any:
        return self._source(number).view(self._target).item()

    def make_native(self) -> Any:
        from numba.core.extending import intrinsic
        from numba.np.numpy_support import from_dtype

        source, target = (from_dtype(np.dtype(each)) for each in (self._source, self._target))

        def typed(typing: Any, number: Any) -> Any:
            def generate(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
                return builder.bitcast(arguments[0], context.get_value_type(target))

            return target(source), generate

        return intrinsic(typed)


bits_of = _Bitcast(np.float64, np.int64)
"""``bits_of(x)`` has the bits of a float as an integer."""
float_of = _Bitcast(np.int64, np.float64)
"""``float_of(bits)`` is the float that has these bits."""


@kernel
def exp(x: float) -> float:
    """The exponential; below -708, where numbers lose digits, it is 0."""
    if not x <= _LARGEST_EXPONENT:
        return x if np.isnan(x) else np.inf
    if x < _SMALLEST_EXPONENT:
        return 0.0
    power = _floor(x * _LOG2_E + 0.5)
    return _exp_of_parts(x - power * _LN2_HIGH, power * _LN2_LOW, power)


@kernel
def exp2(x: float) -> float:
    """Two to a power, exact for whole numbers; below -1022 it is 0."""
    if not x <= _LARGEST_POWER:
        return x if np.isnan(x) else np.inf
    if x < _SMALLEST_POWER:
        return 0.0
    power = _floor(x + 0.5)
    rest = x - power
    return _exp_of_parts(rest * _LN2_HIGH, -rest * _LN2_LOW, power)


@kernel
def _floor(x: float) -> int:
    """The largest whole number that isn't above ``x``; code for a GPU can't use NumPy's."""
    whole = int(x)
    return whole - int(whole > x)


@kernel
def _exp_of_parts(high: float, low: float, power: int) -> float:
    """exp(high - low) * 2 ** power, where the difference is at most half of ln 2."""
    x = high - low
    square = x * x
    series = 6.61375632143793436117e-05 + square * (
        -1.65339022054652515390e-06 + square * 4.13813679705723846039e-08
    )
    series = 1.66666666666666019037e-01 + square * (-2.77777777770155933842e-03 + square * series)
    rest = x - square * series
    value = 1.0 - ((low - (x * rest) / (2.0 - rest)) - high)
    if power > _LARGEST_POWER:  # The value is below 1 then.
        value *= 2.0
        power -= 1
    scale = float_of((power + _BIAS) << _MANTISSA_BITS)
    return float(value * scale)


@kernel
def log(x: float) -> float:
    """The natural logarithm; -inf at 0, and nan below."""
    if x < _SMALLEST_NORMAL:
        if x < 0.0:
            return np.nan
        if x == 0.0:
            return -np.inf
        return _log_of_normal(x * 18014398509481984.0, -54)  # 2 ** 54.
    if not x < np.inf:
        return x
    return _log_of_normal(x, 0)


@kernel
def _log_of_normal(x: float, shift: int) -> float:
    """The logarithm of x * 2 ** shift, for an x that has all its digits."""
    bits = bits_of(x)
    power = (bits >> _MANTISSA_BITS) - _BIAS
    mantissa = float_of((bits & _MANTISSA) | (_BIAS << _MANTISSA_BITS))
    if mantissa > _SQRT2:
        mantissa *= 0.5
        power += 1
    power += shift
    f = mantissa - 1.0
    s = f / (2.0 + f)
    z = s * s
    w = z * z
    even = w * (
        3.999999999940941908e-01 + w * (2.222219843214978396e-01 + w * 1.531383769920937332e-01)
    )
    odd = z * (
        6.666666666666735130e-01
        + w
        * (2.857142874366239149e-01 + w * (1.818357216161805012e-01 + w * 1.479819860511658591e-01))
    )
    half = 0.5 * f * f
    series = s * (half + even + odd)
    return float(power * _LN2_HIGH - ((half - (series + power * _LN2_LOW)) - f))


@kernel
def tanh(x: float) -> float:
    """The hyperbolic tangent, an odd function to the bit."""
    size = abs(x)
    if size < _SERIES:
        square, fraction = x * x, 19.0
        for odd in range(17, 0, -2):
            fraction = odd + square / fraction
        return x / fraction
    fall = exp(-2.0 * size)
    value = (1.0 - fall) / (1.0 + fall)
    return value if x > 0.0 else -value


@kernel
def power(x: float, y: float) -> float:
    """``x`` to the power of ``y``, for a positive ``x``; exact for ``y`` of 0.5 and 1."""
    if y == 0.5:
        return float(math.sqrt(x))
    if y == 1.0:
        return x
    return exp(y * log(x))
