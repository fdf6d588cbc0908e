"""The tree of errors. Everything that Watermeet raises on purpose is one of these.

    WatermeetError
    ├── UnknownGame          no registered game has that name
    ├── UnknownBot           no bot goes by that description
    ├── BotFailed            a bot gave no answer, or none that can be played
    ├── InvalidGame          a game's folder breaks the contract (missing kernel, wrong name, ...)
    │   └── InvalidKernel    a kernel that can't be compiled, or calls an empty slot
    ├── InvalidOptions       an option that does not exist, or a value that it cannot take
    ├── InvalidNotation      a text that is no move, no state, no record
    │   └── InvalidRecord    the same, with the line and the column in a record
    ├── IllegalMove          a readable move that the rules refuse here
    ├── VersionMismatch      written under another version of a game's rules
    ├── NotYourTurn          a seat acts out of turn
    ├── Conflict             somebody else wrote first
    └── TooLarge             an exact answer that is out of reach

A message says what was asked (by repr), where, and what would do. ``code`` is stable: programs and
translations rely on it. Kernels never raise.
"""

from __future__ import annotations

import difflib
from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING, ClassVar

if TYPE_CHECKING:
    from watermeet.core.explanation import Explanation


class WatermeetError(Exception):
    """The root of the tree: ``message`` says what was wrong, ``hint`` what would do."""

    code: ClassVar[str] = "error"

    def __init__(self, message: str, hint: str = "") -> None:
        super().__init__(message, hint)
        self.message = message
        self.hint = hint

    def __str__(self) -> str:
        return f"{self.message}; {self.hint}" if self.hint else self.message

    def as_json(self) -> dict[str, str]:
        """The error as it goes over the wire."""
        return {"code": self.code, "message": self.message, "hint": self.hint}


class UnknownGame(WatermeetError):
    """No registered game has that name."""

    code = "unknown_game"


class UnknownBot(WatermeetError):
    """No bot goes by this description."""

    code = "unknown_bot"


class BotFailed(WatermeetError):
    """A bot did not answer in time, or with nothing that can be played."""

    code = "bot_failed"


class InvalidGame(WatermeetError):
    """A game's folder breaks the contract of ``watermeet.core.contract``."""

    code = "invalid_game"


class InvalidKernel(InvalidGame):
    """A kernel that can't be compiled: it breaks a rule that ``watermeet.core.kernel`` states."""

    code = "invalid_kernel"


class InvalidOptions(WatermeetError):
    """An option that the game does not have, or a value that the option cannot take."""

    code = "invalid_options"


class InvalidNotation(WatermeetError):
    """A text that cannot be read as a move, a state or a record."""

    code = "invalid_notation"


class InvalidRecord(InvalidNotation):
    """A record that cannot be read or replayed; ``line`` and ``column`` (from 1) say where."""

    code = "invalid_record"

    def __init__(self, message: str, hint: str = "", *, line: int, column: int) -> None:
        super().__init__(message, hint)
        self.args = (message, hint, line, column)  # What pickle hands to __reduce__.
        self.line = line
        self.column = column

    def __reduce__(self) -> tuple[object, ...]:
        return _restore_invalid_record, self.args

    def __str__(self) -> str:
        return f"line {self.line}, column {self.column}: {super().__str__()}"


def _restore_invalid_record(message: str, hint: str, line: int, column: int) -> InvalidRecord:
    return InvalidRecord(message, hint, line=line, column=column)


class IllegalMove(WatermeetError):
    """A readable move that the rules refuse here; ``explanation`` carries the reason in full."""

    code = "illegal_move"

    def __init__(
        self, message: str, hint: str = "", explanation: Explanation | None = None
    ) -> None:
        super().__init__(message, hint)
        self.args = (message, hint, explanation)
        self.explanation = explanation


class VersionMismatch(WatermeetError):
    """Something was written under another version of a game's rules."""

    code = "version_mismatch"


class NotYourTurn(WatermeetError):
    """A seat acts, or asks for a choice, while another seat (or chance, or nobody) is to move."""

    code = "not_your_turn"


class Conflict(WatermeetError):
    """Somebody else wrote first; reload and try again."""

    code = "conflict"


class TooLarge(WatermeetError):
    """An exact answer was asked for that is out of reach."""

    code = "too_large"


def suggest(wrong: str, known: Iterable[str]) -> str:
    """What would do instead of ``wrong``: the nearest known names, else all of them.

    >>> suggest("ches", ["chess", "go"])
    "did you mean 'chess'?"
    """
    names: Sequence[str] = sorted(known)
    near = difflib.get_close_matches(wrong, names, n=2)
    if near:
        return f"did you mean {' or '.join(map(repr, near))}?"
    return f"there is {', '.join(map(repr, names))}" if names else "there is none"
