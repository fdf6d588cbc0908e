r"""Records: a match as text that people can read and type, headers first, then moves.

    game: some-game@1
    options: size=5
    seats: Ada, Bob
    result: 1 -1

    1. c3 2. swap 3. b1 @4.2 ?! {a quiet start} ( 3. c2 4. a1 {better} )
    4. a1 b2

A header is a line ``name: value``. Only ``game`` is required; unknown headers are kept. A blank
line ends the headers. Then come the texts of the moves, chance included (marked ``~``), separated
by white space. Numbers like ``3.`` count turns for the reader, and are ignored. ``@4.2`` after a
move says at which second of the match it was played, and ``{...}`` is a comment on the move before
it, or on the whole match. ``!``, ``?``, ``!!``, ``??``, ``!?`` or ``?!`` after a move judges it, as
in chess. What stands in brackets, which are words of their own, is a variation: what could have
been played instead of the move before it. Variations have comments and variations, too.
``start: <state>`` starts from another state. ``result`` is checked against the moves.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field

from watermeet.core.checks import quote, require_items, require_type
from watermeet.core.contract import CHANCE
from watermeet.core.errors import (
    InvalidArgument,
    InvalidNotation,
    InvalidRecord,
    TooLarge,
    WatermeetError,
)
from watermeet.core.game import Game
from watermeet.core.outcome import Outcome
from watermeet.core.registry import game as find_game
from watermeet.core.state import State

_HEADER = re.compile(r"([a-z][a-z0-9_-]*):((?:\s.*)?)")
_GAME = re.compile(r"(\S+)@([0-9]{1,9})")
_OPTION = re.compile(r"([A-Za-z0-9_]+)=(\S+)")
_TOKEN = re.compile(
    r"(?P<comment>\{[^{}]*\})|(?P<brace>[{}])|(?P<number>[0-9]+\.(?=\s|$))"
    r"|(?P<time>@\S+)|(?P<bracket>[()])(?=\s|$)|(?P<symbol>[!?]{1,2})(?=\s|$)|(?P<move>[^\s{}]+)"
)
_LINE_WIDTH = 92
SYMBOLS = ("!", "?", "!!", "??", "!?", "?!")
MAX_DEPTH = 50
"""How deep variations may lie within each other."""
_OURS = ("game", "options", "seats", "start", "result")


@dataclass(frozen=True)
class Entry:
    """One action of a record: its text, and optionally its time, a comment, and alternatives."""

    move: str
    seconds: float | None = None
    comment: str = ""
    symbol: str = ""  # One of SYMBOLS, or none.
    variations: tuple[tuple[Entry, ...], ...] = ()  # What could have been played instead.
    line: int = field(default=0, compare=False)  # Its place in the text, from 1; 0 if none.
    column: int = field(default=0, compare=False)

    def __post_init__(self) -> None:
        require_type(self.move, str, "the text of a move")
        require_type(self.seconds, (float, int, type(None)), "a number of seconds")
        require_type(self.comment, str, "the text of a comment")
        if self.symbol not in ("", *SYMBOLS):
            raise InvalidArgument(
                f"{quote(self.symbol)} doesn't judge a move", f"choose one of {' '.join(SYMBOLS)}"
            )
        for variation in require_items(self.variations, "variations"):
            for entry in require_items(variation, "entries"):
                require_type(entry, Entry, "an entry of a record")


@dataclass(frozen=True)
class Record:
    """A match: the game with its options, the moves, and the other headers."""

    game: Game
    entries: tuple[Entry, ...] = ()
    seats: tuple[str, ...] = ()  # The players' names, by seat; may be empty.
    start: State | None = None  # None: the game's start.
    result: tuple[float, ...] | None = None
    comment: str = ""
    headers: Mapping[str, str] = field(default_factory=dict, hash=False)
    lines: Mapping[str, int] = field(default_factory=dict, compare=False, repr=False)

    def __post_init__(self) -> None:
        require_type(self.game, Game, "a game")
        for entry in require_items(self.entries, "entries"):
            require_type(entry, Entry, "an entry of a record")
        for name in require_items(self.seats, "names"):
            require_type(name, str, "a name")
        if self.start is not None:
            self.game.require_state(self.start)
        for value in require_items(self.result or (), "returns"):
            require_type(value, (float, int), "the return of a seat")
        require_type(self.comment, str, "the text of a comment")
        require_type(self.headers, Mapping, "a mapping of headers")

    @staticmethod
    def parse(text: str, *, most: int | None = None) -> Record:
        """Read a record; raises InvalidRecord with the place, UnknownGame or VersionMismatch.

        TooLarge as soon as there are more than ``most`` moves, with all variations. Without it, the
        time that this takes is proportional to the length of the text.
        """
        require_type(text, str, "the text of a record")
        return _Parser(text, most).record()

    @staticmethod
    def from_actions(state: State, actions: Iterable[int]) -> Record:
        """The record of actions played from a state; raises IllegalMove."""
        require_type(state, State, "a state")
        start = None if state == state.game.start() else state
        entries = []
        for action in require_items(actions, "actions"):
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
        """All states, first to last; raises InvalidRecord if a move is illegal.

        Moves of variations are checked, too.
        """
        states = _play_line(self.start or self.game.start(), self.entries)
        self.check_result(states[-1].outcome)
        return tuple(states)

    def _repr_svg_(self) -> str | None:
        """The picture of the last state, for notebooks."""
        return self.replay()[-1].render_svg()

    def check_result(self, outcome: Outcome | None) -> None:
        """Raise InvalidRecord if the moves led to another result than the header says."""
        if self.result is None or (outcome is not None and outcome.returns == self.result):
            return
        reached = format_result(outcome.returns) if outcome else "no end"
        raise InvalidRecord(
            f"the result is given as {format_result(self.result)!r}",
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
            yield f"result: {format_result(self.result)}"

    def _format_moves(self) -> Iterator[str]:
        words = [f"{{{self.comment}}}"] if self.comment else []
        words += _words(self.entries, self.start or self.game.start(), _Turn())
        return _wrapped(words)


@dataclass(frozen=True)
class _Turn:
    """How many turns there were, and whose the last one was."""

    number: int = 0
    mover: int | None = None

    def next(self, mover: int) -> _Turn:
        if mover in (self.mover, CHANCE):
            return self
        return _Turn(self.number + 1, mover)


def _words(entries: tuple[Entry, ...], state: State, turn: _Turn) -> list[str]:
    """The words of a line, from a state on; one that can't be played counts as the last mover's."""
    words: list[str] = []
    is_playable, before = True, turn
    for index, entry in enumerate(entries):
        if is_playable:
            turn = before.next(state.to_move)
        if turn != before or (index == 0 and state.to_move != CHANCE):
            words.append(f"{turn.number}.")
        words += _entry_words(entry)
        for variation in entry.variations:
            words += ["(", *_words(variation, state, before), ")"]
        try:
            state = _play_entry(state, entry)
        except WatermeetError:
            is_playable = False
        before = turn
    return words


def _entry_words(entry: Entry) -> Iterator[str]:
    yield entry.move
    if entry.seconds is not None:
        yield f"@{_decimal(entry.seconds)}"
    if entry.symbol:
        yield entry.symbol
    if entry.comment:
        yield f"{{{entry.comment}}}"


def _decimal(number: float) -> str:
    """A number without an exponent, with as few digits as possible."""
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


def _play_line(state: State, entries: Iterable[Entry]) -> list[State]:
    """The states of a line, and a check of its variations."""
    states = [state]
    for entry in entries:
        for variation in entry.variations:
            _play_line(states[-1], variation)
        states.append(_play_entry(states[-1], entry))
    return states


def _play_entry(state: State, entry: Entry) -> State:
    move = entry.move.removeprefix("~")
    try:
        return state.play(move)
    except WatermeetError as error:
        raise InvalidRecord(
            error.message, error.hint, line=entry.line, column=entry.column
        ) from error


def format_result(returns: tuple[float, ...]) -> str:
    """Short where that is exact, else with all digits: a third has no short form."""
    shown = ((value, f"{value:g}") for value in returns)
    return " ".join(text if float(text) == value else repr(value) for value, text in shown)


@dataclass(slots=True)
class _Draft:
    """An entry while it is read, when its annotations aren't known yet."""

    move: str
    line: int
    column: int
    seconds: float | None = None
    words: list[str] = field(default_factory=list)
    symbol: str = ""
    variations: list[tuple[Entry, ...]] = field(default_factory=list)

    def entry(self) -> Entry:
        return Entry(
            self.move,
            self.seconds,
            " ".join(self.words),
            self.symbol,
            tuple(self.variations),
            self.line,
            self.column,
        )


class _Parser:
    """Reads one record, and keeps track of lines and columns."""

    def __init__(self, text: str, most: int | None) -> None:
        self._lines, self._most = text.removeprefix("\ufeff").splitlines(), most
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
        """Read the headers; return the index of the first line after them."""
        index = 0
        while index < len(self._lines) and not self._lines[index].strip():
            index += 1
        while index < len(self._lines) and self._lines[index].strip():
            line = self._lines[index]
            match = _HEADER.fullmatch(line)
            if match is None:
                raise InvalidRecord(
                    f"{quote(line)} isn't a header",
                    "a header is 'name: value'; a blank line separates headers from moves",
                    line=index + 1,
                    column=1,
                )
            name, value = match[1], match[2].strip()
            self._line_of.setdefault(name, index + 1)
            if name in self._values:
                raise InvalidRecord(
                    f"the header {name!r} is there twice", "remove one", line=index + 1, column=1
                )
            self._values[name] = value
            index += 1
        return index

    def _game(self) -> Game:
        if "game" not in self._values:
            raise self._fail(
                "the header 'game' is missing", "start with a line like 'game: name@1'"
            )
        match = _GAME.fullmatch(self._values["game"])
        if match is None:
            raise self._fail(
                f"{quote(self._values['game'])} isn't a game and its version",
                "write the name, @ and the version of the rules, like 'name@1'",
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
                raise self._fail(
                    f"{quote(word)} isn't an option", "write name=value", "options", column=10
                )
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
                f"there are {len(names)} names",
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
                f"{quote(self._values['result'])} isn't a result",
                f"write {game.seats} numbers, one per seat",
                "result",
                column=9,
            )
        return returns

    def _read_moves(self, first_line: int) -> tuple[str, tuple[Entry, ...]]:
        words: list[str] = []
        entries: list[_Draft] = []
        outer: list[list[_Draft]] = []  # The lines that the current one is a variation of.
        count = 0
        for match, line, column in self._tokens(first_line):
            kind, word = match.lastgroup, match[0]
            if kind == "move":
                count += 1
                if self._most is not None and count > self._most:
                    raise TooLarge(
                        f"the record has more than {self._most} moves",
                        "leave some variations out",
                    )
                entries.append(_Draft(word, line, column))
            elif kind == "comment" and not entries and not outer:
                words += _words_in(word)
            elif kind == "bracket":
                entries = self._bracketed(word, entries, outer, line, column)
            elif kind in ("comment", "symbol", "time"):
                self._annotate(kind, word, entries, line, column)
            elif kind == "brace":
                raise InvalidRecord(
                    f"{word!r} is unmatched",
                    "a comment is {in braces}, with no braces inside",
                    line=line,
                    column=column,
                )
        if outer:
            last = outer[-1][-1]
            raise InvalidRecord(
                f"the variation on {quote(last.move)} has no end",
                "close it with ')'",
                line=last.line,
                column=last.column,
            )
        return " ".join(words), tuple([draft.entry() for draft in entries])

    def _tokens(self, first_line: int) -> Iterator[tuple[re.Match[str], int, int]]:
        """The tokens of the moves, each with its line and its column."""
        body = "\n".join(self._lines[first_line:])
        line, begin, seen = first_line + 1, 0, 0
        for match in _TOKEN.finditer(body):
            start = match.start()
            line += body.count("\n", seen, start)
            begin = body.rfind("\n", seen, start) + 1 or begin
            seen = start
            yield match, line, start - begin + 1

    def _bracketed(
        self, word: str, entries: list[_Draft], outer: list[list[_Draft]], line: int, column: int
    ) -> list[_Draft]:
        """Begin or end a variation; return the line that continues."""
        if word == "(" and entries and len(outer) < MAX_DEPTH:
            outer.append(entries)
            return []
        if word == ")" and outer and entries:
            before = outer.pop()
            before[-1].variations.append(tuple([draft.entry() for draft in entries]))
            return before
        raise InvalidRecord(
            f"{word!r} is out of place",
            f"a variation is ( moves ) after a move, at most {MAX_DEPTH} deep",
            line=line,
            column=column,
        )

    def _annotate(
        self, kind: str, word: str, entries: list[_Draft], line: int, column: int
    ) -> None:
        """Add a comment, a symbol or a time to the last entry."""
        if kind == "time":
            self._time(entries, word, line, column)
            return
        if not entries or (kind == "symbol" and word not in SYMBOLS):
            raise InvalidRecord(
                f"{quote(word)} follows no move", "put it after one", line=line, column=column
            )
        if kind == "symbol":
            entries[-1].symbol = word
        else:
            entries[-1].words += _words_in(word)

    def _time(self, entries: list[_Draft], word: str, line: int, column: int) -> None:
        if not entries or not re.fullmatch(r"@[0-9]{1,9}(\.[0-9]{1,9})?", word):
            raise InvalidRecord(
                f"{quote(word)} isn't the time of a move",
                "write @ and seconds after a move, like @4.2",
                line=line,
                column=column,
            )
        entries[-1].seconds = float(word[1:])


def _words_in(braced: str) -> list[str]:
    return braced[1:-1].split()
