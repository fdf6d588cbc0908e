"""What the tests of this folder share: games, matches in step with the oracle, and small states."""

from __future__ import annotations

import random
from collections import Counter

import watermeet as wm
from watermeet.core.options import Value
from watermeet.games.qwirkle import layout, rules
from watermeet.games.qwirkle.names import grid_of, hand_of, tile_name
from watermeet.games.qwirkle.tests.oracle import Grid, Position

BLOCKED = (  # From a random match: the bag is empty, and nobody can place a tile.
    "turn=1 scores=138/113 hands=Gb/Gb last=1 grid="
    "Yc-1,0;Yd0,0;Gc-1,-1;Pd-2,-2;Pc-1,-2;Bc-1,1;Bv-3,-3;Bd-2,-3;Yd-2,-4;Yb1,-1;Yx1,0;Yv1,1;"
    "Gv2,1;Ob2,-2;Pb2,-1;Ob0,-4;Rb0,-3;Pb0,-2;Bs-3,-5;Bd-3,-4;Os-4,-6;Ps-4,-5;Pb-5,-7;Ps-5,-6;"
    "Yc-2,1;Yv-2,0;Yx-2,2;Od3,-2;Gd2,2;Gc3,2;Gb4,2;Gs2,3;Bb-4,-3;Yb1,-4;Ov3,-3;Gx1,3;Gv3,3;"
    "Yb-3,0;Yv1,-5;Bv2,-5;Rv3,-5;Bb2,-4;Ps4,-6;Pv4,-5;Px4,-4;Ob4,1;Px-6,-8;Pv-5,-8;Rx-6,-2;"
    "Rc-5,-2;Rb-4,-2;Rs5,-6;Gs6,-6;Bb-3,-1;Gd3,4;Bd4,4;Rv5,-7;Bs4,5;Bv4,6;Bx4,7;Gx5,2;Gc5,3;"
    "Ys-1,4;Os0,4;Gs1,4;Rc-6,-1;Yc-5,-1;Oc-8,-1;Pc-7,-1;Os5,5;Ov5,6;Rx-8,-3;Rv-7,-3;Rb-6,-3;"
    "Ov4,-2;Px-8,-4;Pv-7,-4;Rs6,5;Ox0,5;Yx1,-7;Yd1,-6;Bs6,4;Bx7,4;Bc8,4;Pd-7,0;Rd-6,0;Ys7,-6;"
    "Pc-9,-4;Od4,-1;Ox5,-1;Oc6,-1;Rx4,-8;Rd5,-8;Pd-5,-9;Bx8,3;Gx5,-4;Ox6,-4;Oc5,0;Rc6,0;Ys-3,2;"
    "Rs-3,3;Gv6,2;Bc7,0;Od-8,0;Gd5,-3;Rd4,-9"
)


def qwirkle(**options: Value) -> wm.Game:
    return wm.game("qwirkle", **options)


def state_of(text: str, **options: Value) -> wm.State:
    return qwirkle(**options).parse(text)


def hands_of(state: wm.State) -> list[list[str]]:
    seats = range(state.game.seats)
    return [[tile_name(kind) for kind in hand_of(state.array, seat)] for seat in seats]


def bag_of(state: wm.State) -> Counter[str]:
    return +Counter(
        {tile_name(kind): int(state.array[layout.BAG + kind]) for kind in range(layout.KINDS)}
    )


def points(state: wm.State) -> list[int]:
    return [int(rules.points_of(state.array.copy(), seat)) for seat in range(state.game.seats)]


def table_of(state: wm.State) -> Grid:
    return {cell: tile_name(kind) for cell, kind in grid_of(state.array).items()}


def drawn(state: wm.State, *tiles: str) -> wm.State:
    """The state after these tiles were drawn."""
    return state.play_all([f"draw:{tile}" for tile in tiles])


def dealt(*hands: str, **options: Value) -> wm.State:
    """The state after the deal of these hands, such as ``RcRdOxYsBbPv``."""
    state = qwirkle(seats=len(hands), **options).start()
    for hand in hands:
        state = drawn(state, *(hand[index : index + 2] for index in range(0, 12, 2)))
    return state


def random_move(state: wm.State, rng: random.Random) -> str:
    """Mostly placements: otherwise the many exchanges would end most matches early."""
    if state.to_move == wm.CHANCE:
        actions, weights = zip(*state.chance_outcomes, strict=True)
        return state.format(rng.choices(actions, weights)[0])
    tiles = [move for move in state.legal_moves if "@" in move]
    return rng.choice(tiles if tiles and rng.random() < 0.7 else state.legal_moves)


def position_of(state: wm.State) -> Position:
    """The oracle's position at the beginning of the first turn."""
    options = state.game.options
    tie = str(options["tie"])
    return Position.start(
        hands_of(state),
        bag_of(state),
        first=state.to_move if tie == "random" else None,
        first_play_full=bool(options["first_play_full"]),
        tie=tie,
        exchange_limit=options.number("exchange_limit"),
    )


def played(seed: object, moves: int, **options: Value) -> wm.State:
    """A state some moves into a random match, at the beginning of a turn."""
    rng = random.Random(f"{seed}")
    state = qwirkle(**options).start()
    for _ in range(moves):
        if state.to_move != wm.OVER:
            state = state.play(random_move(state, rng))
    while state.to_move != wm.OVER and not is_turn_start(state):
        state = (
            state.play("end") if "end" in state.legal_moves else state.play(random_move(state, rng))
        )
    return state


def is_turn_start(state: wm.State) -> bool:
    return state.to_move >= 0 and " laid=" not in state.text and " aside=" not in state.text


Placed = list[tuple[str, tuple[int, int]]]


def table(turns: list[Placed], hand: str, other: str = "", **options: Value) -> wm.State:
    """Seat 0 to move with these tiles in hand, after the turns; the bag fills up the hands."""
    left = Counter({tile_name(kind): 3 for kind in range(layout.KINDS)})
    left.subtract(tile for turn in turns for tile, _ in turn)
    hands = [[text[i : i + 2] for i in range(0, len(text), 2)] for text in (hand, other)]
    for tiles in hands:
        left.subtract(tiles)
    # A diagonal of colours and shapes has no two tiles in common.
    filling = [tile_name(kind) for start in range(6) for kind in _diagonal(start)]
    for tiles in hands:
        while len(tiles) < 6:
            tiles.append(next(t for t in filling if left[t] > 0 and t not in hands[0] + hands[1]))
            left[tiles[-1]] -= 1
    words = ["turn=0", f"hands={'/'.join(''.join(tiles) for tiles in hands)}"]
    if turns:
        ordered = [sorted(turn, key=lambda each: (each[1][1], each[1][0])) for turn in turns]
        tiles = [f"{tile}{x},{y}" for turn in ordered for tile, (x, y) in turn]
        words += [f"last={len(turns[-1])}", f"grid={';'.join(tiles)}"]
    return state_of(" ".join(words), **options)


def _diagonal(start: int) -> list[int]:
    return [6 * colour + (colour + start) % 6 for colour in range(6)]


def place(state: wm.State, placed: Placed) -> wm.State:
    """The state after tiles were placed, in any legal order, before the turn ends."""
    waiting = [f"{tile}@{x},{y}" for tile, (x, y) in placed]
    while waiting:
        move = next(move for move in waiting if move in state.legal_moves)
        waiting.remove(move)
        state = state.play(move)
    return state


PLAIN = "RcOxYdGsBbPv"  # No two share anything.
OTHER_PLAIN = "RxOdYsGbBvPc"

SHAPES = "cxdsbv"


def row(text: str, y: int = 0, x: int = 0) -> Placed:
    """Tiles from left to right: ``Rc Rd``; an underline leaves a cell free."""
    words = text.split()
    return [(word, (x + i, y)) for i, word in enumerate(words) if word != "_"]


def column(text: str, x: int = 0, y: int = 0) -> Placed:
    """Tiles from top to bottom."""
    return [(tile, (x, y + dx)) for tile, (dx, _) in row(text)]


def snake(lines: int) -> list[Placed]:
    """Lines of six, one colour each, stepping to the right by five columns per line."""
    turns = []
    for line in range(lines):
        colour, y = "ROYGBP"[line % 6], line % 2
        shapes = SHAPES if line % 2 == 0 else SHAPES[::-1]
        turns.append([(colour + shape, (5 * line + i, y)) for i, shape in enumerate(shapes)])
    return turns
