"""Prints measurements: as plain text for a terminal, as Markdown for RESULTS.md."""

from __future__ import annotations

import os
import platform
import textwrap
from collections.abc import Iterable
from importlib.metadata import version
from itertools import groupby
from pathlib import Path

from watermeet.bench.runner import Measurement

COLUMNS = 80
_WHAT, _VALUE, _UNIT = 32, 13, 11
_NOTE = COLUMNS - _WHAT - _VALUE - _UNIT - 4


def table(measurements: Iterable[Measurement]) -> str:
    """The measurements in columns, a heading for each name; 80 columns of plain text."""
    lines: list[str] = []
    for name, group in groupby(measurements, key=lambda measurement: measurement.name):
        lines += ["", name] if lines else [name]
        for measurement in group:
            lines += _rows(measurement)
    return "\n".join(lines)


def _rows(measurement: Measurement) -> list[str]:
    whats = textwrap.wrap(measurement.what, _WHAT) or [""]
    notes = textwrap.wrap(measurement.note, _NOTE) or [""]
    figures = [f"{format_value(measurement.value):>{_VALUE}} {measurement.unit:<{_UNIT}}"]
    rows = []
    for index in range(max(len(whats), len(notes))):
        what, figure, note = (
            column[index] if index < len(column) else "" for column in (whats, figures, notes)
        )
        rows.append(f"  {what:<{_WHAT}}{figure:<{_VALUE + 1 + _UNIT}} {note}".rstrip())
    return rows


def markdown(measurements: Iterable[Measurement]) -> str:
    """The measurements as one Markdown table."""
    lines = ["| who | work | figure | unit | note |", "|---|---|---:|---|---|"]
    for measurement in measurements:
        cells = (
            f"`{measurement.name}`",
            measurement.what,
            format_value(measurement.value),
            measurement.unit,
            measurement.note,
        )
        lines.append(f"| {' | '.join(cell.replace('|', chr(92) + '|') for cell in cells)} |")
    return "\n".join(lines)


def format_value(value: float) -> str:
    """A figure with as many digits as it deserves.

    >>> [format_value(value) for value in (1234567.8, 56.78, 1.899, 0.0123)]
    ['1,234,568', '56.8', '1.90', '0.012']
    """
    if value >= 100:
        return f"{value:,.0f}"
    if value >= 10:
        return f"{value:.1f}"
    return f"{value:.2f}" if value >= 0.1 else f"{value:.3f}"


def with_section(page: str, name: str, content: str) -> str:
    """The page with the section of that name replaced, or added at the end; all else is kept.

    >>> page = with_section("# Results", "games", "quick")
    >>> with_section(page, "games", "quicker") == with_section("# Results", "games", "quicker")
    True
    """
    begin, end = f"<!-- begin {name} -->", f"<!-- end {name} -->"
    section = f"{begin}\n{content.strip()}\n{end}"
    before, found, rest = page.partition(begin)
    if not found:
        return f"{page.rstrip()}\n\n{section}\n"
    _, closed, after = rest.partition(end)
    assert closed, f"the section {name!r} begins but does not end: {end} is missing"
    return f"{before}{section}{after}"


def machine() -> str:
    """The machine and the versions that figures depend on, on one line; no name, no path."""
    versions = ", ".join(f"{package} {version(package)}" for package in ("numba", "numpy"))
    return (
        f"{_processor()} ({platform.machine()}), {os.cpu_count()} cores, {platform.system()}, "
        f"Python {platform.python_version()}, {versions}"
    )


def _processor() -> str:
    facts = Path("/proc/cpuinfo")
    if facts.is_file():
        for line in facts.read_text(encoding="utf-8").splitlines():
            key, _, value = line.partition(":")
            if key.strip() == "model name":
                return " ".join(value.split())
    return platform.processor() or "unnamed processor"
