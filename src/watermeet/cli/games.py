"""``watermeet games``: list the registered games, or show what one declares."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Annotated, Any

import typer

from watermeet.cli.arguments import Json, complete_game
from watermeet.core.errors import WatermeetError

if TYPE_CHECKING:
    from rich.console import Console


def register(app: typer.Typer) -> None:
    """Add the subcommand."""
    app.command("games")(games)


def games(
    name: Annotated[
        str | None,
        typer.Argument(
            metavar="GAME",
            help="Show this game's facts and options.",
            autocompletion=complete_game,
            show_default=False,
        ),
    ] = None,
    json: Json = False,
) -> None:
    """List the games, or show one with its options."""
    from watermeet.cli.console import make_console, write_json

    if name is not None:
        from watermeet.core.registry import game

        facts = game(name).facts()
        write_json(facts) if json else _show_game(make_console(), facts)
        return
    listed = _listed_games()
    write_json({"games": listed}) if json else _show_list(make_console(), listed)


def _listed_games() -> list[Mapping[str, Any]]:
    """The facts of every registered game, or why it can't be loaded."""
    from watermeet.core.registry import game
    from watermeet.core.registry import games as registered

    listed: list[Mapping[str, Any]] = []
    for name in registered():
        try:
            listed.append(game(name).facts())
        except WatermeetError as error:
            listed.append({"name": name, "error": error.as_json()})
        except Exception as error:  # noqa: BLE001 - third-party modules may raise anything.
            reason = f"loading it raised {type(error).__name__}: {error}"
            details = {"code": "invalid_game", "message": reason, "hint": "ask its author"}
            listed.append({"name": name, "error": details})
    return listed


def _seat_range(facts: Mapping[str, Any]) -> str:
    low, high = facts["seats"]
    return str(low) if low == high else f"{low}-{high}"


def _kind_words(facts: Mapping[str, Any]) -> str:
    """The kind of game in a few words."""
    words = []
    if len(facts["teams"]) == 1:
        words.append("cooperative")
    elif any(len(team) > 1 for team in facts["teams"]):
        words.append("teams")
    words += ["chance"] if facts["chance"] else []
    words += ["hidden information"] if facts["hidden"] else []
    words += ["clock"] if facts["clock"] else []
    return ", ".join(words) or "no chance, perfect information"


def _show_list(console: Console, listed: list[Mapping[str, Any]]) -> None:
    from rich.table import Table

    if not listed:
        console.print("No games are registered.")
        return
    table = Table(box=None, pad_edge=False, padding=(0, 2, 0, 0))
    for title, style in (("game", "bold"), ("seats", ""), ("kind", ""), ("", "")):
        table.add_column(title, style=style or None, overflow="fold", no_wrap=title == "game")
    for facts in listed:
        if "error" in facts:
            reason = f"can't be loaded: {facts['error']['message']}"
            table.add_row(facts["name"], "-", "-", reason, style="red")
        else:
            row = (_seat_range(facts), _kind_words(facts), f"{facts['title']}. {facts['summary']}")
            table.add_row(facts["name"], *row)
    console.print(table)
    console.print(
        "\nwatermeet games GAME shows one game; watermeet play GAME plays it.", style="dim"
    )


def _show_game(console: Console, facts: Mapping[str, Any]) -> None:
    console.print(f"{facts['title']} ({facts['name']}@{facts['version']})", style="bold")
    console.print(facts["summary"])
    console.print(f"Seats: {_seat_range(facts)}. Kind: {_kind_words(facts)}.")
    console.print(
        f"Actions: {facts['actions']}. Longest match: {facts['max_length']} actions"
        " (with the default options)."
    )
    console.print(facts["credit"])
    for option in facts["options"]:
        default = option["default"]
        shown = ("yes" if default else "no") if isinstance(default, bool) else default
        console.print(f"\n-o {option['name']}={shown}", style="bold")
        console.print(f"   {option['sentence']}")
        console.print(f"   Allowed: {option['allowed']}.")
