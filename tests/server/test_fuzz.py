"""Whatever a client sends gets a documented response or close, and nobody else is harmed.

For a million messages: ``WATERMEET_TEST_FUZZ=1000000 ./test tests/server/test_fuzz.py``.
"""

from __future__ import annotations

import asyncio
import gc
import os
import random
from pathlib import Path
from typing import Any

import pytest
from tests.server.fuzzing import Fuzzer, documented
from tests.server.inside import Inside, Socket, inside

from watermeet.core import errors as core_errors
from watermeet.core.errors import WatermeetError
from watermeet.server import errors as server_errors
from watermeet.server.matches import errors as match_errors

pytestmark = pytest.mark.anyio

GAME = "kuhn_poker"
MESSAGES = int(os.environ.get("WATERMEET_TEST_FUZZ", "20000"))
SOCKETS = 4
BATCH = 50
"""How many are sent before the responses are read: a flood below the limit."""
ROUND = 2_000
"""After this many messages a fuzzer gets a new match: the old one may be over."""
CODES = {
    kind.code
    for module in (core_errors, server_errors, match_errors)
    for kind in vars(module).values()
    if isinstance(kind, type) and issubclass(kind, WatermeetError)
}
BYES = {"too_large": 4006, "bad_request": 4005, "other_protocol": 4005}
FIELDS = documented()


def check(message: dict[str, Any]) -> None:
    """A documented message, with a documented code if it has one."""
    optional = {"explanation", "facts", "id", "match"}
    may_be_missing = optional if message["type"] == "error" else set()
    assert set(message) <= FIELDS[message["type"]] <= set(message) | may_be_missing, message
    if message["type"] == "error":
        assert message["code"] in CODES, message
        assert message["message"], message
    if message["type"] == "bye":
        assert message["code"] in BYES, message


class FuzzClient:
    """A socket of the fuzzer, and what it has seen."""

    def __init__(self, server: Inside, seed: int, others: str) -> None:
        self.server, self.others = server, others
        self.rng = random.Random(f"fuzz {seed}")
        self.sent = self.received = self.ended = 0

    async def run(self, count: int) -> None:
        socket: Socket | None = None
        fuzzer: Fuzzer | None = None
        while self.sent < count:
            if fuzzer is None or self.sent % ROUND < BATCH:
                match, tokens = await self.server.seated(GAME, 2)
                fuzzer = Fuzzer(self.rng, match, tokens[0], self.others)
            if socket is None:
                socket = Socket(self.server.app)
                assert await socket.open()
                if self.rng.random() < 0.9:  # Otherwise the first message is arbitrary.
                    await socket.send({"type": "hello", "protocol": 1, "token": fuzzer.token})
                    await socket.send({"type": "follow", "match": fuzzer.match})
            for _ in range(BATCH):
                socket.push(fuzzer.message())
            self.sent += BATCH
            if not await self._drain(socket):
                socket = None
            elif self.rng.random() < 0.01:
                await socket.close()
                socket = None
        if socket is not None:
            await socket.close()

    async def _drain(self, socket: Socket) -> bool:
        """Receive all responses; False if the server has closed the socket."""
        mark = float(self.sent)
        await socket.send({"type": "ping", "sent": mark})
        bye = None
        while True:
            message = await socket.next()
            if message is None:
                break
            self.received += 1
            check(message)
            if message["type"] == "bye":
                bye = message["code"]
            if message["type"] == "pong" and message["sent"] == mark:
                socket.raw.clear()
                return True
        self.ended += 1
        assert bye is not None, socket.code
        assert socket.code == BYES[bye]
        assert socket.task is not None
        await socket.task
        return False


class HonestPlayers:
    """Two well-behaved players, who check that they receive everything once and in order."""

    def __init__(self, server: Inside) -> None:
        self.server, self.is_enough, self.matches, self.match = server, False, 0, ""

    async def join(self) -> None:
        self.match, tokens = await self.server.seated(GAME, 2)
        self._sockets = [await self.server.socket(token) for token in tokens]
        self._starts = [await socket.follow(self.match) for socket in self._sockets]

    async def run(self) -> None:
        rng = random.Random(5)
        while True:
            await self._play(rng)
            self.matches += 1
            if self.is_enough:
                return
            await self.join()

    async def _play(self, rng: random.Random) -> None:
        positions = [start["document"] for start in self._starts]
        received: list[list[int]] = [[], []]
        while positions[0]["stage"] == "playing":
            seat = positions[0]["view"]["to_move"]
            move = rng.choice(positions[seat]["view"]["legal"])["action"]
            sent = {"type": "command", "id": f"m{len(received[0])}", "match": self.match}
            await self._sockets[seat].send(sent | {"command": {"type": "play", "move": move}})
            for number, socket in enumerate(self._sockets):
                changes = await socket.receive("changes", "error")
                assert changes["type"] == "changes", changes
                received[number] += [event["seq"] for event in changes["events"]]
                positions[number] = changes["position"]
            await asyncio.sleep(0)
        last = positions[0]["seq"]
        for number, start in enumerate(self._starts):
            assert received[number] == list(range(start["seq"] + 1, last + 1))
        live = await self.server.services.matches.load(self.match)
        assert live.match.seq == last, "nobody else wrote to it"
        for socket in self._sockets:
            await socket.close()


def memory_mb() -> float:
    gc.collect()
    pages = int(Path("/proc/self/statm").read_text(encoding="ascii").split()[1])
    return pages * os.sysconf("SC_PAGE_SIZE") / 2**20


async def fuzz(folder: Path, count: int) -> tuple[list[FuzzClient], HonestPlayers, list[float]]:
    """Fuzzers and players at the same time; the memory after each quarter."""
    async with inside(folder, max_follows_per_socket=8, max_queued_messages=4096) as server:
        table = HonestPlayers(server)
        await table.join()
        playing = asyncio.create_task(table.run())
        harms = [FuzzClient(server, seed, table.match) for seed in range(SOCKETS)]
        memory = []
        for quarter in range(1, 5):
            share = count * quarter // 4 // SOCKETS
            async with asyncio.TaskGroup() as group:
                for harm in harms:
                    group.create_task(harm.run(share))
            memory.append(memory_mb())
        table.is_enough = True
        async with asyncio.timeout(60):
            await playing
        sockets = server.app.state.sockets
        assert not sockets.open, "no socket is left behind"
        assert not server.services.hub._followers, "and nobody follows"
    return harms, table, memory


async def test_no_message_does_any_harm(tmp_path: Path) -> None:
    harms, table, _ = await fuzz(tmp_path, 600)
    assert sum(harm.received for harm in harms) > 300
    assert table.matches > 0


@pytest.mark.nightly
async def test_many_messages_take_no_memory(tmp_path: Path) -> None:
    harms, table, memory = await fuzz(tmp_path, MESSAGES)
    matches = sum(harm.sent // ROUND + 1 for harm in harms) + table.matches
    assert sum(harm.sent for harm in harms) >= MESSAGES
    assert table.matches > 0
    assert sum(harm.ended for harm in harms) > 0
    # Matches stay in the node's memory, by design, up to a limit; messages must not.
    assert memory[3] - memory[1] < 8 + matches * 0.05, memory


def test_undocumented_messages_are_found() -> None:
    good = {"type": "pong", "sent": 1.0, "now": 5}
    check(good)
    for bad in (good | {"more": 1}, {"type": "pong", "now": 5}):
        with pytest.raises(AssertionError):
            check(bad)
    refused = {"type": "error", "message": "m", "hint": "", "id": None, "match": None}
    refused["explanation"] = None
    check(refused | {"code": "forbidden"})
    with pytest.raises(AssertionError):
        check(refused | {"code": "Traceback"})
