"""The documents of REST, strict: what is not named here is refused, and nothing is converted."""

from __future__ import annotations

from typing import Annotated, Any, Literal

from pydantic import BaseModel, ConfigDict, Field

from watermeet.server.api.documents import Headline

Level = Annotated[str, Field(max_length=40, pattern=r"^[a-z][a-z0-9_-]*$")]


class _Strict(BaseModel):
    model_config = ConfigDict(strict=True, extra="forbid", frozen=True)


# ---- asked --------------------------------------------------------------------------------------


class SeatWish(_Strict):
    """Who may sit on a seat: anybody, somebody with a link, or a bot of a level."""

    who: Literal["open", "invited", "bot"] = "open"
    level: Level | Literal[""] = ""


class TimingWish(_Strict):
    """No clock; days for each turn; or a bank of time with an increment."""

    kind: Literal["none", "days", "live"] = "none"
    days: Annotated[int, Field(ge=1, le=30)] = 3
    bank_ms: Annotated[int, Field(ge=1_000, le=86_400_000)] = 600_000
    increment_ms: Annotated[int, Field(ge=0, le=600_000)] = 5_000


class AbsenceWish(_Strict):
    """What happens when who is to move has been away for too long."""

    rule: Literal["claim", "stand_in", "wait"] = "claim"
    level: Level = "brook"


class StartWish(_Strict):
    """Where the match begins: as another one was after so many actions, draws counted.

    The other one is over, or nothing in it is hidden. A record is brought in first.
    """

    match: Annotated[str, Field(pattern=r"^[A-Za-z0-9_-]{1,40}$")]
    ply: Annotated[int, Field(ge=0, le=1_000_000)]


class NewMatch(_Strict):
    """A table to be laid."""

    game: Annotated[str, Field(pattern=r"^[a-z][a-z0-9_]{0,39}$")]
    options: dict[str, bool | int | str] = Field(default_factory=dict, max_length=64)
    seats: Annotated[list[SeatWish], Field(min_length=1, max_length=16)]
    timing: TimingWish = TimingWish()
    absence: AbsenceWish = AbsenceWish()
    minute_percent: Annotated[int, Field(ge=0, le=1_000)] = 100
    is_public: bool = False
    watch_delay_s: Annotated[int, Field(ge=0, le=3_600)] = 0
    sit: Annotated[int, Field(ge=0, le=15)] | None = None
    """The seat that who makes the table takes at once."""
    start: StartWish | None = None


class Joining(_Strict):
    """Somebody sits down."""

    invitation: Annotated[str, Field(max_length=64)] = ""
    name: Annotated[str, Field(max_length=40)] = ""
    """How a guest wants to be called at this table; who has a name of its own goes by that."""
    salt: Annotated[str, Field(max_length=64, pattern=r"^[A-Za-z0-9_-]*$")] = ""
    """Goes into all draws of the match: then the server alone cannot have chosen them."""


class NewRecord(_Strict):
    """A record to be brought in: the text, as ``GET /api/matches/{match}/record`` gives it."""

    record: Annotated[str, Field(min_length=1)]


class NameWish(_Strict):
    """A name to be kept."""

    name: Annotated[str, Field(min_length=1, max_length=80)]


# ---- told ---------------------------------------------------------------------------------------


class Problem(BaseModel):
    """An error: the code is stable, the message says what was wrong, the hint what would do."""

    code: str
    message: str
    hint: str
    explanation: dict[str, Any] | None = None


class Health(BaseModel):
    """Whether the server is well."""

    status: Literal["ok"]


class Version(BaseModel):
    """What runs here."""

    version: str
    protocol: int


class AccountMade(BaseModel):
    """A new user; the token is shown this once."""

    user: str
    token: str
    name: str | None


class Me(BaseModel):
    """Who a token is."""

    user: str
    name: str | None
    kind: str


class SeatTaken(BaseModel):
    """A seat was taken; the token speaks for it, on any device, and is shown this once."""

    match: str
    seat: int
    token: str


class MatchMade(BaseModel):
    """A new match. For each seat that is kept for somebody: a token, and a link that holds it."""

    match: str
    seat: SeatTaken | None
    invitations: dict[str, str]
    links: dict[str, str]


class CommandDone(BaseModel):
    """What was asked is done, for good: its entry in the match's log has this number."""

    id: str
    match: str
    seq: int


class RecordBroughtIn(BaseModel):
    """A record was brought in: it is shown as this match."""

    match: str
    moves: int


class MatchListed(BaseModel):
    """A match in a list."""

    match: str
    game: str
    stage: str
    created_at: int
    changed_at: int
    headline: Headline


class MatchList(BaseModel):
    """Matches, as asked for."""

    matches: list[MatchListed]


class GameFacts(BaseModel):
    """A game: the facts that it declares, and the levels of its bots."""

    name: str
    levels: list[str]
    facts: dict[str, Any]


class Readiness(BaseModel):
    """What of a game is compiled; a server that is new on its machine does it once, in minutes."""

    rules: bool
    """Else who lays a table waits."""
    bots: bool
    """Else who plays against one waits for its first move."""


class GameList(BaseModel):
    """All games."""

    games: list[GameFacts]
