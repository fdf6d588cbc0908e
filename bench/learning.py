"""Learning curves: how strong the networks are that training runs kept on the way.

Each network plays without search (one simulation) and with a few simulations against fixed
opponents: random play, the beginner, and the levels that nodes limit, not seconds. The opponents
play each other, too, and their mean is 0 Elo, so curves of different runs can be compared. In a
cooperative game it is the share of matches won, on the same deals for all.

    python -m bench learning -- runs/flume runs/flow --minutes 3 --workers 16
    python -m bench learning                              # only the section, from what was measured

A run's matches are kept in its folder, in learning.jsonl: the same command continues after a kill,
or makes the intervals narrower. Figures go to bench/learning, as a CSV file for each run and board
and a picture for each board.
"""

from __future__ import annotations

import argparse
import contextlib
import csv
import os
import time
from collections.abc import Iterator, Sequence
from dataclasses import asdict, dataclass, fields
from pathlib import Path
from typing import Any

import watermeet as wm
from bench import report
from bench.learning_plot import render
from bench.progress import progress
from watermeet.arena.job import Job, Results
from watermeet.arena.match import Conditions
from watermeet.arena.pairing import is_cooperative
from watermeet.arena.report import Row, make_report
from watermeet.arena.run import run_job
from watermeet.arena.workers import ResultStream, Runner, runner_for
from watermeet.bots.levels import levels_of
from watermeet.bots.specs import BEGINNER, RANDOM
from watermeet.nets.onnx import read_card
from watermeet.train.ladder import OPENING, RAW

TITLE = "Learning curves"
FOLDER = report.ROOT / "bench" / "learning"
JOB = "learning.jsonl"
ABOUT = """Networks that training runs kept on the way, without search (one simulation) and with
a few simulations for each move, against opponents whose strength depends on no clock; 95 %
confidence intervals. The opponents' mean is 0 Elo; in a cooperative game it is the share of matches
won. Seconds of training are by the clock with `watermeet train`, and CPU time with PPO."""


@dataclass(frozen=True)
class Point:
    """A bot's strength: that of a network at some time of its training, or of an opponent."""

    run: str
    game: str
    board: str
    bot: str
    simulations: int
    """For each move; 0 for an opponent."""
    positions: int
    seconds: float
    matches: int
    figure: str
    """What value, low and high are: elo or win_rate."""
    value: float
    low: float
    high: float
    move_ms: float


def measure(seconds: float, arguments: list[str]) -> str:
    """Measure the runs that are named; return the section with all curves as Markdown."""
    parser = argparse.ArgumentParser(prog="python -m bench learning --")
    parser.add_argument("runs", type=Path, nargs="*", help="folders that watermeet train wrote")
    parser.add_argument("--minutes", type=float, default=5.0, help="for each run")
    parser.add_argument("--workers", type=int, default=os.cpu_count() or 1)
    parser.add_argument("--simulations", type=int, nargs="+", default=[RAW, 32])
    parser.add_argument("--matches", type=int, default=200, help="the most for each pairing")
    parser.add_argument("--opponents", nargs="+", help="instead of the standard ones")
    parser.add_argument("--networks", type=int, help="at most this many networks, evenly spread")
    parser.add_argument("--board", type=int, help="only this board of a run with several, from 0")
    parser.add_argument("--out", type=Path, default=FOLDER, help="where figures go")
    chosen = parser.parse_args(arguments)
    chosen.out.mkdir(parents=True, exist_ok=True)
    for folder in chosen.runs:
        _measure_run(folder.resolve(), chosen)
    return describe(chosen.out)


# ---- playing ------------------------------------------------------------------------------------


def _measure_run(folder: Path, chosen: argparse.Namespace) -> None:
    """Play a run's matches for some minutes, and write its figures."""
    files = [*sorted((folder / "earlier").glob("*.onnx")), *folder.glob("network.onnx")]
    cards = {file: read_card(file) for file in _spread(files, chosen.networks)}
    networks = {
        # Relative to the folder above, so that a run can move to another machine.
        f"net:network={folder.name}/{file.relative_to(folder)}:nodes={nodes}": (nodes, card)
        for file, card in cards.items()
        for nodes in chosen.simulations
    }
    settings = next(reversed(cards.values()))["settings"]
    games = _games(settings, chosen.board)
    game = games[0][1]
    opponents = chosen.opponents or standard_opponents(game)
    is_varied = game.chance or is_cooperative(game)
    job = Job(
        games,
        (*opponents, *networks),
        chosen.matches,
        gauntlet=len(opponents),
        conditions=Conditions(0 if is_varied else OPENING),
    )
    progress(f"{folder.name}: {len(cards)} networks, {len(job.fixtures):,} matches at most")
    with Results(job, folder / JOB) as results, contextlib.chdir(folder.parent):
        runner = _until(runner_for(chosen.workers), time.monotonic() + 60 * chosen.minutes)
        run_job(job, results, runner)
        found = make_report(job, results, anchors=opponents)
    for failure in found.failures[:3]:
        progress(f"failed: {failure.error}")
    for section in found.sections:
        common = {
            "run": folder.name,
            "game": game.name,
            "board": section.variation,
            "figure": "win_rate" if found.cooperative else "elo",
        }
        points = [_point(row, common, *networks.get(row.bot, (0, {}))) for row in section.rows]
        points.sort(key=lambda each: (each.simulations, each.positions, each.value))
        words = [folder.name, *section.variation.replace("=", "-").split()]
        commands = [_training(settings, folder.name), _measuring(folder.name, chosen)]
        _write(chosen.out / f"{'-'.join(words)}.csv", points, commands)


def _training(settings: dict[str, Any], name: str) -> str:
    """The command that trained a run, as far as its settings say; without the time it took."""
    if "command" in settings:
        return f"{settings['command']} --folder runs/{name}"
    boards = [wm.game(settings["game"], **options) for options in settings["boards"]]
    words = ["watermeet train", settings["game"]]
    for option in boards[0].options:
        values = [game.option(option).format(game.options[option]) for game in boards]
        if len(set(values)) > 1:
            words.append(f"--vary {option}={','.join(values)}")
        elif option in boards[0].options.changed():
            words.append(f"-o {option}={values[0]}")
    for each in ("channels", "blocks", "simulations", "matches", "batch", "device"):
        words.append(f"--{each} {settings[each]}")
    for each in ("teacher_rounds", "teacher_simulations", "evaluation_weight", "reuse", "start"):
        if settings.get(each):
            words.append(f"--{each.replace('_', '-')} {settings[each]}")
    return " ".join([*words, f"--folder runs/{name}"])


def _measuring(name: str, chosen: argparse.Namespace) -> str:
    simulations = " ".join(map(str, chosen.simulations))
    opponents = f" --opponents {' '.join(chosen.opponents)}" if chosen.opponents else ""
    board = "" if chosen.board is None else f" --board {chosen.board}"
    words = f"python -m bench learning -- runs/{name} --simulations {simulations}"
    return f"{words}{board}{opponents}"


def standard_opponents(game: wm.Game) -> list[str]:
    """Those whose strength depends on no clock."""
    return [RANDOM, BEGINNER, *(level.name for level in levels_of(game) if not level.seconds)]


def _spread(files: Sequence[Path], count: int | None) -> list[Path]:
    """Some of the files, evenly spread, with the first and the last."""
    if count is None or count >= len(files):
        return list(files)
    places = {round(each * (len(files) - 1) / max(1, count - 1)) for each in range(count)}
    return [files[place] for place in sorted(places)]


def _games(settings: dict[str, Any], board: int | None) -> tuple[tuple[str, wm.Game], ...]:
    """The boards of a run, named by the options that aren't the game's defaults."""
    games = [wm.game(settings["game"], **options) for options in settings["boards"]]
    games = list(dict.fromkeys(games))  # A board may be there twice, to be learnt more often.
    return tuple((_board(game), game) for game in (games if board is None else [games[board]]))


def _board(game: wm.Game) -> str:
    changed = game.options.changed().items()
    return " ".join(f"{name}={game.option(name).format(value)}" for name, value in changed)


def _until(runner: Runner, deadline: float) -> Runner:
    """A runner that stops at a time; a job that is run again continues there."""

    def run(todo: Sequence[Any], conditions: Conditions) -> ResultStream:
        if not todo:
            return
        with contextlib.closing(runner(todo, conditions)) as matches:
            for result in matches:
                yield result
                if time.monotonic() > deadline:
                    return

    return run


def _point(row: Row, common: dict[str, str], nodes: int, card: dict[str, Any]) -> Point:
    stands = card.get("progress", card)
    return Point(
        **common,
        bot=row.bot,
        simulations=nodes,
        positions=int(stands.get("positions", 0)),
        seconds=round(stands.get("seconds", 0.0), 1),
        matches=row.matches,
        value=round(row.figure.value, 4),
        low=round(row.figure.low, 4),
        high=round(row.figure.high, 4),
        move_ms=round(1000 * (row.move_seconds or 0.0), 3),
    )


# ---- figures ------------------------------------------------------------------------------------


def _write(file: Path, points: Sequence[Point], commands: Sequence[str]) -> None:
    """Write a curve; its first lines say when and where it was measured, and by which commands."""
    with file.open("w", encoding="utf-8", newline="") as out:
        out.writelines(f"# {line}\n" for line in (report.when_and_where(), *commands))
        writer = csv.DictWriter(out, [each.name for each in fields(Point)], lineterminator="\n")
        writer.writeheader()
        writer.writerows(asdict(point) for point in points)


def read_points(file: Path) -> tuple[list[str], list[Point]]:
    """What a file says about a curve, and its points."""
    lines = file.read_text(encoding="utf-8").splitlines()
    about = [line.removeprefix("# ") for line in lines if line.startswith("#")]
    kinds = {"int": int, "float": float, "str": str}
    points = [
        Point(**{each.name: kinds[str(each.type)](row[each.name]) for each in fields(Point)})
        for row in csv.DictReader(lines[len(about) :])
    ]
    return about, points


def describe(folder: Path) -> str:
    """Draw the curves of a folder, and return the section with all of them as Markdown."""
    parts = [ABOUT]
    boards: dict[tuple[str, str], list[tuple[list[str], list[Point]]]] = {}
    for file in sorted(folder.glob("*.csv")):
        about, points = read_points(file)
        if points:
            boards.setdefault((points[0].game, points[0].board), []).append((about, points))
    for (name, board), runs in sorted(boards.items()):
        title = " ".join(word for word in (wm.game(name).title, board) if word)
        picture = "-".join([name, *board.replace("=", "-").split()]) + ".svg"
        every = [point for _, points in runs for point in points]
        text = render(title, [asdict(point) for point in every])
        (folder / picture).write_text(text + "\n", encoding="utf-8")
        parts.append(f"**{title}**\n\n![{title}: strength over training](learning/{picture})")
        for (facts, *commands), points in runs:
            parts.append("\n".join(f"    {command}" for command in commands))
            parts += ["\n".join(_table(points)), f"{points[0].run}: {facts}."]
    return "\n\n".join(parts)


def _table(points: Sequence[Point]) -> Iterator[str]:
    is_elo = points[0].figure == "elo"
    yield (
        "| bot | positions | seconds of training | matches | "
        f"{'Elo' if is_elo else 'won'} | interval | ms a move |"
    )
    yield "|---|---:|---:|---:|---:|---|---:|"
    form = "{:+.0f}" if is_elo else "{:.1%}"
    for each in points:
        name = f"`{each.bot}`"
        if each.simulations:
            name = "network, no search"
        if each.simulations > RAW:
            name = f"network, {each.simulations} simulations"
        learnt = (f"{each.positions:,}", f"{each.seconds:,.0f}") if each.simulations else ("", "")
        low, high = form.format(each.low), form.format(each.high)
        cells = (name, *learnt, str(each.matches), form.format(each.value), f"{low} to {high}")
        yield f"| {' | '.join((*cells, f'{each.move_ms:.3g}'))} |"
