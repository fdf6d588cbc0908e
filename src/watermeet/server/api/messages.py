"""The messages of a socket: JSON objects, told apart by ``type``; docs/reference/protocol.md.

A client says hello first. What it asks for it numbers with an ``id`` of its own; the answer, Done
or Refused, has the same. Events have the numbers of the match's log; who comes back says which one
it saw last, and gets what it missed.
"""

from __future__ import annotations

from typing import Annotated, Any, Literal, TypeVar

import msgspec

PROTOCOL = 1
T = TypeVar("T")

Id = msgspec.Meta(min_length=1, max_length=64)
ClientId = msgspec.Meta(min_length=1, max_length=64, pattern=r"^[!-~]+$")
Short = msgspec.Meta(max_length=64)
Text = msgspec.Meta(max_length=200)
Shown = msgspec.Meta(min_length=1, max_length=32, pattern=r"^[!-~]+$")


class _Strict(msgspec.Struct, frozen=True, forbid_unknown_fields=True, tag_field="type"):
    """What a client may say: nothing but this."""


class _Told(msgspec.Struct, frozen=True, tag_field="type"):
    """What the server says; clients pass over fields that they do not know."""


# ---- commands of a seat -------------------------------------------------------------------------


class _Asked(msgspec.Struct, frozen=True, forbid_unknown_fields=True, tag_field="do"):
    """Something that a seat wants done."""


class Play(_Asked, frozen=True, tag="play"):
    """A move by its text, or an action by its number."""

    move: Annotated[str, Text] | int
    at_seq: int | None = None


class Undo(_Asked, frozen=True, tag="undo"):
    """Takes back, without asking, where that is free."""

    to_seq: int | None = None


class Offer(_Asked, frozen=True, tag="offer"):
    """Asks the others: undo, pause, resume, draw, stop or rematch."""

    what: Annotated[str, Short]
    to_seq: int | None = None


class Answer(_Asked, frozen=True, tag="answer"):
    """Says yes or no to what another offers."""

    what: Annotated[str, Short]
    yes: bool


class Resign(_Asked, frozen=True, tag="resign"):
    """Gives up."""


class Claim(_Asked, frozen=True, tag="claim"):
    """Says that another has been away for too long."""

    absent: int
    how: Literal["out", "stand_in"] = "out"


class HandBack(_Asked, frozen=True, tag="hand_back"):
    """Takes the seat back from the bot that stood in."""


class Leave(_Asked, frozen=True, tag="leave"):
    """Stands up before the match begins."""


class Salt(_Asked, frozen=True, tag="salt"):
    """Adds salt to the draws, before the match begins."""

    salt: Annotated[str, Text]


Asked = Play | Undo | Offer | Answer | Resign | Claim | HandBack | Leave | Salt


class Order(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """What Do says, by REST: the match is in the address."""

    id: Annotated[str, ClientId]
    command: Asked


# ---- from the client ----------------------------------------------------------------------------


class Hello(_Strict, frozen=True, tag="hello"):
    """The first message: which protocol, and whose device or bot account."""

    protocol: int
    token: Annotated[str, Short] = ""


class Follow(_Strict, frozen=True, tag="follow"):
    """Wants to hear of a match: as the seat of the token, or of the user; else as a watcher."""

    match: Annotated[str, Short]
    token: Annotated[str, Short] = ""
    after: int | None = None
    """The last entry that it has seen; None: it has seen nothing."""


class Unfollow(_Strict, frozen=True, tag="unfollow"):
    """Wants to hear of it no more."""

    match: Annotated[str, Short]


class Do(_Strict, frozen=True, tag="do"):
    """Wants something done for its seat of a match that it follows."""

    id: Annotated[str, Id]
    match: Annotated[str, Short]
    command: Asked


class Ping(_Strict, frozen=True, tag="ping"):
    """Is still there, and measures the line and the server's clock."""

    sent: float = 0.0


class Sign(_Strict, frozen=True, tag="sign"):
    """Shows partners something, such as a cell or a move that is thought of. Nothing is kept."""

    match: Annotated[str, Short]
    what: Annotated[str, Shown]


FromClient = Hello | Follow | Unfollow | Do | Ping | Sign


# ---- from the server ----------------------------------------------------------------------------


class Welcome(_Told, frozen=True, tag="welcome"):
    """The answer to hello."""

    protocol: int
    version: str
    now: int
    name: str | None
    ping_ms: int
    silence_ms: int


class Snapshot(_Told, frozen=True, tag="snapshot"):
    """All that the seat may know of a match."""

    match: str
    seq: int
    document: dict[str, Any]


class Changes(_Told, frozen=True, tag="changes"):
    """What happened behind entry ``after``, and how the match stands since."""

    match: str
    after: int
    seq: int
    events: list[dict[str, Any]]
    position: dict[str, Any]


class Done(_Told, frozen=True, tag="done"):
    """What was asked is done, for good: its entry has this number."""

    id: str
    match: str
    seq: int


class Refused(_Told, frozen=True, tag="refused"):
    """What was asked is not done, or the message could not be read."""

    code: str
    message: str
    hint: str
    id: str | None = None
    match: str | None = None
    explanation: dict[str, Any] | None = None


class Pong(_Told, frozen=True, tag="pong"):
    """The answer to a ping: the server's clock, in milliseconds since 1970."""

    sent: float
    now: int


class Signed(_Told, frozen=True, tag="signed"):
    """A partner's sign. It has no number, and who is away misses it."""

    match: str
    seat: int
    what: str


class Bye(_Told, frozen=True, tag="bye"):
    """The last message: why the socket is closed, and what would do."""

    code: str
    hint: str


# ---- on streams of REST, beside Snapshot, Changes and Bye ---------------------------------------


class Beat(_Told, frozen=True, tag="beat"):
    """Nothing has happened for a while, and the line is whole."""

    now: int


class Turn(_Told, frozen=True, tag="turn"):
    """It is the user's turn in a match; told anew whenever the state has changed."""

    match: str
    seat: int
    seq: int
    table: dict[str, Any]
    position: dict[str, Any]


class Over(_Told, frozen=True, tag="over"):
    """A match of the user is over; without an outcome it is gone."""

    match: str
    seat: int
    seq: int
    outcome: dict[str, Any] | None


FromServer = (
    Welcome | Snapshot | Changes | Done | Refused | Pong | Signed | Bye | Beat | Turn | Over
)

_DECODER: msgspec.json.Decoder[FromClient] = msgspec.json.Decoder(FromClient)
_ENCODER = msgspec.json.Encoder()


def decode(text: str | bytes) -> FromClient:
    """A message of a client; raises msgspec.DecodeError, and nothing else."""
    return decode_strictly(_DECODER, text)


def decode_strictly(decoder: msgspec.json.Decoder[T], text: str | bytes) -> T:
    """What a decoder reads; raises msgspec.DecodeError whatever is wrong with the text."""
    try:
        return decoder.decode(text)
    except (RecursionError, UnicodeError) as error:  # Nested too deeply; half a character.
        raise msgspec.DecodeError(str(error)) from error


def encode(message: FromServer) -> bytes:
    """The text of a message."""
    return _ENCODER.encode(message)
