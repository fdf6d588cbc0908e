"""What each entry of the state array means.

Cells are numbered row by row from the top left corner, a1. After them comes the cache: the bordered
board, the list of empty cells, and the place of each cell in that list.
"""

SIZE = 0
"""Cells along each side of the board."""
PIE = 1
"""1 with the pie rule, else 0."""
STONES = 2
"""Stones on the board."""
SWAPPED = 3
"""1 once Blue has swapped, else 0."""
WINNER = 4
"""The seat that has connected its sides, plus 1; 0 if none has."""
INVERSE = 5
"""2**16 / size, rounded up: cell * INVERSE >> 16 is the cell's row, without a division."""
CELLS = 6
"""From here on the cells: 0 if empty, 1 for Red, 2 for Blue."""

LARGEST_SIZE = 19

# Bits of the bordered board, which has one more row or column on each side. Red's are as they
# stand, Blue's are shifted by BLUE_SHIFT. A stone is UNAWARE until its group reaches a side, and
# then knows that side. The border is made of stones that know the side they stand for.
UNAWARE = 1
FIRST_SIDE = 2
"""The group reaches the top (Red) or the left side (Blue)."""
SECOND_SIDE = 4
"""The group reaches the bottom (Red) or the right side (Blue)."""
BOTH_SIDES = FIRST_SIDE | SECOND_SIDE
BLUE_SHIFT = 3
