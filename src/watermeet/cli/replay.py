"""``watermeet replay``: show and check a saved match, turn by turn."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from watermeet.cli.arguments import Json, NoColour
from watermeet.cli.errors import InvalidFile, InvalidUsage

if TYPE_CHECKING:
    from rich.console import Console

    from watermeet.cli.reader import Reader
    from watermeet.core.record import Entry, Record
    from watermeet.core.state import State


def register(app: typer.Typer) -> None:
    """Add the subcommand."""
    app.command("replay")(replay)


def replay(
    file: Annotated[Path, typer.Argument(metavar="FILE", help="A saved match; - reads stdin.")],
    *,
    to: Annotated[
        int | None, typer.Option("--to", metavar="N", min=0, help="Stop after N moves.")
    ] = None,
    step: Annotated[bool, typer.Option("--step", help="Wait for Enter after each turn.")] = False,
    svg: Annotated[
        Path | None,
        typer.Option("--svg", metavar="FOLDER", help="Save a picture of every state there."),
    ] = None,
    json: Json = False,
    no_colour: NoColour = False,
) -> None:
    """Show a saved match turn by turn.

    Every move is checked; an illegal one is reported with its line and column.
    """
    from watermeet.cli.console import make_console, write_json
    from watermeet.cli.reader import EndOfInput, Reader
    from watermeet.cli.storage import read_record
    from watermeet.core.kernel import plain_python

    with plain_python():  # Loading the compiler isn't worth it for one match.
        record = read_record(file)
        states = record.replay()
        if to is not None and to > len(record.entries):
            raise InvalidUsage(
                f"the match has only {len(record.entries)} moves", "choose a smaller --to"
            )
        shown = states if to is None else states[: to + 1]
        if svg is not None:
            _write_pictures(svg, record, shown)
        if json:
            write_json(_as_json(record, shown))
            return
        reader = Reader()
        waits = step and reader.is_terminal
        try:
            _show(make_console(no_colour=no_colour), reader if waits else None, record, shown)
        except EndOfInput:
            return


def _turns(record: Record, states: tuple[State, ...]) -> Iterator[tuple[int, int]]:
    """Each turn's moves as a range of indices; chance outcomes belong to the turn before."""
    from watermeet.core.contract import CHANCE

    first = 0
    mover: int | None = None
    for index in range(len(states) - 1):
        now = states[index].to_move
        if mover is not None and now not in (mover, CHANCE):
            yield first, index
            first = index
        mover = mover if now == CHANCE else now
    if first < len(states) - 1:
        yield first, len(states) - 1


def _show(
    console: Console, reader: Reader | None, record: Record, states: tuple[State, ...]
) -> None:
    from watermeet.cli.screen import CLEAR_BELOW, HOME
    from watermeet.cli.wording import told

    console.print(record.game.describe(), style="bold")
    if record.comment:
        console.print(record.comment)
    _print_state(console, states[0], ())
    for number, (first, last) in enumerate(_turns(record, states), 1):
        if reader is not None:
            reader.ask("Press Enter for the next turn ")
            sys.stdout.write(
                HOME + CLEAR_BELOW
            )  # Drawn in place: whoever steps looks at one board.
        mover = states[first].to_move
        moves = [_judged(entry) for entry in record.entries[first:last]]
        actions = _actions(record, states, first, last)
        words = [
            state.describe(action)
            for state, action in zip(states[first:last], actions, strict=True)
        ]
        console.print(
            f"\n{number}. {told(_name(record, states[first], mover), moves, words)}", style="bold"
        )
        for entry in record.entries[first:last]:
            if entry.comment:
                console.print(entry.comment)
            for variation in entry.variations:
                line = " ".join(map(_judged, variation))
                console.print(f"instead of {entry.move}: {line}", style="dim")
        _print_state(console, states[last], actions)
    outcome = states[-1].outcome
    if outcome is None:
        console.print(f"Unfinished after {len(states) - 1} moves.")
        return
    for seat, gain in enumerate(outcome.returns):
        console.print(f"{_name(record, states[-1], seat)}: {gain:g}")


def _judged(entry: Entry) -> str:
    return f"{entry.move} {entry.symbol}".rstrip()


def _actions(record: Record, states: tuple[State, ...], first: int, last: int) -> tuple[int, ...]:
    return tuple(
        states[index].parse_move(record.entries[index].move.removeprefix("~"))
        for index in range(first, last)
    )


def _name(record: Record, state: State, seat: int) -> str:
    if seat < 0:
        return "Chance"
    from watermeet.cli.match import names_of
    from watermeet.cli.wording import called

    return called(names_of(record)[seat], str(state.view(None)["seats"][seat]["label"]))


def _print_state(console: Console, state: State, last: tuple[int, ...]) -> None:
    from watermeet.cli.console import picture

    board = picture(state.render(None, last), console.encoding)
    console.print(board, no_wrap=True, overflow="ignore", crop=False)
    console.print(str(state.view(None)["sentence"]))


def _write_pictures(folder: Path, record: Record, states: tuple[State, ...]) -> None:
    """Save one picture per state, numbered by moves played; existing files are overwritten."""
    from watermeet.cli.storage import write_text

    try:
        folder.mkdir(parents=True, exist_ok=True)
    except (OSError, ValueError) as error:
        raise InvalidFile(f"can't write to the folder {str(folder)!r}: {error}") from error
    for index, state in enumerate(states):
        last = _actions(record, states, index - 1, index) if index else ()
        svg = state.render_svg(None, last)
        if svg is None:
            raise InvalidUsage(f"{record.game.title} has no SVG pictures", "leave out --svg")
        write_text(folder / f"{index:04}.svg", svg + "\n", overwrite=True)


def _variations(entry: Entry) -> list[list[dict[str, object]]]:
    return [
        [
            {
                "move": each.move.removeprefix("~"),
                "comment": each.comment,
                "symbol": each.symbol,
                "variations": _variations(each),
            }
            for each in variation
        ]
        for variation in entry.variations
    ]


def _as_json(record: Record, states: tuple[State, ...]) -> dict[str, object]:
    game = record.game
    outcome = states[-1].outcome
    return {
        "game": game.name,
        "version": game.version,
        "options": dict(game.options),
        "seats": list(record.seats),
        "moves": [
            {
                "seat": state.to_move if state.to_move >= 0 else None,
                "move": entry.move.removeprefix("~"),
                "action": state.parse_move(entry.move.removeprefix("~")),
                "seconds": entry.seconds,
                "comment": entry.comment,
                "symbol": entry.symbol,
                "variations": _variations(entry),
            }
            for state, entry in zip(states[:-1], record.entries, strict=False)
        ],
        "states": [state.text for state in states],
        "outcome": outcome.as_json() if outcome else None,
    }
