"""The state array of Qwirkle (int8) and the numbering of its actions.

A *kind* is one of the 36 different tiles: colour * 6 + shape. In the array a tile is its kind + 1;
0 is an empty slot, and UNKNOWN a tile that the seat may not see. Numbers above 127 take two bytes,
hundreds and remainder.

       0  SEATS      the number of players
       1  TIE        who begins if the largest sets are equal (R3.2): OLDEST, YOUNGEST or RANDOM
       2  FULL       1 if the first turn must place a whole largest set (R9.1)
       3  LIMIT      the match ends after this many rounds of nothing but trades (R7.4)
       4  STAGE      DEAL, TIEBREAK, TURN, REFILL, REPLACE or FINISHED
       5  MOVER      the seat to move; during the deal, the seat that is dealt to
       6  TIED       bit mask of the seats that share the largest set, during the tie-break and
                     until the first turn ends
       7  COUNT      tiles on the grid
       8  LAID       how many of them were placed in this turn: the last ones
       9  LAST       how many the previous turn placed: those before
      10  PASSES     consecutive passes
      11  EXCHANGES  consecutive trades
      12  BAG_LEFT   tiles in the bag
      13  SCORES     two bytes per seat
      25  HANDS      six tiles per seat, ascending, then zeros
      61  ASIDE      six tiles set aside in this turn, ascending, then zeros
      67  BAG        per kind, how many are in the bag; in a concealed state, how many are unseen
     103  XS         the tiles on the grid: columns, growing to the right,
     211  YS         rows, growing downward,
     319  TILES      and tiles; turn by turn in the order of play, within a turn by row and column
          cache
     427  LOOKUP     a hash table of 256 bytes from cells to tiles, as index + 1 (see grid.py)
     683  ANCHOR_COUNT  the number of anchors, two bytes
     685  ANCHORS    per anchor, a tile and the direction from it, then for each colour a bit mask
                     of the shapes that fit (see anchors.py)

The first tile of a match is at (0, 0) and the tiles are connected, so no coordinate exceeds 107:
a signed byte always suffices, and the grid has no edge. At most 2 n + 2 empty cells touch n
connected tiles (the first has four, and each further one uses up a cell and adds at most three),
which bounds the number of anchors.

Actions:

       0 ... 3786  place a tile: 7 * cell number + slot in the hand (the first of equal tiles)
    3787 ... 3793  set a tile aside to trade: slot in the hand
    3794           end the turn
    3795           pass
    3796 ... 3831  chance: a tile of that kind is drawn
    3832 ... 3837  chance: that seat begins

A cell is numbered by the first tile on the grid that it touches: 4 * tile + direction; on an empty
grid the only cell, (0, 0), is 0. Cells where no tile can go have numbers too, so that a refusal can
say why: 432 + tile for an occupied cell, 540 for any that touches nothing. Slot 6 stands for a tile
that isn't in the hand.
"""

from __future__ import annotations

SEAT_COUNT = 6  # The maximum.
HAND = 6
KINDS = 36
COPIES = 3
TILE_COUNT = KINDS * COPIES
BONUS = 6  # R6.2 for a line of six tiles, R7.2 for the last tile.
LONGEST_LINE = 6

SEATS, TIE, FULL, LIMIT, STAGE, MOVER, TIED, COUNT, LAID, LAST, PASSES, EXCHANGES = range(12)
BAG_LEFT = 12
SCORES = 13
HANDS = SCORES + 2 * SEAT_COUNT
ASIDE = HANDS + HAND * SEAT_COUNT
BAG = ASIDE + HAND
XS = BAG + KINDS
YS = XS + TILE_COUNT
TILES = YS + TILE_COUNT
CACHE = TILES + TILE_COUNT

LOOKUP = CACHE
LOOKUP_SIZE = 256
ANCHOR_COUNT = LOOKUP + LOOKUP_SIZE
ANCHORS = ANCHOR_COUNT + 2
ANCHOR_SIZE = 2 + 6
MAX_ANCHORS = 2 * TILE_COUNT + 2  # The most empty cells that can touch all tiles, connected.
STATE_SIZE = ANCHORS + ANCHOR_SIZE * MAX_ANCHORS

OLDEST, YOUNGEST, RANDOM = range(3)
DEAL, TIEBREAK, TURN, REFILL, REPLACE, FINISHED = range(6)
NONE, UNKNOWN = 0, -1

RIGHT, DOWN, LEFT, UP = range(4)
STEP_X = (1, 0, -1, 0)
STEP_Y = (0, 1, 0, -1)

SLOTS = HAND + 1
NOT_IN_HAND = HAND
OCCUPIED_CELLS = 4 * TILE_COUNT
ELSEWHERE = OCCUPIED_CELLS + TILE_COUNT
TRADE = SLOTS * (ELSEWHERE + 1)
END = TRADE + SLOTS
PASS = END + 1
DRAW = PASS + 1
FIRST_SEAT = DRAW + KINDS
ACTION_COUNT = FIRST_SEAT + SEAT_COUNT
