"""The entries of a match's log, and their text: one JSON object each, told apart by ``kind``.

A stored log must be readable for ever. So kinds and fields are never renamed; a new field comes
with a default that says what its absence meant before, and no default ever changes. Fields that
have their default are not written. docs/reference/log-entries.md lists all kinds.

``at`` is the server's time in milliseconds since 1970. Entries say what happened, never how it was
decided: folding them needs no clock, no chance and no bot.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Literal, Union, get_args

import msgspec

from watermeet.core.errors import suggest
from watermeet.core.options import Value
from watermeet.server.matches.errors import InvalidEntry


class _Plain(msgspec.Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True):
    """A part of an entry."""


# ---- what a table chooses -----------------------------------------------------------------------


class NoTiming(_Plain, frozen=True, tag_field="kind", tag="none"):
    """Nobody is hurried."""


class Days(_Plain, frozen=True, tag_field="kind", tag="days"):
    """So many days for each turn."""

    days: int


class Live(_Plain, frozen=True, tag_field="kind", tag="live"):
    """A bank of time for each seat; every turn that ends adds the increment."""

    bank_ms: int
    increment_ms: int = 0


Timing = NoTiming | Days | Live


class Absence(_Plain, frozen=True):
    """What happens when who is to move has been away for long enough."""

    rule: Literal["claim", "stand_in", "wait"] = "claim"
    level: str = "brook"
    """Of the bot that plays on for somebody who left."""


class SeatPlan(_Plain, frozen=True):
    """Who may sit on a seat."""

    who: Literal["open", "invited", "bot"] = "open"
    level: str = ""
    """Of the bot."""


# ---- entries ------------------------------------------------------------------------------------


class Entry(
    msgspec.Struct,
    frozen=True,
    kw_only=True,
    tag_field="kind",
    forbid_unknown_fields=True,
    omit_defaults=True,
):
    """The common part of all kinds."""

    at: int


class Created(Entry, frozen=True, kw_only=True, tag="created"):
    """The first entry: the game, the table's choices, and the commitment to the secret."""

    match: str
    game: str
    version: int
    options: Mapping[str, Value] = msgspec.field(default_factory=dict)
    seats: tuple[SeatPlan, ...]
    timing: Timing = NoTiming()
    absence: Absence = Absence()
    minute_percent: int = 100
    """How long the shared minute of the game lasts here; 0: nobody keeps the time."""
    is_public: bool = False
    watch_delay_s: int = 0
    commitment: str = ""
    """Hexadecimal; empty: the draws were not made by this match and cannot be checked."""
    by: str = ""
    start: str = ""
    """The text of the state that the match begins from; empty: the game's first."""
    rematch_of: str = ""


class Joined(Entry, frozen=True, kw_only=True, tag="joined"):
    """A user sat down."""

    seat: int
    user: str
    name: str
    client_id: str = ""


class Left(Entry, frozen=True, kw_only=True, tag="left"):
    """A user stood up before the match began; the seat is free again."""

    seat: int
    client_id: str = ""


class Salted(Entry, frozen=True, kw_only=True, tag="salted"):
    """A player added to the draws what the server could not know beforehand."""

    seat: int
    salt: str
    client_id: str = ""


class Began(Entry, frozen=True, kw_only=True, tag="began"):
    """All seats were taken; clocks run from here."""


class Played(Entry, frozen=True, kw_only=True, tag="played"):
    """A seat played an action; ``spent_ms`` is what its clock lost by it."""

    seat: int
    action: int
    spent_ms: int = 0
    client_id: str = ""


class Drawn(Entry, frozen=True, kw_only=True, tag="drawn"):
    """Chance chose an action."""

    action: int


class MinuteOver(Entry, frozen=True, kw_only=True, tag="minute_over"):
    """The shared minute was over: the game's own move for that was played for the seat."""

    seat: int
    action: int


class Undone(Entry, frozen=True, kw_only=True, tag="undone"):
    """The state is as it was after entry ``to_seq``; time that was spent stays spent."""

    seat: int
    to_seq: int
    client_id: str = ""


class Offered(Entry, frozen=True, kw_only=True, tag="offered"):
    """A seat asked the others for something."""

    seat: int
    what: str
    to_seq: int = 0
    """Of an undo: see Undone."""
    client_id: str = ""


class Answered(Entry, frozen=True, kw_only=True, tag="answered"):
    """A seat agreed or did not; who withdraws an offer of its own does not."""

    seat: int
    what: str
    yes: bool
    client_id: str = ""


class Paused(Entry, frozen=True, kw_only=True, tag="paused"):
    """All clocks stand."""


class Resumed(Entry, frozen=True, kw_only=True, tag="resumed"):
    """Clocks run on from where they stood."""


class StoodIn(Entry, frozen=True, kw_only=True, tag="stood_in"):
    """From now on a bot of this level plays the seat."""

    seat: int
    level: str


class HandedBack(Entry, frozen=True, kw_only=True, tag="handed_back"):
    """Who sits there plays again."""

    seat: int
    client_id: str = ""


class Resigned(Entry, frozen=True, kw_only=True, tag="resigned"):
    """A seat gave up."""

    seat: int
    client_id: str = ""


class Claimed(Entry, frozen=True, kw_only=True, tag="claimed"):
    """A seat said that another had been away for too long; ``out``: that one counts as resigned."""

    by: int
    seat: int
    how: Literal["out", "stand_in"] = "out"
    client_id: str = ""


class TimeUp(Entry, frozen=True, kw_only=True, tag="time_up"):
    """A seat's clock had run out."""

    seat: int


class Ended(Entry, frozen=True, kw_only=True, tag="ended"):
    """The match is over: what each seat got, and by which rule."""

    returns: tuple[float, ...]
    reason: Literal["rules", "resigned", "time", "claimed", "agreed"] = "rules"


class Abandoned(Entry, frozen=True, kw_only=True, tag="abandoned"):
    """The match is gone without a result."""


class Revealed(Entry, frozen=True, kw_only=True, tag="revealed"):
    """The secret of the draws, in hexadecimal: now everybody can check them."""

    secret: str


class Rematched(Entry, frozen=True, kw_only=True, tag="rematched"):
    """All agreed to play again: the id of the new match."""

    match: str


AnyEntry = Union[  # noqa: UP007 - a value, for the decoder.
    Created, Joined, Left, Salted, Began, Played, Drawn, MinuteOver, Undone, Offered, Answered,
    Paused, Resumed, StoodIn, HandedBack, Resigned, Claimed, TimeUp, Ended, Abandoned, Revealed,
    Rematched,
]  # fmt: skip
KINDS: dict[str, type[Entry]] = {
    str(kind.__struct_config__.tag): kind for kind in get_args(AnyEntry)
}
_ENCODER = msgspec.json.Encoder(order=None)
_DECODER: msgspec.json.Decoder[Entry] = msgspec.json.Decoder(AnyEntry, strict=True)


class _AnyKind(msgspec.Struct):
    kind: str = ""


def encode(entry: Entry) -> bytes:
    """The text of an entry."""
    return _ENCODER.encode(entry)


def decode(body: bytes | str) -> Entry:
    """The entry that a text holds; raises InvalidEntry.

    >>> decode('{"kind": "drawn", "at": 5, "action": 3}')
    Drawn(at=5, action=3)
    """
    try:
        return _DECODER.decode(body)
    except msgspec.DecodeError as error:
        raise InvalidEntry(
            f"{bytes(body, 'utf-8')[:80] if isinstance(body, str) else body[:80]!r} is no entry"
            f" of a log: {error}",
            _what_would_do(body),
        ) from error


def _what_would_do(body: bytes | str) -> str:
    try:
        kind = msgspec.json.decode(body, type=_AnyKind).kind
    except msgspec.DecodeError:
        return "an entry is one JSON object"
    return (
        "docs/reference/log-entries.md tells its fields" if kind in KINDS else suggest(kind, KINDS)
    )
