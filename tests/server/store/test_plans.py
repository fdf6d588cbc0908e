"""Every query uses an index, even when almost no row matches."""

from __future__ import annotations

import pytest
from tests.server.store.raw import execute

from watermeet.server.store import (
    called,
    chat,
    company,
    conduct,
    history,
    moderation,
    reports,
    seeks,
    sign_in,
    sql,
)
from watermeet.server.store.factory import open_store
from watermeet.server.store.sql import Statement

pytestmark = pytest.mark.anyio

QUERIES = {
    "log": Statement(sql.READ_LOG, ["m7", 0]),
    "match": Statement(sql.READ_MATCH, ["m7"]),
    "open": Statement(sql.public_matches("open", of_game=False), [20]),
    "open of a game": Statement(sql.public_matches("open", of_game=True), [20, "toy"]),
    "live": Statement(sql.public_matches("playing", of_game=False), [20]),
    "live of a game": Statement(sql.public_matches("playing", of_game=True), [20, "toy"]),
    "of a user": Statement(sql.MATCHES_OF, ["u7", 20]),
    "of a user, next page": Statement(sql.MATCHES_OF_BEFORE, ["u7", 20, 500, "m7"]),
    "due": Statement(sql.DUE, [50, 20]),
    "openings": Statement(sql.READ_OPENING, [b"7"]),
    "finished": Statement(sql.FINISHED, ["toy", "m7", 20]),
    "puzzle": Statement(sql.READ_PUZZLE, ["p7"]),
    "puzzle results": Statement(sql.PUZZLE_RESULTS, ["u7", "toy", 20]),
    "user": Statement(sql.READ_USER, ["u7"]),
    "user by name": Statement(sql.READ_USER_BY_NAME, ["n7"]),
    "owner of a name": Statement(sql.READ_NAME_OWNER, ["n7", "s7"]),
    "names without a skeleton": Statement(sql.NAMES_WITHOUT_SKELETON, [20]),
    "rating": Statement(sql.READ_RATING, ["toy", "two", "user", "u7"]),
    "ratings of a user": Statement(sql.RATINGS_OF, ["user", "u7"]),
    "rated": Statement(sql.IS_RATED, ["m7"]),
    "rated matches": Statement(sql.RATED_MATCHES, ["toy7", "two"]),
    "leaders": Statement(sql.LEADERS, ["toy", "two", 2000, 9000, 20]),
    "seeker": Statement(seeks.READ_SEEKER, ["u7"]),
    "seekers": Statement(seeks.ALIVE_SEEKERS, [2990, 20]),
    "old seekers": Statement(seeks.FORGET_SEEKERS, [10]),
    "challenges from": Statement(seeks.CHALLENGES_FROM, ["u7", 5]),
    "challenges to": Statement(seeks.CHALLENGES_TO, ["u7", 5]),
    "challenge": Statement(seeks.READ_CHALLENGE, ["c7"]),
    "old challenges": Statement(seeks.FORGET_CHALLENGES, [10]),
    "token": Statement(sql.READ_TOKEN, [b"7"]),
    "tokens of a user": Statement(sql.TOKENS_OF, ["u7"]),
    "revoke all": Statement(sql.REVOKE_ALL, ["u7", b"7"]),
    "password": Statement(sql.READ_PASSWORD, ["u7"]),
    "code": Statement(sql.SPEND_CODE, [b"7", "device", 5, ""]),
    "codes of a user": Statement(sql.COUNT_CODES, ["u7", "device"]),
    "results in all puzzles": Statement(sql.ALL_PUZZLE_RESULTS, ["u7"]),
    "retired name": Statement(sql.IS_RETIRED, [b"7", b"8"]),
    "ties": Statement(company.READ_TIES, ["u7", "follow"]),
    "tie": Statement(company.HAS_TIE, ["u7", "follow", "u8"]),
    "blocked": Statement(company.BLOCKED, ["u7"]),
    "muted": Statement(company.MUTED, ["u7"]),
    "vacations": Statement(called.VACATIONS_OF, ["u7", 5]),
    "unsettled vacations": Statement(called.UNSETTLED_VACATIONS, [20]),
    "end of a vacation": Statement(called.END_VACATION, ["u7", 5]),
    "running": Statement(called.RUNNING_OF, ["u7"]),
    "subscription": Statement(called.READ_SUBSCRIPTION, [b"7"]),
    "subscriptions of a user": Statement(called.SUBSCRIPTIONS_OF, ["u7"]),
    "webhook": Statement(called.READ_WEBHOOK, ["u7"]),
    "digest": Statement(called.READ_DIGEST, ["u7"]),
    "due digests": Statement(called.DUE_DIGESTS, [20, 20]),
    "unsubscribe": Statement(called.DELETE_DIGEST_BY_CODE, [b"7"]),
    "replies": Statement(called.READ_REPLIES, ["m7", 0]),
    "audit log": Statement(moderation.READ_AUDIT, [20]),
    "audit log of a user": Statement(moderation.READ_AUDIT_OF, ["u7", 20]),
    "passkeys": Statement(sign_in.PASSKEYS_OF, ["u7"]),
    "expired codes": Statement(sign_in.EXPIRE_CODES, [7]),
    "notices": Statement(moderation.READ_NOTICES, ["u7"]),
    "chat": Statement(chat.READ_MESSAGES, ["r7", 20]),
    "chat of a user": Statement(chat.MESSAGES_OF, ["u7"]),
    "old chat": Statement(chat.DELETE_OLD_MESSAGES, [5]),
    "excess chat": Statement(chat.DELETE_EXCESS, ["r7", 20]),
    "report": Statement(reports.READ_REPORT, ["p7"]),
    "open reports": Statement(reports.OPEN_REPORTS, [20]),
    "reports of a user": Statement(reports.REPORTS_OF, ["u7", 20]),
    "departures": Statement(conduct.READ_DEPARTURES, ["u7", 5]),
    "past": history.Past("u7").query(20),
    "past of a game against somebody": history.Past(
        "u7", game="toy", result="won", opponent=("user", "u8"), since=5, until=9, before=(8, "m7")
    ).query(20),
    "tally": Statement(history.TALLY, ["u7", False]),
    "history of a rating": Statement(history.POINTS, ["u7", "toy", "two", 20]),
    "what a match meant for ratings": Statement(history.CHANGES, ["m7"]),
    "favourites": Statement(history.FAVOURITES, ["u7", 20]),
    "renew": Statement(sql.RENEW, ["j7", "w", 9]),
    "lease": Statement(sql.lease(1, skips_locked=False), ["w", 50, 99, "bot"]),
    "lease of two kinds": Statement(sql.lease(2, skips_locked=False), ["w", 50, 99, "bot", "x"]),
}
SORTED = {
    "passkeys",
    "of a user",
    "of a user, next page",
    "lease of two kinds",
    "leaders",
    "open reports",
    "reports of a user",
    "chat of a user",
    "audit log of a user",
    "ties",
    "rated matches",
    "results in all puzzles",
    "running",
    "past",
    "past of a game against somebody",
    "tally",
    "favourites",
    "vacations",
}
"""Queries that may sort their rows; the others get them in order from the index."""
COUNT = 3000


def rows() -> list[Statement]:
    """Thousands of users, tokens, finished matches and leased jobs."""
    statements = []
    for number in range(COUNT):
        stage = {0: "open", 1: "playing"}.get(number % 300, "finished")
        due_at = number if number % 300 == 1 else None
        match = (f"m{number}", "toy", stage, True, number, number, due_at, b"{}")
        user = (f"u{number}", "named", f"n{number}", f"n{number}", f"s{number}", 0)
        free_at = 0 if number % 300 == 0 else 1000
        job = (f"j{number}", "bot", f"m{number}", 0, 1, b"", free_at, 0, number)
        statements += [
            Statement(sql.PUT_MATCH, match),
            Statement(sql.ADD_ENTRY, [f"m{number}", 1, b"{}"]),
            Statement(sql.ADD_PLAYER, [f"u{number}", f"m{number}", 0]),
            Statement(sql.ADD_USER, user),
            Statement(
                sql.ADD_TOKEN,
                [b"%d" % number, "device", f"u{number}", None, 0, 0, "", None, None, None, None],
            ),
            Statement(seeks.PUT_SEEKER, [f"u{number}", 0, number, b"[]"]),
            Statement(
                seeks.ADD_CHALLENGE,
                (f"c{number}", f"u{number}", f"u{number + 1}", "open", 0, number, "", b"{}"),
            ),
            Statement(sql.RETIRE_NAME, [b"%d" % number]),
            Statement(called.ADD_VACATION, [f"u{number}", number, number, number]),
            Statement(called.SETTLE_VACATION, [f"u{number}", number]),
            Statement(
                called.PUT_SUBSCRIPTION,
                [b"%d" % number, f"u{number}", f"e{number}", b"", b"", "en", "turn"],
            ),
            Statement(called.PUT_WEBHOOK, [f"u{number}", "", "", True, None, None]),
            Statement(called.PUT_DIGEST, [f"u{number}", 1, "en", b"%d" % number, number]),
            Statement(called.PUT_REPLIES, [f"m{number}", 0, b""]),
            Statement(sql.ADD_PASSWORD, [f"u{number}", "hash"]),
            Statement(
                sign_in.ADD_PASSKEY, [b"%d" % number, f"u{number}", b"key", 0, "", number, None]
            ),
            Statement(sign_in.ADD_CODE, [b"%d" % number, "device", f"u{number}", 9, ""]),
            Statement(company.ADD_TIE, [f"u{number}", "block", f"u{number + 1}", "", 0]),
            Statement(
                moderation.ADD_AUDIT, [f"a{number}", number, "u1", "warn", f"u{number}", b"{}"]
            ),
            Statement(
                moderation.ADD_NOTICE, [f"o{number}", f"u{number}", "warn", "", None, number]
            ),
            Statement(
                chat.ADD_MESSAGE, [f"r{number}", number, "c", f"u{number}", "Ann", None, "hello"]
            ),
            Statement(
                reports.ADD_REPORT,
                [f"p{number}", number, "u1", f"u{number}", "", "", "", "", b"{}", "warn", None],
            ),
            Statement(conduct.ADD_DEPARTURE, [f"m{number}", f"u{number}", number]),
            Statement(
                history.ADD_RESULT,
                ["user", f"u{number}", f"m{number}", "toy", number, "won", True, True],
            ),
            Statement(
                history.PUT_POINT,
                ["toy", "two", f"u{number}", number, f"m{number}", 150000, 9000],
            ),
            Statement(history.ADD_FAVOURITE, [f"u{number}", f"m{number}", number]),
            Statement(sql.ADD_JOB, job),
            Statement(sql.ADD_OPENING, [b"%d" % number, 0, 1, 0, 0, 40]),
            Statement(sql.PUT_PUZZLE, [f"p{number}", 150000, 9000, 100, 1, 0]),
            Statement(
                sql.ADD_PUZZLE_RESULT, [f"u{number}", "toy", f"p{number}", True, 1, 1, number]
            ),
            Statement(sql.ADD_RATED, [f"toy{number % 50}", "two", f"m{number}", number, b"{}"]),
            Statement(
                sql.PUT_RATING,
                ["toy", "two", "user", f"u{number}", number, 5000, number, f"m{number}", b"{}"],
            ),
            Statement(sql.ADD_EXPLORED, [f"m{number - number % 7}x{number}"]),
        ]
    return statements


async def test_every_query_uses_an_index(store_url: str) -> None:
    await (await open_store(store_url)).close()
    await execute(store_url, rows())
    is_sqlite = store_url.startswith("sqlite")
    if is_sqlite:
        await execute(store_url, [Statement("ANALYZE")])
    else:  # Other tests' tables are in the same database, more than one transaction can lock.
        own = "SELECT tablename FROM pg_tables WHERE schemaname = current_schema()"
        [tables] = await execute(store_url, [Statement(own)])
        await execute(store_url, [Statement(f"ANALYZE {name}") for (name,) in tables])
    explain = "EXPLAIN QUERY PLAN " if is_sqlite else "EXPLAIN "
    statements = [Statement(explain + each.sql, each.values) for each in QUERIES.values()]
    for name, found in zip(QUERIES, await execute(store_url, statements), strict=True):
        plan = [str(row[-1]) for row in found]
        for step in plan:
            assert "Seq Scan" not in step, (name, plan)
            assert "SCAN" not in step or "USING" in step, (name, plan)
            if name not in SORTED:
                assert "TEMP B-TREE" not in step, (name, plan)
                assert "Sort" not in step, (name, plan)
