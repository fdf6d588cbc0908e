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
EMPTY = b"{}"


def insert(table: str, **values: str | int | bytes | None) -> Statement:
    numbers = ", ".join(f"${number}" for number, _ in enumerate(values, start=1))
    sql = f"INSERT INTO {table} ({', '.join(values)}) VALUES ({numbers})"  # noqa: S608
    return Statement(sql, list(values.values()))


RATED = {"game": "toy", "kind": "two"}
FILLED = {
    1: [
        insert("log", match_id="one", seq=1, body=b"\x00a"),
        insert("log", match_id="one", seq=2, body=b"b"),
        insert("matches", id="one", game="toy", stage="playing", is_public=True, created_at=10,
               changed_at=20, due_at=30, headline=EMPTY),
        insert("secrets", match_id="one", secret=b"\xff"),
        insert("players", user_id="ann", match_id="one", seat=1),
        insert("users", id="ann", kind="named", name="Ann", name_key=name_key("Ann"), created_at=5),
        insert("tokens", hash=b"hash", kind="seat", user_id="ann", match_id="one", seat=1,
               created_at=6),
        insert("jobs", id="job", kind="bot", match_id="one", seat=1, seq=2, body=b"work",
               ready_at=7, attempts=3, free_at=7),
    ],
    2: [insert("reviews", match_id="one", body=b"[]")],
    3: [
        insert("openings", position=b"key", code=4, wins=3, draws=0, losses=2, plies=90),
        insert("explored", match_id="one"),
    ],
    4: [
        insert("puzzles", id="toy-1", rating=150000, deviation=9000, solved=2, failed=1),
        insert("puzzle_results", user_id="ann", game="toy", puzzle_id="toy-1", is_solved=True,
               rating=160000, deviation=30000, at=8),
    ],
    5: [Statement("UPDATE jobs SET rank = 0")],
    6: [Statement("SELECT number, oldest FROM compatible")],
    7: [
        Statement("UPDATE users SET is_registered = TRUE"),
        insert("rated_matches", match_id="one", ended_at=9, body=EMPTY, **RATED),
        insert("ratings", player_kind="user", player_id="ann", value=160000, deviation=9000,
               ended_at=9, match_id="one", body=EMPTY, **RATED),
        insert("rating_pools", formula=1, version=1, **RATED),
    ],
    8: [
        Statement("UPDATE users SET name_skeleton = 'ann'"),
        insert("retired_names", hash=b"name"),
        insert("passwords", user_id="ann", hash="$argon2id$"),
        insert("codes", hash=b"code", kind="device", user_id="ann", expires_at=9),
        Statement("UPDATE tokens SET label = ''"),
    ],
    9: [insert("ties", user_id="ann", kind="follow", other_id="bob", label="", at=9)],
    10: [
        insert("seekers", user_id="ann", version=1, alive_until=5, seeks=b"[]", match_id="",
               paired_at=0),
        insert("challenges", id="c", from_user="ann", to_user="bob", status="open", created_at=1,
               expires_at=9, match_id="", body=EMPTY),
    ],
    11: [
        insert("vacations", user_id="ann", began_at=1, ends_at=2),
        insert("queued_replies", match_id="one", seat=1, body=EMPTY),
    ],
    12: [
        Statement("UPDATE users SET role = 'moderator', muted_until = 9"),
        insert("notices", id="n", user_id="ann", act="warn", reason="why", at=9),
        insert("audit_log", id="a", at=9, actor_id="", act="warn", subject_id="ann", body=EMPTY),
    ],
    13: [
        insert("server_keys", name="vapid", body=b"key"),
        insert("push_subscriptions", token_hash=b"hash", user_id="ann", endpoint="https://push",
               p256dh=b"key", auth=b"auth", language="en", kinds="turn"),
        insert("digests", user_id="ann", every=1, language="en", code_hash=b"code", next_at=2),
    ],
    14: [
        insert("chat", room="match:one:players", at=9, id="c", user_id="ann", name="Ann", seat=1,
               body="hello"),
    ],
    15: [
        insert("reports", id="r", at=9, reporter_id="ann", subject_id="bob", subject_name="Bob",
               reason="spam", note="", match_id="one", evidence=EMPTY, decision=""),
    ],
    16: [insert("departures", match_id="one", user_id="ann", at=9)],
    17: [
        insert("results", player_kind="user", player_id="ann", match_id="m", game="toy", ended_at=9,
               result="won", is_rated=True, is_public=False),
        insert("rating_history", user_id="ann", ended_at=9, match_id="m", value=150000,
               deviation=9000, **RATED),
        insert("favourites", user_id="ann", match_id="m", at=9),
    ],
    18: [
        insert("passkeys", id=b"key", user_id="ann", public_key=b"key", sign_count=0, label="",
               created_at=9),
        insert("mail_addresses", user_id="ann", address="a@b"),
        Statement("UPDATE codes SET body = ''"),
        Statement("UPDATE tokens SET scopes = NULL, proven_at = 9 WHERE kind = 'device'"),
    ],
    19: [],
    20: [],
    21: [insert("attempts", key=b"hash", free_at=9)],
    22: [],
    23: [insert("retired_names", hash=b"former", user_id="ann", until=9)],
    24: [Statement("UPDATE users SET owner_id = NULL")],
    25: [insert("imports", match_id="m", user_id="ann", at=9)],
    26: [insert("imports", match_id="n", user_id="ann", at=8)],
    27: [Statement("UPDATE reports SET is_by_account = FALSE")],
}  # fmt: skip
"""Rows for each version of the schema, in that version's columns. Never change one, add the next.

After all migrations, everything must still be there."""


async def check_everything(url: str) -> None:
    store = await open_store(url)
    assert await store.read("one") == [LogRow(1, b"\x00a"), LogRow(2, b"b")]
    row = MatchRow("one", "toy", "playing", True, 10, 20, 30, EMPTY)
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


async def test_every_older_schema_reaches_todays_and_loses_nothing(store_url: str) -> None:
    assert list(FILLED) == [migration.number for migration in KNOWN], "add rows for the new one"
    for migration in KNOWN:
        await (await open_at(store_url, KNOWN[: migration.number])).close()
        await execute(store_url, FILLED[migration.number])
    await check_everything(store_url)


async def test_names_from_before_get_their_skeletons(store_url: str) -> None:
    await (await open_at(store_url, KNOWN[:7])).close()
    for id_, name in (("ann", "Ann"), ("spoof", "Аnn"), ("bob", "Bob")):  # A Cyrillic A.
        user = insert("users", id=id_, kind="x", name=name, name_key=name_key(name), created_at=5)
        await execute(store_url, [user])
    for _ in range(2):
        store = await open_store(store_url)
        assert not await store.is_name_free("B0b", "new")
        assert not await store.is_name_free("Аnn", "new")
        assert await store.is_name_free("Bab", "new")
        await store.close()
    found = await execute(store_url, [Statement("SELECT count(DISTINCT name_skeleton) FROM users")])
    assert found == [[(3,)]], "nobody loses a name"


def compatible(number: int, sql: str) -> Migration:
    """A migration after which programs of the version before still run."""
    allow = f"INSERT INTO compatible (number, oldest) VALUES ({number}, {number - 1});"  # noqa: S608
    return Migration(number, "more", f"{sql}\n{allow}\n")


async def test_the_version_before_runs_on_an_expanded_schema_and_not_on_a_newer_one(
    store_url: str,
) -> None:
    await (await open_at(store_url, KNOWN)).close()
    for statements in FILLED.values():
        await execute(store_url, statements)
    now = len(KNOWN)
    expand = compatible(now + 1, "ALTER TABLE users ADD COLUMN colour TEXT NOT NULL DEFAULT '';")
    contract = compatible(now + 2, "ALTER TABLE users DROP COLUMN colour;")
    await (await open_at(store_url, (*KNOWN, expand))).close()
    await check_everything(store_url)
    await (await open_at(store_url, (*KNOWN, expand, contract))).close()
    await (await open_at(store_url, (*KNOWN, expand))).close()
    with pytest.raises(StoreUnavailable, match=r"'more'.*newer version"):
        await open_store(store_url)
    await (await open_at(store_url, (*KNOWN, expand, contract))).close()


async def test_a_changed_migration_is_rejected(store_url: str) -> None:
    await (await open_at(store_url, KNOWN[:2])).close()
    changed = Migration(1, KNOWN[0].name, KNOWN[0].sql + "-- Changed.\n")
    with pytest.raises(StoreUnavailable, match="changed after it was applied"):
        await open_at(store_url, (changed, KNOWN[1]))


async def test_a_failed_migration_leaves_nothing_behind(store_url: str) -> None:
    broken = Migration(
        2, "broken", "CREATE TABLE half (x TEXT);\nINSERT INTO nowhere VALUES (1);\n"
    )
    with pytest.raises(Exception, match="nowhere"):
        await open_at(store_url, (KNOWN[0], broken))
    assert len((await execute(store_url, [Statement(migrate.APPLIED)]))[0]) == 1
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
