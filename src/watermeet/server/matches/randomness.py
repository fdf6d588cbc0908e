"""Chance outcomes that nobody can choose and anybody can verify afterwards: commit and reveal.

Before anything is sampled the server commits to a secret of 32 bytes by publishing its hash.
Players may give client seeds. The n-th chance outcome of a match (n from 1) follows from secret,
match, client seeds and n:

    commitment = SHA-256("watermeet" + match id + secret)
    word       = the first 8 bytes of HMAC-SHA-256(key = secret, message), as a big-endian number
    message    = "watermeet-draw/1" "/" match id "/" n "/" seed of seat 0 "/" seed of seat 1 ...

Ids and seeds are letters, digits, ``-`` and ``_`` only, so no two matches share a message. A word
becomes an outcome by integer arithmetic alone:

    weight[i]  = max(1, round(2^53 * probability[i])), halves to even, in the order of the actions
    total      = the sum of all weights
    ticket     = word * total / 2^64, rounded down
    outcome    = the first i whose weights up to and including i sum to more than the ticket

Probabilities are doubles as the game's kernel ``chance`` writes them; times 2^53 is exact. So every
outcome comes with its probability to within 2^-50. When the match ends the secret is revealed.
"""

from __future__ import annotations

import hashlib
import hmac
import re
from collections.abc import Sequence
from dataclasses import dataclass

from watermeet.core.contract import CHANCE
from watermeet.core.state import State
from watermeet.server.matches.errors import InvalidMatch

_SEED = re.compile(r"[A-Za-z0-9_-]{1,64}")
_ID = re.compile(r"[A-Za-z0-9_-]{1,40}")


def commitment_to(match: str, secret: bytes) -> str:
    """The hash of a secret that is published before the secret is used, in hexadecimal."""
    return hashlib.sha256(b"watermeet" + match.encode("ascii") + secret).hexdigest()


def random_word(match: str, secret: bytes, seeds: Sequence[str], number: int) -> int:
    """The 64 random bits of the ``number``-th chance outcome, from 1."""
    message = "/".join(["watermeet-draw/1", match, str(number), *seeds])
    return int.from_bytes(hmac.digest(secret, message.encode("ascii"), "sha256")[:8], "big")


def choose(outcomes: Sequence[tuple[int, float]], word: int) -> int:
    """The action that a word of 64 random bits selects, by the probabilities.

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
class Randomness:
    """The randomness of one match. It holds the secret: never show, log or send it."""

    match: str
    secret: bytes

    def __repr__(self) -> str:
        return f"Randomness({self.match!r})"

    @property
    def commitment(self) -> str:
        """What is published beforehand."""
        return commitment_to(self.match, self.secret)

    def sample(self, state: State, seeds: Sequence[str], number: int) -> int:
        """The action of chance in a state, as the ``number``-th chance outcome of the match."""
        assert state.to_move == CHANCE, "chance is to move"
        return choose(state.chance_outcomes, random_word(self.match, self.secret, seeds, number))


def is_id(match: str) -> bool:
    """Whether a text can be the id of a match."""
    return _ID.fullmatch(match) is not None


def check_id(match: str) -> None:
    """Raise InvalidMatch unless a text can be the id of a match."""
    if not is_id(match):
        raise InvalidMatch(f"{match!r} isn't a match id", "use letters, digits, - and _")


def check_seed(seed: str) -> None:
    """Raise InvalidMatch unless a text can be a client seed."""
    if not _SEED.fullmatch(seed):
        raise InvalidMatch(
            f"{seed[:80]!r} isn't a client seed", "use 1 to 64 letters, digits, - and _"
        )
