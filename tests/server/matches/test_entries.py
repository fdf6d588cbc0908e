"""The text of every kind of entry, which stored logs rely on."""

from __future__ import annotations

import re
from pathlib import Path

import msgspec
import pytest

import watermeet as wm
from watermeet.server.matches import entries as kinds
from watermeet.server.matches.entries import (
    KINDS,
    Absence,
    Days,
    Entry,
    Live,
    NoTiming,
    SeatPlan,
    decode,
    encode,
)
from watermeet.server.matches.match import Match

ROOT = Path(__file__).parents[3]
PAGE = (ROOT / "docs" / "reference" / "log-entries.md").read_text(encoding="utf-8")
FULL = kinds.Created(
    at=1,
    match="m",
    game="g",
    version=2,
    options={"size": 3, "pie": True, "tie": "x"},
    seats=(SeatPlan(), SeatPlan("invited"), SeatPlan("bot", "sea")),
    timing=Live(5000, 100),
    absence=Absence("stand_in", "river"),
    minute_percent=50,
    is_public=True,
    watch_delay_s=9,
    commitment="ab",
    by="u",
    start="s",
    rematch_of="o",
)
PINNED: list[tuple[Entry, str]] = [
    (
        FULL,
        ('{"kind":"created","at":1,"match":"m","game":"g","version":2,'
        '"options":{"size":3,"pie":true,"tie":"x"},'
        '"seats":[{},{"who":"invited"},{"who":"bot","level":"sea"}],'
        '"timing":{"kind":"live","bank_ms":5000,"increment_ms":100},'
        '"absence":{"rule":"stand_in","level":"river"},"minute_percent":50,"is_public":true,'
        '"watch_delay_s":9,"commitment":"ab","by":"u","start":"s","rematch_of":"o"}'),
    ),
    (
        kinds.Created(at=1, match="m", game="g", version=1, seats=(SeatPlan(),), timing=Days(3)),
        ('{"kind":"created","at":1,"match":"m","game":"g","version":1,"seats":[{}],'
        '"timing":{"kind":"days","days":3}}'),
    ),
    (
        kinds.Joined(at=2, seat=0, user="u", name="Ada", client_id="c"),
        '{"kind":"joined","at":2,"seat":0,"user":"u","name":"Ada","client_id":"c"}',
    ),
    (kinds.Left(at=2, seat=0), '{"kind":"left","at":2,"seat":0}'),
    (kinds.Salted(at=2, seat=1, salt="s"), '{"kind":"salted","at":2,"seat":1,"salt":"s"}'),
    (kinds.Began(at=2), '{"kind":"began","at":2}'),
    (
        kinds.Played(at=3, seat=1, action=12, spent_ms=700, client_id="c"),
        '{"kind":"played","at":3,"seat":1,"action":12,"spent_ms":700,"client_id":"c"}',
    ),
    (kinds.Drawn(at=3, action=5), '{"kind":"drawn","at":3,"action":5}'),
    (
        kinds.MinuteOver(at=3, seat=1, action=5),
        '{"kind":"minute_over","at":3,"seat":1,"action":5}',
    ),
    (kinds.Undone(at=4, seat=0, to_seq=7), '{"kind":"undone","at":4,"seat":0,"to_seq":7}'),
    (
        kinds.Offered(at=4, seat=0, what="undo", to_seq=7),
        '{"kind":"offered","at":4,"seat":0,"what":"undo","to_seq":7}',
    ),
    (
        kinds.Answered(at=4, seat=1, what="undo", yes=False),
        '{"kind":"answered","at":4,"seat":1,"what":"undo","yes":false}',
    ),
    (kinds.Paused(at=5), '{"kind":"paused","at":5}'),
    (kinds.Resumed(at=6), '{"kind":"resumed","at":6}'),
    (kinds.StoodIn(at=6, seat=1, level="sea"), '{"kind":"stood_in","at":6,"seat":1,"level":"sea"}'),
    (kinds.HandedBack(at=7, seat=1), '{"kind":"handed_back","at":7,"seat":1}'),
    (kinds.Resigned(at=7, seat=1), '{"kind":"resigned","at":7,"seat":1}'),
    (kinds.Claimed(at=7, by=0, seat=1), '{"kind":"claimed","at":7,"by":0,"seat":1}'),
    (
        kinds.Claimed(at=7, by=0, seat=1, how="stand_in"),
        '{"kind":"claimed","at":7,"by":0,"seat":1,"how":"stand_in"}',
    ),
    (kinds.TimeUp(at=8, seat=1), '{"kind":"time_up","at":8,"seat":1}'),
    (
        kinds.Ended(at=9, returns=(1.0, -0.5), reason="time"),
        '{"kind":"ended","at":9,"returns":[1.0,-0.5],"reason":"time"}',
    ),
    (kinds.Ended(at=9, returns=(0.0,)), '{"kind":"ended","at":9,"returns":[0.0]}'),
    (kinds.Abandoned(at=9), '{"kind":"abandoned","at":9}'),
    (kinds.Revealed(at=9, secret="f" * 2), '{"kind":"revealed","at":9,"secret":"ff"}'),
    (kinds.Rematched(at=10, match="n"), '{"kind":"rematched","at":10,"match":"n"}'),
]  # fmt: skip


@pytest.mark.parametrize(("entry", "text"), PINNED, ids=lambda value: type(value).__name__)
def test_the_text_of_an_entry_never_changes(entry: Entry, text: str) -> None:
    assert encode(entry).decode() == text
    assert decode(text) == entry
    assert decode(text.encode()) == entry


def test_defaults_never_change() -> None:
    """What was left out of a stored entry keeps its meaning."""
    said = {
        "options": {}, "timing": NoTiming(), "absence": Absence(), "minute_percent": 100,
        "is_public": False, "watch_delay_s": 0, "commitment": "", "by": "", "start": "",
        "rematch_of": "", "client_id": "", "spent_ms": 0, "to_seq": 0, "how": "out",
        "reason": "rules",
    }  # fmt: skip
    for kind in KINDS.values():
        for field in msgspec.structs.fields(kind):
            if not field.required:
                made = field.default_factory
                default = field.default if made is msgspec.NODEFAULT else made()
                assert default == said[field.name], (kind, field.name)
    assert (Absence().rule, Absence().level) == ("claim", "brook")
    assert (SeatPlan().who, SeatPlan().level) == ("open", "")
    assert Live(5).increment_ms == 0


def test_every_kind_is_pinned_and_documented() -> None:
    assert {type(entry) for entry, _ in PINNED} == set(KINDS.values())
    rows = re.findall(r"^\| `(\w+)` \| (.*?) \|", PAGE, re.MULTILINE)
    assert [kind for kind, _ in rows] == list(KINDS)
    for kind, fields in rows:
        named = re.findall(r"`([a-z_]+)`(?! ?\))", re.sub(r"\(.*?\)", "", fields))
        assert named == [name for name in KINDS[kind].__struct_fields__ if name != "at"], kind


@pytest.mark.parametrize(
    ("text", "hint"),
    [
        ('{"kind":"plaid","at":1}', "did you mean"),
        ('{"kind":"teleported","at":1}', "there is"),
        ('{"at":1}', "there is"),
        ('{"kind":"drawn","at":1}', "log-entries.md"),
        ('{"kind":"drawn","at":1,"action":"3"}', "log-entries.md"),
        ('{"kind":"drawn","at":1,"action":3,"more":1}', "log-entries.md"),
        ('{"kind":"drawn"', "one JSON object"),
        ("[]", "one JSON object"),
        ('{"kind":7}', "one JSON object"),
    ],
)
def test_what_is_no_entry_is_refused(text: str, hint: str) -> None:
    for body in (text, text.encode()):
        with pytest.raises(wm.WatermeetError, match=re.escape(hint)) as caught:
            decode(body)
        assert caught.value.code == "invalid_entry"


def test_entries_are_values() -> None:
    with pytest.raises(AttributeError):
        FULL.at = 2  # type: ignore[misc]
    assert msgspec.structs.replace(FULL, at=2) != FULL


def test_a_log_begins_once() -> None:
    created = PINNED[1][0]
    made = msgspec.structs.replace(created, game="flume", seats=(SeatPlan(),) * 2)
    match = Match.of([made])
    assert match.seq == 1
    for log in ([], [kinds.Began(at=1)], [made, made]):
        with pytest.raises(wm.WatermeetError) as caught:
            Match.of(log)
        assert caught.value.code == "invalid_entry"


def test_a_log_that_cannot_be_is_not_folded() -> None:
    created = kinds.Created(at=1, match="m", game="kuhn_poker", version=1, seats=(SeatPlan(),) * 2)
    begun = Match.of([created, kinds.Began(at=1)])
    for wrong in (
        kinds.Played(at=1, seat=0, action=3),
        kinds.Drawn(at=1, action=3),
        kinds.Undone(at=1, seat=0, to_seq=1),
        kinds.Answered(at=1, seat=0, what="undo", yes=True),
    ):
        with pytest.raises(wm.WatermeetError):
            begun.after(wrong)
    dealt = begun.after(kinds.Drawn(at=1, action=0)).after(kinds.Drawn(at=1, action=1))
    with pytest.raises(wm.WatermeetError):
        dealt.after(kinds.Drawn(at=1, action=3))
    with pytest.raises(wm.VersionMismatch):
        Match.of([msgspec.structs.replace(created, version=9)])
