"""Matches and records in a notebook, on the boards of the browser (the extra ``notebook``).

``Board`` plays against bots, which run in the notebook's kernel, and ``Replay`` steps through a
record. Without the extra, a state or a record still shows itself as a picture.
"""

from __future__ import annotations

import importlib
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from watermeet.notebook.widgets import Board, Replay

__all__ = ["Board", "Replay"]


def __getattr__(name: str) -> object:
    """Load the widgets when they are asked for: what they show needs no anywidget."""
    if name not in __all__:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    try:
        widgets = importlib.import_module("watermeet.notebook.widgets")
    except ModuleNotFoundError as error:
        if error.name not in ("anywidget", "traitlets"):
            raise
        raise ModuleNotFoundError(
            "boards in notebooks need Watermeet's extra notebook (docs/guides/install.md)",
            name=error.name,
        ) from error
    return vars(widgets)[name]
