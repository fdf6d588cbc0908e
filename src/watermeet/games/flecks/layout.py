"""The state array of Flecks (int16), for a board with n cells along each side.

    0  SIDE            n
    1  BORDER          QUARTERS or SIDES (R7.1)
    2  MUST_PLACE      1 unless a turn may be a row move alone (R7.2)
    3  NEW_FIXED       1 if the stone just added may not move (R7.3)
    4  WIN_AT_END      1 if a chain wins only at the end of the turn (R7.4)
    5  COLOUR          the colour to move, RED or BLUE; after the match: the winner
    6  OPENING         opening stones still to be placed by both colours; 0 in the second phase
    7  LAST            the offset of the stone just added while a row may move, else 0
    8  IDLE            consecutive turns without a new stone (R7.2)
    9  WINNER          FREE, RED or BLUE
   10  CELLS ...       a mailbox board: 2n + 1 rows of 2n + 1 cells, sentinels included (board.py)

An *offset* is the index of a cell in this array.
"""

from __future__ import annotations

CELLS = 10
SIDE, BORDER, MUST_PLACE, NEW_FIXED, WIN_AT_END = range(5)
COLOUR, OPENING, LAST, IDLE, WINNER = range(5, CELLS)
