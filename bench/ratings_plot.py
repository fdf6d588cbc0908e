"""The picture of simulated ratings: how they converge, and how well they predict."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from watermeet.core.rendering import svg_element, svg_picture

WIDTH, HEIGHT, SIDE, TOP = 860, 420, 300, 60
LEFT, RIGHT = 70, 500
INK, DIM, GRID = "#1b1f24", "#57606a", "#e3e6ea"
COLOURS = ("#0b6bcb", "#c2410c", "#15803d", "#7e22ce")
FONT = "system-ui, -apple-system, 'Segoe UI', 'DejaVu Sans', sans-serif"


@dataclass(frozen=True)
class Series:
    """What is drawn of one kind of match."""

    name: str
    correlations: list[tuple[int, float]]
    calibration: list[tuple[float, float, int]]


def render(series: list[Series]) -> str:
    """The picture as an SVG document."""
    days = max(day for each in series for day, _ in each.correlations)
    elements = [svg_element("rect", width=WIDTH, height=HEIGHT, fill="#ffffff")]
    elements += _axes(LEFT, "matches played", "correlation of rating and strength", str(days))
    elements += _axes(RIGHT, "predicted score", "observed score", "1")
    elements.append(_line([(RIGHT, TOP + SIDE), (RIGHT + SIDE, TOP)], DIM, stroke_dasharray="4 4"))
    for number, (each, colour) in enumerate(zip(series, COLOURS, strict=False)):
        rising = [(LEFT + SIDE * day / days, _up(value)) for day, value in each.correlations]
        elements.append(_line(rising, colour, stroke_width=2))
        for predicted, observed, _ in each.calibration:
            across = round(RIGHT + SIDE * predicted, 1)
            elements.append(svg_element("circle", cx=across, cy=_up(observed), r=3.5, fill=colour))
        height = TOP + SIDE - 16 * (len(series) - number)
        elements.append(_text(LEFT + SIDE - 8, height, each.name, colour, "end"))
    return svg_picture(WIDTH, HEIGHT, "Ratings of simulated players", *elements)


def _up(share: float) -> float:
    return round(TOP + SIDE * (1 - share), 1)


def _axes(left: float, below: str, above: str, last: str) -> Iterator[str]:
    yield _text(left, TOP - 20, above, INK)
    for tick in (0.0, 0.25, 0.5, 0.75, 1.0):
        yield _line([(left, _up(tick)), (left + SIDE, _up(tick))], GRID)
        yield _text(left - 8, _up(tick) + 4, f"{tick:g}", DIM, "end")
    yield _text(left, TOP + SIDE + 20, "0", DIM, "middle")
    yield _text(left + SIDE, TOP + SIDE + 20, last, DIM, "middle")
    yield _text(left + SIDE / 2, TOP + SIDE + 38, below, DIM, "middle")


def _line(points: list[tuple[float, float]], colour: str, **pen: Any) -> str:
    path = " ".join(f"{x:.1f},{y:.1f}" for x, y in points)
    return svg_element("polyline", points=path, fill="none", stroke=colour, **pen)


def _text(x: float, y: float, content: str, fill: str, anchor: str = "start") -> str:
    style: dict[str, Any] = {"fill": fill, "font_family": FONT, "font_size": 13}
    return svg_element("text", content, x=x, y=y, text_anchor=anchor, **style)
