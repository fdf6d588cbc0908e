"""Messages of every shape for the socket: valid, mutated, and nonsense.

A fuzzer has a seat in a match, so it gets past the first checks; and it knows the
id of a match that others play, which it must not harm.
"""

from __future__ import annotations

import json
import random
from collections.abc import Callable
from typing import Any

from watermeet.server.api import messages

WORDS = ["", "a", "0", "é", "\u202e", "\x00", "\U0001d518", "\ufdfa", "\ud83d\ude00"]
TYPES = ["hello", "follow", "unfollow", "command", "ping", "signal", "say", "snapshot", "what", ""]
COMMANDS = ["play", "undo", "offer", "respond", "resign", "claim", "reclaim", "leave", "seed", "no"]
OFFERS = ["undo", "pause", "resume", "abort", "rematch", "nothing"]
NUMBERS = [0, 1, -1, 2, 7, 2**31, 2**63 - 1, 2**63, 2**64, -(2**70), 10**400, 0.5, -0.0, 1e308]
ESCAPES = ["\\ud800", "\\udfff", "\\u0000", "\\ud800\\ud800", "\\x", "\\u12"]


class Fuzzer:
    """Makes messages for one seat of one match."""

    def __init__(self, rng: random.Random, match: str, token: str, others: str) -> None:
        self.rng, self.match, self.token, self.others = rng, match, token, others
        self._shapes: dict[Callable[[], str | bytes], int] = {
            lambda: json.dumps(self.valid()): 30,
            lambda: json.dumps(self.mutated(self.valid())): 30,
            self.garbled: 12,
            lambda: json.dumps(self.anything(4)): 8,
            lambda: "".join(chr(rng.randrange(1, 0x2FFF)) for _ in range(rng.randrange(40))): 6,
            self.deep: 4,
            self.large: 2,
            self.binary: 4,
            self.escaped: 4,
        }

    def message(self) -> str | bytes:
        """A message of any shape."""
        [make] = self.rng.choices(list(self._shapes), list(self._shapes.values()))
        return make()

    def valid(self) -> dict[str, Any]:
        choice = self.rng.choice
        match = choice([self.match, self.match, self.match, self.others, "nowhere", self.word()])
        kind = choice(["follow", "unfollow", "ping", "signal", "say", *["command"] * 4, "hello"])
        protocol = 2 if self.rng.random() < 0.01 else 1
        ids = ["a", "b", "same", f"x{self.rng.random()}", "é", " ", "x" * 65]
        fields: dict[str, dict[str, Any]] = {
            "hello": {"protocol": protocol, "token": self.a_token()},
            "follow": {
                "match": match,
                "token": self.a_token(),
                "after": choice([None, 0, 1, 3, 10_000, -1]),
            },
            "unfollow": {"match": match},
            "ping": {"sent": self.rng.random()},
            "say": {"match": match, "what": choice(["hello", "heart", "no"])},
            "signal": {"match": match, "what": choice(["c4", "NE@c4", self.word()])},
            "command": {"id": choice(ids), "match": match, "command": self.command()},
        }
        return {"type": kind, **fields[kind]}

    def a_token(self) -> str:
        return self.rng.choice([self.token, self.token, "", "A" * 43, self.word()])

    def command(self) -> dict[str, Any]:
        choice = self.rng.choice
        do = choice(COMMANDS)
        fields: dict[str, dict[str, Any]] = {
            "play": {"move": choice([0, 1, 2, "bet", "pass", self.word(), choice(NUMBERS)])},
            "undo": {"to_seq": choice([None, 0, 3, 5, -7])},
            "offer": {"what": choice(OFFERS), "to_seq": choice([None, 4])},
            "respond": {"what": choice(OFFERS), "accept": choice([True, False])},
            "claim": {"absent": choice([0, 1, 2, -1, 99]), "how": choice(["out", "stand_in", "x"])},
            "seed": {"seed": choice(["seed", "a/b", "x" * 70, self.word()])},
        }
        return {"type": do, **fields.get(do, {})}

    def word(self) -> str:
        return self.rng.choice(WORDS) * self.rng.choice([1, 1, 1, 3, 40])

    def mutated(self, message: dict[str, Any]) -> dict[str, Any]:
        """With an extra field, a missing one, or one of another type."""
        rng, target = self.rng, message
        if isinstance(message.get("command"), dict) and rng.random() < 0.5:
            target = message["command"]
        how, name = rng.randrange(4), rng.choice(list(target))
        if how == 0:
            del target[name]
        elif how == 1:
            target[self.word() or "more"] = self.anything(2)
        else:
            target[name if how == 2 else "type"] = (
                self.anything(2) if how == 2 else rng.choice(TYPES)
            )
        return message

    def anything(self, depth: int) -> Any:
        rng = self.rng
        kind = rng.randrange(8 if depth else 5)
        if kind < 5:
            return [None, rng.random() < 0.5, rng.choice(NUMBERS), self.word(), rng.random()][kind]
        if kind < 6:
            return [self.anything(depth - 1) for _ in range(rng.randrange(4))]
        keys = [rng.choice(["type", "kind", "match", "id", self.word()]) for _ in range(3)]
        return {key: self.anything(depth - 1) for key in keys}

    def garbled(self) -> str:
        """A message with some characters deleted, doubled or replaced."""
        rng, text = self.rng, json.dumps(self.valid())
        for _ in range(rng.randrange(1, 4)):
            place = rng.randrange(len(text))
            piece = rng.choice(["", text[place] * 2, chr(rng.randrange(1, 0xD7FF)), '"', "}", "["])
            text = text[:place] + piece + text[place + 1 :]
        return text

    def deep(self) -> str:
        depth = self.rng.choice([10, 500, 5_000])
        opening, closing = self.rng.choice([("[", "]"), ('{"a":', "}"), ('{"command":', "}")])
        return opening * depth + "0" + closing * self.rng.choice([0, depth])

    def large(self) -> str:
        sizes = [1_000, 20_000, 60_000, 66_000, 300_000]  # The last two are above the limit.
        [size] = self.rng.choices(sizes, [40, 40, 40, 1, 1])
        return json.dumps({"type": "ping", "sent": 1, "more": "x" * size})

    def binary(self) -> bytes:
        is_valid = self.rng.random() < 0.5
        return json.dumps(self.valid()).encode() if is_valid else self.rng.randbytes(30)

    def escaped(self) -> str:
        half = self.rng.choice(ESCAPES)
        return f'{{"type":"follow","match":"{half}","token":"{half}"}}'


def documented() -> dict[str, set[str]]:
    """The fields of every message that the server may send."""
    kinds = messages.FromServer.__args__
    return {str(kind.__struct_config__.tag): {"type", *kind.__struct_fields__} for kind in kinds}
