"""Reads lines from people at a terminal and from programs through a pipe."""

from __future__ import annotations

import contextlib
import sys
from collections.abc import Callable, Sequence

from watermeet.cli.console import printable


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

    def complete(self, words: Callable[[], Sequence[str]]) -> None:
        """Names what the Tab key may complete."""
        self._words = words

    def ask(self, prompt: str) -> str:
        """One line, without its end; raises EndOfInput."""
        if self.is_terminal:
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
