"""What is made of the figures: the page bench/RESULTS.md, and the table in the README."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from bench.report import Row, Section

MAX_LINES = 150
INTRODUCTION = """# Results

`python -m bench` makes this page from the files in `bench/results`, which say more. Speeds are \
per second of one core's CPU time unless it says otherwise; ratios are of one run.
"""


@dataclass(frozen=True)
class Headline:
    """A row of the first table: where its figures are, and what was aimed at."""

    work: str
    section: str
    what: str
    name: str = ""
    """The name of a row of the section; if empty, the one with the lowest ratio."""
    least: float | None = None
    most: float | None = None
    unit: str = ""
    """The unit of the aim; if empty, it is for the ratio."""
    short: str = ""
    """What the README calls it, which has only the rows with such a name."""

    @property
    def aim(self) -> str:
        """In words."""
        bound = f"at least {self.least:g}" if self.least is not None else f"at most {self.most:g}"
        return f"{bound} {self.unit}".strip()

    def is_met(self, row: Row) -> bool:
        """Whether a figure is what was aimed at."""
        figure = row.value if self.unit else row.ratio
        assert figure is not None, f"{row.name} has no peer"
        is_enough = self.least is None or figure >= self.least
        return is_enough and (self.most is None or figure <= self.most)


LOAD = "1,000 matches, 500 moves/s"
HEADLINES = (
    Headline(
        "Random matches of Hex 11x11", "peers", "playouts", "Random matches, Hex 11x11", least=1,
        short="Random matches of Hex 11x11",
    ),
    Headline(
        "Tree search in Hex 11x11", "peers", "simulations", "Tree search, Hex 11x11", least=1,
        short="Tree search in Hex 11x11",
    ),
    Headline(
        "Batches of Hex 11x11 with masks and observations", "peers", "steps",
        "1,024 matches at a time, Hex 11x11", least=1, short="Batches of Hex 11x11",
    ),
    Headline(
        "The same on a GPU, by the wall clock", "gpu", "with features", "Hex", least=3,
        short="The same on an H200 GPU",
    ),
    Headline(
        "Hex 11x11 from Python, an action at a time", "peers", "actions",
        "From Python, an action at a time, Hex 11x11", least=1, short="Hex 11x11 from Python",
    ),
    Headline("Search in Chromium, the slowest game", "browser", "simulations", least=0.5),
    Headline(f"The server's CPU for a durable move, {LOAD}", "load", "CPU a move", LOAD, most=4),
    Headline(
        "From a move to its acknowledgement, 99 of 100, the same", "load", "p99", LOAD,
        most=25, unit="ms",
    ),
    Headline("Durable appends of one writer, SQLite", "store", "1 writer", "SQLite", least=0.5),
    Headline(
        "Flume: what the search scores at 10 ms a move against plain UCT at 100 ms",
        "leaderboard", "score", "Flume", least=60, unit="%",
    ),
)  # fmt: skip


def results_page(sections: Mapping[str, Section], folder: Path) -> str:
    """The text of bench/RESULTS.md, from the JSON files of a folder."""
    found = {name: read(folder / f"{name}.json") for name in sections}
    lines = [
        INTRODUCTION,
        "| work | ours | peer | ratio | aim |",
        "|---|---:|---:|---:|---|",
        *(_line(headline, found[headline.section]) for headline in HEADLINES),
    ]
    for name, section in sections.items():
        content = found[name]
        source = "Not measured yet." if content is None else _source(content)
        lines += ["", f"## {section.TITLE}", f"{section.ABOUT} {source}"]
        if content is not None:
            lines += ["", *table(section, rows_of(content))]
    return "\n".join([*lines, ""])


def with_speeds(readme: str, folder: Path) -> str:
    """The README with its table of speeds, made anew from the JSON files of a folder."""
    lines = [
        "| a second, of one core or of one GPU | Watermeet | peer | times |",
        "|---|---:|---|---:|",
    ]
    for headline in HEADLINES:
        row = _row_of(headline, read(folder / f"{headline.section}.json"))
        if headline.short and row and row.peer_value is not None and row.ratio is not None:
            ours, theirs, ratio = map(format_value, (row.value, row.peer_value, row.ratio))
            lines.append(
                f"| {headline.short} | {ours} {row.unit} | {row.peer}: {theirs} | {ratio} |"
            )
    table = "\n".join(["<!-- speeds -->", *lines, "<!-- /speeds -->"])
    return re.sub("<!-- speeds -->.*<!-- /speeds -->", lambda _: table, readme, flags=re.DOTALL)


def read(file: Path) -> dict[str, Any] | None:
    """A section's JSON, if it was measured."""
    if not file.is_file():
        return None
    content: dict[str, Any] = json.loads(file.read_text(encoding="utf-8"))
    return content


def rows_of(content: Mapping[str, Any]) -> list[Row]:
    """The rows of a section's JSON."""
    return [Row(**row) for row in content["rows"]]


def _source(content: Mapping[str, Any]) -> str:
    python = content["versions"]["python"]
    return (
        f"({content['date']}, commit {content['commit']}; {content['machine']}, "
        f"load {content['load_before']} before; Python {python}.)"
    )


def _row_of(headline: Headline, content: Mapping[str, Any] | None) -> Row | None:
    rows = [] if content is None else rows_of(content)
    rows = [row for row in rows if row.what == headline.what and headline.name in ("", row.name)]
    return min(rows, key=lambda each: each.ratio or 0.0, default=None)


def _line(headline: Headline, content: Mapping[str, Any] | None) -> str:
    row = _row_of(headline, content)
    if row is None:
        return f"| {headline.work} | not measured yet | | | {headline.aim} |"
    work = headline.work if headline.name else f"{headline.work}, {row.name}"
    ours = f"{format_value(row.value)} {row.unit}"
    peer = "" if row.peer_value is None else f"{row.peer}: {format_value(row.peer_value)}"
    ratio = "" if row.ratio is None else format_value(row.ratio)
    verdict = "met" if headline.is_met(row) else "**not met**"
    return f"| {work} | {ours} | {peer} | {ratio} | {headline.aim}: {verdict} |"


def table(section: Section, rows: Sequence[Row]) -> list[str]:
    """A section's figures as a table of Markdown."""
    return [*(_by_name(section.COLUMNS, rows) if section.COLUMNS else _beside_peers(rows))]


def _beside_peers(rows: Sequence[Row]) -> Iterator[str]:
    yield "| work | ours | unit | peer | its figure | ratio |"
    yield "|---|---:|---|---|---:|---:|"
    for row in rows:
        if row.peer_value is not None and row.ratio is not None:
            ours, theirs, ratio = map(format_value, (row.value, row.peer_value, row.ratio))
            yield f"| {row.name} | {ours} | {row.unit} | {row.peer} | {theirs} | {ratio} |"


def _by_name(columns: Mapping[str, str], rows: Sequence[Row]) -> Iterator[str]:
    """A line for each name, a column for each kind of figure; the first head is the names'."""
    yield f"| {' | '.join(columns.values())} |"
    yield f"|---{'|---:' * (len(columns) - 1)}|"
    cells = {(row.name, row.what): _cell(row) for row in rows}
    for name in dict.fromkeys(row.name for row in rows):
        texts = [cells.get((name, what), "") for what in columns if what]
        if any(texts):
            yield f"| {name} | {' | '.join(texts)} |"


def _cell(row: Row) -> str:
    error = row.note.partition(";")[0]
    return f"{format_value(row.value)} {error if error.startswith('±') else ''}".strip()


def format_value(value: float) -> str:
    """A figure with as many digits as it deserves.

    >>> [format_value(value) for value in (12345678.9, 1234.5, 56.78, 1.899, 0.0123, -140.2, 0)]
    ['12.3 M', '1,234', '56.8', '1.90', '0.012', '-140', '0']
    """
    size = abs(value)
    if size >= 1_000_000:
        return f"{value / 1e6:,.0f} M" if size >= 1e8 else f"{value / 1e6:.3g} M"
    if size >= 100 or value == 0:
        return f"{value:,.0f}"
    if size >= 10:
        return f"{value:.1f}"
    return f"{value:.2f}" if size >= 0.1 else f"{value:.3f}"
