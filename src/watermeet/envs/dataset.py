"""Data sets for offline learning: what was known, what was possible, what was played, how it ended.

``watermeet dataset`` makes one from records, and every row is a decision:

    data = read_dataset("flume.npz")
    data.features[0], data.codes[0], data.returns[0]

Everything follows from the records by the rules, so a data set can be made again at any time.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable
from dataclasses import dataclass, fields
from pathlib import Path
from typing import Any, BinaryIO, cast

import numpy as np
import numpy.typing as npt

from watermeet.core.checks import require_type
from watermeet.core.errors import InvalidArgument
from watermeet.core.game import Game
from watermeet.core.record import Record
from watermeet.core.registry import game as find_game

FORMAT = 1
Array = npt.NDArray[Any]


@dataclass(frozen=True)
class Dataset:
    """Decisions of many matches, in order; the first index of every array is the decision."""

    game: Game
    players: Array
    """[matches, seats]: the names in the records."""
    matches: Array
    """Which match it is, from 0."""
    seats: Array
    """Who decides."""
    features: Array
    """[decisions, features]: what that seat knows, as numbers of 16 bits."""
    masks: Array
    """[decisions, codes]: which actions are legal."""
    codes: Array
    """What was played."""
    returns: Array
    """[decisions, seats]: how the match ended, for seat 0, 1 and so on."""

    def __len__(self) -> int:
        return len(self.codes)

    def transitions(self) -> dict[str, Array]:
        """The decisions in the layout of D4RL, which libraries for offline learning take.

        An episode is what one seat saw and did in one match, so rows are sorted by match and seat.
        The reward is the seat's return, at its last decision; ``terminals`` is true there.
        """
        order = np.lexsort((self.seats, self.matches))  # Stable: decisions stay in order.
        matches, seats = self.matches[order], self.seats[order]
        last = np.ones(len(order), dtype=np.bool_)
        last[:-1] = (np.diff(matches) != 0) | (np.diff(seats) != 0)
        gained = self.returns[order, seats]
        return {
            "observations": self.features[order].astype(np.float32),
            "actions": self.codes[order],
            "rewards": np.where(last, gained, np.float32(0)),
            "terminals": last,
            "timeouts": np.zeros_like(last),
            "action_masks": self.masks[order],
        }


def make_dataset(
    records: Iterable[Record], on_match: Callable[[], object] = lambda: None
) -> Dataset:
    """The decisions of finished matches; raises InvalidArgument if their games differ."""
    rows: dict[str, list[Any]] = {name: [] for name in _ARRAYS}
    game: Game | None = None
    for record in records:
        require_type(record, Record, "a record")
        if record.game != (game or record.game):
            raise InvalidArgument(
                f"{record.game.describe()} isn't {cast('Game', game).describe()}",
                "a data set is of one game, with the same options",
            )
        game = record.game
        if _add(record, len(rows["players"]), rows):
            on_match()
    if game is None or not rows["codes"]:
        raise InvalidArgument("there is no finished match", "give records that have a result")
    return Dataset(game, **{name: np.stack(found) for name, found in rows.items()})


def _add(record: Record, match: int, rows: dict[str, list[Any]]) -> bool:
    """Add the decisions of a match, if it has ended."""
    states, features = record.replay(), record.game.features
    outcome = states[-1].outcome
    if outcome is None:
        return False
    names = record.seats or ("",) * record.game.seats
    rows["players"].append(np.array(names, dtype=np.str_))
    returns = np.array(outcome.returns, dtype=np.float32)
    for state, entry in zip(states, record.entries, strict=False):
        seat = state.to_move
        if seat < 0:
            continue
        legal = features.legal_codes(state)
        code = {action: code for code, action in legal.items()}.get(state.parse_move(entry.move))
        if code is None:
            continue  # No environment offers that action.
        mask = np.zeros(features.spec.codes, dtype=np.bool_)
        mask[list(legal)] = True
        rows["matches"].append(np.int32(match))
        rows["seats"].append(np.int8(seat))
        rows["features"].append(features.of(state, seat).astype(np.float16))
        rows["masks"].append(mask)
        rows["codes"].append(np.int32(code))
        rows["returns"].append(returns)
    return True


def write_dataset(data: Dataset, file: Path) -> None:
    """Write a compressed NumPy archive; an older file stays whole if this is interrupted."""
    about = {"format": FORMAT, "game": data.game.name, "version": data.game.version}
    about |= {"options": dict(data.game.options)}
    arrays = {name: getattr(data, name) for name in _ARRAYS}
    arrays["masks"] = np.packbits(data.masks, axis=1)
    partial = file.with_name(f"{file.name}.partial")
    with partial.open("wb") as out:
        np.savez_compressed(cast("BinaryIO", out), about=np.array(json.dumps(about)), **arrays)
    partial.replace(file)


def read_dataset(file: Path | str) -> Dataset:
    """Read what ``write_dataset`` wrote."""
    with np.load(file, allow_pickle=False) as found:
        about = json.loads(str(found["about"]))
        if about["format"] != FORMAT:
            raise InvalidArgument(
                f"{file} has the format {about['format']}", f"this version reads format {FORMAT}"
            )
        arrays = {name: found[name] for name in _ARRAYS}
    game = find_game(about["game"], **about["options"]).at_version(about["version"])
    count = game.features.spec.codes
    arrays["masks"] = np.unpackbits(arrays["masks"], axis=1, count=count).astype(np.bool_)
    return Dataset(game, **arrays)


_ARRAYS = tuple(each.name for each in fields(Dataset) if each.name != "game")
