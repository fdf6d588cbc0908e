"""``watermeet bots``: list the bots of a game and how they think."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import typer

from watermeet.cli.arguments import GameName, Json, OptionTexts, chosen_game

if TYPE_CHECKING:
    from watermeet.bots.levels import Level
    from watermeet.core.game import Game


def register(app: typer.Typer) -> None:
    """Add the subcommand."""
    app.command("bots")(bots)


def bots(name: GameName, *, options: OptionTexts = None, json: Json = False) -> None:
    """List the bots that play a game, and how they think."""
    from watermeet.cli.console import make_console, write_json

    game = chosen_game(name, options)
    listed = list_bots(game)
    if json:
        write_json({"game": game.name, "version": game.version, "bots": listed})
        return
    from rich.table import Table

    console = make_console()
    table = Table(box=None, pad_edge=False, padding=(0, 2, 0, 0))
    for title in ("bot", "kind", "how it thinks"):
        table.add_column(title, style="bold" if title == "bot" else None, overflow="fold")
    for each in listed:
        table.add_row(each["bot"], each["kind"], each["sentence"])
    console.print(table)
    level = next(each["bot"] for each in reversed(listed) if each["kind"] == "level")
    console.print(
        "\nTo change a level's limits or settings, add them after a colon:"
        f" {level}:seconds=0.1 or {level}:nodes=500.",
        style="dim",
    )


def list_bots(game: Game) -> list[dict[str, Any]]:
    """Every bot with its kind, and every level's settings, weakest first."""
    from watermeet.bots.levels import levels_of
    from watermeet.bots.players import players_of
    from watermeet.bots.specs import BEGINNER, NET, PROGRAM, RANDOM, UCT

    found = [
        _plain(RANDOM, "random", "a legal move at random"),
        _plain(BEGINNER, "beginner", "looks one action ahead"),
    ]
    for player, function in players_of(game).items():
        summary = (function.__doc__ or "one of the game's own players").strip().splitlines()[0]
        found.append(_plain(player, "player", summary))
    found += [_level(level, "level") for level in levels_of(game)]
    found.append(_level(UCT, "search"))
    found.append(_plain(f"{NET}:network=FILE", "network", "a network that watermeet train wrote"))
    found.append(_plain(f"{PROGRAM}PROGRAM", "program", "an external program in any language"))
    return found


def _plain(text: str, kind: str, sentence: str) -> dict[str, Any]:
    return {"bot": text, "kind": kind, "sentence": sentence}


def _level(level: Level, kind: str) -> dict[str, Any]:
    return _plain(level.name, kind, _sentence(level)) | {
        "method": level.method,
        "seconds": level.seconds,
        "nodes": level.nodes,
        "temperature": level.temperature,
        "threads": level.threads,
        "solver_nodes": level.solver_nodes,
        "settings": dict(level.settings),
    }


def _sentence(level: Level) -> str:
    """Describe how a level thinks."""
    words = [level.method]
    words += [f"{level.seconds:g} s a move"] if level.seconds is not None else []
    words += [f"{level.nodes:,} nodes"] if level.nodes is not None else []
    words += [f"{level.threads} threads"] if level.threads > 1 else []
    words += [f"temperature {level.temperature:g}"] if level.temperature else []
    words += [f"solver with {level.solver_nodes:,} nodes"] if level.solver_nodes else []
    words += [
        f"{name} {str(value).lower() if isinstance(value, bool) else format(value, 'g')}"
        for name, value in level.settings.items()
    ]
    return ", ".join(words)
