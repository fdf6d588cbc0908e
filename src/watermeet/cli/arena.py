"""``watermeet arena``: play bots against each other and rate them."""

from __future__ import annotations

import os
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from watermeet.cli.arguments import Json, OptionTexts, chosen_game
from watermeet.cli.errors import ANSWER_IS_NO, InvalidUsage
from watermeet.core.errors import NotInstalled

if TYPE_CHECKING:
    from watermeet.arena.job import Job, Results
    from watermeet.arena.match import MatchResult
    from watermeet.arena.report import Report
    from watermeet.arena.sprt import Sprt, Verdict
    from watermeet.arena.workers import Runner
    from watermeet.core.game import Game

INTERRUPTED = 130
MATCHES, MOST_MATCHES = 100, 20_000
"""The default number of matches for each pairing, and the maximum with a test."""

Words = Annotated[
    list[str],
    typer.Argument(metavar="GAME BOT...", help="The game and the bots; watermeet bots lists them."),
]
BotsFlag = Annotated[
    bool, typer.Option("--bots", help="Optional before the bots; it has no effect.")
]
Matches = Annotated[
    int | None,
    typer.Option(
        "--matches",
        metavar="N",
        min=1,
        help="Matches for each pairing, rounded up so that bots play every seat equally often."
        " 100 by default.",
    ),
]
Vary = Annotated[
    str | None,
    typer.Option("--vary", metavar="NAME=V,V,...", help="Play with each value of an option."),
]
Gauntlet = Annotated[
    bool,
    typer.Option(
        "--gauntlet",
        help="The first bot against all others, instead of a round-robin.",
    ),
]
Seed = Annotated[
    int,
    typer.Option(
        "--seed",
        metavar="N",
        help="The seed of all chance outcomes; 0 by default.",
    ),
]
Openings = Annotated[
    int,
    typer.Option("--openings", metavar="N", min=0, help="Start each round with N random moves."),
]
Seconds = Annotated[
    float | None,
    typer.Option("--seconds", metavar="S", min=0.0, help="Time limit for every move of every bot."),
]
Nodes = Annotated[
    int | None,
    typer.Option(
        "--nodes",
        metavar="N",
        min=1,
        help="Node limit for every move of every bot.",
    ),
]
Timeout = Annotated[
    float | None,
    typer.Option(
        "--timeout",
        metavar="S",
        min=0.001,
        help="Fail a bot that takes more than S seconds for a move; by default far more than its"
        " limit.",
    ),
]
SprtElo = Annotated[
    str | None,
    typer.Option(
        "--sprt",
        metavar="ELO0,ELO1",
        help="Stop when an SPRT decides whether the first bot is stronger by ELO0 or by ELO1.",
    ),
]
Alpha = Annotated[
    float, typer.Option("--alpha", metavar="P", help="Probability that --sprt accepts wrongly.")
]
Beta = Annotated[
    float, typer.Option("--beta", metavar="P", help="Probability that --sprt rejects wrongly.")
]
JobFile = Annotated[
    Path | None,
    typer.Option("--job", metavar="FILE", help="Store matches here; run it again to resume."),
]
Jobs = Annotated[
    int | None,
    typer.Option(
        "--jobs",
        metavar="N",
        min=0,
        help="Processes; one per core by default, 0 for none.",
    ),
]
Ray = Annotated[bool, typer.Option("--ray", help="Play on a Ray cluster.")]
Plot = Annotated[
    Path | None, typer.Option("--plot", metavar="FILE", help="Write the ratings as an SVG plot.")
]
Records = Annotated[
    Path | None,
    typer.Option(
        "--records",
        metavar="FOLDER",
        help="Write the record of every match.",
    ),
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
    timeout: Timeout = None,
    sprt: SprtElo = None,
    alpha: Alpha = 0.05,
    beta: Beta = 0.05,
    file: JobFile = None,
    jobs: Jobs = None,
    ray: Ray = False,
    plot: Plot = None,
    records: Records = None,
    json: Json = False,
) -> None:
    """Play bots against each other and rate them.

    Bots play every seat equally often, with the same chance outcomes. With --job FILE, the same
    command resumes an interrupted job.
    """
    from watermeet.arena.job import Job, Results
    from watermeet.arena.match import Conditions

    game = chosen_game(words[0], options)
    _check_bots(game, words[1:])
    test = _test_of(sprt, alpha, beta)
    job = Job(
        variations(game, vary),
        tuple(words[1:]),
        matches or (MATCHES if test is None else MOST_MATCHES),
        seed=seed,
        gauntlet=int(gauntlet),
        conditions=Conditions(openings, seconds, nodes, records is not None, timeout),
    )
    with Results(job, file) as results:
        verdict, interrupted = _run(job, results, _runner(jobs, ray), test, records)
        code = _report(job, results, verdict, plot=plot, json=json, interrupted=interrupted)
    if interrupted:
        how = "run the same command to resume" if file else "use --job FILE to be able to resume"
        typer.echo(f"Interrupted: {how}.", err=True)
    raise typer.Exit(code)


# ---- arguments --------------------------------------------------------------------------------


def _check_bots(game: Game, bots: list[str]) -> None:
    """Refuse bots that can't be made, before any worker starts."""
    from watermeet.bots.specs import make_bot

    for spec in bots:
        make_bot(game, spec).close()


def variations(game: Game, vary: str | None) -> tuple[tuple[str, Game], ...]:
    """The games of --vary, each with the value of the option that differs."""
    from watermeet.arena.job import vary as vary_game

    if vary is None:
        return (("", game),)
    name, _, values = vary.partition("=")
    texts = [value.strip() for value in values.split(",") if value.strip()]
    if not texts or len(set(texts)) < len(texts):
        raise InvalidUsage(f"can't read --vary {vary!r}", "write it as name=value,value,...")
    return vary_game(game, name.strip(), texts)


def _test_of(sprt: str | None, alpha: float, beta: float) -> Sprt | None:
    from watermeet.arena.sprt import Sprt

    if sprt is None:
        return None
    try:
        elo0, elo1 = (float(word) for word in sprt.split(","))
    except ValueError:
        hint = "write two numbers of Elo, like 0,10"
        raise InvalidUsage(f"can't read --sprt {sprt!r}", hint) from None
    return Sprt(elo0, elo1, alpha, beta)


def _runner(jobs: int | None, ray: bool) -> Runner:
    from watermeet.arena.workers import play_on_ray, runner_for

    if not ray:
        return runner_for(_core_count() if jobs is None else jobs)
    import importlib.util

    if importlib.util.find_spec("ray") is None:
        raise NotInstalled("Ray isn't installed", "install the extra ray, or leave out --ray")
    return play_on_ray


def _core_count() -> int:
    """The cores that this process may use, perhaps fewer than the machine has."""
    affinity = getattr(os, "sched_getaffinity", None)
    return len(affinity(0)) if affinity is not None else os.cpu_count() or 1


# ---- the run ----------------------------------------------------------------------------------


def _run(
    job: Job, results: Results, runner: Runner, test: Sprt | None, records: Path | None
) -> tuple[Verdict | None, bool]:
    """Play what is missing; return the test's verdict, and whether Ctrl-C interrupted."""
    from watermeet.arena.job import write_record
    from watermeet.arena.report import make_report
    from watermeet.arena.run import run_job
    from watermeet.cli.arena_tables import failure_in_words
    from watermeet.cli.progress import Bar

    last: list[Verdict | None] = [None]

    def on_result(result: MatchResult, verdict: Verdict | None) -> None:
        last[0] = verdict
        if result.error:
            bar.say(failure_in_words(result))
        elif records is not None:
            write_record(records, result)
        bar.step(lambda: _standing(make_report(job, results), verdict))

    total = len(job.fixtures)
    with Bar(total, total - len(results.missing())) as bar:
        try:
            return run_job(job, results, runner, test=test, on_result=on_result), False
        except KeyboardInterrupt:
            return last[0], True


def _standing(report: Report, verdict: Verdict | None) -> str:
    """The leaders, for the progress bar."""
    test = "" if verdict is None else f"LLR {verdict.llr:+.2f} "
    rows = report.sections[-1].rows
    return test + "  ".join(f"{row.bot} {_figure(row, report)}" for row in rows[:4])


def _figure(row: Any, report: Report) -> str:
    if report.cooperative:
        return f"{100 * row.figure.value:.0f}%"
    return f"{row.figure.value:+.0f}±{(row.figure.high - row.figure.low) / 2:.0f}"


# ---- the report -------------------------------------------------------------------------------


def _report(
    job: Job,
    results: Results,
    verdict: Verdict | None,
    *,
    plot: Path | None,
    json: bool,
    interrupted: bool,
) -> int:
    """Write the report; return the exit code."""
    from watermeet.arena.plot import render_plot
    from watermeet.arena.report import make_report
    from watermeet.cli.arena_tables import show_report
    from watermeet.cli.console import make_console, write_json

    report = make_report(job, results)
    if plot is not None:
        plot.write_text(render_plot(report, f"Arena: {_title(job)}") + "\n", encoding="utf-8")
    if json:
        write_json(
            job.describe()
            | {"finished": not interrupted}
            | report.as_json()
            | ({"sprt": verdict.as_json()} if verdict is not None else {})
        )
    else:
        show_report(make_console(), _title(job), report, verdict)
    if interrupted:
        return INTERRUPTED
    is_no = verdict is not None and not verdict.is_stronger
    return ANSWER_IS_NO if is_no or report.failures else 0


def _title(job: Job) -> str:
    return job.game.describe() if len(job.games) == 1 else f"{job.game.name}@{job.game.version}"
