"""How strong the bots are: arena jobs with what each must show, and a section of RESULTS.md.

    python bench/strength.py --folder FOLDER              plays all that is missing there
    python bench/strength.py --folder FOLDER --only flow  trials whose names begin so
    python bench/strength.py --folder FOLDER --write      and writes RESULTS.md

Every trial is one command of ``watermeet arena`` with a job file in the folder, so that a run that
was broken off goes on. Top levels get a small part of their two seconds, and their opponents ten
times as much: what holds so is worth more with all of the time, and is played in an hour or two.
"""

from __future__ import annotations

import argparse
import json
import os
import subprocess
import sys
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from watermeet.bench.report import machine, with_section

RESULTS = Path(__file__).parent / "RESULTS.md"
LEVELS = "drop brook stream river"


@dataclass(frozen=True)
class Trial:
    """A question to the arena."""

    name: str
    question: str
    words: str

    @property
    def command(self) -> str:
        """What a reader would type."""
        return f"watermeet arena {self.words}"


TRIALS = (
    Trial(
        "flume-7",
        "Flume 7x7: the top level against plain UCT with ten times its time (aim: 60 of 100)",
        "flume sea:seconds=0.01 uct:seconds=0.1 --matches 100 -o size=7",
    ),
    Trial(
        "flume-9",
        "Flume 9x9: likewise (aim: 60 of 100)",
        "flume sea:seconds=0.01 uct:seconds=0.1 --matches 100 -o size=9",
    ),
    Trial(
        "flecks-5",
        "Flecks, side 5: the top level against plain UCT with ten times its time (aim: 65 of 100)",
        "flecks sea:seconds=0.02 uct:seconds=0.2 --matches 100 -o size=5",
    ),
    Trial(
        "flecks-7",
        "Flecks, side 7: likewise (aim: 65 of 100)",
        "flecks sea:seconds=0.01 uct:seconds=0.1 --matches 100 -o size=7",
    ),
    Trial(
        "qwirkle",
        "Qwirkle: the top level against the one that takes the most points (aim: 65 of 100), and "
        "the lowest (which is to lose most)",
        "qwirkle greedy sea:seconds=0.3 drop --gauntlet --matches 100",
    ),
    Trial(
        "flows-2",
        "Flows, two players: the top level against the one-ply player (aim: 85 of 100)",
        "flows sea:seconds=0.1 one_ply --matches 100",
    ),
    Trial(
        "flows-4",
        "Flows, four players in two teams: likewise (aim: 85 of 100)",
        "flows sea:seconds=0.1 one_ply --matches 100 -o seats=4",
    ),
    Trial(
        "flow-alone",
        "Flow alone: the share of matches won without scenario cards (aim: 95 of 100)",
        "flow sea:seconds=0.05 greedy --matches 100 -o seats=1",
    ),
    Trial(
        "flow-three",
        "Flow with three seats: likewise (aim: 95 of 100)",
        "flow sea:seconds=0.05 greedy --matches 100 -o seats=3",
    ),
    Trial(
        "flow-scenarios",
        "Flow by difficulty: clearly more often than the greedy player, with every number of cards",
        "flow sea:seconds=0.01 greedy --matches 100 --vary scenarios=0,1,2,3,4,5,6",
    ),
    Trial(
        "threads-time",
        "Two threads against one in the same time: plain UCT on Flecks, side 5",
        "flecks uct:seconds=0.05:threads=2 uct:seconds=0.05 --matches 100 -o size=5 --jobs 0",
    ),
    Trial(
        "threads-nodes",
        "Two threads, each with as many simulations as its opponent's only one, on Flume 7x7",
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


def main() -> None:
    """Plays what is asked for, and tells."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--folder", type=Path, required=True, help="where job files are kept")
    parser.add_argument("--only", default="", help="trials whose names begin so")
    parser.add_argument("--write", action="store_true", help="into RESULTS.md")
    chosen = parser.parse_args()
    chosen.folder.mkdir(parents=True, exist_ok=True)
    told = []
    for trial in TRIALS:
        if trial.name.startswith(chosen.only):
            print(f"... {trial.command}", file=sys.stderr, flush=True)
            told.append(describe(trial, play(trial, chosen.folder)))
            print(told[-1], flush=True)
    if chosen.write:
        when = datetime.now(tz=UTC).date().isoformat()
        heading = f"## Strength\n\n`bench/strength.py`, {when}; {machine()}. Intervals are of 95 %."
        page = RESULTS.read_text(encoding="utf-8")
        section = with_section(page, "strength", "\n\n".join([heading, *told]))
        RESULTS.write_text(section, encoding="utf-8")


def play(trial: Trial, folder: Path) -> dict[str, Any]:
    """The arena's answer. A cache of compiled kernels is shared by its processes."""
    command = [sys.executable, "-m", "watermeet", *trial.command.split()[1:]]
    command += ["--json", "--job", str(folder / f"{trial.name}.jsonl")]
    # Safe: a fixed command and no shell.
    done = subprocess.run(command, stdout=subprocess.PIPE, env=os.environ, check=True)
    answer: dict[str, Any] = json.loads(done.stdout)
    return answer


def describe(trial: Trial, answer: dict[str, Any]) -> str:
    """The trial as Markdown: the question, the command and a table."""
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
                f"| {variation['variation'] or 'as above'} | `{row['bot']}` | {row['matches']} | "
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


if __name__ == "__main__":
    main()
