"""Golden records: matches kept as text in a game's folder, with the state after every turn.

They pin behaviour down; they do not know the rules, so they are never the only proof of one.
``python -m watermeet.testing --write goldens GAME`` writes them; read the diff before you commit.
Those of older versions of the rules are kept in ``v1``, ``v2`` …, and are never written again.
"""

from __future__ import annotations

import random
from pathlib import Path

from watermeet.core.game import Game
from watermeet.core.record import Entry, Record
from watermeet.core.state import State
from watermeet.testing.folders import folder_of, replace_text
from watermeet.testing.matches import option_sets, random_match

LONGEST_NAME = 150


def records_folder(game: Game) -> Path:
    """Where a game keeps its golden records."""
    return folder_of(game) / "tests" / "records"


def golden_record(game: Game, seed: str) -> Record:
    """A random match; after each turn a comment holds the state."""
    match = random_match(game, random.Random(seed))
    record = Record.from_actions(match.states[0], match.actions)
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
    """Replay a golden record and compare every comment with the state; raises AssertionError."""
    record = Record.parse(text)
    states = record.replay()
    for entry, state in zip(record.entries, states[1:], strict=True):
        if entry.comment and entry.comment != state.text:
            raise AssertionError(
                f"line {entry.line}: after {entry.move} the state is {state.text!r}, "
                f"but the record says {entry.comment!r}"
            )
    if record.format() != text:
        raise AssertionError("the record isn't formatted as Record.format does it")


def golden_files(game: Game) -> dict[str, Game]:
    """The files that a game must have, each with the options that its match is played with."""
    files = {}
    for options in option_sets(game):
        chosen = game.with_options(**options)
        words = [f"{name}-{chosen.option(name).format(value)}" for name, value in options.items()]
        files[_file_name(words)] = chosen
    return files


def check_goldens(game: Game) -> None:
    """Replay every golden record of a game; raises AssertionError if one fails or is missing."""
    folder = records_folder(game)
    for name in golden_files(game):
        check_golden((folder / name).read_text(encoding="utf-8"))
    for version in game.versions[:-1]:
        old = sorted((folder / f"v{version}").glob("*.txt"))
        if not old:
            raise AssertionError(f"version {version} has no golden records")
        for file in old:
            text = file.read_text(encoding="utf-8")
            if not text.startswith(f"game: {game.name}@{version}\n"):
                raise AssertionError(f"{file} isn't a record of version {version}")
            check_golden(text)


def write_goldens(game: Game) -> list[Path]:
    """Write a record for each sample set of options, then remove those of other sets."""
    folder = records_folder(game)
    # All are made before any is written: if the rules fail midway, the old ones stay.
    texts = {name: golden_record(each, name).format() for name, each in golden_files(game).items()}
    for name, text in texts.items():
        replace_text(folder / name, text)
    for old in folder.glob("*.txt"):
        if old.name not in texts:
            old.unlink()
    return [folder / name for name in texts]


def _file_name(words: list[str]) -> str:
    """Named after the options, as far as file systems allow."""
    name = "_".join(words) or "defaults"
    return f"{name}.txt" if len(name) <= LONGEST_NAME else f"{'_'.join(words[:5])}_and-more.txt"
