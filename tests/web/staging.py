"""Matches that are laid without the page, where clicking is not the point.

They begin from records: those of the README's pictures for a match in its middle, the golden ones
for a match that is over. The browser is told its seats as if it had taken them itself.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import httpx2
from playwright.sync_api import BrowserContext

ROOT = Path(__file__).parents[2]
FOLDERS = ROOT / "src" / "watermeet" / "games"
GAMES = sorted(file.parts[-3] for file in FOLDERS.glob("*/docs/position.txt"))


@dataclass
class Staged:
    """A match, and the tokens of its seats."""

    match: str
    seats: dict[int, str] = field(default_factory=dict)

    @property
    def path(self) -> str:
        return f"/match/{self.match}"


class Stage:
    """Talks to a server as the page does."""

    def __init__(self, address: str) -> None:
        self._http = httpx2.Client(base_url=address, timeout=60)
        self._user = self._post("/guests", "", {})["token"]
        self._orders = 0

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

    def bring_in(self, file: Path) -> Staged:
        """A record as a match that is over."""
        text = file.read_text(encoding="utf-8")
        return Staged(self._post("/records", self._user, {"record": text})["match"])

    def over(self, game: str) -> Staged:
        """A whole match of a game."""
        return self.bring_in(FOLDERS / game / "tests" / "records" / "defaults.txt")

    def lay(self, game: str, seats: int | list[dict[str, str]] = 2, **wish: Any) -> Staged:
        """A table at which somebody sits on every seat that is open for all."""
        plans = [{"who": "open"}] * seats if isinstance(seats, int) else seats
        staged = self.lay_open(game, seats=plans, **wish)
        for seat, plan in enumerate(plans):
            if plan["who"] == "open":
                staged.seats[seat] = self.sit(staged.match, seat)
        return staged

    def lay_open(self, game: str, **wish: Any) -> Staged:
        """A table at which nobody sits."""
        return Staged(self._post("/matches", self._user, {"game": game} | wish)["match"])

    def sit(self, match: str, seat: int, name: str = "") -> str:
        """Somebody new takes a seat; its token."""
        joining = {"name": name or ("Ana", "Ben", "Cleo", "Dan", "Eva", "Finn")[seat]}
        guest = self._post("/guests", "", {})["token"]
        return str(self._post(f"/matches/{match}/seats/{seat}", guest, joining)["token"])

    def middle(self, game: str) -> Staged:
        """A match of a game that is well under way, with somebody on every seat."""
        record = self.bring_in(FOLDERS / game / "docs" / "position.txt")
        known = self.read(record.match, self._user)
        # Some of the pictures show how a match ended: a little before that it was not over.
        ply = len(known["moves"]) - (4 if known["outcome"] else 0)
        start = {"match": record.match, "ply": ply}
        return self.lay(game, len(known["seats"]), start=start)

    def mover(self, staged: Staged) -> int:
        """The seat that is to move."""
        token = next(iter(staged.seats.values()))
        return int(self.read(staged.match, token)["view"]["to_move"])

    def play(self, staged: Staged, move: str | int | None = None) -> None:
        """Plays for who is to move; the first move that can be played if none is given."""
        seat = self.mover(staged)
        token = staged.seats[seat]
        if move is None:
            move = self.read(staged.match, token)["view"]["legal"][0]["action"]
        self.do(staged, seat, {"do": "play", "move": move})

    def do(self, staged: Staged, seat: int, command: Mapping[str, object]) -> None:
        """Does something for a seat."""
        self._orders += 1
        order = {"id": f"staged-{self._orders}", "command": dict(command)}
        self._post(f"/matches/{staged.match}/commands", staged.seats[seat], order)


def give_seats(context: BrowserContext, staged: Staged, *seats: int) -> None:
    """The browser holds these seats of a match from its next page on."""
    held = {str(seat): staged.seats[seat] for seat in seats}
    context.add_init_script(
        "(() => { const key = 'watermeet.seats';"
        "const all = JSON.parse(localStorage.getItem(key) ?? '{}');"
        f"all[{json.dumps(staged.match)}] = {json.dumps(held)};"
        "localStorage.setItem(key, JSON.stringify(all)); })()"
    )
