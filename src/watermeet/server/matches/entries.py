"""The entries of a match's log: one JSON object each, distinguished by ``kind``.

Stored logs must stay readable, so kinds and fields are never renamed. A new field gets a default
that says what its absence used to mean, and no default ever changes. Fields that have their default
are not written. docs/reference/log-entries.md lists all kinds.

``at`` is the server's time in milliseconds since 1970. Entries say what happened, never how it was
decided: folding them needs no clock, no randomness and no bot.
"""

from __future__ import annotations

from typing import Literal, Union, get_args

import msgspec

from watermeet.core.errors import suggest
from watermeet.server.matches.errors import InvalidEntry
from watermeet.server.matches.setup import MatchSetup


class Entry(
    msgspec.Struct,
    frozen=True,
    kw_only=True,
    tag_field="kind",
    forbid_unknown_fields=True,
    omit_defaults=True,
):
    """The base of all kinds."""

    at: int


class SeatEntry(Entry, frozen=True, kw_only=True):
    """The base of what a seat did; ``client_id`` is the client's name for its command."""

    seat: int
    client_id: str = ""


class Created(Entry, frozen=True, kw_only=True, tag="created"):
    """The first entry: the setup, and the commitment to the secret."""

    match: str
    version: int
    setup: MatchSetup
    commitment: str = ""
    """Hexadecimal; empty: chance was not sampled by this match and cannot be verified."""
    by: str = ""
    start: str = ""
    """The text of the state that the match starts from; empty: the game's first."""
    rematch_of: str = ""


class Joined(SeatEntry, frozen=True, kw_only=True, tag="joined"):
    """A user took a seat."""

    user: str
    name: str
    is_guest: bool = False
    """Whether they had no account then; nobody may pass for somebody who has one.

    Nor do the names of a record that was imported, which may be anybody's.
    """


class Left(SeatEntry, frozen=True, kw_only=True, tag="left"):
    """A user left before the match began; the seat is free again."""


class Seeded(SeatEntry, frozen=True, kw_only=True, tag="seeded"):
    """A player gave a client seed, which the server could not know beforehand."""

    seed: str


class Began(Entry, frozen=True, kw_only=True, tag="began"):
    """All seats were taken; clocks run from here, or wait for an entry ``started``."""

    waits: bool = False


class Started(Entry, frozen=True, kw_only=True, tag="started"):
    """All people had arrived, or had time to: clocks run from here."""


class Played(SeatEntry, frozen=True, kw_only=True, tag="played"):
    """A seat played an action; ``spent_ms`` is what its clock lost by it."""

    action: int
    spent_ms: int = 0


class Sampled(Entry, frozen=True, kw_only=True, tag="sampled"):
    """Chance sampled an outcome."""

    action: int


class TimerExpired(Entry, frozen=True, kw_only=True, tag="timer_expired"):
    """The shared timer expired: the game's move for that was played for the seat."""

    seat: int
    action: int


class Undone(SeatEntry, frozen=True, kw_only=True, tag="undone"):
    """The state is as it was after entry ``to_seq``; time that was spent stays spent."""

    to_seq: int


class Hinted(SeatEntry, frozen=True, kw_only=True, tag="hinted"):
    """A seat was shown the best moves for the state."""


class Offered(SeatEntry, frozen=True, kw_only=True, tag="offered"):
    """A seat made the others an offer; ``to_seq`` of an undo: see Undone."""

    what: str
    to_seq: int = 0


class Responded(SeatEntry, frozen=True, kw_only=True, tag="responded"):
    """A seat accepted or declined an offer, or withdrew its own."""

    what: str
    accept: bool


class Paused(Entry, frozen=True, kw_only=True, tag="paused"):
    """All clocks stopped."""


class Resumed(Entry, frozen=True, kw_only=True, tag="resumed"):
    """Clocks run again from where they stopped."""


class VacationBegan(Entry, frozen=True, kw_only=True, tag="vacation_began"):
    """The user of a seat is on vacation: their time stands still, in all their slow matches."""

    seat: int


class VacationEnded(Entry, frozen=True, kw_only=True, tag="vacation_ended"):
    """They are back: their time runs again from where it stood."""

    seat: int


class StoodIn(Entry, frozen=True, kw_only=True, tag="stood_in"):
    """From now on a bot of this level plays the seat."""

    seat: int
    level: str


class Reclaimed(SeatEntry, frozen=True, kw_only=True, tag="reclaimed"):
    """The user of the seat plays again."""


class Resigned(SeatEntry, frozen=True, kw_only=True, tag="resigned"):
    """A seat resigned."""


class Claimed(Entry, frozen=True, kw_only=True, tag="claimed"):
    """A seat claimed that another was away for too long; ``out``: that one counts as resigned."""

    by: int
    seat: int
    how: Literal["out", "stand_in"] = "out"
    client_id: str = ""


class TimedOut(Entry, frozen=True, kw_only=True, tag="timed_out"):
    """A seat's clock ran out."""

    seat: int


class Ended(Entry, frozen=True, kw_only=True, tag="ended"):
    """The match is finished: the return of each seat, and by which rule."""

    returns: tuple[float, ...]
    reason: Literal["rules", "resigned", "timeout", "claimed"] = "rules"


AbortReason = Literal["", "nobody_joined", "cancelled", "agreed", "idle"]


class Aborted(Entry, frozen=True, kw_only=True, tag="aborted"):
    """The match ended without a result; without a ``why``, a record ends here."""

    why: AbortReason = ""


class Revealed(Entry, frozen=True, kw_only=True, tag="revealed"):
    """The secret behind the chance outcomes, in hexadecimal: now anybody can verify them."""

    secret: str


class Rematched(Entry, frozen=True, kw_only=True, tag="rematched"):
    """Everybody agreed to play again: the id of the new match."""

    match: str


AnyEntry = Union[  # noqa: UP007 - a value, for the decoder.
    Created, Joined, Left, Seeded, Began, Started, Played, Sampled, TimerExpired, Undone, Hinted,
    Offered, Responded, Paused, Resumed, VacationBegan, VacationEnded, StoodIn, Reclaimed, Resigned,
    Claimed, TimedOut, Ended, Aborted, Revealed, Rematched,
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

    >>> decode('{"kind": "sampled", "at": 5, "action": 3}')
    Sampled(at=5, action=3)
    """
    try:
        return _DECODER.decode(body)
    except msgspec.DecodeError as error:
        raise InvalidEntry(f"{body[:80]!r} isn't a log entry: {error}", _hint(body)) from error


def _hint(body: bytes | str) -> str:
    try:
        kind = msgspec.json.decode(body, type=_AnyKind).kind
    except msgspec.DecodeError:
        return "an entry is one JSON object"
    return "see docs/reference/log-entries.md" if kind in KINDS else suggest(kind, KINDS)
