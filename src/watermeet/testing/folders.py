"""Where a game's files are: the folder that all tools of this package read and write."""

from __future__ import annotations

import importlib
from pathlib import Path

from watermeet.core.game import Game
from watermeet.core.registry import HOME, game, games

LANGUAGES = ("en", "fr", "de", "pl")
"""Those of the page; RULES.md is the English one."""


def folder_of(game: Game) -> Path:
    """The folder that defines a game."""
    module = importlib.import_module(game.package)
    assert module.__file__ is not None, "a game is a folder with an __init__.py"
    return Path(module.__file__).parent


def is_built_in(game: Game) -> bool:
    """Whether the game is part of Watermeet, not of another package."""
    return game.package.startswith(f"{HOME}.")


def built_in_games() -> tuple[str, ...]:
    """The names of the games that are part of Watermeet."""
    return tuple(name for name in games() if is_built_in(game(name)))


def replace_text(path: Path, text: str) -> None:
    """Write a file completely or not at all: a failure leaves the old one in place."""
    path.parent.mkdir(parents=True, exist_ok=True)
    temporary = path.with_name(f".{path.name}.new")
    temporary.write_text(text, encoding="utf-8")
    temporary.replace(path)
