"""Matches as records, records as matches, and audits."""

from __future__ import annotations

import random
from dataclasses import replace
from typing import Any

import msgspec
import pytest
from tests.server.matches.conftest import act

import watermeet as wm
from watermeet.server.errors import NotFound
from watermeet.server.matches import entries as kinds
from watermeet.server.matches.audit import audit
from watermeet.server.matches.commands import Resign, Undo
from watermeet.server.matches.errors import GameOver
from watermeet.server.matches.match import Match
from watermeet.server.matches.records import log_of, record_of, state_after
from watermeet.server.matches.setup import SeatPlan


def played(new_table: Any, game: str, **chosen: Any) -> Any:
    table, rng = new_table(game, **chosen), random.Random(game)
    table.do(table.join(0, seed="pepper", name="Ada, the first"))
    table.seated()
    while table.match.stage == "playing":
        table.play(rng.choice(table.match.state.legal_moves), wait=1_300)
    return table


@pytest.mark.parametrize("name", wm.games())
def test_a_record_survives_a_round_trip_and_its_draws_are_fair(new_table: Any, name: str) -> None:
    small = {"radius": 2} if name == "flows" else {}
    table = played(new_table, name, options=small)
    record = record_of(table.match)
    parsed = wm.Record.parse(record.format())
    assert parsed == record
    assert parsed.replay()[-1] == table.match.state
    assert parsed.seats[0] == "Ada the first"
    assert parsed.headers["match"] == table.match.id
    report = audit(parsed)
    assert report.is_fair, report
    assert report == audit(table.log)
    assert report.count == table.match.chance_count
    assert "all verified" in str(report)


def test_an_audit_finds_a_changed_draw(new_table: Any) -> None:
    table = played(new_table, "kuhn_poker")
    text = record_of(table.match).format()
    record = wm.Record.parse(text)
    cards = [entry.move for entry in record.entries[:2]]
    swapped = (replace(record.entries[0], move=cards[1]), replace(record.entries[1], move=cards[0]))
    false = replace(record, entries=(*swapped, *record.entries[2:]), result=None)
    report = audit(false)
    assert not report.is_fair
    assert report.faults[0].number == 1
    assert "chance outcome 1:" in str(report)
    assert cards[0][1:] in report.faults[0].expected


def test_an_audit_finds_a_wrong_secret_or_seed(new_table: Any) -> None:
    table = played(new_table, "kuhn_poker", name="other8")
    record = record_of(table.match)
    wrong = replace(record, headers={**record.headers, "secret": "00" * 32})
    assert audit(wrong).faults[0].number == 0
    lines = str(audit(wrong)).splitlines()
    assert lines[0].startswith("the match: ")
    assert "isn't the one committed to" in lines[0]
    assert lines[1].startswith("chance outcome 1: ")
    faults = [
        audit(replace(record, headers={**record.headers, "client_seeds": f"salt{number} ."})).faults
        for number in range(8)
    ]
    assert any(faults), "among eight other salts one at least gives other cards"


@pytest.mark.parametrize("missing", ["secret", "commitment", "match"])
def test_an_audit_says_what_it_cannot_check(new_table: Any, missing: str) -> None:
    table = played(new_table, "kuhn_poker")
    record = record_of(table.match)
    headers = {name: text for name, text in record.headers.items() if name != missing}
    report = audit(replace(record, headers=headers))
    assert not report.is_fair
    assert f"no {missing}" in str(report)


def test_an_audit_rejects_an_invalid_secret(new_table: Any) -> None:
    record = record_of(played(new_table, "kuhn_poker").match)
    assert not audit(replace(record, headers={**record.headers, "secret": "xyz"})).is_fair
    assert not audit(replace(record, headers={**record.headers, "match": "ä"})).is_fair


def test_a_running_match_cannot_be_audited_yet(new_table: Any) -> None:
    table = new_table("kuhn_poker").seated()
    assert "no secret" in str(audit(table.log))


def test_undone_moves_are_not_in_the_record(new_table: Any) -> None:
    table = new_table(
        "flume", options={"size": 3, "pie": False}, seats=(SeatPlan(), SeatPlan("bot", "drop"))
    )
    table.seated()
    table.play("a1")
    table.do(act(0, Undo()))
    table.play("b2")
    table.do(act(0, Resign()))
    record = record_of(table.match)
    assert record.moves == ("b2",)
    assert record.result is None
    assert record.headers["ended"] == "resigned"
    assert record.headers["returns"] == "-1 1"
    assert wm.Record.parse(record.format()).replay()


@pytest.mark.parametrize("name", ["flume", "kuhn_poker", "flow"])
def test_a_record_becomes_a_log_for_replay(new_table: Any, name: str) -> None:
    table = played(new_table, name)
    record = record_of(table.match)
    match = Match.of(log_of(record, "copy1", table.now))
    assert match.stage == "finished"
    assert match.state == table.match.state
    assert match.returns == table.match.returns
    assert match.seats[0].name == "Ada the first"
    assert [seat.user for seat in match.seats] == ["record-0", "record-1"]
    assert "no commitment" in str(audit(log_of(record, "copy1", 1)))
    half = replace(record, entries=record.entries[:3], result=None, seats=())
    assert Match.of(log_of(half, "copy2", 1)).stage == "aborted"


def test_a_match_can_continue_from_a_record(new_table: Any) -> None:
    record = record_of(played(new_table, "flume", options={"size": 3}).match)
    states = record.replay()
    table = new_table("flume", options={"size": 3}, start=state_after(record, 4)).seated()
    assert table.match.state == states[4]
    table.play()
    again = record_of(table.match)
    assert again.start == states[4]
    assert wm.Record.parse(again.format()).replay()[-1] == table.match.state
    assert Match.of(log_of(again, "m2", 1)).state == table.match.state
    for wrong, error in ((-1, NotFound), (len(states) - 1, GameOver), (len(states), NotFound)):
        with pytest.raises(error):
            state_after(record, wrong)


def test_an_audit_of_a_log_finds_a_changed_draw(new_table: Any) -> None:
    table = played(new_table, "kuhn_poker")
    index = next(i for i, entry in enumerate(table.log) if isinstance(entry, kinds.Sampled))
    log = list(table.log)
    used = {log[index].action, log[index + 1].action}
    other = ({0, 1, 2} - used).pop()
    log[index] = msgspec.structs.replace(log[index], action=other)
    revealed = kinds.Revealed(at=log[-1].at, secret=table.randomness.secret.hex())
    log = [*log[: index + 2], revealed]
    assert [fault.number for fault in audit(log).faults][:1] == [1]
