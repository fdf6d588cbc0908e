"""Documents of long matches: made apart from the event loop, and kept when they can't change."""

from __future__ import annotations

import threading
from typing import Any

import pytest
from tests.server.inside import Inside

from watermeet.server import documents
from watermeet.server.documents import Documents
from watermeet.server.fair_threads import FairThreads
from watermeet.server.matches import projection
from watermeet.server.matches.match import Match
from watermeet.server.matches.projection import Move

pytestmark = pytest.mark.anyio


async def test_long_documents_are_made_apart_and_kept_after_the_end(
    server: Inside, monkeypatch: pytest.MonkeyPatch
) -> None:
    """One of 9,990 moves took 42 ms, in which nobody else was served."""
    make, made_in = projection.moves, list[str]()

    def noted(match: Match, seat: int | None) -> tuple[Move, ...]:
        made_in.append(threading.current_thread().name)
        return make(match, seat)

    monkeypatch.setattr(projection, "moves", noted)
    match, tokens = await server.seated("kuhn_poker", 2)
    everybody = (*tokens, "")

    async def shown() -> list[dict[str, Any]]:
        made_in.clear()
        documents = [await server.document(match, token) for token in everybody]
        followed = [(await (await server.socket(each)).follow(match)) for each in everybody]
        assert [each["document"]["moves"] for each in followed] == [
            each["moves"] for each in documents
        ]
        return [each | {"present": None} for each in documents]

    for moves, count in ((1, 6), (9, 1)):
        await server.play(match, tokens, moves)
        short = await shown()
        assert set(made_in) == {"MainThread"}
        monkeypatch.setattr(documents, "LONG_LOG", 1)
        assert await shown() == short
        assert len(made_in) == count
        assert all(name.startswith("document") for name in made_in)
        monkeypatch.setattr(documents, "LONG_LOG", 100)
    assert short[0]["stage"] == "finished"


async def test_documents_are_kept_within_bounds(
    server: Inside, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(documents, "LONG_LOG", 1)
    matches = []
    for _ in range(2):
        match, tokens = await server.seated("kuhn_poker", 2)
        await server.play(match, tokens)
        matches.append((await server.services.matches.load(match)).match)
    size = max(len(projection.encoded_moves(each, None)) for each in matches)
    threads = FairThreads("test", 1)
    kept = Documents(threads, size)
    for match in matches:
        await kept.of(match, None, "")
    assert list(kept._kept) == [matches[1].id]
    threads.close()
