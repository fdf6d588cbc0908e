"""A plot of a report as SVG: a row per bot, with a dot and its confidence interval."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from html import escape
from typing import Any

from watermeet.arena.ratings import Interval
from watermeet.arena.report import Report, Row
from watermeet.core.rendering import svg_element, svg_picture

WIDTH, MARGIN, LINE, HEAD, FOOT = 860, 24, 30, 64, 56
LETTER = 8.4
"""The width of a letter, generously: text can't be measured here."""
MAX_NAME = 44
FONT = "system-ui, -apple-system, 'Segoe UI', 'DejaVu Sans', sans-serif"
GROUND, INK, DIM, GRID, MARK = "#ffffff", "#1b1f24", "#57606a", "#e3e6ea", "#0b6bcb"


def render_plot(report: Report, title: str) -> str:
    """The plot as an SVG document."""
    return _Plot(report, title).render()


class _Plot:
    def __init__(self, report: Report, title: str) -> None:
        self._report, self._title = report, title
        rows = [row for section in report.sections for row in section.rows]
        longest = max((len(_shown(row.bot)) for row in rows), default=0)
        self._left = MARGIN + LETTER * longest + 16
        self._right = WIDTH - MARGIN - LETTER * 20
        self._ticks = _share_ticks() if report.cooperative else _ticks([r.figure for r in rows])

    def render(self) -> str:
        lines = sum(len(each.rows) + bool(each.variation) for each in self._report.sections)
        height = HEAD + LINE * lines + FOOT
        elements = [
            svg_element("rect", width=WIDTH, height=height, fill=GROUND),
            _text(MARGIN, 32, self._title, size=17, weight="600"),
            *self._axis(height - FOOT + 6),
            *self._sections(),
        ]
        return svg_picture(WIDTH, height, self._title, *elements)

    def _place(self, value: float) -> float:
        low, high = self._ticks[0], self._ticks[-1]
        inside = min(max(value, low), high)
        return round(self._left + (inside - low) / (high - low) * (self._right - self._left), 1)

    def _axis(self, bottom: float) -> Iterator[str]:
        for tick in self._ticks:
            at = self._place(tick)
            yield svg_element(
                "line", x1=at, y1=HEAD - 10, x2=at, y2=bottom, stroke=GRID, stroke_width=1
            )
            yield _text(at, bottom + 18, self._value(tick), size=12, fill=DIM, anchor="middle")
        what = "matches won" if self._report.cooperative else "Elo around the mean"
        middle = (self._left + self._right) / 2
        label = f"{what}, with 95 % confidence intervals"
        yield _text(middle, bottom + 38, label, size=13, fill=DIM, anchor="middle")

    def _sections(self) -> Iterator[str]:
        top = HEAD
        for section in self._report.sections:
            if section.variation:
                yield _text(MARGIN, top + 20, section.variation, size=13, fill=DIM, weight="600")
                top += LINE
            for row in section.rows:
                yield svg_element("g", "".join(self._row(row, top + LINE / 2)))
                top += LINE

    def _row(self, row: Row, middle: float) -> Iterator[str]:
        figure = row.figure
        label = f"{self._value(figure.value)} [{self._value(figure.low)}, "
        label += f"{self._value(figure.high)}]"
        yield svg_element("title", escape(f"{row.bot}: {label}, {row.matches} matches"))
        yield _text(self._left - 12, middle + 5, _shown(row.bot), size=14, anchor="end")
        low, high = self._place(figure.low), self._place(figure.high)
        pen: dict[str, Any] = {"stroke": MARK, "stroke_width": 2}
        yield svg_element("line", x1=low, y1=middle, x2=high, y2=middle, **pen)
        for end, value in ((low, figure.low), (high, figure.high)):
            if self._ticks[0] <= value <= self._ticks[-1]:  # Otherwise the bar leaves the picture.
                yield svg_element("line", x1=end, y1=middle - 5, x2=end, y2=middle + 5, **pen)
        yield svg_element("circle", cx=self._place(figure.value), cy=middle, r=5, fill=MARK)
        yield _text(self._right + 14, middle + 5, label, size=12, fill=DIM)

    def _value(self, value: float) -> str:
        if self._report.cooperative:
            return f"{100 * value:.0f} %"
        return f"{value:+.0f}" if round(value) else "0"


def _shown(name: str) -> str:
    return name if len(name) <= MAX_NAME else f"{name[: MAX_NAME - 1]}…"


def _share_ticks() -> list[float]:
    return [0.0, 0.25, 0.5, 0.75, 1.0]


def _ticks(figures: Sequence[Interval]) -> list[float]:
    """Four to nine round numbers that span all figures, and intervals of moderate width."""
    values = [figure.value for figure in figures] or [0.0]
    reach = max(200.0, 1.5 * (max(values) - min(values)))  # A wider interval is cut off.
    low = min([max(figure.low, figure.value - reach) for figure in figures] or [-100.0])
    high = max([min(figure.high, figure.value + reach) for figure in figures] or [100.0])
    rough = max(high - low, 1.0) / 6
    power = 10.0 ** math.floor(math.log10(rough))
    step = next(power * each for each in (1, 2, 5, 10) if power * each >= rough)
    first, last = math.floor(low / step), math.ceil(high / step)
    last = max(last, first + 1)
    return [step * each for each in range(first, last + 1)]


def _text(
    x: float,
    y: float,
    content: str,
    *,
    size: int,
    fill: str = INK,
    anchor: str = "start",
    weight: str = "400",
) -> str:
    return svg_element(
        "text",
        escape(content),
        x=x,
        y=y,
        fill=fill,
        font_family=FONT,
        font_size=size,
        font_weight=weight,
        text_anchor=anchor,
    )
