"""Mining puzzles from matches between bots, and proving them again.

What is particular to a game is in its ``mining.py``: ``KINDS`` says by name what can be asked, in
which matches such positions come up, and how the answer is proven; ``describe`` says why an answer
is right, or that nobody would learn anything from it. docs/reference/game-folder.md has the keys.
"""

from __future__ import annotations

import hashlib
import json
import math
import random
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from watermeet.bots.bot import Bot
from watermeet.bots.specs import make_bot
from watermeet.core.contract import CHANCE
from watermeet.core.errors import InvalidGame, InvalidOptions
from watermeet.core.game import Game
from watermeet.core.hooks import import_optional
from watermeet.core.state import State
from watermeet.learn import puzzles
from watermeet.learn.proofs import (
    Actions,
    Alone,
    Answer,
    ByAlphaBeta,
    ByPoints,
    BySolver,
    ByTrying,
    Prover,
    Turns,
    Undecided,
    win_finder,
)
from watermeet.learn.puzzles import Line, Puzzle

METHODS = ("solver", "alpha-beta", "exhaustive", "alone", "points")
PROOFS = {"solver": puzzles.SOLVER, "alpha-beta": puzzles.ALPHA_BETA}
TRIES = {"drop": 3, "brook": 3, "stream": 3, "river": 2}
"""How often each of the weaker levels tries a puzzle, which shows how hard it is."""
HARDEST, EASIEST = 2100, 800
"""The rating of a puzzle that none of them finds, and that all find."""
MOST_TURNS = 3
"""A puzzle has at most this many turns of whoever solves it."""
MORE_NODES = 10
"""How much longer a puzzle is searched when it is proven again."""
PER_MATCH = 2
"""At most this many puzzles of a match: its positions resemble each other."""


@dataclass(frozen=True)
class Kind:
    """What can be asked in a game, as its ``KINDS`` declares it."""

    name: str
    method: str
    goal: str
    bots: tuple[str, ...]
    options: tuple[Mapping[str, Any], ...] = ({},)
    noise: float = 0.05
    """How often a random action is played instead of the bot's."""
    turns: tuple[int, ...] = (1,)
    """In how many turns the goal must be reached; the first number that suffices counts."""
    share: float = 1.0
    """At most this share of the puzzles is of this kind."""
    choices: int = 4
    """A position with fewer legal actions isn't a puzzle."""
    easiest: float = 0.85
    """A puzzle that bots find more often than this is too easy."""
    limits: Mapping[str, int] = field(default_factory=dict)
    """The limits of the proof."""


def kinds_of(game: Game) -> dict[str, Kind]:
    """The kinds of puzzles that can be mined in a game; raises InvalidGame."""
    declared = getattr(import_optional(game.package, "mining"), "KINDS", {})
    try:
        return {name: _kind(name, data) for name, data in declared.items()}
    except (TypeError, ValueError) as error:
        raise InvalidGame(
            f"{game.package}.mining: {error}", "see Kind in learn/mining.py"
        ) from error


def _kind(name: str, data: Mapping[str, Any]) -> Kind:
    found = Kind(name, **data)
    if found.method not in METHODS:
        raise ValueError(f"{found.method!r} isn't a method of a proof")
    return found


def prover_of(game: Game, kind: Kind, *, factor: int = 1, is_again: bool = False) -> Prover:
    """What proves puzzles of a kind; ``is_again`` without the game's own knowledge of wins."""
    limits = {name: factor * limit for name, limit in kind.limits.items()}
    plies = kind.limits.get("plies", 64)
    if kind.method == "solver":
        return BySolver(game, nodes=limits["nodes"], margin=kind.goal == "margin")
    if kind.method == "alpha-beta":
        return ByAlphaBeta(
            game, plies_per_turn=plies, nodes=limits["nodes"], use_evaluation=not is_again
        )
    module = import_optional(game.package, "mining")
    if kind.method == "points":
        return ByPoints() if is_again else ByPoints(_turns_of(module))
    if kind.method == "alone" and not is_again:
        return Alone(game, plies=plies, turns=max(kind.turns), nodes=limits["nodes"])
    return ByTrying(
        game,
        goal=kind.goal,
        plies=plies,
        states=limits.get("states", 1),
        most_ends=limits["ends"],
        wins_now=win_finder(game, plies) if is_again else getattr(module, "wins_now", None),
    )


def _turns_of(module: Any) -> Turns:
    """Every turn with its points, as the game lists them."""

    def listed(state: State) -> list[tuple[int, Actions]]:
        found = []
        for points, moves in module.turns_of(state):
            actions, here = [], state
            for move in moves:
                actions.append(here.parse_move(move))
                here = here.play(actions[-1])
            found.append((points, tuple(actions)))
        return found

    return listed


def canonical(state: State) -> bytes:
    """The same for a state and its images, as the seat to move sees it."""
    features = state.game.features
    known = features.of(state, max(0, state.to_move))
    return min(each.apply(known).tobytes() for each in features.symmetries)


def id_of(state: State) -> str:
    """The id of the puzzle in a state: the same for its images."""
    return f"{state.game.name}-{hashlib.sha256(canonical(state)).hexdigest()[:8]}"


# ---- one position -------------------------------------------------------------------------------


@dataclass(frozen=True)
class Found:
    """A line that answers a position, with all turns that are as good, and what was measured."""

    line: tuple[Actions, ...]
    also: tuple[tuple[Actions, ...], ...]
    facts: Mapping[str, int]
    is_won: bool


class Analyst:
    """Finds out whether a position is a puzzle of a kind."""

    def __init__(self, game: Game, kind: Kind) -> None:
        self.game, self.kind = game, kind
        self._prover = prover_of(game, kind)
        module = import_optional(game.package, "mining")
        self._is_promising: Any = getattr(module, "is_promising", lambda kind, state: True)
        self._describe: Any = getattr(module, "describe")  # noqa: B009
        self._bots: dict[str, Bot] = {}

    def is_promising(self, state: State) -> bool:
        """Whether a proof is worth its time."""
        is_wide = len(state.legal_actions) >= self.kind.choices
        return is_wide and bool(self._is_promising(self.kind.name, state))

    def examine(self, state: State, rng: random.Random) -> Puzzle | None:
        """The puzzle in a position, if there is one; raises Undecided."""
        found = self._prove(state)
        if found is None:
            return None
        states = list(states_of(state, found.line))
        texts = texts_of_line(state, found.line)
        words = self._describe(self.kind.name, states, texts, found.facts)
        if words is None:
            return None
        share = self._found_by_bots(state, found, rng)
        if share > self.kind.easiest:
            return None
        return Puzzle(
            id=id_of(state),
            game=self.game.name,
            options=_changed(self.game),
            state=state.text,
            ask=self.kind.name,
            goal=self._goal(found),
            line=texts,
            also=_texts_of_others(state, found),
            themes=tuple(words["themes"]),
            rating=self._rating(state, found, share),
            why=words["why"],
            facts=words.get("facts", {}),
            cells=tuple(words.get("cells", ())),
            proof=PROOFS.get(self.kind.method, puzzles.EXHAUSTIVE),
        )

    def _goal(self, found: Found) -> str:
        if self.kind.method == "points":
            return puzzles.POINTS
        is_won = found.is_won and self.kind.goal == "win"
        return puzzles.WIN if is_won else puzzles.REACH

    def _prove(self, state: State) -> Found | None:
        for turns in self.kind.turns:
            answer = self._prover.answer(state, turns)
            if answer.turns:
                right = self._distinct(state, answer)
                return self._extend(state, answer, turns) if right == 1 else None
        return None

    def _distinct(self, state: State, answer: Answer) -> int:
        """How many right turns there are, up to symmetry."""
        return len({canonical(state.play_all(turn)) for turn in answer.turns})

    def _extend(self, state: State, answer: Answer, turns: int) -> Found:
        """The line from a position on, as long as only one turn is right."""
        line, also = [answer.turns[0]], [answer.turns[1:]]
        here, left = state.play_all(line[0]), turns - 1
        while here.outcome is None and len(also) < MOST_TURNS:
            more = self._continuation(here, state.to_move, left)
            if more is None:
                break
            reply, then = more
            line += [reply, then.turns[0]]
            also.append(then.turns[1:] if left != 1 else ())
            here, left = here.play_all(reply).play_all(then.turns[0]), left - 1
        outcome = here.outcome
        is_won = outcome is not None and outcome.returns[state.to_move] > 0
        return Found(tuple(line), tuple(also), answer.facts, is_won)

    def _continuation(self, state: State, seat: int, left: int) -> tuple[Actions, Answer] | None:
        for reply in self._prover.replies(state):
            after = state.play_all(reply)
            if after.to_move != seat:
                continue
            try:
                then = self._prover.answer(after, left)
            except Undecided:
                continue
            if then.turns and (left == 1 or self._distinct(after, then) == 1):
                return reply, then
        return None

    def _found_by_bots(self, state: State, found: Found, rng: random.Random) -> float:
        """How often the weaker levels play a right turn."""
        right = {state.play_all(turn) for turn in (found.line[0], *found.also[0])}
        shares = []
        for level, tries in TRIES.items():
            bot = self._bots.setdefault(level, make_bot(self.game, level))
            hits = 0
            for _ in range(tries):
                bot.new_match(rng.random())
                hits += _turn_of(bot, state) in right
            shares.append(hits / tries)
        return sum(shares) / len(shares)

    def _rating(self, state: State, found: Found, share: float) -> int:
        own = (len(found.line) + 1) // 2
        choices = max(found.facts.get("ends", 0), len(state.legal_actions))
        rating = HARDEST - (HARDEST - EASIEST) * share
        rating += 120 * (own - 1) + 30 * (len(found.line[0]) - 1) + 40 * math.log2(choices / 16)
        return round(min(2600, max(500, rating)) / 10) * 10


def _changed(game: Game) -> dict[str, Any]:
    """The options that differ from their defaults."""
    standard = {each.name: each.default for each in game.declared_options}
    return {name: value for name, value in game.options.items() if value != standard.get(name)}


def _turn_of(bot: Bot, state: State) -> State:
    seat, here = state.to_move, state
    while here.to_move == seat:
        here = here.play(bot.play(here.conceal(seat)).action)
    return here


def texts_of_line(state: State, line: Sequence[Actions]) -> tuple[Line, ...]:
    """Turns as texts; an outcome of chance begins with ``~``."""
    found = []
    for turn in line:
        words = []
        for action in turn:
            words.append(("~" if state.to_move == CHANCE else "") + state.format(action))
            state = state.play(action)
        found.append(tuple(words))
    return tuple(found)


def states_of(state: State, line: Sequence[Actions]) -> Iterator[State]:
    """The state before a line, and the one after each of its turns."""
    yield state
    for turn in line:
        state = state.play_all(turn)
        yield state


def _texts_of_others(state: State, found: Found) -> tuple[tuple[Line, ...], ...]:
    if not any(found.also):
        return ()
    befores = list(states_of(state, found.line))[::2]
    return tuple(
        tuple(texts_of_line(before, [turn])[0] for turn in others)
        for before, others in zip(befores, found.also, strict=False)
    )


# ---- mining -------------------------------------------------------------------------------------


class Miner:
    """Plays matches between bots and looks for puzzles in them, without end.

    ``known`` are puzzles that exist already: none is found again, and a share counts them. With
    ``kind``, only that is looked for.
    """

    def __init__(
        self,
        game: Game,
        *,
        seed: int,
        count: int,
        known: Sequence[Puzzle] = (),
        kind: str | None = None,
    ) -> None:
        self._game, self._seed, self._count = game, seed, count
        self.kinds = kinds_of(game)
        if not self.kinds:
            raise InvalidGame(
                f"{game.name} has no puzzles to mine", "declare KINDS in its mining.py"
            )
        if kind is not None:
            if kind not in self.kinds:
                raise InvalidOptions(
                    f"{game.name} has no kind of puzzles {kind!r}",
                    f"it has {', '.join(self.kinds)}",
                )
            self.kinds = {kind: replace(self.kinds[kind], share=1.0)}
        self._ids = {puzzle.id for puzzle in known}
        self._likeness: Any = getattr(import_optional(game.package, "mining"), "likeness", None)
        self._like = {self._likeness(puzzle.step.state) for puzzle in known if self._likeness}
        self.found = Counter(puzzle.ask for puzzle in known)
        self.matches, self.positions, self.proven = 0, 0, 0
        self._known = len(known)
        self._analysts: dict[tuple[str, str], tuple[Analyst, list[Bot]]] = {}

    def puzzles(self) -> Iterator[Puzzle | None]:
        """The next puzzle, or None after a match that has no more."""
        while True:
            rng = random.Random(f"{self._game.name}:{self._seed}:{self._known}:{self.matches}")
            kind = self._next_kind(rng)
            if kind is None:
                return
            self.matches += 1
            answers: set[Line] = set()  # The same answer again a turn later teaches nothing new.
            for puzzle in self._match(kind, rng):
                if puzzle.line[0] not in answers:
                    answers.add(puzzle.line[0])
                    self.found[kind.name] += 1
                    yield puzzle
                if len(answers) == PER_MATCH:
                    break
            yield None

    def _next_kind(self, rng: random.Random) -> Kind | None:
        """A kind that isn't complete, at random by its share; None if there are enough puzzles."""
        if sum(self.found.values()) >= self._count:
            return None
        open_kinds = [
            kind
            for kind in self.kinds.values()
            if self.found[kind.name] < math.ceil(kind.share * self._count)
        ]
        weights = [kind.share for kind in open_kinds]
        return rng.choices(open_kinds, weights)[0] if open_kinds else None

    def _match(self, kind: Kind, rng: random.Random) -> Iterator[Puzzle]:
        options = dict(rng.choice(kind.options))
        analyst, bots = self._workers(kind, options)
        seats = [rng.choice(bots) for _ in range(analyst.game.seats)]
        for bot in bots:
            bot.new_match(rng.random())
        for state in positions(analyst.game, seats, kind.noise, rng):
            if not analyst.is_promising(state):
                continue
            self.positions += 1
            likeness = self._likeness(state) if self._likeness else None
            if id_of(state) in self._ids or likeness in self._like:
                continue
            try:
                puzzle = analyst.examine(state, rng)
            except Undecided:
                continue
            self.proven += 1
            if puzzle is not None:
                self._ids.add(puzzle.id)
                if self._likeness:
                    self._like.add(likeness)
                yield puzzle

    def _workers(self, kind: Kind, options: Mapping[str, Any]) -> tuple[Analyst, list[Bot]]:
        key = (kind.name, json.dumps(options, sort_keys=True))
        if key not in self._analysts:
            game = self._game.with_options(**options)
            self._analysts[key] = (
                Analyst(game, kind),
                [make_bot(game, spec) for spec in kind.bots],
            )
        return self._analysts[key]


def positions(game: Game, bots: Sequence[Bot], noise: float, rng: random.Random) -> Iterator[State]:
    """The positions of a match in which a turn begins."""
    state, before = game.start(), CHANCE
    while state.outcome is None:
        state = state.sample(rng)
        seat = state.to_move
        if seat < 0:
            break
        if seat != before or game.seats == 1:
            yield state
        before = seat
        if rng.random() < noise:
            action = rng.choice(state.legal_actions)
        else:
            action = bots[seat].play(state.conceal(seat)).action
        state = state.play(action)
        if state.to_move == CHANCE:
            before = CHANCE


# ---- proving again ------------------------------------------------------------------------------


class Checker:
    """Proves puzzles again by longer searches, without the game's own knowledge of wins."""

    def __init__(self) -> None:
        self._provers: dict[str, Prover] = {}

    def problem(self, puzzle: Puzzle) -> str:
        """What is wrong with a puzzle; empty if the answer is right, and no other is."""
        found = "; ".join(puzzles.problems_of(puzzle))
        try:
            return found or self._compare(puzzle)
        except Undecided as error:
            return str(error)

    def _prover(self, puzzle: Puzzle, game: Game) -> Prover:
        key = json.dumps([puzzle.game, puzzle.ask, dict(puzzle.options)], sort_keys=True)
        if key not in self._provers:
            kind = kinds_of(game)[puzzle.ask]
            self._provers[key] = prover_of(game, kind, factor=MORE_NODES, is_again=True)
        return self._provers[key]

    def _compare(self, puzzle: Puzzle) -> str:
        state = puzzle.step.state
        prover = self._prover(puzzle, state.game)
        kind = kinds_of(state.game)[puzzle.ask]
        turns = int(puzzle.facts.get("turns", kind.turns[0]))
        for place in range(0, len(puzzle.line), 2):
            solution = puzzle.line[place]
            also = puzzle.also[place // 2] if place // 2 < len(puzzle.also) else ()
            answer = prover.answer(state, turns - place // 2)
            right = {state.play_all(turn) for turn in answer.turns}
            claimed = {state.play_all(turn) for turn in (solution, *also)}
            if not claimed <= right:
                return f"{' '.join(solution)} isn't right"
            is_any_win = puzzle.goal == puzzles.WIN and 0 < place == len(puzzle.line) - 1
            if right != claimed and not is_any_win:
                return f"{' '.join(solution)} isn't the only right turn"
            for turn in puzzle.line[place : place + 2]:
                state = state.play_all(word.removeprefix("~") for word in turn)
        return ""
