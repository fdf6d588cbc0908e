"""What a review says about each wave of a match: what the group did before it, and what it took."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from watermeet.core.contract import StateArray
from watermeet.core.explanation import Explanation
from watermeet.core.state import State
from watermeet.games.flow import layout
from watermeet.games.flow.board import CELL_COUNT, LINE_OF, count_cells
from watermeet.games.flow.connectivity import connected_animals
from watermeet.games.flow.names import column_letter, counted

Part = tuple[int, int, list[Explanation]]
_ROLLING = (layout.CHOOSE_DIE, layout.ROLL_WHITE, layout.ROLL_BLACK)
_SETTING_UP = (layout.DRAW_SCENARIO, layout.LAY_OBSTACLE, layout.DEAL, layout.CHOOSE_BOAT_EDGE)


def sections(states: Sequence[State], moves: Sequence[str]) -> list[Part]:
    """A part for each wave, and one for what was done after the last of them."""
    stages = [int(state.array[layout.STAGE]) for state in states]
    start = next((at for at, stage in enumerate(stages) if stage not in _SETTING_UP), len(moves))
    found: list[Part] = []
    while start < len(moves):
        comes = _first(stages, start, rolling=True)
        title = Explanation("no_wave", "Before any wave")
        if found:
            title = Explanation("after_waves", "After the last wave")
        if comes > len(moves):
            return [*found, (start, len(moves), [title, *_done(moves[start:])])]
        gone = min(_first(stages, comes, rolling=False), len(moves))
        number = len(found) + 1
        title = Explanation("before_wave", f"Before wave {number}", facts={"number": number})
        hit = _hit(states[comes].array, states[gone].array, moves[comes:gone])
        found.append((start, comes, [title, *_done(moves[start:comes]), *hit]))
        start = gone
    return found


def _first(stages: Sequence[int], start: int, *, rolling: bool) -> int:
    """The first place from a start on where dice are rolled, or aren't; the end if none is."""
    places = range(start, len(stages))
    return next((at for at in places if (stages[at] in _ROLLING) == rolling), len(stages))


def _done(moves: Sequence[str]) -> Iterator[Explanation]:
    """What the group did: tiles and cards, what it swapped and what it had to discard."""
    words = [move.partition(":")[0] for move in moves]
    cards = sum(word in layout.CARD_NAMES for word in words)
    # The tile of these cards is placed as well, but it isn't a new one.
    again = sum(word in ("current", "return") for word in words)
    placed = sum("@" in move for move in moves) - again
    yield Explanation(
        "did",
        f"{counted(placed, 'tile')} drawn and placed, {counted(cards, 'card')} played.",
        facts={"placed": placed, "cards": cards},
    )
    if swapped := words.count("swap"):
        sentence = f"{counted(swapped, 'tile')} swapped for a card."
        yield Explanation("did_swap", sentence, facts={"count": swapped})
    if discarded := words.count("discard"):
        sentence = f"{counted(discarded, 'tile')} discarded: no place for it."
        yield Explanation("did_discard", sentence, facts={"count": discarded})


def _hit(before: StateArray, after: StateArray, moves: Sequence[str]) -> Iterator[Explanation]:
    """What a wave took, and how many animals it left connected."""
    tiles = _tiles(before) - _tiles(after)
    where = " and ".join(_lines(moves))
    yield Explanation(
        "wave_took",
        f"The wave hit {where} and took {counted(tiles, 'tile')}.",
        facts={"tiles": tiles, "where": where},
    )
    was, now = (count_cells(int(connected_animals(array.copy()))) for array in (before, after))
    yield Explanation(
        "animals_left",
        f"Animals connected to the boat: {was} before it, {now} after it.",
        facts={"was": was, "now": now},
    )


def _lines(moves: Sequence[str]) -> Iterator[str]:
    """The row and the column of a wave."""
    for move in moves:
        die, _, number = move.removeprefix("~").partition(":")
        if die == "white":
            yield f"row {int(LINE_OF[int(number)]) + 1}"
        elif die == "black":
            yield f"column {column_letter(int(LINE_OF[int(number)]))}"


def _tiles(array: StateArray) -> int:
    return int((array[layout.CELLS : layout.CELLS + CELL_COUNT] != 0).sum())
