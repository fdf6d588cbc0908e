"""The tree of errors. Everything that Watermeet raises on purpose is one of these.

    WatermeetError
    ├── InvalidArgument      an argument of the wrong type or out of range
    ├── UnknownGame          no registered game has that name
    ├── UnknownBot           no bot matches that description
    ├── BotFailed            a bot didn't answer, or its answer can't be played
    ├── InvalidGame          a game's folder breaks the contract (missing kernel, wrong name, ...)
    │   └── InvalidKernel    a kernel that can't be compiled, or calls an empty slot
    ├── InvalidOptions       an option that doesn't exist, or a value that it can't take
    ├── InvalidNotation      a text that isn't a move, a state or a record
    │   └── InvalidRecord    the same, with the line and the column in a record
    ├── IllegalMove          a readable move that the rules don't allow here
    ├── VersionMismatch      written under another version of a game's rules
    ├── NoSuchSeat           a seat that the game doesn't have
    ├── NotYourTurn          a seat acts out of turn
    ├── HiddenInformation    a state concealed for one seat is asked what another seat knows
    ├── Conflict             somebody else wrote first
    ├── TooLarge             an exact answer that is out of reach
    ├── NotInstalled         a part of Watermeet, one of its dependencies or a GPU is missing
    └── GpuFailed            the GPU, or its driver, refused something

A message quotes what was asked and says where; the hint says what to do instead. ``code`` is
stable: programs and translations rely on it. Kernels never raise.
"""

from __future__ import annotations

import difflib
from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING, ClassVar

if TYPE_CHECKING:
    from watermeet.core.explanation import Explanation


class WatermeetError(Exception):
    """The root of the tree: ``message`` says what went wrong, ``hint`` what to do instead."""

    code: ClassVar[str] = "error"

    def __init__(self, message: str, hint: str = "") -> None:
        super().__init__(message, hint)
        self.message = message
        self.hint = hint

    def __str__(self) -> str:
        return f"{self.message}; {self.hint}" if self.hint else self.message

    def as_json(self) -> dict[str, str]:
        """The error as it is sent over the wire."""
        return {"code": self.code, "message": self.message, "hint": self.hint}


class InvalidArgument(WatermeetError):
    """An argument of the wrong type, or out of range."""

    code = "invalid_argument"


class UnknownGame(WatermeetError):
    """No registered game has that name."""

    code = "unknown_game"


class UnknownBot(WatermeetError):
    """No bot matches this description."""

    code = "unknown_bot"


class BotFailed(WatermeetError):
    """A bot didn't answer in time, or its answer can't be played."""

    code = "bot_failed"


class InvalidGame(WatermeetError):
    """A game's folder breaks the contract of ``watermeet.core.contract``."""

    code = "invalid_game"


class InvalidKernel(InvalidGame):
    """A kernel that can't be compiled: it breaks a rule that ``watermeet.core.kernel`` states."""

    code = "invalid_kernel"


class InvalidOptions(WatermeetError):
    """An option that the game doesn't have, or a value that the option can't take."""

    code = "invalid_options"


class InvalidNotation(WatermeetError):
    """A text that can't be read as a move, a state or a record."""

    code = "invalid_notation"


class InvalidRecord(InvalidNotation):
    """A record that can't be read or replayed; ``line`` and ``column`` (from 1) say where."""

    code = "invalid_record"

    def __init__(self, message: str, hint: str = "", *, line: int, column: int) -> None:
        super().__init__(message, hint)
        self.args = (message, hint, line, column)  # What pickle passes to __reduce__.
        self.line = line
        self.column = column

    def __reduce__(self) -> tuple[object, ...]:
        return _restore_invalid_record, self.args

    def __str__(self) -> str:
        return f"line {self.line}, column {self.column}: {super().__str__()}"


def _restore_invalid_record(message: str, hint: str, line: int, column: int) -> InvalidRecord:
    return InvalidRecord(message, hint, line=line, column=column)


class IllegalMove(WatermeetError):
    """A readable move that the rules don't allow here; ``explanation`` has the full reason."""

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


class NoSuchSeat(WatermeetError):
    """A seat that the game doesn't have."""

    code = "no_such_seat"


class NotYourTurn(WatermeetError):
    """A seat acts while another seat (or chance, or nobody) is to move."""

    code = "not_your_turn"


class HiddenInformation(WatermeetError):
    """A state that was concealed for one seat can't show what another seat knows."""

    code = "hidden_information"


class Conflict(WatermeetError):
    """Somebody else wrote first; reload and try again."""

    code = "conflict"


class TooLarge(WatermeetError):
    """An exact answer is out of reach."""

    code = "too_large"


class NotInstalled(WatermeetError):
    """This installation is missing a part of Watermeet or one of its dependencies."""

    code = "not_installed"


class GpuFailed(WatermeetError):
    """The GPU, or its driver, refused something."""

    code = "gpu_failed"


def suggest(wrong: object, known: Iterable[str]) -> str:
    """A hint for a wrong name: the most similar known names, else all of them.

    >>> suggest("ches", ["chess", "go"])
    "did you mean 'chess'?"
    """
    names: Sequence[str] = sorted(known)
    text = wrong[:100] if isinstance(wrong, str) else ""
    similar = difflib.get_close_matches(text, names, n=2)
    if similar:
        return f"did you mean {' or '.join(map(repr, similar))}?"
    return f"choose from {', '.join(map(repr, names))}" if names else "there are none"
