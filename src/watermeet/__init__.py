"""Board games as exact, fast values: one rules core for players and programmers."""

from importlib.metadata import PackageNotFoundError as _NotFound
from importlib.metadata import version as _version

from watermeet.core.batch import VectorGame
from watermeet.core.contract import CHANCE, OVER, SPECTATOR
from watermeet.core.errors import (
    BotFailed,
    Conflict,
    GpuFailed,
    HiddenInformation,
    IllegalMove,
    InvalidArgument,
    InvalidGame,
    InvalidKernel,
    InvalidNotation,
    InvalidOptions,
    InvalidRecord,
    NoSuchSeat,
    NotInstalled,
    NotYourTurn,
    TooLarge,
    UnknownBot,
    UnknownGame,
    VersionMismatch,
    WatermeetError,
)
from watermeet.core.explanation import Explanation
from watermeet.core.game import Game, Sizes
from watermeet.core.options import Choice, Number, Switch
from watermeet.core.outcome import Outcome
from watermeet.core.record import Entry, Record
from watermeet.core.registry import game, games
from watermeet.core.state import State, explain

try:
    __version__ = _version("watermeet")
except _NotFound:  # While a wheel is built.
    __version__ = "0"

__all__ = [
    "CHANCE",
    "OVER",
    "SPECTATOR",
    "BotFailed",
    "Choice",
    "Conflict",
    "Entry",
    "Explanation",
    "Game",
    "GpuFailed",
    "HiddenInformation",
    "IllegalMove",
    "InvalidArgument",
    "InvalidGame",
    "InvalidKernel",
    "InvalidNotation",
    "InvalidOptions",
    "InvalidRecord",
    "NoSuchSeat",
    "NotInstalled",
    "NotYourTurn",
    "Number",
    "Outcome",
    "Record",
    "Sizes",
    "State",
    "Switch",
    "TooLarge",
    "UnknownBot",
    "UnknownGame",
    "VectorGame",
    "VersionMismatch",
    "WatermeetError",
    "explain",
    "game",
    "games",
]
