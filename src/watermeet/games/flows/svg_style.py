"""Colours, patterns and small parts of the SVG of a Flows state.

Colour alone never carries meaning: each seat also has a pattern along the middle of its strands and
its side. The colours differ in brightness as well as in hue, and all are bright against the tiles,
which are dark in light and dark themes.
"""

from __future__ import annotations

from html import escape

from watermeet.core.rendering import svg_element
from watermeet.games.flows.geometry import middle_of, number, piece_path, points
from watermeet.games.flows.tiles import ORIENTATION_STRANDS

GROUND = "#ebe5d9"
INK = "#3c3a36"
FAINT_INK = "#8b8371"
EMPTY_CELL = "#f8f4ea"
EMPTY_EDGE = "#cfc5b0"
TILE = "#2d333d"
TILE_EDGE = "#4a525f"
BLACK_SIDE = "#1e1f22"
GOLD = "#f5b800"
HALO = "#fff6cf"
NOBODYS = "#98a1ae"
PLAIN = "#e8ecf1"  # Strands of tiles beside the board.
SEAT_COLOURS = ("#f25648", "#58a6ff", "#ffe14a", "#3dbd6f", "#c48bff", "#ff9430")
_PATTERN_INK = "#1b1f26"

# By seat: width and dashes in units of the strand's width, and the cap of the dashes.
_PATTERNS = (
    (0.0, (), "butt"),  # Red: plain.
    (0.28, (), "butt"),  # Blue: a line along the middle.
    (0.45, (0.0, 1.0), "round"),  # Yellow: dots.
    (0.34, (1.1, 0.8), "butt"),  # Green: dashes.
    (0.34, (1.1, 0.75, 0.0, 0.75), "round"),  # Purple: dashes and dots.
    (1.0, (0.28, 0.9), "butt"),  # Orange: crossbars.
)


def stroke(
    path: str,
    colour: str,
    width: float,
    dashes: tuple[float, ...] = (),
    *,
    cap: str = "",
    begun: float = 0.0,
) -> str:
    """A path as a line; ``begun`` is the length of the line before it, so that dashes continue."""
    more: dict[str, str] = {}
    if dashes:
        more["stroke_dasharray"] = " ".join(f"{dash:.4g}" for dash in dashes)
    if dashes and begun:
        more["stroke_dashoffset"] = f"{begun % sum(dashes):.2f}"
    if cap:
        more["stroke_linecap"] = cap
    return svg_element("path", d=path, fill="none", stroke=colour, stroke_width=width, **more)


def pattern(path: str, seat: int, width: float, begun: float = 0.0) -> list[str]:
    """The pattern of a seat along a path."""
    part, parts, cap = _PATTERNS[seat]
    if not part:
        return []
    dashes = tuple(dash * width for dash in parts)
    return [stroke(path, _PATTERN_INK, part * width, dashes, cap=cap, begun=begun)]


def owned_path(path: str, owners: tuple[int, ...], width: float, begun: float = 0.0) -> list[str]:
    """A path in the colours of its owners; grey and thinner if it has none."""
    if not owners:
        return [stroke(path, NOBODYS, width * 0.72)]
    first = stroke(path, SEAT_COLOURS[owners[0]], width)
    if len(owners) == 1:
        return [first, *pattern(path, owners[0], width, begun)]
    dashes = (1.6 * width, 1.6 * width)
    return [first, stroke(path, SEAT_COLOURS[owners[1]], width, dashes, begun=begun)]


def text_element(
    text: str, x: float, y: float, size: float, *, anchor: str = "middle", weight: str = "normal",
    fill: str = INK, transform: str = "",
) -> str:  # fmt: skip
    """A text; ``y`` is its baseline."""
    more = {"transform": transform} if transform else {}
    return svg_element(
        "text", escape(text), x=x, y=y, font_size=size, font_family="system-ui, sans-serif",
        text_anchor=anchor, font_weight=weight, fill=fill, **more,
    )  # fmt: skip


def hexagon(x: float, y: float, size: float, fill: str, edge: str, edge_width: float) -> str:
    """A hexagon with a corner at the top."""
    wide, half = size * 3**0.5 / 2, size / 2
    around = [(0.0, -size), (wide, -half), (wide, half), (0.0, size), (-wide, half), (-wide, -half)]
    return svg_element(
        "polygon", points=points([(x + dx, y + dy) for dx, dy in around]), fill=fill, stroke=edge,
        stroke_width=edge_width, stroke_linejoin="round",
    )  # fmt: skip


def loose_tile(orientation: int, x: float, y: float, size: float, title: str) -> str:
    """A tile beside the board."""
    parts = [svg_element("title", escape(title)), hexagon(x, y, size, TILE, TILE_EDGE, 1)]
    for enter, leave in ORIENTATION_STRANDS[orientation]:
        start_x, start_y = middle_of((x, y), enter, size)
        path = f"M{number(start_x)} {number(start_y)}{piece_path((x, y), enter, leave, size)}"
        parts += [stroke(path, TILE, size * 0.36), stroke(path, PLAIN, size * 0.2)]
    return svg_element("g", "".join(parts))


def face_down_tile(x: float, y: float, size: float) -> str:
    """The back of a tile."""
    parts = [
        svg_element("title", "?"),
        hexagon(x, y, size, "#6a6f78", TILE_EDGE, 1),
        hexagon(x, y, size * 0.78, "none", "#8d929b", size * 0.06),
        text_element("?", x, y + size * 0.3, size * 0.8, weight="bold", fill="#d4d7dc"),
    ]
    return svg_element("g", "".join(parts))
