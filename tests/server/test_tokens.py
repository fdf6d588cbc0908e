"""Tokens and ids."""

from __future__ import annotations

import hashlib

import pytest

from watermeet.server.tokens import MAX_LENGTH, hash_token, make_id, make_token


def test_tokens_are_long_unique_and_url_safe() -> None:
    tokens = {make_token() for _ in range(500)}
    assert len(tokens) == 500
    assert all(40 <= len(token) <= MAX_LENGTH for token in tokens)
    assert all(token.replace("-", "").replace("_", "").isalnum() for token in tokens)


def test_only_the_hash_is_stored() -> None:
    assert hash_token("abc") == hashlib.sha256(b"abc").digest()
    assert b"abc" not in hash_token("abc")


def test_ids_have_no_ambiguous_letters() -> None:
    ids = [make_id() for _ in range(2000)]
    assert len(set(ids)) == 2000
    assert all(len(each) == 12 for each in ids)
    assert not set("".join(ids)) & set("0O1Ilo")


def test_no_token_looks_like_an_option(monkeypatch: pytest.MonkeyPatch) -> None:
    drawn = iter(["-Qx", "Qx-"])
    monkeypatch.setattr("secrets.token_urlsafe", lambda size: next(drawn))
    assert make_token() == "Qx-"
