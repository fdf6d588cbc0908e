"""What a terminal's screen shows of a match, as lines of coloured text."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from watermeet.cli.console import can_show, picture
from watermeet.cli.screen import Frame
from watermeet.cli.wording import with_names_in_picture
from watermeet.core.contract import CHANCE

if TYPE_CHECKING:
    from rich.console import Console
    from rich.text import Text

    from watermeet.cli.match import Match

MOST_MOVES = 60


def compose(
    match: Match,
    viewer: int | None,
    console: Console,
    *,
    news: Sequence[str],
    messages: Sequence[Text],
) -> Frame:
    """The frame that a viewer (None: a spectator) may see."""
    from rich.text import Text

    state = match.state
    drawn = with_names_in_picture(
        state.render(viewer, match.last_turn(viewer)), match.names_by_label
    )
    view = state.view(viewer)
    return Frame(
        title=Text(match.game.full_title, style="dim"),
        players=_players(match, view["seats"], can_show("▸", console.encoding)),
        board=list(picture(drawn, console.encoding).split("\n", allow_blank=True)),
        moves=_moves(match, viewer),
        news=[Text(line) for line in news],
        sentence=Text(match.named(str(view["sentence"])), style="bold"),
        messages=messages,
    )


def _players(match: Match, seats: Sequence[dict[str, object]], has_arrow: bool) -> list[Text]:
    """The players with their scores, and a mark for whoever is to move."""
    from rich.text import Text

    names = [match.name(seat) for seat in range(match.game.seats)]
    width = max(map(len, names))
    lines = []
    for seat, name in enumerate(names):
        is_next = match.state.to_move == seat
        mark = ("▸" if has_arrow else ">") if is_next else " "
        score = seats[seat].get("score")
        points = "" if score is None else f"  {score:>3}"
        line = f"{mark} {name:<{width}}{points}"
        lines.append(Text(line, style="bold" if is_next else ""))
    return lines


def _moves(match: Match, viewer: int | None) -> list[Text]:
    """The latest moves that the viewer saw, each with its player and in words."""
    from rich.text import Text

    last = len(match.actions)
    latest = range(max(0, last - MOST_MOVES), last)
    rows = [
        (match.mover(index), match.entries[index].move.removeprefix("~"), match.words(index))
        for index in latest
        if match.is_seen(index, viewer)
    ]
    names = {seat: _short_name(match, seat) for seat in range(match.game.seats)} | {CHANCE: ""}
    name_width = max(map(len, names.values()))
    move_width = max((len(move) for _, move, _ in rows), default=0)
    return [
        Text.assemble(
            f"{names[mover]:<{name_width}}  ",
            (f"{move:<{move_width}}", "dim" if mover == CHANCE else "bold"),
            (f"  {words}", "dim"),
        )
        for mover, move, words in rows
    ]


def _short_name(match: Match, seat: int) -> str:
    return match.name(seat).partition(" (")[0]
