"""Rates that are kept."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from watermeet.server.limits import RateLimiter, TokenBucket


def test_a_burst_passes_and_then_the_rate_holds() -> None:
    bucket = TokenBucket(rate=2.0, room=3.0, now=10.0)
    assert [bucket.take(10.0) for _ in range(4)] == [True, True, True, False]
    assert not bucket.take(10.4)
    assert bucket.take(10.5)
    assert not bucket.take(10.6)


@given(st.lists(st.floats(0, 5), max_size=200), st.floats(0.1, 20), st.floats(1, 10))
def test_in_the_long_run_nobody_gets_more_than_the_rate(
    pauses: list[float], rate: float, room: float
) -> None:
    bucket, now, taken = TokenBucket(rate, room, 0.0), 0.0, 0
    for pause in pauses:
        now += pause
        taken += bucket.take(now)
    assert taken <= room + rate * now + 1e-6


def test_a_clock_that_goes_back_gives_nothing() -> None:
    bucket = TokenBucket(rate=1.0, room=1.0, now=100.0)
    assert bucket.take(100.0)
    assert not bucket.take(50.0)
    assert not bucket.take(50.9)
    assert bucket.take(51.0)


def test_askers_do_not_disturb_each_other() -> None:
    buckets = RateLimiter(rate=1.0, room=1.0)
    assert buckets.take("a", 0.0)
    assert buckets.take("b", 0.0)
    assert not buckets.take("a", 0.5)


def test_memory_is_bounded_and_the_idle_are_forgotten_first() -> None:
    buckets = RateLimiter(rate=0.001, room=1.0, largest=3)
    for key in "abc":
        assert buckets.take(key, 0.0)
    assert not buckets.take("a", 1.0)
    assert buckets.take("d", 1.0)
    assert len(buckets) == 3
    assert not buckets.take("a", 2.0), "a asked lately, so it is still known"
    assert buckets.take("b", 2.0), "b was forgotten"
