"""The text of every kind of entry, which stored logs rely on."""

from __future__ import annotations

import re

import msgspec
import pytest

import watermeet as wm
from watermeet.server.matches import entries as kinds
from watermeet.server.matches.entries import KINDS, Entry, decode, encode
from watermeet.server.matches.match import Match
from watermeet.server.matches.setup import (
    Absence,
    Correspondence,
    MatchSetup,
    RealTime,
    SeatPlan,
    Unlimited,
)

SETUP = MatchSetup(
    game="g",
    options={"size": 3, "pie": True, "tie": "x"},
    seats=(SeatPlan(), SeatPlan("invited"), SeatPlan("bot", "sea")),
    time_control=RealTime(5000, 100),
    absence=Absence("stand_in", "river"),
    timer_percent=50,
    is_public=True,
    spectator_delay_s=9,
)
FULL = kinds.Created(
    at=1, match="m", version=2, setup=SETUP, commitment="ab", by="u", start="s", rematch_of="o"
)
LEAST = MatchSetup(game="g", seats=(SeatPlan(),), time_control=Correspondence(3))
PINNED: list[tuple[Entry, str]] = [
    (
        FULL,
        ('{"kind":"created","at":1,"match":"m","version":2,"setup":{"game":"g",'
        '"options":{"size":3,"pie":true,"tie":"x"},'
        '"seats":[{},{"who":"invited"},{"who":"bot","level":"sea"}],'
        '"time_control":{"type":"real_time","initial_ms":5000,"increment_ms":100},'
        '"absence":{"rule":"stand_in","level":"river"},"timer_percent":50,"is_public":true,'
        '"spectator_delay_s":9},"commitment":"ab","by":"u","start":"s","rematch_of":"o"}'),
    ),
    (
        kinds.Created(at=1, match="m", version=1, setup=LEAST),
        ('{"kind":"created","at":1,"match":"m","version":1,"setup":{"game":"g","seats":[{}],'
        '"time_control":{"type":"correspondence","days_per_turn":3}}}'),
    ),
    (kinds.Joined(at=2, seat=0, user="u", name="Ada", client_id="c"),
     '{"kind":"joined","at":2,"seat":0,"client_id":"c","user":"u","name":"Ada"}'),
    (kinds.Left(at=2, seat=0), '{"kind":"left","at":2,"seat":0}'),
    (kinds.Seeded(at=2, seat=1, seed="s"), '{"kind":"seeded","at":2,"seat":1,"seed":"s"}'),
    (kinds.Began(at=2), '{"kind":"began","at":2}'),
    (kinds.Started(at=2), '{"kind":"started","at":2}'),
    (kinds.Played(at=3, seat=1, action=12, spent_ms=700, client_id="c"),
     '{"kind":"played","at":3,"seat":1,"client_id":"c","action":12,"spent_ms":700}'),
    (kinds.Sampled(at=3, action=5), '{"kind":"sampled","at":3,"action":5}'),
    (kinds.TimerExpired(at=3, seat=1, action=5),
     '{"kind":"timer_expired","at":3,"seat":1,"action":5}'),
    (kinds.Undone(at=4, seat=0, to_seq=7), '{"kind":"undone","at":4,"seat":0,"to_seq":7}'),
    (kinds.Hinted(at=4, seat=1), '{"kind":"hinted","at":4,"seat":1}'),
    (kinds.Offered(at=4, seat=0, what="undo", to_seq=7),
     '{"kind":"offered","at":4,"seat":0,"what":"undo","to_seq":7}'),
    (kinds.Responded(at=4, seat=1, what="undo", accept=False),
     '{"kind":"responded","at":4,"seat":1,"what":"undo","accept":false}'),
    (kinds.Paused(at=5), '{"kind":"paused","at":5}'),
    (kinds.Resumed(at=6), '{"kind":"resumed","at":6}'),
    (kinds.VacationBegan(at=6, seat=1), '{"kind":"vacation_began","at":6,"seat":1}'),
    (kinds.VacationEnded(at=6, seat=1), '{"kind":"vacation_ended","at":6,"seat":1}'),
    (kinds.StoodIn(at=6, seat=1, level="sea"), '{"kind":"stood_in","at":6,"seat":1,"level":"sea"}'),
    (kinds.Reclaimed(at=7, seat=1), '{"kind":"reclaimed","at":7,"seat":1}'),
    (kinds.Resigned(at=7, seat=1), '{"kind":"resigned","at":7,"seat":1}'),
    (kinds.Claimed(at=7, by=0, seat=1), '{"kind":"claimed","at":7,"by":0,"seat":1}'),
    (kinds.Claimed(at=7, by=0, seat=1, how="stand_in"),
     '{"kind":"claimed","at":7,"by":0,"seat":1,"how":"stand_in"}'),
    (kinds.TimedOut(at=8, seat=1), '{"kind":"timed_out","at":8,"seat":1}'),
    (kinds.Ended(at=9, returns=(1.0, -0.5), reason="timeout"),
     '{"kind":"ended","at":9,"returns":[1.0,-0.5],"reason":"timeout"}'),
    (kinds.Ended(at=9, returns=(0.0,)), '{"kind":"ended","at":9,"returns":[0.0]}'),
    (kinds.Aborted(at=9), '{"kind":"aborted","at":9}'),
    (kinds.Revealed(at=9, secret="f" * 2), '{"kind":"revealed","at":9,"secret":"ff"}'),
    (kinds.Rematched(at=10, match="n"), '{"kind":"rematched","at":10,"match":"n"}'),
]  # fmt: skip


@pytest.mark.parametrize(("entry", "text"), PINNED, ids=lambda value: type(value).__name__)
def test_the_text_of_an_entry_never_changes(entry: Entry, text: str) -> None:
    assert encode(entry).decode() == text
    assert decode(text) == entry
    assert decode(text.encode()) == entry


def test_defaults_of_entries_never_change() -> None:
    """A field that a stored entry leaves out keeps its meaning."""
    said = {
        "options": {}, "time_control": Unlimited(), "absence": Absence(), "timer_percent": 100,
        "is_public": False, "spectator_delay_s": 0, "commitment": "", "by": "", "start": "",
        "rematch_of": "", "client_id": "", "spent_ms": 0, "to_seq": 0, "how": "out",
        "reason": "rules", "why": "", "waits": False, "spectators": "all",
        "is_rated": False, "is_guest": False,
    }  # fmt: skip
    every: list[type[msgspec.Struct]] = [MatchSetup, *KINDS.values()]
    for kind in every:
        for field in msgspec.structs.fields(kind):
            if not field.required:
                made = field.default_factory
                default = field.default if made is msgspec.NODEFAULT else made()
                assert default == said[field.name], (kind, field.name)
    assert (Absence().rule, Absence().level) == ("claim", "brook")
    assert (SeatPlan().who, SeatPlan().level) == ("open", "")
    assert RealTime(5000).increment_ms == 0
    assert Correspondence(3).bank_days == 0


def test_every_kind_of_entry_is_pinned() -> None:
    assert {type(entry) for entry, _ in PINNED} == set(KINDS.values())


@pytest.mark.parametrize(
    ("text", "hint"),
    [
        ('{"kind":"plaid","at":1}', "did you mean"),
        ('{"kind":"teleported","at":1}', "choose from"),
        ('{"at":1}', "choose from"),
        ('{"kind":"sampled","at":1}', "log-entries.md"),
        ('{"kind":"sampled","at":1,"action":"3"}', "log-entries.md"),
        ('{"kind":"sampled","at":1,"action":3,"more":1}', "log-entries.md"),
        ('{"kind":"sampled"', "one JSON object"),
        ("[]", "one JSON object"),
        ('{"kind":7}', "one JSON object"),
    ],
)
def test_invalid_entries_are_refused(text: str, hint: str) -> None:
    for body in (text, text.encode()):
        with pytest.raises(wm.WatermeetError, match=re.escape(hint)) as caught:
            decode(body)
        assert caught.value.code == "invalid_entry"


def test_a_log_starts_exactly_once() -> None:
    created = PINNED[1][0]
    setup = MatchSetup(game="flume", seats=(SeatPlan(),) * 2)
    made = msgspec.structs.replace(created, setup=setup)
    match = Match.of([made])
    assert match.seq == 1
    for log in ([], [kinds.Began(at=1)], [made, made]):
        with pytest.raises(wm.WatermeetError) as caught:
            Match.of(log)
        assert caught.value.code == "invalid_entry"


def test_an_impossible_log_is_refused() -> None:
    poker = MatchSetup(game="kuhn_poker", seats=(SeatPlan(),) * 2)
    created = kinds.Created(at=1, match="m", version=1, setup=poker)
    begun = Match.of([created, kinds.Began(at=1)])
    for wrong in (
        kinds.Played(at=1, seat=0, action=3),
        kinds.Sampled(at=1, action=3),
        kinds.Undone(at=1, seat=0, to_seq=1),
        kinds.Responded(at=1, seat=0, what="undo", accept=True),
    ):
        with pytest.raises(wm.WatermeetError):
            begun.after(wrong)
    dealt = begun.after(kinds.Sampled(at=1, action=0)).after(kinds.Sampled(at=1, action=1))
    with pytest.raises(wm.WatermeetError):
        dealt.after(kinds.Sampled(at=1, action=3))
    with pytest.raises(wm.VersionMismatch):
        Match.of([msgspec.structs.replace(created, version=9)])
