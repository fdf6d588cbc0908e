"""``watermeet arena``: bots against each other, until it is known who is stronger."""

from __future__ import annotations

import os
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from watermeet.cli.arguments import Json, OptionTexts, chosen_game
from watermeet.cli.errors import ANSWER_IS_NO, InvalidUsage, NotInstalled

if TYPE_CHECKING:
    from watermeet.arena.job import Job, Results
    from watermeet.arena.match import Played
    from watermeet.arena.report import Report
    from watermeet.arena.sequential import SequentialTest, Verdict
    from watermeet.arena.workers import Crew
    from watermeet.core.game import Game

INTERRUPTED = 130
MATCHES, MOST_MATCHES = 100, 20_000
"""How many are played for each pairing if nobody says; with a test, at the most."""

Words = Annotated[
    list[str],
    typer.Argument(metavar="GAME BOT...", help="The game, then bots: watermeet bots lists them."),
]
BotsFlag = Annotated[
    bool, typer.Option("--bots", help="May stand before the bots, for the eye; changes nothing.")
]
Matches = Annotated[
    int | None,
    typer.Option(
        "--matches",
        metavar="N",
        min=1,
        help="For each pairing; rounded up so that everybody has every seat equally often. 100 by"
        " default.",
    ),
]
Vary = Annotated[
    str | None,
    typer.Option("--vary", metavar="NAME=V,V,...", help="Play under each value of an option."),
]
Gauntlet = Annotated[
    bool, typer.Option("--gauntlet", help="The first bot against all others, not all against all.")
]
Seed = Annotated[int, typer.Option("--seed", metavar="N", help="Of all luck; 0 by default.")]
Openings = Annotated[
    int,
    typer.Option(
        "--openings", metavar="N", min=0, help="Begin with N random moves, the same for both sides."
    ),
]
Seconds = Annotated[
    float | None,
    typer.Option("--seconds", metavar="S", min=0.0, help="For every choice of every bot."),
]
Nodes = Annotated[
    int | None, typer.Option("--nodes", metavar="N", min=1, help="The same, in nodes of a search.")
]
Patience = Annotated[
    float | None,
    typer.Option(
        "--patience",
        metavar="S",
        min=0.001,
        help="After so many seconds without an answer a bot has failed; by default long after its"
        " own limit.",
    ),
]
Sprt = Annotated[
    str | None,
    typer.Option(
        "--sprt",
        metavar="ELO0,ELO1",
        help="Stop as soon as it is known whether the first bot is stronger by ELO0 or by ELO1.",
    ),
]
Alpha = Annotated[
    float, typer.Option("--alpha", metavar="P", help="How often --sprt may say yes wrongly.")
]
Beta = Annotated[
    float, typer.Option("--beta", metavar="P", help="How often --sprt may say no wrongly.")
]
JobFile = Annotated[
    Path | None,
    typer.Option("--job", metavar="FILE", help="Keep matches here; given again, go on there."),
]
Jobs = Annotated[
    int | None,
    typer.Option(
        "--jobs", metavar="N", min=0, help="Processes; all cores by default, 0: this one alone."
    ),
]
Ray = Annotated[bool, typer.Option("--ray", help="Play on a Ray cluster.")]
Plot = Annotated[
    Path | None, typer.Option("--plot", metavar="FILE", help="Write the standing as SVG.")
]
Records = Annotated[
    Path | None, typer.Option("--records", metavar="FOLDER", help="Write every match's record.")
]


def register(app: typer.Typer) -> None:
    """Add the subcommand."""
    app.command("arena")(arena)


def arena(
    words: Words,
    *,
    bots: BotsFlag = False,
    options: OptionTexts = None,
    vary: Vary = None,
    matches: Matches = None,
    gauntlet: Gauntlet = False,
    seed: Seed = 0,
    openings: Openings = 0,
    seconds: Seconds = None,
    nodes: Nodes = None,
    patience: Patience = None,
    sprt: Sprt = None,
    alpha: Alpha = 0.05,
    beta: Beta = 0.05,
    file: JobFile = None,
    jobs: Jobs = None,
    ray: Ray = False,
    plot: Plot = None,
    records: Records = None,
    json: Json = False,
) -> None:
    """Let bots play against each other, and tell how strong they are.

    Everybody plays every seat equally often, with the same luck. With --job FILE a job that was
    broken off goes on by the same command.
    """
    from watermeet.arena.job import Job, Results
    from watermeet.arena.match import Conditions

    game = chosen_game(words[0], options)
    _check_bots(game, words[1:])
    test = _test_of(sprt, alpha, beta)
    job = Job(
        _variations(game, vary),
        tuple(words[1:]),
        matches or (MATCHES if test is None else MOST_MATCHES),
        seed=seed,
        gauntlet=gauntlet,
        conditions=Conditions(openings, seconds, nodes, records is not None, patience),
    )
    with Results(job, file) as results:
        verdict, is_broken_off = _run(job, results, _crew(jobs, ray), test, records)
        code = _tell(job, results, verdict, plot=plot, json=json, is_broken_off=is_broken_off)
    if is_broken_off:
        again = "the same command goes on" if file else "give --job FILE to be able to go on"
        typer.echo(f"broken off; {again}", err=True)
    raise typer.Exit(code)


# ---- arguments --------------------------------------------------------------------------------


def _check_bots(game: Game, bots: list[str]) -> None:
    """Refuses what no match could be played with, before any worker starts."""
    from watermeet.bots.specs import make_bot

    for text in bots:
        make_bot(game, text).close()


def _variations(game: Game, vary: str | None) -> tuple[tuple[str, Game], ...]:
    from watermeet.arena.job import vary as vary_game

    if vary is None:
        return (("", game),)
    name, _, values = vary.partition("=")
    texts = [value.strip() for value in values.split(",") if value.strip()]
    if not texts or len(set(texts)) < len(texts):
        raise InvalidUsage(f"{vary!r} varies nothing", "write it as name=value,value,...")
    return vary_game(game, name.strip(), texts)


def _test_of(sprt: str | None, alpha: float, beta: float) -> SequentialTest | None:
    from watermeet.arena.sequential import SequentialTest

    if sprt is None:
        return None
    try:
        elo0, elo1 = (float(word) for word in sprt.split(","))
    except ValueError:
        hint = "write two numbers of Elo, like 0,10"
        raise InvalidUsage(f"{sprt!r} is no test", hint) from None
    return SequentialTest(elo0, elo1, alpha, beta)


def _crew(jobs: int | None, ray: bool) -> Crew:
    from watermeet.arena.workers import crew_of, play_on_ray

    if not ray:
        return crew_of(_core_count() if jobs is None else jobs)
    import importlib.util

    if importlib.util.find_spec("ray") is None:
        raise NotInstalled("Ray is not installed", "install watermeet[ray], or leave out --ray")
    return play_on_ray


def _core_count() -> int:
    """The cores that this process may use, which may be fewer than the machine has."""
    affinity = getattr(os, "sched_getaffinity", None)
    return len(affinity(0)) if affinity is not None else os.cpu_count() or 1


# ---- the run ----------------------------------------------------------------------------------


def _run(
    job: Job, results: Results, crew: Crew, test: SequentialTest | None, records: Path | None
) -> tuple[Verdict | None, bool]:
    """Plays what is missing; returns the test's verdict, and whether Ctrl-C came."""
    from watermeet.arena.job import write_record
    from watermeet.arena.report import make_report
    from watermeet.arena.run import run_job
    from watermeet.cli.arena_tables import failure_in_words
    from watermeet.cli.progress import Bar

    last: list[Verdict | None] = [None]

    def tell(played: Played, verdict: Verdict | None) -> None:
        last[0] = verdict
        if played.error:
            bar.say(failure_in_words(played))
        elif records is not None:
            write_record(records, played)
        bar.step(lambda: _standing(make_report(job, results), verdict))

    total = len(job.fixtures)
    with Bar(total, total - len(results.missing())) as bar:
        try:
            return run_job(job, results, crew, test=test, tell=tell), False
        except KeyboardInterrupt:
            return last[0], True


def _standing(report: Report, verdict: Verdict | None) -> str:
    """Who leads, on part of a line."""
    test = "" if verdict is None else f"llr {verdict.ratio:+.2f} "
    rows = report.sections[-1].rows
    return test + "  ".join(f"{row.bot} {_figure(row, report)}" for row in rows[:4])


def _figure(row: Any, report: Report) -> str:
    if report.cooperative:
        return f"{100 * row.figure.value:.0f}%"
    return f"{row.figure.value:+.0f}±{(row.figure.high - row.figure.low) / 2:.0f}"


# ---- the answer -------------------------------------------------------------------------------


def _tell(
    job: Job,
    results: Results,
    verdict: Verdict | None,
    *,
    plot: Path | None,
    json: bool,
    is_broken_off: bool,
) -> int:
    """Writes what came out; returns the exit code."""
    from watermeet.arena.plot import draw_plot
    from watermeet.arena.report import make_report
    from watermeet.cli.arena_tables import show_report
    from watermeet.cli.console import make_console, write_json

    report = make_report(job, results)
    if plot is not None:
        plot.write_text(draw_plot(report, f"Arena: {_title(job)}") + "\n", encoding="utf-8")
    if json:
        write_json(
            job.describe()
            | {"finished": not is_broken_off}
            | report.as_json()
            | ({"sprt": verdict.as_json()} if verdict is not None else {})
        )
    else:
        show_report(make_console(), _title(job), report, verdict)
    if is_broken_off:
        return INTERRUPTED
    is_no = verdict is not None and not verdict.is_stronger
    return ANSWER_IS_NO if is_no or report.failures else 0


def _title(job: Job) -> str:
    return job.game.describe() if len(job.games) == 1 else f"{job.game.name}@{job.game.version}"
