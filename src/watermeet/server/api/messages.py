"""The messages of a socket: JSON objects, distinguished by ``type``; docs/reference/protocol.md.

A client says hello first. It names each command with an ``id``, which the ack or the error repeats.
Events are numbered as in the match's log; a client that reconnects says which one it saw last, and
gets what it missed.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import Annotated, Literal, TypeVar

import msgspec
from msgspec import Meta, Struct

from watermeet.server.api.models import ClientId, MatchSummary, Problem
from watermeet.server.api.models_challenges import ChallengeInfo
from watermeet.server.api.models_seeks import SeekInfo
from watermeet.server.matches.commands import ClientCommand, Short
from watermeet.server.matches.projection import (
    Event,
    MatchDocument,
    MatchInfo,
    OutcomeInfo,
    Position,
)

PROTOCOL = 1
Phrase = Literal[
    "hello", "good_luck", "well_played", "thanks", "oops", "nice", "hurry", "sorry", "bye",
    "smile", "clap", "think", "wow", "heart",
]  # fmt: skip
"""What can be said, and the reactions; clients translate them."""
T = TypeVar("T")


class _FromClient(Struct, frozen=True, forbid_unknown_fields=True, tag_field="type"):
    """The base of what clients send."""


class _FromServer(Struct, frozen=True, tag_field="type"):
    """The base of what the server sends; clients ignore fields that they don't know."""


# ---- from the client ----------------------------------------------------------------------------


class Hello(_FromClient, frozen=True, tag="hello"):
    """The first message; the token is that of a device or a bot account."""

    protocol: int
    token: Short = ""


class Follow(_FromClient, frozen=True, tag="follow"):
    """Follow a match: as the seat of the token or of the user, otherwise as a spectator.

    ``after`` is the last entry that the client has seen. ``others`` are the tokens of further seats
    at the same screen, whose players are present as well. Clients that draw views and don't know
    our rules need no text of states: ``with_state`` false leaves it out of changes.
    """

    match: Short
    token: Short = ""
    after: int | None = None
    others: Annotated[tuple[Short, ...], Meta(max_length=15)] = ()
    with_state: bool = True


class Unfollow(_FromClient, frozen=True, tag="unfollow"):
    """Stop following a match."""

    match: Short


class SendCommand(_FromClient, frozen=True, tag="command"):
    """Do a command for the client's seat in a match that it follows."""

    id: ClientId
    match: Short
    command: ClientCommand


class Ping(_FromClient, frozen=True, tag="ping"):
    """Show that the client is there, and measure latency and the server's clock."""

    sent: float = 0.0


class Signal(_FromClient, frozen=True, tag="signal"):
    """Point something out to partners, such as a cell. Nothing is stored."""

    match: Short
    what: Annotated[str, Meta(min_length=1, max_length=32, pattern=r"^[!-~]+$")]


class Say(_FromClient, frozen=True, tag="say"):
    """Say something to everybody at the match, or react. Nothing is stored."""

    match: Short
    what: Phrase


class WatchLobby(_FromClient, frozen=True, tag="lobby"):
    """Watch the lobby: everything, only what concerns the user, or nothing any more.

    While a user watches, their seeks stay alive.
    """

    what: Literal["all", "own", "nothing"] = "all"


FromClient = (
    Hello | Follow | Unfollow | SendCommand | Ping | Signal | Say
    | WatchLobby
)  # fmt: skip


# ---- from the server ----------------------------------------------------------------------------


class Welcome(_FromServer, frozen=True, tag="welcome"):
    """The response to hello."""

    protocol: int
    version: str
    now: int
    name: str | None
    ping_ms: int
    silence_ms: int


class Snapshot(_FromServer, frozen=True, tag="snapshot"):
    """Everything that the recipient may know of a match."""

    match: str
    seq: int
    document: MatchDocument


class Changes(_FromServer, frozen=True, tag="changes"):
    """The events after entry ``after``, and the position that they led to."""

    match: str
    after: int
    seq: int
    events: list[Event]
    position: Position


class EncodedChanges(_FromServer, frozen=True, tag="changes"):
    """The same, with the position in JSON already: what its recipients share is encoded once."""

    match: str
    after: int
    seq: int
    events: list[Event]
    position: msgspec.Raw


class Ack(_FromServer, frozen=True, tag="ack"):
    """A command was done and stored: its entry has this number."""

    id: str
    match: str
    seq: int


class ErrorMessage(Problem, frozen=True, tag_field="type", tag="error"):
    """A command was refused, or a message couldn't be read."""

    id: str | None = None
    match: str | None = None


class Pong(_FromServer, frozen=True, tag="pong"):
    """The response to a ping: the server's clock, in milliseconds since 1970."""

    sent: float
    now: int


class PartnerSignal(_FromServer, frozen=True, tag="signal"):
    """A partner's signal. It isn't numbered, and absent players miss it."""

    match: str
    seat: int
    what: str


class Said(_FromServer, frozen=True, tag="said"):
    """Somebody at the match says something; the speaker hears it, too."""

    match: str
    seat: int
    what: Phrase


class ChatMessage(_FromServer, frozen=True, tag="chat"):
    """Somebody writes at a match, to everybody (players) or to spectators; or to a friend."""

    id: str
    room: str
    """players, spectators or friends."""
    name: str
    text: str
    at: int
    match: str = ""
    seat: int | None = None
    friend: str = ""
    """With whom, if it is between friends."""


class Presence(_FromServer, frozen=True, tag="presence"):
    """Which seats' players are connected: on following a match, and when that changes."""

    match: str
    seats: tuple[int, ...]


class LobbyNews(_FromServer, frozen=True, tag="lobby"):
    """Seeks and open matches, and how many people are online; whenever that changes."""

    seeks: list[SeekInfo]
    open: list[MatchSummary]
    online: int


class SeekNews(_FromServer, frozen=True, tag="seeking"):
    """What the user seeks; or ``match``, when they were paired a moment ago."""

    seeks: list[SeekInfo]
    match: str | None


class ChallengeNews(_FromServer, frozen=True, tag="challenges"):
    """Challenges from and to the user, the oldest first."""

    challenges: list[ChallengeInfo]


class Bye(_FromServer, frozen=True, tag="bye"):
    """The last message: why the connection is closed, and what to do."""

    code: str
    hint: str


# ---- on streams of REST, besides Snapshot, Changes and Bye --------------------------------------


class Heartbeat(_FromServer, frozen=True, tag="heartbeat"):
    """Nothing has happened for a while, and the connection is alive."""

    now: int


class Turn(_FromServer, frozen=True, tag="turn"):
    """It is the user's turn in a match; sent again whenever the state changes."""

    match: str
    seat: int
    seq: int
    info: MatchInfo
    position: Position


class Finished(_FromServer, frozen=True, tag="finished"):
    """A match of the user has ended; without an outcome it was aborted."""

    match: str
    seat: int
    seq: int
    outcome: OutcomeInfo | None


FromServer = (
    Welcome | Snapshot | Changes | Ack | ErrorMessage | Pong | PartnerSignal | Said | ChatMessage
    | Presence | LobbyNews | SeekNews | ChallengeNews | Bye | Heartbeat | Turn
    | Finished
)  # fmt: skip

_DECODER: msgspec.json.Decoder[FromClient] = msgspec.json.Decoder(FromClient)
_ENCODER = msgspec.json.Encoder()
_WRITTEN_NUL = re.compile(r"(?<!\\)(?:\\\\)*\\u0000")
"""NUL as JSON writes it; with one more backslash it is something else."""


def decode(text: str | bytes) -> FromClient:
    """A message of a client; raises msgspec.DecodeError, and nothing else."""
    return decode_strictly(_DECODER, text)


def decode_strictly(decoder: msgspec.json.Decoder[T], text: str | bytes) -> T:
    """Decode JSON; raises msgspec.DecodeError whatever is wrong with the text."""
    written = text if isinstance(text, str) else text.decode(errors="replace")
    if "\\u0000" in written and _WRITTEN_NUL.search(written):
        raise _nul()
    try:
        return decoder.decode(text)
    except (RecursionError, UnicodeError) as error:  # Nested too deeply; half a character.
        raise msgspec.DecodeError(str(error)) from error


def check_no_nul(texts: Iterable[str]) -> None:
    """Raise msgspec.ValidationError for a text with NUL, which no database keeps as text."""
    if any("\0" in text for text in texts):
        raise _nul()


def _nul() -> msgspec.ValidationError:
    return msgspec.ValidationError("a text has the character NUL")


def encode(message: FromServer | EncodedChanges) -> bytes:
    """The text of a message."""
    return _ENCODER.encode(message)
