"""Tests for both engines, and for several databases as one."""

from __future__ import annotations

import asyncio
import dataclasses

import pytest

from watermeet.core.errors import Conflict
from watermeet.server.errors import NameTaken, StoreUnavailable
from watermeet.server.store.factory import open_store
from watermeet.server.store.rows import (
    Append,
    Job,
    LogRow,
    MatchRow,
    PuzzleResultRow,
    PuzzleRow,
    TokenRow,
    UserRow,
)
from watermeet.server.store.store import Store

pytestmark = pytest.mark.anyio


def row(match: str = "m", **changes: object) -> MatchRow:
    plain = MatchRow(
        id=match,
        game="toy",
        stage="open",
        is_public=True,
        created_at=1000,
        changed_at=1000,
        due_at=None,
        headline=b"{}",
    )
    return plain._replace(**changes)  # type: ignore[arg-type]


def entry(first: int, *bodies: bytes, match: str = "m", **more: object) -> Append:
    plain = Append(match, first, bodies or (b"entry %d" % first,), row(match))
    return dataclasses.replace(plain, **more)  # type: ignore[arg-type]


def job(name: str, **changes: object) -> Job:
    plain = Job(name, "bot", "m", 1, 1, b"{}", ready_at=100)
    return plain._replace(**changes)  # type: ignore[arg-type]


# ---- the log -------------------------------------------------------------------------------------


async def test_entries_are_read_in_order(store: Store) -> None:
    assert await store.read("m") == []
    await store.append(entry(1, b"a", b"", bytes(range(256))))
    await store.append(entry(4, b"d"))
    log = [LogRow(1, b"a"), LogRow(2, b""), LogRow(3, bytes(range(256))), LogRow(4, b"d")]
    assert await store.read("m") == log
    assert await store.read("m", after=2) == log[2:]
    assert await store.read("m", after=9) == []
    assert await store.read("another") == []


async def test_one_of_many_writers_of_the_same_number_wins(store: Store) -> None:
    for seq in range(1, 6):
        bodies = [b"%d by %d" % (seq, writer) for writer in range(20)]
        done = await asyncio.gather(
            *(store.append(entry(seq, body)) for body in bodies), return_exceptions=True
        )
        winners = [body for body, result in zip(bodies, done, strict=True) if result is None]
        assert len(winners) == 1
        assert all(isinstance(result, Conflict) for result in done if result is not None)
        assert (await store.read("m", after=seq - 1)) == [LogRow(seq, winners[0])]


async def test_a_conflict_writes_nothing(store: Store) -> None:
    token = TokenRow(b"h", "seat", "u", "m", 0, 5)
    await store.append(entry(1, b"a"))
    loser = entry(
        1,
        b"x",
        b"y",
        row=row(stage="finished", headline=b"loser"),
        secret=b"s",
        jobs=[job("j")],
        players=[("u", 0)],
        tokens=[token],
    )
    with pytest.raises(Conflict):
        await store.append(loser)
    assert await store.read("m") == [LogRow(1, b"a")]
    assert await store.match_row("m") == row()
    assert await store.secret("m") is None
    assert await store.lease(["bot"], "w", 1000, 2000) is None
    assert await store.matches_of("u", before=None, limit=9) == []
    assert await store.token(b"h") is None


async def test_a_conflict_after_the_first_entry_undoes_the_first(store: Store) -> None:
    await store.append(entry(1, b"a"))
    await store.append(entry(2, b"b", tokens=[TokenRow(b"h", "seat", None, "m", 0, 5)]))
    with pytest.raises(Conflict):  # The token exists already, and it is written last.
        await store.append(entry(3, b"c", b"d", tokens=[TokenRow(b"h", "seat", None, "m", 1, 5)]))
    assert [each.seq for each in await store.read("m")] == [1, 2]


async def test_conflicts_do_not_harm_other_writes_of_the_group(store: Store) -> None:
    await store.append(entry(1, match="taken"))
    appends = []
    for number in range(30):
        appends += [entry(1, b"late", b"later", match="taken"), entry(1, match=f"m{number}")]
    done = await asyncio.gather(*map(store.append, appends), return_exceptions=True)
    assert all(isinstance(result, Conflict) for result in done[::2])
    assert all(result is None for result in done[1::2])
    for number in range(30):
        assert len(await store.read(f"m{number}")) == 1
    assert len(await store.read("taken")) == 1


async def test_a_log_has_no_holes(store: Store) -> None:
    with pytest.raises(Conflict):
        await store.append(entry(2))
    await store.append(entry(1))
    with pytest.raises(Conflict):
        await store.append(entry(3, b"c", b"d", row=row(stage="finished")))
    assert [each.seq for each in await store.read("m")] == [1]
    assert await store.match_row("m") == row()


async def test_an_acknowledged_write_is_visible_at_once(store: Store) -> None:
    for seq in range(1, 31):
        await store.append(entry(seq))
        assert len(await store.read("m")) == seq


async def test_a_secret_is_stored_separately(store: Store) -> None:
    assert await store.secret("m") is None
    await store.append(entry(1, secret=b"\x00secret"))
    assert await store.secret("m") == b"\x00secret"
    assert b"secret" not in (await store.read("m"))[0].body


async def test_cancelling_one_write_does_not_cancel_others(store: Store) -> None:
    waiting = [asyncio.ensure_future(store.append(entry(1, match=f"m{n}"))) for n in range(10)]
    await asyncio.sleep(0)
    waiting[3].cancel()
    done = await asyncio.gather(*waiting, return_exceptions=True)
    assert [type(result) for result in done].count(asyncio.CancelledError) <= 1
    await store.append(entry(1))
    assert len(await store.read("m")) == 1


async def test_data_survives_closing(any_store_url: str) -> None:
    first = await open_store(any_store_url)
    await first.append(entry(1, b"kept"))
    await first.close()
    second = await open_store(any_store_url)
    assert await second.read("m") == [LogRow(1, b"kept")]
    await second.close()


async def test_a_closed_store_is_unavailable(any_store_url: str) -> None:
    closed = await open_store(any_store_url)
    await closed.close()
    with pytest.raises(StoreUnavailable):
        await closed.read("m")
    with pytest.raises(StoreUnavailable):
        await closed.append(entry(1))
    await closed.close()


# ---- lists of matches ----------------------------------------------------------------------------


async def test_the_row_of_a_match_is_that_of_the_last_append(store: Store) -> None:
    assert await store.match_row("m") is None
    await store.append(entry(1))
    assert await store.match_row("m") == row()
    later = row(stage="playing", is_public=False, changed_at=2000, due_at=2500, headline=b"[1]")
    await store.append(entry(2, row=later))
    assert await store.match_row("m") == later


async def put(store: Store, match: str, **changes: object) -> MatchRow:
    its_row = row(match, **changes)
    await store.append(entry(1, match=match, row=its_row))
    return its_row


async def test_open_matches_are_public_and_newest_first(store: Store) -> None:
    old = await put(store, "old", created_at=1)
    new = await put(store, "new", created_at=3)
    other = await put(store, "other", created_at=2, game="chess")
    await put(store, "private", is_public=False)
    for stage in ("playing", "paused", "finished", "aborted"):
        await put(store, stage, stage=stage)
    assert await store.public_matches("open", game=None, limit=9) == [new, other, old]
    assert await store.public_matches("open", game=None, limit=2) == [new, other]
    assert await store.public_matches("open", game="toy", limit=9) == [new, old]
    assert await store.public_matches("open", game="none", limit=9) == []


async def test_live_matches_are_public_and_in_play(store: Store) -> None:
    quiet = await put(store, "quiet", stage="playing", changed_at=1)
    lively = await put(store, "lively", stage="playing", changed_at=3)
    other = await put(store, "other", stage="playing", changed_at=2, game="chess")
    await put(store, "private", stage="playing", is_public=False)
    for stage in ("open", "paused", "finished", "aborted"):
        await put(store, stage, stage=stage)
    assert await store.public_matches("playing", game=None, limit=9) == [lively, other, quiet]
    assert await store.public_matches("playing", game="chess", limit=9) == [other]
    assert await store.public_matches("playing", game=None, limit=1) == [lively]


async def test_a_user_finds_all_matches_page_by_page(store: Store) -> None:
    rows = []
    for number in range(7):  # Pairs were changed in the same millisecond.
        its_row = row(f"m{number}", changed_at=number // 2)
        seats = [("ann", 0), ("ann", 1)] if number == 3 else [("ann", 0), ("bob", 1)]
        await store.append(entry(1, match=its_row.id, row=its_row, players=seats))
        rows.append(its_row)
    found: list[MatchRow] = []
    before = None
    while page := await store.matches_of("ann", before=before, limit=3):
        assert len(page) <= 3
        found += page
        before = (page[-1].changed_at, page[-1].id)
    assert found == rows[::-1]
    assert len(await store.matches_of("bob", before=None, limit=99)) == 6
    assert await store.matches_of("nobody", before=None, limit=99) == []


async def test_a_player_who_joins_twice_is_listed_once(store: Store) -> None:
    await store.append(entry(1, players=[("ann", 0)]))
    await store.append(entry(2, players=[("ann", 0), ("ann", 2)]))
    assert len(await store.matches_of("ann", before=None, limit=9)) == 1


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
    assert await store.user("u2") is None
    assert await store.token(b"h") is None
    await store.add_user(UserRow("u2", "named", "Straße", 2))
    with pytest.raises(NameTaken):
        await store.rename("u1", "STRASSE")
    assert await store.user("u1") == UserRow("u1", "named", "Łukasz", 1)


async def test_one_of_many_users_gets_a_contested_name(store: Store) -> None:
    users = [
        UserRow(f"u{number}", "named", "Ann" if number % 2 else "ANN", 1) for number in range(12)
    ]
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


async def test_a_duplicate_id_is_not_a_taken_name(store: Store) -> None:
    await store.add_user(UserRow("u", "guest", None, 1))
    with pytest.raises(Conflict):
        await store.add_user(UserRow("u", "named", "Ann", 1))


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


# ---- jobs ----------------------------------------------------------------------------------------


async def test_ready_jobs_are_leased_oldest_first(store: Store) -> None:
    late, early = job("late", ready_at=200, body=b"\x00"), job("early", ready_at=100)
    other = job("other", kind="analysis", ready_at=50)
    await store.append(entry(1, jobs=[late, early, other]))
    assert await store.lease(["bot"], "w", 99, 500) is None
    assert await store.lease([], "w", 1000, 5000) is None
    assert await store.lease(["bot"], "w", 300, 500) == early
    assert await store.lease(["bot"], "w", 300, 500) == late
    assert await store.lease(["bot"], "w", 300, 500) is None
    assert await store.lease(["bot", "analysis"], "w", 300, 500) == other


async def test_adding_a_job_twice_adds_it_once(store: Store) -> None:
    await store.append(entry(1, jobs=[job("j")]))
    await store.append(entry(2, jobs=[job("j", seat=3)]))
    assert await store.lease(["bot"], "w", 300, 500) == job("j")
    assert await store.lease(["bot"], "w", 300, 500) is None


async def test_no_job_goes_to_two_workers(store: Store) -> None:
    await store.append(entry(1, jobs=[job(f"j{number}") for number in range(25)]))

    async def work(worker: str) -> list[str]:
        got = []
        while leased := await store.lease(["bot"], worker, 300, 500):
            got.append(leased.id)
        return got

    shares = await asyncio.gather(*(work(f"w{number}") for number in range(8)))
    got = [name for share in shares for name in share]
    assert len(got) == 25
    assert len(set(got)) == 25


async def test_an_expired_lease_counts_as_an_attempt(store: Store) -> None:
    await store.append(entry(1, jobs=[job("j")]))
    assert await store.lease(["bot"], "first", 100, 200) == job("j")
    assert await store.lease(["bot"], "second", 199, 300) is None
    assert await store.lease(["bot"], "second", 200, 300) == job("j", attempts=1)
    assert not await store.renew("j", "first", 900)
    assert not await store.release("j", "first", 250)
    assert await store.renew("j", "second", 900)
    assert await store.lease(["bot"], "third", 899, 999) is None


async def test_a_released_job_waits_until_it_is_ready(store: Store) -> None:
    await store.append(entry(1, jobs=[job("j")]))
    await store.lease(["bot"], "w", 100, 200)
    assert await store.release("j", "w", 150)
    assert not await store.renew("j", "w", 900)
    assert await store.lease(["bot"], "w", 149, 900) is None
    assert await store.lease(["bot"], "w", 150, 900) == job("j", attempts=1, ready_at=150)


async def test_a_completed_job_is_gone(store: Store) -> None:
    await store.append(entry(1, jobs=[job("j")]))
    await store.lease(["bot"], "w", 100, 200)
    await store.complete("j")
    await store.complete("j")
    assert not await store.renew("j", "w", 900)
    assert await store.lease(["bot"], "w", 1000, 2000) is None


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
