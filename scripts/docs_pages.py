"""Writes the pages that the documentation site is built from; ``scripts/docs.py`` calls it.

They are those in docs/, and some that stand elsewhere in the repository: rules of the games, the
changelog, bench/RESULTS.md. A link that is right in the repository is right on the site, too. A
file of code that a page links to gets a page with its source.

A comment stands for what the build makes: ``<!-- commands -->`` and others of ``docs_reference``,
``<!-- games -->``, ``<!-- position: qwirkle -->`` for a picture of a position, and
``<!-- live: flume size="5" -->`` for a board to play on.
"""

from __future__ import annotations

import posixpath
import re
import shutil
from collections.abc import Callable
from functools import cache
from pathlib import Path

from docs_reference import PARTS, ROOT

GAMES = ROOT / "src" / "watermeet" / "games"
RESULTS = "bench/RESULTS.md"
LIVE = ROOT / "dist" / "live"
ELSEWHERE = {
    "ARCHITECTURE.md": "project/architecture.md",
    "CHANGELOG.md": "project/changelog.md",
    "CONTRIBUTING.md": "project/contributing.md",
    "README.md": "index.md",
    "bench": "results/index.md",
    RESULTS: "results/index.md",
    "src/watermeet/games": "games/index.md",
    "web/public/icon.svg": "pictures/icon.svg",
}


@cache
def games() -> list[str]:
    """The names of our games."""
    return sorted(folder.parent.name for folder in GAMES.glob("*/RULES.md"))


@cache
def elsewhere() -> dict[str, str]:
    """Files outside docs/ that are on the site, and where."""
    found = dict(ELSEWHERE)
    for name in games():
        folder = f"src/watermeet/games/{name}"
        found |= {folder: f"games/{name}.md", f"{folder}/RULES.md": f"games/{name}/rules.md"}
    return found


def write(folder: Path) -> None:
    """Write everything that the site is built from."""
    import watermeet as wm
    from watermeet.testing.facts import facts_page
    from watermeet.testing.pictures import position_svg

    shutil.rmtree(folder, ignore_errors=True)
    shutil.copytree(ROOT / "docs", folder)
    for path, site in elsewhere().items():
        if (ROOT / path).is_file() and path != "README.md":
            _put(folder / site, (ROOT / path).read_bytes())
    for name in games():
        _put(folder / f"games/{name}/facts.md", facts_page(wm.game(name)).encode())
        _put(folder / f"games/{name}/position.svg", position_svg(wm.game(name)).encode())
    if LIVE.is_dir():
        shutil.copytree(LIVE, folder / "assets" / "live")
    origins = {site: path for path, site in elsewhere().items() if path != "README.md"}
    sources = set[str]()
    for page in sorted(folder.rglob("*.md")):
        name = page.relative_to(folder).as_posix()
        is_own = (ROOT / "docs" / name).is_file()
        origin = f"docs/{name}" if is_own else origins.get(name, name)
        text = with_links(page.read_text(encoding="utf-8"), name, origin, sources)
        _put(page, with_parts(text, name).encode())
    for path in sources:
        language = {".py": "python", ".mjs": "js"}.get(Path(path).suffix, "text")
        code = (ROOT / path).read_text(encoding="utf-8").rstrip()
        text = f"# {Path(path).name}\n\n`{path}`\n\n`````{language}\n{code}\n`````\n"
        _put(folder / f"source/{path}.md", text.encode())


def _put(file: Path, content: bytes) -> None:
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_bytes(content)


# ---- what comments stand for -------------------------------------------------------------------


def with_parts(text: str, page: str) -> str:
    """A page with what its comments stand for."""
    here = posixpath.dirname(page) or "."
    parts = {**PARTS, "games": games_list}
    found = rf"<!-- ({'|'.join(parts)}) ?(\w*) -->"
    text = re.sub(found, lambda it: parts[it[1]](*filter(None, [it[2]])), text)
    text = re.sub(r"<!-- position: (\w+) -->", lambda it: position(here, it[1]), text)
    return re.sub(r"<!-- live: (\w+) *(.*?) -->", lambda it: live(here, *it.groups()), text)


def position(here: str, game: str) -> str:
    """A picture of a position."""
    return f"![A position]({posixpath.relpath(f'games/{game}/position.svg', here)}){{ .board }}"


def live(here: str, game: str, settings: str) -> str:
    """A board to play on; a picture where the site is built without."""
    if not (LIVE / "engines" / f"{game}.json").is_file():
        return position(here, game)
    script = posixpath.relpath("assets/live/board.js", here)
    element = f'<watermeet-board game="{game}" {settings}></watermeet-board>'
    return f'{element}\n<script type="module" src="{script}"></script>'


def games_list(folder: str = ".") -> str:
    """The games as they declare themselves, with a picture of each, linked to their folder."""
    import watermeet as wm

    lines = ['<div class="cards" markdown>', ""]
    for game in map(wm.game, games()):
        low, high = game.seat_range
        traits = [f"{low} to {high} players" if high > low else f"{low} players"]
        traits += ["chance"] * game.chance + ["hidden information"] * game.hidden
        name = f"{folder}/{game.name}"
        lines += [f"- [![A position of {game.title}]({name}/position.svg)]({name}.md)", ""]
        lines += [f"    **[{game.title}]({name}.md)**: {', '.join(traits)}.", ""]
        lines += [f"    {game.summary} [Rules]({name}/rules.md) · [Facts]({name}/facts.md)", ""]
    return "\n".join([*lines, "</div>"])


# ---- Markdown as repositories read it ------------------------------------------------------------


def outside_code(text: str, change: Callable[[str], str]) -> str:
    """A text with whatever isn't a block of code changed."""
    parts = re.split(r"^( *```.*?^ *```[ ]*$)", text, flags=re.MULTILINE | re.DOTALL)
    return "".join(part if index % 2 else change(part) for index, part in enumerate(parts))


def with_links(text: str, page: str, origin: str, sources: set[str]) -> str:
    """A page whose links lead to pages of the site; adds files of code that they lead to."""

    def link(found: re.Match[str]) -> str:
        path, hash_, anchor = found[2].partition("#")
        if not path or re.match(r"[a-z]+:|/", path):
            return found[0]
        name = posixpath.normpath(posixpath.join(posixpath.dirname(origin), path))
        site = elsewhere().get(name)
        if site is None and name.startswith("docs/"):
            site = name.removeprefix("docs/")
        elif site is None and (ROOT / name).is_file():
            sources.add(name)
            site = f"source/{name}.md"
        if site is None:  # A folder has no page; what isn't there is left for the build to refuse.
            return found[1] if (ROOT / name).is_dir() else found[0]
        address = posixpath.relpath(site, posixpath.dirname(page) or ".")
        return f"[{found[1]}]({address}{hash_}{anchor}{found[3]})"

    target = r"\]\(([^)\s]+)([^)]*)\)"
    picture = r"(?<=!)\[([^\]]*)" + target
    words = r"(?<!!)\[((?:!\[[^\]]*\]\([^)]*\)|[^\[\]])*)" + target
    return outside_code(text, lambda part: re.sub(words, link, re.sub(picture, link, part)))
