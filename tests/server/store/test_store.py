"""What both engines do: logs, lists of matches, users, tokens, jobs, openings and puzzles."""

from __future__ import annotations

import asyncio
import dataclasses
from typing import Any

import pytest

from watermeet.core.errors import Conflict
from watermeet.server.errors import NameTaken, StoreUnavailable
from watermeet.server.store import sql
from watermeet.server.store.factory import open_store
from watermeet.server.store.rows import (
    Append,
    CodeRow,
    Job,
    LogRow,
    MatchRow,
    PuzzleResultRow,
    PuzzleRow,
    Spending,
    TokenRow,
    UserRow,
)
from watermeet.server.store.sql import ConstraintViolation, Statement
from watermeet.server.store.store import Store

pytestmark = pytest.mark.anyio


def row(match: str = "m", **changes: Any) -> MatchRow:
    return MatchRow(match, "toy", "open", True, 1000, 1000, None, b"{}")._replace(**changes)


def entry(first: int, *bodies: bytes, match: str = "m", **more: Any) -> Append:
    plain = Append(match, first, bodies or (b"entry %d" % first,), row(match))
    return dataclasses.replace(plain, **more)


def job(name: str, **changes: Any) -> Job:
    return Job(name, "bot", "m", 1, 1, b"{}", ready_at=100)._replace(**changes)


async def put(store: Store, match: str, **changes: object) -> MatchRow:
    its_row = row(match, **changes)
    await store.append(entry(1, match=match, row=its_row))
    return its_row


# ---- the log -------------------------------------------------------------------------------------


async def test_entries_are_read_in_order_and_secrets_apart(store: Store) -> None:
    assert await store.read("m") == []
    assert (await store.match_row("m"), await store.secret("m")) == (None, None)
    await store.append(entry(1, b"a", b"", bytes(range(256)), secret=b"\x00secret"))
    assert await store.match_row("m") == row()
    later = row(stage="playing", is_public=False, changed_at=2000, due_at=2500, headline=b"[1]")
    await store.append(entry(4, b"d", row=later))
    log = [LogRow(1, b"a"), LogRow(2, b""), LogRow(3, bytes(range(256))), LogRow(4, b"d")]
    assert await store.read("m") == log
    assert await store.read("m", after=2) == log[2:]
    assert await store.read("m", after=9) == await store.read("another") == []
    assert await store.match_row("m") == later
    assert await store.secret("m") == b"\x00secret"


async def test_one_of_many_writers_of_the_same_number_wins(store: Store) -> None:
    for seq in range(1, 6):
        bodies = [b"%d by %d" % (seq, writer) for writer in range(20)]
        done = await asyncio.gather(
            *(store.append(entry(seq, body)) for body in bodies), return_exceptions=True
        )
        winners = [body for body, result in zip(bodies, done, strict=True) if result is None]
        assert len(winners) == 1
        assert all(isinstance(result, Conflict) for result in done if result is not None)
        assert await store.read("m", after=seq - 1) == [LogRow(seq, winners[0])], "seen at once"


async def test_a_conflict_writes_nothing(store: Store) -> None:
    token, other = (TokenRow(hash_, "seat", "u", "m", 0, 5) for hash_ in (b"h", b"other"))
    await store.append(entry(1, b"a", tokens=[token]))
    more: dict[str, Any] = {"row": row(stage="finished", headline=b"loser"), "secret": b"s"}
    more |= {"jobs": [job("j")], "players": [("u", 0)]}
    for loser in (
        entry(1, b"x", b"y", tokens=[other], **more),
        entry(3, b"c", b"d", tokens=[other], **more),  # It would leave a hole.
        entry(2, b"b", b"c", tokens=[other, token], **more),  # Tokens are written last.
    ):
        with pytest.raises(Conflict):
            await store.append(loser)
        assert await store.read("m") == [LogRow(1, b"a")]
        assert await store.match_row("m") == row()
        assert (await store.secret("m"), await store.token(b"other")) == (None, None)
        assert await store.lease(["bot"], "w", 1000, 2000) is None
        assert await store.matches_of("u", before=None, limit=9) == []
    with pytest.raises(Conflict):
        await store.append(entry(2, match="new"))


async def test_conflicts_do_not_harm_other_writes_of_the_group(store: Store) -> None:
    await store.append(entry(1, match="taken"))
    appends = []
    for number in range(30):
        appends += [entry(1, b"late", b"later", match="taken"), entry(1, match=f"m{number}")]
    done = await asyncio.gather(*map(store.append, appends), return_exceptions=True)
    assert all(isinstance(result, Conflict) for result in done[::2])
    assert all(result is None for result in done[1::2])
    assert [len(await store.read(f"m{number}")) for number in range(30)] == [1] * 30
    assert len(await store.read("taken")) == 1


async def test_cancelling_one_write_does_not_cancel_others(store: Store) -> None:
    waiting = [asyncio.ensure_future(store.append(entry(1, match=f"m{n}"))) for n in range(10)]
    await asyncio.sleep(0)
    waiting[3].cancel()
    done = await asyncio.gather(*waiting, return_exceptions=True)
    assert [type(result) for result in done].count(asyncio.CancelledError) <= 1
    await store.append(entry(1))
    assert len(await store.read("m")) == 1


async def test_data_survives_closing_and_a_closed_store_is_unavailable(migrated_url: str) -> None:
    first = await open_store(migrated_url)
    await first.append(entry(1, b"kept"))
    await first.close()
    for use in (first.read("m"), first.append(entry(2))):
        with pytest.raises(StoreUnavailable):
            await use
    await first.close()
    second = await open_store(migrated_url)
    assert await second.read("m") == [LogRow(1, b"kept")]
    await second.close()


# ---- lists of matches ----------------------------------------------------------------------------


@pytest.mark.parametrize("stages", [("open",), ("playing", "paused")])
async def test_lists_of_matches_are_public_and_newest_first(
    store: Store, stages: tuple[str, ...]
) -> None:
    stage = stages[0]
    old = await put(store, "old", stage=stage, created_at=1)
    new = await put(store, "new", stage=stages[-1], created_at=3)
    other = await put(store, "other", stage=stage, game="chess", created_at=2)
    await put(store, "private", stage=stage, is_public=False)
    for another in {"open", "playing", "paused", "finished", "aborted"} - {*stages}:
        await put(store, another, stage=another)
    assert await store.public_matches(stage, game=None, limit=9) == [new, other, old]
    assert await store.public_matches(stage, game=None, limit=2) == [new, other]
    assert await store.public_matches(stage, game="toy", limit=9) == [new, old]
    assert await store.public_matches(stage, game="none", limit=9) == []


async def test_a_user_finds_all_matches_page_by_page(store: Store) -> None:
    rows = []
    for number in range(7):  # Pairs were changed in the same millisecond.
        its_row = row(f"m{number}", changed_at=number // 2)
        seats = [("ann", 0), ("ann", 1)] if number == 3 else [("ann", 0), ("bob", 1)]
        await store.append(entry(1, match=its_row.id, row=its_row, players=seats))
        rows.append(its_row)
    await store.append(entry(2, match="m6", row=rows[6], players=[("ann", 0), ("ann", 2)]))
    found: list[MatchRow] = []
    before = None
    while page := await store.matches_of("ann", before=before, limit=3):
        assert len(page) <= 3
        found += page
        before = (page[-1].changed_at, page[-1].id)
    assert found == rows[::-1]
    assert len(await store.matches_of("bob", before=None, limit=99)) == 6
    assert await store.matches_of("nobody", before=None, limit=99) == []


async def test_due_matches_come_most_overdue_first(store: Store) -> None:
    for match, due_at in {"a": 30, "b": 10, "c": 20, "d": 31, "never": None}.items():
        await put(store, match, due_at=due_at)
    assert await store.due(30, limit=9) == ["b", "c", "a"]
    assert await store.due(30, limit=2) == ["b", "c"]
    assert await store.due(9, limit=9) == []
    await store.append(entry(2, match="b", row=row("b", due_at=None)))
    assert await store.due(30, limit=9) == ["c", "a"]


# ---- users and tokens ----------------------------------------------------------------------------


async def test_names_are_unique_regardless_of_case(store: Store) -> None:
    await store.add_user(UserRow("u1", "named", "Łukasz", 1))
    with pytest.raises(NameTaken):
        await store.add_user(
            UserRow("u2", "named", "łUKASZ", 2), TokenRow(b"h", "x", "u2", None, None, 2)
        )
    assert (await store.user("u2"), await store.token(b"h")) == (None, None)
    await store.add_user(UserRow("u2", "named", "Straße", 2))
    with pytest.raises(NameTaken):
        await store.rename("u1", "STRASSE")
    assert await store.user("u1") == UserRow("u1", "named", "Łukasz", 1)
    with pytest.raises(Conflict):
        await store.add_user(UserRow("u1", "named", "Ann", 1))


async def test_one_of_many_users_gets_a_contested_name(store: Store) -> None:
    users = [UserRow(f"u{n}", "named", "Ann" if n % 2 else "ANN", 1) for n in range(12)]
    done = await asyncio.gather(*map(store.add_user, users), return_exceptions=True)
    assert done.count(None) == 1
    assert sum(isinstance(result, NameTaken) for result in done) == 11


async def test_guests_have_no_name_until_they_choose_one(store: Store) -> None:
    await store.add_user(UserRow("g1", "guest", None, 1))
    await store.add_user(UserRow("g2", "guest", None, 1))
    assert await store.rename("g1", "Ann")
    assert await store.user("g1") == UserRow("g1", "named", "Ann", 1)
    assert await store.rename("g1", "ANN")  # A user may keep the name.
    with pytest.raises(NameTaken):
        await store.rename("g2", "ann")
    assert not await store.rename("nobody", "Bob")
    await store.add_user(UserRow("b", "bot", "Robot", 1))
    assert await store.rename("b", "Robot 2")
    assert await store.user("b") == UserRow("b", "bot", "Robot 2", 1)


async def test_tokens_are_found_by_their_hash_until_they_are_revoked(store: Store) -> None:
    device = TokenRow(b"\x00\xff" * 16, "device", "u", None, None, 5)
    seat = TokenRow(b"seat", "seat", None, "m", 0, 6)
    await store.add_user(UserRow("u", "guest", None, 1), device)
    await store.append(entry(1, tokens=[seat]))
    await store.add_token(seat._replace(hash=b"third", kind="invite", seat=None))
    assert await store.token(device.hash) == device
    assert await store.token(b"seat") == seat
    with pytest.raises(Conflict):
        await store.add_token(seat)
    assert await store.revoke(b"seat")
    assert not await store.revoke(b"seat")
    assert await store.token(b"seat") is None
    personal = TokenRow(b"p", "personal", "u", None, None, 5, expires_at=9)
    assert await store.add_personal_token(personal, 1, device.hash)
    other = personal._replace(hash=b"other")
    assert not await store.add_personal_token(other, 1, device.hash)
    assert not await store.add_personal_token(other, 2, b"ended")
    with pytest.raises(ConstraintViolation):
        await store.add_personal_token(personal, 2, device.hash)


# ---- jobs ----------------------------------------------------------------------------------------


async def test_a_code_is_spent_once_and_only_as_it_allows(store: Store) -> None:
    session = TokenRow(b"s", "device", "u1", None, None, 0)
    for kind, expires_at in (("device", 100), ("old", 5), ("other", None)):
        await store.add_code(CodeRow(kind.encode(), kind, "u1", expires_at), now=0)
    for wrong in (
        Spending(b"missing", "device", 10),
        Spending(b"device", "reset", 10),
        Spending(b"device", "device", 100),
        Spending(b"device", "device", 10, "u2"),
        Spending(b"old", "old", 5),
    ):
        assert not await store.begin_session(wrong, session), wrong
        assert await store.spend_code(wrong) is None
    assert await store.token(b"s") is None
    code = Spending(b"device", "device", 10, "u1")
    tries = [store.begin_session(code, session._replace(hash=b"%d" % n)) for n in range(9)]
    assert sorted(await asyncio.gather(*tries)) == [False] * 8 + [True]
    assert len(await store.tokens_of("u1")) == 1
    assert await store.spend_code(Spending(b"other", "other", 10)) == ("u1", "")
    assert await store.read_code(b"other", "other", 1) is None


async def test_losers_of_a_race_for_a_name_learn_that_it_is_taken(store: Store) -> None:
    """Whatever the name: what a constraint says may quote it."""
    for id_ in ("u1", "u2", "u3"):
        await store.add_user(UserRow(id_, "guest", None, 1))
    tries = [store.add_account(id_, "Passenger", "hash", but=b"") for id_ in ("u1", "u2", "u3")]
    done = await asyncio.gather(*tries, return_exceptions=True)
    assert sorted(type(each).__name__ for each in done) == ["NameTaken", "NameTaken", "bool"]
    [winner] = [each.id for each in [await store.user_named("Passenger")] if each is not None]
    assert not await store.add_account(winner, "Another", "hash", but=b"")


async def test_ready_jobs_are_leased_once_oldest_first(store: Store) -> None:
    late, early = job("late", ready_at=200, body=b"\x00"), job("early", ready_at=100)
    other = job("other", kind="analysis", ready_at=50)
    await store.append(entry(1, jobs=[late, early, other]))
    await store.append(entry(2, jobs=[job("early", seat=3)]))  # It is there already.
    assert await store.lease(["bot"], "w", 99, 500) is None
    assert await store.lease([], "w", 1000, 5000) is None
    assert await store.lease(["bot"], "w", 300, 500) == early
    assert await store.lease(["bot"], "w", 300, 500) == late
    assert await store.lease(["bot"], "w", 300, 500) is None
    assert await store.lease(["bot", "analysis"], "w", 300, 500) == other


async def test_no_job_goes_to_two_workers(store: Store) -> None:
    await store.append(entry(1, jobs=[job(f"j{number}") for number in range(25)]))

    async def work(worker: str) -> list[str]:
        got = []
        while leased := await store.lease(["bot"], worker, 300, 500):
            got.append(leased.id)
        return got

    shares = await asyncio.gather(*(work(f"w{number}") for number in range(8)))
    got = [name for share in shares for name in share]
    assert len(got) == len(set(got)) == 25


async def test_a_lease_expires_is_renewed_released_or_completed(store: Store) -> None:
    await store.append(entry(1, jobs=[job("j")]))
    assert await store.lease(["bot"], "first", 100, 200) == job("j")
    assert await store.lease(["bot"], "second", 199, 300) is None
    assert await store.lease(["bot"], "second", 200, 300) == job("j", attempts=1)
    assert not await store.renew("j", "first", 900)
    assert not await store.release("j", "first", 250)
    assert await store.renew("j", "second", 900)
    assert await store.lease(["bot"], "third", 899, 999) is None
    assert await store.release("j", "second", 950)
    assert not await store.renew("j", "second", 999)
    assert await store.lease(["bot"], "w", 949, 1000) is None
    assert await store.lease(["bot"], "w", 950, 1000) == job("j", attempts=2, ready_at=950)
    await store.complete("j")
    await store.complete("j")
    assert not await store.renew("j", "w", 2000)
    assert await store.lease(["bot"], "w", 3000, 4000) is None


# ---- openings and puzzles ------------------------------------------------------------------------


async def test_the_openings_of_a_match_are_counted_once(store: Store) -> None:
    moves = [(b"start", 4, 1, 0, 0, 40), (b"next", 7, 0, 0, 1, 40)]
    assert await store.add_openings("one", moves)
    assert not await store.add_openings("one", moves)
    assert await store.add_openings("two", [(b"start", 4, 0, 1, 0, 30), (b"start", 5, 0, 0, 1, 30)])
    assert await store.add_openings("none", [])
    assert sorted(await store.openings(b"start")) == [(4, 1, 1, 0, 70), (5, 0, 0, 1, 30)]
    assert await store.openings(b"next") == [(7, 0, 0, 1, 40)]


async def test_the_first_result_in_a_puzzle_counts(store: Store) -> None:
    first, new = PuzzleResultRow("p", True, 165000, 30000, 5), PuzzleRow(150000, 9000, 1, 0)
    assert await store.puzzle("p") is None
    assert await store.add_puzzle_result("ann", "toy", first, new, -1200)
    assert not await store.add_puzzle_result("ann", "toy", first, new, -1200)
    failed = first._replace(is_solved=False, rating=140000, at=6)
    assert await store.add_puzzle_result("ben", "toy", failed, PuzzleRow(0, 8000, 0, 1), 2000)
    assert await store.puzzle("p") == PuzzleRow(150800, 8000, 1, 1)
    assert await store.puzzle_results("ann", "toy", 9) == [first]
    assert await store.puzzle_results("ben", "toy", 9) == [failed]


async def test_probes_leave_no_row(store: Store) -> None:
    """Nor do those that nodes of older versions have left."""
    left = Statement(sql.PROBE, ["probe left", b""])
    await store._write(left)
    for _ in range(20):
        await store.probe()
    assert await store._read(Statement("SELECT count(*) FROM jobs")) in ([(0,)], ((0,),))
