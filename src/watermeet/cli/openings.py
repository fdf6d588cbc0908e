"""``watermeet openings``: plays engine matches for the opening explorer."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from watermeet.cli.arguments import GameName, OptionTexts, chosen_game

LEVELS = ["stream", "river"]


def register(app: typer.Typer) -> None:
    """Add the subcommand."""
    app.command("openings")(openings)


def openings(
    game: GameName,
    *,
    matches: Annotated[
        int, typer.Option("--matches", metavar="N", min=1, help="How many matches are played.")
    ] = 400,
    bot: Annotated[
        list[str] | None,
        typer.Option(
            "--bot", metavar="LEVEL", help="A level that plays itself; repeatable. Else two."
        ),
    ] = None,
    seed: Annotated[
        int, typer.Option("--seed", metavar="N", help="The same seed plays the same matches.")
    ] = 1,
    out: Annotated[
        Path | None,
        typer.Option("--out", metavar="FILE", help="Write to a file instead of the terminal."),
    ] = None,
    option: OptionTexts = None,
) -> None:
    """Have bots play matches for the opening explorer."""
    from watermeet.cli.progress import Bar
    from watermeet.learn.explorer import play_matches

    found = chosen_game(game, option)
    specs = bot or LEVELS
    words = ["watermeet", "openings", game, f"--matches {matches} --seed {seed}"]
    words += [f"--bot {spec}" for spec in specs]
    lines = [
        "# Returns by seat, the number of moves, and the first moves, match by match.",
        f"# {' '.join(words)}",
        found.describe(),
    ]
    with Bar(matches) as bar:
        for number, line in enumerate(play_matches(found, specs, matches, seed=seed), 1):
            lines.append(line)
            bar.step(lambda: f"match {number}")  # noqa: B023 - it is called at once
    text = "\n".join(lines) + "\n"
    if out is None:
        typer.echo(text, nl=False)
    else:
        out.write_text(text, encoding="utf-8")
