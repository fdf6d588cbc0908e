"""The tables of ``watermeet arena``."""

from __future__ import annotations

import os
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

from watermeet.cli.console import printable

if TYPE_CHECKING:
    from rich.console import Console
    from rich.table import Table

    from watermeet.arena.match import MatchResult
    from watermeet.arena.ratings import Interval
    from watermeet.arena.report import Report, Row, Section
    from watermeet.arena.sprt import Verdict

GAP = 2
"""Spaces between the columns of a table."""
WIDE = 1000
WHOLE_NAME, LEAST_FIGURE = 32, 8
"""A bot's name of up to this length is folded only if one figure doesn't fit beside it."""
MAX_FAILURES = 10
"""How many failed matches are listed; the rest are counted."""


def show_report(console: Console, title: str, report: Report, verdict: Verdict | None) -> None:
    """Print the report: ratings, pairings, the verdict of the test, failures."""
    console.print(title, style="bold")
    for section in report.sections:
        console.print()
        if section.variation:
            console.print(section.variation, style="bold")
        table, left_out = _rows_table(section, report.cooperative, _width(console))
        console.print(table)
        if left_out:
            words = f"Not shown: {', '.join(left_out)}. --json has everything."
            console.print(words, style="dim")
        if len(section.pairings) > 1 or verdict is None:
            for line in _pairing_lines(section):
                console.print(line, soft_wrap=_width(console) == WIDE)
    if verdict is not None:
        console.print(f"\n{verdict_in_words(report, verdict)}")
    if report.failures:
        console.print()
    for failure in report.failures[:MAX_FAILURES]:
        console.print(failure_in_words(failure, short=True), soft_wrap=True)
    if len(report.failures) > MAX_FAILURES:
        console.print(f"{len(report.failures)} matches failed in total; none of them counts.")


def failure_in_words(failed: MatchResult, *, short: bool = False) -> str:
    """Describe a failed match, with the bot's last words line by line, or only the last line."""
    match = [failed.variation] if failed.variation else []
    match += [*failed.seats, f"round {failed.round}", f"rotation {failed.rotation}"]
    first, *others = failed.error.splitlines() or [""]
    lines = [printable(f"failed: {', '.join(match)}: {first}")]
    lines += [f"    {printable(line)}" for line in (others[-1:] if short else others)]
    return "\n".join(lines)


def _width(console: Console) -> int:
    """How wide a table may be: files and pipes have no limit."""
    return console.width if console.is_terminal or os.environ.get("COLUMNS") else WIDE


@dataclass(frozen=True)
class _Column:
    """A column as text, which may be shortened or dropped."""

    title: str
    cells: tuple[str, ...]
    short_title: str = ""
    short_cells: tuple[str, ...] = ()
    is_optional: bool = True

    @property
    def width(self) -> int:
        return max(map(len, (self.title, *self.cells)))

    @property
    def shortened(self) -> _Column:
        cells = self.short_cells or self.cells
        return replace(self, title=self.short_title or self.title, cells=cells)


def _rows_table(section: Section, cooperative: bool, width: int) -> tuple[Table, list[str]]:
    """The ratings, and the titles of columns that don't fit."""
    from rich.table import Table

    bots = tuple(row.bot for row in section.rows)
    columns, left_out = _fitted(_columns(section.rows, cooperative), max(map(len, bots)), width)
    table = Table(box=None, pad_edge=False, padding=(0, GAP, 0, 0))
    table.add_column("bot", style="bold", overflow="fold")
    for column in columns:
        table.add_column(column.title, justify="right", no_wrap=True)
    for place, bot in enumerate(bots):
        table.add_row(bot, *(column.cells[place] for column in columns))
    return table, left_out


def _fitted(columns: list[_Column], bot_width: int, width: int) -> tuple[list[_Column], list[str]]:
    """The columns that fit beside the bots' names, shortened or dropped if necessary."""
    # Fold only names that would take most of the line.
    whole = max(WHOLE_NAME, width // 2)
    available = width - min(bot_width, whole, width - LEAST_FIGURE)

    def is_too_wide() -> bool:
        return sum(GAP + column.width for column in columns) > available

    if is_too_wide():
        columns = [column.shortened for column in columns]
    left_out: list[str] = []
    while is_too_wide() and any(column.is_optional for column in columns):
        dropped = next(column for column in reversed(columns) if column.is_optional)
        columns.remove(dropped)
        left_out.insert(0, dropped.title)
    return columns, left_out


def _columns(rows: Sequence[Row], cooperative: bool) -> list[_Column]:
    """All columns but the bots' names; the last ones are dropped first."""

    def column(title: str, cell: Callable[[Row], str], **more: Any) -> _Column:
        return _Column(title, tuple(cell(row) for row in rows), **more)

    if cooperative:
        shares = tuple(f"{row.figure.low:.0%}..{row.figure.high:.0%}" for row in rows)
        found = [
            column("won", lambda row: f"{row.figure.value:.1%}", is_optional=False),
            column(
                "95 %",
                lambda row: f"{row.figure.low:.1%} to {row.figure.high:.1%}",
                short_cells=shares,
            ),
        ]
    else:
        spans = tuple(f"{row.figure.low:+.0f}..{row.figure.high:+.0f}" for row in rows)
        found = [
            column("Elo", lambda row: f"{row.figure.value:+.0f}", is_optional=False),
            column("95 %", lambda row: _span(row.figure), short_cells=spans),
            column(
                "won-drawn-lost",
                lambda row: f"{row.wins}-{row.draws}-{row.losses}",
                short_title="w-d-l",
            ),
        ]
    found += [
        column("matches", lambda row: str(row.matches)),
        column("moves", lambda row: _number(row.moves, "{:.1f}")),
        column("ms/move", lambda row: _number(_milliseconds(row), "{:.3g}")),
    ]
    for name in sorted({name for row in rows for name in row.figures}):
        cells = tuple(_number(row.figures.get(name), "{:.1f}") for row in rows)
        found.append(_Column(name, cells))
    return found


def _milliseconds(row: Row) -> float | None:
    return None if row.move_seconds is None else 1000 * row.move_seconds


def _number(value: float | None, form: str) -> str:
    return "-" if value is None else form.format(value)


def _span(figure: Interval) -> str:
    return f"{figure.low:+.0f} to {figure.high:+.0f}"


def _pairing_lines(section: Section) -> list[str]:
    """A line for each pairing."""
    lines = [""] if section.pairings else []
    for each in section.pairings:
        first, second = each.bots
        scores = ", ".join(f"{count} x {score:.3g}" for score, count in each.scores.items())
        lines.append(
            f"{first} vs {second}: {each.elo.value:+.0f} Elo ({_span(each.elo)}),"
            f" LOS {each.los:.3f}; {each.rounds} round{'s'[: each.rounds != 1]}"
            f"{f': {scores}' if scores else ''}"
        )
    return lines


def verdict_in_words(report: Report, verdict: Verdict) -> str:
    """The verdict of an SPRT."""
    first, second = report.sections[0].pairings[0].bots
    low, high = verdict.bounds
    state = f"LLR {verdict.llr:+.2f} in [{low:.2f}, {high:.2f}] after {verdict.rounds} rounds"
    if not verdict.is_final:
        return f"Undecided whether {first} is stronger than {second}: {state}."
    return f"{first} is {verdict.answer} than {second}: {state}."
