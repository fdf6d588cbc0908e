"""The precompiler: a game that somebody plays comes first, and a broken one delays nobody."""

from __future__ import annotations

import asyncio
import random
import subprocess
import sys
from pathlib import Path

import pytest
from tests.server.inside import Inside, inside_compiled, until

import watermeet as wm
from watermeet.bots.bot import Bot
from watermeet.bots.specs import make_bot
from watermeet.core.kernel import Kernel, plain_python
from watermeet.server import precompiler
from watermeet.server.precompiler import Precompiler

pytestmark = pytest.mark.anyio


async def test_a_game_that_is_played_jumps_the_queue(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    """A broken one delays nobody, and garbage collection is frozen once, when all are loaded."""
    compilers(monkeypatch, tmp_path, "a", "b", "c", "d")
    compiled: list[str] = []

    def run_rules(name: str) -> None:
        compiled.append(name)
        if name == "c":
            raise ValueError("broken")

    frozen: list[set[str]] = []
    monkeypatch.setattr(precompiler, "run_rules", run_rules)
    monkeypatch.setattr(precompiler, "_freeze", lambda: frozen.append(set(compiled)))
    compiling = Precompiler()
    for name in ("c", "d", "unknown"):
        compiling.prefer(name)
    compiling.start()
    await until(lambda: compiling.all_rules_are_ready and frozen)
    await compiling.close()
    assert set(compiled[:2]) == {"c", "d"}
    assert frozen == [{"a", "b", "c", "d"}]


@pytest.mark.slow
@pytest.mark.compiled
async def test_a_server_that_has_loaded_everything_runs_nothing_in_python(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    """Whatever it calls for players, spectators and readers: a kernel left out would stay slow."""
    in_python: set[str] = set()
    async with inside_compiled(tmp_path) as server:
        async with asyncio.timeout(600):
            while not server.services.precompiler.all_rules_are_ready:
                await asyncio.sleep(0.05)
        run = Kernel._call_in_python

        def recorded(kernel: Kernel[..., object], *args: object, **kwargs: object) -> object:
            in_python.add(repr(kernel))
            return run(kernel, *args, **kwargs)

        monkeypatch.setattr(Kernel, "_call_in_python", recorded)
        for name in wm.games():
            await play(server, name)
    assert in_python == set()


async def play(server: Inside, game: str, moves: int = 30) -> None:
    """Play random moves while a spectator watches, then read the whole match."""
    rng, seats = random.Random(game), wm.game(game).seats
    match, tokens = await server.seated(game, seats)
    sockets = [await server.socket(token) for token in (*tokens, "")]
    for socket in sockets:
        await socket.follow(match)
    for _ in range(moves):
        if (await server.document(match))["stage"] != "playing":
            break
        seat, legal = await server.to_move(match, tokens)
        move = rng.choice(legal)["action"]
        await sockets[seat].do(match, {"type": "play", "move": move})
    for socket in sockets[:seats]:
        await socket.do(match, {"type": "resign"})
    async with server.http(tokens[0]) as http:
        for page in ("", "/record", "/positions/5"):
            answer = await http.get(f"/api/matches/{match}{page}")
            assert answer.status_code == 200, answer.text


async def test_bots_are_compiled_after_all_rules_and_engines_last(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    """Each is compiled once, in its own process, and marked."""
    asked = compilers(monkeypatch, tmp_path, "a", "b")
    (tmp_path / "b-rules").touch()
    compiling = Precompiler()
    compiling.start()
    await until(lambda: compiling.is_ready("b", precompiler.ENGINE))
    assert (tmp_path / "b-bots").exists()
    await compiling.close()
    parts = ("rules", "a"), ("bots", "a"), ("bots", "b"), ("engine", "a"), ("engine", "b")
    assert asked == list(parts)


async def test_the_bots_of_a_game_that_is_played_come_before_other_games(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    asked = compilers(monkeypatch, tmp_path, "a", "b")
    monkeypatch.setattr(precompiler, "COMPILERS", 1)
    compiling = Precompiler()
    compiling.prefer("b")
    assert [compiling.is_ready("b"), compiling.is_ready("b", precompiler.BOTS)] == [False, False]
    assert compiling.is_ready("unknown")
    compiling.start()
    await until(lambda: compiling.is_ready("b", precompiler.ENGINE))
    await compiling.close()
    assert asked[:4] == [("rules", "b"), ("bots", "b"), ("rules", "a"), ("bots", "a")]
    assert sorted(asked[4:]) == [("engine", "a"), ("engine", "b")]


def compilers(monkeypatch: pytest.MonkeyPatch, marks: Path, *games: str) -> list[tuple[str, ...]]:
    """Replace the compilers of games; returns what they are asked to compile."""
    asked: list[tuple[str, ...]] = []
    monkeypatch.setattr(precompiler, "registered", lambda: games)
    monkeypatch.setattr(precompiler, "runs_plain_python", lambda: False)
    monkeypatch.setattr(precompiler, "marker_file", lambda name, part: marks / f"{name}-{part}")
    monkeypatch.setattr(precompiler, "run_rules", lambda name: None)

    class Done:
        returncode = 0

        async def wait(self) -> int:
            return 0

    async def run(*command: str, stdin: int) -> Done:
        asked.append(command[-2:])
        (marks / f"{command[-1]}-{command[-2]}").touch()
        return Done()

    monkeypatch.setattr(asyncio, "create_subprocess_exec", run)
    return asked


@pytest.mark.nightly
def test_bots_of_all_levels_are_compiled(monkeypatch: pytest.MonkeyPatch) -> None:
    made: list[str] = []

    def make(game: wm.Game, text: str) -> Bot:
        made.append(text)
        return make_bot(game, text)

    monkeypatch.setattr(precompiler, "make_bot", make)
    with plain_python():
        precompiler.run_bots("flume")
    assert made[:5] == ["drop", "brook", "stream", "river", "sea"]


@pytest.mark.slow
@pytest.mark.parametrize("is_killed", [False, True])
def test_a_compiler_exits_when_it_is_done_or_its_server_is_gone(is_killed: bool) -> None:
    games = ["kuhn_poker"] * 20_000 * is_killed
    command = [sys.executable, "-m", "watermeet.server.precompiler", "rules", *games]
    with subprocess.Popen(command, stdin=subprocess.PIPE) as process:
        if is_killed:
            assert process.stdin is not None
            process.stdin.close()  # As the system does when a process is killed.
        assert process.wait(60) == is_killed


async def test_nobody_waits_long_for_compiled_rules(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    """On a busy machine, loading them takes many seconds: then plain Python is faster."""
    compilers(monkeypatch, tmp_path, "a")
    (tmp_path / "a-rules").touch()
    monkeypatch.setattr(precompiler, "LOAD_S", 0.05)
    compiling = Precompiler()  # Not started, so it never loads anything.
    async with asyncio.timeout(10):
        await compiling.wait_for("a")
    assert not compiling.is_ready("a")
