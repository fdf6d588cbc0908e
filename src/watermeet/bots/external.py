"""Bots that are programs of their own, in any language: lines of JSON over pipes.

The protocol is told in docs/reference/bot-protocol.md. We write one line, the program answers with
one; whatever it writes to standard error is kept, and its end is told when the program fails.
"""

from __future__ import annotations

import contextlib
import json
import os
import queue
import shlex
import signal
import subprocess
import threading
import time
from collections import deque
from typing import IO, Any

from watermeet.bots.bot import Answer, Bot
from watermeet.core.errors import BotFailed, WatermeetError
from watermeet.core.game import Game
from watermeet.core.state import State
from watermeet.search.limits import Limits
from watermeet.search.result import Candidate, SearchResult

PROTOCOL = 1
SECONDS_TO_BEGIN = 60.0
"""A program may have to compile something first."""
SECONDS_TO_CHOOSE = 5.0
"""What a program is told if nobody says how long it may think."""
GRACE = 1.0
"""A program may be late by so much, or by as much again as it was given, whichever is more."""
SECONDS_TO_END = 1.0
LONGEST_LINE, MOST_LINES = 1 << 20, 1000
"""What is read of a program that talks more than it is asked to; then it has to wait."""
_LINES_KEPT = 20


class ExternalBot(Bot):
    """A program that plays."""

    def __init__(self, game: Game, command: str) -> None:
        super().__init__(game, command)
        self.command = command
        self._process = self._start()
        self._said: queue.Queue[str | None] = queue.Queue()
        self._lines: queue.Queue[str | None] = queue.Queue(MOST_LINES)
        self._complaints: deque[str | None] = deque(maxlen=_LINES_KEPT)
        self._number = 0
        # A program that does not read would hold us for ever once its pipe is full.
        threading.Thread(target=self._write, daemon=True).start()
        self._readers = [
            self._watch(self._process.stdout, self._lines.put),
            self._watch(self._process.stderr, self._complaints.append),
        ]
        try:
            hello = self._ask(
                {
                    "type": "hello",
                    "protocol": PROTOCOL,
                    "game": game.name,
                    "version": game.version,
                    "seats": game.seats,
                    "options": {name: game.options[name] for name in game.options},
                },
                "ready",
                SECONDS_TO_BEGIN,
            )
        except BotFailed:
            self.close()
            raise
        name = hello.get("name")
        if isinstance(name, str) and name.isprintable() and 0 < len(name) <= 40:
            self.name = name

    def _start(self) -> subprocess.Popen[str]:
        try:
            words = shlex.split(self.command)
            if not words:
                raise BotFailed("there is no program", "write it behind 'exec:'")
            return subprocess.Popen(  # noqa: S603 - running it is what was asked for
                words,
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=subprocess.PIPE,
                text=True,
                encoding="utf-8",
                errors="replace",
                bufsize=1,
                start_new_session=True,  # So Ctrl-C is not for it, and its children end with it.
            )
        except (OSError, ValueError) as error:
            raise BotFailed(f"{self.command!r} cannot be started: {error}", "check it") from error

    @staticmethod
    def _watch(stream: IO[str] | None, take: Any) -> threading.Thread:
        """Reads a stream to its end beside everything else; the end is told as None."""
        assert stream is not None, "the program's streams are ours"

        def read() -> None:
            with stream:
                while line := stream.readline(LONGEST_LINE):
                    take(line)
            take(None)

        reader = threading.Thread(target=read, daemon=True)
        reader.start()
        return reader

    def _write(self) -> None:
        """Writes what there is to say, beside everything else, until the program is gone."""
        stream = self._process.stdin
        assert stream is not None, "the program's streams are ours"
        with contextlib.suppress(OSError, ValueError), stream:
            while (line := self._said.get()) is not None:
                stream.write(line)
                stream.flush()

    # ---- playing ----

    def begin(self, seed: object) -> None:
        """A match begins."""
        self._tell({"type": "begin", "seed": repr(seed)})

    def answer(self, state: State, limits: Limits | None = None) -> Answer:
        """Asks the program; raises BotFailed if it does not answer with a legal move in time."""
        self._number += 1
        seconds = limits.seconds if limits else SECONDS_TO_CHOOSE
        nodes = limits.nodes if limits else None
        asked = {
            "type": "choose",
            "id": self._number,
            "seat": state.to_move,
            "state": state.text,
            "legal": list(state.legal_moves),
            "view": state.view(state.to_move),
            "seconds": seconds,
            "nodes": nodes,
        }
        before = time.perf_counter()
        told = self._ask(asked, "choice", self.patience_for(limits))
        action = self._action_of(state, told.get("move"))
        value = told.get("value")
        if not isinstance(value, int | float):
            return Answer(action)
        candidate = Candidate(action, float(value), 1, 0.0)
        return Answer(
            action, SearchResult((candidate,), (action,), 0, time.perf_counter() - before)
        )

    def usual_patience(self, limits: Limits | None) -> float:
        """What it was given, and as much again."""
        seconds = limits.seconds if limits else SECONDS_TO_CHOOSE
        return SECONDS_TO_BEGIN if seconds is None else seconds + max(GRACE, seconds)

    def _action_of(self, state: State, move: object) -> int:
        if not isinstance(move, str):
            raise self._failure(f"answered with the move {move!r}, which is no text")
        try:
            action = state.parse_move(move)
        except WatermeetError as error:
            raise self._failure(f"answered with {move!r}: {error.message}") from error
        if not state.is_legal(action):
            raise self._failure(f"played {move!r}: {state.explain(move).sentence}")
        return action

    # ---- lines ----

    def _tell(self, message: dict[str, Any]) -> None:
        self._said.put(json.dumps(message, separators=(",", ":")) + "\n")

    def _ask(self, message: dict[str, Any], wanted: str, seconds: float) -> dict[str, Any]:
        """Writes a message and waits for the answer of a type; others are passed over."""
        self._tell(message)
        deadline = time.perf_counter() + seconds
        while True:
            try:
                line = self._lines.get(timeout=max(0.001, deadline - time.perf_counter()))
            except queue.Empty:
                raise self._failure(f"did not answer within {seconds:g} s") from None
            if line is None:
                self._lines.put(None)  # It has ended for the next question too.
                raise self._failure("has ended")
            told = self._read(line)
            if told.get("type") == "error":
                raise self._failure(f"reports an error: {told.get('message')}")
            if told.get("type") == wanted and told.get("id") == message.get("id"):
                return told
            if time.perf_counter() > deadline:  # It talks and talks.
                raise self._failure(f"did not answer within {seconds:g} s")

    def _read(self, line: str) -> dict[str, Any]:
        try:
            told = json.loads(line)
        except ValueError:
            told = None
        if not isinstance(told, dict):
            raise self._failure(f"wrote {line.strip()[:200]!r}, which is no object of JSON")
        return told

    def _failure(self, what: str) -> BotFailed:
        with contextlib.suppress(subprocess.TimeoutExpired):
            self._process.wait(0.2)
            # All is said: on a busy machine it takes a while to be heard.
            self._readers[-1].join(2.0)
        said = "".join(line for line in self._complaints if line).strip()
        ending = self._process.poll()
        hint = f"it ended with status {ending}" if ending is not None else "it is still running"
        return BotFailed(
            f"the bot {self.command!r} {what}", f"{hint}; it said: {said}" if said else hint
        )

    def close(self) -> None:
        """Says good-bye, and ends the program and its children if it does not go by itself."""
        self._tell({"type": "quit"})
        self._said.put(None)
        try:
            self._process.wait(SECONDS_TO_END)
        except subprocess.TimeoutExpired:
            with contextlib.suppress(ProcessLookupError):
                os.killpg(self._process.pid, signal.SIGKILL)  # It leads a group of its own.
            self._process.wait()
        for reader in self._readers:
            reader.join(1.0)  # Unless a child of the program's own still holds the pipe.
