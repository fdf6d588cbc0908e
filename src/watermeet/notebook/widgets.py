"""The widgets of a notebook: anywidget's side of matches.py."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import anywidget
import traitlets

from watermeet.core.game import Game
from watermeet.core.options import Value
from watermeet.core.record import Record
from watermeet.core.state import State
from watermeet.notebook.matches import PlayedMatch, RecordedMatch
from watermeet.notebook.module import widget_module
from watermeet.notebook.position import Shown


class _Widget(anywidget.AnyWidget):  # type: ignore[misc,unused-ignore]
    """A board. ``_shown`` is what it shows; messages say what somebody did."""

    _esm = traitlets.Unicode().tag(sync=True)
    _shown = traitlets.Dict().tag(sync=True)
    _held: PlayedMatch | RecordedMatch

    def __init__(self) -> None:
        super().__init__(_esm=widget_module())
        self.on_msg(self._receive)

    def _publish(self, shown: Shown) -> None:
        self._shown = shown

    def _receive(self, _: object, message: Mapping[str, Any], __: object) -> None:
        self._held.receive(message)

    def close(self) -> None:
        """Close the widget and its bots."""
        self._held.close()
        super().close()


class Board(_Widget):
    """A match against bots, which run in the notebook's kernel.

    ``what`` is a game, its name (with options), a state to begin with or a record to continue.
    ``players`` are those of ``watermeet play --seats``, by default you against stream. With
    ``thinking`` the board shows what the strongest bot thinks whenever it is your turn.
    """

    _held: PlayedMatch

    def __init__(
        self,
        what: str | Game | State | Record,
        players: str | None = None,
        *,
        seed: int | None = None,
        thinking: bool = False,
        **options: Value,
    ) -> None:
        super().__init__()
        self._held = PlayedMatch(
            what, players, self._publish, seed=seed, thinking=thinking, options=options
        )

    @property
    def state(self) -> State:
        """The position, hidden things included."""
        return self._held.match.state

    @property
    def record(self) -> Record:
        """The match so far."""
        return self._held.match.record()

    def play(self, move: str | int) -> None:
        """Play a move for whoever is to move, and let the bots answer; raises IllegalMove."""
        self._held.play(move)


class Replay(_Widget):
    """A record to step through; ``seat`` sees what that seat saw, None what spectators saw."""

    _held: RecordedMatch

    def __init__(self, record: Record | str, *, seat: int | None = None) -> None:
        super().__init__()
        self._held = RecordedMatch(record, self._publish, seat=seat)

    @property
    def state(self) -> State:
        """The position that is shown."""
        return self._held.match.states[self._held.at]

    def step(self, to: int) -> None:
        """Show the position after ``to`` actions."""
        self._held.step(to)
