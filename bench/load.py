"""How fast moves are acknowledged, durably, while many matches are played at once.

One server process; the clients are other processes with two sockets per match. Moves are sent at a
fixed rate whatever the answers do; latency is from sending a move to its acknowledgement. In the
same run: an echo server on the same stack, with the same clients.
"""

from __future__ import annotations

import argparse
import math
import os
import resource
import statistics
import sys
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from multiprocessing import get_context
from pathlib import Path
from typing import Any

from tests.server.nodes import Node
from tests.server.servers import Postgres, Server

from bench.load_clients import Job, Result, drive
from bench.report import ROOT
from watermeet.testing.speed import Measurement

TITLE = "The server under load"
TICKS = os.sysconf("SC_CLK_TCK")


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
        job = Job("", "watermeet", matches, chosen.rate, chosen.seconds)
        with running_server(chosen.engine) as server:
            ours = drive_clients(server, job, chosen.clients)
        with running_echo() as echo:
            theirs = drive_clients(echo, Job.echo_of(job), chosen.clients)
        found += ours.measurements(name)
        found += theirs.measurements(f"{name}, echo")
        found += ours.ratios(theirs, f"{name}, ratio")
    return found


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

    rate: float
    asked: float
    p50_ms: float
    p99_ms: float
    cpu: float
    """Cores kept busy by the server."""
    megabytes: float
    late: int

    def measurements(self, name: str) -> list[Measurement]:
        """The figures as rows."""
        load = os.getloadavg()[0]
        note = f"{self.asked:.0f} requested; {self.late} not sent in time"
        return [
            Measurement(name, "acknowledged moves", self.rate, "moves/s", note),
            Measurement(name, "latency, median", self.p50_ms, "ms", ""),
            Measurement(name, "latency, p99", self.p99_ms, "ms", ""),
            Measurement(name, "server CPU", self.cpu, "cores", f"load {load:.1f}"),
            Measurement(name, "server memory", self.megabytes, "MB", ""),
        ]

    def ratios(self, echo: Figures, name: str) -> list[Measurement]:
        """Ratios to the echo server."""
        per_move = (self.cpu / self.rate) / (echo.cpu / echo.rate)
        return [
            Measurement(name, "latency, median", self.p50_ms / echo.p50_ms, "times", ""),
            Measurement(name, "latency, p99", self.p99_ms / echo.p99_ms, "times", ""),
            Measurement(name, "CPU per move", per_move, "times", ""),
        ]


def drive_clients(server: Server, job: Job, clients: int) -> Figures:
    """One run: all clients connect, then play at the same time."""
    context = get_context("spawn")
    ready, results = context.Barrier(clients + 1), context.Queue()
    address = f"127.0.0.1:{server.port}"
    shares = [job.share(address, number, clients) for number in range(clients)]
    processes: list[Any] = [
        context.Process(target=drive, args=(share, ready, results)) for share in shares
    ]
    for process in processes:
        process.start()
    ready.wait()
    cpu, _ = usage(server.pid)
    begin = time.monotonic()
    found: list[Result] = [results.get() for _ in processes]
    elapsed = time.monotonic() - begin
    after, held = usage(server.pid)
    for process in processes:
        process.join()
    took = [each for result in found for each in result.took_ms]
    quantiles = statistics.quantiles(took, n=100) if len(took) > 1 else [math.nan] * 99
    late = sum(result.late for result in found)
    rate = len(took) / job.seconds
    return Figures(
        rate, job.rate, quantiles[49], quantiles[98], (after - cpu) / elapsed, held, late
    )
