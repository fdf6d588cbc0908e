"""A job: what is to be played, and a file that holds what was. A job that was killed goes on.

The file is lines of JSON. The first one describes the job, each other one is a match. Lines are
only ever appended; one that was half written when the power went is dropped when the job goes on.
"""

from __future__ import annotations

import json
import zlib
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, fields
from functools import cached_property
from pathlib import Path
from types import TracebackType
from typing import Any, BinaryIO, Self

from watermeet.arena.errors import InvalidJob
from watermeet.arena.match import Conditions, Played
from watermeet.arena.pairing import (
    Fixture,
    Key,
    Pairing,
    fixtures,
    is_cooperative,
    pairings,
    rotations,
)
from watermeet.core.errors import Conflict
from watermeet.core.game import Game

FORMAT = 1
LONGEST_NAME = 120
"""Of a record's file, without the numbers behind it."""


@dataclass(frozen=True)
class Job:
    """All that decides what is played. The same job plays the same matches."""

    games: tuple[tuple[str, Game], ...]
    """The variations of the game: what is varied, as text, with the game under those options."""
    bots: tuple[str, ...]
    matches: int
    """For each pairing in each variation; rounded up to whole bouts."""
    seed: int = 0
    gauntlet: bool = False
    conditions: Conditions = field(default_factory=Conditions)

    def __post_init__(self) -> None:
        if self.matches < 1 or self.conditions.openings < 0:
            raise InvalidJob("numbers of matches and of openings count something", "give more")
        for _, game in self.games:
            if game.clock is not None:
                raise InvalidJob(
                    f"{game.describe()} is played against a clock, which the arena does not keep",
                    "choose options without it",
                )
        if len({(is_cooperative(game), len(rotations(game))) for _, game in self.games}) > 1:
            raise InvalidJob("the variations differ in who plays against whom", "play them apart")
        pairings(self.game, self.bots)

    @property
    def game(self) -> Game:
        """The first variation: what its facts say of teams holds for all."""
        return self.games[0][1]

    @property
    def pairings(self) -> tuple[Pairing, ...]:
        """Who meets whom."""
        return pairings(self.game, self.bots, gauntlet=self.gauntlet)

    @cached_property
    def fixtures(self) -> tuple[Fixture, ...]:
        """All matches in order."""
        return tuple(fixtures(self.games, self.pairings, matches=self.matches, seed=self.seed))

    def describe(self) -> dict[str, object]:
        """What must be the same when a job goes on.

        More bots, more matches and other variations may be asked for later: matches depend on none.
        """
        limits = {"seconds": self.conditions.seconds, "nodes": self.conditions.nodes}
        varied = {word.partition("=")[0] for name, _ in self.games for word in name.split()}
        options = {name: value for name, value in self.game.options.items() if name not in varied}
        return {
            "arena": FORMAT,
            "game": f"{self.game.name}@{self.game.version}",
            "options": options,
            "seed": self.seed,
            "openings": self.conditions.openings,
            "limits": limits,
        }


def vary(game: Game, name: str, values: Sequence[str]) -> tuple[tuple[str, Game], ...]:
    """A game under several values of one option, each with its text ``name=value``."""
    kept = {each: game.option(each).format(value) for each, value in game.options.changed().items()}
    return tuple((f"{name}={each}", game.with_option_texts(kept | {name: each})) for each in values)


class Results:
    """The matches played so far, by key, kept in a file if there is one; a context manager."""

    def __init__(self, job: Job, file: Path | None = None) -> None:
        self._job = job
        self._order = {fixture.key: number for number, fixture in enumerate(job.fixtures)}
        self._played: dict[Key, Played] = {}
        self._stream = None if file is None else self._opened(file)

    def _opened(self, file: Path) -> BinaryIO:
        stream = file.open("a+b")
        try:
            _lock(stream, file)
            stream.seek(0)
            content = stream.read()
            whole = content[: content.rfind(b"\n") + 1]
            for number, line in enumerate(whole.splitlines(), 1):
                self._read(file, number, line)
            stream.truncate(len(whole))
            if not whole:
                _append(stream, self._job.describe())
        except BaseException:
            stream.close()
            raise
        return stream

    def _read(self, file: Path, number: int, line: bytes) -> None:
        try:
            found = json.loads(line)
            played = None if number == 1 else _played_of(found)
        except (ValueError, TypeError) as error:
            raise InvalidJob(
                f"line {number} of {str(file)!r} is no match: {error}", "choose another file"
            ) from error
        if played is None:
            _check_same(file, self._job.describe(), found)
        else:
            self._played[played.key] = played

    def add(self, played: Played) -> None:
        """Keeps a match; it is on its way to the disk when this returns."""
        self._played[played.key] = played
        if self._stream is not None:
            _append(self._stream, _as_json(played))

    def __iter__(self) -> Iterator[Played]:
        """The matches of the job that were played, in the job's order, whenever they ended."""
        keys = sorted(self._played.keys() & self._order.keys(), key=self._order.__getitem__)
        return (self._played[key] for key in keys)

    def missing(self) -> list[Fixture]:
        """What is still to be played; matches that failed are tried once more."""
        return [
            fixture
            for fixture in self._job.fixtures
            if (played := self._played.get(fixture.key)) is None or played.error
        ]

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        if self._stream is not None:
            self._stream.close()


def _append(stream: BinaryIO, found: Mapping[str, object]) -> None:
    stream.write(json.dumps(found).encode() + b"\n")
    stream.flush()


def _lock(stream: BinaryIO, file: Path) -> None:
    """Two programs that append to one file would play everything twice."""
    try:
        import fcntl
    except ImportError:  # Windows has none; there nobody is stopped.
        return
    try:
        fcntl.flock(stream, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except OSError as error:
        raise Conflict(f"another arena writes to {str(file)!r}", "wait for its end") from error


def _check_same(file: Path, asked: Mapping[str, object], found: object) -> None:
    if not isinstance(found, dict) or "arena" not in found:
        raise InvalidJob(f"{str(file)!r} is no file of an arena", "choose another file")
    for name, value in asked.items():
        if found.get(name) != json.loads(json.dumps(value)):
            raise InvalidJob(
                f"{str(file)!r} holds another job: its {name} is {found.get(name)!r}",
                f"give the same, or another file; you asked for {value!r}",
            )


def _as_json(played: Played) -> dict[str, object]:
    left_out = {"record"} | ({"error"} if not played.error else set())
    names = [each.name for each in fields(played) if each.name not in left_out]
    return {name: getattr(played, name) for name in names}


def _played_of(found: Any) -> Played:
    values: dict[str, Any] = {
        name: tuple(value) if isinstance(value, list) else value for name, value in found.items()
    }
    return Played(**values)


def write_record(folder: Path, played: Played) -> None:
    """Writes a match's record into a folder, under a name that no other match has."""
    folder.mkdir(parents=True, exist_ok=True)
    asked = "_".join(word for word in (played.variation, *played.bots) if word).replace(":", "-")
    name = "".join(letter if letter.isalnum() or letter in "=.,_-" else "-" for letter in asked)
    if name != asked or len(name) > LONGEST_NAME:  # Others may have become the same.
        name = f"{name[:LONGEST_NAME]}_{zlib.crc32(asked.encode()):08x}"
    unfinished = folder / f".{name}"
    unfinished.write_text(played.record, encoding="utf-8")
    unfinished.replace(folder / f"{name}_{played.bout:05}_{played.rotation}.txt")
