"""What is said where the extra ``envs`` isn't installed."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager


@contextmanager
def from_extra() -> Iterator[None]:
    """Name the extra if a package of it can't be imported."""
    try:
        yield
    except ModuleNotFoundError as error:
        what = f"environments need {error.name}: install the extra envs (docs/guides/install.md)"
        raise ModuleNotFoundError(what, name=error.name) from error
