r"""A match as text: headers, then moves, readable and typable.

    game: some-game@1
    options: size=5
    seats: Ada, Bob
    result: 1 -1

    1. c3 2. swap 3. b1 @4.2 {a quiet start}
    4. a1 b2

A header is a line ``name: value``; ``game`` is the only one that must be there, and names that we
do not know are kept. A blank line ends the headers. Then come the moves' texts in order, chance
included (marked ``~``), set apart by white space. Numbers like ``3.`` count turns; they are for the
eye and are not read. ``@4.2`` after a move says at which second of the match it was played, and
``{...}`` is a comment on the move before it (or on the whole match). ``start: <state>`` begins
from another state than the first. ``result`` is checked against what the moves lead to.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field

from watermeet.core.contract import CHANCE
from watermeet.core.errors import InvalidNotation, InvalidRecord, WatermeetError
from watermeet.core.game import Game
from watermeet.core.outcome import Outcome
from watermeet.core.registry import game as find_game
from watermeet.core.state import State

_HEADER = re.compile(r"([a-z][a-z0-9_-]*):(?:\s+(.*?))?\s*")
_GAME = re.compile(r"(\S+)@([0-9]{1,9})")
_OPTION = re.compile(r"([A-Za-z0-9_]+)=(\S+)")
_TOKEN = re.compile(
    r"(?P<comment>\{[^{}]*\})|(?P<brace>[{}])|(?P<number>[0-9]+\.(?=\s|$))"
    r"|(?P<time>@\S+)|(?P<move>[^\s{}]+)"
)
_LINE_WIDTH = 92
_OURS = ("game", "options", "seats", "start", "result")


@dataclass(frozen=True)
class Entry:
    """One action of a record: its text, and perhaps when it was played and what was said of it."""

    move: str
    seconds: float | None = None
    comment: str = ""
    line: int = field(default=0, compare=False)  # Where it stood in the text; 0 if nowhere.
    column: int = field(default=0, compare=False)


@dataclass(frozen=True)
class Record:
    """A match: the game with its options, the moves, and what else its headers say."""

    game: Game
    entries: tuple[Entry, ...] = ()
    seats: tuple[str, ...] = ()  # Names of those who played, by seat; may be empty.
    start: State | None = None  # None: the game's first state.
    result: tuple[float, ...] | None = None
    comment: str = ""
    headers: Mapping[str, str] = field(default_factory=dict, hash=False)
    lines: Mapping[str, int] = field(default_factory=dict, compare=False, repr=False)

    @staticmethod
    def parse(text: str) -> Record:
        """Reads a record; raises InvalidRecord with the place, UnknownGame, VersionMismatch."""
        return _Parser(text).record()

    @staticmethod
    def from_actions(state: State, actions: list[int] | tuple[int, ...]) -> Record:
        """The record of actions played from a state."""
        start = None if state == state.game.start() else state
        entries = []
        for action in actions:
            mark = "~" if state.to_move == CHANCE else ""
            entries.append(Entry(mark + state.format(action)))
            state = state.play(action)
        result = state.outcome.returns if state.outcome else None
        return Record(state.game, tuple(entries), start=start, result=result)

    @property
    def moves(self) -> tuple[str, ...]:
        """The texts of the moves, in order."""
        return tuple(entry.move for entry in self.entries)

    def replay(self) -> tuple[State, ...]:
        """All states from first to last; raises InvalidRecord where a move cannot be played."""
        states = [self.start or self.game.start()]
        for entry in self.entries:
            states.append(_play_entry(states[-1], entry))
        self._check_result(states[-1].outcome)
        return tuple(states)

    def _check_result(self, outcome: Outcome | None) -> None:
        if self.result is None or (outcome is not None and outcome.returns == self.result):
            return
        reached = _format_result(outcome.returns) if outcome else "no end"
        raise InvalidRecord(
            f"the result is said to be {_format_result(self.result)!r}",
            f"the moves lead to {reached}",
            line=self.lines.get("result", 0),
            column=1,
        )

    def format(self) -> str:
        """The text of the record; ``parse`` reads it back."""
        return "\n".join([*self._format_headers(), "", *self._format_moves()]).rstrip() + "\n"

    def _format_headers(self) -> Iterator[str]:
        yield f"game: {self.game.name}@{self.game.version}"
        options = self.game.options
        if options:
            words = (f"{name}={self.game.option(name).format(options[name])}" for name in options)
            yield f"options: {' '.join(words)}"
        if self.seats:
            yield f"seats: {', '.join(self.seats)}"
        for name, value in self.headers.items():
            yield f"{name}: {value}".rstrip()
        if self.start is not None:
            yield f"start: {self.start.text}"
        if self.result is not None:
            yield f"result: {_format_result(self.result)}"

    def _format_moves(self) -> Iterator[str]:
        words = [f"{{{self.comment}}}"] if self.comment else []
        movers = _movers(self)
        turn = 0
        before: int | None = None
        for entry in self.entries:
            mover = next(movers)
            if mover not in (before, CHANCE):
                turn += 1
                words.append(f"{turn}.")
            before = before if mover == CHANCE else mover
            words.append(entry.move)
            if entry.seconds is not None:
                words.append(f"@{_decimal(entry.seconds)}")
            if entry.comment:
                words.append(f"{{{entry.comment}}}")
        return _wrapped(words)


def _movers(record: Record) -> Iterator[int]:
    """Who plays each entry; from the first that cannot be played on, the last known one."""
    state = record.start or record.game.start()
    mover = state.to_move
    for entry in record.entries:
        yield mover
        try:
            state = _play_entry(state, entry)
        except WatermeetError:
            continue
        mover = state.to_move


def _decimal(number: float) -> str:
    """A number without an exponent, and with no more digits than it needs."""
    return f"{number:.9f}".rstrip("0").rstrip(".")


def _wrapped(words: list[str]) -> Iterator[str]:
    line = ""
    for word in words:
        if line and len(line) + 1 + len(word) > _LINE_WIDTH:
            yield line
            line = word
        else:
            line = f"{line} {word}" if line else word
    if line:
        yield line


def _play_entry(state: State, entry: Entry) -> State:
    move = entry.move.removeprefix("~")
    try:
        return state.play(move)
    except WatermeetError as error:
        raise InvalidRecord(
            error.message, error.hint, line=entry.line, column=entry.column
        ) from error


def _format_result(returns: tuple[float, ...]) -> str:
    """Few digits where they say it all, else as many as it takes: a third has no end."""
    shown = ((value, f"{value:g}") for value in returns)
    return " ".join(text if float(text) == value else repr(value) for value, text in shown)


class _Parser:
    """Reads one record, and knows where in the text each thing stands."""

    def __init__(self, text: str) -> None:
        self._lines = text.removeprefix("\ufeff").splitlines()
        self._values: dict[str, str] = {}
        self._line_of: dict[str, int] = {}

    def record(self) -> Record:
        first_move_line = self._read_headers()
        game = self._game()
        comment, entries = self._read_moves(first_move_line)
        return Record(
            game,
            entries,
            seats=self._seats(game),
            start=self._start(game),
            result=self._result(game),
            comment=comment,
            headers={name: text for name, text in self._values.items() if name not in _OURS},
            lines=dict(self._line_of),
        )

    def _fail(self, message: str, hint: str, name: str = "", column: int = 1) -> InvalidRecord:
        return InvalidRecord(message, hint, line=self._line_of.get(name, 1), column=column)

    def _read_headers(self) -> int:
        """Fills the headers; returns the index of the first line behind them."""
        index = 0
        while index < len(self._lines) and not self._lines[index].strip():
            index += 1
        while index < len(self._lines) and self._lines[index].strip():
            line = self._lines[index]
            match = _HEADER.fullmatch(line)
            if match is None:
                raise InvalidRecord(
                    f"{line[:60]!r} is no header",
                    "a header is 'name: value'; a blank line parts headers from moves",
                    line=index + 1,
                    column=1,
                )
            name, value = match[1], match[2] or ""
            self._line_of.setdefault(name, index + 1)
            if name in self._values:
                raise InvalidRecord(
                    f"the header {name!r} stands twice", "keep one", line=index + 1, column=1
                )
            self._values[name] = value
            index += 1
        return index

    def _game(self) -> Game:
        if "game" not in self._values:
            raise self._fail("there is no header 'game'", "begin with a line like 'game: name@1'")
        match = _GAME.fullmatch(self._values["game"])
        if match is None:
            raise self._fail(
                f"the game is {self._values['game']!r}",
                "write its name, @ and the version of its rules, like 'name@1'",
                "game",
                column=7,
            )
        game = find_game(match[1]).at_version(int(match[2]))
        return self._with_options(game)

    def _with_options(self, game: Game) -> Game:
        texts: dict[str, str] = {}
        for word in self._values.get("options", "").split():
            match = _OPTION.fullmatch(word)
            if match is None:
                raise self._fail(f"{word!r} is no option", "write name=value", "options", column=10)
            texts[match[1]] = match[2]
        try:
            return game.with_option_texts(texts)
        except WatermeetError as error:
            raise self._fail(error.message, error.hint, "options", column=10) from error

    def _seats(self, game: Game) -> tuple[str, ...]:
        if not self._values.get("seats"):
            return ()
        names = tuple(name.strip() for name in self._values["seats"].split(","))
        if len(names) != game.seats:
            raise self._fail(
                f"there are {len(names)} names of seats",
                f"{game.describe()} has {game.seats} seats",
                "seats",
                column=8,
            )
        return names

    def _start(self, game: Game) -> State | None:
        if "start" not in self._values:
            return None
        try:
            return game.parse(self._values["start"])
        except InvalidNotation as error:
            raise self._fail(error.message, error.hint, "start", column=8) from error

    def _result(self, game: Game) -> tuple[float, ...] | None:
        if "result" not in self._values:
            return None
        try:
            returns = tuple(float(word) for word in self._values["result"].split())
        except ValueError:
            returns = ()
        if len(returns) != game.seats:
            raise self._fail(
                f"the result is {self._values['result']!r}",
                f"write {game.seats} numbers, one a seat",
                "result",
                column=9,
            )
        return returns

    def _read_moves(self, first_line: int) -> tuple[str, tuple[Entry, ...]]:
        body = "\n".join(self._lines[first_line:])
        comment = ""
        entries: list[Entry] = []
        for match in _TOKEN.finditer(body):
            kind, word = match.lastgroup, match[0]
            line = first_line + body.count("\n", 0, match.start()) + 1
            column = match.start() - body.rfind("\n", 0, match.start())
            if kind == "move":
                entries.append(Entry(word, line=line, column=column))
            elif kind == "comment" and not entries:
                comment = _joined(comment, word)
            elif kind == "comment":
                last = entries[-1]
                entries[-1] = _with(last, comment=_joined(last.comment, word))
            elif kind == "time":
                entries[-1:] = [self._timed(entries, word, line, column)]
            elif kind == "brace":
                raise InvalidRecord(
                    f"{word!r} has no partner",
                    "a comment is {in braces}, without braces inside",
                    line=line,
                    column=column,
                )
        return comment, tuple(entries)

    def _timed(self, entries: list[Entry], word: str, line: int, column: int) -> Entry:
        if not entries or not re.fullmatch(r"@[0-9]{1,9}(\.[0-9]{1,9})?", word):
            raise InvalidRecord(
                f"{word!r} is no time of a move",
                "write @ and seconds behind a move, like @4.2",
                line=line,
                column=column,
            )
        return _with(entries[-1], seconds=float(word[1:]))


def _joined(before: str, braced: str) -> str:
    return " ".join([*before.split(), *braced[1:-1].split()])


def _with(entry: Entry, *, seconds: float | None = None, comment: str | None = None) -> Entry:
    return Entry(
        entry.move,
        entry.seconds if seconds is None else seconds,
        entry.comment if comment is None else comment,
        entry.line,
        entry.column,
    )
