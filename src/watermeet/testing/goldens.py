"""Golden records: random matches kept as text in a game's folder, with hashes of their states.

They pin behaviour down; they do not know the rules, so they are never the only proof of one.
``python -m watermeet.testing --write goldens GAME`` writes them; read the diff before you commit.
Those of older versions of the rules are kept in ``v1``, ``v2`` …, and are never written again.
"""

from __future__ import annotations

import hashlib
import random
from dataclasses import replace
from pathlib import Path

from watermeet.core.errors import InvalidOptions
from watermeet.core.game import Game
from watermeet.core.record import Record
from watermeet.core.state import State
from watermeet.testing.folders import folder_of, replace_text
from watermeet.testing.matches import random_match

EVERY = 10
"""After so many actions, and at the end, a comment holds a hash of the state's text."""
TIMES = 2
"""How often the records have each sample value of an option, at least."""


def records_folder(game: Game) -> Path:
    """Where a game keeps its golden records."""
    return folder_of(game) / "tests" / "records"


def golden_record(game: Game, seed: str) -> Record:
    """A random match with hashes of its states."""
    match = random_match(game, random.Random(seed))
    return with_hashes(Record.from_actions(match.states[0], match.actions), match.states)


def with_hashes(record: Record, states: tuple[State, ...]) -> Record:
    """The record with the hashes of a match's states for comments."""
    last = len(record.entries)
    entries = [
        replace(entry, comment=_hash(state) if number % EVERY == 0 or number == last else "")
        for number, (entry, state) in enumerate(zip(record.entries, states[1:], strict=True), 1)
    ]
    return replace(record, entries=tuple(entries))


def _hash(state: State) -> str:
    return hashlib.sha256(state.text.encode()).hexdigest()[:8]


def check_golden(text: str) -> None:
    """Replay a golden record and compare every hash with the state; raises AssertionError."""
    record = Record.parse(text)
    states = record.replay()
    hashed = with_hashes(record, states)
    for entry, expected, state in zip(record.entries, hashed.entries, states[1:], strict=True):
        if entry.comment != expected.comment:
            raise AssertionError(
                f"line {entry.line}: after {entry.move} the state is {state.text!r}, "
                f"whose hash is {expected.comment!r}, but the record says {entry.comment!r}"
            )
    if record.format() != text:
        raise AssertionError("the record isn't formatted as Record.format does it")


def golden_files(game: Game) -> dict[str, Game]:
    """The files that a game must have, each with the options that its match is played with.

    The defaults, and random sets of options in which each sample value occurs ``TIMES`` times.
    """
    samples = {option.name: option.samples() for option in game.declared_options}
    games, rng = [game], random.Random(game.name)
    for _ in range(TIMES):
        left = {(name, value) for name, values in samples.items() for value in values}
        while left:
            chosen = {
                name: rng.choice([value for value in values if (name, value) in left] or values)
                for name, values in samples.items()
            }
            try:
                games.append(game.with_options(**chosen))
            except InvalidOptions:  # Values that don't go together.
                continue
            left -= set(chosen.items())
    names = ("defaults", *(f"options-{number}" for number in range(1, len(games))))
    return {f"{name}.txt": each for name, each in zip(names, games, strict=True)}


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
    """Write a record for each set of options, then remove those of other sets."""
    folder = records_folder(game)
    # All are made before any is written: if the rules fail midway, the old ones stay.
    texts = {name: golden_record(each, name).format() for name, each in golden_files(game).items()}
    for name, text in texts.items():
        replace_text(folder / name, text)
    for old in folder.glob("*.txt"):
        if old.name not in texts:
            old.unlink()
    return [folder / name for name in texts]
