"""The bots of a match: created when they first move, closed with the match."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING, TypeVar

from watermeet.cli.progress import run_with_progress
from watermeet.cli.seats import RANDOM
from watermeet.cli.wording import to_you

if TYPE_CHECKING:
    from watermeet.bots.bot import Bot, PlayResult
    from watermeet.core.game import Game
    from watermeet.core.state import State
    from watermeet.search.result import SearchResult

T = TypeVar("T")
HINT_SECONDS = 2.0
READY = "Preparing the bot (slow the first time)"
_MOST_SHOWN = 5


class Opponents:
    """The bots at the seats that nobody else plays."""

    def __init__(self, game: Game, kinds: tuple[str, ...], seed: int) -> None:
        self._game, self._kinds, self._seed = game, kinds, seed
        self._bots: dict[str, Bot] = {}

    def answer(self, state: State, number: int, name: str) -> PlayResult:
        """Ask the bot at the seat to move for its move.

        ``number`` is the number of actions so far. It seeds the bot, so that taking a move back and
        playing it again gets the same reply. ``name`` is the bot's, to say who thinks.
        """
        kind = self._kinds[state.to_move]
        bot = self._bot(f"{state.to_move} {kind}", kind, state)
        bot.reseed((self._seed, number))
        known = state.conceal(state.to_move)
        if kind == RANDOM:  # Not worth loading the compiler for.
            return bot.play(known)
        return _outside_plain_python(lambda: bot.play(known), f"{name} thinks")

    def hint(self, state: State) -> SearchResult:
        """Ask the level of hints what it thinks of a state."""
        from watermeet.bots.levels import hint_level
        from watermeet.bots.search_bot import SearchBot
        from watermeet.search.limits import Limits

        level = hint_level(self._game)
        bot = self._bot("hint", level.name, state)
        assert isinstance(bot, SearchBot), "levels search"
        limits = Limits(seconds=HINT_SECONDS)
        known = state.conceal(state.to_move)
        return _outside_plain_python(lambda: bot.analyse(known, limits), "thinking")

    def _bot(self, key: str, kind: str, state: State) -> Bot:
        if key not in self._bots:
            # Creating a bot that doesn't search compiles nothing.
            self._bots[key] = _outside_plain_python(lambda: self._make(key, kind, state), READY)
        return self._bots[key]

    def _make(self, key: str, kind: str, state: State) -> Bot:
        """Create a bot and compile it now, so that compiling doesn't eat its thinking time."""
        from watermeet.bots.search_bot import SearchBot
        from watermeet.bots.specs import make_bot
        from watermeet.search.limits import Limits

        bot = make_bot(self._game, kind, seed=(self._seed, key))
        if isinstance(bot, SearchBot):
            bot.analyse(state.conceal(state.to_move), Limits(nodes=1))
            bot.new_match((self._seed, key))
        return bot

    def close(self) -> None:
        """Close all bots."""
        for bot in self._bots.values():
            bot.close()
        self._bots = {}


def _outside_plain_python(work: Callable[[], T], label: str) -> T:
    """Run with compiled kernels: searches need them, a person's own moves don't."""
    from watermeet.core.kernel import compiled_code

    with compiled_code():
        return run_with_progress(work, label)


@dataclass(frozen=True)
class Thoughts:
    """What a search thinks, for people."""

    candidates: tuple[tuple[str, str, str], ...]  # The move, its chances, what it does.
    expects: str
    effort: str

    @property
    def sentences(self) -> tuple[str, ...]:
        """All of it as text."""
        (move, chances, words), *others = self.candidates
        first = f"{move} ({words}), chances {chances}" if words else f"{move}, chances {chances}"
        then = ", ".join(f"{move} {chances}" for move, chances, _ in others)
        lines = (first, self.effort, then and f"then {then}")
        return tuple(line for line in (*lines, self.expects and f"expects {self.expects}") if line)


def thoughts_of(state: State, thought: SearchResult) -> Thoughts:
    """The best moves, the expected line, and what it took."""
    low, high = state.game.returns_range
    listed = thought.candidates[:_MOST_SHOWN]
    candidates = tuple(
        (
            state.format(each.action),
            f"{min(1.0, max(0.0, (each.value - low) / (high - low))):.0%}",
            to_you(state.describe(each.action)),
        )
        for index, each in enumerate(listed)
        if index == 0 or each.visits
    )
    if thought.proven:
        move, chances, words = candidates[0]
        candidates = ((move, f"{chances}, proven", words), *candidates[1:])
    effort = f"{thought.nodes:,} nodes in {thought.seconds:.1f} s"
    if thought.depth:
        effort += f", {thought.depth} actions deep"
    line = _line_in_words(state, thought.pv) if len(thought.pv) > 1 else ""
    return Thoughts(candidates, line, effort)


def _line_in_words(state: State, line: tuple[int, ...]) -> str:
    """The moves of a line, as far as they are legal in what is known."""
    words: list[str] = []
    for action in line:
        if state.to_move < 0 or not state.is_legal(action):
            break
        words.append(state.format(action))
        state = state.play(action)
    return " ".join(words)
