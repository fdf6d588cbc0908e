"""The program of a worker process: reads requests from stdin and writes responses to stdout.

It keeps the bots of recent matches, and ends when its input does, so no worker outlives its server.
The bots of a game play by plain Python until a thread has loaded their compiled code; with less
time, so that nobody waits for them.
"""

from __future__ import annotations

import faulthandler
import os
import queue
import secrets
import signal
import sys
import threading
from collections import OrderedDict
from collections.abc import Iterator
from contextlib import contextmanager
from typing import BinaryIO

from watermeet.bots.bot import Bot
from watermeet.bots.search_bot import SearchBot
from watermeet.bots.specs import make_bot
from watermeet.core.game import Game
from watermeet.core.kernel import compiled_code, load_compiled, plain_python
from watermeet.core.state import State
from watermeet.search.limits import Limits
from watermeet.server.bots.messages import (
    BotRequest,
    BotResponse,
    Load,
    Stop,
    ThinkRequest,
    Thoughts,
    decode_input,
    encode,
)
from watermeet.server.bots.thoughts import thoughts_of
from watermeet.server.precompiler import run_bots

LOAD_S = 1.0
"""How long a bot waits for its compiled code, which loads in about a second from disk. With the
search in plain Python that makes less than two seconds, even on a busy machine."""
PLAIN_S = 0.7
"""How long a bot searches in plain Python."""
MAX_BOTS = 32
"""Bots that keep their search trees between moves."""
WATCHDOG_S = 120.0
"""The server kills a worker long before. This ends one whose server is gone, even if the bot never
releases the interpreter."""


class Worker:
    """Handles one request after another."""

    def __init__(self, requests: BinaryIO, responses: BinaryIO) -> None:
        self._input, self._output = requests, responses
        self._bots: OrderedDict[tuple[type, str, Game, int, str, bool], Bot] = OrderedDict()
        self._compiled: set[str] = set()
        self._loading: dict[str, threading.Thread] = {}
        self._requests: queue.SimpleQueue[BotRequest] = queue.SimpleQueue()
        self._stop = threading.Event()

    def run(self) -> None:
        """Handle requests until the input ends, and the process with it."""
        threading.Thread(target=self._read, daemon=True).start()
        while True:
            request = self._requests.get()
            faulthandler.dump_traceback_later(WATCHDOG_S, exit=True)
            response = self._respond(request)
            faulthandler.cancel_dump_traceback_later()
            self._output.write(encode(response))
            self._output.flush()

    def _read(self) -> None:
        """Read in a thread of its own, so that a Stop gets through during a search."""
        for line in self._input:
            message = decode_input(line)
            if isinstance(message, Stop):
                self._stop.set()
            elif isinstance(message, Load):
                thread = threading.Thread(target=self._load, args=(message.game,), daemon=True)
                self._loading[message.game] = thread
                thread.start()
            else:
                self._stop = threading.Event()
                self._requests.put(message)
        os._exit(0)

    def _load(self, game: str) -> None:
        load_compiled(run_bots, game)
        self._compiled.add(game)

    def _respond(self, request: BotRequest) -> BotResponse:
        """Choose an action. One thread does all of this, so it may switch the face for all."""
        if thread := self._loading.get(request.game):
            thread.join(min(LOAD_S, request.seconds or LOAD_S))
        is_compiled = request.game in self._compiled
        with compiled_code() if is_compiled else plain_python():
            try:
                if isinstance(request, ThinkRequest):
                    thoughts = self._think(request, is_compiled=is_compiled)
                    return BotResponse(request.id, thoughts=thoughts)
                return BotResponse(request.id, self._choose(request, is_compiled=is_compiled))
            except Exception as error:  # noqa: BLE001 - a third-party game may raise anything.
                return BotResponse(request.id, error=f"{type(error).__name__}: {error}"[:500])

    def _choose(self, request: BotRequest, *, is_compiled: bool) -> int:
        state = request.state()
        with self._kept(state, request, request.level, is_compiled=is_compiled) as bot:
            limits = limits_of(bot, request.seconds, self._stop, is_compiled=is_compiled)
            return int(bot.play(state, limits).action)

    def _think(self, request: ThinkRequest, *, is_compiled: bool) -> Thoughts:
        """Search with an empty tree, and the same seed whenever the seat knows the same."""
        state = request.state()
        # An exact solver is of no use in plain Python, and takes seconds to start.
        level = request.level if is_compiled else f"{request.level}:solver_nodes=0"
        with self._kept(state, request, level, is_compiled=is_compiled) as bot:
            assert isinstance(bot, SearchBot), "all levels search or follow priors"
            bot.new_match(request.array.hex())
            limits = limits_of(bot, request.seconds, self._stop, is_compiled=is_compiled)
            return thoughts_of(state, bot.analyse(state, limits))

    @contextmanager
    def _kept(
        self, state: State, request: BotRequest, level: str, *, is_compiled: bool
    ) -> Iterator[Bot]:
        """The bot for a request, which is kept for the next one of its kind unless it fails."""
        # Positions of no match all have an empty one, whatever the game.
        key = type(request), request.match, state.game, request.seat, level, is_compiled
        bot = self._bots.get(key)
        try:
            if bot is None:
                # A secret seed: otherwise an opponent could compute the bot's moves.
                seed = secrets.token_hex(16)
                bot = self._bots[key] = make_bot(state.game, level, seed=seed)
                while len(self._bots) > MAX_BOTS:
                    self._bots.popitem(last=False)[1].close()
            self._bots.move_to_end(key)
            yield bot
        except Exception:
            self._bots.pop(key, None)
            raise


def limits_of(
    bot: Bot, seconds: float | None, stop: threading.Event, *, is_compiled: bool = True
) -> Limits | None:
    """The limits of a bot's level, tightened by the clock; None for a bot that doesn't search."""
    if not isinstance(bot, SearchBot):
        return None
    level, longest = bot.level, None if is_compiled else PLAIN_S
    given = [each for each in (level.seconds, seconds, longest) if each is not None]
    if not given and level.nodes is None:
        return None
    return Limits(min(given, default=None), level.nodes, stop)


def main() -> None:
    """Run a worker on the process's own pipes."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl-C is for the server, which ends us.
    output = os.fdopen(os.dup(sys.stdout.fileno()), "wb")
    os.dup2(sys.stderr.fileno(), sys.stdout.fileno())  # Stray prints must not look like responses.
    Worker(sys.stdin.buffer, output).run()


if __name__ == "__main__":
    main()
