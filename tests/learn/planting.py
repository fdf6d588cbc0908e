"""Blunders planted on purpose, by the rules alone: nothing here asks a review or a search.

``python -m tests.learn.planting KIND COUNT`` prints the first cases that come up, one from
each match between bots. A line holds the options that aren't standard, the position, the turn that
is the blunder, what was played then, and a better turn.
"""

from __future__ import annotations

import itertools
import random
import sys
from collections.abc import Callable, Iterator
from typing import NamedTuple

import watermeet as wm
from watermeet.bots.bot import Bot
from watermeet.bots.specs import make_bot
from watermeet.core.errors import TooLarge
from watermeet.games.flows.mining import wins_now
from watermeet.games.flume.solver import solve
from watermeet.games.qwirkle import layout
from watermeet.games.qwirkle.names import grid_of
from watermeet.games.qwirkle.turns import Turn, whole_turns

NOISE = 0.1
"""How often the bots of the matches play anything."""
LIKELY, UNLIKELY = 0.6, 0.1
"""In Flows: with what share of the draws the other side can connect."""


class Case(NamedTuple):
    """A turn that is a blunder, and one that isn't."""

    blunder: tuple[str, ...]
    better: tuple[str, ...]


def chance_to_connect(state: wm.State) -> float:
    """The share of the draws with which whoever is next can connect."""
    if state.outcome is not None:
        return 0.0
    return sum(part for each, part in state.chance_outcomes if wins_now(state.play(each).array))


def lets_connect(state: wm.State, rng: random.Random) -> Case | None:
    """A placement in Flows after which the other side can probably connect; another prevents it."""
    if state.to_move < 0 or wins_now(state.array.copy()):
        return None
    threats = {move: chance_to_connect(state.play(move)) for move in state.legal_moves}
    bad = [move for move, threat in threats.items() if threat >= LIKELY]
    good = min(threats, key=threats.__getitem__)
    if not bad or threats[good] > UNLIKELY:
        return None
    return Case((rng.choice(bad),), (good,))


def misses_win(state: wm.State, rng: random.Random) -> Case | None:
    """A placement in Flows that doesn't connect, where one would."""
    if state.to_move < 0 or not wins_now(state.array.copy()):
        return None
    won = {move: state.play(move).outcome for move in state.legal_moves}
    good = next(move for move, end in won.items() if end and state.to_move in end.winners)
    bad = [move for move, end in won.items() if end is None]
    return Case((rng.choice(bad),), (good,)) if bad else None


def hands_over(state: wm.State, rng: random.Random) -> Case | None:
    """A turn in Qwirkle after which the opponent can complete a line of six.

    Before it the opponent couldn't, and another turn scores as much and doesn't allow it.
    """
    if state.to_move < 0 or not len(grid_of(state.array)):
        return None
    turns = whole_turns(state)[:20]
    risky = {turn: _can_complete_six(state.play_all(turn.moves).sample(rng)) for turn in turns}
    pairs = [
        (bad, good)
        for bad, good in itertools.permutations(turns, 2)
        if risky[bad] and not risky[good] and good.points >= bad.points
    ]
    if not pairs:
        return None
    bad, good = rng.choice(pairs)
    return Case(bad.moves, good.moves)


def _can_complete_six(state: wm.State) -> bool:
    if state.to_move < 0:
        return False
    return any(_completes_six(state, turn) for turn in whole_turns(state))


def _completes_six(state: wm.State, turn: Turn) -> bool:
    grid = grid_of(state.array) | dict(turn.tiles)
    for (x, y), _ in turn.tiles:
        for across, down in ((1, 0), (0, 1)):
            length = 1
            for sign in (1, -1):
                step = 1
                while (x + sign * step * across, y + sign * step * down) in grid:
                    step += 1
                length += step - 1
            if length == layout.LONGEST_LINE:
                return True
    return False


def loses_won_match(state: wm.State, rng: random.Random) -> Case | None:
    """A move in Flume that loses a match which the solver has proven to be won."""
    if state.to_move < 0:
        return None
    try:
        before = solve(state, node_limit=300_000)
        if before.value <= 0:
            return None
        bad = [move for move in state.legal_moves if _loses(state, move)]
    except TooLarge:
        return None
    good = state.format(before.best_actions[0])
    return Case((rng.choice(bad),), (good,)) if bad else None


def _loses(state: wm.State, move: str) -> bool:
    after = state.play(move)
    if after.outcome is not None:
        return state.to_move not in after.outcome.winners
    value = solve(after, node_limit=300_000).value
    return value < 0 if after.to_move == state.to_move else value > 0


Planter = Callable[[wm.State, random.Random], Case | None]
KINDS: dict[str, tuple[Planter, tuple[str, ...]]] = {
    "flows": (lets_connect, ("one_ply", "brook")),
    "flows-win": (misses_win, ("one_ply", "brook")),
    "qwirkle": (hands_over, ("greedy", "stream")),
    "flume": (loses_won_match, ("stream", "brook")),
}


def planted(kind: str, seeds: range) -> Iterator[str]:
    """At most one case from each match: the first, from a random move on."""
    plant, levels = KINDS[kind]
    game = wm.game(kind.partition("-")[0])
    for seed in seeds:
        rng = random.Random(repr((kind, seed)))
        bots = [make_bot(game, level, seed=seed) for level in rng.sample(levels, 2)]
        states = [game.start()]
        while states[-1].to_move != wm.OVER:
            states.append(_next(states[-1], bots, rng))
        first = rng.randrange(len(states))
        for state in states[first:]:
            case = plant(state, rng) if _begins_turn(state) else None
            if case is not None:
                yield _line(state, case, bots, rng)
                break


def _next(state: wm.State, bots: list[Bot], rng: random.Random) -> wm.State:
    if state.to_move == wm.CHANCE:
        outcomes, chances = zip(*state.chance_outcomes, strict=True)
        return state.play(rng.choices(outcomes, chances)[0])
    if rng.random() < NOISE:
        return state.play(rng.choice(state.legal_actions))
    return state.play(bots[state.to_move].play(state.conceal(state.to_move)).action)


def _begins_turn(state: wm.State) -> bool:
    return "laid" not in state.text.split("grid")[0]


def _line(state: wm.State, case: Case, bots: list[Bot], rng: random.Random) -> str:
    """The case, played on until the opponent has had a turn."""
    reply: list[str] = []
    after = state.play_all(case.blunder)
    while after.to_move != wm.OVER and (after.to_move != state.to_move or not reply):
        following = _next(after, bots, rng)
        reply.append(
            next(
                m
                for m, a in zip(after.legal_moves, after.legal_actions, strict=True)
                if after.play(a) == following
            )
        )
        after = following
    return " | ".join((state.text, *map(" ".join, (case.blunder, reply, case.better))))


if __name__ == "__main__":
    for line in itertools.islice(planted(sys.argv[1], range(10_000)), int(sys.argv[2])):
        sys.stdout.write(f"{line}\n")
