"""Bodies of REST, strict: unknown fields are refused, and nothing is converted.

What is sent of a match is declared in ``matches/projection.py``, and commands in
``matches/commands.py``: clients get and send the same structs everywhere.
"""

from __future__ import annotations

from typing import Annotated, Any, Literal

from msgspec import Meta, Struct

from watermeet.core.game import GameFacts
from watermeet.core.options import Value
from watermeet.server.matches.commands import ClientCommand, Short
from watermeet.server.matches.projection import Headline, Move
from watermeet.server.matches.setup import MatchSetup
from watermeet.server.people.ratings.fold import Kind

MatchId = Annotated[str, Meta(pattern=r"^[A-Za-z0-9_-]{1,40}$", description="The match.")]
SeatNumber = Annotated[int, Meta(ge=0, le=15, description="From 0.")]
Ply = Annotated[int, Meta(ge=0, le=1_000_000, description="How many actions, chance included.")]
PicturePart = Annotated[Literal["", "board"], Meta(description="Empty for the whole picture.")]
ClientId = Annotated[str, Meta(min_length=1, max_length=64, pattern=r"^[!-~]+$")]


class _Request(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """The base of request bodies."""


# ---- requests -----------------------------------------------------------------------------------


class StartRequest(_Request, frozen=True, kw_only=True):
    """Start from another match after ``ply`` actions.

    That match has ended; or it hides nothing, and at most one person still plays it. A record is
    imported first.
    """

    match: MatchId
    ply: Ply


class MatchRequest(MatchSetup, frozen=True, kw_only=True):
    """A match to create; ``seat`` is the one that its creator takes."""

    seat: SeatNumber | None = None
    start: StartRequest | None = None


class JoinRequest(_Request, frozen=True, kw_only=True):
    """A seat to take.

    ``name`` is for guests; users with a name go by that. ``seed`` is a client seed: with one, the
    server alone can't have chosen the chance outcomes.
    """

    invitation: Short = ""
    name: Annotated[str, Meta(max_length=40)] = ""
    seed: Annotated[str, Meta(pattern=r"^[A-Za-z0-9_-]{0,64}$")] = ""


class CommandRequest(_Request, frozen=True, kw_only=True):
    """A command for the seat of the token; with the same ``id`` it isn't done twice."""

    id: ClientId
    command: ClientCommand


class RecordRequest(_Request, frozen=True, kw_only=True):
    """A record to import: the text, as ``GET /api/matches/{match}/record`` gives it."""

    record: Annotated[str, Meta(min_length=1)]


class FoundAction(_Request, frozen=True, kw_only=True):
    """An action that an engine considered."""

    action: Annotated[int, Meta(ge=0)]
    value: float
    visits: Annotated[int, Meta(ge=0)]


class FoundRequest(_Request, frozen=True, kw_only=True):
    """What an engine found in the state after entry ``seq``, the best candidate first."""

    seq: int
    candidates: Annotated[list[FoundAction], Meta(min_length=1, max_length=5)]
    pv: Annotated[list[int], Meta(max_length=16)]
    nodes: Annotated[int, Meta(ge=0)]
    seconds: Annotated[float, Meta(ge=0)]
    proven: bool


class NameRequest(_Request, frozen=True, kw_only=True):
    """A name to reserve."""

    name: Annotated[str, Meta(min_length=1, max_length=80)]


Password = Annotated[str, Meta(max_length=1_000, description="8 to 256 characters.")]
SignInName = Annotated[str, Meta(min_length=1, max_length=80)]
Code = Annotated[str, Meta(min_length=1, max_length=64)]


class SignUpRequest(_Request, frozen=True, kw_only=True):
    """An account for the guest of the token."""

    name: SignInName
    password: Password
    invitation: Annotated[str, Meta(max_length=64)] = ""


Device = Annotated[
    str, Meta(max_length=64, description="The mark of a device where the user has signed in.")
]


class SignInRequest(_Request, frozen=True, kw_only=True):
    """A name and its password.

    With the ``device`` of the last response here, attempts of others don't count.
    """

    name: SignInName
    password: Password
    device: Device = ""


class CodeRequest(_Request, frozen=True, kw_only=True):
    """A code that was made on another device."""

    code: Code


class PasswordRequest(_Request, frozen=True, kw_only=True):
    """The user's password; empty for guests, who have none."""

    password: Password = ""


class NewPasswordRequest(_Request, frozen=True, kw_only=True):
    """The user's password, and the one that replaces it."""

    password: Password
    new_password: Password


# ---- responses ----------------------------------------------------------------------------------


class Problem(Struct, frozen=True, omit_defaults=True):
    """An error: the code is stable, the message says what is wrong, the hint what to do.

    ``facts`` are values for a translation: the ``line`` and ``column`` of a record.
    """

    code: str
    message: str
    hint: str
    explanation: dict[str, Any] | None = None
    facts: dict[str, int] = {}


class HealthResponse(Struct, frozen=True):
    """Whether the server is well."""

    status: Literal["ok"] = "ok"


class StatusResponse(Struct, frozen=True):
    """How the server is, for people. Times are milliseconds since 1970.

    ``moves``: whether moves can be stored, and ``moves_since`` since when it has been so. ``bots``:
    whether bots answer people in time, and ``bot_wait_ms`` how long the first of them has been
    waiting; null where nobody knows, because the database is down.
    """

    moves: Literal["ok", "down"]
    moves_since: int
    bots: Literal["ok", "slow", "down"] | None
    bot_wait_ms: int | None
    version: str
    started_at: int
    now: int


class VersionResponse(Struct, frozen=True):
    """What runs here."""

    version: str
    protocol: int


class AddressListResponse(Struct, frozen=True):
    """Where other devices reach this server, the likeliest first; none: they can't."""

    addresses: list[str]


class AccountResponse(Struct, frozen=True):
    """A new user, or a new session; the token is shown only this once."""

    user: str
    token: str
    name: str | None
    device: str = ""
    """To be sent when somebody signs in here again; empty if nobody has proved who they are."""


class UserResponse(Struct, frozen=True):
    """Whom a token belongs to."""

    user: str
    name: str | None
    kind: str
    is_registered: bool
    """Whether they have an account."""
    role: str = "player"
    """player, moderator or administrator."""
    guest_chat: bool = False
    """Whether guests chat on this server; said by ``GET /me``."""


class SignUpResponse(Struct, frozen=True):
    """A user with a new account."""

    user: UserResponse
    device: str = ""
    """To be sent when somebody signs in here again; empty if nobody has proved who they are."""


class DeviceCodeResponse(Struct, frozen=True):
    """A code that signs in another device, once."""

    code: str
    expires_at: int


class SessionInfo(Struct, frozen=True):
    """A device where the user is signed in; ``used_at`` is the hour of its last use."""

    session: str
    device: str
    is_current: bool
    created_at: int
    used_at: int | None
    expires_at: int | None


class SessionListResponse(Struct, frozen=True):
    """The user's sessions, the last used first."""

    sessions: list[SessionInfo]


class DeletionResponse(Struct, frozen=True):
    """The user doesn't exist any more."""

    deleted: bool = True


class JoinResponse(Struct, frozen=True):
    """A seat was taken; its token works on any device and is shown only this once."""

    match: str
    seat: int
    token: str


class MatchResponse(Struct, frozen=True):
    """A new match. For each seat by invitation: a token, and a link that contains it."""

    match: str
    seat: JoinResponse | None
    invitations: dict[str, str]
    links: dict[str, str]


class RecordResponse(Struct, frozen=True):
    """A record was imported as this match."""

    match: str
    moves: int


class MatchSummary(Struct, frozen=True):
    """A match in a list; ``seat`` is the caller's, in a list of their own matches."""

    match: str
    game: str
    stage: str
    created_at: int
    changed_at: int
    headline: Headline
    seat: int | None = None


class MatchData(MatchSummary, frozen=True):
    """A match of the user, with its moves as far as they may see them; none if it can't be read."""

    moves: tuple[Move, ...] = ()


class MatchListResponse(Struct, frozen=True):
    """A list of matches."""

    matches: list[MatchSummary]


class Game(Struct, frozen=True):
    """A game: what it declares of itself, and the levels of its bots."""

    name: str
    levels: list[str]
    level_options: dict[str, dict[str, list[Value]]]
    """By level: the values of options that it is for; most levels are for all."""
    facts: GameFacts
    lessons: int
    """How many steps its lessons have; 0 without lessons."""
    openings: bool
    """Whether its openings can be explored: no chance, and nothing hidden."""
    puzzles: int
    """How many puzzles it has."""


class GameListResponse(Struct, frozen=True):
    """All games."""

    games: list[Game]


class NetworkTask(Struct, frozen=True):
    """A network that an engine plays with, at ``/api/games/{game}/networks/{digest}``.

    ``lengths`` are those of its arrays, ``board`` is the end of its ``sizes``, ``places`` are those
    of the actions' logits, in base64, and a value of 1 is a return of ``middle + reach``.
    """

    digest: str
    lengths: dict[str, int]
    board: list[int]
    places: str
    reach: float
    middle: float


class EngineTask(Struct, frozen=True):
    """How to search a state, as its seat to move knows it, with the engine of its game.

    ``state`` is the array in base64, ``search`` the function of the module to call; if it is empty,
    the game's priors decide. ``nodes`` and ``seconds`` are the limits of the level.
    """

    game: str
    state: str
    seat: int
    moves: list[str]
    search: str
    settings: dict[str, float]
    seats: int
    actions: int
    max_length: int
    nodes: int | None
    seconds: float | None
    temperature: float
    network: NetworkTask | None = None


class EngineResponse(Struct, frozen=True):
    """Where the module of the game is, what to search, and the entry that the state is after."""

    module: str
    task: EngineTask
    seq: int


class RatingInfo(Struct, frozen=True):
    """A rating in a pool: a game, and a kind of match.

    It is as sure as its ``deviation`` says today; above 110 it is provisional.
    """

    game: str
    kind: Kind
    rating: int
    deviation: int
    is_provisional: bool
    matches: int
    """How many rated matches it is based on."""
    at: int
    """When the last of them ended."""


class RatingsResponse(Struct, frozen=True):
    """All ratings of a user."""

    ratings: list[RatingInfo]


class LeaderInfo(Struct, frozen=True):
    """Somebody on a leaderboard."""

    name: str
    rating: int
    deviation: int
    matches: int


class LevelRatingInfo(Struct, frozen=True):
    """How strong a level of bots is."""

    level: str
    rating: int
    deviation: int


class LeaderboardResponse(Struct, frozen=True):
    """The best active players, and the bots for comparison, from weak to strong."""

    game: str
    kind: Kind
    kinds: tuple[Kind, ...]
    """All kinds of the game's matches."""
    leaders: list[LeaderInfo]
    bots: list[LevelRatingInfo]


class PuzzleResultData(Struct, frozen=True):
    """How the user did in a puzzle at the first try."""

    game: str
    puzzle: str
    is_solved: bool
    rating: int
    at: int


class MessageData(Struct, frozen=True):
    """A message that a user wrote, at a match or to a friend."""

    at: int
    match: str
    text: str


class ReadinessResponse(Struct, frozen=True):
    """What of a game is compiled; on a new machine that takes minutes, once."""

    rules: bool
    bots: bool
    engine: bool
    """Whether browsers can run the game's engine."""
