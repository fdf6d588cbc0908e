"""How ``watermeet arena`` shows what came out: tables for people."""

from __future__ import annotations

from typing import TYPE_CHECKING

from watermeet.cli.console import printable

if TYPE_CHECKING:
    from rich.console import Console
    from rich.table import Table

    from watermeet.arena.ratings import Interval
    from watermeet.arena.report import Report, Row, Section
    from watermeet.arena.sequential import Verdict

MOST_FAILURES = 10
"""How many failed matches are listed; the rest is counted."""


def show_report(console: Console, title: str, report: Report, verdict: Verdict | None) -> None:
    """Writes everything: standings, pairings, the test's answer, failures."""
    console.print(title, style="bold")
    for section in report.sections:
        console.print()
        if section.variation:
            console.print(section.variation, style="bold")
        console.print(_rows_table(section, report.cooperative))
        if len(section.meetings) > 1 or verdict is None:
            for line in _meeting_lines(section):
                console.print(line)
    if verdict is not None:
        console.print(f"\n{verdict_in_words(report, verdict)}")
    for failure in report.failures[:MOST_FAILURES]:
        told = f"failed: {failure.variation} {', '.join(failure.seats)}, bout {failure.bout}"
        console.print(printable(f"{told}, rotation {failure.rotation}: {failure.error}"))
    if len(report.failures) > MOST_FAILURES:
        console.print(f"{len(report.failures)} matches failed in all; none of them counts.")


def _rows_table(section: Section, cooperative: bool) -> Table:
    from rich.table import Table

    names = sorted({name for row in section.rows for name in row.figures})
    table = Table(box=None, pad_edge=False, padding=(0, 2, 0, 0))
    table.add_column("bot", style="bold", overflow="fold")
    results = ["won", "95 %"] if cooperative else ["Elo", "95 %", "won-drawn-lost"]
    for title in (*results, "matches", "moves", "ms/move", *names):
        table.add_column(title, justify="right", no_wrap=True)
    for row in section.rows:
        figures = [_number(row.figures.get(name), "{:.1f}") for name in names]
        table.add_row(row.bot, *_result_cells(row, cooperative), *_common_cells(row), *figures)
    return table


def _result_cells(row: Row, cooperative: bool) -> list[str]:
    figure = row.figure
    if cooperative:
        return [f"{figure.value:.1%}", f"{figure.low:.1%} to {figure.high:.1%}"]
    counts = f"{row.wins}-{row.draws}-{row.losses}"
    return [f"{figure.value:+.0f}", _span(figure), counts]


def _common_cells(row: Row) -> list[str]:
    thought = None if row.move_seconds is None else 1000 * row.move_seconds
    return [str(row.matches), _number(row.moves, "{:.1f}"), _number(thought, "{:.3g}")]


def _number(value: float | None, form: str) -> str:
    return "-" if value is None else form.format(value)


def _span(figure: Interval) -> str:
    return f"{figure.low:+.0f} to {figure.high:+.0f}"


def _meeting_lines(section: Section) -> list[str]:
    """A line for each two: what their own bouts alone say."""
    lines = [""] if section.meetings else []
    for each in section.meetings:
        first, second = each.bots
        told = ", ".join(f"{count} x {score:.3g}" for score, count in each.results.items())
        lines.append(
            f"{first} against {second}: {each.elo.value:+.0f} Elo ({_span(each.elo)}), stronger"
            f" with probability {each.superiority:.3f}; {each.bouts} bouts"
            f"{f': {told}' if told else ''}"
        )
    return lines


def verdict_in_words(report: Report, verdict: Verdict) -> str:
    """What a sequential test says."""
    first, second = report.sections[0].meetings[0].bots
    low, high = verdict.bounds
    state = f"llr {verdict.ratio:+.2f} in [{low:.2f}, {high:.2f}] after {verdict.bouts} bouts"
    if not verdict.is_final:
        return f"It is open whether {first} is stronger than {second}: {state}."
    return f"{first} is {verdict.answer} than {second}: {state}."
