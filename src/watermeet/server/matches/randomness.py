"""Draws that nobody can choose and everybody can check afterwards.

Before anything is drawn the server commits to a secret of 32 bytes by publishing a hash. Players
may add salt. The n-th draw of a match (n from 1) is made from secret, match, salts and n:

    commitment = SHA-256("watermeet" + match id + secret)
    word       = the first 8 bytes of HMAC-SHA-256(key = secret, message), as a big-endian number
    message    = "watermeet-draw/1" "/" match id "/" n "/" salt of seat 0 "/" salt of seat 1 ...

Ids and salts are letters, digits, ``-`` and ``_`` only, so no two matches share a message. A word
becomes an outcome by whole numbers alone:

    weight[i]  = max(1, round(2^53 * probability[i])), halves to even, in the order of the actions
    total      = the sum of all weights
    ticket     = word * total / 2^64, rounded down
    outcome    = the first i whose weights up to and with i sum to more than the ticket

Probabilities are doubles as the game's kernel ``chance`` writes them; times 2^53 is exact. So every
outcome comes with its probability to within 2^-50. When the match is over the secret is revealed.
"""

from __future__ import annotations

import hashlib
import hmac
import re
from collections.abc import Sequence
from dataclasses import dataclass

from watermeet.core.contract import CHANCE
from watermeet.core.state import State
from watermeet.server.matches.errors import InvalidTable

SECRET_BYTES = 32
_SALT = re.compile(r"[A-Za-z0-9_-]{1,64}")
_ID = re.compile(r"[A-Za-z0-9_-]{1,40}")


def commitment_to(match: str, secret: bytes) -> str:
    """What is published of a secret before it is used, in hexadecimal."""
    return hashlib.sha256(b"watermeet" + match.encode("ascii") + secret).hexdigest()


def draw_word(match: str, secret: bytes, salts: Sequence[str], number: int) -> int:
    """The 64 random bits of the ``number``-th draw, from 1."""
    message = "/".join(["watermeet-draw/1", match, str(number), *salts])
    return int.from_bytes(hmac.digest(secret, message.encode("ascii"), "sha256")[:8], "big")


def choose(outcomes: Sequence[tuple[int, float]], word: int) -> int:
    """The action that a word of 64 bits chooses, by the probabilities.

    >>> [choose([(4, 0.5), (7, 0.25), (9, 0.25)], word << 62) for word in range(4)]
    [4, 4, 7, 9]
    """
    weights = [max(1, round(probability * 2.0**53)) for _, probability in outcomes]
    ticket = word * sum(weights) >> 64
    for (action, _), weight in zip(outcomes, weights, strict=True):
        if ticket < weight:
            return action
        ticket -= weight
    raise AssertionError("a ticket is below the sum of all weights")


@dataclass(frozen=True)
class Draws:
    """The randomness of one match. It holds the secret: it is never shown, logged or sent."""

    match: str
    secret: bytes

    def __repr__(self) -> str:
        return f"Draws({self.match!r})"

    @property
    def commitment(self) -> str:
        """What is published beforehand."""
        return commitment_to(self.match, self.secret)

    def draw(self, state: State, salts: Sequence[str], number: int) -> int:
        """The action that chance takes in a state, as the ``number``-th draw of the match."""
        assert state.to_move == CHANCE, "chance is asked only when it is to move"
        return choose(state.chance_outcomes, draw_word(self.match, self.secret, salts, number))


def is_id(match: str) -> bool:
    """Whether a text can be the id of a match."""
    return _ID.fullmatch(match) is not None


def check_id(match: str) -> None:
    """Raises InvalidTable unless a text can be the id of a match."""
    if not is_id(match):
        raise InvalidTable(f"{match!r} is no id of a match", "use letters, digits, - and _")


def check_salt(salt: str) -> None:
    """Raises InvalidTable unless a text can be salt."""
    if not _SALT.fullmatch(salt):
        raise InvalidTable(f"{salt[:80]!r} is no salt", "salt is 1 to 64 letters, digits, - and _")
