"""Colours and SVG parts of Flow's pictures: tiles, animals, dice, birds.

Nothing depends on colour alone: channels with water have little waves, dry ones have pebbles. Every
part is centred on its middle; a cell is CELL wide.
"""

from __future__ import annotations

from html import escape

from watermeet.core.rendering import svg_element

CELL = 64.0
HALF = CELL / 2
GROUND = "#e6f1f3"
SEA = "#7fbcd2"
SEA_EDGE = "#a4d3e2"
SHALLOWS = "#b4dce9"
INK = "#22343c"
FAINT_INK = "#4d6670"
SEA_INK = "#174656"
SAND = "#efdcae"
SAND_EDGE = "#b99a5e"
BANK = "#cfb277"
WET = "#1f86d1"
DRY = "#685c4f"
PEBBLE = "#d9cfbd"
LAND = "#b7cf8c"
LAND_EDGE = "#7f9a55"
ROCK = "#6f7278"
ROCK_LIGHT = "#9a9da3"
GOLD = "#f2a900"
JOINED = "#2d8f4e"
WHITE = "#ffffff"
BLACK = "#26292c"
_CHANNEL, _BANKS = 19.0, 26.0
_PEBBLE_STEP = 8.0
_REACH, _REACH_BESIDE_ROCKS = 18.0, 23.0
_TOWARDS = {"N": (0.0, -1.0), "E": (1.0, 0.0), "S": (0.0, 1.0), "W": (-1.0, 0.0)}


def number(value: float) -> str:
    """A number in short form, never a negative zero."""
    return f"{round(value, 2) + 0.0:.6g}"


def at(x: float, y: float, *parts: str, title: str = "", scale: float = 1.0) -> str:
    """Parts moved to a point, with an optional tooltip and scale."""
    text = svg_element("title", escape(title)) if title else ""
    grown = f" scale({number(scale)})" if scale != 1.0 else ""
    place = f"translate({number(x)} {number(y)}){grown}"
    return svg_element("g", text + "".join(parts), transform=place)


def words(
    text: str, x: float, y: float, size: float, *, anchor: str = "middle", weight: str = "normal",
    fill: str = INK,
) -> str:  # fmt: skip
    """A text; ``y`` is its base line."""
    return svg_element(
        "text", escape(text), x=x, y=y, font_size=size, font_family="system-ui, sans-serif",
        text_anchor=anchor, font_weight=weight, fill=fill,
    )  # fmt: skip


def box(
    half: float, rx: float, fill: str, edge: str, edge_width: float, *, dashes: str = ""
) -> str:
    """A square with rounded corners."""
    return svg_element(
        "rect", x=-half, y=-half, width=2 * half, height=2 * half, rx=rx, fill=fill, stroke=edge,
        stroke_width=edge_width, **_dashed(dashes),
    )  # fmt: skip


def frame(half: float, width: float, *, dashes: str = "") -> str:
    """A gold square with dark outlines, visible on any background."""
    dark = box(half, 6, "none", BLACK, width + 2, dashes=dashes)
    return dark + box(half, 6, "none", GOLD, width, dashes=dashes)


def stroke(
    path: str, colour: str, width: float, *, cap: str = "butt", dashes: str = "", begin: float = 0.0
) -> str:
    """A path as a line; dashes start at ``begin``."""
    return svg_element(
        "path", d=path, fill="none", stroke=colour, stroke_width=width, stroke_linecap=cap,
        **_dashed(dashes, begin),
    )  # fmt: skip


def _dashed(dashes: str, begin: float = 0.0) -> dict[str, str]:
    """The attributes of a dashed line; empty for a solid one."""
    more = {"stroke_dashoffset": number(-begin)} if begin else {}
    return {"stroke_dasharray": dashes, **more} if dashes else {}


def disc(x: float, y: float, r: float, fill: str) -> str:
    """A disc."""
    return svg_element("circle", cx=x, cy=y, r=r, fill=fill)


def oval(x: float, y: float, rx: float, ry: float, fill: str) -> str:
    """An ellipse."""
    return svg_element("ellipse", cx=x, cy=y, rx=rx, ry=ry, fill=fill)


def shape(path: str, fill: str, edge: str = "none", width: float = 1.5) -> str:
    """A filled path."""
    return svg_element(
        "path", d=path, fill=fill, stroke=edge, stroke_width=width, stroke_linejoin="round"
    )


# ---- channels ---------------------------------------------------------------------------------


def channel(edges: str) -> str:
    """The centre lines of the channels between open edges; a single one ends in the middle."""
    if len(edges) == 2 and edges not in ("NS", "EW"):
        # A quarter of a circle around the corner that both edges share.
        (x, y), (to_x, to_y) = (_TOWARDS[edge] for edge in edges)
        turn = 0 if x * to_y - y * to_x > 0 else 1
        return f"{_move(edges[0])}A{number(HALF)} {number(HALF)} 0 0 {turn} {_point(edges[1])}"
    lines = [line for line in ("NS", "EW") if set(line) <= set(edges)]
    paths = [f"{_move(line[0])}L{_point(line[1])}" for line in lines]
    alone = [edge for edge in edges if edge not in "".join(lines)]
    return "".join(paths + [f"{_move(edge)}L0 0" for edge in alone])


def _point(edge: str) -> str:
    """The middle of an edge."""
    x, y = _TOWARDS[edge]
    return f"{number(HALF * x)} {number(HALF * y)}"


def _move(edge: str) -> str:
    return f"M{_point(edge)}"


def waterway(edges: str, *, is_wet: bool, reach: float = _REACH, wave_scale: float = 1.0) -> str:
    """The channels of a tile: banks, water or a dry bed, and waves or pebbles.

    Waves are ``reach`` away from the middle; with 0 there are none. Pebbles start half a step from
    an edge, so that those of neighbouring tiles are evenly spaced.
    """
    path = channel(edges)
    colour = WET if is_wet else DRY
    parts = [_bed(path, edges, BANK, _BANKS), _bed(path, edges, colour, _CHANNEL)]
    if not is_wet:
        dashes = f"0 {number(_PEBBLE_STEP)}"
        begin = _PEBBLE_STEP / 2
        parts.append(stroke(path, PEBBLE, 3.4, cap="round", dashes=dashes, begin=begin))
    elif reach:
        parts += [_wave(*_mark_place(edges, edge, reach), wave_scale) for edge in edges]
    return "".join(parts)


def _bed(path: str, edges: str, colour: str, width: float) -> str:
    """A line along the channels, with a round end if it stops in the middle."""
    return stroke(path, colour, width) + (disc(0, 0, width / 2, colour) if len(edges) == 1 else "")


def _mark_place(edges: str, edge: str, reach: float) -> tuple[float, float]:
    """The position of the wave near an edge; in a bend, a little towards the other edge."""
    x, y = _TOWARDS[edge]
    if len(edges) == 2 and edges not in ("NS", "EW"):
        other_x, other_y = _TOWARDS[edges.replace(edge, "")]
        return 23 * x + 3 * other_x, 23 * y + 3 * other_y
    return reach * x, reach * y


def _wave(x: float, y: float, scale: float) -> str:
    one, three, four, six = (number(scale * length) for length in (1, 3, 4, 6))
    start = f"M{number(x - 6 * scale)} {number(y + scale)}"
    return stroke(f"{start}q{three} -{four} {six} -{one}t{six} -{one}", WHITE, 1.8, cap="round")


# ---- tiles and birds --------------------------------------------------------------------------


def tile(edges: str, *, is_dead_end: bool, is_wet: bool) -> str:
    """A map tile."""
    reach = _REACH_BESIDE_ROCKS if is_dead_end and edges in "EW" else _REACH
    ways = waterway(edges, is_wet=is_wet, reach=reach)
    return box(HALF - 1, 7, SAND, SAND_EDGE, 1.2) + ways + (rocks(0.8) if is_dead_end else "")


def rocks(scale: float) -> str:
    """A heap of rocks."""
    heap = (
        shape("M-17 11L-14 -3L-5 -8L3 1L2 12Z", ROCK, BLACK, 1)
        + shape("M0 12L-1 -5L7 -13L15 -6L18 11Z", ROCK, BLACK, 1)
        + shape("M-8 14L-4 3L4 2L9 13Z", ROCK_LIGHT, BLACK, 1)
        + shape("M1 -4L7 -10L11 -6L6 -2Z", ROCK_LIGHT)
    )
    return at(0, 0, heap, scale=scale)


def scenario_obstacle() -> str:
    """A cell full of rocks."""
    return "".join(
        (
            box(HALF - 1, 7, "#8f8779", "#5d5850", 1.2),
            at(-9, -11, rocks(0.75)),
            at(12, -3, rocks(0.8)),
            at(-8, 12, rocks(0.95)),
        )
    )


def bird() -> str:
    """A white bird with a dark outline."""
    body = shape("M-9 2C-9 -4 -2 -7 3 -5C4 -10 11 -10 11 -5L15 -4L11 -2C11 6 0 9 -6 6L-14 7Z",
                 WHITE, BLACK, 1.4)  # fmt: skip
    return (
        body + stroke("M-5 1C-1 4 3 3 6 0", BLACK, 1.2, cap="round") + disc(8.2, -5.6, 1.2, BLACK)
    )


def boat() -> str:
    """A boat under sail."""
    hull = (
        disc(0, 0, 22, "#cde9f5")
        + shape("M-18 7H18C15 16 10 18 0 18C-10 18 -15 16 -18 7Z", "#8a5a33", "#4c3018", 1.6)
        + stroke("M0 7V-20", "#4c3018", 2.4, cap="round")
        + shape("M2.5 -19C13 -13 15 -4 14 3H2.5Z", WHITE, "#4c3018", 1.2)
        + shape("M-2.5 -14C-9 -9 -11 -3 -11 3H-2.5Z", "#f6e3d0", "#4c3018", 1.2)
    )
    return at(0, 0, hull, scale=0.8)


# ---- animals ----------------------------------------------------------------------------------


def animal(name: str) -> str:
    """The head of an animal on a disc."""
    heads = {"cat": _cat, "dog": _dog, "capybara": _capybara, "lemur": _lemur}
    return disc(0, 0, 22, "#fff8e6") + heads[name]()


def _eyes(spread: float, y: float, r: float = 2.2) -> str:
    return disc(-spread, y, r, BLACK) + disc(spread, y, r, BLACK)


def _cat() -> str:
    fur, edge = "#54606b", BLACK
    return (
        shape("M-13 2L-14 -15L-4 -9H4L14 -15L13 2C13 12 6 15 0 15C-6 15 -13 12 -13 2Z", fur, edge)
        + disc(-5.5, 0, 3.4, "#f4d35e")
        + disc(5.5, 0, 3.4, "#f4d35e")
        + _eyes(5.5, 0, 1.6)
        + shape("M-2 6H2L0 8.5Z", "#f2b5a7")
        + stroke("M-16 6L-7 7M-16 11L-7 9.5M16 6L7 7M16 11L7 9.5", WHITE, 1, cap="round")
    )


def _dog() -> str:
    return (
        shape(
            "M-11 -7C-11 -14 11 -14 11 -7V5C11 13 5 16 0 16C-5 16 -11 13 -11 5Z", "#e0b36a", BLACK
        )
        + shape("M-9 -11C-17 -12 -18 -2 -15 6C-11 6 -10 -2 -9 -11Z", "#9a6a34", BLACK)
        + shape("M9 -11C17 -12 18 -2 15 6C11 6 10 -2 9 -11Z", "#9a6a34", BLACK)
        + oval(0, 8, 6.5, 5.5, "#f7e6c4")
        + _eyes(4.6, -2)
        + oval(0, 5.5, 2.8, 2, BLACK)
        + stroke("M0 7.5V10", BLACK, 1.2, cap="round")
    )


def _capybara() -> str:
    return (
        disc(-10, -10, 3.6, "#6d4526")
        + disc(10, -10, 3.6, "#6d4526")
        + shape("M-11 -8C-10 -13 10 -13 11 -8L13 8C13 16 -13 16 -13 8Z", "#a56f3f", BLACK)
        + shape("M-10 5C-6 2 6 2 10 5V9C9 14 -9 14 -10 9Z", "#7d5230")
        + _eyes(7, -3, 1.9)
        + oval(-3.4, 6.5, 1.5, 1.1, BLACK)
        + oval(3.4, 6.5, 1.5, 1.1, BLACK)
    )


def _lemur() -> str:
    return (
        shape("M-9 -6L-15 -14C-19 -8 -16 -2 -11 0ZM9 -6L15 -14C19 -8 16 -2 11 0Z", WHITE, BLACK)
        + shape("M-12 -2C-12 -13 12 -13 12 -2C12 7 5 15 0 15C-5 15 -12 7 -12 -2Z", "#c9ccd0", BLACK)
        + disc(-5.4, -1, 4.8, BLACK)
        + disc(5.4, -1, 4.8, BLACK)
        + disc(-5.4, -1, 2.6, "#f08a24")
        + disc(5.4, -1, 2.6, "#f08a24")
        + _eyes(5.4, -1, 1.1)
        + shape("M-3.4 9C-3 6 3 6 3.4 9C3 14 -3 14 -3.4 9Z", BLACK)
    )


# ---- dice -------------------------------------------------------------------------------------

_PIPS = {
    1: ((0, 0),),
    2: ((-1, -1), (1, 1)),
    3: ((-1, -1), (0, 0), (1, 1)),
    4: ((-1, -1), (1, -1), (-1, 1), (1, 1)),
    5: ((-1, -1), (1, -1), (0, 0), (-1, 1), (1, 1)),
    6: ((-1, -1), (1, -1), (-1, 0), (1, 0), (-1, 1), (1, 1)),
}


def die(pips: int, *, is_white: bool, is_rolled: bool) -> str:
    """A die, with a gold frame if it was just rolled."""
    face, ink = (WHITE, BLACK) if is_white else (BLACK, WHITE)
    mark = frame(14, 3) if is_rolled else ""
    dots = "".join(disc(5.0 * x, 5.0 * y, 2.1, ink) for x, y in _PIPS[pips])
    return mark + box(10, 4, face, BLACK, 1) + dots
