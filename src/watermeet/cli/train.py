"""``watermeet train``: train a network by self-play."""

from __future__ import annotations

import importlib.util
import subprocess
import time
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from watermeet.cli.arguments import GameName, OptionTexts, chosen_game
from watermeet.cli.errors import ANSWER_IS_NO
from watermeet.core.errors import NotInstalled

if TYPE_CHECKING:
    from watermeet.core.game import Game
    from watermeet.train.run import Progress, Run
    from watermeet.train.settings import TrainSettings

NETWORK, CURVES, RUNGS = "network.onnx", "curves.svg", "ladder.svg"
EARLIER = "earlier"
"""The folder of the networks that are kept on the way."""
KEPT = (1 / 64, 1 / 32, 1 / 16, 1 / 8, 1 / 4, 1 / 2)
"""After which shares of the time; the network that has learnt nothing yet is kept, too."""
SMOKE_MINUTES, SMOKE_ELO = 0.75, 150.0
"""How long --smoke trains, and by how much the network must beat random play then."""
LADDER = ("random", "drop", "brook", "stream")
ON_LADDER = 3
"""How many of the networks on the way are on the ladder, too: the last ones."""

Vary = Annotated[
    str | None,
    typer.Option("--vary", metavar="NAME=V,V,...", help="One network for several values."),
]
Folder = Annotated[
    Path | None,
    typer.Option("--folder", metavar="FOLDER", help="Where the run is kept; runs/GAME by default."),
]
Start = Annotated[
    Path | None,
    typer.Option(
        "--start",
        metavar="FOLDER|FILE",
        help="Begin with the weights of another run or of a network.onnx, where they fit.",
    ),
]
Minutes = Annotated[
    float, typer.Option("--minutes", metavar="M", min=0.0, help="How long to train; 10 by default.")
]
Device = Annotated[
    str, typer.Option("--device", metavar="cpu|cuda", help="Where to train; cpu by default.")
]
Channels = Annotated[
    int, typer.Option("--channels", metavar="N", min=1, help="The width of the network.")
]
Blocks = Annotated[
    int, typer.Option("--blocks", metavar="N", min=1, help="The depth of the network.")
]
Matches = Annotated[
    int, typer.Option("--matches", metavar="N", min=1, help="Matches that are played at a time.")
]
Simulations = Annotated[
    int, typer.Option("--simulations", metavar="N", min=1, help="Simulations for each move.")
]
TeacherRounds = Annotated[
    int,
    typer.Option(
        "--teacher-rounds",
        metavar="N",
        min=0,
        help="For N rounds at first, learn from the game's own search.",
    ),
]
TeacherSimulations = Annotated[
    int,
    typer.Option(
        "--teacher-simulations",
        metavar="N",
        min=0,
        help="Simulations of that search for each move; by default as many as in self-play.",
    ),
]
EvaluationWeight = Annotated[
    float,
    typer.Option(
        "--evaluation-weight",
        metavar="W",
        min=0.0,
        max=1.0,
        help="The share of the game's own evaluation beside the network's; 0 by default.",
    ),
]
Batch = Annotated[
    int, typer.Option("--batch", metavar="N", min=2, help="Positions to learn from at a time.")
]
Reuse = Annotated[
    float,
    typer.Option(
        "--reuse", metavar="R", min=0.01, help="How often to learn from a position, on average."
    ),
]
Rate = Annotated[
    float, typer.Option("--learning-rate", metavar="R", help="The step size of the optimizer.")
]
Seed = Annotated[int, typer.Option("--seed", metavar="N", help="The seed; 0 by default.")]
Ladder = Annotated[
    int,
    typer.Option(
        "--ladder", metavar="N", min=0, help="Matches against each rung at the end; 0 for none."
    ),
]
Ray = Annotated[
    str | None,
    typer.Option(
        "--ray",
        metavar="ADDRESS",
        help="Play on this Ray cluster, or on one of this machine alone: local.",
    ),
]
Actors = Annotated[
    int,
    typer.Option("--actors", metavar="N", min=1, help="With --ray, how many play; 2 by default."),
]
Smoke = Annotated[
    bool,
    typer.Option(
        "--smoke",
        help="A small network for 45 seconds of CPU time; fails unless it beats random play.",
    ),
]


def register(app: typer.Typer) -> None:
    """Add the subcommand."""
    app.command("train")(train)


def train(
    name: GameName,
    *,
    options: OptionTexts = None,
    vary: Vary = None,
    folder: Folder = None,
    start: Start = None,
    minutes: Minutes = 10.0,
    device: Device = "cpu",
    channels: Channels = 32,
    blocks: Blocks = 3,
    matches: Matches = 256,
    simulations: Simulations = 16,
    teacher_rounds: TeacherRounds = 0,
    teacher_simulations: TeacherSimulations = 0,
    evaluation_weight: EvaluationWeight = 0.0,
    batch: Batch = 512,
    reuse: Reuse = 2.0,
    learning_rate: Rate = 2e-3,
    seed: Seed = 0,
    ladder: Ladder = 40,
    ray: Ray = None,
    actors: Actors = 2,
    smoke: Smoke = False,
) -> None:
    """Train a network by self-play, and write it as FOLDER/network.onnx.

    The same command resumes a run that was interrupted. The arena, watermeet play and other
    programs take the result as the bot net:network=FILE.
    """
    require_torch()
    from watermeet.cli.arena import variations
    from watermeet.train.settings import TrainSettings

    games = [game for _, game in variations(chosen_game(name, options), vary)]
    if smoke:
        minutes, channels, blocks, matches, batch, ladder = SMOKE_MINUTES, 24, 2, 128, 256, 0
    settings = TrainSettings(
        games[0].name,
        boards=tuple(dict(game.options) for game in games),
        channels=channels,
        blocks=blocks,
        matches=matches,
        simulations=simulations,
        teacher_rounds=teacher_rounds,
        teacher_simulations=teacher_simulations,
        evaluation_weight=evaluation_weight,
        batch=batch,
        reuse=reuse,
        learning_rate=learning_rate,
        start=str(start or ""),
        seed=seed,
        device=device,
        details={"commit": _commit()},
    )
    where = folder or Path("runs", games[0].name)
    where.mkdir(parents=True, exist_ok=True)
    # So that busy machines pass, too. With actors, this process mostly waits.
    clock = time.process_time if smoke and ray is None else time.monotonic
    run = _train(_run(where, settings, ray, actors), 60.0 * minutes, clock)
    file = _write(where, run)
    if smoke:
        raise typer.Exit(_smoke(games[0], file))
    if ladder:
        _climb(games[0], file, ladder, evaluation_weight)


def require_torch() -> None:
    """Raise NotInstalled unless everything that training needs is there."""
    for package in ("torch", "onnx", "onnxruntime"):
        if importlib.util.find_spec(package) is None:
            raise NotInstalled(
                f"training needs {package}", "install the extra train (docs/guides/install.md)"
            )


def _commit() -> str:
    """The commit of this source tree; empty if it isn't a clone."""
    root = Path(__file__).resolve().parents[3]
    if not (root / ".git").exists():
        return ""
    command = ["git", "-C", str(root), "rev-parse", "--short", "HEAD"]
    try:
        found = subprocess.run(command, capture_output=True, text=True, check=False)  # noqa: S603
    except OSError:
        return ""
    return found.stdout.strip()


def _run(folder: Path, settings: TrainSettings, ray: str | None, actors: int) -> Run:
    """The run, on this machine or on a cluster."""
    if ray is None:
        from watermeet.train.run import Run

        return Run(folder, settings)
    if importlib.util.find_spec("ray") is None:
        raise NotInstalled("Ray isn't installed", "install the extra ray, or leave out --ray")
    from watermeet.train.cluster import ClusterRun

    return ClusterRun(folder, settings, address=ray, actors=actors)


def _train(run: Run, seconds: float, clock: Callable[[], float]) -> Run:
    """Train, with progress on the terminal; Ctrl-C ends it early, with a checkpoint."""
    from watermeet.cli.progress import Bar

    if run.progress.round:
        typer.echo(f"Resuming after {run.progress.positions:,} positions.", err=True)
    else:
        _keep(run)
    shown, kept = [0], list(KEPT)
    with Bar(max(1, round(seconds))) as bar:
        begun = run.progress.seconds

        def report(progress: Progress) -> None:
            while shown[0] < min(progress.seconds - begun, seconds):
                shown[0] += 1
                bar.step(lambda: _in_words(progress))
            if kept and progress.seconds - begun >= kept[0] * seconds:
                while kept and progress.seconds - begun >= kept[0] * seconds:
                    del kept[0]
                _keep(run)

        try:
            run.train(
                seconds, report=report, rate=lambda share: max(0.05, 1.0 - share), clock=clock
            )
        except KeyboardInterrupt:
            run.save()
            typer.echo("Interrupted: run the same command to resume.", err=True)
        finally:
            run.close()
    typer.echo(f"{run.progress.positions:,} positions in {run.progress.seconds:.0f} s")
    return run


def _in_words(progress: Progress) -> str:
    results = progress.results
    words = f"{progress.positions:,} positions"
    if "policy_loss" in results:
        words += f", losses: policy {results['policy_loss']:.2f}, value {results['value_loss']:.2f}"
        if "new_value_loss" in results:
            words += f" ({results['new_value_loss']:.2f} in new matches)"
    return words


def _keep(run: Run) -> None:
    """Keep the network as it is now, for learning curves; its name says what it has learnt from."""
    folder = run.folder / EARLIER
    folder.mkdir(exist_ok=True)
    _export(run, folder / f"{run.progress.positions:012}.onnx")


def _export(run: Run, file: Path) -> None:
    from watermeet.train.export import export

    card: dict[str, Any] = {
        "settings": run.settings.to_dict(),
        "positions": run.progress.positions,
        "seconds": run.progress.seconds,
    }
    export(run.network, file, card)


def _write(folder: Path, run: Run) -> Path:
    """Write the network and the curves."""
    from watermeet.train.curves import render_curves
    from watermeet.train.run import CURVE

    file = folder / NETWORK
    _export(run, file)
    if (folder / CURVE).exists():
        title = f"Training {run.settings.game}"
        text = render_curves(folder / CURVE, title)
        (folder / CURVES).write_text(text + "\n", encoding="utf-8")
    typer.echo(f"Wrote {file} ({file.stat().st_size / 1000:,.0f} kB) and {CURVES}.")
    return file


def _climb(game: Game, file: Path, matches: int, evaluation_weight: float) -> None:
    """Play the network against earlier ones and the weaker bots; print the table and draw it."""
    from watermeet.arena.plot import render_plot
    from watermeet.bots.specs import bot_names
    from watermeet.cli.arena_tables import show_report
    from watermeet.cli.console import make_console
    from watermeet.cli.progress import Bar
    from watermeet.train.ladder import climb

    rungs = [name for name in LADDER if name in bot_names(game)]
    networks = {"network": file}
    for earlier in sorted((file.parent / EARLIER).glob("*.onnx"))[-ON_LADDER:]:
        networks[f"after {int(earlier.stem):,} positions"] = earlier
    with Bar(matches * (len(rungs) + len(networks) - 1)) as bar:
        report = climb(
            game, networks, rungs, nodes=100, matches=matches, evaluation_weight=evaluation_weight,
            on_result=lambda result: bar.step(lambda: "the ladder"),
        )  # fmt: skip
    show_report(make_console(), game.describe(), report, None)
    drawn = render_plot(report, f"The ladder: {game.describe()}")
    (file.parent / RUNGS).write_text(drawn + "\n", encoding="utf-8")


def _smoke(game: Game, file: Path) -> int:
    from watermeet.train.ladder import beats

    verdict = beats(game, file, "random", elo=SMOKE_ELO)
    answer = "beats" if verdict.is_stronger else "doesn't beat"
    typer.echo(f"Without search, the network {answer} random play (LLR {verdict.llr:+.2f}).")
    return 0 if verdict.is_stronger else ANSWER_IS_NO
