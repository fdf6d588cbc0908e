"""Rows of lists of matches."""

from __future__ import annotations

import msgspec

from watermeet.server.api import models
from watermeet.server.matches.projection import Headline
from watermeet.server.store.rows import MatchRow


def summary(row: MatchRow, seat: int | None = None) -> models.MatchSummary:
    """A row of a list."""
    headline = msgspec.json.decode(row.headline, type=Headline)
    return models.MatchSummary(
        row.id, row.game, row.stage, row.created_at, row.changed_at, headline, seat
    )
