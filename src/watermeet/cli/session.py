"""A match at one terminal: show it, ask whoever is to move, and end it.

On a terminal's screen the board is redrawn in place (screen.py). Through a pipe everything is
printed line by line, so that the output reads like a conversation.
"""

from __future__ import annotations

import sys
import time
from collections.abc import Callable, Iterable
from typing import TYPE_CHECKING

from watermeet.cli.console import picture
from watermeet.cli.frames import compose
from watermeet.cli.opponents import Opponents, thoughts_of
from watermeet.cli.reader import EndOfInput, Reader
from watermeet.cli.screen import Screen, on_resize
from watermeet.cli.seats import HUMAN
from watermeet.cli.storage import Autosave
from watermeet.cli.wording import listed, sentence, told, with_names_in_picture
from watermeet.core.contract import CHANCE
from watermeet.core.errors import WatermeetError

if TYPE_CHECKING:
    from rich.console import Console
    from rich.text import Text

    from watermeet.cli.match import Match
    from watermeet.core.game import Clock
    from watermeet.core.state import State
    from watermeet.search.result import SearchResult

TURN_SECONDS = 0.6
"""How long a turn stays on the screen when bots play alone."""


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
        has_screen = reader.is_terminal and not console.is_dumb_terminal
        self.screen = Screen(console) if has_screen else None
        self._messages: list[Text] = []  # Below the board until the next line is typed.
        self._latest: list[str] = []  # What the others did since the viewer last moved.
        self._prompt = ""  # While somebody is asked.
        reader.complete(lambda: [*self.match.state.legal_moves, *commands])

    # ---- the course of a match ----

    def run(self) -> None:
        """Play until the match is over or the players quit."""
        self._begin()
        if self.screen is not None:
            on_resize(self._resized)
        try:
            while not self.has_quit:
                self._step()
        except EndOfInput:
            self._leave()
        finally:
            self.opponents.close()

    def _begin(self) -> None:
        everybody = (None, *range(self.match.game.seats))
        self._reported = dict.fromkeys(everybody, len(self.match.actions))
        self._labels = {}
        self._latest = []
        self.viewer = self.match.humans[0] if len(self.match.humans) == 1 else None
        self._stale = True
        self._greet()

    def again(self) -> None:
        """Start another match with the same players, who move on by one seat."""
        self.match = self.match.rematch()
        self.opponents.close()
        self.opponents = Opponents(self.match.game, self.match.kinds, self.match.seed)
        self.autosave = Autosave()
        self.is_saved, self._deadline = True, None
        self._begin()

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
        began = time.monotonic()
        mover = self.match.state.to_move
        self.match.play(self.match.sample_chance() if mover == CHANCE else self._bot_action())
        self.changed()
        is_turn_over = self.match.state.to_move != mover and not self.match.is_over
        if is_turn_over and not self.match.humans:
            self.show()
            self._messages.clear()
            if self.screen is not None and mover != CHANCE:
                time.sleep(max(0.0, began + TURN_SECONDS - time.monotonic()))

    def _bot_action(self) -> int:
        state = self.match.state
        if self.match.humans:
            self.save()  # Whatever happens to the bot, nobody's moves are lost.
            if self.screen is not None:
                self._draw()  # A person's move is on the board while a bot thinks.
        name = self.match.name(state.to_move)
        answer = self.opponents.answer(state, len(self.match.actions), name)
        if self.shows_thinking and answer.search is not None:
            self._messages.clear()  # What the bots before it thought.
            self.show_thinking(f"{name} thinks", answer.search)
        return answer.action

    def show_thinking(self, who: str, thought: SearchResult) -> None:
        """Show what a search thinks of the current state."""
        state = self.match.state
        thoughts = thoughts_of(state.conceal(state.to_move), thought)
        if self.screen is None:
            self.say(f"{who}: {'; '.join(thoughts.sentences)}.", "dim")
            return
        self.say(who, "bold")
        width = max(len(move) for move, _, _ in thoughts.candidates)
        share_width = max(len(chances) for _, chances, _ in thoughts.candidates)
        for move, chances, words in thoughts.candidates:
            self.say(f"  {move:<{width}}  {chances:<{share_width}}  {words}".rstrip())
        if thoughts.expects:
            self.say(f"  expects {thoughts.expects}", "dim")
        self.say(f"  {thoughts.effort}", "dim")

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
        elif self.screen is not None:
            self._draw()
        self._prompt = f"{self.match.name(seat)}> "
        clock = self.match.game.clock
        if clock is None or clock.move not in self.match.state.legal_moves:
            self._do(self.reader.ask(self._prompt))
        else:
            self._ask_on_clock(seat, clock)

    def _do(self, line: str) -> None:
        """Do what a typed line says; what was said before has been read."""
        self._prompt = ""
        self._messages.clear()
        self._execute(self, line)

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
            self._prompt = ""
            self.say("Time is up!", "bold yellow")
            self.match.play(clock.move)
            self.changed()
        else:
            self._do(line)
        if any(entry.move == clock.move for entry in self.match.entries[before:]):
            self._deadline = None

    def _hand_over(self, seat: int) -> None:
        """Hide one player's hand before the next one looks; nobody looks through a pipe."""
        changes = self.viewer != seat
        self.viewer = seat
        if not (changes and self._hides_hands()):
            return
        self._stale = True
        self._messages.clear()
        if self.screen is not None:
            self.screen.clear()
            self.reader.ask(f"Pass the screen to {self.match.name(seat)}, then press Enter. ")
            self.screen.clear()

    def _hides_hands(self) -> bool:
        """Whether people share the screen and one knows what another must not see."""
        if not self.match.game.hidden or len(self.match.humans) < 2:
            return False
        state = self.match.state
        first, *others = (state.conceal(seat).array.tobytes() for seat in self.match.humans)
        return any(other != first for other in others)

    # ---- what is shown ----

    def say(self, text: str, style: str = "") -> None:
        """Say something: below the board, or on the next lines of a pipe."""
        if self.screen is None:
            self.console.print(text, style=style or None)
            return
        from rich.text import Text

        self._messages += [Text(line, style=style) for line in text.split("\n")]

    @property
    def message_width(self) -> int:
        """How wide messages may be."""
        return self.console.width if self.screen is None else self.screen.message_width

    def say_lines(self, lines: Iterable[str]) -> None:
        """Say lines that mustn't be wrapped."""
        for line in lines:
            if self.screen is None:
                self.console.print(line, soft_wrap=True)
            else:
                self.say(line)

    def show_error(self, error: WatermeetError) -> None:
        """Say why something was refused; nothing is lost."""
        self.say(sentence(self.match.named(error.message)), "yellow")
        if error.hint:
            self.say(sentence(self.match.named(error.hint)))

    def _greet(self) -> None:
        game = self.match.game
        if self.screen is None:
            self.say(game.full_title, "bold")
            names = [self.match.name(seat) for seat in range(game.seats)]
            duel = game.seats == len(game.teams) == 2
            self.say(" against ".join(names) if duel else listed(names))
        if self.match.humans and not self.match.is_over:
            self.say("Type a move. ? lists the legal moves, help lists the commands.", "dim")

    def show(self) -> None:
        """Show the news, the board and what to do now, as the viewer may see it."""
        self._stale = False
        self._latest = self._news()
        if self.screen is not None:
            self._draw()
            return
        state = self.match.state
        drawn = state.render(self.viewer, self.match.last_turn(self.viewer))
        board = picture(
            with_names_in_picture(drawn, self.match.names_by_label), self.console.encoding
        )
        self.console.print()
        for line in self._latest:
            self.say(line)
        self.console.print(board, no_wrap=True, overflow="ignore", crop=False)
        self.say(self.match.named(str(state.view(self.viewer)["sentence"])))

    def _draw(self) -> None:
        """Draw the screen again."""
        assert self.screen is not None, "a pipe has no screen"
        news, messages = self._latest, tuple(self._messages)
        self.screen.draw(
            compose(self.match, self.viewer, self.console, news=news, messages=messages)
        )

    def _resized(self) -> None:
        """The window has another size: draw the screen again, with the line being typed."""
        if self._prompt:
            self._draw()
            sys.stdout.write(self._prompt + self.reader.half_typed())
            sys.stdout.flush()

    def _news(self) -> list[str]:
        """What the others did since the viewer last looked."""
        first = self._reported[self.viewer]
        viewers = (self.viewer,) if self._hides_hands() else (self.viewer, *self.match.humans)
        for viewer in viewers:  # With nothing to hide, everybody looks on.
            self._reported[viewer] = len(self.match.actions)
        turns: list[tuple[int, str, list[str], list[str]]] = []
        for index in range(first, len(self.match.actions)):
            mover = self.match.mover(index)
            if self._watched(mover):
                continue
            seen = self.match.is_seen(index, self.viewer)
            if mover == CHANCE and not seen and self.screen is not None:
                continue
            move = self.match.entries[index].move.removeprefix("~") if seen else "(hidden)"
            if not turns or turns[-1][0] != mover:
                turns.append((mover, self._mover_name(mover, self.match.states[index]), [], []))
            turns[-1][2].append(move)
            turns[-1][3].append(self.match.words(index) if seen else "")
        lines = [told(name, moves, words) for _, name, moves, words in turns]
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
        """Show the final board and the winner; offer another match."""
        if self._stale:
            self.save()
            if len(self.match.humans) == 1:
                self.viewer = self.match.humans[0]
            self._messages.clear()
            self.show()
            self.say(
                self.match.result(self.console.encoding), "bold green" if self.screen else "bold"
            )
            self._say_where_saved()
            if self.reader.is_terminal:
                self.say("You can also type save FILE, undo, moves or help.", "dim")
        if not (self.reader.is_terminal or self.match.humans):
            self.has_quit = True
            return
        if self.screen is not None:
            self._draw()
        self._prompt = "Play again? [y/N] " if self.reader.is_terminal else "over> "
        line = self.reader.ask(self._prompt).strip()
        if line.lower() in ("y", "yes"):
            line = "again"
        if line.lower() in ("", "n", "no"):
            self.has_quit = True
        else:
            self._do(line)

    def _leave(self) -> None:
        """The input ended."""
        if not self.match.is_over:
            self.save()
            self.say("The input ended before the match did.")
            self._say_where_saved()
            self.flush_messages()

    def _say_where_saved(self) -> None:
        if self.autosave.path is not None:
            self.say_lines([f"Saved to {self.autosave.path}"])
            if not self.match.is_over:
                self.say("To continue: watermeet play --resume")

    def flush_messages(self) -> None:
        """Print what would have been shown with the next board: there is none."""
        for message in self._messages:
            self.console.print(message, soft_wrap=True)
        self._messages.clear()
