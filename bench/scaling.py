"""What one node and three nodes need for a move, and what a million players a day would need.

Nodes, PostgreSQL, the bus and the clients share this machine, so throughput says little: the
figures are CPU time of each process, per move and per idle socket. The model multiplies them.
"""

from __future__ import annotations

import argparse
import math
import time
from collections.abc import Iterator, Mapping
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, replace
from pathlib import Path
from tempfile import TemporaryDirectory

from tests.server import processes
from tests.server.servers import Postgres, Server, Valkey

from bench.load import LoadNode, usage
from bench.report import ROOT, markdown
from watermeet.client.load import LoadPlan, LoadReport, find_games, run_load
from watermeet.testing.speed import Measurement

TITLE = "Beyond one machine"
CALM = 0.001
"""A rate at which nobody moves."""


@dataclass(frozen=True)
class Costs:
    """What was measured, with all games."""

    node_ms: float
    """CPU of the nodes for a move, new matches included, without what idle sockets take,"""
    database_ms: float
    bus_ms: float
    bus_commands: float
    """Commands that the bus handles for a move."""
    transactions: float
    """Transactions of the database for a move, reads and new matches included."""
    socket_ms: float
    """CPU of a node for an idle socket, each second."""
    socket_kb: float
    """Memory of a node for an idle socket and its half of a match."""
    bot_s: float = 0.5
    """An assumption: what a bot of a middle level thinks for a move."""


@dataclass(frozen=True)
class Day:
    """Assumptions about a day."""

    players: int = 1_000_000
    moves: int = 90
    """Of each player: three matches of thirty."""
    minutes: int = 45
    """That each player is connected."""
    peak: float = 2.5
    """The busiest hour, as a multiple of the average."""
    bots: float = 0.3
    """Bots' moves for each move of a person,"""
    at_home: float = 0.8
    """and the share of them that players' browsers find."""
    busy: float = 0.6
    """How busy a processor may be at the peak."""


def needs(costs: Costs, day: Day) -> Mapping[str, float]:
    """What a day needs at its peak.

    >>> costs = Costs(1.0, 0.5, 0.1, 4.0, 1.5, 0.1, 50.0)
    >>> found = needs(costs, Day(players=86_400, moves=10, minutes=10, peak=2.0, busy=0.5))
    >>> found["moves/s"], found["sockets"], round(found["cores of nodes"], 2)
    (26.0, 1200.0, 0.29)
    """
    people = day.players * day.moves / 86_400 * day.peak
    bots = people * day.bots
    moves = people + bots
    sockets = day.players * day.minutes / 1440 * day.peak
    return {
        "moves/s": moves,
        "sockets": sockets,
        "cores of nodes": (moves * costs.node_ms + sockets * costs.socket_ms) / 1000 / day.busy,
        "memory of nodes, GB": sockets * costs.socket_kb / 1e6,
        "transactions/s": moves * costs.transactions,
        "cores of databases": moves * costs.database_ms / 1000 / day.busy,
        "commands of the bus/s": moves * costs.bus_commands,
        "cores of buses": moves * costs.bus_ms / 1000 / day.busy,
        "cores for bots": bots * (1 - day.at_home) * costs.bot_s / day.busy,
    }


def measure(seconds: float, arguments: list[str]) -> str:
    """The figures, and the model made from them."""
    parser = argparse.ArgumentParser(prog="python -m bench scaling --")
    parser.add_argument("--nodes", type=int, nargs="+", default=[1, 3])
    parser.add_argument("--matches", type=int, default=150)
    parser.add_argument("--rate", type=float, default=150.0, help="moves per second (150)")
    parser.add_argument("--seconds", type=float, default=15.0, help="per figure (15)")
    chosen = parser.parse_args(arguments)
    rows, costs = list[Measurement](), dict[int, Costs]()
    for count in chosen.nodes:
        with running_site(count) as site:
            found = site.measure(chosen)
        rows += found.rows
        costs[count] = found.costs
    model = [
        Measurement(f"{day.players:,} players a day", what, value, "", "")
        for day in (Day(players=10_000), Day(players=100_000), Day())
        for what, value in needs(costs[chosen.nodes[-1]], day).items()
    ]
    return "\n\n".join((markdown(rows), "The model:", _table(model)))


def _table(model: list[Measurement]) -> str:
    names = list(dict.fromkeys(each.name for each in model))
    lines = ["| at the peak | " + " | ".join(names) + " |", "|---|" + "---:|" * len(names)]
    for what in dict.fromkeys(each.what for each in model):
        values = [_short(each.value) for each in model if each.what == what]
        lines.append(f"| {what} | " + " | ".join(values) + " |")
    return "\n".join(lines)


def _short(value: float) -> str:
    digits = max(0, 1 - math.floor(math.log10(value))) if value > 0 else 0
    return f"{value:,.0f}" if value >= 10 else f"{value:.{digits}f}"


# ---- measuring ----------------------------------------------------------------------------------


@dataclass(frozen=True)
class Found:
    """The figures of one site."""

    rows: list[Measurement]
    costs: Costs


@dataclass
class Sample:
    """CPU seconds of every part so far, and what the servers have counted."""

    at: float
    nodes: list[float]
    memory_mb: float
    database: float
    bus: float
    commands: int
    transactions: int


class Site:
    """Nodes with a database and a bus."""

    def __init__(self, nodes: list[LoadNode], postgres: Postgres, valkey: Valkey) -> None:
        self._nodes, self._postgres, self._valkey = nodes, postgres, valkey

    def measure(self, chosen: argparse.Namespace) -> Found:
        """Idle sockets, then a fixed rate, then as fast as it goes."""
        urls = [f"http://{node.address}" for node in self._nodes]
        plan = LoadPlan(
            url=urls[0],
            other_urls=tuple(urls[1:]),
            games=find_games(urls[0], ()),
            matches=chosen.matches,
            rate=chosen.rate,
            seconds=chosen.seconds,
            warm_up_s=2.0,
        )
        begin = self.sample()
        report, first, last = self._run(replace(plan, rate=CALM, is_checked=False))
        sockets, idle = report.sockets, last.at - first.at
        socket_ms = 1000 * (sum(last.nodes) - sum(first.nodes)) / idle / sockets
        socket_kb = 1000 * (last.memory_mb - begin.memory_mb) / sockets
        report, first, last = self._run(plan)
        moves = report.moves
        idle_ms = socket_ms * sockets * (last.at - first.at) / len(self._nodes)
        spent = [1000 * (b - a) for a, b in zip(first.nodes, last.nodes, strict=True)]
        per_node = [(each - idle_ms) / moves for each in spent]
        costs = Costs(
            node_ms=sum(per_node),
            database_ms=1000 * (last.database - first.database) / moves,
            bus_ms=1000 * (last.bus - first.bus) / moves,
            bus_commands=(last.commands - first.commands) / moves,
            transactions=(last.transactions - first.transactions) / moves,
            socket_ms=socket_ms,
            socket_kb=socket_kb,
        )
        fastest, first, last = self._run(replace(plan, rate=0.0))
        return Found(self._rows(costs, per_node, report, fastest, first, last), costs)

    def _rows(
        self,
        costs: Costs,
        per_node: list[float],
        report: LoadReport,
        fastest: LoadReport,
        first: Sample,
        last: Sample,
    ) -> list[Measurement]:
        count = len(self._nodes)
        name = f"{count} nodes" if count > 1 else "1 node"
        shares = ", ".join(f"{each:.2f}" for each in per_node)
        elapsed = last.at - first.at
        cores = (sum(last.nodes) - sum(first.nodes)) / elapsed
        database = (last.database - first.database) / elapsed
        rate = f"at {report.moves_per_second:.0f} moves/s"
        full = f"nodes {cores:.2f} cores, database {database:.2f}, of 2 with the clients"
        rows = [
            ("CPU of nodes for a move", costs.node_ms, "ms", f"{rate}; by node {shares}"),
            ("CPU of the database for a move", costs.database_ms, "ms", rate),
            ("CPU of the bus for a move", costs.bus_ms, "ms", rate),
            ("commands of the bus for a move", costs.bus_commands, "", "presence included"),
            ("transactions for a move", costs.transactions, "", "reads and new matches included"),
            ("CPU of an idle socket", costs.socket_ms, "ms/s", "a ping every 2.5 s"),
            ("memory of an idle socket", costs.socket_kb, "kB", "with its half of a match"),
            ("as fast as it goes", fastest.moves_per_second, "moves/s", full),
        ]
        return [Measurement(name, *row) for row in rows]

    def _run(self, plan: LoadPlan) -> tuple[LoadReport, Sample, Sample]:
        samples: list[Sample] = []

        def take() -> None:
            samples.append(self.sample())

        report = run_load(plan, on_start=take, on_stop=take)
        assert not report.faults, report.faults
        return report, samples[0], samples[1]

    def sample(self) -> Sample:
        """What everything has used so far."""
        nodes = [usage(node.pid) for node in self._nodes]
        commands, transactions = self._valkey.commands(), self._postgres.transactions()
        return Sample(
            time.monotonic(),
            [cpu for cpu, _ in nodes],
            sum(held for _, held in nodes),
            _cpu_of_all(self._postgres),
            _cpu_of_all(self._valkey),
            commands,
            transactions,
        )


def _cpu_of_all(server: Server) -> float:
    """CPU seconds of a server and its processes."""
    return sum(usage(pid)[0] for pid in (server.pid, *processes.descendants(server.pid)))


@contextmanager
def running_site(count: int) -> Iterator[Site]:
    """Nodes that share a database and a bus."""
    with ExitStack() as stack:
        postgres, valkey = Postgres(), Valkey()
        for server in (postgres, valkey):
            stack.callback(server.remove)
            server.start()
        url, nodes = postgres.new_database(), []
        for _ in range(count):
            folder = stack.enter_context(TemporaryDirectory(dir=ROOT))
            node = LoadNode(Path(folder), store_url=url, bus_url=valkey.url)
            stack.callback(node.remove)
            node.start()
            nodes.append(node)
        for node in nodes:
            node.wait_until_compiled()
        yield Site(nodes, postgres, valkey)
