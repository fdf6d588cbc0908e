"""The SQL, once for both engines.

Parameters are numbered, ``$1``: PostgreSQL's own way, and names of parameters to SQLite. CAST tells
PostgreSQL a type that it could not guess. The only statement that differs is ``lease``.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import NamedTuple

Value = str | int | bool | bytes | None
"""What a parameter or a column may hold."""


class Statement(NamedTuple):
    """A statement with its parameters."""

    sql: str
    values: Sequence[Value] = ()


def combine(calls: Sequence[Statement]) -> Statement:
    """Several writing statements as one, for PostgreSQL: a single trip, and atomic by itself.

    >>> combine([Statement("DELETE FROM a WHERE b = $1", [7]), Statement("DELETE FROM c", [])])
    Statement(sql='WITH part_0 AS (DELETE FROM a WHERE b = $1) DELETE FROM c', values=[7])
    """
    parts: list[str] = []
    values: list[Value] = []
    for call in calls:
        parts.append(_renumbered(call.sql, len(values)))
        values += call.values
    if len(parts) == 1:
        return calls[0]
    named = ", ".join(f"part_{index} AS ({part})" for index, part in enumerate(parts[:-1]))
    return Statement(f"WITH {named} {parts[-1]}", values)


def _renumbered(sql: str, by: int) -> str:
    return re.sub(r"\$(\d+)", lambda found: f"${int(found[1]) + by}", sql) if by else sql


# ---- matches and their logs ----------------------------------------------------------------------

# The first entry of an append. If the one before it is missing, its number becomes NULL, which the
# table refuses: a log without holes, even for a node that remembers more than a restored database.
ADD_FIRST_ENTRY = """
INSERT INTO log (match_id, seq, body) VALUES (
  $1,
  CASE WHEN CAST($2 AS BIGINT) = 1
    OR EXISTS (SELECT 1 FROM log WHERE match_id = $1 AND seq = CAST($2 AS BIGINT) - 1)
    THEN CAST($2 AS BIGINT) END,
  $3
)"""

ADD_ENTRY = "INSERT INTO log (match_id, seq, body) VALUES ($1, $2, $3)"

READ_LOG = "SELECT seq, body FROM log WHERE match_id = $1 AND seq > $2 ORDER BY seq"

_MATCH = "id, game, stage, is_public, created_at, changed_at, due_at, headline"

# The game of a match and when it was made never change.
PUT_MATCH = f"""
INSERT INTO matches ({_MATCH}) VALUES ($1, $2, $3, $4, $5, $6, $7, $8)
ON CONFLICT (id) DO UPDATE SET stage = excluded.stage, is_public = excluded.is_public,
  changed_at = excluded.changed_at, due_at = excluded.due_at, headline = excluded.headline"""

ADD_SECRET = "INSERT INTO secrets (match_id, secret) VALUES ($1, $2)"

READ_SECRET = "SELECT secret FROM secrets WHERE match_id = $1"

# Somebody may leave a seat and sit down there again.
ADD_PLAYER = """
INSERT INTO players (user_id, match_id, seat) VALUES ($1, $2, $3) ON CONFLICT DO NOTHING"""

READ_MATCH = f"SELECT {_MATCH} FROM matches WHERE id = $1"

# The conditions are word for word those of the partial indexes, or SQLite would not use them.
OPEN_MATCHES = f"""
SELECT {_MATCH} FROM matches WHERE stage = 'open' AND is_public
ORDER BY created_at DESC, id DESC LIMIT $1"""

OPEN_MATCHES_OF_GAME = f"""
SELECT {_MATCH} FROM matches WHERE stage = 'open' AND is_public AND game = $2
ORDER BY created_at DESC, id DESC LIMIT $1"""

LIVE_MATCHES = f"""
SELECT {_MATCH} FROM matches WHERE stage = 'playing' AND is_public
ORDER BY changed_at DESC, id DESC LIMIT $1"""

LIVE_MATCHES_OF_GAME = f"""
SELECT {_MATCH} FROM matches WHERE stage = 'playing' AND is_public AND game = $2
ORDER BY changed_at DESC, id DESC LIMIT $1"""

MATCHES_OF = f"""
SELECT {_MATCH} FROM matches
WHERE id IN (SELECT match_id FROM players WHERE user_id = $1)
ORDER BY changed_at DESC, id DESC LIMIT $2"""

MATCHES_OF_BEFORE = f"""
SELECT {_MATCH} FROM matches
WHERE id IN (SELECT match_id FROM players WHERE user_id = $1)
  AND (changed_at, id) < (CAST($3 AS BIGINT), CAST($4 AS TEXT))
ORDER BY changed_at DESC, id DESC LIMIT $2"""

DUE = "SELECT id FROM matches WHERE due_at <= $1 ORDER BY due_at LIMIT $2"

# ---- people --------------------------------------------------------------------------------------

ADD_USER = """
INSERT INTO users (id, kind, name, name_key, created_at) VALUES ($1, $2, $3, $4, $5)"""

READ_USER = "SELECT id, kind, name, created_at FROM users WHERE id = $1"

RENAME = """
UPDATE users SET name = $2, name_key = $3,
  kind = CASE WHEN kind = 'guest' THEN 'named' ELSE kind END
WHERE id = $1 RETURNING id"""

ADD_TOKEN = """
INSERT INTO tokens (hash, kind, user_id, match_id, seat, created_at)
VALUES ($1, $2, $3, $4, $5, $6)"""

READ_TOKEN = """
SELECT hash, kind, user_id, match_id, seat, created_at FROM tokens WHERE hash = $1"""

REVOKE = "DELETE FROM tokens WHERE hash = $1 RETURNING hash"

# ---- jobs ----------------------------------------------------------------------------------------

_JOB = "id, kind, match_id, seat, seq, body, ready_at, attempts"

# The same work asked for twice is one job.
ADD_JOB = f"""
INSERT INTO jobs ({_JOB}, free_at) VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $7)
ON CONFLICT DO NOTHING"""


def lease(kind_count: int, *, skips_locked: bool) -> str:
    """Takes the job that has been free for the longest: $1 worker, $2 now, $3 until, $4 … kinds.

    A job that still has a worker was not given back: its lease ran out, and that was a try.
    PostgreSQL has many who write: what another is taking is skipped, or two would wait for one job.
    SQLite has one, and no words for it.
    """
    kinds = ", ".join(f"${4 + index}" for index in range(kind_count))
    skip = " FOR UPDATE SKIP LOCKED" if skips_locked else ""
    return f"""
UPDATE jobs SET worker = $1, free_at = $3,
  attempts = attempts + CASE WHEN worker IS NULL THEN 0 ELSE 1 END
WHERE id = (
  SELECT id FROM jobs WHERE kind IN ({kinds}) AND free_at <= $2 ORDER BY free_at LIMIT 1{skip}
) RETURNING {_JOB}"""


RENEW = "UPDATE jobs SET free_at = $3 WHERE id = $1 AND worker = $2 RETURNING id"

COMPLETE = "DELETE FROM jobs WHERE id = $1"

RELEASE = """
UPDATE jobs SET worker = NULL, ready_at = $3, free_at = $3, attempts = attempts + 1
WHERE id = $1 AND worker = $2 RETURNING id"""
