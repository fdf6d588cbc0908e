"""Matches set up through the API, where clicking is not the point.

They start from records: a game's picture for a match that is under way, and random play. The
browser gets its seats as if it had taken them itself.
"""

from __future__ import annotations

import functools
import json
import random
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import httpx2
import pytest
from _pytest.mark.structures import ParameterSet
from playwright.sync_api import BrowserContext

import watermeet as wm
from watermeet.core.kernel import plain_python
from watermeet.testing.matches import random_match

ROOT = Path(__file__).parents[2]
GAMES = sorted(wm.games())
FOLDERS = (ROOT / "src" / "watermeet" / "games", ROOT / "web" / "installed")
BOARDS = [name for name in GAMES if any((at / name / "web/index.ts").is_file() for at in FOLDERS)]
"""The games with a board of their own; the others are played by a picture and a list of moves."""
SIMPLE = min(BOARDS, key=lambda name: wm.game(name).sizes.actions)
"""The board with the fewest actions, for tests of what all games share."""
SECRETIVE = next(name for name in BOARDS if wm.game(name).has_secrets)
"""A board with hidden information."""
BY_DAY = {SIMPLE, SECRETIVE}
LAST = 2
"""How many actions are left to play at the end of a match."""


def two_by_day(games: Iterable[str]) -> list[ParameterSet]:
    """These games as parameters: one without and one with secrets, and the others at night."""
    return [
        pytest.param(game, marks=() if game in BY_DAY else pytest.mark.nightly) for game in games
    ]


@functools.cache
def random_record(game: str) -> str:
    """The record of a fixed match of random moves."""
    with plain_python():
        match = random_match(wm.game(game), random.Random(game))
        return wm.Record.from_actions(match.states[0], match.actions).format()


@dataclass
class Staged:
    """A match, and the tokens of its seats."""

    match: str
    seats: dict[int, str] = field(default_factory=dict)

    @property
    def path(self) -> str:
        return f"/match/{self.match}"


class Stage:
    """Uses the API as the page does."""

    def __init__(self, address: str) -> None:
        self._http = httpx2.Client(base_url=address, timeout=60)
        self._user = self._post("/guests", "", {})["token"]
        self._orders = 0
        self._middles: dict[str, tuple[str, int, int]] = {}

    def _post(self, path: str, token: str, body: object) -> Any:
        headers = {"Authorization": f"Bearer {token}"} if token else {}
        answer = self._http.post(f"/api{path}", json=body, headers=headers)
        assert answer.is_success, (path, answer.text)
        return answer.json()

    def close(self) -> None:
        self._http.close()

    def read(self, match: str, token: str) -> Any:
        """A match as a seat sees it."""
        headers = {"Authorization": f"Bearer {token}"}
        return self._http.get(f"/api/matches/{match}", headers=headers).json()

    def import_record(self, record: str) -> Staged:
        """A record as a match."""
        return Staged(self._post("/records", self._user, {"record": record})["match"])

    def over(self, game: str) -> Staged:
        """A finished match of a game."""
        return self.import_record(random_record(game))

    def start(self, game: str, seats: int | list[dict[str, str]] = 2, **request: Any) -> Staged:
        """A match with a person on every open seat."""
        plans = [{"who": "open"}] * seats if isinstance(seats, int) else seats
        staged = self.create(game, seats=plans, **request)
        for seat, plan in enumerate(plans):
            if plan["who"] == "open":
                staged.seats[seat] = self.join(staged.match, seat)
        return staged

    def create(self, game: str, **request: Any) -> Staged:
        """A match that nobody has joined."""
        return Staged(self._post("/matches", self._user, {"game": game} | request)["match"])

    def guest(self) -> str:
        """Somebody new; returns their token."""
        return str(self._post("/guests", "", {})["token"])

    def join(self, match: str, seat: int, name: str = "", guest: str = "") -> str:
        """Somebody takes a seat, somebody new if nobody is named; returns its token."""
        joining = {"name": name or ("Ana", "Ben", "Cleo", "Dan", "Eva", "Finn")[seat]}
        guest = guest or self.guest()
        return str(self._post(f"/matches/{match}/seats/{seat}", guest, joining)["token"])

    def middle(self, game: str) -> Staged:
        """A match that is well under way, with a person on every seat."""
        if game not in self._middles:
            self._middles[game] = self._import_middle(game)
        match, ply, seats = self._middles[game]
        return self.start(game, seats, start={"match": match, "ply": ply})

    def _import_middle(self, game: str) -> tuple[str, int, int]:
        """A record as a match, the action after which it is well under way, its seats."""
        picture = ROOT / f"src/watermeet/games/{game}/docs/position.txt"
        text = picture.read_text(encoding="utf-8") if picture.is_file() else random_record(game)
        match = self.import_record(text).match
        known = self.read(match, self._user)
        plies = len(known["moves"])
        return match, plies - min(4, plies // 2) if known["outcome"] else plies, len(known["seats"])

    def ending(self, game: str) -> Staged:
        """A match whose last actions are left to play, with a person on every seat."""
        record = self.over(game).match
        known = self.read(record, self._user)
        return self.start(
            game, len(known["seats"]), start={"match": record, "ply": len(known["moves"]) - LAST}
        )

    def mover(self, staged: Staged) -> int:
        """The seat to move."""
        token = next(iter(staged.seats.values()))
        return int(self.read(staged.match, token)["view"]["to_move"])

    def play(self, staged: Staged, move: str | int | None = None) -> None:
        """Play for the seat to move; by default the first legal move."""
        seat = self.mover(staged)
        token = staged.seats[seat]
        if move is None:
            move = self.read(staged.match, token)["view"]["legal"][0]["action"]
        self.do(staged, seat, {"type": "play", "move": move})

    def can(self, staged: Staged, move: str) -> bool:
        """Whether a move is legal for the seat to move."""
        token = staged.seats[self.mover(staged)]
        legal = self.read(staged.match, token)["view"]["legal"]
        return any(one["move"] == move for one in legal)

    def do(self, staged: Staged, seat: int, command: Mapping[str, object]) -> None:
        """Send a command for a seat."""
        self._orders += 1
        order = {"id": f"staged-{self._orders}", "command": dict(command)}
        self._post(f"/matches/{staged.match}/commands", staged.seats[seat], order)


def give_seats(context: BrowserContext, staged: Staged, *seats: int) -> None:
    """Give a browser these seats of a match, from its next page on."""
    held = {str(seat): staged.seats[seat] for seat in seats}
    context.add_init_script(
        "(() => { const key = 'watermeet.seats';"
        "const all = JSON.parse(localStorage.getItem(key) ?? '{}');"
        f"all[{json.dumps(staged.match)}] = {json.dumps(held)};"
        "localStorage.setItem(key, JSON.stringify(all)); })()"
    )
