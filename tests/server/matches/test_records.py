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
from watermeet.server.matches import commands
from watermeet.server.matches import entries as kinds
from watermeet.server.matches.audit import Report, audit
from watermeet.server.matches.errors import GameOver
from watermeet.server.matches.match import Match
from watermeet.server.matches.records import log_of, record_of, state_after
from watermeet.server.matches.setup import SeatPlan


def played(new_table: Any, game: str, longest: int = 999, **chosen: Any) -> Any:
    """A match that has ended, by the rules or because the first seat resigns."""
    table, rng = new_table(game, **chosen), random.Random(game)
    table.do(table.join(0, seed="pepper", name="Ada, the first"))
    table.seated()
    while table.match.stage == "playing" and len(table.match.steps()) < longest:
        table.play(rng.choice(table.match.state.legal_moves), wait=1_300)
    if table.match.stage == "playing":
        for seat in range(len(table.match.seats)):
            if not table.match.has_ended:
                table.do(act(seat, commands.Resign()))
    return table


@pytest.mark.parametrize("name", wm.games())
def test_a_record_survives_a_round_trip_and_its_draws_are_fair(new_table: Any, name: str) -> None:
    small = {"radius": 2} if name == "flows" else {}
    table = played(new_table, name, longest=40, options=small)
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
    record = wm.Record.parse(record_of(table.match).format())
    one, other = (entry.move for entry in record.entries[:2])
    swapped = (replace(record.entries[0], move=other), replace(record.entries[1], move=one))
    report = audit(replace(record, entries=(*swapped, *record.entries[2:]), result=None))
    assert not report.is_fair
    assert report.faults[0].number == 1
    assert "chance outcome 1:" in str(report)
    assert one[1:] in report.faults[0].expected

    index = next(i for i, entry in enumerate(table.log) if isinstance(entry, kinds.Sampled))
    log = table.log[: index + 2]
    (card,) = {0, 1, 2} - {entry.action for entry in log[index:]}
    log[index] = msgspec.structs.replace(log[index], action=card)
    log.append(kinds.Revealed(at=log[-1].at, secret=table.randomness.secret.hex()))
    assert audit(log).faults[0].number == 1


def test_an_audit_finds_a_wrong_or_missing_secret_seed_or_commitment(new_table: Any) -> None:
    assert "no secret" in str(audit(new_table("kuhn_poker").seated().log)), "it isn't over yet"
    record = record_of(played(new_table, "kuhn_poker", name="other8").match)

    def changed(**headers: str) -> Report:
        return audit(replace(record, headers={**record.headers, **headers}))

    wrong = changed(secret="00" * 32)
    assert wrong.faults[0].number == 0
    lines = str(wrong).splitlines()
    assert lines[0].startswith("the match: ")
    assert "isn't the one committed to" in lines[0]
    assert lines[1].startswith("chance outcome 1: ")
    assert any(changed(client_seeds=f"salt{number} .").faults for number in range(8))
    assert not changed(secret="xyz").is_fair  # noqa: S106
    assert not changed(match="ä").is_fair
    for missing in ("secret", "commitment", "match"):
        headers = {name: text for name, text in record.headers.items() if name != missing}
        report = audit(replace(record, headers=headers))
        assert not report.is_fair
        assert f"no {missing}" in str(report)


def test_undone_moves_are_not_in_the_record(new_table: Any) -> None:
    table = new_table(
        "flume", options={"size": 3, "pie": False}, seats=(SeatPlan(), SeatPlan("bot", "drop"))
    )
    table.seated()
    table.play("a1")
    table.do(act(0, commands.Undo()))
    table.play("b2")
    table.do(act(0, commands.Resign()))
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
    assert all(seat.is_guest for seat in match.seats), "no name passes for a registered person's"
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
