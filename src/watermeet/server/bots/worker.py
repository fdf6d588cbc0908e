"""A worker process as the server sees it: asked one thing at a time, ended when it fails.

Everything waits in the event loop and nothing blocks it. Each worker is alone: one that dies or
hangs takes nobody's choice with it but its own.
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
    LENGTH_BYTES,
    BotRequest,
    BotResponse,
    Stop,
    decode_response,
    pack,
)

PATIENCE_S = 60.0
"""A worker that has not answered by then never will."""
END_S = 2.0
PROGRAM = (sys.executable, "-m", "watermeet.server.bots.worker_main")


class BotWorker:
    """One worker."""

    def __init__(
        self, program: Sequence[str] | None = None, patience_s: float = PATIENCE_S
    ) -> None:
        self._program, self._patience_s = program or PROGRAM, patience_s
        self._process: Process | None = None
        self._lock = asyncio.Lock()
        self._count = 0

    async def ask(self, question: BotRequest) -> int:
        """The action that a worker chose; raises BotFailed, and the next one gets a new worker.

        Who comes while the worker still thinks for another waits.
        """
        async with self._lock:
            self._count += 1
            question = msgspec.structs.replace(question, number=self._count)
            try:
                async with asyncio.timeout(self._patience_s):
                    answer = await self._answer_to(question)
            except TimeoutError:
                self._kill()
                raise BotFailed("a worker hangs", "it was ended") from None
            except (OSError, EOFError, msgspec.MsgspecError) as error:
                self._kill()
                raise BotFailed(f"a worker has died: {error}", "there is a new one") from error
        if answer.error:
            raise BotFailed(f"a bot failed: {answer.error}", "it is tried again")
        return answer.action

    async def _answer_to(self, question: BotRequest) -> BotResponse:
        process = await self._started()
        assert process.stdin is not None, "its pipes are ours"
        assert process.stdout is not None, "its pipes are ours"
        process.stdin.write(pack(question))
        await process.stdin.drain()
        while True:
            head = await process.stdout.readexactly(LENGTH_BYTES)
            answer = decode_response(await process.stdout.readexactly(int.from_bytes(head, "big")))
            if answer.number == question.number:  # Nobody waits for another one any more.
                return answer

    async def start(self) -> None:
        """Starts the process, so that the first who asks need not wait for that."""
        async with self._lock:
            await self._started()

    async def _started(self) -> Process:
        if self._process is None or self._process.returncode is not None:
            self._process = await asyncio.create_subprocess_exec(
                *self._program, stdin=PIPE, stdout=PIPE
            )
        return self._process

    def stop(self) -> None:
        """Nobody waits for the answer any longer, or not for so long: it comes at once."""
        process = self._process
        if not self._lock.locked() or process is None or process.returncode is not None:
            return  # Nobody thinks.
        if process.stdin is not None:
            with contextlib.suppress(OSError):
                process.stdin.write(pack(Stop()))

    @property
    def pid(self) -> int | None:
        """The number of the process, if there is one."""
        return None if self._process is None else self._process.pid

    def _kill(self) -> None:
        process, self._process = self._process, None
        if process is not None:
            with contextlib.suppress(ProcessLookupError):
                process.kill()  # It holds nothing that could be harmed.

    async def close(self) -> None:
        """Ends the process, and returns when it is gone."""
        process = self._process
        self._kill()
        if process is not None:
            with contextlib.suppress(TimeoutError):  # It was killed: a stop never waits for it.
                async with asyncio.timeout(END_S):
                    await process.wait()
