"""Read lines from people at a terminal or from programs through a pipe."""

from __future__ import annotations

import contextlib
import importlib.util
import math
import os
import sys
import time
from collections.abc import Callable, Sequence

from watermeet.cli.console import printable

SAVE_CURSOR = "\x1b7"
RESTORE_CURSOR = "\x1b8"


class EndOfInput(Exception):
    """The input has ended."""


class Reader:
    """Prompts for lines. ``is_terminal`` says whether a person is there to answer questions."""

    def __init__(self) -> None:
        self.is_terminal = all(
            stream is not None and stream.isatty() for stream in (sys.stdin, sys.stdout)
        )
        self._words: Callable[[], Sequence[str]] = tuple
        self._edits_lines = False
        self._ahead = b""  # Typed ahead while a clock ran.

    def complete(self, words: Callable[[], Sequence[str]]) -> None:
        """Set the words that the Tab key completes."""
        self._words = words

    def ask(self, prompt: str) -> str:
        """Read one line without its line break; raises EndOfInput."""
        if self.is_terminal:
            if b"\n" in self._ahead:
                line = self._line_ahead()
                sys.stdout.write(f"{prompt}{printable(line)}\n")
                return line
            self._load_line_editor()
            try:
                return input(prompt)
            except EOFError:
                sys.stdout.write("\n")
                raise EndOfInput from None
        sys.stdout.write(prompt)
        sys.stdout.flush()
        line = sys.stdin.readline() if sys.stdin else ""
        # Echo it, so that the output reads like a conversation.
        sys.stdout.write(printable(line.rstrip("\r\n")) + "\n")
        if not line:
            raise EndOfInput
        return line.rstrip("\r\n")

    def ask_until(self, prompt: Callable[[int], str], deadline: float, untimed: str) -> str | None:
        """Read one line, or return None when time is up; ``prompt`` gets the seconds left.

        Time runs only for people: through a pipe, or on a terminal that can't be polled, the prompt
        is ``untimed`` and there is no deadline. A half-typed line is dropped when time is up.
        """
        if not (self.is_terminal and _can_poll_terminal()):
            return self.ask(untimed)
        import select

        left = math.ceil(deadline - time.monotonic())
        sys.stdout.write(prompt(max(0, left)))
        sys.stdout.flush()
        while left > 0:
            if b"\n" in self._ahead:
                return self._line_ahead()
            wait = max(0.0, deadline - (left - 1) - time.monotonic())
            if select.select([sys.stdin], [], [], wait)[0]:
                typed = os.read(sys.stdin.fileno(), 4096)
                if not typed:
                    sys.stdout.write("\n")
                    raise EndOfInput
                self._ahead += typed
            else:
                left = math.ceil(deadline - time.monotonic())
                sys.stdout.write(f"{SAVE_CURSOR}\r{prompt(max(0, left))}{RESTORE_CURSOR}")
                sys.stdout.flush()
        self._ahead = b""
        _discard_typed_input()
        sys.stdout.write("\n")
        return None

    def _line_ahead(self) -> str:
        line, _, self._ahead = self._ahead.partition(b"\n")
        return line.decode(sys.stdin.encoding, "replace").rstrip("\r")

    def half_typed(self) -> str:
        """What somebody has typed of a line."""
        if "readline" not in sys.modules:
            return ""
        import readline

        return readline.get_line_buffer()

    def confirm(self, question: str) -> bool:
        """Ask a yes-or-no question; through a pipe the answer is no."""
        return self.is_terminal and self.ask(f"{question} [y/N] ").strip().lower() in ("y", "yes")

    def _load_line_editor(self) -> None:
        """Give input() history and completion where Python has readline; Windows doesn't."""
        if self._edits_lines:
            return
        self._edits_lines = True
        with contextlib.suppress(ImportError):
            import readline

            readline.set_completer(self._completion)
            readline.set_completer_delims(" ")
            is_libedit = "libedit" in (readline.__doc__ or "")
            readline.parse_and_bind("bind ^I rl_complete" if is_libedit else "tab: complete")

    def _completion(self, typed: str, index: int) -> str | None:
        found = [word for word in self._words() if word.startswith(typed.lower())]
        return found[index] if index < len(found) else None


def _can_poll_terminal() -> bool:
    """Whether the system can wait for a line with a timeout; Windows can't."""
    return importlib.util.find_spec("termios") is not None


def _discard_typed_input() -> None:
    import termios

    termios.tcflush(sys.stdin, termios.TCIFLUSH)
