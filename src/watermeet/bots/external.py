"""Bots that are external programs, in any language: lines of JSON over pipes.

docs/reference/bot-protocol.md describes the protocol. We write one line and the program replies
with one. What it writes to standard error is kept, and the end of it is shown if the program fails.
"""

from __future__ import annotations

import contextlib
import json
import os
import queue
import shlex
import signal
import subprocess
import sys
import threading
import time
from collections import deque
from typing import IO, Any

from watermeet.bots.bot import Bot, PlayResult
from watermeet.core.errors import BotFailed, WatermeetError
from watermeet.core.game import Game
from watermeet.core.state import State
from watermeet.search.limits import Limits
from watermeet.search.result import Candidate, SearchResult

PROTOCOL = 1
START_SECONDS = 60.0
"""How long a program may take to get ready: it may have to compile something."""
DEFAULT_SECONDS = 5.0
"""The time for a move if nobody sets a limit."""
GRACE_SECONDS = 1.0
"""A program may exceed its time by this, or by as much again as it was given, if that is more."""
QUIT_SECONDS = 1.0
MAX_LINE, MAX_LINES = 1 << 20, 1000
"""How much unread output of a program is buffered; then it blocks."""
_ERROR_LINES = 20


class ExternalBot(Bot):
    """A bot that is an external program."""

    def __init__(self, game: Game, command: str) -> None:
        super().__init__(game, command)
        self.command = command
        self._process = self._start()
        self._outgoing: queue.Queue[str | None] = queue.Queue()
        self._incoming: queue.Queue[str | None] = queue.Queue(MAX_LINES)
        self._errors: deque[str | None] = deque(maxlen=_ERROR_LINES)
        self._id = 0
        # A program that doesn't read would block us for ever once its pipe is full.
        threading.Thread(target=self._write, daemon=True).start()
        self._readers = [
            self._read_in_thread(self._process.stdout, self._incoming.put),
            self._read_in_thread(self._process.stderr, self._errors.append),
        ]
        try:
            ready = self._request(
                {
                    "type": "hello",
                    "protocol": PROTOCOL,
                    "game": game.name,
                    "version": game.version,
                    "seats": game.seats,
                    "options": {name: game.options[name] for name in game.options},
                },
                "ready",
                START_SECONDS,
            )
        except BotFailed:
            self.close()
            raise
        name = ready.get("name")
        if isinstance(name, str) and name.isprintable() and 0 < len(name) <= 40:
            self.name = name

    def __reduce__(self) -> tuple[object, ...]:
        return ExternalBot, (self.game, self.command)  # A copy is a program of its own.

    def _start(self) -> subprocess.Popen[str]:
        try:
            words = _split(self.command)
            if not words:
                raise BotFailed("there is no program to run", "name one after 'exec:'")
            return subprocess.Popen(  # noqa: S603 - running it is the point
                words,
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=subprocess.PIPE,
                text=True,
                encoding="utf-8",
                errors="replace",
                bufsize=1,
                start_new_session=True,  # Ctrl-C spares it, and its children end with it.
                creationflags=getattr(subprocess, "CREATE_NEW_PROCESS_GROUP", 0),  # On Windows.
            )
        except (OSError, ValueError) as error:
            raise BotFailed(f"can't start {self.command!r}: {error}", "check the path") from error

    @staticmethod
    def _read_in_thread(stream: IO[str] | None, take: Any) -> threading.Thread:
        """Read a stream in a thread, line by line; take None at its end."""
        assert stream is not None, "the program's streams are ours"

        def read() -> None:
            with stream:
                while line := stream.readline(MAX_LINE):
                    take(line)
            take(None)

        reader = threading.Thread(target=read, daemon=True)
        reader.start()
        return reader

    def _write(self) -> None:
        """Write what is queued until the program is gone."""
        stream = self._process.stdin
        assert stream is not None, "the program's streams are ours"
        with contextlib.suppress(OSError, ValueError), stream:
            while (line := self._outgoing.get()) is not None:
                stream.write(line)
                stream.flush()

    # ---- playing ----

    def new_match(self, seed: object) -> None:
        """Announce a new match."""
        self._send({"type": "begin", "seed": repr(seed)})

    def choose(self, state: State, limits: Limits | None) -> PlayResult:
        """Ask the program; raises BotFailed unless it replies with a legal move in time."""
        self._id += 1
        request = {
            "type": "choose",
            "id": self._id,
            "seat": state.to_move,
            "state": state.text,
            "legal": list(state.legal_moves),
            "view": state.view(state.to_move),
            "seconds": limits.seconds if limits else DEFAULT_SECONDS,
            "nodes": limits.nodes if limits else None,
        }
        started = time.perf_counter()
        choice = self._request(request, "choice", self.timeout_for(limits))
        action, value = self._action_of(state, choice.get("move")), choice.get("value")
        if isinstance(value, bool) or not isinstance(value, int | float):
            return PlayResult(action)
        candidate, seconds = Candidate(action, float(value), 1, 0.0), time.perf_counter() - started
        return PlayResult(action, SearchResult((candidate,), (action,), 0, seconds))

    def default_timeout(self, limits: Limits | None) -> float:
        """The time that the program was given, and as much again."""
        seconds = limits.seconds if limits else DEFAULT_SECONDS
        return START_SECONDS if seconds is None else seconds + max(GRACE_SECONDS, seconds)

    def _action_of(self, state: State, move: object) -> int:
        if not isinstance(move, str):
            raise self._failure(f"played {move!r}, which isn't a string")
        try:
            action = state.parse_move(move)
        except WatermeetError as error:
            raise self._failure(f"played {move!r}: {error.message}") from error
        if not state.is_legal(action):
            raise self._failure(f"played {move!r}: {state.explain(move).sentence}")
        return action

    # ---- lines ----

    def _send(self, message: dict[str, Any]) -> None:
        self._outgoing.put(json.dumps(message, separators=(",", ":")) + "\n")

    def _request(self, message: dict[str, Any], wanted: str, seconds: float) -> dict[str, Any]:
        """Send a message and wait for the reply of a type; ignore other messages."""
        self._send(message)
        deadline = time.perf_counter() + seconds
        while True:
            try:
                line = self._incoming.get(timeout=max(0.001, deadline - time.perf_counter()))
            except queue.Empty:
                raise self._failure(f"didn't reply within {seconds:g} s") from None
            if line is None:
                self._incoming.put(None)  # The next request fails too.
                raise self._failure("has ended")
            reply = self._parse(line)
            if reply.get("type") == "error":
                raise self._failure(f"reports an error: {reply.get('message')}")
            if reply.get("type") == wanted and reply.get("id") == message.get("id"):
                return reply
            if time.perf_counter() > deadline:  # It sends other messages without end.
                raise self._failure(f"didn't reply within {seconds:g} s")

    def _parse(self, line: str) -> dict[str, Any]:
        try:
            message = json.loads(line)
        except ValueError:
            message = None
        if not isinstance(message, dict):
            raise self._failure(f"wrote {line.strip()[:200]!r}, which isn't a JSON object")
        return message

    def _failure(self, what: str) -> BotFailed:
        with contextlib.suppress(subprocess.TimeoutExpired):
            self._process.wait(0.2)
            # It has ended: read the rest of what it wrote, which a busy machine may delay.
            self._readers[-1].join(2.0)
        errors = "".join(line for line in self._errors if line).strip()
        status = self._process.poll()
        hint = f"it exited with status {status}" if status is not None else "it is still running"
        return BotFailed(
            f"the bot {self.command!r} {what}", f"{hint}; it wrote: {errors}" if errors else hint
        )

    def close(self) -> None:
        """Ask the program to quit; kill it and its children if it doesn't."""
        self._send({"type": "quit"})
        self._outgoing.put(None)
        try:
            self._process.wait(QUIT_SECONDS)
        except subprocess.TimeoutExpired:
            _kill(self._process)
            self._process.wait()
        for reader in self._readers:
            reader.join(1.0)  # Unless a grandchild still holds the pipe.


def _split(command: str) -> list[str] | str:
    """The words of a command; Windows splits it itself, as its paths have backslashes."""
    return command.strip() if sys.platform == "win32" else shlex.split(command)


def _kill(process: subprocess.Popen[str]) -> None:
    """Kill a program and its children."""
    if sys.platform == "win32":
        command = ["taskkill", "/F", "/T", "/PID", str(process.pid)]
        subprocess.run(command, capture_output=True, check=False)  # noqa: S603
        return
    with contextlib.suppress(ProcessLookupError):
        os.killpg(process.pid, signal.SIGKILL)  # It leads its own process group.
