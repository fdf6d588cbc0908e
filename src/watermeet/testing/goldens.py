"""Golden records: matches kept as text in a game's folder, with the state after every turn.

They hold behaviour still; they do not know the rules, so they are never the only proof of one.
``python -m watermeet.testing.goldens`` writes them anew: read the difference before committing it.
"""

from __future__ import annotations

import importlib
import random
from pathlib import Path

from watermeet.core.game import Game
from watermeet.core.record import Entry, Record
from watermeet.core.registry import game as find_game
from watermeet.core.registry import games
from watermeet.core.state import State
from watermeet.testing.matches import option_sets, random_match

LONGEST_NAME = 150


def records_folder(game: Game) -> Path:
    """Where a game keeps its golden records."""
    module = importlib.import_module(game.package)
    assert module.__file__ is not None, "a game is a folder with an __init__.py"
    return Path(module.__file__).parent / "tests" / "records"


def golden_record(game: Game, seed: str) -> Record:
    """A random match whose turns end in a comment with the state that they led to."""
    match = random_match(game, random.Random(seed))
    record = Record.of_match(match.states[0], match.actions)
    entries = [
        _with_state(entry, state, ends_turn=state.to_move != before.to_move)
        for entry, before, state in zip(
            record.entries, match.states[:-1], match.states[1:], strict=True
        )
    ]
    return Record(game, tuple(entries), result=record.result)


def _with_state(entry: Entry, state: State, *, ends_turn: bool) -> Entry:
    return Entry(entry.move, comment=state.text) if ends_turn else entry


def check_golden(text: str) -> None:
    """Replays a golden record and holds every comment against the state; raises AssertionError."""
    record = Record.parse(text)
    states = record.replay()
    for entry, state in zip(record.entries, states[1:], strict=True):
        if entry.comment and entry.comment != state.text:
            raise AssertionError(
                f"line {entry.line}: after {entry.move} the state is {state.text!r}, "
                f"the record says {entry.comment!r}"
            )
    if record.format() != text:
        raise AssertionError("the record is not written as we write it")


def write_goldens(game: Game) -> list[Path]:
    """Writes a record for each set of options that is worth it."""
    folder = records_folder(game)
    folder.mkdir(parents=True, exist_ok=True)
    for old in folder.glob("*.txt"):
        old.unlink()
    written = []
    for options in option_sets(game):
        chosen = game.with_options(**options)
        words = [f"{name}-{chosen.option(name).format(value)}" for name, value in options.items()]
        path = folder / _file_name(words)
        path.write_text(golden_record(chosen, path.name).format(), encoding="utf-8")
        written.append(path)
    return written


def _file_name(words: list[str]) -> str:
    """Named by the options, as far as file systems like it."""
    name = "_".join(words) or "defaults"
    return f"{name}.txt" if len(name) <= LONGEST_NAME else f"{'_'.join(words[:5])}_and-more.txt"


def main() -> None:
    """Writes the golden records of every game at home."""
    for name in games():
        game = find_game(name)
        if game.package.startswith("watermeet."):
            for path in write_goldens(game):
                print(f"{name}: {path.name}")


if __name__ == "__main__":
    main()
