"""The learning curves of a run as SVG."""

from __future__ import annotations

import csv
from collections.abc import Iterator, Sequence
from html import escape
from pathlib import Path
from typing import Any

from watermeet.core.rendering import svg_element, svg_picture

WIDTH, HEIGHT, MARGIN, LEFT = 860, 320, 28, 64
GROUND, INK, DIM, GRID = "#ffffff", "#1b1f24", "#57606a", "#e3e6ea"
FONT = "system-ui, -apple-system, 'Segoe UI', 'DejaVu Sans', sans-serif"
LINES = {
    "policy_loss": ("policy loss", "#0b6bcb"),
    "target_entropy": ("its lower bound", "#6a9fd4"),
    "value_loss": ("value loss", "#c2571a"),
    "new_value_loss": ("in new matches", "#e0a078"),
}
"""The columns that are drawn: their names and colours."""


def render_curves(file: Path, title: str) -> str:
    """The losses in a run's curve.csv against the number of positions."""
    with file.open(encoding="utf-8", newline="") as lines:
        rows = [row for row in csv.DictReader(lines) if row["policy_loss"]]
    points = {
        name: [(float(row["positions"]), float(row[name])) for row in rows if row.get(name)]
        for name in LINES
    }
    most = max((at for at, _ in points["policy_loss"]), default=1.0)
    high = max((value for line in points.values() for _, value in line), default=1.0)
    elements = [
        svg_element("rect", width=WIDTH, height=HEIGHT, fill=GROUND),
        _text(MARGIN, 28, title, size=17, weight="600"),
        *_axes(most, high),
    ]
    for number, (name, (label, colour)) in enumerate(LINES.items()):
        elements.append(_line(points[name], most, high, colour))
        elements.append(_text(WIDTH - 530 + 130 * number, 28, label, fill=colour))
    return svg_picture(WIDTH, HEIGHT, title, *elements)


def _place(at: float, value: float, most: float, high: float) -> tuple[float, float]:
    right, bottom, top = WIDTH - MARGIN, HEIGHT - 44, 48
    x = LEFT + (right - LEFT) * at / most
    return round(x, 1), round(bottom - (bottom - top) * value / high, 1)


def _line(points: Sequence[tuple[float, float]], most: float, high: float, colour: str) -> str:
    places = [_place(at, value, most, high) for at, value in points]
    path = " ".join(f"{x},{y}" for x, y in places)
    return svg_element("polyline", points=path, fill="none", stroke=colour, stroke_width=2)


def _axes(most: float, high: float) -> Iterator[str]:
    for step in range(5):
        x, bottom = _place(most * step / 4, 0.0, most, high)
        yield _text(x, bottom + 18, f"{most * step / 4:,.0f}", fill=DIM, size=12, anchor="middle")
        left, y = _place(0.0, high * step / 4, most, high)
        yield svg_element("line", x1=left, y1=y, x2=WIDTH - MARGIN, y2=y, stroke=GRID)
        yield _text(left - 8, y + 4, f"{high * step / 4:.2f}", fill=DIM, size=12, anchor="end")
    yield _text(LEFT, HEIGHT - 8, "positions of self-play", fill=DIM, size=12)


def _text(x: float, y: float, text: str, *, size: int = 13, **style: Any) -> str:
    given = {"fill": INK} | {name: value for name, value in style.items() if name == "fill"}
    if "anchor" in style:
        given["text_anchor"] = style["anchor"]
    if "weight" in style:
        given["font_weight"] = style["weight"]
    return svg_element("text", escape(text), x=x, y=y, font_size=size, font_family=FONT, **given)
