"""``watermeet puzzles``: mines puzzles from matches between bots, and proves them again."""

from __future__ import annotations

import random
import time
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from watermeet.cli.arguments import GameName, Json
from watermeet.cli.errors import ANSWER_IS_NO, InvalidFile

if TYPE_CHECKING:
    from watermeet.core.game import Game
    from watermeet.learn.puzzles import Puzzle

MINE, CHECK = "mine", "check"


def register(app: typer.Typer) -> None:
    """Add the subcommands."""
    group = typer.Typer(help="Mine puzzles, and prove them again.", no_args_is_help=True)
    group.command(MINE)(mine)
    group.command(CHECK)(check)
    app.add_typer(group, name="puzzles")


def mine(
    game: GameName,
    *,
    out: Annotated[
        Path | None,
        typer.Option(
            "--out",
            metavar="FILE",
            help="Where puzzles are added, one a line; default: GAME-puzzles.jsonl.",
        ),
    ] = None,
    count: Annotated[
        int, typer.Option("--count", metavar="N", min=1, help="Stop at N puzzles in the file.")
    ] = 300,
    seconds: Annotated[
        float | None,
        typer.Option("--seconds", metavar="S", min=0.0, help="Stop after S seconds."),
    ] = None,
    kind: Annotated[
        str | None, typer.Option("--kind", metavar="NAME", help="Look for this kind only.")
    ] = None,
    seed: Annotated[int, typer.Option("--seed", metavar="N", help="For other matches.")] = 0,
    json: Json = False,
) -> None:
    """Find puzzles in matches between bots. Run it again to continue a file."""
    from watermeet.cli.console import make_console, write_json
    from watermeet.cli.progress import Bar
    from watermeet.core.registry import game as find_game
    from watermeet.learn.mining import Miner

    found = find_game(game)
    file = out or Path(f"{found.name}-puzzles.jsonl")
    known = _read(found, file)
    miner = Miner(found, seed=seed, count=count, known=known, kind=kind)
    begun, new = time.monotonic(), 0
    with file.open("a", encoding="utf-8") as lines, Bar(count, len(known)) as bar:
        for puzzle in miner.puzzles():
            if puzzle is not None:
                new += 1
                lines.write(to_line(puzzle))
                lines.flush()  # Ctrl-C loses nothing.
                bar.step(lambda: f"match {miner.matches}")
            if seconds is not None and time.monotonic() - begun > seconds:
                break
    report = {
        "game": found.name,
        "file": str(file),
        "puzzles": len(known) + new,
        "new": new,
        "kinds": dict(sorted(miner.found.items())),
        "matches": miner.matches,
        "positions": miner.positions,
        "proofs": miner.proven,
        "seconds": round(time.monotonic() - begun, 1),
    }
    if json:
        write_json(report)
        return
    kinds = ", ".join(f"{name} {number}" for name, number in sorted(miner.found.items()))
    make_console().print(
        f"{new} new puzzles in {report['seconds']:g} s, from {miner.matches} matches and "
        f"{miner.positions} positions. {file} has {len(known) + new}: {kinds}.",
        soft_wrap=True,
    )


def to_line(puzzle: Puzzle) -> str:
    """A puzzle as a line of a file."""
    import json

    return json.dumps(puzzle.as_json(), ensure_ascii=False, separators=(",", ":")) + "\n"


def _read(game: Game, file: Path) -> list[Puzzle]:
    from watermeet.learn.puzzles import read_puzzles

    if not file.exists():
        return []
    try:
        return list(read_puzzles(game, file.read_text(encoding="utf-8")))
    except ValueError as error:
        raise InvalidFile(f"{file}: {error}", "mend that line, or name another file") from error


def check(
    game: GameName,
    *,
    sample: Annotated[
        int | None,
        typer.Option("--sample", metavar="N", min=1, help="Check N random puzzles; default: all."),
    ] = None,
    seed: Annotated[int, typer.Option("--seed", metavar="N", help="For another sample.")] = 0,
    file: Annotated[
        Path | None,
        typer.Option("--file", metavar="FILE", help="Check these instead of the game's own."),
    ] = None,
    json: Json = False,
) -> None:
    """Solve puzzles again by a longer search, and compare the answers."""
    from watermeet.cli.console import make_console, write_json
    from watermeet.cli.progress import Bar
    from watermeet.core.registry import game as find_game
    from watermeet.learn.mining import Checker
    from watermeet.learn.puzzles import puzzles_of

    found = find_game(game)
    chosen = list(puzzles_of(found)) if file is None else _read(found, file)
    if sample is not None and sample < len(chosen):
        chosen = random.Random(seed).sample(chosen, sample)
    checker, problems = Checker(), {}
    begun = time.monotonic()
    with Bar(len(chosen)) as bar:
        for puzzle in chosen:
            problem = checker.problem(puzzle)
            if problem:
                problems[puzzle.id] = problem
            bar.step(lambda: f"{len(problems)} disagree")
    seconds = round(time.monotonic() - begun, 1)
    if json:
        write_json({"checked": len(chosen), "problems": problems, "seconds": seconds})
    else:
        console = make_console()
        for name, problem in problems.items():
            console.print(f"{name}: {problem}", soft_wrap=True)
        agreed = len(chosen) - len(problems)
        console.print(f"{agreed} of {len(chosen)} puzzles agree, in {seconds:g} s.")
    if problems:
        raise typer.Exit(ANSWER_IS_NO)
