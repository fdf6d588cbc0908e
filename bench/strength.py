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

from bench.progress import progress

TITLE = "Strength"
LEVELS = "drop brook stream river"


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


TRIALS = (
    Trial(
        "flume-7",
        "Flume 7x7: the top level against plain UCT with ten times the time (aim: 60 of 100)",
        "flume sea:seconds=0.01 uct:seconds=0.1 --matches 100 -o size=7",
    ),
    Trial(
        "flume-9",
        "Flume 9x9: the same (aim: 60 of 100)",
        "flume sea:seconds=0.01 uct:seconds=0.1 --matches 100 -o size=9",
    ),
    Trial(
        "flecks-5",
        "Flecks, side 5: the top level against plain UCT with ten times the time (aim: 65 of 100)",
        "flecks sea:seconds=0.02 uct:seconds=0.2 --matches 100 -o size=5",
    ),
    Trial(
        "flecks-7",
        "Flecks, side 7: the same (aim: 65 of 100)",
        "flecks sea:seconds=0.01 uct:seconds=0.1 --matches 100 -o size=7",
    ),
    Trial(
        "qwirkle",
        "Qwirkle: the top level against a player that takes the most points (aim: 65 of 100), and "
        "the lowest level (which should lose to it)",
        "qwirkle greedy sea:seconds=0.3 drop --gauntlet --matches 100",
    ),
    Trial(
        "flows-2",
        "Flows, two players: the top level against the one-ply player (aim: 85 of 100)",
        "flows sea:seconds=0.1 one_ply --matches 100",
    ),
    Trial(
        "flows-4",
        "Flows, four players in two teams: the same (aim: 85 of 100)",
        "flows sea:seconds=0.1 one_ply --matches 100 -o seats=4",
    ),
    Trial(
        "flow-alone",
        "Flow alone: the share of matches won without scenario cards (aim: 95 of 100)",
        "flow sea:seconds=0.05 greedy --matches 100 -o seats=1",
    ),
    Trial(
        "flow-three",
        "Flow with three seats: the same (aim: 95 of 100)",
        "flow sea:seconds=0.05 greedy --matches 100 -o seats=3",
    ),
    Trial(
        "flow-scenarios",
        "Flow by difficulty: the top level wins clearly more often than the greedy player",
        "flow sea:seconds=0.01 greedy --matches 100 --vary scenarios=0,1,2,3,4,5,6",
    ),
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
    Trial("levels-flume", "The levels of Flume", f"flume {LEVELS} sea:seconds=0.05 --matches 100"),
    Trial(
        "levels-flecks", "The levels of Flecks", f"flecks {LEVELS} sea:seconds=0.08 --matches 80"
    ),
    Trial(
        "levels-qwirkle",
        "The levels of Qwirkle",
        f"qwirkle {LEVELS} sea:seconds=0.03 --matches 100",
    ),
    Trial("levels-flows", "The levels of Flows", f"flows {LEVELS} sea:seconds=0.2 --matches 150"),
    Trial("levels-flow", "The levels of Flow", f"flow {LEVELS} sea:seconds=0.02 --matches 400"),
)


def measure(seconds: float, arguments: list[str]) -> str:
    """Play the trials and return their tables as Markdown."""
    parser = argparse.ArgumentParser(prog="python -m bench strength --")
    parser.add_argument("--folder", type=Path, required=True, help="where the job files are kept")
    parser.add_argument("--only", default="", help="trials whose names start with this")
    chosen = parser.parse_args(arguments)
    chosen.folder.mkdir(parents=True, exist_ok=True)
    tables = ["Intervals are 95 % confidence intervals."]
    for trial in TRIALS:
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
