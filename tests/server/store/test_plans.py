"""Every query uses an index, even when almost no row matches."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from tests.server.store.raw import execute, fill

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
from watermeet.server.store.sql import Statement

pytestmark = pytest.mark.anyio

ORDERED = {
    "log": Statement(sql.READ_LOG, ["m7", 0]),
    "match": Statement(sql.READ_MATCH, ["m7"]),
    "open": Statement(sql.public_matches("open", of_game=False), [20]),
    "open of a game": Statement(sql.public_matches("open", of_game=True), [20, "toy"]),
    "live": Statement(sql.public_matches("playing", of_game=False), [20]),
    "live of a game": Statement(sql.public_matches("playing", of_game=True), [20, "toy"]),
    "due": Statement(sql.DUE, [50, 20]),
    "next due": Statement(sql.NEXT_DUE),
    "expired tokens": Statement(sql.DELETE_EXPIRED_TOKENS, [7]),
    "expired guests": Statement(sql.EXPIRED_GUESTS, [-1, 20]),
    "imports of a user": Statement(history.IMPORTS_OF, ["u7"]),
    "old imports": Statement(history.OLD_IMPORTS, [5, 20]),
    "openings": Statement(sql.READ_OPENING, [b"7"]),
    "finished": Statement(sql.FINISHED, ["toy", "m7", 20]),
    "puzzle": Statement(sql.READ_PUZZLE, ["p7"]),
    "puzzle results": Statement(sql.PUZZLE_RESULTS, ["u7", "toy", 20]),
    "user": Statement(sql.READ_USER, ["u7"]),
    "entry": Statement(sql.add_first_entry(1, 2), ["m7", 2, b"", 5, "u7", "u7", "u8"]),
    "entry of people who meet": Statement(
        sql.add_first_entry(1, 1, 1, 2), ["m7", 2, b"", 5, "u7", "u7", "u7", "u7", "u8"]
    ),
    "pairing": Statement(seeks.pair_seeker(2), ["u7", 1, b"[]", "m7", 5, "u7", "u8"]),
    "answer to a challenge": Statement(seeks.ANSWER_CHALLENGE, ["c7", "accepted", 5, "m7"]),
    "end of seeks": Statement(sql.END_SEEKS, ["u7", b"[]"]),
    "user by name": Statement(sql.READ_USER_BY_NAME, ["n7"]),
    "owner of a name": Statement(sql.READ_NAME_OWNER, ["n7", "s7"]),
    "names without a skeleton": Statement(sql.NAMES_WITHOUT_SKELETON, [20]),
    "rating": Statement(sql.READ_RATING, ["toy", "two", "user", "u7"]),
    "ratings of a user": Statement(sql.RATINGS_OF, ["user", "u7"]),
    "rated": Statement(sql.IS_RATED, ["m7"]),
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
    "code": Statement(sign_in.SPEND_CODE, [b"7", "device", 5, ""]),
    "that there is a code": Statement(sign_in.REQUIRE_CODE, [b"7"]),
    "retired name": Statement(sql.IS_RETIRED, [b"7", b"8", "u7", 5]),
    "names that were kept": Statement(sql.FREE_NAMES, [7]),
    "names of a deleted user": Statement(sql.DISOWN_NAMES, ["u7"]),
    "bots of a user": Statement(sql.SUSPEND_BOTS, ["u7", 5]),
    "tie": Statement(company.HAS_TIE, ["u7", "follow", "u8"]),
    "blocked": Statement(company.BLOCKED, ["u7"]),
    "muted": Statement(company.MUTED, ["u7"]),
    "unsettled vacations": Statement(called.UNSETTLED_VACATIONS, [20, -1, ""]),
    "end of a vacation": Statement(called.END_VACATION, ["u7", 5]),
    "subscription": Statement(called.READ_SUBSCRIPTION, [b"7"]),
    "subscriptions of a user": Statement(called.SUBSCRIPTIONS_OF, ["u7"]),
    "digest": Statement(called.READ_DIGEST, ["u7"]),
    "due digests": Statement(called.DUE_DIGESTS, [20, 20]),
    "unsubscribe": Statement(called.DELETE_DIGEST_BY_CODE, [b"7"]),
    "replies": Statement(called.READ_REPLIES, ["m7", 0]),
    "audit log": Statement(moderation.READ_AUDIT, [20]),
    "expired codes": Statement(sign_in.EXPIRE_CODES, [7]),
    "attempts": Statement(sign_in.COUNT_ATTEMPT, [b"7", 5, 1, 9]),
    "old attempts": Statement(sign_in.FORGET_ATTEMPTS, [5]),
    "notices": Statement(moderation.READ_NOTICES, ["u7"]),
    "chat": Statement(chat.READ_MESSAGES, ["r7", 20]),
    "old chat": Statement(chat.DELETE_OLD_MESSAGES, [5]),
    "excess chat": Statement(chat.DELETE_EXCESS, ["r7", 20]),
    "report": Statement(reports.READ_REPORT, ["p7"]),
    "departures": Statement(conduct.READ_DEPARTURES, ["u7", 5]),
    "departures of some": Statement(conduct.departures_of(2), [5, "u7", "u8"]),
    "history of a rating": Statement(history.POINTS, ["u7", "toy", "two", 20]),
    "what a match meant for ratings": Statement(history.CHANGES, ["m7"]),
    "renew": Statement(sql.RENEW, ["j7", "w", 9]),
    "free jobs": Statement(sql.has_free(1), [50, "bot"]),
    "parked jobs": Statement(sql.count_parked(1), ["bot"]),
    "parked": Statement(sql.HAS_PARKED, ["bot"]),
    "probes": Statement(sql.DELETE_PROBES),
    "lease": Statement(sql.lease(1, skips_locked=False), ["w", 50, 99, "bot"]),
}
"""Queries that get their rows in order from an index."""
SORTED = {
    "of a user": Statement(sql.MATCHES_OF, ["u7", 20]),
    "of a user, next page": Statement(sql.MATCHES_OF_BEFORE, ["u7", 20, 500, "m7"]),
    "rated matches": Statement(sql.RATED_MATCHES, ["toy7", "two", 0, "", 99]),
    "leaders": Statement(sql.LEADERS, ["toy", "two", 2000, 9000, 20]),
    "results in all puzzles": Statement(sql.ALL_PUZZLE_RESULTS, ["u7"]),
    "ties": Statement(company.READ_TIES, ["u7", "follow"]),
    "vacations": Statement(called.VACATIONS_OF, ["u7", 5]),
    "running": Statement(called.RUNNING_OF, ["u7"]),
    "audit log of a user": Statement(moderation.READ_AUDIT_OF, ["u7", 20]),
    "passkeys": Statement(sign_in.PASSKEYS_OF, ["u7"]),
    "chat of a user": Statement(chat.MESSAGES_OF, ["u7"]),
    "end of challenges": Statement(sql.END_CHALLENGES, ["u7", 5]),
    "deletion of challenges": Statement(seeks.DELETE_CHALLENGES_OF, ["u7"]),
    "open reports": Statement(reports.OPEN_REPORTS, [20, True, 99, ""]),
    "reports by a user": Statement(reports.REPORTS_BY, ["u7"]),
    "reports of a user": Statement(reports.REPORTS_OF, ["u7", 20, 99, ""]),
    "past": history.Past("u7").query(20),
    "past of a game against somebody": history.Past(
        "u7", game="toy", result="won", opponent=("user", "u8"), since=5, until=9, before=(8, "m7")
    ).query(20),
    "tally": Statement(history.TALLY, ["u7", False]),
    "favourites": Statement(history.FAVOURITES, ["u7", 20]),
    "favourites before": Statement(history.FAVOURITES_BEFORE, ["u7", 20, 9, "m7"]),
    "lease of two kinds": Statement(sql.lease(2, skips_locked=False), ["w", 50, 99, "bot", "x"]),
}
"""Queries that may sort their rows."""


def rows(count: int) -> Iterator[tuple[str, list[object]]]:
    """Thousands of users, tokens, finished matches and leased jobs."""
    for n in range(count):
        match, user, key, is_rare = f"m{n}", f"u{n}", b"%d" % n, n % 300 == 0
        stage = {0: "open", 1: "playing"}.get(n % 300, "finished")
        due_at, free_at = n if stage == "playing" else None, 0 if is_rare else 1000
        yield sql.PUT_MATCH, [match, "toy", stage, True, n, n, due_at, b"{}"]
        yield sql.ADD_ENTRY, [match, 1, b"{}"]
        yield sql.ADD_PLAYER, [user, match, 0]
        yield sql.ADD_USER, [user, "named", f"n{n}", f"n{n}", f"s{n}", 0, f"u{n - 1}"]
        yield sql.ADD_TOKEN, [key, "device", user, None, 0, 0, "", None, None, None, None]
        yield seeks.PUT_SEEKER, [user, 0, n, b"[]"]
        yield seeks.ADD_CHALLENGE, [f"c{n}", user, f"u{n + 1}", "open", 0, n, "", b"{}"]
        yield sql.KEEP_NAME, [key, user, n]
        yield called.ADD_VACATION, [user, n, n, n]
        yield called.SETTLE_VACATION, [user, n]
        yield called.PUT_SUBSCRIPTION, [key, user, f"e{n}", b"", b"", "en", "turn"]
        yield called.PUT_DIGEST, [user, 1, "en", key, n]
        yield called.PUT_REPLIES, [match, 0, b""]
        yield sql.ADD_PASSWORD, [user, "hash"]
        yield sign_in.ADD_PASSKEY, [key, user, b"key", 0, "", n, None]
        yield sign_in.ADD_CODE, [key, "device", user, 9, ""]
        yield sign_in.COUNT_ATTEMPT, [key, n, 1, 9]
        yield company.ADD_TIE, [user, "block", f"u{n + 1}", "", 0]
        yield moderation.ADD_AUDIT, [f"a{n}", n, "u1", "warn", user, b"{}"]
        yield moderation.ADD_NOTICE, [f"o{n}", user, "warn", "", None, n]
        yield chat.ADD_MESSAGE, [f"r{n}", n, "c", user, "Ann", None, "hello"]
        yield (
            reports.ADD_REPORT,
            [f"p{n}", n, "u1", user, "", "", "", "", b"{}", "warn", None, True],
        )
        yield conduct.ADD_DEPARTURE, [match, user, n]
        yield history.ADD_RESULT, ["user", user, match, "toy", n, "won", True, True]
        yield history.PUT_POINT, ["toy", "two", user, n, match, 150000, 9000]
        yield history.ADD_FAVOURITE, [user, match, n]
        yield history.ADD_IMPORT, [match, user, n]
        yield sql.ADD_JOB, [f"j{n}", "bot", match, 0, 1, b"", free_at, 0, n]
        yield sql.ADD_OPENING, [key, 0, 1, 0, 0, 40]
        yield sql.PUT_PUZZLE, [f"p{n}", 150000, 9000, 100, 1, 0]
        yield sql.ADD_PUZZLE_RESULT, [user, "toy", f"p{n}", True, 1, 1, n]
        yield sql.ADD_RATED, [f"toy{n % 50}", "two", match, n, b"{}"]
        yield sql.PUT_RATING, ["toy", "two", "user", user, n, 5000, n, match, b"{}"]
        yield sql.ADD_EXPLORED, [f"m{n - n % 7}x{n}"]


async def test_every_query_uses_an_index(migrated_url: str) -> None:
    is_sqlite = migrated_url.startswith("sqlite")
    await fill(migrated_url, rows(900 if is_sqlite else 3000))
    if is_sqlite:
        await execute(migrated_url, [Statement("ANALYZE")])
    else:  # Other tests' tables are in the same database, more than one transaction can lock.
        own = "SELECT tablename FROM pg_tables WHERE schemaname = current_schema()"
        [tables] = await execute(migrated_url, [Statement(own)])
        await execute(migrated_url, [Statement(f"ANALYZE {name}") for (name,) in tables])
    explain = "EXPLAIN QUERY PLAN " if is_sqlite else "EXPLAIN "
    queries = ORDERED | SORTED
    statements = [Statement(explain + each.sql, each.values) for each in queries.values()]
    for name, found in zip(queries, await execute(migrated_url, statements), strict=True):
        plan = [str(row[-1]) for row in found]
        for step in plan:
            assert "Seq Scan" not in step, (name, plan)
            assert "SCAN" not in step or "USING" in step or "CONSTANT" in step, (name, plan)
            if name in ORDERED:
                assert "TEMP B-TREE" not in step, (name, plan)
                assert "Sort" not in step, (name, plan)
