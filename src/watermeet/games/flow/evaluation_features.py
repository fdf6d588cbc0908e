"""The features of a Flow state that ``evaluate`` combines linearly."""

from __future__ import annotations

from watermeet.core.contract import StateArray
from watermeet.core.kernel import Scratch, kernel
from watermeet.games.flow import layout
from watermeet.games.flow.rollout_policy import best_distance, turns_left
from watermeet.games.flow.shapes import OBSTACLE
from watermeet.games.flow.total_distance import total_distance
from watermeet.games.flow.wave_costs import column_costs, row_costs

UNIT = 1000.0
"""Features are stored in thousandths, because scratch buffers hold integers."""

NAMES = (
    "one",
    "missing",
    "missing squared",
    "useful tiles",  # The fraction of tiles that help immediately; double if they help two animals.
    "tiles left",  # Without obstacles.
    "obstacles left",
    "round left",  # As a fraction of the round.
    "wave",  # The average cost of the next wave in tiles, with both dice.
    "wave soon",  # The same, times the fraction of the round that is over; half with Calm Waters.
    "missing by tiles left",
    "missing by round left",
    "missing by turns left",
    *(f"{name} held" for name in layout.CARD_NAMES),
    "few tiles left",
)
(
    ONE, MISSING, MISSING_SQUARED, USEFUL, TILES_LEFT, OBSTACLES_LEFT, ROUND_LEFT, WAVE, WAVE_SOON,
    MISSING_BY_TILES, MISSING_BY_ROUND, MISSING_BY_TURNS, HELD
) = range(13)  # fmt: skip
FEW_TILES = HELD + layout.CARD_KINDS
FEATURE_COUNT = len(NAMES)

_PIPS = 6.0
_CARDS_HINDERED = 0.3  # The value of a card if only one may be played per round.
_SPARE = 3.0  # Roughly the tiles that Return and Current provide when no other is left.


@kernel
def compute_features(state: StateArray, out: Scratch) -> None:
    """Compute all features of a state, in thousandths."""
    before = total_distance(state)
    good, useful = _good_tiles(state), _useful_tiles(state, before)
    bad = _tiles_of(state, OBSTACLE)
    left, turns = float(turns_left(state)), float(state[layout.TURNS])
    wave = (row_costs(state, before) + column_costs(state, before)) / _PIPS
    calmed = 0.5 if state[layout.CALM_PLAYED] else 1.0
    out[ONE] = int(UNIT)
    out[MISSING] = int(UNIT * before / 10.0)
    out[MISSING_SQUARED] = int(UNIT * before * before / 100.0)
    out[USEFUL] = int(UNIT * useful / max(good + bad, 1))
    out[TILES_LEFT] = int(UNIT * good / 10.0)
    out[OBSTACLES_LEFT] = int(UNIT * bad / 10.0)
    out[ROUND_LEFT] = int(UNIT * left / turns)
    out[WAVE] = int(UNIT * wave / 10.0)
    out[WAVE_SOON] = int(UNIT * calmed * (1.0 - left / turns) * wave / 10.0)
    out[MISSING_BY_TILES] = int(UNIT * before / (good + _SPARE))
    out[MISSING_BY_ROUND] = int(UNIT * before / 10.0 * left / turns)
    out[MISSING_BY_TURNS] = int(UNIT * before / (left + 1.0))
    worth = UNIT * (_CARDS_HINDERED if state[layout.IN_PLAY + layout.ONE_CARD] else 1.0)
    for card in range(layout.CARD_KINDS):
        out[HELD + card] = int(worth * _held(state, card))
    out[FEW_TILES] = int(UNIT / (good + _SPARE))


@kernel
def _tiles_of(state: StateArray, kind: int) -> int:
    """The tiles of a kind that can still be drawn or are in hand."""
    in_hand = 1 if state[layout.TILE] == 1 + kind else 0
    return int(state[layout.FACE_DOWN + kind]) + int(state[layout.FACE_UP + kind]) + in_hand


@kernel
def _good_tiles(state: StateArray) -> int:
    count = 0
    for kind in range(layout.KIND_COUNT):
        if kind != OBSTACLE:
            count += _tiles_of(state, kind)
    return count


@kernel
def _useful_tiles(state: StateArray, before: int) -> int:
    """The tiles to come that help immediately; those that help two animals count twice."""
    useful = 0
    for kind in range(layout.KIND_COUNT):
        tiles = _tiles_of(state, kind)
        if kind != OBSTACLE and tiles > 0:
            gain = before - best_distance(state, kind, 0, True)
            useful += tiles * min(max(gain, 0), 2)
    return useful


@kernel
def _held(state: StateArray, card: int) -> int:
    """The number of cards of a kind that all seats hold."""
    held = 0
    for seat in range(int(state[layout.SEATS])):
        held += int(state[layout.HANDS + seat * layout.CARD_KINDS + card])
    return held
