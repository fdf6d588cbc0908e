"""The registry of games: the folders of ``watermeet.games``, and entry points of other packages.

Nothing is listed by hand. Another package registers a game with an entry point in the group
``watermeet.games``: its name is the game's, its value the import path of the game's folder. Listing
the names imports no game, so a broken game affects only those who use it.
"""

from __future__ import annotations

import importlib
import pkgutil
from functools import cache
from importlib.metadata import entry_points

from watermeet.core.checks import quote, require_type, text_of
from watermeet.core.errors import InvalidGame, UnknownGame, suggest
from watermeet.core.game import Game, load_game
from watermeet.core.options import Value

ENTRY_POINT_GROUP = "watermeet.games"
HOME = "watermeet.games"


@cache
def packages_by_name() -> dict[str, str]:
    """The import path of every registered game's folder, by the game's name, sorted."""
    home = importlib.import_module(HOME)
    found = {entry.name: entry.value for entry in entry_points(group=ENTRY_POINT_GROUP)}
    # Our own folders win: no other package can take over their names.
    found |= {
        folder.name: f"{HOME}.{folder.name}" for folder in pkgutil.iter_modules(home.__path__)
    }
    return dict(sorted((found | _registered).items()))


_registered: dict[str, str] = {}


def register(name: str, package: str | None) -> None:
    """Register the game in a package for this process, without installing it; None removes it."""
    require_type(name, str, "the name of a game")
    require_type(package, (str, type(None)), "the import path of a package")
    _registered.pop(name, None)
    if package is not None:
        _registered[name] = package
    packages_by_name.cache_clear()


def games() -> tuple[str, ...]:
    """The names of all registered games."""
    return tuple(packages_by_name())


def game(name: str, **options: Value) -> Game:
    """A registered game, with options; raises UnknownGame or InvalidOptions.

    >>> import watermeet as wm
    >>> wm.game("chess")
    Traceback (most recent call last):
    watermeet.core.errors.UnknownGame: there is no game 'chess'; ...
    """
    packages = packages_by_name()
    if text_of(name) not in packages:
        raise UnknownGame(f"there is no game {quote(name)}", suggest(name, packages))
    found = load_game(packages[name])
    if found.name != name:
        raise InvalidGame(
            f"{packages[name]} is registered as {name!r} but calls itself {found.name!r}",
            "make the two names equal",
        )
    return found.with_options(**options) if options else found
