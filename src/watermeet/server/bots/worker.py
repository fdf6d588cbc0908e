"""A worker process as the server sees it: one request at a time, replaced when it fails.

Nothing here blocks the event loop. Workers are independent: one that dies or hangs loses its own
request and no other.
"""

from __future__ import annotations

import asyncio
import contextlib
import sys
from asyncio.subprocess import PIPE, Process
from collections.abc import Sequence

import msgspec

from watermeet.core.errors import BotFailed
from watermeet.server.bots.messages import (
    BotRequest,
    BotResponse,
    Load,
    Stop,
    ThinkRequest,
    Thoughts,
    decode_response,
    encode,
)

TIMEOUT_S = 60.0
KILL_TIMEOUT_S = 2.0
PROGRAM = (sys.executable, "-m", "watermeet.server.bots.worker_main")


class BotWorker:
    """A process that chooses actions for bots."""

    def __init__(self, program: Sequence[str] | None = None, timeout_s: float = TIMEOUT_S) -> None:
        self._program, self._timeout_s = program or PROGRAM, timeout_s
        self._process: Process | None = None
        self._lock = asyncio.Lock()
        self._count = 0
        self._loaded: set[str] = set()
        """The games whose compiled code the process was asked to load."""
        self._wanted: set[str] = set()

    def load(self, game: str) -> None:
        """Have the process load the compiled code of a game's bots, beside its next request."""
        self._wanted.add(game)

    async def choose(self, request: BotRequest) -> int:
        """The action that a bot chooses; raises BotFailed, and the next request gets a new process.

        Requests take turns.
        """
        return (await self._ask(request)).action

    async def think(self, request: ThinkRequest) -> Thoughts:
        """What a search finds; raises BotFailed."""
        thoughts = (await self._ask(request)).thoughts
        if thoughts is None:
            raise BotFailed("a bot worker found nothing", "ask again")
        return thoughts

    async def _ask(self, request: BotRequest) -> BotResponse:
        async with self._lock:
            self._count += 1
            try:
                async with asyncio.timeout(self._timeout_s):
                    response = await self._send(msgspec.structs.replace(request, id=self._count))
            except TimeoutError:
                self._kill()
                raise BotFailed("a bot worker hangs", "it was killed") from None
            except (OSError, EOFError, ValueError, msgspec.MsgspecError) as error:
                self._kill()
                raise BotFailed(f"a bot worker died: {error}", "a new one takes over") from error
        if response.error:
            raise BotFailed(f"a bot failed: {response.error}", "it will be retried")
        return response

    async def _send(self, request: BotRequest) -> BotResponse:
        process = await self._started()
        assert process.stdin is not None, "stdin is a pipe"
        assert process.stdout is not None, "stdout is a pipe"
        for game in self._wanted - self._loaded:
            process.stdin.write(encode(Load(game)))
        self._loaded |= self._wanted
        process.stdin.write(encode(request))
        await process.stdin.drain()
        while line := await process.stdout.readline():
            response = decode_response(line)
            if response.id == request.id:  # Others answer requests that were given up.
                return response
        raise EOFError("no response")

    async def start(self) -> None:
        """Start the process ahead of the first request."""
        async with self._lock:
            await self._started()

    async def _started(self) -> Process:
        if self._process is None or self._process.returncode is not None:
            self._loaded = set()
            self._process = await asyncio.create_subprocess_exec(
                *self._program, stdin=PIPE, stdout=PIPE
            )
        return self._process

    def stop(self) -> None:
        """Make the worker respond at once, if it is busy."""
        process = self._process
        if not self._lock.locked() or process is None or process.returncode is not None:
            return
        if process.stdin is not None:
            with contextlib.suppress(OSError):
                process.stdin.write(encode(Stop()))

    def _kill(self) -> None:
        process, self._process = self._process, None
        if process is not None:
            with contextlib.suppress(ProcessLookupError):
                process.kill()

    async def close(self) -> None:
        """Kill the process and wait for it to end."""
        process = self._process
        self._kill()
        if process is not None:
            with contextlib.suppress(TimeoutError):
                async with asyncio.timeout(KILL_TIMEOUT_S):
                    await process.wait()
