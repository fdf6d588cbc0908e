"""``watermeet load``: play many matches on a server at once, and measure how it responds."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Annotated

import typer

from watermeet.cli.arguments import Json
from watermeet.cli.errors import ANSWER_IS_NO, InvalidUsage

if TYPE_CHECKING:
    from watermeet.client.load import LoadPlan, LoadReport, Progress

MAX_SHOWN = 20
Urls = Annotated[
    list[str],
    typer.Argument(metavar="URL", help="The server, http://127.0.0.1:8765, or all its nodes."),
]
Count = Annotated[int, typer.Option("--matches", metavar="N", min=1, help="Matches at once.")]
Ping = Annotated[
    float, typer.Option("--ping", metavar="S", min=0.1, help="How often sockets ping.")
]
Processes = Annotated[
    int, typer.Option("--processes", metavar="N", min=1, help="Processes of clients.")
]


def register(app: typer.Typer) -> None:
    """Add the subcommand."""
    app.command("load")(load)


def load(
    urls: Urls,
    *,
    games: Annotated[
        list[str] | None,
        typer.Option(
            "--game", metavar="GAME", help="A game, such as NAME:size=7; default: every game."
        ),
    ] = None,
    matches: Count = 10,
    rate: Annotated[
        float,
        typer.Option(
            "--rate", metavar="N", min=0, help="Moves a second; 0: whenever players are ready."
        ),
    ] = 20.0,
    seconds: Annotated[
        float, typer.Option("--seconds", metavar="S", min=0.1, help="How long to measure.")
    ] = 10.0,
    warm_up: Annotated[
        float, typer.Option("--warm-up", metavar="S", min=0, help="Play this long before that.")
    ] = 0.0,
    think: Annotated[
        float, typer.Option("--think", metavar="S", min=0, help="Thinking time, on average.")
    ] = 0.0,
    spectators: Annotated[
        int, typer.Option("--spectators", metavar="N", min=0, help="Spectators of each match.")
    ] = 0,
    bots: Annotated[
        int, typer.Option("--bots", metavar="N", min=0, help="Matches of a person against bots.")
    ] = 0,
    level: Annotated[str, typer.Option("--level", metavar="LEVEL", help="Their level.")] = "drop",
    reconnect: Annotated[
        float,
        typer.Option(
            "--reconnect", metavar="S", min=0, help="Cut sockets after S seconds, on average."
        ),
    ] = 0.0,
    ping: Ping = 2.5,
    processes: Processes = 1,
    check: Annotated[
        bool, typer.Option("--check/--no-check", help="Read the matches back at the end.")
    ] = True,
    json: Json = False,
) -> int:
    """Play many matches on a server at once, and measure it.

    Only on a server of your own: it sees a crowd, all from one address.
    """
    if processes > matches:
        raise InvalidUsage(f"{processes} processes for {matches} matches", "use fewer")
    from watermeet.client.load import LoadPlan, find_games

    plan = LoadPlan(
        url=urls[0],
        other_urls=tuple(urls[1:]),
        games=find_games(urls[0], games or ()),
        matches=matches,
        rate=rate,
        seconds=seconds,
        warm_up_s=warm_up,
        think_s=think,
        spectators=spectators,
        bot_matches=bots,
        level=level,
        reconnect_s=reconnect,
        ping_s=ping,
        processes=processes,
        is_checked=check,
    )
    report = _run(plan)
    if json:
        from watermeet.cli.console import write_json

        write_json(report.as_json())
    else:
        typer.echo(_text(report))
    return ANSWER_IS_NO if report.faults else 0


def _run(plan: LoadPlan) -> LoadReport:
    """Run it, and show a line of progress on a terminal."""
    from watermeet.cli.console import make_console
    from watermeet.client.load import run_load

    with make_console(stderr=True).status("starting") as status:
        return run_load(plan, on_progress=lambda latest: status.update(_line(latest)))


def _line(latest: Sequence[Progress]) -> str:
    """The progress of all processes."""
    stage = latest[0].stage
    moves, errors, reconnects = (
        sum(getattr(each, name) for each in latest) for name in ("moves", "errors", "reconnects")
    )
    return f"{stage}: {moves:,} moves, {errors:,} errors, {reconnects:,} reconnects"


def _text(report: LoadReport) -> str:
    moves = f"{report.moves:,} acknowledged in {report.seconds:g} s"
    lines = [
        f"{report.moves_per_second:,.1f} moves a second: {moves}, {report.late:,} not sent in time",
        f"{report.matches:,} matches, {report.sockets:,} sockets, {report.reconnects:,} reconnects",
    ]
    rows = {
        "acknowledgement": report.acknowledgements,
        "opponent's news": report.news,
        "bot's move": report.bot_moves,
    }
    for name, each in rows.items():
        if each is not None:
            lines.append(
                f"{name:<16} p50 {each.p50:8.1f} ms   p95 {each.p95:8.1f} ms"
                f"   p99 {each.p99:8.1f} ms   max {each.max:8.1f} ms"
            )
    errors = ", ".join(f"{code} {count:,}" for code, count in report.errors.items())
    lines.append(f"errors: {errors or 'none'}")
    if report.checked:
        wrong = f"{len(report.faults):,} FAULTS" if report.faults else "none missing, none twice"
        lines.append(f"read back: {report.checked:,} acknowledged moves, {wrong}")
    lines += report.faults[:MAX_SHOWN]
    return "\n".join(lines)
