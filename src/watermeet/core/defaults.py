"""The hooks of a game that doesn't define its own: plain, but complete and safe.

Hooks live in the modules ``notation``, ``explain``, ``view`` and ``rendering`` beside a game's
``rules``. Each function here has the name and signature of the one that a game may define.
"""

from __future__ import annotations

import re
import zlib
from typing import TYPE_CHECKING

import numpy as np

from watermeet.core.checks import quote
from watermeet.core.contract import CHANCE, OVER, StateArray
from watermeet.core.errors import InvalidNotation
from watermeet.core.explanation import Explanation
from watermeet.core.rendering import PictureLayout, Rendering, from_text
from watermeet.core.view import GameView

if TYPE_CHECKING:
    from watermeet.core.game import Game

_STATE_TEXT = re.compile(r"(-?\d+(?:\.-?\d+)*)#([0-9a-f]{8})")


# ---- notation ---------------------------------------------------------------------------------


def format_action(game: Game, array: StateArray, action: int) -> str:
    """The move's text: the action's number."""
    return str(action)


def parse_action(game: Game, array: StateArray, text: str) -> int:
    """The action that a text names, legal or not; raises InvalidNotation."""
    word = text.strip()
    if not re.fullmatch(r"[0-9]{1,9}", word) or int(word) >= game.sizes.actions:
        raise InvalidNotation(
            f"{quote(text)} isn't a move of {game.name}",
            f"a move is a number from 0 to {game.sizes.actions - 1}",
        )
    return int(word)


def format_state(game: Game, array: StateArray) -> str:
    """The array's numbers and a checksum: kernels must never see numbers they didn't write."""
    numbers = ".".join(str(number) for number in array[: game.sizes.identity].tolist())
    return f"{numbers}#{_checksum(game, numbers)}"


def parse_state(game: Game, text: str) -> StateArray:
    """The array of a state's text; raises ValueError with a hint."""
    match = _STATE_TEXT.fullmatch(text.strip())
    if match is None or match[2] != _checksum(game, match[1]):
        raise ValueError("take the text from state.text, unchanged")
    array = np.zeros(game.sizes.state, dtype=game.dtype)
    numbers = [int(number) for number in match[1].split(".")]
    array[: len(numbers)] = numbers
    return array


def _checksum(game: Game, numbers: str) -> str:
    return f"{zlib.crc32(f'{game.describe()} {numbers}'.encode()):08x}"


# ---- explain ----------------------------------------------------------------------------------


def explain_action(game: Game, array: StateArray, action: int, *, legal: bool) -> Explanation:
    """Why an action is legal or not; called only before the match is over."""
    move = game.hooks.format_action(game, array, action)
    if legal:
        return Explanation("legal", f"{move} is legal.", legal=True, facts={"move": move})
    return Explanation("not_listed", f"{move} isn't a legal move here.", facts={"move": move})


def explain_outcome(game: Game, array: StateArray) -> Explanation:
    """Why the match is over."""
    return Explanation("over", "The match is over.")


def describe_action(game: Game, array: StateArray, action: int) -> str:
    """What a legal action does, in a few words that follow a name: ``places a stone on c3``."""
    return ""


# ---- view and pictures: they get a concealed array, so they can't leak ------------------------


def view(game: Game, array: StateArray, seat: int) -> GameView:
    """What a seat sees, as plain data: at least ``sentence``, ``seats`` and ``board``."""
    mover = game.kernels.to_move(array)
    sentences = {OVER: "The match is over.", CHANCE: "Waiting for chance."}
    return {
        "sentence": sentences.get(mover) or f"Seat {mover + 1} is to move.",
        "seats": [{"label": f"Seat {seat + 1}", "score": None} for seat in range(game.seats)],
        "board": array[: game.sizes.identity].tolist(),
    }


def render_text(game: Game, array: StateArray, seat: int, last: tuple[int, ...]) -> Rendering:
    """The picture for a terminal; ``last`` are the actions of the turn that led here."""
    return from_text(game.hooks.format_state(game, array))


def render_svg(game: Game, array: StateArray, seat: int, last: tuple[int, ...]) -> str | None:
    """The picture as SVG, or None if the game has none."""
    return None


def picture_layout(game: Game, array: StateArray) -> PictureLayout | None:
    """Where things are in the SVG picture, or None if that is unknown."""
    return None
