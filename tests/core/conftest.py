"""Fixtures of the core's tests."""

from __future__ import annotations

from collections.abc import Collection, Iterator
from pathlib import Path

import pytest

from watermeet.core import kernel
from watermeet.core.code_cache import cache_folder


@pytest.fixture(autouse=True, scope="session")
def always_compile_test_kernels() -> Iterator[None]:
    """Compiles the kernels of test files every time: code from the cache can't be inspected."""

    def only_of_games(modules: Collection[str]) -> Path | None:
        is_test = any(module.startswith("tests.") for module in modules)
        return None if is_test else cache_folder(modules)

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(kernel, "cache_folder", only_of_games)
        yield
