"""No game's name appears outside its folder in src and web: a sixth game is one folder, no more."""

from __future__ import annotations

import re
from pathlib import Path

import watermeet as wm

SOURCE = Path(wm.__file__).parent
WEB = Path(__file__).parents[2] / "web" / "src"
BUILT = SOURCE / "server" / "static"
AT_HOME = [name for name in wm.games() if wm.game(name).package.startswith("watermeet.")]


def _strangers(name: str) -> list[str]:
    """Places that name a game and are not in its folder."""
    word = re.compile(rf"\b{name}\b", re.IGNORECASE)
    home = SOURCE / "games" / name
    found = []
    for file in sorted((*SOURCE.rglob("*"), *WEB.rglob("*"))):
        if BUILT in file.parents or home in file.parents:
            continue
        if file.suffix in (".py", ".md", ".ts", ".svelte"):
            lines = file.read_text(encoding="utf-8").splitlines()
            found += [
                f"{file.relative_to(WEB.parents[1])}:{number}: {line.strip()}"
                for number, line in enumerate(lines, 1)
                if word.search(line)
            ]
    return found


def test_no_game_is_named_outside_its_folder() -> None:
    """The list of offenders is empty."""
    assert AT_HOME
    assert [place for name in AT_HOME for place in _strangers(name)] == []


def test_the_search_would_find_one() -> None:
    """A word that stands in many files is found in them."""
    assert any("core/registry.py" in place for place in _strangers("registered"))
