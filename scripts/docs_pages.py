"""Writes the pages that the documentation site is built from; ``scripts/docs.py`` calls it.

They are those in docs/, pages that stand elsewhere in the repository (the rules and facts of the
games, the changelog), pages made from code (every route of REST) and from measurements
(bench/RESULTS.md). A link that is right in the repository is right on the site: its target is the
page made of that file. A file of code that some page links to gets a page with its source.

A page shows measurements by a comment, so no figure is copied by hand::

    <!-- results: Games | rows: flume@1.*random playouts -->
    <!-- results: Strength | part: The levels of Flume -->
    <!-- results: Batches on a GPU | text: Gymnasium -->
    <!-- results: Learning curves | whole: Flume size=5 -->

is replaced by that section's tables in bench/RESULTS.md: those with rows that match, those after a
line in bold; by the paragraph that begins in bold; or by everything after a line in bold, pictures
and commands included. A figure within a sentence is a link to bench/RESULTS.md, with the figure in
its words: it must be there, and the link leads to its section.

``<!-- games -->``, ``<!-- gallery -->``, ``<!-- routes -->`` and ``<!-- baselines -->`` stand for
what is made from code or from all results, and
``<!-- live: flume size="5" -->`` for a board to play on.
"""

from __future__ import annotations

import json
import posixpath
import re
import shutil
from collections.abc import Callable, Iterator
from functools import cache
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parents[1]
GAMES = ROOT / "src" / "watermeet" / "games"
RESULTS = "bench/RESULTS.md"
SCREENS = ROOT / "dist" / "screens"
LIVE = ROOT / "dist" / "live"
GROUPS = {
    "Speed": (
        *(
            "Games",
            "Peers",
            "Search",
            "Environments",
            "Compiling",
            "Batches",
            "Self-play",
            "Training",
            "Recipes",
        ),
        *("Flows in batches", "Flows: all", "Flows: the hardest"),
    ),
    "Strength": (
        "Strength",
        "Leaderboard",
        "Learning curves",
        "Networks",
        "Fl",
        "Qwirkle",
        "Puzzles",
    ),
    "In the browser": ("Page", "Engines", "Bots on"),
    "Server": ("Server", "The server", "Memory", "Idle", "Beyond", "Rolling", "Pairing", "Ratings"),
}
"""The results in groups: a section belongs to the first that names its beginning."""

CAPTIONS = {
    "analysis": "Analysing a match of {}",
    "home": "The home page",
    "lobby": "The lobby",
    "match": "{}",
    "over": "{}, after the match",
    "rules": "The rules of {}",
}
"""What screenshots show, by the beginnings of their names."""


class MissingResults(Exception):
    """A page asks for measurements that bench/RESULTS.md doesn't have."""


# ---- which file is which page -------------------------------------------------------------------


def games() -> list[str]:
    """The names of the games, as their folders are named."""
    return sorted(folder.parent.name for folder in GAMES.glob("*/RULES.md"))


@cache
def pages() -> dict[str, str]:
    """Files of the repository outside docs/ that are pages or pictures, and where they are put."""
    found = {
        "ARCHITECTURE.md": "project/architecture.md",
        "CHANGELOG.md": "project/changelog.md",
        "CONTRIBUTING.md": "project/contributing.md",
        "README.md": "index.md",
        "bench": "results/index.md",
        RESULTS: "results/index.md",
        "src/watermeet/games": "games/index.md",
        "web/public/icon.svg": "pictures/icon.svg",
    }
    for name in games():
        folder = f"src/watermeet/games/{name}"
        found[folder] = f"games/{name}.md"
        found[f"{folder}/RULES.md"] = f"games/{name}/rules.md"
        found[f"{folder}/docs/facts.md"] = f"games/{name}/facts.md"
        found[f"{folder}/docs/position.svg"] = f"games/{name}/position.svg"
    for picture in (ROOT / "bench").rglob("*.svg"):
        path = picture.relative_to(ROOT / "bench").as_posix()
        found[f"bench/{path}"] = f"results/{path}"
    return found


def _site_path(path: str) -> str | None:
    """Where a file of the repository is on the site; None for what isn't there."""
    if path in pages():
        return pages()[path]
    if path.startswith("docs/"):
        site = path.removeprefix("docs/")
        return f"{site}/index.md" if (ROOT / path).is_dir() else site
    return f"source/{path}.md" if (ROOT / path).is_file() else None


def _repository_path(page: str) -> str:
    """The file that a page was made from, as links in it see it."""
    for path, site in pages().items():
        if site == page and path.endswith(".md") and not (ROOT / "docs" / page).is_file():
            return path
    return RESULTS if page.startswith("results/") else f"docs/{page}"


# ---- pages made here -----------------------------------------------------------------------------


def _generated() -> Iterator[tuple[str, str]]:
    """Yield the pages that are in no file: their addresses and texts."""
    yield "decisions/index.md", _decisions_page()
    yield "results/index.md", _results_page()
    for title, text in sections().items():
        yield f"results/{_slug(title)}.md", f"# {title}\n\n{text}"


def with_generated(text: str, page: str) -> str:
    """A page with the lists that its comments stand for."""
    lists = {"games": games_list, "gallery": gallery, "routes": routes, "baselines": baselines}
    for name, made in lists.items():
        if (comment := f"<!-- {name} -->") in text:
            text = text.replace(comment, made())
    return re.sub(r"<!-- live: (\w+) *(.*?) -->", lambda found: live(page, *found.groups()), text)


def live(page: str, game: str, wanted: str) -> str:
    """A board to play on; a picture where the site is built without."""
    here = posixpath.dirname(page)
    if not (LIVE / "engines" / f"{game}.json").is_file():
        picture = posixpath.relpath(f"games/{game}/position.svg", here or ".")
        note = "This copy of the site was built without live boards; `make docs` adds them."
        return f"![A position]({picture}){{ .board }}\n\n!!! note\n\n    {note}"
    script = posixpath.relpath("assets/live/board.js", here or ".")
    element = f'<watermeet-board game="{game}" {wanted}></watermeet-board>'
    return f'{element}\n<script type="module" src="{script}"></script>'


def _decisions() -> list[tuple[str, str, str]]:
    """The file, the day and the title of every decision, newest first."""
    found = []
    for file in sorted((ROOT / "docs" / "decisions").glob("*.md"), reverse=True):
        title = file.read_text(encoding="utf-8").splitlines()[0].removeprefix("# ")
        found.append((file.name, file.name[:10], title))
    return found


def _decisions_page() -> str:
    rows = [f"| {day} | [{title}]({file}) |" for file, day, title in _decisions()]
    intro = "# Decisions\n\nOne choice a page: what we decided, why, and what follows from it."
    return "\n".join([intro, "", "| day | decision |", "|---|---|", *rows])


def baselines() -> str:
    """For each game its leaderboard and learning curves, by comments for the results."""
    import watermeet as wm

    curves = re.findall(r"^\*\*(.+)\*\*$", sections().get("Learning curves", ""), re.MULTILINE)
    lines: list[str] = []
    for name in games():
        title = wm.game(name).title
        lines += [f"## {title}", ""]
        if f"**{title}**" in sections().get("Leaderboard", ""):
            lines += [f"<!-- results: Leaderboard | whole: {title}** -->", ""]
        for each in curves:
            if each.split()[0] == title:
                board = each.removeprefix(title).strip() or "the standard board"
                lines += [f"### {title}, {board}", ""]
                lines += [f"<!-- results: Learning curves | whole: {each}** -->", ""]
    return "\n".join(lines)


def games_list() -> str:
    """The games as they declare themselves, with a picture of each."""
    import watermeet as wm

    lines = ['<div class="cards" markdown>', ""]
    for name in games():
        game = wm.game(name)
        low, high = game.seat_range
        traits = [f"{low} to {high} players" if high > low else f"{low} players"]
        traits += ["chance"] if game.chance else []
        traits += ["hidden information"] if game.hidden else []
        lines += [f"- [![A position of {game.title}]({name}/position.svg)]({name}.md)", ""]
        lines += [f"    **[{game.title}]({name}.md)**: {', '.join(traits)}.", ""]
        lines += [f"    {game.summary}", ""]
        lines += [f"    [Rules]({name}/rules.md) · [Facts]({name}/facts.md)", ""]
    lines.append("</div>")
    return "\n".join(lines)


def gallery() -> str:
    """The screenshots: those that `make docs` took where a browser is, else those of the README."""
    pictures = _screens()
    lines: list[str] = []
    for size in ("desktop", "phone"):
        shown = [each for each in pictures if f"-{size}-" in each.name]
        lines += ["", f"## On a {'desk' if size == 'desktop' else 'phone'}", ""]
        lines += [f'<div class="gallery {size}" markdown>', ""]
        for each in shown:
            what, _, theme = each.stem.partition(f"-{size}-")
            kind, _, game = what.partition("-")
            words = CAPTIONS.get(kind, kind.capitalize()).format(game.capitalize())
            picture = f"![{words}, {theme}](../pictures/screens/{each.name}){{ loading=lazy }}"
            lines += [f"<figure markdown>\n{picture}\n<figcaption>{words}</figcaption>\n</figure>"]
        lines += ["", "</div>"]
    return "\n".join(lines)


def _screens() -> list[Path]:
    return sorted(SCREENS.glob("*.webp")) or sorted((ROOT / "docs" / "pictures").glob("*-*.webp"))


def routes() -> str:
    """Every route of REST, as the server describes them (OpenAPI)."""
    from watermeet.server.api.openapi import describe

    described = describe()
    lines: list[str] = []
    by_topic: dict[str, list[str]] = {}
    for path, methods in described["paths"].items():
        topic = path.removeprefix("/api/").split("/")[0]
        for method, operation in methods.items():
            by_topic.setdefault(topic, []).append(_route(path, method, operation))
    for topic in sorted(by_topic):
        lines += ["", f"## {topic}", "", *by_topic[topic]]
    lines += ["", "## Types", ""]
    for name, schema in sorted(described["components"]["schemas"].items()):
        lines += [_schema_section(name, schema)]
    return "\n".join(lines)


def _route(path: str, method: str, operation: dict[str, Any]) -> str:
    lines = [f"### `{method.upper()} {path}`", "", operation["description"], ""]
    token = operation.get("security")
    if token:
        lines += [f"Token: {'optional' if {} in token else 'required'}.", ""]
    if given := operation.get("parameters"):
        lines += ["| parameter | in | type | |", "|---|---|---|---|"]
        for each in given:
            need = "required" if each["required"] else _default(each["schema"])
            kind = schema_words(each["schema"])
            lines.append(f"| `{each['name']}` | {each['in']} | {kind} | {need} |")
        lines.append("")
    if body := operation.get("requestBody"):
        lines += [f"Body: {schema_words(_content(body))}.", ""]
    good = {status: each for status, each in operation["responses"].items() if status < "400"}
    for status, each in good.items():
        lines += [f"Response {status}: {schema_words(_content(each))}.", ""]
    errors = [f"{status}" for status in operation["responses"] if status >= "400"]
    return "\n".join([*lines, f"Errors: {', '.join(errors)}.", ""])


def _content(part: dict[str, Any]) -> dict[str, Any]:
    """The schema of a body or a response."""
    (content,) = part["content"].values()
    schema: dict[str, Any] = content["schema"]
    return schema


def schema_words(schema: dict[str, Any]) -> str:
    """A schema in words, on one line.

    >>> schema_words({"type": "array", "items": {"$ref": "#/components/schemas/Seat"}})
    'list of [`Seat`](#seat)'
    """
    if "$ref" in schema:
        name = schema["$ref"].rsplit("/", 1)[1]
        return f"[`{name}`](#{name.lower()})"
    if "anyOf" in schema:
        return " or ".join(schema_words(each) for each in schema["anyOf"])
    if "enum" in schema:
        return ", ".join(f"`{json.dumps(value)}`" for value in schema["enum"])
    if "const" in schema:
        return f"`{json.dumps(schema['const'])}`"
    kind = schema.get("type", "anything")
    if kind == "array":
        return f"list of {schema_words(schema['items'])}" if schema.get("items") else "list"
    if kind == "object" and isinstance(schema.get("additionalProperties"), dict):
        return f"object of {schema_words(schema['additionalProperties'])}"
    limits = {"minimum": "≥ ", "maximum": "≤ ", "minLength": "length ≥ ", "maxLength": "length ≤ "}
    bounds = [f"{word}{schema[key]}" for key, word in limits.items() if key in schema]
    return f"{kind} ({', '.join(bounds)})" if bounds else str(kind)


def _default(schema: dict[str, Any]) -> str:
    return f"default `{json.dumps(schema['default'])}`" if "default" in schema else "optional"


def _schema_section(name: str, schema: dict[str, Any]) -> str:
    about = str(schema.get("description", "")).strip()
    lines = [f"### {name}", "", *([about, ""] if about else [])]
    if fields := schema.get("properties"):
        lines += ["| field | type | |", "|---|---|---|"]
        for field, each in fields.items():
            need = "required" if field in schema.get("required", ()) else _default(each)
            lines.append(f"| `{field}` | {schema_words(each)} | {need} |")
    else:
        lines.append(schema_words(schema))
    return "\n".join([*lines, ""])


# ---- measurements --------------------------------------------------------------------------------


@cache
def sections() -> dict[str, str]:
    """The sections of bench/RESULTS.md by their titles."""
    text = (ROOT / RESULTS).read_text(encoding="utf-8")
    text = re.sub(r"^<!--.*?-->\n", "", text, flags=re.MULTILINE)
    parts = re.split(r"^## (.+)$", text, flags=re.MULTILINE)
    titles, texts = parts[1::2], [each.strip() for each in parts[2::2]]
    return dict(zip(titles, texts, strict=True))


def _results_page() -> str:
    text = (ROOT / RESULTS).read_text(encoding="utf-8")
    intro = re.sub(r"^<!--.*?-->\n?", "", text.partition("\n## ")[0], flags=re.MULTILINE)
    lines = [intro.strip(), ""]
    for group, titles in _groups().items():
        lines += [f"## {group}", "", *(f"- [{each}]({_slug(each)}.md)" for each in titles), ""]
    return "\n".join(lines)


def _groups() -> dict[str, list[str]]:
    found: dict[str, list[str]] = {group: [] for group in GROUPS} | {"More": []}
    for title in sections():
        fits = (group for group, begins in GROUPS.items() if title.startswith(begins))
        found[next(fits, "More")].append(title)
    return {group: titles for group, titles in found.items() if titles}


def with_results(text: str, page: str) -> str:
    """A page with the tables that its comments ask for, from bench/RESULTS.md."""

    def shown(comment: re.Match[str]) -> str:
        title, _, choice = (part.strip() for part in comment[1].partition(" | "))
        kind, _, wanted = choice.partition(": ")
        section = sections().get(title, "")
        if kind == "text":
            paragraphs = [each for each in section.split("\n\n") if each.startswith(f"**{wanted}")]
            if paragraphs:
                return paragraphs[0]
            section = ""
        if kind in ("part", "whole"):
            begins = rf"^\*\*{re.escape(wanted)}.*$"
            section = "".join(re.split(begins, section, maxsplit=1, flags=re.MULTILINE)[1:])
            section = re.split(r"^\*\*", section, maxsplit=1, flags=re.MULTILINE)[0]
        tables = list(_tables(section, wanted if kind == "rows" else ""))
        if not tables:
            raise MissingResults(f"{page}: bench/RESULTS.md has nothing for {comment[1]!r}")
        if kind == "whole":
            tables = [with_links(section.strip("\n"), page, RESULTS)]
        address = posixpath.relpath(f"results/{_slug(title)}.md", posixpath.dirname(page) or ".")
        return "\n\n".join([*tables, f"<small>Measured: [{title}]({address})</small>"])

    return re.sub(r"<!-- results: (.+?) -->", shown, text)


def _tables(section: str, rows: str) -> Iterator[str]:
    """The tables of a section, only with rows that match; none that has no such row."""
    for table in re.findall(r"(?:^\|.*\n?)+", section, flags=re.MULTILINE):
        head, line, *body = table.strip().splitlines()
        chosen = [row for row in body if re.search(rows, row)]
        if chosen:
            yield "\n".join([head, line, *chosen])


def _slug(title: str) -> str:
    return re.sub(r"[^a-z0-9]+", "-", title.lower()).strip("-")[:60].strip("-")


# ---- Markdown as repositories read it ------------------------------------------------------------


def outside_code(text: str, change: Callable[[str], str]) -> str:
    """A text with whatever isn't a block of code changed."""
    parts = re.split(r"^( *```.*?^ *```[ ]*$)", text, flags=re.MULTILINE | re.DOTALL)
    return "".join(part if index % 2 else change(part) for index, part in enumerate(parts))


def with_lists(text: str) -> str:
    r"""A text whose lists Python-Markdown understands, which wants four spaces and an empty line.

    >>> print(with_lists("Either:\n- one\n  more\n- two\n\n  | a |"))
    Either:
    <BLANKLINE>
    - one
        more
    - two
    <BLANKLINE>
        | a |
    """
    lines: list[str] = []
    indents: list[int] = []  # Where the text of each open list begins.
    is_code = False
    for line in text.splitlines():
        margin = len(line) - len(line.lstrip())
        item = None if is_code else re.match(r" *(?:[-*]|\d+\.) +", line)
        if line.strip() and not is_code:
            while indents and margin < indents[-1]:
                indents.pop()
        if line.lstrip().startswith("```"):
            is_code = not is_code
        if item and (margin < 4 or indents):
            if not indents and lines and lines[-1].strip() and not _is_item(lines[-1]):
                lines.append("")
            lines.append(" " * 4 * len(indents) + line.lstrip())
            indents.append(item.end())
        elif indents and line.strip():
            lines.append(" " * 4 * len(indents) + line[indents[-1] :])
        else:
            lines.append(line)
    return "\n".join(lines)


def _is_item(line: str) -> bool:
    return bool(re.match(r" *(?:[-*]|\d+\.) +|    ", line))


def with_links(text: str, page: str, file: str | None = None) -> str:
    """A page whose links lead to pages of the site, or aren't links where there is none.

    They are links of the file that the page was made from, unless another is named.
    """
    folder = posixpath.dirname(_repository_path(page) if file is None else file)
    here = posixpath.dirname(page) or "."

    def link(found: re.Match[str]) -> str:
        words, target, rest = found["words"], found["target"], found["rest"]
        if re.match(r"[a-z]+:|#|/", target):
            return found[0]
        path, _, anchor = target.partition("#")
        name = posixpath.normpath(posixpath.join(folder, path))
        site = _site_path(name)
        if site is None:  # A folder has no page; what isn't there is left for the build to refuse.
            return words if (ROOT / name).is_dir() else found[0]
        if name == RESULTS:
            site, anchor = _section_page(words, anchor, page), ""
        address = posixpath.relpath(site, here) + (f"#{anchor}" if anchor else "")
        return f"{found['mark']}[{words}]({address}{rest})"

    target = r"\]\((?P<target>[^)\s]+)(?P<rest>[^)]*)\)"
    picture = r"(?P<mark>!)\[(?P<words>[^\]]*)" + target
    words = r"(?P<mark>(?<!!))\[(?P<words>(?:!\[[^\]]*\]\([^)]*\)|[^\[\]])*)" + target
    return outside_code(text, lambda part: re.sub(words, link, re.sub(picture, link, part)))


FIGURE = re.compile(r"\d[\d,]*(?:\.\d+)?")


def _section_page(words: str, anchor: str, page: str) -> str:
    """The page of the section that a link to the results means: by its anchor or its figures.

    Raises MissingResults if no section has all figures of the link's words.
    """
    by_slug = {_slug(title): text for title, text in sections().items()}
    figures = set(FIGURE.findall(words))
    if anchor and anchor not in by_slug:
        raise MissingResults(f"{page}: bench/RESULTS.md has no section {anchor!r}")
    for slug, text in by_slug.items():
        if anchor in ("", slug) and figures and figures <= set(FIGURE.findall(text)):
            return f"results/{slug}.md"
    if figures:
        raise MissingResults(f"{page}: bench/RESULTS.md doesn't have {words!r}")
    return f"results/{anchor}.md" if anchor else pages()[RESULTS]


@cache
def _linked_sources() -> set[str]:
    """The files of code that some page links to."""
    found = set()
    texts = {_repository_path(page): None for page in pages().values() if page.endswith(".md")}
    files = [*(ROOT / "docs").rglob("*.md"), *(ROOT / name for name in texts)]
    for file in files:
        if not file.is_file():
            continue
        for target in re.findall(r"\]\(([^)#\s]+)", file.read_text(encoding="utf-8")):
            if re.match(r"[a-z]+:", target):
                continue
            path = (file.parent / target).resolve()
            name = path.relative_to(ROOT).as_posix() if path.is_relative_to(ROOT) else ""
            if path.is_file() and (_site_path(name) or "").startswith("source/"):
                found.add(name)
    return found


def _source_page(path: str) -> str:
    """The page of a file that isn't a page."""
    text = (ROOT / path).read_text(encoding="utf-8")
    language = {".py": "python", ".mjs": "js", ".yaml": "yaml", ".toml": "toml"}
    kind = language.get(Path(path).suffix, "text" if "." in Path(path).name else "sh")
    kind = "text" if Path(path).name == "LICENSE" else kind
    fence = "`" * (3 + max(map(len, re.findall(r"`+", text)), default=0))
    return f"# {Path(path).name}\n\n`{path}`\n\n{fence}{kind}\n{text.rstrip()}\n{fence}\n"


# ---- the folder ----------------------------------------------------------------------------------


def navigation(entries: list[Any]) -> list[Any]:
    """The navigation, with the parts that follow from files filled in."""
    results = [
        {group: [{each: f"results/{_slug(each)}.md"} for each in titles]}
        for group, titles in _groups().items()
    ]
    decisions = [{title: f"decisions/{file}"} for file, _, title in _decisions()]
    fill = {
        "results": ["results/index.md", *results],
        "decisions": ["decisions/index.md", *decisions],
    }

    def filled(entry: Any) -> Any:
        if isinstance(entry, dict):
            return {name: filled(each) for name, each in entry.items()}
        if isinstance(entry, list):
            return [filled(each) for each in entry]
        return fill.get(entry, entry)

    whole = [filled(entry) for entry in entries]
    for page in sorted((ROOT / "docs").rglob("*.md")):
        name = page.relative_to(ROOT / "docs").as_posix()
        if name not in json.dumps(whole):  # To the end of its part.
            index = f"{name.partition('/')[0]}/index.md"
            part = [next(iter(each.values())) for each in whole if index in json.dumps(each)]
            part[0].append(name)
    return whole


def write(folder: Path) -> None:
    """Write everything that the site is built from."""
    shutil.rmtree(folder, ignore_errors=True)
    shutil.copytree(ROOT / "docs", folder)
    for path, site in pages().items():
        if (ROOT / path).is_file() and path not in (RESULTS, "README.md"):
            _put(folder / site, (ROOT / path).read_bytes())
    for site, text in _generated():
        _put(folder / site, text.encode())
    for page in sorted(folder.rglob("*.md")):
        name = page.relative_to(folder).as_posix()
        text = page.read_text(encoding="utf-8")
        text = with_results(with_generated(with_links(text, name), name), name)
        page.write_text(with_lists(text), encoding="utf-8")
    for path in sorted(_linked_sources()):
        _put(folder / f"source/{path}.md", _source_page(path).encode())
    for picture in _screens():
        _put(folder / "pictures" / "screens" / picture.name, picture.read_bytes())
    if LIVE.is_dir():
        shutil.copytree(LIVE, folder / "assets" / "live")


def _put(file: Path, content: bytes) -> None:
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_bytes(content)
