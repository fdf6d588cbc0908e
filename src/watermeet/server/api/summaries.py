"""Rows of lists of matches, as ``audience.py`` lets somebody see them."""

from __future__ import annotations

from collections.abc import Iterable

import msgspec

from watermeet.server.api import models
from watermeet.server.matches.projection import Headline
from watermeet.server.store.rows import MatchRow


def summaries(listed: Iterable[tuple[MatchRow, int | None]]) -> list[models.MatchSummary]:
    """The rows of a list, with somebody's seats."""
    return [
        models.MatchSummary(
            row.id,
            row.game,
            row.stage,
            row.created_at,
            row.changed_at,
            msgspec.json.decode(row.headline, type=Headline),
            seat,
        )
        for row, seat in listed
    ]
