"""Rate limits, tokens and ids."""

from __future__ import annotations

import hashlib

import pytest
from hypothesis import given
from hypothesis import strategies as st

from watermeet.server.limits import RateLimiter, TokenBucket
from watermeet.server.tokens import MAX_LENGTH, hash_token, make_id, make_token


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


def test_clients_are_limited_alone_and_the_idle_ones_are_forgotten_first() -> None:
    limiter = RateLimiter(rate=0.001, capacity=1.0, max_clients=3)
    for key in "abc":
        assert limiter.take(key, 0.0)
    assert not limiter.take("a", 1.0)
    assert limiter.take("d", 1.0)
    assert len(limiter) == 3
    assert not limiter.take("a", 2.0), "a is recent, so it is remembered"
    assert limiter.take("b", 2.0), "b was forgotten"


def test_tokens_are_long_unique_and_url_safe_and_only_their_hash_is_stored(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    tokens = {make_token() for _ in range(500)}
    assert len(tokens) == 500
    assert all(40 <= len(token) <= MAX_LENGTH for token in tokens)
    assert all(token.replace("-", "").replace("_", "").isalnum() for token in tokens)
    assert hash_token("abc") == hashlib.sha256(b"abc").digest()
    drawn = iter(["-Qx", "Qx-"])
    monkeypatch.setattr("secrets.token_urlsafe", lambda size: next(drawn))
    assert make_token() == "Qx-", "none looks like an option of a command"


def test_ids_have_no_ambiguous_letters() -> None:
    ids = [make_id() for _ in range(2000)]
    assert len(set(ids)) == 2000
    assert all(len(each) == 12 for each in ids)
    assert not set("".join(ids)) & set("0O1Ilo")
