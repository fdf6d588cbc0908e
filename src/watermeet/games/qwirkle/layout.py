"""How a state of Qwirkle lies in its array, and how its actions are numbered.

A *kind* is one of the 36 different tiles: colour * 6 + shape. In the array a tile is its kind + 1;
0 is no tile, and UNKNOWN one that the seat may not see. Numbers above 127 take two places,
hundreds and rest.

State layout (int8):

       0  SEATS      how many play
       1  TIE        who begins among equals (R3.2): OLDEST, YOUNGEST or RANDOM
       2  FULL       1 if the first turn must lay a whole largest set (R9.1)
       3  LIMIT      after so many rounds of nothing but exchanges the match is over (R7.4)
       4  STAGE      DEAL, LOT, TURN, REFILL, REPLACE or FINISHED
       5  MOVER      whose turn it is; in the deal, who is dealt to
       6  TIED       the seats that share the largest set, as bits: while a lot decides between
                     them and until the first turn ends
       7  COUNT      tiles on the grid
       8  LAID       those of them that were laid in this turn: the last ones
       9  LAST       tiles that the last finished turn laid: those before
      10  PASSES     passes in succession
      11  EXCHANGES  turns of exchange in succession
      12  BAG_LEFT   tiles in the bag
      13  SCORES     two places a seat
      25  HANDS      six tiles a seat, ascending, then zeros
      61  ASIDE      six tiles set aside in this turn, ascending, then zeros
      67  BAG        of each kind, how many are in the bag; in a concealed state, how many unseen
     103  XS         the tiles on the grid: columns, growing to the right,
     211  YS         rows, growing downward,
     319  TILES      and tiles; turn by turn in the order of play, within a turn by row and column
          memo
     427  LOOKUP     256 places: hashed by their cell, the grid's tiles as index + 1 (see grid.py)
     683  LIVE       how many cells are listed next, two places
     685  FRONTIER   of each live cell the tile and the direction that it lies in, then for each
                     colour the shapes that fit there, as bits (see frontier.py)

The first tile of a match lies at (0, 0), and the tiles are connected: no coordinate is beyond 107.
So a signed byte holds each, whatever shape the grid takes, and there is no edge to run into. Beside
n connected tiles lie at most 2 n + 2 cells (the first has four, and each further one takes a cell
and adds three at most), which is the room of FRONTIER.

Actions:

       0 ... 3786  lay a tile: 7 * cell number + place in the hand (of equal tiles the first)
    3787 ... 3793  set a tile aside for exchange: place in the hand
    3794           end the turn
    3795           pass
    3796 ... 3831  chance: a tile of that kind is drawn
    3832 ... 3837  chance: the lot says that this seat begins

A cell is numbered from the tiles that it touches: 4 * tile + direction, for the tile that comes
first on the grid; on an empty grid the only cell, (0, 0), is 0. Cells that no tile can be laid on
have numbers too, so that a refusal can say why: 432 + tile for an occupied one, 540 for any that
touches nothing. In place of a tile that is not in the hand stands place 6.
"""

from __future__ import annotations

SEAT_COUNT = 6  # The most that may play.
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
MAX_ANCHORS = 2 * TILE_COUNT + 2  # The most cells that can lie beside so many connected ones.
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
