"""How the fight about the last safe move of a Flume state may end, found by playing it on.

A stone in the core is *safe* if it does not give the other player control (see ``rests``). As long
as there are safe stones both play them; whoever runs out of them has to open a long chain, and the
other takes most of what is left. So playing on ends there, and the rest is estimated.
"""

from __future__ import annotations

from watermeet.core.kernel import Scratch, kernel, scratch
from watermeet.games.flume.rests import LIST_SIZE, LOOSE, MAP_SIZE, gift_of, place_safely

_FACTOR, _STEP = 1103515245, 12345  # A small generator of random numbers: all it has is 31 bits.


@kernel
def list_core(near: Scratch, begin: int, end: int, cells: Scratch) -> int:
    """Lists the cells of the core; returns how many."""
    count = 0
    for cell in range(begin, end):
        if near[cell] > LOOSE:
            cells[count] = cell
            count += 1
    return count


@kernel
def play_contest(
    near: Scratch, cells: Scratch, count: int, lead: int, stride: int, seed: int
) -> int:
    """Plays safe stones at random while there are any; the lead to expect of who began.

    ``near`` and the list ``cells`` of its core are used up; nothing is loose at first. A stone that
    is not safe when it is drawn is not drawn again: it hardly ever becomes so.
    """
    sign, left = 1, count
    while count > 0:
        seed = (seed * _FACTOR + _STEP) & 0x7FFFFFFF
        place = ((seed >> 7) * count) >> 24
        cell = int(cells[place])
        count -= 1
        cells[place] = cells[count]
        if near[cell] <= LOOSE:
            continue
        given = gift_of(near, cell, stride)
        if given >= 0:
            place_safely(near, cell, stride)
            lead += sign * (1 - given)
            left -= 1 + given
            sign = -sign
    return lead - sign * ((left + 1) // 2)


@kernel
def play_contests(
    near: Scratch, begin: int, end: int, lead: int, stride: int, seed: int, times: int
) -> float:
    """The mean over several contests of who wins: from -1 to 1, for the player to move."""
    cells, again, copy = scratch(LIST_SIZE), scratch(LIST_SIZE), scratch(MAP_SIZE)
    count = list_core(near, begin, end, cells)
    won = 0
    for time in range(times):
        for cell in range(begin, end):
            copy[cell] = near[cell]
        for place in range(count):
            again[place] = cells[place]
        result = play_contest(copy, again, count, lead, stride, seed + 7919 * time)
        won += 1 if result > 0 else -1
    return won / times
