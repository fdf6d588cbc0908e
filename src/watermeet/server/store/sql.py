"""The SQL, shared by both engines.

Parameters are numbered, ``$1``, as PostgreSQL has them; for SQLite the numbers are names. CAST
gives PostgreSQL a type that it can't infer. Only ``lease`` differs between the engines.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import NamedTuple

Value = str | int | bool | bytes | None
"""The types of parameters and columns."""


FOREVER = 253_402_300_799_000
"""The end of the year 9999."""


class Statement(NamedTuple):
    """A statement with its parameters."""

    sql: str
    values: Sequence[Value] = ()


class ConstraintViolation(Exception):
    """A constraint of a table doesn't hold."""

    def __init__(self, message: str, constraint: str) -> None:
        """``constraint`` names it, or its column, and begins with its table.

        The message may quote what somebody wrote: nothing may be looked for in it.
        """
        super().__init__(message)
        self.constraint = constraint

    def is_of(self, *tables: str) -> bool:
        """Whether it is a constraint of one of these tables."""
        return self.constraint.startswith(tables)


# Rejected by the table, and with it all that comes in one transaction.
REFUSE = "INSERT INTO codes (hash, kind, user_id) SELECT CAST('' AS BYTEA), CAST(NULL AS TEXT), ''"


def at_most(most: int, count: Statement) -> Statement:
    """What refuses a write where a query counts so many already.

    It counts right only if all such writes are ``alone``.

    >>> at_most(7, Statement("SELECT count(*) FROM a WHERE b = $1", ["x"])).values
    ['x', 7]
    """
    number = len(count.values) + 1
    return Statement(f"{REFUSE} WHERE ({count.sql}) >= ${number}", [*count.values, most])


class NameErased(Exception):
    """An append writes the name of a user who was deleted meanwhile."""


def combine(statements: Sequence[Statement]) -> Statement:
    """Join several writes into one statement for PostgreSQL: atomic, in a single round trip.

    >>> combine([Statement("DELETE FROM a WHERE b = $1", [7]), Statement("DELETE FROM c", [])])
    Statement(sql='WITH part_0 AS (DELETE FROM a WHERE b = $1) DELETE FROM c', values=[7])
    """
    parts: list[str] = []
    values: list[Value] = []
    for statement in statements:
        parts.append(_renumber(statement.sql, len(values)))
        values += statement.values
    if len(parts) == 1:
        return statements[0]
    named = ", ".join(f"part_{index} AS ({part})" for index, part in enumerate(parts[:-1]))
    return Statement(f"WITH {named} {parts[-1]}", values)


def _renumber(sql: str, by: int) -> str:
    return re.sub(r"\$(\d+)", lambda found: f"${int(found[1]) + by}", sql) if by else sql


# ---- matches and their logs ----------------------------------------------------------------------

# The first entry of an append. If the entry before it is missing, its number becomes NULL, which
# the table rejects: a log has no holes, even if a node remembers more than a restored database.
ADD_FIRST_ENTRY = """
INSERT INTO log (match_id, seq, body) VALUES (
  $1,
  CASE WHEN CAST($2 AS BIGINT) = 1
    OR EXISTS (SELECT 1 FROM log WHERE match_id = $1 AND seq = CAST($2 AS BIGINT) - 1)
    THEN CAST($2 AS BIGINT) END,
  $3
)"""


def with_owners(listed: str) -> str:
    """Users, given as SQL, and the owners of those who are bots."""
    owners = (f"(SELECT owner_id FROM users WHERE id = {each})" for each in listed.split(", "))
    return ", ".join([listed, *owners])


def no_block(some: str, others: str) -> str:
    """The condition that no block stands between some users and others, each given as SQL.

    Whoever blocks somebody blocks their bots.
    """
    some, others = with_owners(some), with_owners(others)
    return f"""NOT EXISTS (
    SELECT 1 FROM ties WHERE kind = 'block' AND user_id IN ({some}) AND other_id IN ({others})
    UNION ALL
    SELECT 1 FROM ties WHERE kind = 'block' AND user_id IN ({others}) AND other_id IN ({some}))"""


def add_first_entry(by: int, named: int, meeting: int = 0, met: int = 0) -> str:
    """The same, refused if one who does it was deleted or is suspended, or one named was deleted.

    Or if a block stands between those who meet. $4 is the time, then come ``by`` users, ``named``
    users, those who are ``meeting`` others, and those ``met``. Where users are in another database,
    nobody is found.
    """
    if not by + named:
        return ADD_FIRST_ENTRY
    acting = numbered(5, by) or "NULL"  # PostgreSQL wants every parameter used.
    first = 5 + by + named
    apart = no_block(numbered(first, meeting), numbered(first + meeting, met))
    also = f"\n    AND {apart}" if meeting else ""
    return f"""
INSERT INTO log (match_id, seq, body) VALUES (
  $1,
  CASE WHEN (CAST($2 AS BIGINT) = 1
    OR EXISTS (SELECT 1 FROM log WHERE match_id = $1 AND seq = CAST($2 AS BIGINT) - 1))
    AND NOT EXISTS (SELECT 1 FROM users WHERE id IN ({numbered(5, by + named)})
      AND (kind = 'deleted' OR id IN ({acting}) AND suspended_until > CAST($4 AS BIGINT))){also}
    THEN CAST($2 AS BIGINT) END,
  $3
)"""


ADD_ENTRY = "INSERT INTO log (match_id, seq, body) VALUES ($1, $2, $3)"

READ_LOG = "SELECT seq, body FROM log WHERE match_id = $1 AND seq > $2 ORDER BY seq"

MATCH = "id, game, stage, is_public, created_at, changed_at, due_at, headline"

# The game and the creation time of a match never change.
PUT_MATCH = f"""
INSERT INTO matches ({MATCH}) VALUES ($1, $2, $3, $4, $5, $6, $7, $8)
ON CONFLICT (id) DO UPDATE SET stage = excluded.stage, is_public = excluded.is_public,
  changed_at = excluded.changed_at, due_at = excluded.due_at, headline = excluded.headline"""

ADD_SECRET = "INSERT INTO secrets (match_id, secret) VALUES ($1, $2)"

READ_SECRET = "SELECT secret FROM secrets WHERE match_id = $1"

# Only imported matches are ever deleted.
DELETE_MATCH = (
    "DELETE FROM log WHERE match_id = $1",
    "DELETE FROM secrets WHERE match_id = $1",
    "DELETE FROM reviews WHERE match_id = $1",
    "DELETE FROM matches WHERE id = $1",
)

# A player may leave a seat and join it again.
ADD_PLAYER = """
INSERT INTO players (user_id, match_id, seat) VALUES ($1, $2, $3) ON CONFLICT DO NOTHING"""


def numbered(first: int, count: int) -> str:
    """The parameters from a number on."""
    return ", ".join(f"${number}" for number in range(first, first + count))


READ_MATCH = f"SELECT {MATCH} FROM matches WHERE id = $1"


def read_matches(count: int) -> str:
    """The query of so many matches by id."""
    return f"SELECT {MATCH} FROM matches WHERE id IN ({numbered(1, count)})"


LISTED = {"open": "stage = 'open'", "playing": "stage IN ('playing', 'paused')"}
"""Spectators may see a paused match as it was, in play: whoever lists it looks closer."""


def public_matches(stage: str, *, of_game: bool) -> str:
    """A list of matches. SQLite uses a partial index only if the conditions are the same.

    The order says nothing of when anybody moves, which spectators may see later.
    """
    also = " AND game = $2" if of_game else ""
    return f"""
SELECT {MATCH} FROM matches WHERE {LISTED[stage]} AND is_public{also}
ORDER BY created_at DESC, id DESC LIMIT $1"""


MATCHES_OF = f"""
SELECT {MATCH} FROM matches
WHERE id IN (SELECT match_id FROM players WHERE user_id = $1)
ORDER BY changed_at DESC, id DESC LIMIT $2"""

MATCHES_OF_BEFORE = f"""
SELECT {MATCH} FROM matches
WHERE id IN (SELECT match_id FROM players WHERE user_id = $1)
  AND (changed_at, id) < (CAST($3 AS BIGINT), CAST($4 AS TEXT))
ORDER BY changed_at DESC, id DESC LIMIT $2"""

DUE = "SELECT id FROM matches WHERE due_at <= $1 ORDER BY due_at LIMIT $2"

# When time runs out first in a match that is being played.
NEXT_DUE = """
SELECT due_at FROM matches WHERE due_at IS NOT NULL AND stage = 'playing'
ORDER BY due_at LIMIT 1"""

PUT_REVIEW = """
INSERT INTO reviews (match_id, body) VALUES ($1, $2)
ON CONFLICT (match_id) DO UPDATE SET body = excluded.body"""

READ_REVIEW = "SELECT body FROM reviews WHERE match_id = $1"

# ---- openings ------------------------------------------------------------------------------------

# The table rejects a match that was counted before, and with it all that comes in one transaction.
ADD_EXPLORED = "INSERT INTO explored (match_id) VALUES ($1)"

ADD_OPENING = """
INSERT INTO openings (position, code, wins, draws, losses, plies) VALUES ($1, $2, $3, $4, $5, $6)
ON CONFLICT (position, code) DO UPDATE SET wins = openings.wins + excluded.wins,
  draws = openings.draws + excluded.draws, losses = openings.losses + excluded.losses,
  plies = openings.plies + excluded.plies"""

READ_OPENING = "SELECT code, wins, draws, losses, plies FROM openings WHERE position = $1"

# The finished matches of a game, and whether they were counted: $2 is the last id of the last page.
FINISHED = """
SELECT id, (SELECT 1 FROM explored WHERE match_id = matches.id) FROM matches
WHERE stage = 'finished' AND game = $1 AND id > $2 ORDER BY id LIMIT $3"""

# ---- puzzles -------------------------------------------------------------------------------------

READ_PUZZLE = "SELECT rating, deviation, solved, failed FROM puzzles WHERE id = $1"

# $2 and $3 are a rating and a deviation for a new row, $4 is what the rating gains.
PUT_PUZZLE = """
INSERT INTO puzzles (id, rating, deviation, solved, failed)
VALUES ($1, CAST($2 AS BIGINT) + CAST($4 AS BIGINT), $3, $5, $6)
ON CONFLICT (id) DO UPDATE SET rating = puzzles.rating + CAST($4 AS BIGINT),
  deviation = excluded.deviation, solved = puzzles.solved + excluded.solved,
  failed = puzzles.failed + excluded.failed"""

# The table rejects a second result of somebody in a puzzle, and with it the whole transaction.
ADD_PUZZLE_RESULT = """
INSERT INTO puzzle_results (user_id, game, puzzle_id, is_solved, rating, deviation, at)
VALUES ($1, $2, $3, $4, $5, $6, $7)"""

PUZZLE_RESULTS = """
SELECT puzzle_id, is_solved, rating, deviation, at FROM puzzle_results
WHERE user_id = $1 AND game = $2 ORDER BY at DESC LIMIT $3"""

# ---- ratings -------------------------------------------------------------------------------------

# $4 is the version that the writer has read, 0 for none. Another one becomes NULL, which the table
# rejects, and with it the whole transaction.
PUT_POOL = """
INSERT INTO rating_pools (game, kind, formula, version)
VALUES ($1, $2, $3, CASE WHEN CAST($4 AS BIGINT) = 0
  OR EXISTS (SELECT 1 FROM rating_pools WHERE game = $1 AND kind = $2)
  THEN CAST($4 AS BIGINT) + 1 END)
ON CONFLICT (game, kind) DO UPDATE SET formula = excluded.formula,
  version = CASE WHEN rating_pools.version = CAST($4 AS BIGINT) THEN rating_pools.version + 1 END"""

READ_POOL = "SELECT formula, version FROM rating_pools WHERE game = $1 AND kind = $2"

ADD_RATED = """
INSERT INTO rated_matches (game, kind, match_id, ended_at, body) VALUES ($1, $2, $3, $4, $5)"""

RECOUNT = "UPDATE rated_matches SET ended_at = $2, body = $3 WHERE match_id = $1"

IS_RATED = "SELECT 1 FROM rated_matches WHERE match_id = $1"

RATED_MATCHES = """
SELECT body FROM rated_matches WHERE game = $1 AND kind = $2 AND (ended_at, match_id) > ($3, $4)
ORDER BY ended_at, match_id LIMIT $5"""

_RATING = "player_kind, player_id, value, deviation, ended_at, match_id, body"

PUT_RATING = f"""
INSERT INTO ratings (game, kind, {_RATING}) VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9)
ON CONFLICT (game, kind, player_kind, player_id) DO UPDATE SET value = excluded.value,
  deviation = excluded.deviation, ended_at = excluded.ended_at, match_id = excluded.match_id,
  body = excluded.body"""

READ_RATING = f"""
SELECT {_RATING} FROM ratings
WHERE game = $1 AND kind = $2 AND player_kind = $3 AND player_id = $4"""

READ_RATINGS = f"SELECT {_RATING} FROM ratings WHERE game = $1 AND kind = $2"

RATINGS_OF = "SELECT game, kind, body FROM ratings WHERE player_kind = $1 AND player_id = $2"

# Users whose last match ended after $3 and whose deviation is at most $4, the best first.
LEADERS = """
SELECT users.name, ratings.body FROM ratings JOIN users ON users.id = ratings.player_id
WHERE ratings.game = $1 AND ratings.kind = $2 AND ratings.player_kind = 'user'
  AND users.name IS NOT NULL AND ratings.ended_at > $3 AND ratings.deviation <= $4
ORDER BY ratings.value DESC, ratings.ended_at, users.name LIMIT $5"""

FORGET_RATED = "DELETE FROM rated_matches"
FORGET_RATINGS = "DELETE FROM ratings"
FORGET_POOLS = "DELETE FROM rating_pools"

# ---- users and tokens ----------------------------------------------------------------------------

# $7 is the owner of a bot, which is suspended as long as they are, or for good if they are gone.
ADD_USER = f"""
INSERT INTO users (id, kind, name, name_key, name_skeleton, created_at, owner_id, suspended_until)
VALUES ($1, $2, $3, $4, $5, $6, $7, (
  SELECT CASE WHEN kind = 'deleted' THEN {FOREVER} ELSE suspended_until END
  FROM users WHERE id = $7
))"""

_USER = "id, kind, name, created_at, is_registered, role, muted_until, suspended_until, owner_id"

READ_USER = f"SELECT {_USER} FROM users WHERE id = $1"


def read_users(count: int) -> str:
    """Some users by their ids."""
    return f"SELECT {_USER} FROM users WHERE id IN ({numbered(1, count)})"


READ_USER_BY_NAME = f"SELECT {_USER} FROM users WHERE name_key = $1"

READ_NAME_OWNER = "SELECT id FROM users WHERE name_key = $1 OR name_skeleton = $2"

# The name of a deleted user, or one that is kept for another than $3, and at the time $4.
IS_RETIRED = """
SELECT 1 FROM retired_names WHERE (hash = $1 OR hash = $2)
  AND (user_id IS NULL OR user_id <> $3) AND (until IS NULL OR until > $4)"""

KEEP_NAME = """
INSERT INTO retired_names (hash, user_id, until) VALUES ($1, $2, $3)
ON CONFLICT (hash) DO UPDATE SET user_id = excluded.user_id, until = excluded.until
WHERE retired_names.until IS NOT NULL"""
TAKE_NAME_BACK = "DELETE FROM retired_names WHERE hash = $1 AND user_id = $2"
DISOWN_NAMES = "UPDATE retired_names SET user_id = NULL WHERE user_id = $1"
FORGET_NAMES = "DELETE FROM retired_names WHERE user_id = $1"
KEPT_NAME = "SELECT 1 FROM retired_names WHERE until <= $1 LIMIT 1"
FREE_NAMES = "DELETE FROM retired_names WHERE until <= $1"

NAMES_WITHOUT_SKELETON = """
SELECT id, name FROM users WHERE name IS NOT NULL AND name_skeleton IS NULL LIMIT $1"""

PUT_SKELETON = "UPDATE users SET name_skeleton = $2 WHERE id = $1 AND name = $3"

REGISTER = "UPDATE users SET is_registered = TRUE WHERE id = $1 RETURNING id"

RENAME = """
UPDATE users SET name = $2, name_key = $3, name_skeleton = $4,
  kind = CASE WHEN kind = 'guest' THEN 'named' ELSE kind END
WHERE id = $1 AND kind <> 'deleted' RETURNING id"""

NAME_AND_REGISTER = """
UPDATE users SET name = $2, name_key = $3, name_skeleton = $4, is_registered = TRUE, kind = 'named'
WHERE id = $1 AND kind <> 'deleted'"""

ADD_TOKEN = """
INSERT INTO tokens (hash, kind, user_id, match_id, seat, created_at, label, used_at, expires_at,
  scopes, proven_at)
VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11)"""

_TOKEN = (
    "hash, kind, user_id, match_id, seat, created_at, label, used_at, expires_at, scopes, proven_at"
)

READ_TOKEN = f"SELECT {_TOKEN} FROM tokens WHERE hash = $1"

TOKENS_OF = f"SELECT {_TOKEN} FROM tokens WHERE user_id = $1"

COUNT_PERSONAL = """
SELECT count(*) FROM tokens WHERE user_id = $1 AND kind = 'personal' AND expires_at > $2"""

TOUCH = "UPDATE tokens SET used_at = $2, expires_at = $3 WHERE hash = $1"

# All of a user's, the tokens of seats included, but one.
REVOKE_ALL = "DELETE FROM tokens WHERE user_id = $1 AND hash <> $2"

REVOKE = "DELETE FROM tokens WHERE hash = $1 RETURNING hash"

REVOKE_SEATS = "DELETE FROM tokens WHERE user_id = $1 AND kind = 'seat'"

EXPIRED_TOKEN = "SELECT 1 FROM tokens WHERE expires_at <= $1 LIMIT 1"
DELETE_EXPIRED_TOKENS = "DELETE FROM tokens WHERE expires_at <= $1"

# Guests from before $1 who have no token of a device any more, nor a personal one, and no bots.
EXPIRED_GUESTS = f"""
SELECT {_USER} FROM users
WHERE kind IN ('guest', 'named') AND NOT is_registered AND created_at <= $1
  AND NOT EXISTS (
    SELECT 1 FROM tokens WHERE user_id = users.id AND kind IN ('device', 'personal')
  ) AND NOT EXISTS (SELECT 1 FROM users AS bots WHERE bots.owner_id = users.id)
ORDER BY created_at LIMIT $2"""

# Whatever else could sign somebody in later, but for the code that is spent now.
DELETE_OPEN_CODES = """
DELETE FROM codes WHERE user_id = $1 AND kind IN ('device', 'mail', 'reset') AND hash <> $2"""

# ---- accounts ------------------------------------------------------------------------------------

# The table rejects a second password, and with it the whole transaction.
ADD_PASSWORD = "INSERT INTO passwords (user_id, hash) VALUES ($1, $2)"

PUT_PASSWORD = """
INSERT INTO passwords (user_id, hash) VALUES ($1, $2)
ON CONFLICT (user_id) DO UPDATE SET hash = excluded.hash"""

RENEW_PASSWORD = "UPDATE passwords SET hash = $3 WHERE user_id = $1 AND hash = $2"

READ_PASSWORD = "SELECT hash FROM passwords WHERE user_id = $1"

DELETE_CODES = "DELETE FROM codes WHERE user_id = $1 AND kind = $2"

ALL_PUZZLE_RESULTS = """
SELECT game, puzzle_id, is_solved, rating, deviation, at FROM puzzle_results
WHERE user_id = $1 ORDER BY at"""

# A user's deletion. Only this changes an entry of a log: the name in it.
REPLACE_ENTRY = "UPDATE log SET body = $3 WHERE match_id = $1 AND seq = $2"
# Unless somebody has written another one.
REPLACE_HEADLINE = """
UPDATE matches SET headline = $3 WHERE id = $1 AND headline = $2 RETURNING id"""
RETIRE_NAME = """
INSERT INTO retired_names (hash) VALUES ($1)
ON CONFLICT (hash) DO UPDATE SET user_id = NULL, until = NULL"""
DELETE_PASSWORD = "DELETE FROM passwords WHERE user_id = $1"
DELETE_ALL_CODES = "DELETE FROM codes WHERE user_id = $1"
DELETE_PUZZLE_RESULTS = "DELETE FROM puzzle_results WHERE user_id = $1"
# The row stays, with another version: whoever has read it can't pair the user any more.
END_SEEKS = """
UPDATE seekers SET version = version + 1, alive_until = 0, seeks = $2, match_id = '', paired_at = 0
WHERE user_id = $1"""
# They are listed for a minute more, as others that were withdrawn.
END_CHALLENGES = """
UPDATE challenges SET status = 'withdrawn', expires_at = CAST($2 AS BIGINT) + 60000
WHERE (from_user = $1 OR to_user = $1) AND status = 'open'"""
DELETE_USER = """
UPDATE users SET kind = 'deleted', name = NULL, name_key = NULL, name_skeleton = NULL,
  is_registered = FALSE, role = 'player' WHERE id = $1"""

BOTS_OF = f"SELECT {_USER} FROM users WHERE owner_id = $1"
# A bot may have been suspended by itself, and for longer.
SUSPEND_BOTS = """
UPDATE users SET suspended_until = $2
WHERE owner_id = $1 AND (suspended_until IS NULL OR suspended_until < $2)"""
LIFT_BOTS = """
UPDATE users SET suspended_until = NULL
WHERE owner_id = $1 AND suspended_until = (SELECT suspended_until FROM users WHERE id = $1)"""

FORGET_USER = "DELETE FROM users WHERE id = $1"


def ending(user: str, now: int) -> list[Statement]:
    """What ends the seeks and challenges of a user who may play no more."""
    return [Statement(END_SEEKS, [user, b"[]"]), Statement(END_CHALLENGES, [user, now])]


# ---- jobs ----------------------------------------------------------------------------------------

JOB = "id, kind, match_id, seat, seq, body, ready_at, attempts, rank"

# Adding the same job twice adds it once.
ADD_JOB = f"""
INSERT INTO jobs ({JOB}, free_at) VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $7)
ON CONFLICT DO NOTHING"""


def lease(kind_count: int, *, skips_locked: bool) -> str:
    """Lease the free job with the lowest rank: $1 worker, $2 now, $3 until, $4 and up kinds.

    A job that still has a worker wasn't released: its lease expired, which counts as an attempt.
    PostgreSQL skips a job that another connection is leasing, or two would wait for the same one.
    SQLite has a single writer, and no syntax for it.
    """
    kinds = ", ".join(f"${4 + index}" for index in range(kind_count))
    skip = " FOR UPDATE SKIP LOCKED" if skips_locked else ""
    return f"""
UPDATE jobs SET worker = $1, free_at = $3,
  attempts = attempts + CASE WHEN worker IS NULL THEN 0 ELSE 1 END
WHERE id = (
  SELECT id FROM jobs WHERE kind IN ({kinds}) AND free_at <= $2 ORDER BY rank, free_at LIMIT 1{skip}
) RETURNING {JOB}"""


def has_free(kind_count: int) -> str:
    """Whether a job can be leased: $1 now, $2 and up kinds. Asking costs no write."""
    kinds = ", ".join(f"${2 + index}" for index in range(kind_count))
    return f"SELECT 1 FROM jobs WHERE kind IN ({kinds}) AND free_at <= $1 LIMIT 1"


RENEW = "UPDATE jobs SET free_at = $3 WHERE id = $1 AND worker = $2 RETURNING id"

READY_AT = "SELECT ready_at FROM jobs WHERE kind = $1 ORDER BY ready_at LIMIT 1"

# Since when the job that nobody works on is ready: $1 kind, $2 now, $3 the first rank that is too
# much later than the time for it.
WAITING_SINCE = """
SELECT min(ready_at) FROM jobs WHERE kind = $1 AND free_at <= $2 AND rank < ready_at + $3"""

COMPLETE = "DELETE FROM jobs WHERE id = $1"

# What tests whether the database can be written: a row that goes at once, with all that were left.
PROBE = f"""
INSERT INTO jobs ({JOB}, free_at) VALUES ($1, 'probe', '', 0, 0, $2, 0, 0, 0, 0)"""

DELETE_PROBES = "DELETE FROM jobs WHERE kind = 'probe'"

RELEASE = """
UPDATE jobs SET worker = NULL, ready_at = $3, free_at = $3,
  attempts = attempts + CAST($4 AS BIGINT)
WHERE id = $1 AND worker = $2 RETURNING id"""

PARKED = FOREVER
"""When a parked job is free."""

# Each parked job of a kind has one more try: $2 is the time, $3 the tries that it has had before.
UNPARK = f"""
UPDATE jobs SET ready_at = $2, free_at = $2, attempts = $3
WHERE kind = $1 AND free_at = {PARKED}"""

HAS_PARKED = f"SELECT 1 FROM jobs WHERE kind = $1 AND free_at = {PARKED} LIMIT 1"


def count_parked(kind_count: int) -> str:
    """How many jobs of some kinds are parked."""
    kinds = ", ".join(f"${1 + index}" for index in range(kind_count))
    return f"SELECT count(*) FROM jobs WHERE kind IN ({kinds}) AND free_at = {PARKED}"
