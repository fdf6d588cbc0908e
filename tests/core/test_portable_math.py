"""Elementary functions: close to the C library's, and the same bits in every face."""

from __future__ import annotations

import math
import random
from collections.abc import Callable

import numpy as np
import pytest

from watermeet.core import portable_math
from watermeet.core.kernel import compiled_code, plain_python

_RNG = random.Random(0)
FUNCTIONS: dict[str, tuple[Callable[[float], float], float, list[float]]] = {
    "exp": (math.exp, 1.0, [_RNG.uniform(-700.0, 709.0) for _ in range(500)]),
    "exp2": (lambda x: 2.0**x, 1.0, [_RNG.uniform(-1022.0, 1023.0) for _ in range(500)]),
    "log": (math.log, 1.0, [math.exp(_RNG.uniform(-740.0, 709.0)) for _ in range(500)]),
    "tanh": (math.tanh, 3.0, [_RNG.gauss(0.0, 0.6) for _ in range(500)]),
}


@pytest.mark.parametrize("name", FUNCTIONS)
def test_faces_agree_and_are_close_to_the_c_library(name: str) -> None:
    """Each result is within a unit or three of the last place, and the faces differ by none."""
    reference, units, numbers = FUNCTIONS[name]
    function = getattr(portable_math, name)
    for x in (*numbers, 0.5, 1.0, 2.0):
        with plain_python():
            found = function(x)
        with compiled_code():
            assert found == function(x)
        assert abs(found - reference(x)) <= units * math.ulp(reference(x))


def test_edges() -> None:
    """What has no finite result follows IEEE 754; whole powers of two are exact."""
    with plain_python():
        assert portable_math.exp(1000.0) == math.inf
        assert portable_math.exp(-1000.0) == portable_math.exp2(-2000.0) == 0.0
        assert portable_math.exp2(1024.0) == math.inf
        assert portable_math.exp(709.78) == pytest.approx(math.exp(709.78), rel=1e-15)
        assert portable_math.log(0.0) == -math.inf
        assert portable_math.log(math.inf) == math.inf
        for function in (portable_math.exp, portable_math.exp2, portable_math.log):
            assert math.isnan(function(math.nan))
        assert math.isnan(portable_math.log(-1.0))
        for x in (0.1, 0.7, 3.0):
            assert portable_math.tanh(-x) == -portable_math.tanh(x)
        assert [portable_math.exp2(float(n)) for n in range(-9, 9)] == [
            2.0**n for n in range(-9, 9)
        ]


def test_power() -> None:
    """Square roots are exact, other powers close."""
    with plain_python():
        for x in range(1, 200):
            assert portable_math.power(float(x), 0.5) == np.sqrt(float(x))
            assert portable_math.power(float(x), 1.0) == x
            assert portable_math.power(float(x), 0.4) == pytest.approx(x**0.4, rel=1e-14)
