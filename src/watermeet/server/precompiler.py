"""Compile every game beside the server, which plays by plain Python in the meantime.

A child process of low priority compiles, which takes minutes the very first time, and leaves the
machine code on disk with a marker file. A thread of the server then loads it in about a second. The
rules of all games come first, then what their bots need (bots run in worker processes, which read
it from disk), then the engines that browsers run. A game that somebody plays jumps the queue.
"""

from __future__ import annotations

import asyncio
import gc
import inspect
import logging
import os
import random
import sys
import threading
import zlib
from collections.abc import Callable
from pathlib import Path

from watermeet.bots.levels import playable_levels
from watermeet.bots.specs import make_bot
from watermeet.core.code_cache import cache_folder, source_digest
from watermeet.core.information import is_seen
from watermeet.core.kernel import load_compiled, runs_plain_python
from watermeet.core.registry import game as find_game
from watermeet.core.registry import games as registered
from watermeet.learn.explorer import has_openings, position_of
from watermeet.learn.luck import Valuer
from watermeet.search.limits import Limits
from watermeet.server import engines
from watermeet.server.background import Background, wait_for
from watermeet.server.logs import fields

LOG = logging.getLogger(__name__)
PLIES_TO_READ = 10
"""Moves of a match for which everything is shown to everybody; the others are only played."""
LOAD_S = 5.0
"""How long a player waits for compiled rules, which load from disk in about a second, or longer on
a busy machine. Plain Python would hold up everybody else meanwhile."""
COMPILERS = 2
"""Two compilers at a time: a game that is played doesn't wait for one that isn't."""
NICENESS = 10
"""How much the compilers stand back for the server and its bots."""


def run_rules(name: str) -> None:
    """Call everything that the server calls of a game, in a whole match."""
    game, rng = find_game(name), random.Random(0)
    state = game.start().sample(rng)
    ply = 0
    while state.to_move >= 0:
        action = rng.choice(state.legal_actions)
        after = state.play(action)
        if ply < PLIES_TO_READ:
            _ = state.view(state.to_move), state.legal_moves
            state.explain(state.format(action))
            if has_openings(game):
                _ = position_of(state), game.features.codes_of(state)
            for seat in (None, *range(game.seats)):
                state.conceal(seat)
                is_seen(state, action, after, seat)
        state = after.sample(rng)
        ply += 1
    _ = state.outcome


def run_bots(name: str) -> None:
    """Have a bot of each level choose one action, and value a state as reviews do."""
    game = find_game(name)
    state = game.start().sample(random.Random(0))
    if state.to_move < 0:
        return
    for level in playable_levels(game):
        with make_bot(game, level.name) as bot:
            bot.play(state.conceal(state.to_move), Limits(nodes=1))
    if game.chance:
        Valuer(game, 0)(state, 0)


RULES, BOTS, ENGINE = "rules", "bots", "engine"
RUN: dict[str, Callable[[str], None]] = {
    RULES: run_rules,
    BOTS: run_bots,
    ENGINE: engines.build,
}
"""The parts of a game to compile, in order of priority."""


def marker_file(name: str, part: str) -> Path | None:
    """The file that marks a part of a game as compiled; None if there is no cache on disk."""
    if part == ENGINE:
        return engines.packed_file(name) or engines.built_file(name)
    folder = cache_folder()
    if folder is None:
        return None
    digest = source_digest({find_game(name).package, "watermeet.search"})
    work = zlib.crc32(inspect.getsource(RUN[part]).encode())  # More work may need more code.
    return folder / f"compiled-{name}-{part}-{digest}-{work:08x}"


class Precompiler(Background):
    """Compiles all registered games in the background."""

    def __init__(self) -> None:
        super().__init__()
        self._pending = [(part, name) for part in RUN for name in registered()]
        self._ready = {key: asyncio.Event() for key in self._pending}
        self._urgent: dict[tuple[str, str], None] = {}  # In the order of the requests.

    def start(self) -> None:
        """Start compiling."""
        for _ in range(COMPILERS):
            self._spawn(self._compile_all())

    def prefer(self, game: str) -> None:
        """Compile a game before those that nobody plays."""
        for part in (RULES, BOTS):
            self._urgent.setdefault((part, game))

    async def wait_for(self, game: str) -> None:
        """Return once the compiled rules of a game are loaded; at once if there are none yet.

        If loading takes long, because the machine is busy, return before it is done.
        """
        self.prefer(game)
        if not self.is_ready(game) and await _is_compiled(game, RULES):
            await wait_for(self._ready[RULES, game], LOAD_S)

    def is_ready(self, game: str, part: str = RULES) -> bool:
        """Whether a game runs compiled; True for an unknown game."""
        event = self._ready.get((part, game))
        return event is None or event.is_set()

    @property
    def all_rules_are_ready(self) -> bool:
        """Whether every game can be played."""
        return all(event.is_set() for (part, _), event in self._ready.items() if part == RULES)

    async def _compile_all(self) -> None:
        """Work through the queue, which several tasks share."""
        pending = self._pending
        while pending:
            key = next((urgent for urgent in self._urgent if urgent in pending), pending[0])
            pending.remove(key)
            part, name = key
            try:
                await _compile(name, part)
                if part == RULES and not runs_plain_python():
                    await asyncio.to_thread(load_compiled, run_rules, name)
            except Exception:  # A third-party game may raise anything.
                LOG.exception("precompiling failed", extra=fields(game=name, part=part))
            self._ready[key].set()
            if part == RULES and self.all_rules_are_ready:
                _freeze()
                LOG.info("all games compiled")


def _freeze() -> None:
    """Exempt everything loaded so far from garbage collection.

    Five games make 158,000 objects that live as long as the process, and every full collection of
    them stalled all players for 75 ms.
    """
    gc.collect()
    gc.freeze()


async def _is_compiled(name: str, part: str) -> bool:
    """Whether the disk has the compiled code of a part of a game."""
    if runs_plain_python():
        return False
    marker = await asyncio.to_thread(marker_file, name, part)  # Loads the compiler's library.
    return marker is not None and marker.exists()


async def _compile(name: str, part: str) -> None:
    """Compile a part of a game in a child process, unless the disk has it already."""
    if runs_plain_python() or await _is_compiled(name, part):
        return
    if marker_file(name, part) is None:  # Without a cache on disk it would be wasted.
        return
    LOG.info("compiling", extra=fields(game=name, part=part))
    command = (sys.executable, "-m", "watermeet.server.precompiler", part, name)
    process = await asyncio.create_subprocess_exec(*command, stdin=asyncio.subprocess.PIPE)
    try:
        await process.wait()
    except asyncio.CancelledError:
        process.terminate()
        await process.wait()
        raise


def run_once(name: str, part: str) -> None:
    """Compile a part of a game, unless another server on this machine has just done so."""
    from filelock import FileLock

    marker = marker_file(name, part)
    if marker is None:
        return
    with FileLock(f"{marker}.lock"):
        if not marker.exists():
            RUN[part](name)
            marker.touch()


def _exit_with_parent() -> None:
    """Exit when the server does, however it ends: then our standard input is closed."""
    os.read(0, 1)  # Not through sys.stdin, whose lock would block the interpreter's own exit.
    os._exit(1)


if __name__ == "__main__":
    threading.Thread(target=_exit_with_parent, daemon=True).start()
    if hasattr(os, "nice"):
        os.nice(NICENESS)
    for each in sys.argv[2:]:
        run_once(each, sys.argv[1])
