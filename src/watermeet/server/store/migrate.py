"""Migrations: numbered files that bring a database from any older schema to this program's.

Each is applied in a transaction of its own and noted with a checksum in the table ``migrations``.
The engines run them; what is next, and what must be refused, is decided here for both.
"""

from __future__ import annotations

import hashlib
import re
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from importlib.resources import files

from watermeet.server.errors import StoreUnavailable

TABLE = """
CREATE TABLE IF NOT EXISTS migrations (
  number BIGINT NOT NULL PRIMARY KEY,
  name TEXT NOT NULL,
  checksum TEXT NOT NULL
)
"""
APPLIED = "SELECT number, name, checksum FROM migrations ORDER BY number"
NOTE = "INSERT INTO migrations (number, name, checksum) VALUES ($1, $2, $3)"

_NAME = re.compile(r"(\d{4})_(\w+)\.sql")


@dataclass(frozen=True)
class Migration:
    """One step: a file ``NNNN_name.sql``."""

    number: int
    name: str
    sql: str

    @property
    def checksum(self) -> str:
        """Tells whether the file is still what was applied."""
        return hashlib.sha256(self.sql.encode()).hexdigest()

    @property
    def statements(self) -> list[str]:
        r"""The statements one by one: SQLite's way to run many would end the transaction.

        >>> Migration(1, "first", "-- A comment; so what.\nSELECT 1;\nSELECT 2;\n").statements
        ['SELECT 1', 'SELECT 2']
        """
        lines = [line for line in self.sql.splitlines() if not line.lstrip().startswith("--")]
        return [part.strip() for part in re.split(r";\n", "\n".join(lines) + "\n") if part.strip()]


@cache
def known_migrations() -> tuple[Migration, ...]:
    """All migrations of this program, in order."""
    found = []
    for file in files(__package__).joinpath("migrations").iterdir():
        if name := _NAME.fullmatch(file.name):
            found.append(Migration(int(name[1]), name[2], file.read_text(encoding="utf-8")))
    found.sort(key=lambda migration: migration.number)
    numbers = [migration.number for migration in found]
    assert numbers == list(range(1, len(found) + 1)), (
        f"migrations are not numbered 1, 2, …: {numbers}"
    )
    return tuple(found)


def next_migration(
    applied: Sequence[tuple[int, str, str]], known: Sequence[Migration]
) -> Migration | None:
    """The next migration to apply, or None.

    Raises StoreUnavailable for a history that is not ours.
    """
    if len(applied) > len(known):
        number, name, _ = applied[-1]
        raise StoreUnavailable(
            f"the database has migration {number} ({name!r}), this program knows {len(known)}",
            "a newer version of the program wrote it: run that version, or restore a backup",
        )
    for (number, name, checksum), migration in zip(applied, known, strict=False):
        if (number, checksum) != (migration.number, migration.checksum):
            raise StoreUnavailable(
                f"migration {number} ({name!r}) of the database is not this program's "
                f"{migration.number} ({migration.name!r})",
                "another program wrote it, or the file was changed after it was applied",
            )
    return known[len(applied)] if len(applied) < len(known) else None
