"""Figures as Markdown, and the sections of RESULTS.md that hold them."""

from __future__ import annotations

import os
import platform
import shutil
import subprocess
from collections.abc import Iterable
from datetime import UTC, datetime
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path

from watermeet.testing.speed import Measurement

ROOT = Path(__file__).resolve().parent.parent
RESULTS = ROOT / "bench" / "RESULTS.md"
PEERS = ("open_spiel", "pgx", "jax", "pettingzoo")


def markdown(measurements: Iterable[Measurement]) -> str:
    """The measurements as a table."""
    lines = ["| who | work | figure | unit | note |", "|---|---|---:|---|---|"]
    for each in measurements:
        cells = (f"`{each.name}`", each.what, format_value(each.value), each.unit, each.note)
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
    """The page with a section replaced, or added at the end.

    >>> page = with_section("# Results", "games", "fast")
    >>> with_section(page, "games", "faster") == with_section("# Results", "games", "faster")
    True
    """
    begin, end = f"<!-- begin {name} -->", f"<!-- end {name} -->"
    section = f"{begin}\n{content.strip()}\n{end}"
    before, found, rest = page.partition(begin)
    if not found:
        return f"{page.rstrip()}\n\n{section}\n"
    _, closed, after = rest.partition(end)
    assert closed, f"the section {name!r} has no end marker"
    return f"{before}{section}{after}"


def write_section(name: str, title: str, body: str, note: str = "") -> None:
    """Write a section of RESULTS.md: its title, when and where it was measured, and its body."""
    facts = f"{when_and_where()}.{f' {note}' if note else ''}"
    page = RESULTS.read_text(encoding="utf-8")
    page = with_section(page, name, f"## {title}\n\n{facts}\n\n{body}")
    RESULTS.write_text(page, encoding="utf-8")


def when_and_where() -> str:
    """The day, the commit and the machine of a measurement."""
    return f"{datetime.now(tz=UTC).date().isoformat()}, commit {commit()}; {machine()}"


def machine() -> str:
    """The machine, its load and the versions that figures depend on; no host name, no path."""
    packages = []
    for package in ("numba", "numpy", *PEERS):
        try:
            packages.append(f"{package} {version(package)}")
        except PackageNotFoundError:
            continue
    return (
        f"{_processor()} ({platform.machine()}), {os.cpu_count()} cores, load "
        f"{os.getloadavg()[0]:.1f}, Python {platform.python_version()}, {', '.join(packages)}"
    )


def _processor() -> str:
    facts = Path("/proc/cpuinfo")
    lines = facts.read_text(encoding="utf-8").splitlines() if facts.is_file() else []
    models = (line.partition(":")[2] for line in lines if line.startswith("model name"))
    return " ".join(next(models, platform.processor() or "unknown processor").split())


def commit() -> str:
    """The commit of this source tree."""
    git = shutil.which("git")
    if git is None:
        return "unknown"
    command = [git, "describe", "--always", "--dirty", "--exclude=*"]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)
    return done.stdout.strip() or "unknown"
