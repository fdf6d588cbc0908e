"""The route that brings in records: they are shown like matches that were played here."""

from __future__ import annotations

import asyncio
import re

from fastapi import APIRouter, Request

from watermeet.core.record import Record
from watermeet.server.access import required
from watermeet.server.api import models
from watermeet.server.api.services import Services, Token
from watermeet.server.matches.entries import Entry
from watermeet.server.matches.records import imported
from watermeet.server.tokens import make_id

_GAME = re.compile(r"^game:\s*([a-z0-9_]+)@", re.MULTILINE)


def add_routes(router: APIRouter, services: Services) -> None:
    """Adds the family."""

    @router.post("/records", status_code=201)
    async def bring_in(
        request: Request, token: Token, wish: models.NewRecord
    ) -> models.RecordBroughtIn:
        """Brings in a record: to look at it, to share it, or to play on from it.

        What it tells of draws was made elsewhere, and proves nothing.
        """
        required(await services.access.user(token))
        services.check_rate(request)
        match = make_id()
        named = _GAME.search(wish.record)
        if named is not None:
            await services.matches.wait_for(named[1])
        # Replaying takes a while: others are served meanwhile.
        log = await asyncio.to_thread(_read, wish.record, match, services.now())
        await services.matches.bring_in(log)
        return models.RecordBroughtIn(match=match, moves=sum(_is_move(entry) for entry in log))


def _read(text: str, match: str, now: int) -> tuple[Entry, ...]:
    return imported(Record.parse(text), match, now)


def _is_move(entry: Entry) -> bool:
    return hasattr(entry, "action")
