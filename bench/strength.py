"""Playing strength: arena jobs, each with a question that its table answers.

Jobs are kept in a folder (``-- --folder FOLDER``), so that an interrupted run continues. Top levels
get a small part of their two seconds and their opponents ten times as much: what holds then holds
all the more with full time, and takes only an hour or two.
"""

from __future__ import annotations

import argparse
import json
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import watermeet as wm
from bench.progress import progress
from watermeet.core.hooks import import_optional
from watermeet.testing.folders import built_in_games

TITLE = "Strength"


@dataclass(frozen=True)
class Trial:
    """A question for the arena."""

    name: str
    question: str
    words: str

    @property
    def command(self) -> str:
        """The command to type."""
        return f"watermeet arena {self.words}"


def trials() -> list[Trial]:
    """Those in ``benchmarks.py`` of the games, and two about threads."""
    found = []
    for name in built_in_games():
        module = import_optional(wm.game(name).package, "benchmarks")
        for title, question, words in getattr(module, "TRIALS", ()):
            found.append(Trial(f"{name}-{title}", question, f"{name} {words}"))
    return [
        *found,
        Trial(
            "threads-time",
            "Two threads against one in the same time: plain UCT on Flecks, side 5",
            "flecks uct:seconds=0.05:threads=2 uct:seconds=0.05 --matches 100 -o size=5 --jobs 0",
        ),
        Trial(
            "threads-nodes",
            "Two threads with twice the simulations of one, on Flume 7x7",
            "flume uct:nodes=4000:threads=2 uct:nodes=2000 --matches 300 -o size=7",
        ),
    ]


def measure(seconds: float, arguments: list[str]) -> str:
    """Play the trials and return their tables as Markdown."""
    parser = argparse.ArgumentParser(prog="python -m bench strength --")
    parser.add_argument("--folder", type=Path, required=True, help="where the job files are kept")
    parser.add_argument("--only", default="", help="trials whose names start with this")
    chosen = parser.parse_args(arguments)
    chosen.folder.mkdir(parents=True, exist_ok=True)
    tables = ["Intervals are 95 % confidence intervals."]
    for trial in trials():
        if trial.name.startswith(chosen.only):
            progress(trial.command)
            tables.append(describe(trial, play(trial, chosen.folder)))
    return "\n\n".join(tables)


def play(trial: Trial, folder: Path) -> dict[str, Any]:
    """Run the arena and return its JSON."""
    command = [sys.executable, "-m", "watermeet", *trial.command.split()[1:]]
    command += ["--json", "--job", str(folder / f"{trial.name}.jsonl")]
    done = subprocess.run(command, stdout=subprocess.PIPE, check=True)
    answer: dict[str, Any] = json.loads(done.stdout)
    return answer


def describe(trial: Trial, answer: dict[str, Any]) -> str:
    """The trial as Markdown: question, command and table."""
    lines = [f"**{trial.question}**", "", f"    {trial.command}", ""]
    lines += _cooperative(answer) if answer["cooperative"] else _competitive(answer)
    return "\n".join(lines)


def _cooperative(answer: dict[str, Any]) -> list[str]:
    lines = [
        "| options | bot | matches | won | interval | tiles left |",
        "|---|---|---:|---:|---|---:|",
    ]
    for variation in answer["variations"]:
        for row in variation["bots"]:
            won = row["win_rate"]
            left = row["figures"].get("tiles_left", 0.0)
            lines.append(
                f"| {variation['variation'] or 'defaults'} | `{row['bot']}` | {row['matches']} | "
                f"{won['value']:.1%} | {won['low']:.1%} to {won['high']:.1%} | {left:.1f} |"
            )
    return lines


def _competitive(answer: dict[str, Any]) -> list[str]:
    lines = [
        "| bot | matches | won | drawn | lost | Elo | interval | ms a move |",
        "|---|---:|---:|---:|---:|---:|---|---:|",
    ]
    for row in answer["variations"][0]["bots"]:
        elo = row["elo"]
        lines.append(
            f"| `{row['bot']}` | {row['matches']} | {row['wins']} | {row['draws']} | "
            f"{row['losses']} | {elo['value']:+.0f} | {elo['low']:+.0f} to {elo['high']:+.0f} | "
            f"{1000 * row['move_seconds']:.3g} |"
        )
    return lines
