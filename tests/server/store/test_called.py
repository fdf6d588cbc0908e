"""What the store keeps for being called, on every engine."""

from __future__ import annotations

import pytest

from watermeet.server.store.called import DigestRow, SubscriptionRow, VacationRow
from watermeet.server.store.rows import Job, TokenRow
from watermeet.server.store.sql import ConstraintViolation
from watermeet.server.store.store import Store

pytestmark = pytest.mark.anyio


async def test_vacations(store: Store) -> None:
    first = VacationRow("ann", 10, 90)
    await store.add_vacation(first)
    with pytest.raises(ConstraintViolation):
        await store.add_vacation(VacationRow("ann", 20, 90))
    same = VacationRow("bob", 10, 20)
    await store.add_vacation(same)
    assert await store.unsettled_vacations(9) == [first, same]
    assert await store.unsettled_vacations(9, first) == [same]
    assert await store.unsettled_vacations(9, same) == []
    assert await store.end_vacation("bob", 20)
    await store.settle_vacation(same)
    assert await store.end_vacation("ann", 50)
    assert not await store.end_vacation("ann", 60)
    await store.settle_vacation(first)
    assert await store.unsettled_vacations(9) == []
    assert await store.vacations_of("ann", 49) == [first._replace(ended_at=50)]
    assert await store.vacations_of("ann", 50) == []


async def test_a_key_stays_the_same(store: Store) -> None:
    assert await store.server_key("k", b"one") == b"one"
    assert await store.server_key("k", b"two") == b"one"


async def test_subscriptions_end_with_their_session(store: Store) -> None:
    row = SubscriptionRow(b"hash", "ann", "https://push", b"key", b"auth", "en", "turn")
    await store.put_subscription(row)
    assert await store.subscriptions_of("ann") == [], "nobody is signed in"
    await store.add_token(TokenRow(b"hash", "device", "ann", None, None, 0))
    assert await store.subscriptions_of("ann") == [row]
    assert await store.called_users() == {"ann"}
    moved = row._replace(token_hash=b"other", user="bob")
    await store.put_subscription(moved)
    assert await store.subscription(b"hash") is None, "the same browser has another user"
    await store.delete_subscription(b"other")
    assert await store.subscription(b"other") is None


async def test_a_digest_is_claimed_once(store: Store) -> None:
    row = DigestRow("ann", 5, "en", b"code", 10)
    await store.put_digest(row)
    assert await store.due_digests(10, 9) == [row]
    assert await store.claim_digest(row, 15)
    assert not await store.claim_digest(row, 15)
    assert await store.due_digests(14, 9) == []
    assert await store.unsubscribe(b"code")
    assert not await store.unsubscribe(b"code")


async def test_a_job_is_split_at_once(store: Store) -> None:
    jobs = [Job(name, "push", "m", 0, 1, b"", 0) for name in ("one", "two")]
    await store.add_jobs([Job("call", "call", "m", 0, 1, b"", 0)])
    assert await store.lease(["call"], "w", 1, 9) is not None
    await store.split("call", jobs)
    assert await store.lease(["call"], "w", 99, 100) is None
    assert {(await store.lease(["push"], "w", 1, 9)).id for _ in jobs} == {"one", "two"}  # type: ignore[union-attr]


async def test_replies_are_kept_for_each_seat(store: Store) -> None:
    await store.put_replies("m", 1, b"one")
    await store.put_replies("m", 1, b"two")
    assert (await store.replies("m", 1), await store.replies("m", 0)) == (b"two", None)
    await store.delete_replies("m", 1)
    assert await store.replies("m", 1) is None
