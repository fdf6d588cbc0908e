"""Reads lines from people at a terminal and from programs through a pipe."""

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
    """Nobody will type anything more."""


class Reader:
    """Asks for lines. ``is_terminal`` says whether a person can be asked things in between."""

    def __init__(self) -> None:
        self.is_terminal = all(
            stream is not None and stream.isatty() for stream in (sys.stdin, sys.stdout)
        )
        self._words: Callable[[], Sequence[str]] = tuple
        self._edits_lines = False
        self._ahead = b""  # Read from the terminal while a clock ran, and not yet asked for.

    def complete(self, words: Callable[[], Sequence[str]]) -> None:
        """Names what the Tab key may complete."""
        self._words = words

    def ask(self, prompt: str) -> str:
        """One line, without its end; raises EndOfInput."""
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
        # Nobody typed it on the screen, so that what is written reads like a conversation.
        sys.stdout.write(printable(line.rstrip("\r\n")) + "\n")
        if not line:
            raise EndOfInput
        return line.rstrip("\r\n")

    def ask_until(self, prompt: Callable[[int], str], deadline: float, standing: str) -> str | None:
        """One line, or None if the time is up first; the prompt is told the seconds left.

        Time is a matter for people: through a pipe, and where a terminal cannot be watched, it does
        not run, and the prompt is ``standing``. What was typed but not sent when time is up is
        dropped.
        """
        if not (self.is_terminal and _can_watch_terminal()):
            return self.ask(standing)
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
        _drop_what_was_typed()
        sys.stdout.write("\n")
        return None

    def _line_ahead(self) -> str:
        line, _, self._ahead = self._ahead.partition(b"\n")
        return line.decode(sys.stdin.encoding, "replace").rstrip("\r")

    def confirm(self, question: str) -> bool:
        """Whether a person says yes; through a pipe nobody does."""
        return self.is_terminal and self.ask(f"{question} [y/N] ").strip().lower() in ("y", "yes")

    def _load_line_editor(self) -> None:
        """Gives input() a history and completion where Python has them; Windows has none."""
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


def _can_watch_terminal() -> bool:
    """Whether this system can wait for a line and for time at once; Windows cannot."""
    return importlib.util.find_spec("termios") is not None


def _drop_what_was_typed() -> None:
    import termios

    termios.tcflush(sys.stdin, termios.TCIFLUSH)
