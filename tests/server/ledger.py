"""Compares what a crowd received with the log: nothing lost, duplicated or invented."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Sequence

from tests.server.crowd import Seat

from watermeet.server.matches.audit import audit
from watermeet.server.matches.entries import Entry, Played, decode
from watermeet.server.matches.match import FINISHED, Match
from watermeet.server.store.factory import open_store


async def check(url: str, seats: Sequence[Seat]) -> Counter[str]:
    """Raise AssertionError for the first discrepancy; return what was counted."""
    counts: Counter[str] = Counter()
    matches: defaultdict[str, list[Seat]] = defaultdict(list)
    for seat in seats:
        matches[seat.match].append(seat)
    store = await open_store(url)
    try:
        for match, players in matches.items():
            rows = await store.read(match)
            assert [row.seq for row in rows] == list(range(1, len(rows) + 1)), f"{match}: a gap"
            counts += check_match([decode(row.body) for row in rows], players)
    finally:
        await store.close()
    return counts


def check_match(log: list[Entry], seats: Sequence[Seat]) -> Counter[str]:
    """Check one match: its log, and what its clients received."""
    counts: Counter[str] = Counter()
    match = Match.of(log)
    assert match.stage == FINISHED, f"{match.id} is {match.stage}"
    assert audit(log).is_fair, f"{match.id}: {audit(log)}"
    moves = [entry for entry in log if isinstance(entry, Played)]
    for seat in seats:
        _check_commands(log, [move for move in moves if move.seat == seat.number], seat)
        _check_events(log, seat)
        counts["acknowledged"] += len(seat.acknowledged)
        counts["events"] += len(seat.events)
    counts["matches"] += 1
    counts["moves"] += len(moves)
    counts["entries"] += len(log)
    return counts


def _check_commands(log: list[Entry], moves: Sequence[Played], seat: Seat) -> None:
    where = f"match {seat.match}, seat {seat.number}"
    for command, seq in seat.acknowledged.items():
        assert seq <= len(log), f"{where}: {command!r}, entry {seq}, is LOST"
        entry = log[seq - 1]
        assert isinstance(entry, Played), f"{where}: entry {seq} is {entry}"
        found = (entry.seat, entry.client_id, entry.action)
        sent = (seat.number, command, seat.sent[command].action)
        assert found == sent, f"{where}: entry {seq} is {entry}, sent was {sent}"
    ids = [move.client_id for move in moves]
    assert len(ids) == len(set(ids)), f"{where}: a move is DUPLICATED: {ids}"
    # Commands go one at a time and are never given up, so the log has them all, in order.
    assert ids == list(seat.sent), f"{where}: the log has {ids}, sent was {list(seat.sent)}"
    assert ids == list(seat.acknowledged), f"{where}: not everything was acknowledged"


def _check_events(log: list[Entry], seat: Seat) -> None:
    where = f"match {seat.match}, seat {seat.number}"
    numbers = [event["seq"] for event in seat.events]
    assert numbers == list(range(seat.first + 1, len(log) + 1)), f"{where}: received {numbers}"
    for event in seat.events:
        entry = log[event["seq"] - 1]
        received = (event["kind"], event["at"])
        assert received == (str(entry.__struct_config__.tag), entry.at), (
            f"{where}: {event}, {entry}"
        )
        if isinstance(entry, Played) and entry.seat == seat.number:
            assert event["action"] == entry.action, f"{where}: {event}, {entry}"
