"""How fast moves are acknowledged, durably, while many matches are played at once.

One server process; the clients are those of ``watermeet load``, in other processes. Moves are sent
at a fixed rate whatever the answers do; latency is from sending a move to its acknowledgement. In
the same run: an echo server on the same stack, with the same clients.
"""

from __future__ import annotations

import argparse
import os
import resource
import sys
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from tests.server.nodes import Node
from tests.server.servers import Postgres, Server

from bench.report import ROOT
from watermeet.client.load import LoadGame, LoadPlan, LoadReport, run_load
from watermeet.client.load_players import Player, Table
from watermeet.testing.speed import Measurement

TITLE = "The server under load"
TICKS = os.sysconf("SC_CLK_TCK")
GAME, SHORTEST = LoadGame("flume", {"size": 7}, 2), 24
"""A cheap game without chance, and the least number of moves in a match."""
WARM_UP_S = 3.0
PING_S = 20.0
"""Less often than real clients: this is about moves."""


def measure(seconds: float, arguments: list[str]) -> list[Measurement]:
    """Our server and the echo, for each number of matches."""
    parser = argparse.ArgumentParser(prog="python -m bench load --")
    parser.add_argument("--matches", type=int, nargs="+", default=[100, 1000, 5000])
    parser.add_argument("--rate", type=float, default=1000.0, help="moves per second (1000)")
    parser.add_argument("--seconds", type=float, default=15.0, help="per figure (15)")
    parser.add_argument("--clients", type=int, default=1, help="client processes (1)")
    parser.add_argument("--engine", choices=("sqlite", "postgresql"), default="sqlite")
    chosen = parser.parse_args(arguments)
    _, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (hard, hard))  # The server inherits it.
    found: list[Measurement] = []
    for matches in chosen.matches:
        name = f"{chosen.engine}, {matches} matches"
        with running_server(chosen.engine) as server:
            ours = drive_clients(server, plan_of(server, matches, chosen))
        with running_echo() as echo:
            theirs = drive_clients(echo, plan_of(echo, matches, chosen), EchoTable)
        found += ours.measurements(name)
        found += theirs.measurements(f"{name}, echo")
        found += ours.ratios(theirs, f"{name}, ratio")
    return found


def plan_of(server: Server, matches: int, chosen: argparse.Namespace) -> LoadPlan:
    """What the clients do: no match is created while it is measured."""
    moves = chosen.rate * (chosen.seconds + WARM_UP_S) / matches
    return LoadPlan(
        url=f"http://127.0.0.1:{server.port}",
        games=(GAME,),
        matches=matches,
        rate=chosen.rate,
        seconds=chosen.seconds,
        warm_up_s=WARM_UP_S,
        ping_s=PING_S,
        prepared=1 + int(moves // SHORTEST),
        processes=chosen.clients,
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

    def __init__(self, folder: Path, **settings: str) -> None:
        super().__init__(max_sockets="100000", **settings)
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
        import socket

        with socket.socket() as probe:
            return probe.connect_ex(("127.0.0.1", self.port)) == 0


@contextmanager
def running_server(engine: str) -> Iterator[Server]:
    """Our server on a database engine."""
    with tempfile.TemporaryDirectory(dir=ROOT) as folder:
        postgres = Postgres() if engine == "postgresql" else None
        settings = {}
        if postgres is not None:
            postgres.start()
            settings["store_url"] = postgres.new_database()
        node = LoadNode(Path(folder), **settings)
        try:
            node.start()
            node.wait_until_compiled()  # Otherwise the first figures would measure the compiler.
            yield node
        finally:
            node.remove()
            if postgres is not None:
                postgres.remove()


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
    asked: float
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
    def cpu_per_move(self) -> float:
        """Seconds."""
        return self.cpu / self.report.moves_per_second

    def measurements(self, name: str) -> list[Measurement]:
        """The figures as rows."""
        load = os.getloadavg()[0]
        note = f"{self.asked:.0f} requested; {self.report.late} not sent in time"
        p50_ms, p99_ms = self.latencies
        rows = [
            Measurement(name, "acknowledged moves", self.report.moves_per_second, "moves/s", note),
            Measurement(name, "latency, median", p50_ms, "ms", ""),
            Measurement(name, "latency, p99", p99_ms, "ms", ""),
            Measurement(name, "server CPU", self.cpu, "cores", f"load {load:.1f}"),
            Measurement(name, "server memory", self.megabytes, "MB", ""),
        ]
        if self.report.news is not None:
            rows.insert(
                3, Measurement(name, "opponent's news, p99", self.report.news.p99, "ms", "")
            )
        return rows

    def ratios(self, echo: Figures, name: str) -> list[Measurement]:
        """Ratios to the echo server."""
        (p50, p99), (echo_p50, echo_p99) = self.latencies, echo.latencies
        per_move = self.cpu_per_move / echo.cpu_per_move
        return [
            Measurement(name, "latency, median", p50 / echo_p50, "times", ""),
            Measurement(name, "latency, p99", p99 / echo_p99, "times", ""),
            Measurement(name, "CPU per move", per_move, "times", ""),
        ]


def drive_clients(server: Server, plan: LoadPlan, table_class: type[Table] = Table) -> Figures:
    """One run: all clients connect, then play at the same time."""
    samples: list[tuple[float, float, float]] = []

    def sample() -> None:
        samples.append((time.monotonic(), *usage(server.pid)))

    report = run_load(plan, on_start=sample, on_stop=sample, table_class=table_class)
    assert not report.faults, report.faults
    (begin, before, _), (end, after, held) = samples
    return Figures(report, plan.rate, (after - before) / (end - begin), held)
