"""Passwords: which are accepted, and what is stored of them (argon2id)."""

from __future__ import annotations

from argon2 import PasswordHasher
from argon2.exceptions import InvalidHashError, VerificationError

from watermeet.server.errors import BadPassword
from watermeet.server.fair_threads import FairThreads
from watermeet.server.store.store import name_key

MIN_LENGTH, MAX_LENGTH = 8, 256
AT_ONCE = 2
"""Each takes 19 MiB and some hundredths of a second; others wait."""
COMMON = frozenset(
    """
    00000000 11111111 11223344 12341234 12345678 123456789 1234567890 123123123 147258369
    1q2w3e4r 1qaz2wsx 87654321 987654321 aa123456 abc12345 abcd1234 abcdefgh asdfghjkl baseball
    changeme computer football iloveyou letmein1 liverpool passw0rd password password1
    password12 password123 princess q1w2e3r4 qwer1234 qwerty12 qwerty123 qwertyui qwertyuiop
    sunshine superman trustno1 welcome1 whatever zaq12wsx zxcvbnm1
    """.split()  # noqa: SIM905
)
_HASHER = PasswordHasher(time_cost=2, memory_cost=19_456, parallelism=1)  # OWASP's, of 2024.
_DUMMY = (
    "$argon2id$v=19$m=19456,t=2,p=1$AAAAAAAAAAAAAAAAAAAAAA"
    "$AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA"
)


def check_password(password: str, name: str) -> None:
    """Raise BadPassword for one that is too short, or among the first that anybody guesses."""
    key = password.casefold()
    if not MIN_LENGTH <= len(password) <= MAX_LENGTH:
        raise BadPassword(
            f"the password must have {MIN_LENGTH} to {MAX_LENGTH} characters", "choose another"
        )
    if key in COMMON or len(set(key)) == 1:
        raise BadPassword("this password is one of the most common", "choose another")
    if name_key(password) == name_key(name):
        raise BadPassword("the password is the name", "choose another")


class Passwords:
    """Hash and verify in threads, a few at once; ``address`` is the caller's."""

    def __init__(self) -> None:
        self._threads = FairThreads("watermeet-passwords", AT_ONCE)

    async def hash(self, password: str, address: str) -> str:
        """What is stored of a password; raises TooMany."""
        return await self._threads.run(address, _HASHER.hash, password)

    async def verify(self, stored: str | None, password: str, address: str) -> bool:
        """Whether it is the password; without a stored one it takes as long, and isn't.

        Raises TooMany.
        """
        return await self._threads.run(address, _verify, stored, password)

    @staticmethod
    def is_outdated(stored: str) -> bool:
        """Whether a password was hashed with other parameters than today's."""
        return _HASHER.check_needs_rehash(stored)

    def close(self) -> None:
        """Stop; what is under way may finish."""
        self._threads.close()


def _verify(stored: str | None, password: str) -> bool:
    try:
        _HASHER.verify(stored or _DUMMY, password)
    except (VerificationError, InvalidHashError):
        return False
    return stored is not None
