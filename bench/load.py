"""How fast moves are acknowledged, durably, while many matches are played, beside a bare echo.

One server process with SQLite; the clients are those of ``watermeet load``, in another process.
Moves are sent at a fixed rate whatever the answers do; latency is from sending a move to its
acknowledgement. The echo is a server on the same stack that only sends back what it gets, with the
same clients.
"""

from __future__ import annotations

import os
import resource
import socket
import sys
import tempfile
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from tests.server.nodes import Node
from tests.server.servers import Server

from bench.report import ROOT, Row, progress
from watermeet.client.load import LoadGame, LoadPlan, LoadReport, run_load
from watermeet.client.load_players import Player, Table

TITLE = "The server under load"
ABOUT = (
    "Moves of Flume 7x7, each acknowledged when it is durable (SQLite), sent at a fixed rate; CPU "
    "time of the server's process, beside an echo of the same messages on the same stack."
)
COLUMNS = {
    "": "load",
    "moves": "moves/s",
    "p50": "median, ms",
    "p99": "99 of 100, ms",
    "CPU a move": "CPU a move, ms",
    "times the echo": "times the echo",
    "memory": "memory, MB",
}
COMPILE_S = 300.0
TICKS = os.sysconf("SC_CLK_TCK")
GAME, SHORTEST = LoadGame("flume", {"size": 7}, 2), 24
"""A cheap game without chance, and the least number of moves in a match."""
LOADS = ((100, 500.0), (1000, 500.0), (1000, 1000.0))
"""Matches at once, and moves a second."""
SECONDS, WARM_UP_S = 15.0, 3.0
PING_S = 20.0
"""Less often than real clients: this is about moves."""


def measure(seconds: float, games: Sequence[str]) -> list[Row]:
    """Our server and the echo, for each load."""
    del games  # One is enough: the server's work hardly depends on the game.
    _, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (hard, hard))  # The server inherits it.
    rows: list[Row] = []
    for matches, rate in LOADS:
        name = f"{matches:,} matches, {rate:,.0f} moves/s"
        progress(name)
        with running_server() as server:
            ours = drive_clients(server, plan_of(server, matches, rate, SECONDS * seconds))
        with running_echo() as echo:
            plan = plan_of(echo, matches, rate, SECONDS * seconds)
            theirs = drive_clients(echo, plan, EchoTable)
        rows += ours.rows(name, theirs)
    return rows


def plan_of(server: Server, matches: int, rate: float, seconds: float) -> LoadPlan:
    """What the clients do: no match is created while it is measured."""
    moves = rate * (seconds + WARM_UP_S) / matches
    return LoadPlan(
        url=f"http://127.0.0.1:{server.port}",
        games=(GAME,),
        matches=matches,
        rate=rate,
        seconds=seconds,
        warm_up_s=WARM_UP_S,
        ping_s=PING_S,
        prepared=1 + int(moves // SHORTEST),
    )


# ---- clients of the echo server ------------------------------------------------------------------


class EchoPlayer(Player):
    """Its messages come back, and then it is the other's turn."""

    async def _greet(self) -> None:
        if self.seat == 0:
            self._on_echo(0)

    async def ping(self) -> None:
        pass

    async def _receive(self, text: bytes) -> None:
        assert self.seat is not None
        self._on_echo(1 - self.seat)

    def _on_echo(self, seat: int) -> None:
        assert isinstance(self.table, EchoTable)
        self.table.on_echo(seat)


class EchoTable(Table):
    """Two sockets of an echo server that take turns."""

    async def open(self) -> None:
        self.players = [EchoPlayer(self, seat, "") for seat in (0, 1)]

    def on_echo(self, seat: int) -> None:
        """What was sent has come back: it is this seat's turn."""
        if self.sent is not None:
            self.on_ack(self.sent.id, 0)
        self._turn = seat, 0, [1]
        self._queue_up()

    async def check(self) -> None:
        """Nothing was stored."""


# ---- servers ------------------------------------------------------------------------------------


class LoadNode(Node):
    """A node with its file on disk, because /tmp may be in memory."""

    def __init__(self, folder: Path) -> None:
        super().__init__(max_sockets="100000")
        self._data = folder

    def _command(self) -> list[str]:
        command = super()._command()
        command[command.index("--data-dir") + 1] = str(self._data)
        return command


class Echo(Server):
    """The same stack with nothing behind it."""

    def _command(self) -> list[str]:
        return [sys.executable, str(ROOT / "bench" / "echo.py"), str(self.port)]

    def _answers(self) -> bool:
        with socket.socket() as probe:
            return probe.connect_ex(("127.0.0.1", self.port)) == 0


def wait_until_compiled(node: Node) -> None:
    """Otherwise the first figures would measure the compiler."""
    end = time.monotonic() + COMPILE_S
    while "all games compiled" not in node.log:
        assert time.monotonic() < end, f"games aren't compiled after {COMPILE_S:g} s"
        time.sleep(0.1)


@contextmanager
def running_server() -> Iterator[Server]:
    """Our server."""
    with tempfile.TemporaryDirectory(dir=ROOT / "bench") as folder:
        node = LoadNode(Path(folder))
        try:
            node.start()
            wait_until_compiled(node)
            yield node
        finally:
            node.remove()


@contextmanager
def running_echo() -> Iterator[Server]:
    """The echo server."""
    echo = Echo("watermeet-echo-")
    try:
        echo.start()
        yield echo
    finally:
        echo.remove()


def usage(pid: int) -> tuple[float, float]:
    """CPU seconds that a process has used so far, and its memory in MB."""
    fields = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
    status = Path(f"/proc/{pid}/status").read_text()
    held = next(line.split()[1] for line in status.splitlines() if line.startswith("VmRSS"))
    return (int(fields[11]) + int(fields[12])) / TICKS, int(held) / 1000


# ---- measuring ----------------------------------------------------------------------------------


@dataclass(frozen=True)
class Figures:
    """The figures of one run."""

    report: LoadReport
    cpu: float
    """Cores kept busy by the server."""
    megabytes: float

    @property
    def latencies(self) -> tuple[float, float]:
        """Median and p99 of acknowledgements, in milliseconds."""
        found = self.report.acknowledgements
        assert found is not None, "nothing was acknowledged"
        return found.p50, found.p99

    @property
    def cpu_ms(self) -> float:
        """CPU time of a move."""
        return 1000 * self.cpu / self.report.moves_per_second

    def rows(self, name: str, echo: Figures) -> list[Row]:
        """All figures, beside those of the echo."""

        def beside(what: str, unit: str, ours: float, theirs: float) -> Row:
            return Row(name, what, ours, unit, "", "echo", theirs, ours / theirs)

        (p50, p99), (echo_p50, echo_p99) = self.latencies, echo.latencies
        moves, echo_moves = self.report.moves_per_second, echo.report.moves_per_second
        late = f"{self.report.late} not sent in time; load {os.getloadavg()[0]:.1f}"
        return [
            Row(name, "moves", moves, "moves/s", late, "echo", echo_moves, moves / echo_moves),
            beside("p50", "ms", p50, echo_p50),
            beside("p99", "ms", p99, echo_p99),
            beside("CPU a move", "ms", self.cpu_ms, echo.cpu_ms),
            Row(name, "times the echo", self.cpu_ms / echo.cpu_ms, "times"),
            beside("memory", "MB", self.megabytes, echo.megabytes),
        ]  # fmt: skip


def drive_clients(server: Server, plan: LoadPlan, table_class: type[Table] = Table) -> Figures:
    """One run: all clients connect, then play at the same time."""
    samples: list[tuple[float, float, float]] = []

    def sample() -> None:
        samples.append((time.monotonic(), *usage(server.pid)))

    report = run_load(plan, on_start=sample, on_stop=sample, table_class=table_class)
    assert not report.faults, report.faults
    (begin, before, _), (end, after, held) = samples
    return Figures(report, (after - before) / (end - begin), held)
