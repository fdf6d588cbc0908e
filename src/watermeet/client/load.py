"""A load generator: many clients play on a server at once; ``watermeet load`` runs it.

The clients are real ones: each player and spectator has a socket, joins by REST, and reconnects as
the protocol says. Each process of clients measures; this module starts them, and adds up. Nothing
is believed: at the end the matches are read back, and whatever was acknowledged has to be there.
"""

from __future__ import annotations

import math
import queue
import statistics
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict, dataclass, field
from multiprocessing import get_context
from typing import Any

from watermeet.client.errors import ServerUnreachable
from watermeet.client.rest import Client
from watermeet.core.errors import InvalidArgument

Options = Mapping[str, bool | int | str]
POLL_S = 1.0


@dataclass(frozen=True)
class LoadGame:
    """A game to play, with its options."""

    name: str
    options: Options
    seats: int


@dataclass(frozen=True, kw_only=True)
class LoadPlan:
    """What the clients do. All numbers are for all processes together."""

    url: str
    other_urls: tuple[str, ...] = ()
    """Further nodes of the same server: each match is played on one of them all."""
    games: tuple[LoadGame, ...]
    matches: int = 10
    """How many are played at once; a new one begins when one has ended."""
    rate: float = 20.0
    """Moves a second, sent whatever the answers do; 0 for as many as the players are ready for."""
    seconds: float = 10.0
    warm_up_s: float = 0.0
    """Play this long before measuring."""
    think_s: float = 0.0
    """How long players think about a move, on average."""
    spectators: int = 0
    """Of each match."""
    bot_matches: int = 0
    """In so many matches a person plays against bots,"""
    level: str = "drop"
    """of this level."""
    reconnect_s: float = 0.0
    """Cut each socket after this long, on average; 0: never."""
    ping_s: float = 2.5
    prepared: int = 1
    """Matches created for each table before the start."""
    processes: int = 1
    is_checked: bool = True
    """Read the matches back at the end."""


@dataclass
class Tally:
    """What one process of clients measured."""

    acks_ms: list[float] = field(default_factory=list)
    news_ms: list[float] = field(default_factory=list)
    bots_ms: list[float] = field(default_factory=list)
    errors: Counter[str] = field(default_factory=Counter)
    reconnects: int = 0
    late: int = 0
    moves: int = 0
    """All acknowledged moves, also before measuring."""
    matches: int = 0
    sockets: int = 0
    checked: int = 0
    faults: list[str] = field(default_factory=list)


@dataclass(frozen=True)
class Latency:
    """How long something took, in milliseconds."""

    count: int
    p50: float
    p95: float
    p99: float
    max: float

    @staticmethod
    def of(took_ms: Sequence[float]) -> Latency | None:
        """The quantiles of a sample; None of an empty one.

        >>> Latency.of([4.0, 2.0, 1.0, 3.0])
        Latency(count=4, p50=2.5, p95=4.0, p99=4.0, max=4.0)
        """
        if not took_ms:
            return None
        ordered = sorted(took_ms)
        p95, p99 = (ordered[math.ceil(share * len(ordered)) - 1] for share in (0.95, 0.99))
        return Latency(len(ordered), statistics.median(ordered), p95, p99, ordered[-1])


@dataclass(frozen=True)
class LoadReport:
    """The figures of a run."""

    seconds: float
    matches: int
    """All that were played."""
    sockets: int
    moves: int
    """Moves acknowledged while it was measured,"""
    moves_per_second: float
    late: int
    """and moves that nobody could send when they were due, because everybody waited."""
    acknowledgements: Latency | None
    """From sending a move to its acknowledgement,"""
    news: Latency | None
    """to another player's news of it,"""
    bot_moves: Latency | None
    """and from a bot's turn to the news of its move."""
    errors: dict[str, int]
    """Errors and lost connections by code."""
    reconnects: int
    checked: int
    """Acknowledged moves that were looked for in the logs at the end."""
    faults: list[str]
    """Acknowledged moves that are missing, and moves that were done twice."""

    @staticmethod
    def of(plan: LoadPlan, tallies: Sequence[Tally]) -> LoadReport:
        """The sum of all processes."""
        acks = [each for tally in tallies for each in tally.acks_ms]
        errors: Counter[str] = sum((tally.errors for tally in tallies), Counter())
        return LoadReport(
            seconds=plan.seconds,
            matches=sum(tally.matches for tally in tallies),
            sockets=sum(tally.sockets for tally in tallies),
            moves=len(acks),
            moves_per_second=len(acks) / plan.seconds,
            late=sum(tally.late for tally in tallies),
            acknowledgements=Latency.of(acks),
            news=Latency.of([each for tally in tallies for each in tally.news_ms]),
            bot_moves=Latency.of([each for tally in tallies for each in tally.bots_ms]),
            errors=dict(errors.most_common()),
            reconnects=sum(tally.reconnects for tally in tallies),
            checked=sum(tally.checked for tally in tallies),
            faults=[fault for tally in tallies for fault in tally.faults],
        )

    def as_json(self) -> dict[str, Any]:
        """The figures as plain data."""
        return asdict(self)


@dataclass(frozen=True)
class Progress:
    """What a process reports every second: all acknowledged moves, errors and reconnects so far."""

    process: int
    stage: str
    """setting up, playing, checking"""
    moves: int
    errors: int
    reconnects: int


def find_games(url: str, texts: Sequence[str]) -> tuple[LoadGame, ...]:
    """Games of a server by texts such as ``flume:size=7``; all of them if there are none.

    Raises InvalidArgument, ServerUnreachable.
    """
    listed = Client(url).request("GET", "/games")["games"]
    seats = {each["name"]: sum(map(len, each["facts"]["teams"])) for each in listed}
    games = []
    for text in texts or sorted(seats):
        name, _, rest = text.partition(":")
        if name not in seats:
            known = ", ".join(sorted(seats))
            raise InvalidArgument(f"{url} has no game {name!r}", f"choose from {known}")
        options = dict(_option(each) for each in rest.split(",") if each)
        games.append(LoadGame(name, options, int(options.get("seats", seats[name]))))
    return tuple(games)


def _option(text: str) -> tuple[str, bool | int | str]:
    """An option of a game; the server checks it.

    >>> _option("size=7"), _option("swap=true"), _option("board=small")
    (('size', 7), ('swap', True), ('board', 'small'))
    """
    name, _, value = text.partition("=")
    if value in ("true", "false"):
        return name, value == "true"
    return name, int(value) if value.removeprefix("-").isdigit() else value


def run_load(
    plan: LoadPlan,
    *,
    on_progress: Callable[[Sequence[Progress]], None] = lambda _: None,
    on_start: Callable[[], None] = lambda: None,
    on_stop: Callable[[], None] = lambda: None,
    table_class: type | None = None,
) -> LoadReport:
    """Start the processes, and add up what they measure; raises ServerUnreachable.

    ``on_start`` and ``on_stop`` are called when measuring begins and ends. ``table_class`` replaces
    load_players.Table.
    """
    from watermeet.client.load_players import Table, drive

    context = get_context("spawn")
    channel: Any = context.Queue()
    begin = context.Barrier(plan.processes + 1)
    processes: list[Any] = [
        context.Process(
            target=drive, args=(plan, number, table_class or Table, begin, channel), daemon=True
        )
        for number in range(plan.processes)
    ]
    for process in processes:
        process.start()
    latest: dict[int, Progress] = {}
    tallies: list[Tally] = []
    ready, stopped = 0, 0
    try:
        while len(tallies) < len(processes):
            try:
                message = channel.get(timeout=POLL_S)
            except queue.Empty:
                if any(process.exitcode for process in processes):
                    raise ServerUnreachable(
                        "a process of clients ended early", "its error is above"
                    ) from None
                continue
            if isinstance(message, Tally):
                tallies.append(message)
            elif isinstance(message, Progress):
                latest[message.process] = message
                on_progress(list(latest.values()))
            elif message == "ready":
                ready += 1
                if ready == len(processes):
                    on_start()
                    begin.wait()
            elif message == "stopped":
                stopped += 1
                if stopped == len(processes):
                    on_stop()
            else:  # Why a process gave up.
                raise ServerUnreachable(str(message), "is the server running, and for such a load?")
        for process in processes:
            process.join()
    finally:
        for process in processes:
            if process.is_alive():
                process.terminate()
    return LoadReport.of(plan, tallies)
