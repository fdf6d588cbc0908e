"""Rate limits."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from watermeet.server.limits import RateLimiter, TokenBucket


def test_a_burst_passes_and_then_the_rate_holds() -> None:
    bucket = TokenBucket(rate=2.0, capacity=3.0, now=10.0)
    assert [bucket.take(10.0) for _ in range(4)] == [True, True, True, False]
    assert not bucket.take(10.4)
    assert bucket.take(10.5)
    assert not bucket.take(10.6)


@given(st.lists(st.floats(0, 5), max_size=200), st.floats(0.1, 20), st.floats(1, 10))
def test_the_long_term_rate_is_limited(pauses: list[float], rate: float, capacity: float) -> None:
    bucket, now, taken = TokenBucket(rate, capacity, 0.0), 0.0, 0
    for pause in pauses:
        now += pause
        taken += bucket.take(now)
    assert taken <= capacity + rate * now + 1e-6


def test_a_clock_that_goes_back_gives_nothing() -> None:
    bucket = TokenBucket(rate=1.0, capacity=1.0, now=100.0)
    assert bucket.take(100.0)
    assert not bucket.take(50.0)
    assert not bucket.take(50.9)
    assert bucket.take(51.0)


def test_clients_do_not_affect_each_other() -> None:
    limiter = RateLimiter(rate=1.0, capacity=1.0)
    assert limiter.take("a", 0.0)
    assert limiter.take("b", 0.0)
    assert not limiter.take("a", 0.5)


def test_memory_is_bounded_and_idle_clients_are_forgotten_first() -> None:
    limiter = RateLimiter(rate=0.001, capacity=1.0, max_clients=3)
    for key in "abc":
        assert limiter.take(key, 0.0)
    assert not limiter.take("a", 1.0)
    assert limiter.take("d", 1.0)
    assert len(limiter) == 3
    assert not limiter.take("a", 2.0), "a is recent, so it is remembered"
    assert limiter.take("b", 2.0), "b was forgotten"
