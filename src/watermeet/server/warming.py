"""Warm kernels: the first call of a game compiles it, which must not hold up those who play.

Another process compiles, which takes minutes the first time ever and leaves the code on disk, with
a mark that it did. Then a thread of the server reads it, which takes a second or so. Who wants a
game waits until it is warm. When all games are, what the bots of each need is compiled likewise:
they think in processes of their own, which read it from disk. What somebody waits for comes first.
"""

from __future__ import annotations

import asyncio
import gc
import logging
import os
import random
import sys
import threading
from collections.abc import Callable
from pathlib import Path

from watermeet.bots.making import levels_of, make_bot
from watermeet.core.kernel import cache_folder, runs_plain_python
from watermeet.core.registry import game as find_game
from watermeet.core.registry import games as registered
from watermeet.search.limits import Limits
from watermeet.server.logs import facts

LOG = logging.getLogger(__name__)
ACTIONS = 40
AT_ONCE = 2
"""So many compilers run at once: who wants something does not wait for what nobody wants yet."""


def warm_up(name: str) -> None:
    """Calls whatever the server calls of a game."""
    game, rng = find_game(name), random.Random(0)
    state = game.start().sample(rng)
    for _ in range(ACTIONS):
        if state.to_move < 0:
            break
        for seat in (None, *range(game.seats)):
            state.conceal(seat)
        _ = state.view(state.to_move), state.legal_moves
        state = state.play(rng.choice(state.legal_actions)).sample(rng)


def warm_up_bots(name: str) -> None:
    """Lets a bot of each level of a game choose once."""
    game = find_game(name)
    state = game.start().sample(random.Random(0))
    if state.to_move < 0:
        return
    for level in levels_of(game):
        with make_bot(game, level.name) as bot:
            bot.answer(state.conceal(state.to_move), Limits(nodes=1))


GAME, BOTS = "game", "bots"
WARM_UP: dict[str, Callable[[str], None]] = {GAME: warm_up, BOTS: warm_up_bots}
"""What can be compiled of a game, in the order in which it is if nobody waits."""


def mark_of(name: str, what: str) -> Path | None:
    """The file that says that something of a game was compiled; None where nothing is kept."""
    package = find_game(name).package.partition(".")[0]
    folder = cache_folder(frozenset({package}))
    return None if folder is None else folder / f"warm-{name}-{what}"


class Warmth:
    """Which games are warm."""

    def __init__(self) -> None:
        self._warm = {(what, name): asyncio.Event() for what in WARM_UP for name in registered()}
        self._wanted: dict[tuple[str, str], None] = {}  # In the order in which they were asked for.
        self._tasks: list[asyncio.Task[None]] = []

    def start(self) -> None:
        """Begins to warm up all games."""
        cold = list(self._warm)
        self._tasks = [asyncio.create_task(self._warm_all(cold)) for _ in range(AT_ONCE)]

    async def close(self) -> None:
        """Ends what is under way."""
        for task in self._tasks:
            task.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)

    async def wait_for(self, game: str) -> None:
        """Returns when a game is warm, and lets it come first; at once if nobody knows it."""
        await self._wait_for(GAME, game)

    async def wait_for_bots(self, game: str) -> None:
        """Returns when what the bots of a game need is there, and lets that come first."""
        await self._wait_for(BOTS, game)

    async def _wait_for(self, what: str, game: str) -> None:
        event = self._warm.get((what, game))
        if event is not None and not event.is_set():
            self._wanted[what, game] = None
            await event.wait()

    def has_rules_of(self, game: str) -> bool:
        """Whether a game can be played; so it is if nobody knows it, for nobody waits for it."""
        return self._is_there(GAME, game)

    def has_bots_of(self, game: str) -> bool:
        """Whether what the bots of a game need is there."""
        return self._is_there(BOTS, game)

    def _is_there(self, what: str, game: str) -> bool:
        event = self._warm.get((what, game))
        return event is None or event.is_set()

    @property
    def is_warm(self) -> bool:
        """Whether all games are."""
        return all(event.is_set() for (what, _), event in self._warm.items() if what == GAME)

    async def _warm_all(self, cold: list[tuple[str, str]]) -> None:
        """Takes one after the other of what is cold, as others do beside it."""
        while cold:
            # After a restart those who were playing come first, whatever else there is.
            part = next((wanted for wanted in self._wanted if wanted in cold), cold[0])
            cold.remove(part)
            what, name = part
            try:
                await self._warm_one(what, name)
            except Exception:  # A stranger's game may raise anything.
                LOG.exception("could not be warmed up", extra=facts(game=name, what=what))
            self._warm[part].set()
            if what == GAME and self.is_warm:
                _keep_for_good()
                LOG.info("all games are warm")

    async def _warm_one(self, what: str, name: str) -> None:
        await _compile(name, what)
        if what == GAME and not runs_plain_python():
            await asyncio.to_thread(warm_up, name)


def _keep_for_good() -> None:
    """Python looks no more for garbage among what was loaded: that stays as long as the process.

    Those are 158,000 objects with five games, and each look at all of them held up everybody who
    plays for 75 ms.
    """
    gc.collect()
    gc.freeze()


async def _compile(name: str, what: str) -> None:
    """Compiles something of a game in another process, unless that was done before."""
    if runs_plain_python():
        return
    mark = mark_of(name, what)
    if mark is None or mark.exists():  # Where nothing is kept it would be in vain.
        return
    LOG.info("compiling, once", extra=facts(game=name, what=what))
    process = await asyncio.create_subprocess_exec(
        sys.executable,
        "-m",
        "watermeet.server.warming",
        what,
        name,
        stdin=asyncio.subprocess.PIPE,
    )
    try:
        await process.wait()
    except asyncio.CancelledError:
        process.terminate()
        raise
    if process.returncode == 0:
        mark.touch()


def _end_with_parent() -> None:
    """Nobody writes to us: the pipe ends when the server does, however it ends."""
    os.read(0, 1)  # Not through sys.stdin, whose lock would be in the way of our own end.
    os._exit(1)


if __name__ == "__main__":
    threading.Thread(target=_end_with_parent, daemon=True).start()
    for each in sys.argv[2:]:
        WARM_UP[sys.argv[1]](each)
