"""The picture of learning curves: strength over positions of self-play, with intervals."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from html import escape
from typing import Any

from watermeet.core.rendering import svg_element, svg_picture

WIDTH, HEIGHT, LEFT, RIGHT, TOP, BOTTOM = 860, 500, 70, 690, 84, 440
GROUND, INK, DIM, GRID = "#ffffff", "#1b1f24", "#57606a", "#e3e6ea"
COLOURS = ("#0b6bcb", "#c2410c", "#15803d", "#7e22ce", "#a16207", "#0e7490")
FONT = "system-ui, -apple-system, 'Segoe UI', 'DejaVu Sans', sans-serif"
LETTER_HEIGHT = 14

Values = Mapping[str, Any]


def render(title: str, points: Sequence[Values]) -> str:
    """The picture as an SVG document; points are rows of the CSV files."""
    return _Plot(title, points).render()


class _Plot:
    def __init__(self, title: str, points: Sequence[Values]) -> None:
        self._title, self._is_elo = title, points[0]["figure"] == "elo"
        self._lines: dict[tuple[str, int], list[Values]] = {}
        self._opponents: dict[str, float] = {}
        for point in points:
            if point["simulations"]:
                self._lines.setdefault((point["run"], point["simulations"]), []).append(point)
            else:
                self._opponents.setdefault(point["bot"], point["value"])
        learnt = sorted({point["positions"] for point in points if point["positions"]}) or [1]
        # On a logarithmic axis; what has learnt nothing stands on the left, apart from the rest.
        self._first, self._last = math.log10(learnt[0]), math.log10(learnt[-1])
        self._has_zero = any(p["simulations"] and not p["positions"] for p in points)
        self._ticks = self._ticks_of(points)

    def _ticks_of(self, points: Sequence[Values]) -> list[float]:
        if not self._is_elo:
            return [0.0, 0.2, 0.4, 0.6, 0.8, 1.0]
        low = min(point["value"] for point in points) - 60
        high = max(point["value"] for point in points) + 60
        step = next(each for each in (100, 200, 400, 500, 1000) if (high - low) / each <= 8)
        return [
            float(step * each) for each in range(math.floor(low / step), math.ceil(high / step) + 1)
        ]

    def render(self) -> str:
        elements = [
            svg_element("rect", width=WIDTH, height=HEIGHT, fill=GROUND),
            _text(LEFT, 28, self._title, size=17, weight="600"),
            *self._axes(),
            *self._levels(),
        ]
        names = {run: run.partition("-")[0] for run, _ in self._lines}
        if len(set(names.values())) < len(names):
            names = {run: run for run in names}
        for number, ((run, simulations), points) in enumerate(sorted(self._lines.items())):
            colour = COLOURS[number % len(COLOURS)]
            label = "no search" if simulations == 1 else f"{simulations} simulations"
            label = f"{names[run]}, {label}" if len(names) > 1 else label
            elements += self._line(sorted(points, key=lambda p: p["positions"]), colour)
            at = LEFT + 320 * (number % 2), 52 + 18 * (number // 2)
            elements.append(_text(*at, label, fill=colour, weight="600"))
        return svg_picture(WIDTH, HEIGHT, self._title, *elements)

    def _across(self, positions: float) -> float:
        begin = LEFT + (70 if self._has_zero else 10)
        if not positions:
            return LEFT + 16
        share = (math.log10(positions) - self._first) / max(self._last - self._first, 1e-9)
        return round(begin + (RIGHT - 16 - begin) * share, 1)

    def _up(self, value: float) -> float:
        low, high = self._ticks[0], self._ticks[-1]
        inside = min(max(value, low), high)
        return round(BOTTOM - (BOTTOM - TOP) * (inside - low) / (high - low), 1)

    def _axes(self) -> Iterator[str]:
        for tick in self._ticks:
            y = self._up(tick)
            yield svg_element("line", x1=LEFT, y1=y, x2=RIGHT, y2=y, stroke=GRID)
            yield _text(LEFT - 8, y + 4, self._value(tick), fill=DIM, anchor="end")
        powers = range(math.floor(self._first), math.ceil(self._last) + 1)
        few = (1,) if self._last - self._first > 2.5 else (1, 2, 5)
        spots = [each * 10**power for power in powers for each in few]
        low, high = 10**self._first, 10**self._last
        if self._has_zero:
            yield _text(self._across(0), BOTTOM + 18, "0", fill=DIM, anchor="middle")
        for spot in (each for each in spots if low <= each <= high):
            yield _text(self._across(spot), BOTTOM + 18, f"{spot:,}", fill=DIM, anchor="middle")
        what = "Elo" if self._is_elo else "matches won"
        label = f"{what}, with 95 % confidence intervals, over positions of self-play"
        yield _text((LEFT + RIGHT) / 2, BOTTOM + 42, label, fill=DIM, anchor="middle")

    def _value(self, value: float) -> str:
        return (
            f"{value:+.0f}"
            if self._is_elo and value
            else f"{value:.0%}"
            if not self._is_elo
            else "0"
        )

    def _levels(self) -> Iterator[str]:
        """The opponents, as lines across; their names keep apart from each other."""
        lowest = math.inf
        for name, value in sorted(self._opponents.items(), key=lambda each: each[1]):
            y = self._up(value)
            label = min(y + 4, lowest - LETTER_HEIGHT)
            lowest = label
            pen: dict[str, Any] = {"stroke": DIM, "stroke_dasharray": "3 5"}
            yield svg_element("line", x1=LEFT, y1=y, x2=RIGHT, y2=y, **pen)
            yield _text(RIGHT + 8, label, name, fill=DIM)

    def _line(self, points: Sequence[Values], colour: str) -> Iterator[str]:
        places = [(self._across(p["positions"]), self._up(p["value"])) for p in points]
        path = " ".join(f"{x},{y}" for x, y in places)
        yield svg_element("polyline", points=path, fill="none", stroke=colour, stroke_width=2)
        for (x, y), point in zip(places, points, strict=True):
            low, high = self._up(point["low"]), self._up(point["high"])
            words = f"{point['positions']:,} positions, {point['seconds']:,.0f} s: "
            words += f"{self._value(point['value'])} ({self._value(point['low'])} to "
            words += f"{self._value(point['high'])})"
            dot = svg_element("circle", cx=x, cy=y, r=4, fill=colour)
            bar = svg_element("line", x1=x, y1=low, x2=x, y2=high, stroke=colour, stroke_width=1.5)
            yield svg_element("g", svg_element("title", escape(words)) + bar + dot)


def _text(
    x: float, y: float, content: str, *, size: int = 13, fill: str = INK,
    anchor: str = "start", weight: str = "400",
) -> str:  # fmt: skip
    return svg_element(
        "text", escape(content), x=x, y=y, fill=fill, font_family=FONT, font_size=size,
        font_weight=weight, text_anchor=anchor,
    )  # fmt: skip
