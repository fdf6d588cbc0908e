"""The table: shows a match to those who sit at it, asks whose turn it is, and ends it."""

from __future__ import annotations

import sys
import time
from typing import TYPE_CHECKING

from watermeet.cli import prompt
from watermeet.cli.console import picture
from watermeet.cli.opponents import Opponents, in_words
from watermeet.cli.reader import EndOfInput, Reader
from watermeet.cli.seats import HUMAN
from watermeet.core.contract import CHANCE
from watermeet.core.errors import WatermeetError

if TYPE_CHECKING:
    from rich.console import Console

    from watermeet.cli.match import Match
    from watermeet.cli.storage import Keeper
    from watermeet.core.game import Clock
    from watermeet.core.state import State
    from watermeet.search.thought import Thought

CLEAR_SCREEN = "\x1b[H\x1b[2J\x1b[3J"  # With what was scrolled away: it may show a hand.


class Table:
    """One match at one terminal, from the first picture to the last word."""

    def __init__(
        self,
        match: Match,
        console: Console,
        reader: Reader,
        keeper: Keeper,
        *,
        shows_thoughts: bool = False,
    ) -> None:
        self.match = match
        self.opponents = Opponents(match.game, match.kinds, match.seed)
        self.shows_thoughts = shows_thoughts
        self.console = console
        self.reader = reader
        self.keeper = keeper
        self.has_quit = False
        self.is_saved = True  # Nothing was played since the last save.
        self.viewer: int | None = None  # The seat whose eyes are on the screen.
        self._told: dict[int | None, int] = {}  # By viewer: how many actions were told.
        self._labels: dict[int, str] = {}  # By viewer: what the seat was called last.
        self._stale = True  # The screen shows another state than this.
        self._time_is_up_at: float | None = None  # By time.monotonic(), where a clock runs.
        reader.complete(self._completions)

    def _completions(self) -> list[str]:
        return [*self.match.state.legal_moves, *prompt.COMMANDS]

    # ---- the course of a match ----

    def run(self) -> None:
        """Plays until the match is over, or until nobody wants to go on."""
        self._told = dict.fromkeys((None, *range(self.match.game.seats)), len(self.match.actions))
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
            self._play_drawn()
        else:
            self._ask(state.to_move)

    def _play_drawn(self) -> None:
        """Chance or a bot acts. Without people the screen follows turn by turn."""
        mover = self.match.state.to_move
        self.match.play(self.match.draw() if mover == CHANCE else self._answer_of_bot())
        self.changed()
        is_turn_over = self.match.state.to_move != mover and not self.match.is_over
        if is_turn_over and not self.match.humans:
            self.show()

    def _answer_of_bot(self) -> int:
        state = self.match.state
        if self.match.humans:
            self.keep()  # Whatever becomes of the bot, what people played is not lost.
        answer = self.opponents.answer(state, len(self.match.actions))
        if self.shows_thoughts and answer.thought is not None:
            self.tell_thought(f"{self.match.name(state.to_move)} thinks", answer.thought)
        return answer.action

    def tell_thought(self, who: str, thought: Thought) -> None:
        """Writes what a search thinks of the state now."""
        state = self.match.state
        lines = in_words(state.conceal(state.to_move), thought)
        self.say(f"{who}: {'; '.join(lines)}.", "dim")

    def changed(self) -> None:
        """Notes that the match is another one now: the screen and the saved file are behind."""
        self._stale = True
        self.is_saved = False
        for viewer, count in self._told.items():
            self._told[viewer] = min(count, len(self.match.actions))

    def keep(self) -> None:
        """Writes the match to where it can be resumed from."""
        if not self.is_saved:
            self.keeper.keep(self.match.record().format())

    def _ask(self, seat: int) -> None:
        """One line from the person at a seat."""
        self._draw_curtain(seat)
        if self._stale:
            self.keep()
            self.show()
        clock = self.match.game.clock
        if clock is None or clock.move not in self.match.state.legal_moves:
            prompt.obey(self, self.reader.ask(f"{self.match.name(seat)}> "))
        else:
            self._ask_in_time(seat, clock)

    def _ask_in_time(self, seat: int, clock: Clock) -> None:
        """The same while a clock runs; when it has run out, time is up."""
        name = self.match.name(seat)
        if self._time_is_up_at is None:
            self._time_is_up_at = time.monotonic() + clock.seconds
        line = self.reader.ask_until(
            lambda left: f"{name} {left // 60}:{left % 60:02}> ", self._time_is_up_at, f"{name}> "
        )
        before = len(self.match.actions)
        if line is None:
            self.say("Time is up!", "bold yellow")
            self.match.play(clock.move)
            self.changed()
        else:
            prompt.obey(self, line)
        if any(entry.move == clock.move for entry in self.match.entries[before:]):
            self._time_is_up_at = None

    def _draw_curtain(self, seat: int) -> None:
        """Hides one person's hand before the next one looks; through a pipe nobody looks."""
        changes = self.viewer != seat
        self.viewer = seat
        if not (changes and self._has_curtain()):
            return
        self._stale = True
        if self.reader.is_terminal:
            name = self.match.name(seat)
            self._clear()
            self.reader.ask(f"Pass the screen to {name}, who then presses Enter. ")
            self._clear()

    def _has_curtain(self) -> bool:
        """Whether several people share the screen, and one knows what another must not see."""
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
        """Writes a paragraph, wrapped to the width of the screen."""
        self.console.print(text, style=style or None)

    def complain(self, error: WatermeetError) -> None:
        """Tells why something was refused; nothing is lost by it."""
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
            self.say("Type a move; ? lists what can be played, help tells the rest.", "dim")

    def _kind_word(self, seat: int) -> str:
        return "you" if self.match.humans == (seat,) else self.match.kinds[seat]

    def show(self) -> None:
        """The news, the picture and what happens now, for the eyes of the viewer alone."""
        self._stale = False
        state = self.match.state
        sentence = state.view(self.viewer)["sentence"]
        drawing = state.render(self.viewer, self.match.last_turn(self.viewer))
        self.console.print()
        for line in self._news():
            self.say(line)
        self.console.print(
            picture(drawing, self.console.encoding), no_wrap=True, overflow="ignore", crop=False
        )
        self.say(str(sentence))

    def _news(self) -> list[str]:
        """What others did since the viewer was last told."""
        first = self._told[self.viewer]
        told = (self.viewer,) if self._has_curtain() else (self.viewer, *self.match.humans)
        for viewer in told:  # Without a curtain all look on.
            self._told[viewer] = len(self.match.actions)
        turns: list[tuple[int, str, list[str]]] = []
        for index in range(first, len(self.match.actions)):
            mover = self.match.mover(index)
            if self._did_it_here(mover):
                continue
            seen = self.match.is_seen(index, self.viewer)
            move = self.match.entries[index].move.removeprefix("~") if seen else "(unseen)"
            if not turns or turns[-1][0] != mover:
                turns.append((mover, self._mover_name(mover, self.match.states[index]), []))
            turns[-1][2].append(move)
        lines = [f"{name}: {' '.join(moves)}" for _, name, moves in turns]
        return lines + self._new_label()

    def _did_it_here(self, mover: int) -> bool:
        """Whether who moved did so before the viewer's eyes, so that it is no news."""
        return mover == self.viewer or (mover in self.match.humans and not self._has_curtain())

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
        """The last picture, who won, and a chance to save or to take back."""
        if self._stale:
            self.keep()
            if len(self.match.humans) == 1:
                self.viewer = self.match.humans[0]
            self.show()
            self.say(self._verdict(), "bold")
            self._tell_where()
            if self.reader.is_terminal:
                self.say("save FILE keeps the record, undo takes back, Enter leaves.", "dim")
        if not (self.reader.is_terminal or self.match.humans):
            self.has_quit = True
            return
        line = self.reader.ask("over> ")
        if line.strip():
            prompt.obey(self, line)
        else:
            self.has_quit = True

    def _verdict(self) -> str:
        outcome = self.match.state.outcome
        assert outcome is not None, "a verdict is asked for when the match is over"
        names = [self.match.name(seat) for seat in outcome.winners]
        if len(self.match.game.teams) == 1:
            together = " together" if self.match.game.seats > 1 else ""
            return f"You have {'won' if names else 'lost'}{together}."
        if not names:
            return "Nobody gets more than another."
        return f"{' and '.join(names)} {'wins' if len(names) == 1 else 'win'}."

    def _leave(self) -> None:
        """The input ended."""
        if not self.match.is_over:
            self.keep()
            self.say("The input ended, and the match is not finished.")
            self._tell_where()

    def _tell_where(self) -> None:
        if self.keeper.kept_in is not None:
            self.console.print(f"The record is kept in {self.keeper.kept_in}", soft_wrap=True)
            if not self.match.is_over:
                self.say("watermeet play --resume goes on with it.")
