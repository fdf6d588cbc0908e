"""The program of a worker process: keeps bots of matches that go on, and lets them choose.

It reads questions from standard input and writes answers to standard output, and ends when its
input does: so no worker outlives its server, whatever became of that.
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
from typing import BinaryIO

from watermeet.bots.bot import Bot
from watermeet.bots.making import make_bot
from watermeet.bots.searcher import Searcher
from watermeet.core.state import State
from watermeet.search.limits import Limits
from watermeet.server.bots.messages import (
    LENGTH_BYTES,
    BotRequest,
    BotResponse,
    Stop,
    decode_input,
    pack,
)

KEPT = 32
"""So many bots keep what they have thought of their matches."""
LONGEST_S = 120.0
"""The server ends a worker that takes so long. One whose server is gone ends itself, even if the
bot never lets go of the interpreter: the watch is kept outside of it."""

Bots = OrderedDict[tuple[str, int, str], Bot]


class Worker:
    """Answers one question after the other."""

    def __init__(self, asked: BinaryIO, told: BinaryIO) -> None:
        self._asked, self._told = asked, told
        self._bots: Bots = OrderedDict()
        self._questions: queue.SimpleQueue[BotRequest] = queue.SimpleQueue()
        self._stop = threading.Event()

    def run(self) -> None:
        """Answers for ever; the process ends with its input."""
        threading.Thread(target=self._read, daemon=True).start()
        while True:
            question = self._questions.get()
            faulthandler.dump_traceback_later(LONGEST_S, exit=True)
            answer = self._answer(question)
            faulthandler.cancel_dump_traceback_later()
            self._told.write(pack(answer))
            self._told.flush()

    def _read(self) -> None:
        """Reads beside the thinking, or nobody could be stopped."""
        while True:
            head = self._asked.read(LENGTH_BYTES)
            body = self._asked.read(int.from_bytes(head, "big")) if head else b""
            if not body:
                os._exit(0)
            message = decode_input(body)
            if isinstance(message, Stop):
                self._stop.set()
            else:
                self._stop = threading.Event()
                self._questions.put(message)

    def _answer(self, question: BotRequest) -> BotResponse:
        try:
            return BotResponse(question.number, self.choose(question, self._stop))
        except Exception as error:  # noqa: BLE001 - a stranger's game may raise anything.
            self._bots.pop(_key(question), None)
            return BotResponse(question.number, error=f"{type(error).__name__}: {error}"[:500])

    def choose(self, question: BotRequest, stop: threading.Event) -> int:
        """The action that the bot takes."""
        state = question.state()
        bot = self._bot(question, state)
        return int(bot.answer(state, limits_of(bot, question.seconds, stop)).action)

    def _bot(self, question: BotRequest, state: State) -> Bot:
        key = _key(question)
        bot = self._bots.get(key)
        if bot is None:
            # A seed that nobody knows: else an opponent could compute what the bot will play.
            seed = secrets.token_hex(16)
            bot = self._bots[key] = make_bot(state.game, question.level, seed=seed)
            while len(self._bots) > KEPT:
                self._bots.popitem(last=False)[1].close()
        self._bots.move_to_end(key)
        return bot


def _key(question: BotRequest) -> tuple[str, int, str]:
    return question.match, question.seat, question.level


def limits_of(bot: Bot, seconds: float | None, stop: threading.Event) -> Limits | None:
    """A bot's own limits, and less time where the clock wants that; None for those without."""
    if not isinstance(bot, Searcher):
        return None
    level = bot.level
    given = [each for each in (level.seconds, seconds) if each is not None]
    if not given and level.nodes is None:
        return None
    return Limits(min(given, default=None), level.nodes, stop)


def main() -> None:
    """Runs a worker on the process's own pipes."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl-C is for the server, which ends its own.
    told = os.fdopen(os.dup(sys.stdout.fileno()), "wb")
    os.dup2(sys.stderr.fileno(), sys.stdout.fileno())  # Whatever prints does not answer.
    Worker(sys.stdin.buffer, told).run()


if __name__ == "__main__":
    main()
