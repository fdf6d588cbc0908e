"""``watermeet bots``: who plays a game, and how each one thinks."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import typer

from watermeet.cli.arguments import GameName, Json, OptionTexts, chosen_game

if TYPE_CHECKING:
    from watermeet.core.game import Game
    from watermeet.core.levels import Level


def register(app: typer.Typer) -> None:
    """Adds the subcommand."""
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
    console.print(
        "\nA level takes other limits or settings behind a colon, like"
        f" {listed[-2]['bot']}:seconds=0.1 or {listed[-2]['bot']}:nodes=500.",
        style="dim",
    )


def list_bots(game: Game) -> list[dict[str, Any]]:
    """Every bot's text with its kind, and of levels all that makes them, from gentle to strong."""
    from watermeet.bots.making import PROGRAM, RANDOM, UCT, levels_of
    from watermeet.bots.players import players_of

    found = [_plain(RANDOM, "random", "any move that can be played, each as likely")]
    for player, function in players_of(game).items():
        told = (function.__doc__ or "a player of the game's own").strip().splitlines()[0]
        found.append(_plain(player, "player", told))
    found += [_level(level, "level") for level in levels_of(game)]
    found.append(_level(UCT, "search"))
    found.append(_plain(f"{PROGRAM}PROGRAM", "program", "another program, in any language"))
    return found


def _plain(text: str, kind: str, sentence: str) -> dict[str, Any]:
    return {"bot": text, "kind": kind, "sentence": sentence}


def _level(level: Level, kind: str) -> dict[str, Any]:
    return _plain(level.name, kind, _sentence(level)) | {
        "method": level.method,
        "seconds": level.seconds,
        "nodes": level.nodes,
        "softness": level.softness,
        "threads": level.threads,
        "solver_nodes": level.solver_nodes,
        "settings": dict(level.settings),
    }


def _sentence(level: Level) -> str:
    """How a level thinks, in words."""
    words = [level.method]
    words += [f"{level.seconds:g} s a move"] if level.seconds is not None else []
    words += [f"{level.nodes:,} nodes"] if level.nodes is not None else []
    words += [f"{level.threads} threads"] if level.threads > 1 else []
    words += [f"softness {level.softness:g}"] if level.softness else []
    words += [f"solver with {level.solver_nodes:,} nodes"] if level.solver_nodes else []
    words += [f"{name} {value:g}" for name, value in level.settings.items()]
    return ", ".join(words)
