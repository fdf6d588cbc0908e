"""Endpoints for accounts: signing up and in, sessions, data and deletion."""

from __future__ import annotations

import asyncio
import logging
import time
from typing import Annotated

import msgspec
from msgspec import Meta

from watermeet.server.api import models, models_accounts
from watermeet.server.api.models_challenges import challenge_info
from watermeet.server.api.models_data import DataResponse, ReportData
from watermeet.server.api.models_seeks import seek_info
from watermeet.server.api.routes_moderation import notice_infos
from watermeet.server.api.routes_people import account_response, own_summaries, user_response
from watermeet.server.api.routes_profiles import rating_history
from watermeet.server.api.routes_push import calls_data
from watermeet.server.api.routes_ratings import ratings_of
from watermeet.server.api.routing import Call, endpoint
from watermeet.server.errors import TooMany
from watermeet.server.logs import fields
from watermeet.server.matches import projection
from watermeet.server.matches.projection import Move
from watermeet.server.people.accounts import session_id
from watermeet.server.people.chat import match_of_room
from watermeet.server.people.passkeys import encode_id
from watermeet.server.store.rows import UserRow
from watermeet.server.tokens import PERSONAL, hash_token

LOG = logging.getLogger(__name__)
ALL = 1_000_000
SessionId = Annotated[
    str,
    Meta(
        pattern=r"^[A-Za-z0-9_-]{1,40}$",
        description="A session of the list, or ``current``: the one of the request.",
    ),
]


@endpoint("GET", "/accounts")
async def get_account_options(call: Call) -> models_accounts.AccountOptionsResponse:
    """Who may sign up here, and what else the host has set up."""
    services = call.services
    has_mail = services.mail_addresses.is_on
    return models_accounts.AccountOptionsResponse(services.settings.sign_up, has_mail)


@endpoint("GET", "/me/account", auth="required", scope=None)
async def get_account(call: Call) -> models_accounts.AccountInfoResponse:
    """How the user of the token can sign in."""
    user, store = await call.user(), call.services.store
    return models_accounts.AccountInfoResponse(
        name=user.name,
        is_registered=user.is_registered,
        has_password=await store.password(user.id) is not None,
        mail_address=await store.mail_address(user.id),
        passkeys=[
            models_accounts.PasskeyInfo(encode_id(row.id), row.label, row.created_at, row.used_at)
            for row in await store.passkeys(user.id)
        ],
    )


@endpoint("POST", "/me/account", status=201, auth="required", scope=None, errors=(403, 409))
async def sign_up(call: Call, body: models.SignUpRequest) -> models.SignUpResponse:
    """Give the guest of the token an account. Everything of theirs stays theirs.

    Other devices are signed out: one may be somebody else's.
    """
    user = await call.user()
    call.check_rate()
    made = await call.services.accounts.sign_up(
        user, body.name, body.password, call.token, body.invitation, address=call.address
    )
    await call.services.persons.reload(user.id)
    return models.SignUpResponse(user_response(made.user), made.device)


@endpoint("POST", "/sessions", status=201, errors=(403,))
async def sign_in(call: Call, body: models.SignInRequest) -> models.AccountResponse:
    """Sign in on this device. Wrong passwords and unknown names get the same response."""
    found = await call.services.accounts.sign_in(
        body.name, body.password, call.device, call.address, body.device
    )
    return account_response(found)


@endpoint("POST", "/sessions/device", status=201, errors=(403,))
async def redeem_device_code(call: Call, body: models.CodeRequest) -> models.AccountResponse:
    """Be the same user, or guest, as on the device that made the code."""
    found = await call.services.accounts.continue_here(body.code, call.device, call.address)
    return account_response(found)


@endpoint("POST", "/me/device-code", status=201, auth="required", scope=None)
async def create_device_code(call: Call) -> models.DeviceCodeResponse:
    """Make a code for another device: it works once, within five minutes."""
    user = await call.user()
    call.check_rate()
    return models.DeviceCodeResponse(*await call.services.accounts.device_code(user, call.token))


@endpoint("PUT", "/me/password", auth="required", scope=None, errors=(403, 409))
async def change_password(call: Call, body: models.NewPasswordRequest) -> models.UserResponse:
    """Change the password, and sign out everywhere else; personal access tokens end, too."""
    user = await call.user()
    proof = call.proof(user, body.password)
    await call.services.accounts.change_password(proof, body.new_password)
    return user_response(user)


@endpoint("GET", "/me/sessions", auth="required", scope=None)
async def list_sessions(call: Call) -> models.SessionListResponse:
    """Where the user is signed in."""
    return models.SessionListResponse(await _sessions(call, await call.user()))


@endpoint("DELETE", "/me/sessions", auth="required", scope=None)
async def end_other_sessions(call: Call) -> models.SessionListResponse:
    """Sign out everywhere else; tokens of seats and personal access tokens end, too."""
    user = await call.user()
    await call.services.accounts.end_other_sessions(user, call.token)
    return models.SessionListResponse(await _sessions(call, user))


@endpoint("DELETE", "/me/sessions/{session}", auth="required", scope=None, errors=(404,))
async def end_session(call: Call, session: SessionId) -> models.SessionListResponse:
    """Sign out a device. A guest who signs out the last one never gets back in."""
    user, accounts = await call.user(), call.services.accounts
    if session == "current":
        await accounts.revoke(user, hash_token(call.token))
    else:
        await accounts.end_session(user, session)
    return models.SessionListResponse(await _sessions(call, user))


@endpoint("GET", "/me/data", auth="required", scope=None)
async def export_data(call: Call) -> DataResponse:
    """All that the server has about the user."""
    user, services = await call.user(), call.services
    if not services.exports.take(user.id, time.monotonic()):
        raise TooMany("you have all your data already", "wait a minute")
    matches = await own_summaries(call, user, await services.accounts.matches_of(user))
    ties = [await services.company.ties(user, kind) for kind in ("follow", "block", "mute")]
    names = [[each.shown for each in of_kind] for of_kind in ties]
    tokens = await services.store.tokens_of(user.id)
    ratings, seeking = await ratings_of(call, user), await services.seeks.of(user.id)
    return DataResponse(
        user=user_response(user),
        created_at=user.created_at,
        mail_address=await services.store.mail_address(user.id),
        passkeys=[row.label for row in await services.store.passkeys(user.id)],
        tokens=[row.label for row in tokens if row.kind == PERSONAL],
        bots=[row.name or "" for row in await services.store.bots_of(user.id)],
        sessions=await _sessions(call, user),
        matches=[await _with_moves(call, each) for each in matches],
        ratings=ratings,
        puzzles=[
            models.PuzzleResultData(
                game, row.puzzle, row.is_solved, round(row.rating / 100), row.at
            )
            for game, row in await services.store.all_puzzle_results(user.id)
        ],
        calls=await calls_data(call, user),
        following=names[0],
        blocks=names[1] + names[2],
        messages=[
            models.MessageData(row.at, match_of_room(row.room), row.text)
            for row in await services.store.messages_of(user.id)
        ],
        rating_history=[
            await rating_history(call, user.id, each.game, each.kind, is_self=True, limit=ALL)
            for each in ratings
        ],
        favourites=[match for match, _ in await services.store.favourites(user.id, ALL)],
        imports=await services.store.imports_of(user.id),
        reports=[
            ReportData(row.at, row.subject_name, row.reason, row.note, row.match)
            for row in await services.store.reports_by(user.id)
        ],
        seeks=[seek_info(each) for each in seeking.seeks],
        challenges=[
            challenge_info(each, user.id) for each in await services.challenges.of(user.id)
        ],
        departures=await services.store.departures(user.id, 0),
        notices=notice_infos(await services.store.notices(user.id)),
    )


@endpoint("POST", "/me/deletion", auth="required", scope=None, errors=(403, 409))
async def delete_me(call: Call, body: models.PasswordRequest) -> models.DeletionResponse:
    """Delete the user of the token, for good; their matches stay, without the name."""
    user, accounts = await call.user(), call.services.accounts
    if user.is_registered:
        await accounts.check_proof(call.proof(user, body.password))
    await accounts.delete(user)
    return models.DeletionResponse()


async def _with_moves(call: Call, found: models.MatchSummary) -> models.MatchData:
    """A match of the user, with its moves as their seat sees them."""
    moves: tuple[Move, ...] = ()
    try:
        match = (await call.services.matches.glance(found.match)).match
        moves = await asyncio.to_thread(projection.moves, match, found.seat)
    except Exception:  # One damaged log keeps nobody from the rest.
        LOG.exception("a match can't be exported", extra=fields(match=found.match))
    return models.MatchData(**msgspec.structs.asdict(found), moves=moves)


async def _sessions(call: Call, user: UserRow) -> list[models.SessionInfo]:
    current = hash_token(call.token)
    return [
        models.SessionInfo(
            session_id(row),
            row.label,
            row.hash == current,
            row.created_at,
            row.used_at,
            row.expires_at,
        )
        for row in await call.services.accounts.sessions(user)
    ]
