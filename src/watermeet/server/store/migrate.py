"""Migrations: numbered files that bring a database from any older schema to the current one.

Each runs in its own transaction and is recorded with a checksum in the table ``migrations``. This
module decides which one comes next and what to reject; the engines run it.

A schema changes in two steps, so that the version before can run on it: one release expands it, and
a later one contracts it. Each migration says in the table ``compatible`` which versions those are.
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
COMPATIBLE = "SELECT number, oldest FROM compatible"
"""Only in a database that is newer than this version, which therefore has the table."""
RECORD = "INSERT INTO migrations (number, name, checksum) VALUES ($1, $2, $3)"

_NAME = re.compile(r"(\d{4})_(\w+)\.sql")


@dataclass(frozen=True)
class Migration:
    """One step: a file ``NNNN_name.sql``."""

    number: int
    name: str
    sql: str

    @property
    def checksum(self) -> str:
        """Changes with the file."""
        return hashlib.sha256(self.sql.encode()).hexdigest()

    @property
    def statements(self) -> list[str]:
        r"""The statements one by one, because SQLite's executescript would end the transaction.

        >>> Migration(1, "first", "-- A comment; really.\nSELECT 1;\nSELECT 2;\n").statements
        ['SELECT 1', 'SELECT 2']
        """
        lines = [line for line in self.sql.splitlines() if not line.lstrip().startswith("--")]
        return [part.strip() for part in re.split(r";\n", "\n".join(lines) + "\n") if part.strip()]


@cache
def known_migrations() -> tuple[Migration, ...]:
    """All migrations of this version, in order."""
    found = []
    for file in files(__package__).joinpath("migrations").iterdir():
        if name := _NAME.fullmatch(file.name):
            found.append(Migration(int(name[1]), name[2], file.read_text(encoding="utf-8")))
    found.sort(key=lambda migration: migration.number)
    numbers = [migration.number for migration in found]
    assert numbers == list(range(1, len(found) + 1)), f"migrations must be 1, 2, …, not {numbers}"
    return tuple(found)


def next_migration(
    applied: Sequence[tuple[int, str, str]],
    known: Sequence[Migration],
    compatible: Sequence[tuple[int, int]] = (),
) -> Migration | None:
    """The next migration to apply, or None. ``compatible`` is needed if there are unknown ones.

    Raises StoreUnavailable if another program wrote the database, or a newer version on whose
    schema this one can't run.
    """
    oldest = dict(compatible)
    for number, name, _ in applied[len(known) :]:
        if oldest.get(number, number) > len(known):
            raise StoreUnavailable(
                f"the database has migration {number} ({name!r}), but this version ends at "
                f"{len(known)}",
                "a newer version wrote it: run that version, or restore a backup",
            )
    for (number, name, checksum), migration in zip(applied, known, strict=False):
        if (number, checksum) != (migration.number, migration.checksum):
            raise StoreUnavailable(
                f"migration {number} ({name!r}) of the database differs from this version's "
                f"{migration.number} ({migration.name!r})",
                "another program wrote it, or the file was changed after it was applied",
            )
    return known[len(applied)] if len(applied) < len(known) else None
