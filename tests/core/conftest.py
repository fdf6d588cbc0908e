"""Fixtures of the core's tests."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from watermeet.core.kernel import Kernel


@pytest.fixture(autouse=True, scope="session")
def always_compile_test_kernels() -> Iterator[None]:
    """Compiles the kernels of test files every time: code from the cache can't be inspected."""
    stored = Kernel.cache_file

    def only_of_games(kernel: Kernel[Any, Any]) -> Path | None:
        inside = (each.__module__ for each in kernel.kernels_inside())
        is_test = any(module.startswith("tests.") for module in inside)
        return None if is_test else stored(kernel)

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(Kernel, "cache_file", only_of_games)
        yield
