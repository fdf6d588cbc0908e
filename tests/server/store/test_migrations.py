"""Migrations update every old database, and leave a foreign one alone."""

# ruff: noqa: RUF001 - Letters that look alike are what this is about.

from __future__ import annotations

import asyncio
import contextlib
import sqlite3
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest
from tests.server.store.raw import execute, open_at

from watermeet.server.errors import StoreUnavailable
from watermeet.server.store import migrate
from watermeet.server.store.factory import open_store
from watermeet.server.store.migrate import Migration, known_migrations
from watermeet.server.store.rows import Job, LogRow, MatchRow, TokenRow, UserRow
from watermeet.server.store.sql import Statement
from watermeet.server.store.sqlite import _migrate_once
from watermeet.server.store.store import name_key

pytestmark = pytest.mark.anyio

KNOWN = known_migrations()

# Rows for each version of the schema, in that version's own SQL. Never change one, add the next.
# After all migrations, everything must still be there.
FILLED = {
    1: [
        Statement("INSERT INTO log (match_id, seq, body) VALUES ('one', 1, $1)", [b"\x00a"]),
        Statement("INSERT INTO log (match_id, seq, body) VALUES ('one', 2, $1)", [b"b"]),
        Statement(
            "INSERT INTO matches (id, game, stage, is_public, created_at, changed_at, due_at, "
            "headline) VALUES ('one', 'toy', 'playing', TRUE, 10, 20, 30, $1)",
            [b"{}"],
        ),
        Statement("INSERT INTO secrets (match_id, secret) VALUES ('one', $1)", [b"\xff"]),
        Statement("INSERT INTO players (user_id, match_id, seat) VALUES ('ann', 'one', 1)"),
        Statement(
            "INSERT INTO users (id, kind, name, name_key, created_at) "
            "VALUES ('ann', 'named', 'Ann', $1, 5)",
            [name_key("Ann")],
        ),
        Statement(
            "INSERT INTO tokens (hash, kind, user_id, match_id, seat, created_at) "
            "VALUES ($1, 'seat', 'ann', 'one', 1, 6)",
            [b"hash"],
        ),
        Statement(
            "INSERT INTO jobs (id, kind, match_id, seat, seq, body, ready_at, attempts, worker, "
            "free_at) VALUES ('job', 'bot', 'one', 1, 2, $1, 7, 3, NULL, 7)",
            [b"work"],
        ),
    ],
    2: [Statement("INSERT INTO reviews (match_id, body) VALUES ('one', $1)", [b"[]"])],
    3: [
        Statement(
            "INSERT INTO openings (position, code, wins, draws, losses, plies) "
            "VALUES ($1, 4, 3, 0, 2, 90)",
            [b"key"],
        ),
        Statement("INSERT INTO explored (match_id) VALUES ('one')"),
    ],
    4: [
        Statement(
            "INSERT INTO puzzles (id, rating, deviation, solved, failed) "
            "VALUES ('toy-1', 150000, 9000, 2, 1)"
        ),
        Statement(
            "INSERT INTO puzzle_results (user_id, game, puzzle_id, is_solved, rating, deviation, "
            "at) VALUES ('ann', 'toy', 'toy-1', TRUE, 160000, 30000, 8)"
        ),
    ],
    5: [Statement("UPDATE jobs SET rank = 0")],
    6: [Statement("SELECT number, oldest FROM compatible")],
    7: [
        Statement("UPDATE users SET is_registered = TRUE"),
        Statement(
            "INSERT INTO rated_matches (match_id, game, kind, ended_at, body) "
            "VALUES ('one', 'toy', 'two', 9, $1)",
            [b"{}"],
        ),
        Statement(
            "INSERT INTO ratings (game, kind, player_kind, player_id, value, deviation, ended_at, "
            "match_id, body) VALUES ('toy', 'two', 'user', 'ann', 160000, 9000, 9, 'one', $1)",
            [b"{}"],
        ),
        Statement(
            "INSERT INTO rating_pools (game, kind, formula, version) VALUES ('toy', 'two', 1, 1)"
        ),
    ],
    8: [
        Statement("UPDATE users SET name_skeleton = 'ann'"),
        Statement("INSERT INTO retired_names (hash) VALUES ($1)", [b"name"]),
        Statement("INSERT INTO passwords (user_id, hash) VALUES ('ann', '$argon2id$')"),
        Statement(
            "INSERT INTO codes (hash, kind, user_id, expires_at) VALUES ($1, 'device', 'ann', 9)",
            [b"code"],
        ),
        Statement("UPDATE tokens SET label = ''"),
    ],
    9: [
        Statement(
            "INSERT INTO ties (user_id, kind, other_id, label, at) "
            "VALUES ('ann', 'follow', 'bob', '', 9)"
        ),
    ],
    10: [
        Statement(
            "INSERT INTO seekers (user_id, version, alive_until, seeks, match_id, paired_at) "
            "VALUES ('ann', 1, 5, $1, '', 0)",
            [b"[]"],
        ),
        Statement(
            "INSERT INTO challenges (id, from_user, to_user, status, created_at, expires_at, "
            "match_id, body) VALUES ('c', 'ann', 'bob', 'open', 1, 9, '', $1)",
            [b"{}"],
        ),
    ],
    11: [
        Statement("INSERT INTO vacations (user_id, began_at, ends_at) VALUES ('ann', 1, 2)"),
        Statement(
            "INSERT INTO queued_replies (match_id, seat, body) VALUES ('one', 1, $1)", [b"{}"]
        ),
    ],
    12: [
        Statement("UPDATE users SET role = 'moderator', muted_until = 9"),
        Statement(
            "INSERT INTO notices (id, user_id, act, reason, until, at) "
            "VALUES ('n', 'ann', 'warn', 'why', NULL, 9)"
        ),
        Statement(
            "INSERT INTO audit_log (id, at, actor_id, act, subject_id, body) "
            "VALUES ('a', 9, '', 'warn', 'ann', $1)",
            [b"{}"],
        ),
    ],
    13: [
        Statement("INSERT INTO server_keys (name, body) VALUES ('vapid', $1)", [b"key"]),
        Statement(
            "INSERT INTO push_subscriptions (token_hash, user_id, endpoint, p256dh, auth, "
            "language, kinds) VALUES ($1, 'ann', 'https://push', $1, $1, 'en', 'turn')",
            [b"hash"],
        ),
        Statement(
            "INSERT INTO digests (user_id, every, language, code_hash, next_at) "
            "VALUES ('ann', 1, 'en', $1, 2)",
            [b"code"],
        ),
        Statement(
            "INSERT INTO webhooks (user_id, url, secret, is_on) VALUES ('bot', 'u', 's', TRUE)"
        ),
    ],
    14: [
        Statement(
            "INSERT INTO chat (room, at, id, user_id, name, seat, body) "
            "VALUES ('match:one:players', 9, 'c', 'ann', 'Ann', 1, 'hello')"
        ),
    ],
    15: [
        Statement(
            "INSERT INTO reports (id, at, reporter_id, subject_id, subject_name, reason, note, "
            "match_id, evidence, decision) "
            "VALUES ('r', 9, 'ann', 'bob', 'Bob', 'spam', '', 'one', $1, '')",
            [b"{}"],
        ),
    ],
    16: [Statement("INSERT INTO departures (match_id, user_id, at) VALUES ('one', 'ann', 9)")],
    17: [
        Statement(
            "INSERT INTO results (player_kind, player_id, match_id, game, ended_at, result,"
            " is_rated, is_public) VALUES ('user', 'ann', 'm', 'toy', 9, 'won', TRUE, FALSE)"
        ),
        Statement(
            "INSERT INTO rating_history (game, kind, user_id, ended_at, match_id, value,"
            " deviation) VALUES ('toy', 'two', 'ann', 9, 'm', 150000, 9000)"
        ),
        Statement("INSERT INTO favourites (user_id, match_id, at) VALUES ('ann', 'm', 9)"),
    ],
    18: [
        Statement(
            "INSERT INTO passkeys (id, user_id, public_key, sign_count, label, created_at) "
            "VALUES ($1, 'ann', $1, 0, '', 9)",
            [b"key"],
        ),
        Statement("INSERT INTO mail_addresses (user_id, address) VALUES ('ann', 'a@b')"),
        Statement("UPDATE codes SET body = ''"),
        Statement("UPDATE tokens SET scopes = NULL, proven_at = 9 WHERE kind = 'device'"),
    ],
}

ADD_COLUMN = Migration(
    len(KNOWN) + 1,
    "more",
    "-- Two statements; one transaction.\nALTER TABLE users ADD COLUMN colour TEXT;\n"
    "CREATE INDEX users_by_colour ON users (colour);\n",
)


async def check_everything(url: str, known: tuple[Migration, ...]) -> None:
    store = await open_at(url, known)
    assert await store.read("one") == [LogRow(1, b"\x00a"), LogRow(2, b"b")]
    row = MatchRow("one", "toy", "playing", True, 10, 20, 30, b"{}")
    assert await store.match_row("one") == row
    assert await store.matches_of("ann", before=None, limit=9) == [row]
    assert await store.public_matches("playing", game="toy", limit=9) == [row]
    assert await store.due(30, limit=9) == ["one"]
    assert await store.secret("one") == b"\xff"
    user = await store.user("ann")
    assert user is not None
    assert user[:4] == UserRow("ann", "named", "Ann", 5)[:4]
    assert await store.token(b"hash") == TokenRow(b"hash", "seat", "ann", "one", 1, 6)
    assert await store.lease(["bot"], "w", 7, 9) == Job("job", "bot", "one", 1, 2, b"work", 7, 3)
    await store.close()


def test_migrations_are_numbered_and_every_version_has_rows() -> None:
    assert [migration.number for migration in KNOWN] == list(range(1, len(KNOWN) + 1))
    assert set(FILLED) == {migration.number for migration in KNOWN}


async def test_no_migration_loses_anything(store_url: str) -> None:
    for migration in KNOWN:
        await (await open_at(store_url, KNOWN[: migration.number])).close()
        await execute(store_url, FILLED[migration.number])
    await check_everything(store_url, KNOWN)


async def test_names_from_before_get_their_skeletons(store_url: str) -> None:
    await (await open_at(store_url, KNOWN[:7])).close()
    for id_, name in (("ann", "Ann"), ("spoof", "Аnn"), ("bob", "Bob")):  # A Cyrillic A.
        insert = (
            "INSERT INTO users (id, kind, name, name_key, created_at) VALUES ($1, 'x', $2, $3, 5)"
        )
        await execute(store_url, [Statement(insert, [id_, name, name_key(name)])])
    for _ in range(2):
        store = await open_store(store_url)
        assert not await store.is_name_free("B0b", "new")
        assert not await store.is_name_free("Аnn", "new")
        assert await store.is_name_free("Bab", "new")
        await store.close()
    found = await execute(store_url, [Statement("SELECT count(DISTINCT name_skeleton) FROM users")])
    assert found == [[(3,)]], "nobody loses a name"


async def test_a_future_migration_keeps_everything(store_url: str) -> None:
    await (await open_at(store_url, KNOWN[:1])).close()
    await execute(store_url, FILLED[1])
    await check_everything(store_url, (*KNOWN, ADD_COLUMN))
    assert await execute(store_url, [Statement("SELECT colour FROM users")]) == [[(None,)]]


async def test_a_newer_database_is_left_alone(store_url: str) -> None:
    await (await open_at(store_url, (*KNOWN, ADD_COLUMN))).close()
    with pytest.raises(StoreUnavailable, match=r"'more'.*newer version"):
        await open_store(store_url)
    await (await open_at(store_url, (*KNOWN, ADD_COLUMN))).close()


def compatible(number: int, sql: str) -> Migration:
    """A migration after which programs of the version before still run."""
    allow = f"INSERT INTO compatible (number, oldest) VALUES ({number}, {number - 1});"  # noqa: S608
    return Migration(number, "more", f"{sql}\n{allow}\n")


async def test_the_version_before_runs_on_a_schema_that_was_expanded(store_url: str) -> None:
    await (await open_at(store_url, KNOWN)).close()
    for statements in FILLED.values():
        await execute(store_url, statements)
    now = len(KNOWN)
    expand = compatible(now + 1, "ALTER TABLE users ADD COLUMN colour TEXT NOT NULL DEFAULT '';")
    contract = compatible(now + 2, "ALTER TABLE users DROP COLUMN colour;")
    await (await open_at(store_url, (*KNOWN, expand))).close()
    await check_everything(store_url, KNOWN)
    await (await open_at(store_url, (*KNOWN, expand, contract))).close()
    await (await open_at(store_url, (*KNOWN, expand))).close()
    with pytest.raises(StoreUnavailable, match=r"'more'.*newer version"):
        await open_store(store_url)


async def test_a_changed_migration_is_rejected(store_url: str) -> None:
    await (await open_store(store_url)).close()
    changed = Migration(1, KNOWN[0].name, KNOWN[0].sql + "-- Changed.\n")
    with pytest.raises(StoreUnavailable, match="changed after it was applied"):
        await open_at(store_url, (changed, *KNOWN[1:]))


async def test_a_failed_migration_leaves_nothing_behind(store_url: str) -> None:
    broken = Migration(
        len(KNOWN) + 1, "broken", "CREATE TABLE half (x TEXT);\nINSERT INTO nowhere VALUES (1);\n"
    )
    with pytest.raises(Exception, match="nowhere"):
        await open_at(store_url, (*KNOWN, broken))
    found = await execute(store_url, [Statement(migrate.APPLIED)])
    assert len(found[0]) == len(KNOWN)
    with pytest.raises(Exception, match="half"):
        await execute(store_url, [Statement("SELECT * FROM half")])
    await (await open_store(store_url)).close()


@pytest.mark.slow
async def test_nodes_that_start_at_once_migrate_once(request: pytest.FixtureRequest) -> None:
    server = request.getfixturevalue("postgres")
    url = await asyncio.to_thread(server.new_database)
    for store in await asyncio.gather(*(open_store(url) for _ in range(6))):
        await store.close()
    assert len((await execute(url, [Statement(migrate.APPLIED)]))[0]) == len(KNOWN)


def test_connections_that_open_a_file_at_once_migrate_once(tmp_path: Path) -> None:
    def open_file(_: int) -> int:
        with contextlib.closing(
            sqlite3.connect(tmp_path / "x.db", timeout=30, isolation_level=None)
        ) as connection:
            return sum(iter(lambda: _migrate_once(connection, KNOWN), False))

    with ThreadPoolExecutor(4) as threads:
        assert sum(threads.map(open_file, range(4))) == len(KNOWN)
