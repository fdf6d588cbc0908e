"""Figures, and the JSON that they are kept in, with all that they depend on.

A row is one figure of one game or piece of work. If a peer did the same work in the same run, the
row has the peer's figure, and the ratio: the median of ratios that were each taken within a round.
"""

from __future__ import annotations

import importlib.util
import json
import os
import platform
import shutil
import statistics
import subprocess
import sys
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass
from datetime import UTC, datetime
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from typing import Protocol

from watermeet.core.game import Game
from watermeet.testing.speed import Sample

ROOT = Path(__file__).resolve().parent.parent
PAGE = ROOT / "bench" / "RESULTS.md"
README = ROOT / "README.md"
FOLDER = ROOT / "bench" / "results"
PACKAGES = (
    "numba", "numpy", "open_spiel", "pgx", "jax", "pettingzoo", "onnxruntime", "torch",
    "numba-cuda", "uvicorn",
)  # fmt: skip

is_strict = False
"""Whether figures will be written: then a peer that is missing is an error."""


class Missing(Exception):
    """What a section needs isn't there."""


class NotClean(Exception):
    """The tree has uncommitted changes, so nobody could repeat its figures."""


@dataclass(frozen=True)
class Row:
    """A figure."""

    name: str
    """The game or the work,"""
    what: str
    """and what was measured."""
    value: float
    unit: str
    note: str = ""
    peer: str = ""
    peer_value: float | None = None
    ratio: float | None = None
    """Ours divided by the peer's."""


class Section(Protocol):
    """A module of this folder."""

    TITLE: str
    ABOUT: str
    """What is measured, in a sentence or two."""
    COLUMNS: Mapping[str, str]
    """The heads of the table by what its cells are; none for a table beside peers."""

    @staticmethod
    def measure(seconds: float, games: Sequence[str]) -> list[Row]:
        """The figures, each measured for about so many seconds; only these games if any."""
        ...


def progress(text: str) -> None:
    """Show on stderr what is being measured."""
    print(f"... {text}", file=sys.stderr, flush=True)


def is_installed(*modules: str) -> bool:
    """Whether all are there; raises Missing instead where figures will be written."""
    missing = [module for module in modules if importlib.util.find_spec(module) is None]
    if missing and is_strict:
        raise Missing(f"{', '.join(missing)} isn't installed")
    for module in missing:
        progress(f"{module} isn't installed: skipped")
    return not missing


def label(game: Game) -> str:
    """A game's title with the options that aren't its defaults.

    >>> import watermeet as wm
    >>> label(wm.game("flume", size=9))
    'Flume, size 9'
    """
    changed = game.options.changed().items()
    words = (f"{name} {game.option(name).format(value)}" for name, value in changed)
    return ", ".join([game.title, *words])


def versus(
    name: str, what: str, unit: str, ours: Sequence[float], peer: str, theirs: Sequence[float]
) -> Row:
    """A row from the figures of ours and of a peer, round by round."""
    ratios = [one / two for one, two in zip(ours, theirs, strict=False)]
    note = f"ratio {min(ratios):.3g} to {max(ratios):.3g} in {len(ratios)} rounds"
    middle = statistics.median
    return Row(name, what, middle(ours), unit, note, peer, middle(theirs), middle(ratios))


def unit_rates(samples: Iterable[Sample]) -> list[float]:
    """Units per CPU second, round by round."""
    return [sample.unit_rate for sample in samples]


# ---- JSON ----------------------------------------------------------------------------------------


def write(
    file: Path, section: str, rows: Sequence[Row], *, commit: str, load: float, took: float
) -> None:
    """Write a section's figures, with all that they depend on."""
    file.parent.mkdir(parents=True, exist_ok=True)
    content = {
        "section": section,
        "date": datetime.now(tz=UTC).date().isoformat(),
        "commit": commit,
        "machine": machine(),
        "load_before": round(load, 1),
        "seconds": round(took),
        "versions": versions(),
        "rows": [asdict(row) for row in rows],
    }
    file.write_text(json.dumps(content, indent=1, ensure_ascii=False) + "\n", encoding="utf-8")


def clean_commit(known: str = "") -> str:
    """The commit of this tree; raises NotClean. What figures are written to doesn't count."""
    git = shutil.which("git")
    if git is None or not (ROOT / ".git").exists():
        if known:
            return known
        raise NotClean("there is no git here: say with --commit what this tree is, or use --try")
    ours = (
        "--",
        ".",
        f":!{FOLDER.relative_to(ROOT)}",
        f":!{PAGE.relative_to(ROOT)}",
        ":!README.md",
    )
    changed = _output(git, "status", "--porcelain", *ours)
    if changed:
        listed = "\n".join(changed.splitlines()[:5])
        raise NotClean(
            f"uncommitted changes: commit them, or use --try, which writes nothing\n{listed}"
        )
    commit = _output(git, "rev-parse", "--short=10", "HEAD")
    if known and not (commit.startswith(known) or known.startswith(commit)):
        raise NotClean(f"this tree is {commit}, not {known}")
    return commit


def load_average() -> float:
    """How busy the machine is."""
    return os.getloadavg()[0]


def versions() -> dict[str, str]:
    """The versions that figures depend on."""
    found = {"python": platform.python_version()}
    for package in PACKAGES:
        try:
            found[package] = version(package)
        except PackageNotFoundError:
            continue
    return found


def machine() -> str:
    """Processor, cores and GPU; no host name, no path."""
    facts = Path("/proc/cpuinfo")
    lines = facts.read_text(encoding="utf-8").splitlines() if facts.is_file() else []
    models = (line.partition(":")[2] for line in lines if line.startswith("model name"))
    model = " ".join(next(models, platform.processor() or "unknown processor").split())
    parts = [model, f"{os.cpu_count()} cores", platform.system()]
    if tool := shutil.which("nvidia-smi"):
        parts.append(_output(tool, "--query-gpu=name", "--format=csv,noheader"))
    return ", ".join(part for part in parts if part)


def _output(*command: str) -> str:
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)
    return done.stdout.strip()
