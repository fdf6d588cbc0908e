"""The page to learn a game from: ``web/learn/`` in its folder.

``en.md``, ``de.md``, ``fr.md`` and ``pl.md`` are the page, and ``pictures.toml`` lists its
pictures: positions, and what is legal there. A picture that claims something false isn't drawn.
``python -m watermeet.testing --write pictures GAME`` draws them.
"""

from __future__ import annotations

import re
import tomllib
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

from watermeet.core.errors import WatermeetError
from watermeet.core.game import Game
from watermeet.core.record import Record
from watermeet.core.rendering import PictureLayout, crop_svg, svg_element
from watermeet.core.state import State
from watermeet.testing import translations
from watermeet.testing.folders import LANGUAGES, folder_of

POSITION = "docs/position.txt"
FOLDER = "web/learn"
PICTURES = f"{FOLDER}/pictures.toml"
LEGAL, ILLEGAL = "✓", "✗"
KEYS = {
    "options", "record", "state", "play", "legal", "illegal", "shown", "part", "around", "ring",
    "numbers", "arrows", "over",
}  # fmt: skip
_CAPTION = re.compile(r"!\[(?P<caption>[^\]]+)\]\((?P<name>[\w-]+)\.svg\)")
_CODE = re.compile(r"`([^`]+)`")
_TITLES = re.compile(r"<title>[^<]*</title>")
_GREEN, _RED, _GOLD, _INK = "#177a45", "#c21807", "#e8b400", "#1b1b1b"


# ---- positions --------------------------------------------------------------------------------


@dataclass(frozen=True)
class Picture:
    """A position of the page, and what it claims; raises ValueError if that is wrong."""

    name: str
    state: State
    last: tuple[int, ...]  # The actions of the last turn played.
    legal: Mapping[str, str]  # Legal moves, and the cell to mark for each.
    illegal: Mapping[str, str]
    facts: Mapping[str, Any]  # The entry in pictures.toml.

    def svg(self) -> str:
        """The position, cropped to what matters, with its marks."""
        state, last = self.state, self.last
        if self.facts.get("shown"):
            (move,) = [*self.legal, *self.illegal]
            last = (state.parse_move(move),)
            array = state.array.copy()
            state.game.kernels.apply(array, last[0])  # Even if it is illegal: to show why.
            state = State(state.game, array)
        svg = state.render_svg(last=last)
        layout = _layout(state)
        box = _box(layout, self.facts)
        svg = crop_svg(_TITLES.sub("", svg or ""), box)
        return svg.removesuffix("</svg>") + "".join(self._marks(layout)) + "</svg>\n"

    def _marks(self, layout: PictureLayout) -> Iterator[str]:
        for cell in self.facts.get("ring", "").split():
            yield _ring(*_place(layout, cell), layout.cell_width)
        for pair in self.facts.get("arrows", "").split():
            start, end = (_place(layout, cell) for cell in pair.split(">"))
            yield _arrow(start, end, layout.cell_width)
        for moves, draw in ((self.legal, _tick), (self.illegal, _cross)):
            for cell in filter(None, moves.values()):
                (x, y), unit = _place(layout, cell), layout.cell_width
                if self.facts.get("shown"):  # Leaves what lies there to be seen.
                    yield draw(x + 0.45 * unit, y - 0.45 * unit, unit)
                else:
                    yield draw(x, y, unit)
        for pair in self.facts.get("numbers", "").split():
            cell, number = pair.split("=")
            yield _number(*_place(layout, cell), layout.cell_width, number)

    def words(self) -> set[str]:
        """The cells and moves that a caption may name."""
        played = self.facts.get("play", "").split()
        return {*_layout(self.state).cells, *self.legal, *self.illegal, *played}


def pictures_of(game: Game) -> dict[str, Picture]:
    """The pictures of a game's page by name; raises ValueError if one is wrong."""
    text = (folder_of(game) / PICTURES).read_text(encoding="utf-8")
    found = {}
    for name, facts in tomllib.loads(text).items():
        try:
            found[name] = _read(game, name, facts)
        except (WatermeetError, ValueError) as error:
            raise ValueError(f"[{name}] {error}") from error
    return found


def _read(game: Game, name: str, facts: Mapping[str, Any]) -> Picture:
    if set(facts) - KEYS:
        raise ValueError(f"unknown: {', '.join(sorted(set(facts) - KEYS))}")
    state = _first_state(game, facts)
    turn: list[tuple[int, int]] = []
    for move in facts.get("play", "").split():
        action = state.parse_move(move.removeprefix("~"))
        turn = [each for each in turn if each[0] == state.to_move] + [(state.to_move, action)]
        state = state.play(action)
    if "over" in facts and facts["over"] != (state.outcome is not None):
        raise ValueError(f"over = {facts['over']} isn't so".lower())
    cells = _layout(state).cells
    claims = {key: _claims(state, facts.get(key, ""), cells) for key in ("legal", "illegal")}
    for key, moves in claims.items():
        for move in moves:
            explanation = state.explain(move)
            if explanation.legal != (key == "legal"):
                raise ValueError(f"{move} isn't {key} there: {explanation.sentence}")
    return Picture(name, state, tuple(action for _, action in turn), **claims, facts=facts)


def position_record(game: Game) -> tuple[Record, tuple[State, ...]]:
    """The record of a game's typical position, and its states."""
    return _replayed((folder_of(game) / POSITION).read_text(encoding="utf-8"))


@cache
def _replayed(text: str) -> tuple[Record, tuple[State, ...]]:
    record = Record.parse(text)
    return record, record.replay()


def _first_state(game: Game, facts: Mapping[str, Any]) -> State:
    if "record" in facts:
        return position_record(game)[1][int(facts["record"])]
    game = game.with_options(**facts.get("options", {}))
    return game.parse(facts["state"]) if "state" in facts else game.start()


def _claims(state: State, text: str, cells: Mapping[str, Any]) -> dict[str, str]:
    """Moves with the cell to mark: ``d4``, ``NE@d4``, or ``a6-w2=a5`` to name another cell."""
    found = {}
    for word in text.split():
        move, _, cell = word.partition("=")
        end = move.rpartition("@")[2]
        found[move] = cell or (end if end in cells else "")
    return found


def _layout(state: State) -> PictureLayout:
    layout: PictureLayout | None = state.game.hooks.picture_layout(state.game, state.array)
    if layout is None:
        raise ValueError("rendering.py has no picture_layout")
    return layout


# ---- drawing ----------------------------------------------------------------------------------


def _place(layout: PictureLayout, cell: str) -> tuple[float, float]:
    if cell not in layout.cells:
        raise ValueError(f"there is no cell {cell!r} in the picture")
    return layout.cells[cell]


def _box(layout: PictureLayout, facts: Mapping[str, Any]) -> tuple[float, float, float, float]:
    """The part of the picture to show: left, top, width and height."""
    if "around" not in facts:
        return layout.parts[facts.get("part", "board")]
    places = [_place(layout, cell) for cell in facts["around"].split()]
    margin = layout.cell_width * 0.85
    left, right = min(x for x, _ in places) - margin, max(x for x, _ in places) + margin
    top, bottom = min(y for _, y in places) - margin, max(y for _, y in places) + margin
    return left, top, right - left, bottom - top


def _line(path: str, width: float, colour: str, **more: str) -> str:
    return svg_element(
        "path", d=path, fill="none", stroke=colour, stroke_width=width, stroke_linecap="round",
        stroke_linejoin="round", **more,
    )  # fmt: skip


def _cased(path: str, width: float, colour: str) -> str:
    """A line with a light edge, to be seen on any ground."""
    return _line(path, width * 1.9, "#fff") + _line(path, width, colour)


def _tick(x: float, y: float, unit: float) -> str:
    path = f"M{x - 0.2 * unit:.4g} {y:.4g}l{0.14 * unit:.4g} {0.15 * unit:.4g}"
    return _cased(path + f"l{0.27 * unit:.4g} {-0.32 * unit:.4g}", 0.1 * unit, _GREEN)


def _cross(x: float, y: float, unit: float) -> str:
    near, far = 0.2 * unit, 0.4 * unit
    path = f"M{x - near:.4g} {y - near:.4g}l{far:.4g} {far:.4g}"
    return _cased(path + f"m0 {-far:.4g}l{-far:.4g} {far:.4g}", 0.1 * unit, _RED)


def _ring(x: float, y: float, unit: float) -> str:
    radius = 0.46 * unit
    path = f"M{x - radius:.4g} {y:.4g}a{radius:.4g} {radius:.4g} 0 1 1 0 .01"
    dashes = f"{0.07 * unit:.4g} {0.16 * unit:.4g}"
    return _line(path, 0.12 * unit, "#fff") + _line(
        path, 0.07 * unit, _INK, stroke_dasharray=dashes
    )


def _number(x: float, y: float, unit: float, number: str) -> str:
    disc = svg_element(
        "circle", cx=x, cy=y, r=0.24 * unit, fill="#fff", stroke=_INK, stroke_width=0.04 * unit
    )
    return disc + svg_element(
        "text", number, x=x, y=y + 0.12 * unit, font_size=0.34 * unit, font_family="sans-serif",
        font_weight="bold", text_anchor="middle", fill=_INK,
    )  # fmt: skip


def _arrow(start: tuple[float, float], end: tuple[float, float], unit: float) -> str:
    dx, dy = end[0] - start[0], end[1] - start[1]
    length = (dx * dx + dy * dy) ** 0.5 or 1.0
    dx, dy = 0.2 * unit * dx / length, 0.2 * unit * dy / length
    head = f"m{-dx - dy:.4g} {-dy + dx:.4g}L{end[0]:.4g} {end[1]:.4g}l{-dx + dy:.4g} {-dy - dx:.4g}"
    path = f"M{start[0]:.4g} {start[1]:.4g}L{end[0]:.4g} {end[1]:.4g}"
    return _cased(path + head, 0.09 * unit, _GOLD)


def learn_files(game: Game) -> dict[str, str]:
    """The texts of the pictures, by path in the game's folder; raises ValueError."""
    if not (folder_of(game) / PICTURES).exists():
        return {}
    return {f"{FOLDER}/{name}.svg": each.svg() for name, each in pictures_of(game).items()}


# ---- checking ---------------------------------------------------------------------------------


def learn_problems(game: Game) -> Iterator[tuple[str, str]]:
    """What is missing or wrong, each with the path in the game's folder."""
    folder = folder_of(game) / FOLDER
    paths = [f"{language}.md" for language in LANGUAGES]
    for name in (*paths, "pictures.toml"):
        if not (folder / name).exists():
            yield f"{FOLDER}/{name}", "write the page to learn the game from"
    if not (folder / paths[0]).exists() or not (folder / "pictures.toml").exists():
        return
    try:
        found = pictures_of(game)
    except (ValueError, WatermeetError) as error:
        yield PICTURES, str(error)
        return
    english = (folder / paths[0]).read_text(encoding="utf-8")
    for problem in _page_problems(english):
        yield f"{FOLDER}/{paths[0]}", problem
    used = {match["name"] for match in _CAPTION.finditer(english)}
    for name in sorted(set(found) - used):
        yield PICTURES, f"[{name}] isn't on the page"
    for file in sorted(folder.glob("*.md")):
        yield from _text_problems(file, english, found)


def _text_problems(
    file: Path, english: str, found: Mapping[str, Picture]
) -> Iterator[tuple[str, str]]:
    path, text = f"{FOLDER}/{file.name}", file.read_text(encoding="utf-8")
    if file.stem != LANGUAGES[0]:
        for problem in translations.differences(english, text):
            yield path, problem
    for match in _CAPTION.finditer(text):
        caption, picture = match["caption"], found.get(match["name"])
        if picture is None:
            yield path, f"describe the picture {match['name']} in pictures.toml"
            continue
        for sign, moves in ((LEGAL, picture.legal), (ILLEGAL, picture.illegal)):
            if (sign in caption) != bool(moves):
                yield path, f"the caption of {picture.name} needs {sign} if a move there is {sign}"
        for word in sorted(set(_CODE.findall(caption)) - picture.words()):
            yield path, f"the caption of {picture.name} names {word!r}, which isn't there"


def _page_problems(text: str) -> Iterator[str]:
    """The page has its sections: the goal, a turn, rules, mistakes and hints."""
    blocks = translations.blocks(text)
    sections: list[list[str]] = [[]]
    for block in blocks:
        if block.startswith("## "):
            sections.append([])
        sections[-1].append(block)
    if len(sections) != 5 or not blocks[0].startswith("# "):
        yield "write a title and the goal, then four sections: a turn, rules, mistakes, hints"
        return
    goal, turn, rules, mistakes, hints = sections
    for section, count in ((goal, 1), (turn, 2)):
        if sum(block.startswith("![") for block in section) < count:
            yield f"{section[0]!r} needs at least {count} pictures"
    starts = [place for place, block in enumerate(rules) if block.startswith("### ")]
    if len(starts) < 3:
        yield f"{rules[0]!r} needs at least three rules, each under a heading"
    for start, end in zip(starts, [*starts[1:], len(rules)], strict=True):
        if not any(block.startswith("![") for block in rules[start:end]):
            yield f"{rules[start]!r} needs a picture"
    for section in (mistakes, hints):
        if sum(block.startswith("- ") for block in section) < 2:
            yield f"{section[0]!r} needs a list"
