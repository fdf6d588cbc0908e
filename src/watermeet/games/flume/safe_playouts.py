"""Playouts of safe stones, which estimate who wins the fight for control.

A stone in the core is *safe* if it doesn't give the opponent control (see ``two_core_mailbox``).
Both players place safe stones while there are any. Whoever runs out has to open a long chain, and
the opponent takes most of the rest. So a playout ends there, and the rest is estimated.
"""

from __future__ import annotations

from watermeet.core.kernel import Scratch, kernel, scratch
from watermeet.games.flume import two_core_mailbox as mailbox
from watermeet.games.flume.two_core_mailbox import LIST_SIZE, MAP_SIZE

_FACTOR, _STEP = 1103515245, 12345  # A linear congruential generator with 31 bits of state.


@kernel
def list_core(degrees: Scratch, begin: int, end: int, cells: Scratch) -> int:
    """Lists the cells of the core; returns how many there are."""
    count = 0
    for cell in range(begin, end):
        if degrees[cell] > mailbox.LOOSE:
            cells[count] = cell
            count += 1
    return count


@kernel
def play_safe_stones(
    degrees: Scratch, cells: Scratch, count: int, lead: int, stride: int, seed: int
) -> int:
    """Plays safe stones at random while there are any; the expected lead of the first player.

    Overwrites ``degrees`` and the list ``cells`` of its core. Nothing is loose at first. A point
    that isn't safe when it is sampled isn't sampled again: it hardly ever becomes safe.
    """
    sign, left = 1, count
    while count > 0:
        seed = (seed * _FACTOR + _STEP) & 0x7FFFFFFF
        place = ((seed >> 7) * count) >> 24
        cell = int(cells[place])
        count -= 1
        cells[place] = cells[count]
        if degrees[cell] <= mailbox.LOOSE:
            continue
        given = mailbox.points_given(degrees, cell, stride)
        if given >= 0:
            mailbox.place_safely(degrees, cell, stride)
            lead += sign * (1 - given)
            left -= 1 + given
            sign = -sign
    return lead - sign * ((left + 1) // 2)


@kernel
def mean_result(
    degrees: Scratch, begin: int, end: int, lead: int, stride: int, seed: int, times: int
) -> float:
    """The mean result of several playouts, from -1 to 1, for the player to move."""
    cells, again, copy = (
        scratch(LIST_SIZE),
        scratch(LIST_SIZE),
        scratch(MAP_SIZE),
    )
    count = list_core(degrees, begin, end, cells)
    won = 0
    for time in range(times):
        for cell in range(begin, end):
            copy[cell] = degrees[cell]
        for place in range(count):
            again[place] = cells[place]
        result = play_safe_stones(copy, again, count, lead, stride, seed + 7919 * time)
        won += 1 if result > 0 else -1
    return won / times
