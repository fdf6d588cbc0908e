"""A match on a terminal's screen, redrawn in place: the board, and what is said about it.

A wide window has a column for players, moves and messages beside the board. In a narrow one they
are above and below it.
"""

from __future__ import annotations

import re
import signal
import sys
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from itertools import zip_longest
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from rich.console import Console
    from rich.text import Text

HOME = "\x1b[H"
CLEAR_LINE = "\x1b[K"
CLEAR_BELOW = "\x1b[J"
CLEAR_ALL = "\x1b[H\x1b[2J\x1b[3J"  # Clears the scrollback too: it may show somebody's hand.

WIDE = 110
"""From how many columns on the window has a side column."""
NARROWEST_SIDE, WIDEST_SIDE, GAP = 28, 64, 3
FEWEST_MOVES = 8


@dataclass(frozen=True)
class Frame:
    """What a screen shows, top to bottom; each is a list of lines."""

    title: Text
    players: Sequence[Text]
    board: Sequence[Text]
    moves: Sequence[Text]  # The latest last; as many are shown as there is space for.
    news: Sequence[Text]  # Instead of the moves, in a narrow window.
    sentence: Text
    messages: Sequence[Text]


class Screen:
    """Draws frames. Lines that nothing was drawn on before scroll out of sight first."""

    def __init__(self, console: Console) -> None:
        self._console = console
        self._has_begun = False
        self.message_width = console.width
        """How wide messages are: as the column that they are in."""

    def clear(self) -> None:
        """Clear the screen and what has scrolled away."""
        sys.stdout.write(CLEAR_ALL)
        sys.stdout.flush()

    def draw(self, frame: Frame) -> None:
        """Draw a frame over the last one; the cursor ends on the line below it."""
        lines = self._arrange(frame)
        with self._console.capture() as captured:
            for line in lines:
                self._console.print(line, no_wrap=True, overflow="ignore", crop=True)
        begin = "" if self._has_begun else "\n" * (self._console.height - 1)
        self._has_begun = True
        text = captured.get().replace("\n", f"{CLEAR_LINE}\n")
        sys.stdout.write(f"{begin}{HOME}{text}{CLEAR_BELOW}")
        sys.stdout.flush()

    # ---- where things go ----

    def _arrange(self, frame: Frame) -> list[Text]:
        width, room = self._console.width, self._console.height - 1
        board_width = max((line.cell_len for line in frame.board), default=0)
        side_width = min(WIDEST_SIDE, width - board_width - GAP)
        is_wide = width >= WIDE and side_width >= NARROWEST_SIDE
        self.message_width = side_width if is_wide else width
        if is_wide:
            lines = self._beside(frame, board_width, side_width, room)
        else:
            lines = self._below(frame, room)
        if len(lines) <= room or not frame.messages:
            return lines
        return self._page(frame)

    def _beside(self, frame: Frame, board_width: int, side_width: int, room: int) -> list[Text]:
        from rich.text import Text

        below = [Text(), *self._wrap([frame.sentence], self._console.width)]
        players = [*self._wrap([frame.title], side_width), Text(), *frame.players, Text()]
        messages = self._wrap(frame.messages, side_width)
        messages = [Text(), *messages] if messages else []
        height = max(len(frame.board), len(players) + FEWEST_MOVES + len(messages))
        height = min(height, max(len(frame.board), room - len(below)))
        count = max(0, height - len(players) - len(messages))
        side = [*players, *(frame.moves[-count:] if count else ()), *messages]
        rows = []
        for left, beside in zip_longest(frame.board, side, fillvalue=Text()):
            gap = " " * (board_width + GAP - left.cell_len) if beside.plain else ""
            right = beside.copy()
            right.truncate(side_width, overflow="ellipsis")
            rows.append(Text.assemble(left, gap, right))
        return rows + below

    def _below(self, frame: Frame, room: int) -> list[Text]:
        from rich.text import Text

        width = self._console.width
        messages = self._wrap(frame.messages, width)
        news = self._wrap(frame.news, width)
        end = [*self._wrap([frame.sentence], width), *messages]
        names = [Text(re.sub(r"(?<=\S) +", " ", line.plain), line.style) for line in frame.players]
        title = Text(frame.title.plain, "dim")
        players = self._wrap([Text("   ").join([title, *names])], width)
        for top in ([*players, Text()], players, []):
            for latest in (news, news[-1:], []):
                lines = [*top, *frame.board, *latest, *end]
                if len(lines) <= room:
                    return lines
        return lines

    def _page(self, frame: Frame) -> list[Text]:
        """Messages that leave no space for the board."""
        from rich.text import Text

        note = Text("Press Enter to see the board again.", style="dim")
        return [*self._wrap(frame.messages, self._console.width), note]

    def _wrap(self, texts: Iterable[Text], width: int) -> list[Text]:
        return [line for text in texts for line in text.wrap(self._console, width)]


def on_resize(redraw: Callable[[], None]) -> None:
    """Call a function whenever the window has changed its size, where the system says so.

    Call this before input() loads readline, which passes the signal on to whoever had it before.
    """
    if hasattr(signal, "SIGWINCH"):
        signal.signal(signal.SIGWINCH, lambda *_: redraw())
