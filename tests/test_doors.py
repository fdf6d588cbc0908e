"""Every door of the library refuses states that aren't of its game, before compiled code gets them.

Compiled code trusts its arrays: one of another size would be read and written past its end. So the
doors are tried in a process of their own, which must live, and where only our errors come out.
"""

from __future__ import annotations

import random
import subprocess
import sys
import traceback
from collections.abc import Callable, Iterator
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import Any, cast

import numpy as np

import watermeet as wm
from watermeet.bots.batched import FollowPriors, Turns, batched, play_matches
from watermeet.bots.bot import Bot
from watermeet.bots.engine import engine_task
from watermeet.bots.levels import Level, levels_of, playable_levels
from watermeet.bots.search_bot import SearchBot
from watermeet.bots.specs import make_bot
from watermeet.core.game import Game
from watermeet.core.hooks import import_optional
from watermeet.core.state import State
from watermeet.learn.explorer import explore, position_of
from watermeet.learn.luck import Valuer
from watermeet.learn.review import review
from watermeet.search.alphabeta import AlphaBeta
from watermeet.search.batch import BatchSearch
from watermeet.search.gumbel import GumbelSearch
from watermeet.search.limits import Limits
from watermeet.search.montecarlo import MonteCarlo
from watermeet.search.network_search import NetworkSearch
from watermeet.search.turns import TurnSearch
from watermeet.search.wins import WinFinder
from watermeet.testing.perft import perft

LIMITS = Limits(nodes=20)
OPEN = wm.game("flume", size=5)
"""Two seats, nothing hidden: every search can search it."""
HIDDEN = wm.game("qwirkle")
"""Chance and hidden hands."""

Door = Callable[[Any], object]


def _nothing(features: Any, wanted: Any = None) -> tuple[Any, Any]:
    return np.ones((len(features), 1), np.float32), np.zeros((len(features), 1), np.float32)


def _search(search: Any, state: Any) -> object:
    return search.search(state, LIMITS)


def _reset(env: Any, state: Any) -> object:
    return env.reset(options={"state": 0 if state is None else state})


def doors_for_turns(game: Game) -> Iterator[tuple[str, Door]]:
    """What takes a state in which a seat is to move."""
    for level in (*playable_levels(game), Level("uct", nodes=20)):
        bot = SearchBot(game, replace(level, solver_nodes=0))
        yield f"{level.name}.play", bot.play
        yield f"{level.name}.analyse", bot.analyse
    for spec in ("random", "beginner"):
        yield spec, make_bot(game, spec).play
    for search in (
        MonteCarlo(game, ismcts=False, max_nodes=100),
        MonteCarlo(game, ismcts=True, max_nodes=100),
        NetworkSearch(game, _nothing, max_nodes=100),
        TurnSearch(game),
    ):
        yield type(search).__name__, partial(_search, search)
    yield "WinFinder", WinFinder(game).find
    if not (game.chance or game.hidden):
        exact = AlphaBeta(game, table_slots=16)
        yield "AlphaBeta", partial(_search, exact)
        yield "winning_actions", lambda state: exact.winning_actions(state, 2, LIMITS)


def doors_for_states(game: Game) -> Iterator[tuple[str, Door]]:
    """What takes any state of the game."""
    many: Any = wm.VectorGame(game, 2)
    search, record = MonteCarlo(game, max_nodes=100), cast("Any", wm.Record)
    yield "find_node", search.find_node
    yield "VectorGame.reset", lambda state: many.reset(states=0 if state is None else state)
    yield "VectorGame.reset, each", lambda state: many.reset(states=[state, state])
    yield "Valuer", lambda state: Valuer(game, 0)(state, 0)
    yield "features.of", lambda state: game.features.of(state, 0)
    yield "features.codes_of", game.features.codes_of
    yield "Record", lambda state: record(game, start=0 if state is None else state)
    yield from environments(game)


def environments(game: Game) -> Iterator[tuple[str, Door]]:
    """Learning environments, if their packages are installed."""
    try:
        from watermeet.envs.gymnasium import GameEnv
        from watermeet.envs.pettingzoo import GameAECEnv
        from watermeet.envs.vector import GameVectorEnv
    except wm.NotInstalled:
        return
    for env in (GameEnv(game), GameAECEnv(game), GameVectorEnv(game, 2)):
        yield type(env).__name__, partial(_reset, env)


def doors_for_any_state() -> Iterator[tuple[str, Door]]:
    """What takes a state of any game, and finds out which."""
    brook = levels_of(OPEN)[1]
    yield "engine_task", lambda state: engine_task(state, brook)
    yield "position_of", position_of
    yield "explore", lambda state: explore(state, {1: None})  # type: ignore[dict-item]
    yield "perft", lambda state: perft(state, 2)
    yield "review", review
    yield "wm.explain", lambda state: wm.explain(state, "a1")


def doors_for_batches(game: Game) -> Iterator[tuple[str, Door]]:
    """What takes many matches at once."""
    batch, gumbel = BatchSearch(game, 2, max_nodes=20), GumbelSearch(game, 2, max_nodes=20)
    priors = FollowPriors(game, levels_of(game)[0])
    yield "BatchSearch", lambda many: batch.run(many, 2)
    yield "GumbelSearch", lambda many: gumbel.run(many, 2, _nothing)
    yield "FollowPriors", lambda many: priors(Turns(many, np.arange(2)))


def ended(game: Game) -> State:
    """The end of a random match."""
    state, rng = game.start(), random.Random(1)
    while state.to_move != wm.OVER:
        state = state.play(rng.choice(state.legal_actions))
    return state


def fails(name: str, door: Door, wrong: object) -> Iterator[str]:
    """What is wrong with a door: it lets something in, or raises what isn't ours."""
    try:
        door(wrong)
    except wm.WatermeetError:
        return
    except Exception:  # noqa: BLE001 - that is what is looked for
        yield f"{name} raised for {wrong!r:.60}: {traceback.format_exc()}"
    else:
        yield f"{name} took {wrong!r:.60}"


def try_doors() -> Iterator[str]:
    """Feed all doors; yield what is wrong."""
    kuhn = wm.game("kuhn_poker").start()
    no_states: list[object] = [None, 1, b"", np.zeros(9, np.int16), OPEN]
    small, plain = OPEN.with_options(size=3), OPEN.with_options(pie=False, size=5)
    short = State(OPEN, np.zeros(3, OPEN.dtype))
    other_type = State(OPEN, OPEN.start_array().astype(np.int64))
    foreign = [small.start(), plain.start(), kuhn, short, other_type]
    for name, door in doors_for_states(OPEN):
        for wrong in (*no_states, *foreign):
            yield from fails(name, door, wrong)
    for name, door in doors_for_turns(OPEN):
        for wrong in (*no_states, *foreign, OPEN.start().text, ended(OPEN)):
            yield from fails(name, door, wrong)
    seats = HIDDEN.with_options(seats=3)
    for name, door in doors_for_turns(HIDDEN):
        # At its start chance deals.
        for wrong in (HIDDEN.start(), seats.start().sample(random.Random(1)), OPEN.start()):
            yield from fails(name, door, wrong)
    for name, door in doors_for_any_state():
        for wrong in no_states:
            yield from fails(name, door, wrong)
    for name, door in doors_for_batches(OPEN):
        for wrong in (wm.VectorGame(small, 2), wm.VectorGame(plain, 2)):
            yield from fails(name, door, wrong)
    bot = make_bot(small, "random")
    yield from fails("batched", lambda player: batched(OPEN, player), bot)
    yield from fails("play_matches", lambda player: play_matches(OPEN, player, matches=1), bot)
    yield from fails(
        "engine_task, end", lambda state: engine_task(state, levels_of(OPEN)[1]), ended(OPEN)
    )
    yield from solvers([*no_states, kuhn, ended(OPEN), HIDDEN.start()])


def solvers(wrong: list[object]) -> Iterator[str]:
    """The exact solvers take every size of their own games, and no other game."""
    for name in wm.games():
        module: Any = import_optional(wm.game(name).package, "solver")
        for each in wrong if module else ():
            yield from fails(f"solver of {name}", module.solve, each)


def test_only_our_errors_come_out_and_the_process_lives() -> None:
    done = subprocess.run(
        [sys.executable, "-X", "faulthandler", "-m", __name__],
        capture_output=True,
        text=True,
        check=False,
        cwd=Path(__file__).parents[1],
    )
    assert done.returncode == 0, done.stderr
    assert done.stdout == "", done.stdout


def test_every_bot_is_behind_the_same_door() -> None:
    """``play`` checks; what a kind of bot does itself is ``choose``."""
    kinds = [*Bot.__subclasses__()]
    for kind in kinds:
        kinds += kind.__subclasses__()
    assert kinds
    assert not [kind for kind in kinds if "play" in vars(kind)]


if __name__ == "__main__":
    for line in try_doors():
        sys.stdout.write(f"{line}\n")
