"""Warm kernels: who waits for a game gets it first, and one that is broken holds up nobody."""

from __future__ import annotations

import asyncio
import subprocess
import sys
from pathlib import Path

import pytest

from watermeet.bots.bot import Bot
from watermeet.bots.making import make_bot
from watermeet.core.game import Game
from watermeet.core.kernel import plain_python
from watermeet.server import warming
from watermeet.server.warming import Warmth

pytestmark = pytest.mark.anyio


async def test_the_game_that_is_asked_for_comes_first(monkeypatch: pytest.MonkeyPatch) -> None:
    warmed: list[str] = []
    monkeypatch.setattr(warming, "registered", lambda: ("a", "b", "c", "d"))
    monkeypatch.setattr(warming, "mark_of", lambda name, what: None)

    def warm_up(name: str) -> None:
        warmed.append(name)
        if name == "c":
            raise ValueError("a stranger's fault")

    monkeypatch.setattr(warming, "warm_up", warm_up)
    kept: list[list[str]] = []
    monkeypatch.setattr(warming, "_keep_for_good", lambda: kept.append(list(warmed)))
    warmth = Warmth()
    asking = [asyncio.create_task(warmth.wait_for(name)) for name in ("c", "d", "nobody's")]
    await asyncio.sleep(0)
    assert asking[2].done()
    warmth.start()
    async with asyncio.timeout(10):
        await asyncio.gather(*asking)
        while not warmth.is_warm:
            await asyncio.sleep(0.001)
        while not kept:
            await asyncio.sleep(0.001)
    assert sorted(warmed[:2]) == ["c", "d"]
    assert [sorted(each) for each in kept] == [["a", "b", "c", "d"]], (
        "what was loaded is kept for good when all is there"
    )
    await warmth.close()


async def test_bots_come_when_all_games_are_warm(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    """Each is compiled once, by a process of its own, and marked."""
    asked = compilers(monkeypatch, tmp_path)
    (tmp_path / "b-game").touch()
    warmth = Warmth()
    warmth.start()
    async with asyncio.timeout(10):
        await warmth.wait_for_bots("nobody's")
        while not (tmp_path / "b-bots").exists():
            await asyncio.sleep(0.001)
        await warmth.wait_for_bots("b")
    await warmth.close()
    assert asked == [("game", "a"), ("bots", "a"), ("bots", "b")]


async def test_bots_that_somebody_waits_for_come_first(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    asked = compilers(monkeypatch, tmp_path)
    warmth = Warmth()
    waiting = asyncio.create_task(warmth.wait_for_bots("b"))
    await asyncio.sleep(0)
    assert [warmth.has_rules_of("b"), warmth.has_bots_of("b")] == [False, False]
    assert [warmth.has_rules_of("nobody's"), warmth.has_bots_of("nobody's")] == [True, True]
    warmth.start()
    async with asyncio.timeout(10):
        await waiting
        while not (tmp_path / "a-bots").exists():
            await asyncio.sleep(0.001)
        await warmth.wait_for_bots("a")
    assert all(warmth.has_rules_of(game) and warmth.has_bots_of(game) for game in ("a", "b"))
    await warmth.close()
    assert asked == [("bots", "b"), ("game", "a"), ("game", "b"), ("bots", "a")]


def compilers(monkeypatch: pytest.MonkeyPatch, marks: Path) -> list[tuple[str, ...]]:
    """Two games, and what compilers are asked for; they are done at once."""
    asked: list[tuple[str, ...]] = []
    monkeypatch.setattr(warming, "registered", lambda: ("a", "b"))
    monkeypatch.setattr(warming, "runs_plain_python", lambda: False)
    monkeypatch.setattr(warming, "mark_of", lambda name, what: marks / f"{name}-{what}")
    monkeypatch.setattr(warming, "warm_up", lambda name: None)

    class Done:
        returncode = 0

        async def wait(self) -> int:
            return 0

    async def run(*command: str, stdin: int) -> Done:
        asked.append(command[-2:])
        return Done()

    monkeypatch.setattr(asyncio, "create_subprocess_exec", run)
    return asked


def test_bots_of_all_levels_are_warmed_up(monkeypatch: pytest.MonkeyPatch) -> None:
    made: list[str] = []

    def note(game: Game, text: str) -> Bot:
        made.append(text)
        return make_bot(game, text)

    monkeypatch.setattr(warming, "make_bot", note)
    with plain_python():
        warming.warm_up_bots("flume")
    assert made == ["drop", "brook", "stream", "river", "sea"]


def compiler(*games: str) -> subprocess.Popen[bytes]:
    command = [sys.executable, "-m", "watermeet.server.warming", "game", *games]
    return subprocess.Popen(command, stdin=subprocess.PIPE)


def test_a_compiler_ends_when_it_is_done() -> None:
    with compiler() as process:
        assert process.wait(60) == 0


@pytest.mark.slow
def test_a_compiler_ends_with_the_server_that_wants_it() -> None:
    with compiler(*["kuhn_poker"] * 20_000) as process:
        assert process.stdin is not None
        process.stdin.close()  # As the system does it for a process that was killed.
        assert process.wait(60) == 1
