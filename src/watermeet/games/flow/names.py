"""Names of players, animals, tiles, cards and scenarios, and what is in each cell."""

from __future__ import annotations

from typing import NamedTuple

from watermeet.core.contract import StateArray
from watermeet.core.game import Game
from watermeet.core.squaregrid import COLUMN_LETTERS, point_name
from watermeet.games.flow import layout
from watermeet.games.flow.board import CELL_COUNT, SIZE
from watermeet.games.flow.shapes import SHAPE_COUNT, SHAPES
from watermeet.games.flow.tile_sets import KINDS

ANIMAL_NAMES = ("cat", "dog", "capybara", "lemur")
"""At a1, g1, a7 and g7."""
CARD_TITLES = ("Support", "Bird", "Current", "Fishing", "Calm Waters", "Return")
CARD_EFFECTS = (
    "remove a tile from the board",
    "put a bird on a tile",
    "move a tile",
    "turn two tiles face up",
    "the next wave rolls only one die",
    "place a discarded tile",
)
SCENARIO_TITLES = (
    "Obstacles", "No communication", "One card per round", "No new cards", "Not for obstacles",
    "Single path", "Obstacles remain",
)  # fmt: skip
KIND_TITLES = ("straight", "bend", "cross", "obstacle tile", "T-junction")
SCENARIO_OBSTACLE = "scenario"
HIDDEN_CARD = "?"


class Laid(NamedTuple):
    """A tile on the board: its kind or SCENARIO_OBSTACLE, its open edges, and its bird."""

    kind: str
    edges: str
    has_bird: bool


def player_name(seat: int) -> str:
    """What a seat is called, counted from 1.

    >>> player_name(0)
    'Player 1'
    """
    return f"Player {seat + 1}"


def cell_name(cell: int) -> str:
    """The name of a cell.

    >>> cell_name(0), cell_name(24)
    ('a1', 'd4')
    """
    return point_name(cell, SIZE)


def column_letter(column: int) -> str:
    """The letter of a column."""
    return COLUMN_LETTERS[column]


def tile_title(tile: int) -> str:
    """The name of a tile in hand, as encoded in the array.

    >>> tile_title(2), tile_title(layout.SCENARIO_TILE)
    ('bend', 'scenario obstacle')
    """
    return "scenario obstacle" if tile == layout.SCENARIO_TILE else KIND_TITLES[tile - 1]


def tile_kind(tile: int) -> str | None:
    """The kind of a tile in hand, as encoded in the array; None if there is none."""
    if tile == 0:
        return None
    return SCENARIO_OBSTACLE if tile == layout.SCENARIO_TILE else KINDS[tile - 1]


def laid_at(array: StateArray, cell: int) -> Laid | None:
    """The tile in a cell; None if it is empty, an animal's space or the boat."""
    tile = int(array[layout.CELLS + cell])
    if tile == 0:
        return None
    has_bird, tile = tile >= layout.BIRD_ON, tile % layout.BIRD_ON
    if tile == layout.SCENARIO_TILE:
        return Laid(SCENARIO_OBSTACLE, "", has_bird)
    kind, edges = SHAPES[tile - 1]
    return Laid(KINDS[kind], edges, has_bird)


def hand_of(array: StateArray, seat: int) -> list[str]:
    """The cards of a seat, ``?`` for hidden ones."""
    counts = array[
        layout.HANDS + seat * layout.CARD_KINDS : layout.HANDS + (seat + 1) * layout.CARD_KINDS
    ]
    cards = [
        name for name, count in zip(layout.CARD_NAMES, counts, strict=True) for _ in range(count)
    ]
    return cards + [HIDDEN_CARD] * int(array[layout.HIDDEN_CARDS + seat])


def hand_words(array: StateArray, seat: int) -> str:
    """The cards of a seat in words."""
    words = []
    for card, title in enumerate(CARD_TITLES):
        count = int(array[layout.HANDS + seat * layout.CARD_KINDS + card])
        words += [title if count == 1 else f"{title} x{count}"] if count else []
    hidden = int(array[layout.HIDDEN_CARDS + seat])
    words += [counted(hidden, "card")] if hidden else []
    return ", ".join(words) or "no cards"


def counted(count: int, thing: str) -> str:
    """A number of things, in the singular or plural.

    >>> counted(1, "card"), counted(2, "tile")
    ('1 card', '2 tiles')
    """
    return f"{count} {thing}{'' if count == 1 else 's'}"


def pile_left(array: StateArray) -> int:
    """The number of cards in the pile, not counting concealed hands."""
    unseen = int(array[layout.PILE : layout.PILE + layout.CARD_KINDS].sum())
    return unseen - int(array[layout.HIDDEN_CARDS : layout.HIDDEN_CARDS + layout.MAX_SEATS].sum())


def last_cells(array: StateArray, last: tuple[int, ...]) -> set[int]:
    """The cells where these actions placed something that is still there."""
    cells = {cell for cell in map(_cell_of, last) if cell is not None}
    return {cell for cell in cells if array[layout.CELLS + cell] != 0}


def _cell_of(action: int) -> int | None:
    if layout.LAY <= action < layout.LAY_SCENARIO:
        return (action - layout.LAY) // SHAPE_COUNT
    if layout.LAY_SCENARIO <= action < layout.PLAY_SUPPORT:
        return action - layout.LAY_SCENARIO
    if layout.PLAY_BIRD <= action < layout.PLAY_CURRENT:
        return action - layout.PLAY_BIRD
    if layout.CHANCE_OBSTACLE <= action < layout.CHANCE_OBSTACLE + CELL_COUNT:
        return action - layout.CHANCE_OBSTACLE
    return None


def last_dice(last: tuple[int, ...]) -> tuple[int, int]:
    """What the white and black dice showed in these actions; 0 if not rolled."""
    white = [
        action - layout.CHANCE_WHITE + 1
        for action in last
        if layout.CHANCE_WHITE <= action < layout.CHANCE_BLACK
    ]
    black = [
        action - layout.CHANCE_BLACK + 1
        for action in last
        if layout.CHANCE_BLACK <= action < layout.CHANCE_SCENARIO
    ]
    return white[-1] if white else 0, black[-1] if black else 0


def die_number(line: int) -> int | None:
    """The number that a die shows for a row or column; the middle one has none (R6.4).

    >>> [die_number(line) for line in range(7)]
    [1, 2, 3, None, 4, 5, 6]
    """
    middle = SIZE // 2
    return None if line == middle else line + 1 if line < middle else line


def outcome_sentence(game: Game, array: StateArray) -> str:
    """How the match ended, in one sentence."""
    if array[layout.WON]:
        return "You win: all four animals are connected to the boat."
    if array[layout.IDLE_ROUNDS] >= layout.MAX_IDLE_ROUNDS:
        return "You lose: nobody did anything for three rounds."
    mover = player_name(int(array[layout.MOVER]))
    return f"You lose: there are no tiles left, and {mover} has no card to play."
