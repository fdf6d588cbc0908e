"""Makes a new game from ``template/``: a small game that is complete, for its author to change.

The template is a package of its own, a game named ``my_game``. A line that ends in ``[seats vary]``
or ``[seats fixed]`` is kept only where that is so; one that ends in ``[3 seats]``, only for three
seats or more.
"""

from __future__ import annotations

import importlib
import re
import sys
from pathlib import Path

from watermeet.core.errors import InvalidGame
from watermeet.core.game import load_game
from watermeet.core.kernel import plain_python
from watermeet.core.registry import HOME, games, register
from watermeet.testing.goldens import write_goldens
from watermeet.testing.pictures import write_pictures

TEMPLATE = Path(__file__).parent / "template"
PACKAGE = "watermeet_my_game"
MOST_SEATS = 6
_MARK = re.compile(r" *(?:#|//) \[(seats vary|seats fixed|(\d) seats)\]$")


def new_game(
    name: str, *, title: str | None = None, seats: tuple[int, int] = (2, 2), inside: Path
) -> Path:
    """Make the folder ``inside/name`` and return it; raises InvalidGame.

    In Watermeet's own folder of games it is a built-in game, elsewhere an installable package.
    """
    _check_name(name)
    low, high = seats
    if not 2 <= low <= high <= MOST_SEATS:
        hint = f"the template is for 2 to {MOST_SEATS}; change seat_range afterwards"
        raise InvalidGame(f"can't make a game for {low} to {high} seats", hint)
    folder = inside / name
    if folder.exists():
        raise InvalidGame(f"{folder} exists already", "choose another name or folder")
    is_built_in = inside.resolve() == Path(importlib.import_module(HOME).__path__[0]).resolve()
    package = f"{HOME}.{name}" if is_built_in else f"watermeet_{name}"
    words = {
        PACKAGE: package,
        "watermeet-my-game": f"watermeet-{name.replace('_', '-')}",
        "my_game": name,
        "My Game": title or name.replace("_", " ").capitalize(),
        "seat_range=(2, 2)": f"seat_range=({low}, {high})",
        "low=2, high=2)": f"low={low}, high={high})",
        '"seats", 2,': f'"seats", {low},',
        "state[SEATS] = 2": f"state[SEATS] = {low}",
    }
    source = TEMPLATE / "src" / PACKAGE if is_built_in else TEMPLATE
    for file in sorted(source.rglob("*")):
        is_left_out = "__pycache__" in file.parts or (is_built_in and file.name == "test_game.py")
        if file.is_file() and not is_left_out:
            path = str(file.relative_to(source)).replace(PACKAGE, package)
            target = folder / path
            target.parent.mkdir(parents=True, exist_ok=True)
            text = _fill(file.read_text(encoding="utf-8"), words, seats)
            target.write_text(text, encoding="utf-8")
    _generate(name, package, folder / "src")
    return folder


def _check_name(name: str) -> None:
    if not re.fullmatch(r"[a-z][a-z0-9_]*", name):
        hint = "use lower-case letters, digits and _, beginning with a letter"
        raise InvalidGame(f"{name!r} can't be the name of a game", hint)
    if name in games():
        raise InvalidGame(f"there is a game {name!r} already", "choose another name")


def _fill(text: str, words: dict[str, str], seats: tuple[int, int]) -> str:
    """The template's text without marked lines that don't apply, and with these words replaced."""
    low, high = seats
    lines = []
    for line in text.splitlines():
        mark = _MARK.search(line)
        if mark is not None:
            least = int(mark[2]) if mark[2] else 0
            is_kept = high >= least if least else (mark[1] == "seats vary") == (low != high)
            if not is_kept:
                continue
            line = line[: mark.start()]  # noqa: PLW2901
        lines.append(line)
    filled = "\n".join(lines) + "\n"
    for old, new in words.items():
        filled = filled.replace(old, new)
    return filled


def _generate(name: str, package: str, source: Path) -> None:
    """Write the files that are made from the game itself; nothing is compiled for it."""
    sys.path.insert(0, str(source))
    importlib.invalidate_caches()
    try:
        register(name, package)
        game = load_game(package)
        with plain_python():
            for write in (write_goldens, write_pictures):
                write(game)
    finally:
        sys.path.remove(str(source))
