"""A job: the matches to play, and the file of those that were played, so that it can be resumed.

The file is lines of JSON. The first describes the job, each other one is a match. Lines are only
appended; a line that was cut off by a crash is dropped when the job is resumed.
"""

from __future__ import annotations

import json
import sys
import zlib
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, fields
from functools import cached_property
from pathlib import Path
from types import TracebackType
from typing import Any, BinaryIO, Self

from watermeet.arena.errors import InvalidJob
from watermeet.arena.match import Conditions, MatchResult
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

FORMAT = 2
MAX_NAME = 120
LOCKED_BYTE = 1 << 40
"""Windows locks bytes, and nobody may read them: this one is far beyond the end of any file."""
"""The length of a record's file name, without round and rotation."""


@dataclass(frozen=True)
class Job:
    """What to play. The same job plays the same matches."""

    games: tuple[tuple[str, Game], ...]
    """The variations of the game: the varied option as text, and the game with it."""
    bots: tuple[str, ...]
    matches: int
    """The number of matches for each pairing in each variation, rounded up to whole rounds."""
    seed: int = 0
    gauntlet: int = 0
    """How many bots, the first ones, play against all others; the rest don't play each other. 0 for
    a round-robin."""
    conditions: Conditions = field(default_factory=Conditions)

    def __post_init__(self) -> None:
        if self.matches < 1 or self.conditions.openings < 0:
            raise InvalidJob("a job needs a match or more", "and openings of 0 moves or more")
        for _, game in self.games:
            if game.clock is not None:
                raise InvalidJob(
                    f"{game.describe()} is played against a clock, which the arena doesn't have",
                    "choose options without a clock",
                )
        if len({(is_cooperative(game), len(rotations(game))) for _, game in self.games}) > 1:
            raise InvalidJob("the variations have different teams", "make a job of each")
        pairings(self.game, self.bots)

    @property
    def game(self) -> Game:
        """The first variation; all have the same teams."""
        return self.games[0][1]

    @property
    def pairings(self) -> tuple[Pairing, ...]:
        """The pairings."""
        return pairings(self.game, self.bots, gauntlet=self.gauntlet)

    @cached_property
    def fixtures(self) -> tuple[Fixture, ...]:
        """All matches in order."""
        return tuple(fixtures(self.games, self.pairings, matches=self.matches, seed=self.seed))

    def describe(self) -> dict[str, object]:
        """What must be the same when a job is resumed.

        Bots, matches and variations may be added, because no match depends on them.
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
    """A game with each of several values of an option, named ``name=value``."""
    kept = {each: game.option(each).format(value) for each, value in game.options.changed().items()}
    return tuple((f"{name}={each}", game.with_option_texts(kept | {name: each})) for each in values)


class Results:
    """The matches played so far, stored in a file if there is one; a context manager."""

    def __init__(self, job: Job, file: Path | None = None) -> None:
        self._job = job
        self._order = {fixture.key: number for number, fixture in enumerate(job.fixtures)}
        self._by_key: dict[Key, MatchResult] = {}
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
            result = None if number == 1 else _result_of(found)
        except (ValueError, TypeError) as error:
            raise InvalidJob(
                f"line {number} of {str(file)!r} isn't a match: {error}", "choose another file"
            ) from error
        if result is None:
            _check_same(file, self._job.describe(), found)
        else:
            self._by_key[result.key] = result

    def add(self, result: MatchResult) -> None:
        """Store a match; it has been handed to the operating system when this returns."""
        self._by_key[result.key] = result
        if self._stream is not None:
            _append(self._stream, _as_json(result))

    def __iter__(self) -> Iterator[MatchResult]:
        """The job's matches that were played, in the order of the job."""
        keys = sorted(self._by_key.keys() & self._order.keys(), key=self._order.__getitem__)
        return (self._by_key[key] for key in keys)

    def missing(self) -> list[Fixture]:
        """The matches still to play; those that failed are tried again."""
        return [
            fixture
            for fixture in self._job.fixtures
            if (result := self._by_key.get(fixture.key)) is None or result.error
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
    """Lock the file: two programs that share one would play everything twice."""
    try:
        if sys.platform == "win32":
            import msvcrt

            stream.seek(LOCKED_BYTE)
            msvcrt.locking(stream.fileno(), msvcrt.LK_NBLCK, 1)
        else:
            import fcntl

            fcntl.flock(stream, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except OSError as error:
        raise Conflict(f"another arena uses {str(file)!r}", "wait for it to end") from error


def _check_same(file: Path, wanted: Mapping[str, object], found: object) -> None:
    if not isinstance(found, dict) or "arena" not in found:
        raise InvalidJob(f"{str(file)!r} isn't a file of the arena", "choose another file")
    for name, value in wanted.items():
        if found.get(name) != json.loads(json.dumps(value)):
            raise InvalidJob(
                f"{str(file)!r} holds another job: its {name} is {found.get(name)!r}",
                f"this job's is {value!r}; choose another file, or the same {name}",
            )


def _as_json(result: MatchResult) -> dict[str, object]:
    left_out = {"record"} | ({"error"} if not result.error else set())
    names = [each.name for each in fields(result) if each.name not in left_out]
    return {name: getattr(result, name) for name in names}


def _result_of(found: Any) -> MatchResult:
    values: dict[str, Any] = {
        name: tuple(value) if isinstance(value, list) else value for name, value in found.items()
    }
    return MatchResult(**values)


def write_record(folder: Path, result: MatchResult) -> None:
    """Write a match's record into a folder, under a unique name."""
    folder.mkdir(parents=True, exist_ok=True)
    wanted = "_".join(word for word in (result.variation, *result.bots) if word).replace(":", "-")
    name = "".join(letter if letter.isalnum() or letter in "=.,_-" else "-" for letter in wanted)
    if name != wanted or len(name) > MAX_NAME:  # Another name may have become the same.
        name = f"{name[:MAX_NAME]}_{zlib.crc32(wanted.encode()):08x}"
    unfinished = folder / f".{name}"
    unfinished.write_text(result.record, encoding="utf-8")
    unfinished.replace(folder / f"{name}_{result.round:05}_{result.rotation}.txt")
