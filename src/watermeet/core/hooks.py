"""Hooks: what a game may define beside its rules, with defaults for what it leaves out."""

from __future__ import annotations

import importlib
import types
from collections.abc import Callable, Mapping
from typing import Any

from watermeet.core.explanation import Explanation
from watermeet.core.rendering import PictureLayout, Rendering
from watermeet.core.view import GameView

DEFAULTS = "watermeet.core.defaults"


class Hooks:
    """The functions of a game's folder for notation, explanations, views and pictures.

    All take the game first, and then the array of a state. ``watermeet.core.defaults`` has their
    signatures, and serves where a folder defines none.
    """

    format_action: Callable[..., str]
    parse_action: Callable[..., int]
    format_state: Callable[..., str]
    parse_state: Callable[..., Any]
    explain_action: Callable[..., Explanation]
    explain_outcome: Callable[..., Explanation]
    describe_action: Callable[..., str]
    view: Callable[..., GameView]
    render_text: Callable[..., Rendering]
    render_svg: Callable[..., str | None]
    picture_layout: Callable[..., PictureLayout | None]

    MODULES: Mapping[str, tuple[str, ...]] = {
        "notation": ("format_action", "parse_action", "format_state", "parse_state"),
        "explain": ("explain_action", "explain_outcome", "describe_action"),
        "view": ("view",),
        "rendering": ("render_text", "render_svg", "picture_layout"),
    }

    def __init__(self, package: str) -> None:
        defaults = importlib.import_module(DEFAULTS)
        for module_name, names in self.MODULES.items():
            module = import_optional(package, module_name)
            for name in names:
                setattr(self, name, getattr(module, name, None) or getattr(defaults, name))


def import_optional(package: str, name: str) -> types.ModuleType | None:
    """The module ``name`` of a package, or None if the package has none."""
    try:
        return importlib.import_module(f"{package}.{name}")
    except ModuleNotFoundError as error:
        if error.name != f"{package}.{name}":
            raise
        return None
