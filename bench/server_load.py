"""How fast moves are acknowledged, durably, while many matches are played at once.

    python bench/server_load.py                       100, 1000 and 5000 matches, 1000 moves/s
    python bench/server_load.py --matches 1000 --rate 500 --seconds 30
    python bench/server_load.py --engine postgresql   a PostgreSQL of our own instead of SQLite
    python bench/server_load.py --write               and writes RESULTS.md

One server process; the clients are other processes, with two sockets for each match. Moves are
sent at a fixed rate, whatever the answers do; the time is that from sending a move to its
acknowledgement. Beside it, in the same run: an echo server on the same stack with the same clients.
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

ROOT = Path(__file__).parents[1]
sys.path.append(str(ROOT))  # The tests know how to start servers.

from bench.server_clients import Job, Result, drive  # noqa: E402
from tests.server.nodes import Node  # noqa: E402
from tests.server.servers import Postgres, Server  # noqa: E402

from watermeet.bench.report import machine, markdown, table, with_section  # noqa: E402
from watermeet.bench.runner import Measurement  # noqa: E402

RESULTS = ROOT / "bench" / "RESULTS.md"
TICKS = os.sysconf("SC_CLK_TCK")


def main() -> None:
    """Measures and tells."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--matches", type=int, nargs="+", default=[100, 1000, 5000])
    parser.add_argument("--rate", type=float, default=1000.0, help="moves a second, in all (1000)")
    parser.add_argument("--seconds", type=float, default=15.0, help="for each figure (15)")
    parser.add_argument("--clients", type=int, default=1, help="processes that play (1)")
    parser.add_argument("--engine", choices=("sqlite", "postgresql"), default="sqlite")
    parser.add_argument("--no-echo", action="store_true", help="leave the echo server out")
    parser.add_argument("--write", action="store_true", help="into RESULTS.md")
    chosen = parser.parse_args()
    allow_many_sockets()
    measurements: list[Measurement] = []
    for matches in chosen.matches:
        already = len(measurements)
        job = Job("", "watermeet", matches, chosen.rate, chosen.seconds)
        with running_server(chosen.engine) as server:
            ours = measure(server, job, chosen.clients)
        measurements += ours.measurements(f"{matches} matches")
        if not chosen.no_echo:
            with running_echo() as echo:
                theirs = measure(echo, Job.echo_of(job), chosen.clients)
            measurements += theirs.measurements(f"{matches} matches, echo")
            measurements += ours.ratios(theirs, f"{matches} matches, ratio")
        print(table(measurements[already:]), flush=True)
    print("\n" + table(measurements))
    if chosen.write:
        write(measurements, chosen.engine)


def write(measurements: list[Measurement], engine: str) -> None:
    """Puts the figures into RESULTS.md."""
    load = ", ".join(f"{each:.1f}" for each in os.getloadavg())
    heading = f"## Server under load ({engine})\n\n{machine()}; load of the machine {load}."
    page = RESULTS.read_text(encoding="utf-8")
    page = with_section(page, f"load-{engine}", f"{heading}\n\n{markdown(measurements)}")
    RESULTS.write_text(page, encoding="utf-8")


def allow_many_sockets() -> None:
    """As many open files as the system lets us have; the server inherits it."""
    _, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (hard, hard))


# ---- servers ------------------------------------------------------------------------------------


class LoadNode(Node):
    """A node with its file on a disk: /tmp may be memory."""

    def __init__(self, folder: Path, **settings: str) -> None:
        super().__init__(max_sockets="100000", **settings)
        self._data = folder

    def _command(self) -> list[str]:
        command = super()._command()
        command[command.index("--data-dir") + 1] = str(self._data)
        return command


class Echo(Server):
    """The same stack, and nothing behind it."""

    def _command(self) -> list[str]:
        return [sys.executable, str(ROOT / "bench" / "server_echo.py"), str(self.port)]

    def _answers(self) -> bool:
        import socket

        with socket.socket() as probe:
            return probe.connect_ex(("127.0.0.1", self.port)) == 0


@contextmanager
def running_server(engine: str) -> Iterator[Server]:
    """Our server, on an engine."""
    with tempfile.TemporaryDirectory(dir=ROOT) as folder:
        postgres = Postgres() if engine == "postgresql" else None
        settings = {}
        if postgres is not None:
            postgres.start()
            settings["store_url"] = postgres.new_database()
        node = LoadNode(Path(folder), **settings)
        try:
            node.start()
            node.wait_until_warm()  # Or the first figures would be those of a compiler.
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
    """Seconds of CPU that a process has used so far, and the memory that it holds, in MB."""
    fields = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
    status = Path(f"/proc/{pid}/status").read_text()
    held = next(line.split()[1] for line in status.splitlines() if line.startswith("VmRSS"))
    return (int(fields[11]) + int(fields[12])) / TICKS, int(held) / 1000


# ---- measuring ----------------------------------------------------------------------------------


@dataclass(frozen=True)
class Figures:
    """What one run gave."""

    rate: float
    asked: float
    p50_ms: float
    p99_ms: float
    cpu: float
    """Cores that the server kept busy."""
    megabytes: float
    late: int

    def measurements(self, name: str) -> list[Measurement]:
        """As rows of a table."""
        load = os.getloadavg()[0]
        note = f"{self.asked:.0f} asked for, {self.late} could not be sent in time"
        return [
            Measurement(name, "acknowledged moves", self.rate, "moves/s", note),
            Measurement(name, "from send to answer, half", self.p50_ms, "ms", ""),
            Measurement(name, "from send to answer, 99 of 100", self.p99_ms, "ms", ""),
            Measurement(name, "CPU of the server", self.cpu, "cores", f"machine's load {load:.1f}"),
            Measurement(name, "memory of the server", self.megabytes, "MB", ""),
        ]

    def ratios(self, echo: Figures, name: str) -> list[Measurement]:
        """How many times the echo's."""
        per_move = (self.cpu / self.rate) / (echo.cpu / echo.rate)
        return [
            Measurement(name, "half of the answers", self.p50_ms / echo.p50_ms, "times", ""),
            Measurement(name, "99 of 100 answers", self.p99_ms / echo.p99_ms, "times", ""),
            Measurement(name, "CPU for a move", per_move, "times", ""),
        ]


def measure(server: Server, job: Job, clients: int) -> Figures:
    """One run: all clients get ready, then play at the same time."""
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


if __name__ == "__main__":
    main()
