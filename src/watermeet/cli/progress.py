"""Progress on the terminal for long work that Ctrl-C can stop at once."""

from __future__ import annotations

import sys
import threading
import time
from collections.abc import Callable
from typing import Generic, Self, TypeVar

T = TypeVar("T")

SHOW_AFTER_S = 0.5
"""How long to wait before showing anything."""
REFRESH_S = 0.1
NARROWEST_BAR, WIDEST_BAR = 4, 24


class _Work(Generic[T]):
    """A function running in its own thread, because compiled code ignores Ctrl-C."""

    def __init__(self, function: Callable[[], T]) -> None:
        self._function = function
        self._answers: list[T] = []
        self._error: BaseException | None = None
        self._thread = threading.Thread(target=self._run, daemon=True)

    def _run(self) -> None:
        try:
            self._answers.append(self._function())
        except BaseException as error:  # noqa: BLE001 - re-raised by answer().
            self._error = error

    def start(self) -> None:
        self._thread.start()

    def is_done_within(self, seconds: float) -> bool:
        self._thread.join(seconds)
        return not self._thread.is_alive()

    def answer(self) -> T:
        if self._error is not None:
            raise self._error
        return self._answers[0]


class Counter:
    """Progress reported by the work and shown on the terminal."""

    def __init__(self) -> None:
        self.count = 0

    def __call__(self, count: int) -> None:
        """Report progress."""
        self.count = count


def run_with_progress(function: Callable[[], T], label: str, counter: Counter | None = None) -> T:
    """Run a function, showing elapsed time and progress on a terminal."""
    work = _Work(function)
    work.start()
    if work.is_done_within(SHOW_AFTER_S):
        return work.answer()
    if sys.stderr is None or not sys.stderr.isatty():
        while not work.is_done_within(3600.0):
            pass
        return work.answer()
    _show_until_done(work, label, counter)
    return work.answer()


def _show_until_done(work: _Work[T], label: str, counter: Counter | None) -> None:
    from watermeet.cli.console import make_console

    begun = time.monotonic() - SHOW_AFTER_S
    with make_console(stderr=True).status(label) as status:
        while not work.is_done_within(REFRESH_S):
            seconds = time.monotonic() - begun
            count = f", {counter.count:,} nodes" if counter and counter.count else ""
            status.update(f"{label}: {seconds:.0f} s{count}")


class Bar:
    """A progress bar with a status line, shown only on a terminal."""

    def __init__(self, total: int, done: int = 0) -> None:
        from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn
        from rich.progress import TimeRemainingColumn as TimeLeft

        from watermeet.cli.console import make_console

        console = make_console(stderr=True)
        self._bar_width = max(NARROWEST_BAR, min(WIDEST_BAR, console.width // 5))
        self._total = total
        self._progress = Progress(
            BarColumn(bar_width=self._bar_width),
            MofNCompleteColumn(),
            TimeLeft(),
            TextColumn("{task.description}", markup=False),
            console=console,
            transient=True,
            disable=not console.is_terminal,
            refresh_per_second=4,
        )
        self._task = self._progress.add_task("", total=total, completed=done)
        self._next = 0.0

    def step(self, line: Callable[[], str]) -> None:
        """Advance by one step; ``line`` is called only when it is time to refresh."""
        self._progress.advance(self._task)
        if not self._progress.disable and time.monotonic() >= self._next:
            begun = time.monotonic()
            self._progress.update(self._task, description=self._cut(line()))
            # Refresh an expensive line less often.
            self._next = time.monotonic() + max(0.5, 20 * (time.monotonic() - begun))

    def _cut(self, line: str) -> str:
        """Cut a line to fit after the bar, leaving space for the ^C that Ctrl-C prints."""
        before = self._bar_width + 2 * len(str(self._total)) + len(" / 0:00:00 ") + 1
        space = max(0, self._progress.console.width - before - len("^C") - 1)
        return line if len(line) <= space else line[: max(0, space - 3)] + "..."[:space]

    def say(self, text: str) -> None:
        """Print a permanent line above the bar."""
        self._progress.console.print(text, soft_wrap=True)

    def __enter__(self) -> Self:
        self._progress.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._progress.stop()
