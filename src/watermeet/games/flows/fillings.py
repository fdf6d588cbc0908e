"""Which tiles are legal where, when few cells are empty: the same question as in placements.py.

A late position is nothing but its empty cells and what the strands between them join. *Ports* are
the edges of the empty cells, 6 * cell + edge, where cells are numbered among the empty ones of the
position that is solved. By port, ``ends`` has the other end of its strand: a port, RIM + the side
where it leaves the board, or DEAD if that is nobody's side.

*Masks* are the orientations that each cell may still have. A search follows the route of one axis
after the other, and narrows the masks of the cells on its way. If it reaches every goal, what is
left of the masks are fillings of R5.2, so that every orientation in them is legal.
"""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from watermeet.core.kernel import Scratch, kernel, scratch
from watermeet.games.flows.board import AXES, SIDES
from watermeet.games.flows.tiles import (
    EDGES,
    EVERY_ORIENTATION,
    MATE,
    ORIENTATION_STRANDS,
    ORIENTATIONS_WITH,
    PAIR_NUMBER,
)

MAX_EMPTY = 10
"""Ports are bits of a 64-bit integer, so there can't be more."""
RIM = EDGES * MAX_EMPTY
DEAD = RIM + SIDES
END_VALUES = DEAD + 1

Ends = npt.NDArray[np.int8]

_PATIENCE = 40
"""A search that takes longer than this many steps looks ahead at the other axes."""
_EVERY_EDGE = (1 << EDGES) - 1
_STEPS = 3 * MAX_EMPTY + AXES + 1
_STEP_WORDS = 2 * _STEPS
_AXIS_WORDS = 2 * AXES


def _exits() -> npt.NDArray[np.int8]:
    table = np.zeros((EVERY_ORIENTATION + 1, EDGES), dtype=np.int8)
    for orientation, strands in enumerate(ORIENTATION_STRANDS):
        having = (np.arange(EVERY_ORIENTATION + 1) >> orientation) & 1 == 1
        for one, other in strands:
            table[having, one] |= 1 << other
            table[having, other] |= 1 << one
    return table


_EXITS = _exits()
"""By mask and edge: the edges by which a strand may leave a cell that it enters there, as bits."""
_WITH = np.array(
    [[int(ORIENTATIONS_WITH[PAIR_NUMBER[one, other]]) if one != other else 0
      for other in range(EDGES)] for one in range(EDGES)]
)  # fmt: skip
"""By two edges: the orientations that join them, as bits."""


@kernel
def place_tile(ends: Ends, axes: int, cell: int, orientation: int) -> None:
    """Joins the strands that a tile joins, and drops those that no longer matter."""
    here = EDGES * cell
    for edge in range(EDGES):
        mate = int(MATE[orientation, edge])
        one = int(ends[here + edge])
        if mate > edge and one != here + mate:  # Otherwise it is seen already, or closes a loop.
            other = int(ends[here + mate])
            if one < RIM:
                ends[one] = other
            if other < RIM:
                ends[other] = one
    for port in range(here, here + EDGES):
        ends[port] = DEAD
    _drop_useless_strands(ends, axes)


@kernel
def axes_connected(ends: Ends, cell: int, orientation: int) -> int:
    """The axes that a tile would connect, as bits."""
    here, connected = EDGES * cell, 0
    for edge in range(EDGES):
        side = int(ends[here + edge]) - RIM
        if 0 <= side < AXES:
            other = int(ends[here + MATE[orientation, edge]])
            while here <= other < here + EDGES:  # The strand comes back to this cell.
                other = int(ends[here + MATE[orientation, other - here]])
            if other == RIM + side + AXES:
                connected |= 1 << side
    return connected


@kernel
def may_connect(ends: Ends, cell: int) -> bool:
    """Whether strands lead to a cell from both sides of an axis."""
    sides = 0
    for port in range(EDGES * cell, EDGES * cell + EDGES):
        if RIM <= ends[port] < DEAD:
            sides |= 1 << (int(ends[port]) - RIM)
    return sides & (sides >> AXES) != 0


@kernel
def mark_legal(ends: Ends, axes: int, legal: Scratch) -> None:
    """Writes by cell which orientations leave everyone a route, as bits; none where no strand ends.

    Those that connect someone are legal whether or not they are among them (R5.1).
    """
    masks, count = scratch(MAX_EMPTY), len(ends) // EDGES
    for cell in range(count):
        legal[cell] = 0
    for cell in range(count):
        unknown = 0 if is_idle(ends, cell) else EVERY_ORIENTATION & ~int(legal[cell])
        while unknown != 0:
            for other in range(count):
                masks[other] = EVERY_ORIENTATION
            masks[cell] = unknown
            if not find_filling(ends, axes, masks):
                break
            for other in range(count):
                legal[other] |= 0 if is_idle(ends, other) else masks[other]
            unknown &= ~int(legal[cell])


@kernel
def find_filling(ends: Ends, axes: int, masks: Scratch) -> bool:
    """Narrows the masks to fillings that connect all axes; returns False if there are none."""
    # By step: the port that a route enters by, or -1 where it begins; what is left to try: edges
    # to leave by, or ports to begin with; and the mask of the cell as it was.
    ports, saved, axis_at = scratch(_STEPS), scratch(_STEPS), scratch(_STEPS)
    options = scratch(_STEP_WORDS).view(np.int64)
    leading = scratch(_AXIS_WORDS).view(np.int64)
    first = _next_axis(axes, -1)
    leading[first] = _ports_leading_on(ends, first, masks)
    ports[0], axis_at[0] = -1, first
    options[0] = _beginnings(ends, first) & _entries(ends, int(leading[first]), masks)
    step, tries = 0, 0
    while step >= 0:
        port, axis = int(ports[step]), int(axis_at[step])
        if port >= 0:
            masks[port // EDGES] = saved[step]
        left = int(options[step])
        if left == 0:
            step -= 1
            continue
        options[step] = left & (left - 1)
        place = _place_of_bit(left & -left)
        if port < 0:
            reached = place
        else:
            cell = port // EDGES
            masks[cell] = int(saved[step]) & int(_WITH[port - EDGES * cell, place])
            reached = int(ends[EDGES * cell + place])
            tries += 1
            if tries > _PATIENCE and not _can_all_begin(ends, axes, axis, masks):
                continue
        step += 1
        if reached == RIM + axis + AXES:
            axis = _next_axis(axes, axis)
            if axis == AXES:
                return True
            leading[axis] = _ports_leading_on(ends, axis, masks)
            ports[step], axis_at[step] = -1, axis
            options[step] = _beginnings(ends, axis) & _entries(ends, int(leading[axis]), masks)
        else:
            cell = reached // EDGES
            ports[step], axis_at[step], saved[step] = reached, axis, masks[cell]
            exits = int(_EXITS[masks[cell], reached - EDGES * cell])
            options[step] = exits & (int(leading[axis]) >> (EDGES * cell))
    return False


@kernel
def _can_all_begin(ends: Ends, axes: int, axis: int, masks: Scratch) -> bool:
    """Whether each axis after this one has a route of its own."""
    axis = _next_axis(axes, axis)
    while axis < AXES:
        leading = _ports_leading_on(ends, axis, masks)
        if _beginnings(ends, axis) & _entries(ends, leading, masks) == 0:
            return False
        axis = _next_axis(axes, axis)
    return True


@kernel
def _next_axis(axes: int, axis: int) -> int:
    """The next axis that is wanted; AXES if there is none."""
    axis += 1
    while axis < AXES and (axes >> axis) & 1 == 0:
        axis += 1
    return axis


@kernel
def _beginnings(ends: Ends, axis: int) -> int:
    """The ports to which a strand leads from an axis's first side, as bits."""
    found = 0
    for port in range(len(ends)):
        found |= int(ends[port] == RIM + axis) << port
    return found


@kernel
def _ports_leading_on(ends: Ends, axis: int, masks: Scratch) -> int:
    """The ports by which to leave a cell so that the goal may be reached, as bits."""
    leading, before = 0, -1
    for port in range(len(ends)):
        leading |= int(ends[port] == RIM + axis + AXES) << port
    while leading != before:
        before = leading
        entries = _entries(ends, leading, masks)
        for port in range(len(ends)):
            if (entries >> port) & 1 and ends[port] < RIM:
                leading |= 1 << int(ends[port])
    return leading


@kernel
def _entries(ends: Ends, leading: int, masks: Scratch) -> int:
    """The ports by which to enter a cell so that some others can be left by, as bits."""
    found = 0
    for cell in range(len(ends) // EDGES):
        mask, exits = int(masks[cell]), (leading >> (EDGES * cell)) & _EVERY_EDGE
        if mask != 0 and exits != 0:
            for edge in range(EDGES):
                found |= int(int(_EXITS[mask, edge]) & exits != 0) << (EDGES * cell + edge)
    return found


@kernel
def _place_of_bit(bit: int) -> int:
    place = 0
    while bit > 1:
        bit >>= 1
        place += 1
    return place


# ---- strands that don't matter ----------------------------------------------------------------


@kernel
def _drop_useless_strands(ends: Ends, axes: int) -> None:
    """Makes strands DEAD that are on no possible route: then more positions are the same."""
    useful = 0
    for axis in range(AXES):
        if (axes >> axis) & 1:
            from_start, from_goal = _exits_from(ends, axis), _exits_from(ends, axis + AXES)
            for port in range(len(ends)):
                end = int(ends[port])
                if end < RIM:
                    there = (from_start >> port) & (from_goal >> end)
                    back = (from_goal >> port) & (from_start >> end)
                    useful |= ((there | back) & 1) << port
                elif end == RIM + axis:
                    useful |= from_goal & (1 << port)
                elif end == RIM + axis + AXES:
                    useful |= from_start & (1 << port)
    for port in range(len(ends)):
        if (useful >> port) & 1 == 0:
            ends[port] = DEAD


@kernel
def _exits_from(ends: Ends, side: int) -> int:
    """The ports by which routes from a side may leave cells, whatever tiles fill them, as bits."""
    entries, exits, before = 0, 0, -1
    for port in range(len(ends)):
        entries |= int(ends[port] == RIM + side) << port
    while entries != before:
        before, exits = entries, 0
        for cell in range(len(ends) // EDGES):
            here = (entries >> (EDGES * cell)) & _EVERY_EDGE
            if here != 0:
                others = _EVERY_EDGE & ~here if here & (here - 1) == 0 else _EVERY_EDGE
                exits |= others << (EDGES * cell)
        for port in range(len(ends)):
            if (exits >> port) & 1 and ends[port] < RIM:
                entries |= 1 << int(ends[port])
    return exits


@kernel
def is_idle(ends: Ends, cell: int) -> bool:
    """Whether no route can go through a cell: if it is empty, any tile will do."""
    dead = 0
    for port in range(EDGES * cell, EDGES * cell + EDGES):
        dead += int(ends[port] == DEAD)
    return dead == EDGES
