"""Finds games: the folders of ``watermeet.games``, then the entry points of other packages.

Nothing is listed by hand. A package outside registers a game by an entry point in the group
``watermeet.games`` whose name is the game's and whose value is the import path of its folder.
Listing names imports no game, so a broken one harms nobody but its own users.
"""

from __future__ import annotations

import importlib
import pkgutil
from functools import cache
from importlib.metadata import entry_points

from watermeet.core.errors import InvalidGame, UnknownGame, suggest
from watermeet.core.game import Game, load_game
from watermeet.core.options import Value

ENTRY_POINT_GROUP = "watermeet.games"
HOME = "watermeet.games"


@cache
def packages_by_name() -> dict[str, str]:
    """Every registered game's name with the import path of its folder, in order of name."""
    home = importlib.import_module(HOME)
    found = {entry.name: entry.value for entry in entry_points(group=ENTRY_POINT_GROUP)}
    # A folder at home comes first: no package from outside can take its name over.
    found |= {
        folder.name: f"{HOME}.{folder.name}" for folder in pkgutil.iter_modules(home.__path__)
    }
    return dict(sorted((found | _registered).items()))


_registered: dict[str, str] = {}


def register(name: str, package: str | None) -> None:
    """Register the game in a package for this process, without installing it; None removes it."""
    _registered.pop(name, None)
    if package is not None:
        _registered[name] = package
    packages_by_name.cache_clear()


def games() -> tuple[str, ...]:
    """The names of all registered games."""
    return tuple(packages_by_name())


def game(name: str, **options: Value) -> Game:
    """A registered game with options; raises UnknownGame or InvalidOptions.

    >>> import watermeet as wm
    >>> wm.game("chess")
    Traceback (most recent call last):
    watermeet.core.errors.UnknownGame: there is no game 'chess'; ...
    """
    packages = packages_by_name()
    if name not in packages:
        raise UnknownGame(f"there is no game {name!r}", suggest(str(name), packages))
    found = load_game(packages[name])
    if found.name != name:
        raise InvalidGame(
            f"{packages[name]} is registered as {name!r} but calls itself {found.name!r}",
            "give both the same name",
        )
    return found.with_options(**options) if options else found
