"""``python -m watermeet.testing [GAME …]``: run the conformance kit.

All faces of the kernels are compared that can be run here; it says which were left out, and why.
``--missing`` lists what a complete game still needs; ``--write goldens`` (or ``pictures``) writes
those files. Without a game, all registered games are checked, and the files of all built-in ones
are written. The exit status is 0 if every check passes (or nothing is missing), 1 if not, and 2 if
a game can't be loaded.
"""

from __future__ import annotations

import argparse
import random
import sys
import time
import traceback
from collections.abc import Callable
from functools import partial
from pathlib import Path

from watermeet.core.errors import WatermeetError
from watermeet.core.game import Game
from watermeet.core.registry import game as find_game
from watermeet.core.registry import games
from watermeet.testing.checks import CHECKS, Nonconformance, run_check
from watermeet.testing.completeness import missing, optional
from watermeet.testing.conformance import faces_agree
from watermeet.testing.faces import all_faces, face_notes
from watermeet.testing.folders import built_in_games, folder_of
from watermeet.testing.goldens import write_goldens
from watermeet.testing.matches import option_sets
from watermeet.testing.pictures import write_pictures

PASSED, FAILED, NOT_LOADED = 0, 1, 2
WRITERS: dict[str, Callable[[Game], list[Path]]] = {
    "goldens": write_goldens,
    "pictures": write_pictures,
}


def main(arguments: list[str]) -> int:
    """Run the command line; return the exit status."""
    options = _parser().parse_args(arguments)
    report = _report_missing if options.missing else _report_checks
    if options.write:
        report = partial(_write, WRITERS[options.write])
    status = PASSED
    for name in options.games or (built_in_games() if options.write else games()):
        try:
            status = max(status, report(find_game(name)))
        except WatermeetError as error:
            print(f"{name}: {error}", file=sys.stderr)
            status = NOT_LOADED
    return status


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog="python -m watermeet.testing", description="Check that games keep their contract."
    )
    parser.add_argument("games", nargs="*", metavar="GAME", help="default: all registered games")
    task = parser.add_mutually_exclusive_group()
    task.add_argument(
        "--missing", action="store_true", help="list what a complete game still needs"
    )
    task.add_argument(
        "--write", choices=WRITERS, help="write files of the game's folder instead of checking"
    )
    return parser


def _write(write: Callable[[Game], list[Path]], game: Game) -> int:
    for path in write(game):
        print(f"{game.name}: {path.relative_to(folder_of(game)).as_posix()}")
    return PASSED


def _report_checks(game: Game) -> int:
    """Run all checks with all sample sets of options, and print one line for each check."""
    sets = option_sets(game)
    print(f"{game.name}: {len(CHECKS)} checks with {len(sets)} sets of options")
    failures = 0
    for number, name in enumerate(CHECKS, 1):
        _show_progress(f"[{number}/{len(CHECKS)}] {name}")
        started = time.perf_counter()
        try:
            with all_faces():
                reasons = [
                    run_check(name, game.with_options(**options), random.Random(0))
                    for options in sets
                ]
        except Exception as error:  # noqa: BLE001 - the game's code may raise anything.
            failures += 1
            _show_result("FAILED", name, _describe(error, game))
            continue
        if all(reasons):
            _show_result("n/a", name, f"not applicable: {reasons[0]}")
        else:
            _show_result("ok", name, f"{time.perf_counter() - started:.1f} s")
        if CHECKS[name] is faces_agree:
            for face, note in face_notes(game).items():
                _show_result("", f"  {face}", note)
    print(f"{game.name}: {f'{failures} checks failed' if failures else 'all checks passed'}")
    return FAILED if failures else PASSED


def _describe(error: Exception, game: Game) -> str:
    """The rule that was broken; or an error in the game's code, and the line that raised it."""
    if isinstance(error, Nonconformance):
        return str(error)
    frames = traceback.extract_tb(error.__traceback__)
    own = [frame for frame in frames if folder_of(game) in Path(frame.filename).parents]
    frame = (own or frames)[-1]
    return f"{type(error).__name__}: {error} ({frame.filename}:{frame.lineno}, in {frame.name})"


def _show_progress(text: str) -> None:
    """On a terminal only: the line that the result replaces."""
    if sys.stdout.isatty():
        print(f"\r\x1b[K{text}", end="", flush=True)


def _show_result(result: str, name: str, detail: str) -> None:
    start = "\r\x1b[K" if sys.stdout.isatty() else ""
    print(f"{start}{result:<7}{name:<36}{detail}", flush=True)


def _report_missing(game: Game) -> int:
    """List what a complete game still needs, then what it may have besides."""
    needed = missing(game)
    for each in needed:
        print(each)
    for each in optional(game):
        print(f"optional: {each}")
    print(f"{game.name}: {f'{len(needed)} things are missing' if needed else 'complete'}")
    return FAILED if needed else PASSED


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
