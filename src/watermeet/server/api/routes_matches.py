"""Endpoints for matches: lists, documents, pictures, records, new matches, seats and commands."""

from __future__ import annotations

import time
from typing import Annotated, Literal

import msgspec
from msgspec import Meta
from starlette.responses import PlainTextResponse, Response

from watermeet.core.errors import InvalidOptions, WatermeetError
from watermeet.core.record import Record
from watermeet.server.api import models
from watermeet.server.api.messages import Ack
from watermeet.server.api.models import MatchId, PicturePart, Ply, SeatNumber
from watermeet.server.api.routes_games import SVG, find, picture
from watermeet.server.api.routing import Call, endpoint
from watermeet.server.api.services import Services
from watermeet.server.api.streams import NDJSON, MatchStream
from watermeet.server.api.summaries import summaries
from watermeet.server.audience import check_not_delayed
from watermeet.server.bots.messages import Thoughts
from watermeet.server.errors import Forbidden, NotFound, TooLong, TooMany, Unauthorized
from watermeet.server.matches import projection
from watermeet.server.matches.commands import Hint, Join, Reclaim
from watermeet.server.matches.decide import check_hint
from watermeet.server.matches.entries import Entry
from watermeet.server.matches.errors import WrongStage
from watermeet.server.matches.match import OPEN, Match
from watermeet.server.matches.projection import MatchDocument, PastPosition
from watermeet.server.matches.records import check_continuable, log_of, record_of, state_after
from watermeet.server.matches.setup import GameName, MatchSetup
from watermeet.server.names import clean_name
from watermeet.server.people.conduct import check_may_play_rated
from watermeet.server.people.users import Caller
from watermeet.server.quotas import MatchQuota
from watermeet.server.store.rows import TokenRow
from watermeet.server.tokens import INVITE, PERSONAL, SEAT, hash_token, make_id, make_token

LISTED = 50
MAX_MOVES = 10_000
"""How many moves an imported record may have with all its variations."""
MAX_PLIES = 3_000
"""And how many of them it may have been played: whoever looks at it has all of them replayed."""
After = Annotated[int, Meta(ge=0, le=2**31 - 1, description="The last entry seen before.")]


@endpoint("GET", "/matches")
async def list_matches(
    call: Call, stage: Literal["open", "playing"] = "open", game: GameName | None = None
) -> models.MatchListResponse:
    """Public matches that wait for players, or are being played, the newest first.

    Those that wait have somebody who is connected, unless they are slow ones.
    """
    lists = call.services.lobby_lists
    found = await (lists.open(game) if stage == OPEN else lists.playing(game))
    return models.MatchListResponse([each for each in summaries(found) if each.stage == stage])


# ---- reading ------------------------------------------------------------------------------------


@endpoint("GET", "/matches/{match}", auth="optional", scope="read", errors=(403, 404))
async def get_match(call: Call, match: MatchId) -> MatchDocument:
    """Everything that the caller may know of a match, and who is connected to it."""
    found, seat = await call.seen(match)
    document = await call.services.documents.of(found, seat, call.address)
    present = await call.services.presence.present(found)
    return msgspec.structs.replace(document, present=present)


@endpoint(
    "GET", "/matches/{match}/positions/{ply}", auth="optional", scope="read", errors=(403, 404)
)
async def get_position(call: Call, match: MatchId, ply: Ply) -> PastPosition:
    """The position after the first ``ply`` actions, as the caller sees it."""
    found, seat = await call.seen(match)
    position = projection.past_position(found, ply, seat)
    if position is None:
        raise _no_position(found, ply)
    return position


@endpoint(
    "GET",
    "/matches/{match}/picture",
    auth="optional",
    scope="read",
    errors=(403, 404),
    media_type=SVG,
)
async def get_match_picture(
    call: Call,
    match: MatchId,
    ply: Ply | None = None,
    seq: After | None = None,
    part: PicturePart = "",
) -> Response:
    """A picture of what the caller sees, now or after ``ply`` actions; or of the board alone.

    If ``seq`` is the last entry that the caller may see, the picture may be kept for good.
    """
    call.check_address(call.services.pictures)
    found, seat = await call.seen(match)
    state = found.state if ply is None else projection.state_at(found, ply)
    if state is None:
        raise _no_position(found, ply or 0)
    # Lists ask for many at once.
    svg = await call.work(state.render_svg, seat, part=part)
    response = picture(svg, found.setup.game)
    if seq == found.seq:
        response.headers["Cache-Control"] = "private, max-age=31536000, immutable"
        response.headers["Vary"] = "Authorization"
    return response


def _no_position(match: Match, ply: int) -> NotFound:
    return NotFound(f"there is no position {ply}", f"there are 0 to {len(match.steps())}")


@endpoint(
    "GET",
    "/matches/{match}/record",
    auth="optional",
    scope="read",
    errors=(403, 404),
    media_type="text/plain",
)
async def get_record(call: Call, match: MatchId) -> Response:
    """The match as text; before its end only if it has no hidden information."""
    live = await call.services.matches.current(match)
    await call.seat_in(live.match)
    check_not_delayed(live.match)
    return PlainTextResponse(await call.work(_record_text, live.match))


def _record_text(match: Match) -> str:
    return record_of(match).format()


@endpoint(
    "GET",
    "/matches/{match}/events",
    auth="optional",
    scope="read",
    errors=(401, 403, 404),
    media_type=NDJSON,
)
async def stream_events(call: Call, match: MatchId, after: After | None = None) -> Response:
    """What a socket that follows the match is sent, one message a line, until it ends."""
    live = await call.services.matches.current(match)
    streams = call.request.app.state.streams
    streams.check_capacity()
    viewer = await call.viewer(live.match)
    return MatchStream(streams, call.token, match, viewer, after, call.address)


# ---- creating -----------------------------------------------------------------------------------


@endpoint("POST", "/matches", status=201, auth="required", scope="play", errors=(403, 404, 409))
async def create_match(call: Call, body: models.MatchRequest) -> models.MatchResponse:
    """Create a match, from the beginning or from a position of another match."""
    services, user = call.services, await call.beginner()
    call.check_rate()
    find(body.game)
    setup, start = msgspec.convert(body, MatchSetup, from_attributes=True), ""
    if setup.is_rated and not user.is_registered:
        raise Forbidden("only people with an account play rated matches", "make it casual")
    if setup.is_rated:
        await check_may_play_rated(services.store, user.id, services.now())
    if body.start is not None:
        setup, start = await _continued(call, body.start, setup)
    invitations: dict[str, str] = {}

    def invite(match: str) -> list[TokenRow]:
        rows = []
        for seat, plan in enumerate(setup.seats):
            if plan.who == "invited":
                token = invitations[str(seat)] = make_token()
                rows.append(TokenRow(hash_token(token), INVITE, None, match, seat, services.now()))
        return rows

    match, quota = make_id(), _quota(services, setup)
    if quota is not None:
        await quota.take(match, user.id, call.address)
    try:
        await services.matches.create(setup, invite, by=user.id, start=start, match=match)
    finally:
        if quota is not None:
            quota.created(match)
    await services.presence.touch_new(match)
    taken = None
    if body.seat is not None:
        joining = models.JoinRequest()
        caller = await call.caller()
        taken = await take_seat(services, match, body.seat, caller, joining, is_invited=True)
    base = services.settings.public_url.rstrip("/") or str(call.request.base_url).rstrip("/")
    # In the fragment, which browsers keep to themselves: no server, proxy or log sees the token.
    links = {
        seat: f"{base}/match/{match}#seat={seat}&invitation={token}"
        for seat, token in invitations.items()
    }
    return models.MatchResponse(match, taken, invitations, links)


def _quota(services: Services, setup: MatchSetup) -> MatchQuota | None:
    """What limits the number of such matches; None: nothing."""
    if all(plan.who == "bot" for plan in setup.seats):
        return services.bot_matches
    return services.open_matches if setup.is_public else None


async def _continued(
    call: Call, start: models.StartRequest, setup: MatchSetup
) -> tuple[MatchSetup, str]:
    """The setup with the options of another match, and the state to start from."""
    live = await call.services.matches.current(start.match)
    await call.seat_in(live.match)
    check_continuable(live.match)
    check_not_delayed(live.match)
    record, state = await call.work(_record_and_state, live.match, start.ply)
    game, options = record.game.name, dict(record.game.options)
    if setup.game != game:
        raise InvalidOptions(f"{setup.game} can't continue a match of {game}", f"play {game}")
    if any(options.get(name) != value for name, value in setup.options.items()):
        raise InvalidOptions(f"the match was played with {options}", "leave the options out")
    return msgspec.structs.replace(setup, options=options), state


def _record_and_state(match: Match, ply: int) -> tuple[Record, str]:
    """The record of a match, and the state after so many actions."""
    record = record_of(match)
    return record, state_after(record, ply)


@endpoint("POST", "/records", status=201, auth="required", scope="play", errors=(403, 409))
async def import_record(call: Call, body: models.RecordRequest) -> models.RecordResponse:
    """Import a record, to view it, share it or continue from it.

    Its chance outcomes can't be verified. Those of people without an account stay for thirty days.
    """
    services, user = call.services, await call.beginner()
    call.check_rate()
    match, now = make_id(), services.now()
    log, folded = await call.work(_imported, body.record, match, now)
    for party in (user.id, call.address):
        if not services.imports.take(party, time.monotonic(), len(log)):
            raise TooMany("too much is imported from here", "wait, or import shorter records")
    await services.store.add_import(match, user.id, now)  # First: all that is there is known.
    await services.matches.import_log(log, folded)
    return models.RecordResponse(match, sum(hasattr(entry, "action") for entry in log))


def _imported(text: str, match: str, now: int) -> tuple[tuple[Entry, ...], Match]:
    """A record as a log and as the match that it leads to; raises TooLong."""
    record = Record.parse(text, most=MAX_MOVES)
    if len(record.entries) > MAX_PLIES:
        what = f"a match of {len(record.entries)} moves is too long"
        raise TooLong(what, f"import {MAX_PLIES} moves at most")
    log = log_of(record, match, now)
    return log, Match.of(log)


# ---- seats --------------------------------------------------------------------------------------


@endpoint(
    "POST",
    "/matches/{match}/seats/{seat}",
    status=201,
    auth="required",
    scope="play",
    errors=(403, 404, 409),
)
async def join_match(
    call: Call, match: MatchId, seat: SeatNumber, body: models.JoinRequest
) -> models.JoinResponse:
    """Take a seat. The returned token speaks for the seat on any device."""
    services, caller = call.services, await call.caller()
    call.check_rate()  # Every time a new token is stored.
    live = await services.matches.current(match)
    own = await call.seat_in(live.match)  # Raises PlayersOnly.
    if own is None and live.match.stage != OPEN:  # How it goes on isn't for everybody.
        raise WrongStage("the match has begun, or was cancelled", "watch it, or join another")
    invited = await services.people.invited_seat(live.match, body.invitation)
    return await take_seat(services, match, seat, caller, body, is_invited=invited == seat)


async def own_seat(call: Call, match: Match) -> int:
    """The seat of the token; raises Unauthorized, Forbidden."""
    if not call.token:
        raise Unauthorized("this request has no token", "send that of a seat")
    seat = await call.seat_in(match)
    if seat is None:
        raise Forbidden("spectators can't do that", "take a seat")
    return seat


@endpoint(
    "POST", "/matches/{match}/commands", auth="required", scope="play", errors=(403, 404, 409)
)
async def send_command(call: Call, match: MatchId, body: models.CommandRequest) -> Ack:
    """Do a command for the seat of the token, as through a socket.

    A client that got no response sends it again with the same ``id``: it isn't done twice.
    """
    services, matches = call.services, call.services.matches
    live = await matches.current(match)
    seat = await own_seat(call, live.match)
    if isinstance(body.command, Reclaim):
        await services.presence.touch(match, seat)  # matches.touch would reclaim the seat itself.
    else:
        await matches.touch(match, seat)
    started = time.perf_counter()
    user = live.match.seats[seat].user
    matches.ranks.note_address(user, call.address)
    try:
        seq = await matches.do(match, seat, body.command, client_id=body.id, user=user)
    except WatermeetError as error:
        services.metrics.commands.labels(error.code).inc()
        raise
    services.metrics.command_seconds.observe(time.perf_counter() - started)
    services.metrics.ok_commands.inc()
    return Ack(body.id, match, seq)


@endpoint("POST", "/matches/{match}/hints", auth="required", scope="play", errors=(403, 404, 409))
async def get_hint(call: Call, match: MatchId) -> Thoughts:
    """The best moves for the seat of the token, which is to move, by what that seat knows.

    Only in matches that one person plays, against bots or alone. Each position's first hint is
    counted, and everybody can see the count.
    """
    found, seat = await hinted(call, match)
    thoughts = await call.services.pool.think(found, seat)
    await count_hint(call, found, seat)
    return thoughts


async def hinted(call: Call, match: str) -> tuple[Match, int]:
    """A match, and its seat that may have a hint now; raises NoHints, NotYourTurn, TooMany."""
    live = await call.services.matches.current(match)
    seat = await own_seat(call, live.match)
    await call.services.matches.touch(match, seat)
    found = live.match
    check_hint(found, seat)
    if not call.services.hints.take(found.seats[seat].user, time.monotonic()):
        raise TooMany("that was a hint too soon", "think for a few seconds yourself")
    return found, seat


async def count_hint(call: Call, match: Match, seat: int) -> None:
    """Note in the log that a hint for this state is about to be shown."""
    await call.services.matches.do(match.id, seat, Hint(match.seq), user=match.seats[seat].user)


async def take_seat(
    services: Services,
    match: str,
    seat: int,
    caller: Caller,
    request: models.JoinRequest,
    *,
    is_invited: bool,
) -> models.JoinResponse:
    """Seat a user and return a token for the seat, which lasts no longer than theirs.

    Raises Blocked, CoolingDown, and Unauthorized if theirs has ended meanwhile.
    """
    user = caller.user
    token = make_token()
    row = TokenRow(hash_token(token), SEAT, user.id, match, seat, services.now())
    if caller.token.kind == PERSONAL:
        row = row._replace(expires_at=caller.token.expires_at)
    name = user.name or "Guest"
    if user.name is None and request.name:
        name = clean_name(request.name)
        await services.people.check_free(name, user.id)
    command = Join(
        user=user.id,
        name=name,
        seed=request.seed,
        is_invited=is_invited,
        is_registered=user.is_registered,
        is_guest=user.is_guest,
    )
    await services.matches.do(match, seat, command)
    await services.store.add_token(row, caller.token.hash)
    return models.JoinResponse(match, seat, token)
