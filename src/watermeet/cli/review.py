"""``watermeet review``: what each decision of a saved match gave away."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from watermeet.cli.arguments import Json, NoColour

if TYPE_CHECKING:
    from rich.console import Console

    from watermeet.learn.findings import Decision
    from watermeet.learn.review import Review

_BARS = "▁▂▃▄▅▆▇█"
_REASONS = {
    "missed_win": "{name} missed a win: {moves}.",
    "missed_chain": "{name} could have moved {count} times in one turn: {moves}.",
    "missed_points": "{name} could have scored {count} points instead of {played}: {moves}.",
    "allows_win": "Now {name} can win: {moves}.",
    "allows_chain": "Now {name} can move {count} times in one turn: {moves}.",
    "allows_points": "Now {name} can score {count} points: {moves}.",
}
_COLOURS = {"blunder": "red", "mistake": "yellow", "inaccuracy": "cyan"}


def register(app: typer.Typer) -> None:
    """Add the subcommand."""
    app.command("review")(review)


def review(
    file: Annotated[Path, typer.Argument(metavar="FILE", help="A saved match; - reads stdin.")],
    *,
    seconds: Annotated[
        float, typer.Option("--seconds", metavar="S", min=0.1, help="The time for all decisions.")
    ] = 15.0,
    nodes: Annotated[
        int | None,
        typer.Option(
            "--nodes", metavar="N", min=2, help="Search N nodes for each decision instead."
        ),
    ] = None,
    every_move: Annotated[
        bool, typer.Option("--every-move", help="Show good moves as well.")
    ] = False,
    json: Json = False,
    no_colour: NoColour = False,
) -> None:
    """Find the mistakes of a saved match, and what was luck."""
    from watermeet.cli.console import make_console, write_json
    from watermeet.cli.progress import Bar
    from watermeet.cli.storage import read_record
    from watermeet.learn.review import Reviewer

    reviewer = Reviewer(read_record(file), seconds=seconds, nodes=nodes)
    decisions = []
    with Bar(len(reviewer.numbers)) as bar:
        for decision in reviewer.decisions():
            decisions.append(decision)
            bar.step(lambda: f"move {decision.number + 1}")  # noqa: B023 - it is called at once
    found = reviewer.finish(reviewer.look_again(decisions))
    if json:
        write_json(found.to_dict())
        return
    _show(make_console(no_colour=no_colour), found, every_move=every_move)


def _show(console: Console, found: Review, *, every_move: bool) -> None:
    from rich.table import Table
    from rich.text import Text

    from watermeet.cli.match import names_of
    from watermeet.learn.review import BEST, GOOD

    game = found.record.game
    labels = [str(seat["label"]) for seat in game.start().view(None)["seats"]]
    names = tuple(name or label for name, label in zip(names_of(found.record), labels, strict=True))
    for seat, accuracy in found.accuracy.items():
        graph = _graph(found, seat)
        console.print(f"{names[seat]}: accuracy {accuracy:.0f}  {graph}", soft_wrap=True)
    shown = [
        (index, each)
        for index, each in enumerate(found.decisions)
        if every_move or each.verdict not in (BEST, GOOD)
    ]
    table = Table(box=None, pad_edge=False, show_edge=False)
    for title in ("move", "player", "played", "", "better", "chances"):
        table.add_column(title, no_wrap=True)
    for index, each in shown:
        is_best = each.move == each.best
        table.add_row(
            f"{each.number + 1}",
            names[each.seat],
            each.move,
            Text(
                each.verdict + (" (turning point)" if index == found.turning_point else ""),
                style=_COLOURS.get(each.verdict, "green"),
            ),
            "" if is_best else " ".join(each.line),
            f"{_percent(found, each.before)} → {_percent(found, each.after)}"
            + (" proven" if each.proven else ""),
        )
    if shown:
        console.print()
        console.print(table)
        _show_reasons(console, [each for _, each in shown], names)
    else:
        console.print("\nNobody gave anything away.")
    _show_sections(console, found)
    if found.balances:
        console.print()
        _show_luck(console, found, names)


def _show_reasons(console: Console, shown: list[Decision], names: tuple[str, ...]) -> None:
    sentences = [
        f"{each.number + 1}  "
        + _REASONS[reason.code].format(
            name=names[reason.seat],
            moves=" ".join(reason.moves),
            count=reason.count,
            played=reason.played,
        )
        for each in shown
        for reason in each.reasons
    ]
    if sentences:
        console.print("\n" + "\n".join(sentences), soft_wrap=True)


def _show_sections(console: Console, found: Review) -> None:
    for part in found.sections:
        title, *others = (each.sentence for each in part.sentences)
        chances = f"{_percent(found, part.before)} → {_percent(found, part.after)}"
        console.print(f"\n{title}: {' '.join(others)} Chances {chances}.", soft_wrap=True)
        for index in part.better:
            one = found.decisions[index]
            console.print(
                f"  {one.number + 1}  {one.move} ({_percent(found, one.after)}); better: "
                f"{' '.join(one.line)} ({_percent(found, one.before)})",
                soft_wrap=True,
            )
        if not part.better:
            console.print("  The search found nothing clearly better.", soft_wrap=True)


def _show_luck(console: Console, found: Review, names: tuple[str, ...]) -> None:
    from rich.table import Table

    table = Table(box=None, pad_edge=False, show_edge=False)
    for title in ("player", "start", "luck", "skill", "result"):
        table.add_column(title, justify="left" if title == "player" else "right", no_wrap=True)
    low, high = found.record.game.returns_range

    def amount(value: float, unit: str) -> str:
        share = 100 * value / (high - low)
        return f"{value:+.0f} points" if unit == "points" else f"{share:+.0f} %"

    for name, each in zip(names, found.balances, strict=False):
        parts = (each.start, each.luck, each.skill, each.result)
        table.add_row(name, *(amount(part, each.unit) for part in parts))
    console.print(table)


def _graph(found: Review, seat: int) -> str:
    """A seat's chances at each of its decisions."""
    low, high = found.record.game.returns_range
    last = len(_BARS) - 1
    return "".join(
        _BARS[round(last * min(1.0, max(0.0, (each.before - low) / (high - low))))]
        for each in found.decisions
        if each.seat == seat
    )


def _percent(found: Review, value: float) -> str:
    low, high = found.record.game.returns_range
    return f"{(value - low) / (high - low):.0%}"
