"""A match at one terminal: show it, ask whoever is to move, and end it."""

from __future__ import annotations

import sys
import time
from collections.abc import Callable, Iterable
from typing import TYPE_CHECKING

from watermeet.cli.console import picture
from watermeet.cli.opponents import Opponents, in_words
from watermeet.cli.reader import EndOfInput, Reader
from watermeet.cli.seats import HUMAN
from watermeet.core.contract import CHANCE
from watermeet.core.errors import WatermeetError

if TYPE_CHECKING:
    from rich.console import Console

    from watermeet.cli.match import Match
    from watermeet.cli.storage import Autosave
    from watermeet.core.game import Clock
    from watermeet.core.state import State
    from watermeet.search.result import SearchResult

CLEAR_SCREEN = "\x1b[H\x1b[2J\x1b[3J"  # Clears the scrollback too: it may show somebody's hand.


class Session:
    """One match at one terminal, from the first board to the result.

    ``execute`` runs a typed line; ``commands`` are the words that the Tab key completes besides
    moves.
    """

    def __init__(
        self,
        match: Match,
        console: Console,
        reader: Reader,
        autosave: Autosave,
        *,
        execute: Callable[[Session, str], None],
        commands: Iterable[str] = (),
        shows_thinking: bool = False,
    ) -> None:
        self.match = match
        self.opponents = Opponents(match.game, match.kinds, match.seed)
        self.shows_thinking = shows_thinking
        self.console = console
        self.reader = reader
        self.autosave = autosave
        self.has_quit = False
        self.is_saved = True  # Nothing was played since the last save.
        self.viewer: int | None = None  # The seat whose player is at the screen.
        self._execute = execute
        self._reported: dict[int | None, int] = {}  # By viewer: how many actions they have seen.
        self._labels: dict[int, str] = {}  # By viewer: the seat's label when it was last shown.
        self._stale = True  # The screen doesn't show the current state.
        self._deadline: float | None = None  # By time.monotonic(), while a clock runs.
        reader.complete(lambda: [*self.match.state.legal_moves, *commands])

    # ---- the course of a match ----

    def run(self) -> None:
        """Play until the match is over or the players quit."""
        everybody = (None, *range(self.match.game.seats))
        self._reported = dict.fromkeys(everybody, len(self.match.actions))
        self._greet()
        try:
            while not self.has_quit:
                self._step()
        except EndOfInput:
            self._leave()
        finally:
            self.opponents.close()

    def _step(self) -> None:
        state = self.match.state
        if self.match.is_over:
            self._end()
        elif state.to_move == CHANCE or self.match.kinds[state.to_move] != HUMAN:
            self._play_automatically()
        else:
            self._ask(state.to_move)

    def _play_automatically(self) -> None:
        """Let chance or a bot act. Without people, the screen follows turn by turn."""
        mover = self.match.state.to_move
        self.match.play(self.match.sample_chance() if mover == CHANCE else self._bot_action())
        self.changed()
        is_turn_over = self.match.state.to_move != mover and not self.match.is_over
        if is_turn_over and not self.match.humans:
            self.show()

    def _bot_action(self) -> int:
        state = self.match.state
        if self.match.humans:
            self.save()  # Whatever happens to the bot, nobody's moves are lost.
        answer = self.opponents.answer(state, len(self.match.actions))
        if self.shows_thinking and answer.search is not None:
            self.show_thinking(f"{self.match.name(state.to_move)} thinks", answer.search)
        return answer.action

    def show_thinking(self, who: str, thought: SearchResult) -> None:
        """Print what a search thinks of the current state."""
        state = self.match.state
        lines = in_words(state.conceal(state.to_move), thought)
        self.say(f"{who}: {'; '.join(lines)}.", "dim")

    def changed(self) -> None:
        """Note that the match has changed: the screen and the saved file are out of date."""
        self._stale = True
        self.is_saved = False
        for viewer, count in self._reported.items():
            self._reported[viewer] = min(count, len(self.match.actions))

    def save(self) -> None:
        """Save the match to where it can be resumed from."""
        if not self.is_saved:
            self.autosave.save(self.match.record().format())

    def _ask(self, seat: int) -> None:
        """Read one line from a seat's player."""
        self._hand_over(seat)
        if self._stale:
            self.save()
            self.show()
        clock = self.match.game.clock
        if clock is None or clock.move not in self.match.state.legal_moves:
            self._execute(self, self.reader.ask(f"{self.match.name(seat)}> "))
        else:
            self._ask_on_clock(seat, clock)

    def _ask_on_clock(self, seat: int, clock: Clock) -> None:
        """Read one line while a clock runs; play the clock's move when it runs out."""
        name = self.match.name(seat)
        if self._deadline is None:
            self._deadline = time.monotonic() + clock.seconds
        line = self.reader.ask_until(
            lambda left: f"{name} {left // 60}:{left % 60:02}> ", self._deadline, f"{name}> "
        )
        before = len(self.match.actions)
        if line is None:
            self.say("Time is up!", "bold yellow")
            self.match.play(clock.move)
            self.changed()
        else:
            self._execute(self, line)
        if any(entry.move == clock.move for entry in self.match.entries[before:]):
            self._deadline = None

    def _hand_over(self, seat: int) -> None:
        """Hide one player's hand before the next one looks; nobody looks through a pipe."""
        changes = self.viewer != seat
        self.viewer = seat
        if not (changes and self._hides_hands()):
            return
        self._stale = True
        if self.reader.is_terminal:
            self._clear()
            self.reader.ask(f"Pass the screen to {self.match.name(seat)}, then press Enter. ")
            self._clear()

    def _hides_hands(self) -> bool:
        """Whether people share the screen and one knows what another must not see."""
        if not self.match.game.hidden or len(self.match.humans) < 2:
            return False
        state = self.match.state
        first, *others = (state.conceal(seat).array.tobytes() for seat in self.match.humans)
        return any(other != first for other in others)

    def _clear(self) -> None:
        sys.stdout.write(CLEAR_SCREEN)
        sys.stdout.flush()

    # ---- what is shown ----

    def say(self, text: str, style: str = "") -> None:
        """Print a paragraph, wrapped to the width of the screen."""
        self.console.print(text, style=style or None)

    def show_error(self, error: WatermeetError) -> None:
        """Say why something was refused; nothing is lost."""
        self.say(error.message, "yellow")
        if error.hint:
            self.say(error.hint)

    def _greet(self) -> None:
        game = self.match.game
        self.say(f"{game.title}: {game.describe()}", "bold")
        players = [
            f"{self.match.name(seat)} is {self._kind_word(seat)}" for seat in range(game.seats)
        ]
        self.say(f"{', '.join(players)}.")
        if self.match.humans and not self.match.is_over:
            self.say("Type a move. ? lists the legal moves, help lists the commands.", "dim")

    def _kind_word(self, seat: int) -> str:
        return "you" if self.match.humans == (seat,) else self.match.kinds[seat]

    def show(self) -> None:
        """Show the news, the board and what to do now, as the viewer may see it."""
        self._stale = False
        state = self.match.state
        sentence = state.view(self.viewer)["sentence"]
        rendering = state.render(self.viewer, self.match.last_turn(self.viewer))
        self.console.print()
        for line in self._news():
            self.say(line)
        self.console.print(
            picture(rendering, self.console.encoding), no_wrap=True, overflow="ignore", crop=False
        )
        self.say(str(sentence))

    def _news(self) -> list[str]:
        """What the others did since the viewer last looked."""
        first = self._reported[self.viewer]
        viewers = (self.viewer,) if self._hides_hands() else (self.viewer, *self.match.humans)
        for viewer in viewers:  # With nothing to hide, everybody looks on.
            self._reported[viewer] = len(self.match.actions)
        turns: list[tuple[int, str, list[str]]] = []
        for index in range(first, len(self.match.actions)):
            mover = self.match.mover(index)
            if self._watched(mover):
                continue
            seen = self.match.is_seen(index, self.viewer)
            move = self.match.entries[index].move.removeprefix("~") if seen else "(hidden)"
            if not turns or turns[-1][0] != mover:
                turns.append((mover, self._mover_name(mover, self.match.states[index]), []))
            turns[-1][2].append(move)
        lines = [f"{name}: {' '.join(moves)}" for _, name, moves in turns]
        return lines + self._new_label()

    def _watched(self, mover: int) -> bool:
        """Whether the viewer saw the mover play, so that it is not news."""
        return mover == self.viewer or (mover in self.match.humans and not self._hides_hands())

    def _mover_name(self, mover: int, state: State) -> str:
        return "Chance" if mover == CHANCE else self.match.name(mover, state)

    def _new_label(self) -> list[str]:
        if self.viewer is None or len(self.match.humans) != 1:
            return []
        label = self.match.label(self.viewer)
        before = self._labels.setdefault(self.viewer, label)
        self._labels[self.viewer] = label
        return [f"You are {label} now."] if before != label else []

    # ---- the end ----

    def _end(self) -> None:
        """Show the final board and the winner; offer to save or take back."""
        if self._stale:
            self.save()
            if len(self.match.humans) == 1:
                self.viewer = self.match.humans[0]
            self.show()
            self.say(self._result(), "bold")
            self._say_where_saved()
            if self.reader.is_terminal:
                self.say("save FILE saves the record, undo takes back, Enter quits.", "dim")
        if not (self.reader.is_terminal or self.match.humans):
            self.has_quit = True
            return
        line = self.reader.ask("over> ")
        if line.strip():
            self._execute(self, line)
        else:
            self.has_quit = True

    def _result(self) -> str:
        outcome = self.match.state.outcome
        assert outcome is not None, "only a finished match has a result"
        names = [self.match.name(seat) for seat in outcome.winners]
        if len(self.match.game.teams) == 1:
            together = " together" if self.match.game.seats > 1 else ""
            return f"You {'won' if names else 'lost'}{together}."
        if not names:
            return "It's a draw."
        return f"{' and '.join(names)} {'wins' if len(names) == 1 else 'win'}."

    def _leave(self) -> None:
        """The input ended."""
        if not self.match.is_over:
            self.save()
            self.say("The input ended before the match did.")
            self._say_where_saved()

    def _say_where_saved(self) -> None:
        if self.autosave.path is not None:
            self.console.print(f"Saved to {self.autosave.path}", soft_wrap=True)
            if not self.match.is_over:
                self.say("To continue: watermeet play --resume")
