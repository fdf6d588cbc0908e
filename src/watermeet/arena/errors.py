"""What can be wrong with a job before its first match."""

from __future__ import annotations

from watermeet.core.errors import WatermeetError


class InvalidJob(WatermeetError):
    """Bots, a game and numbers that make no job together, or a file that holds another job."""

    code = "invalid_job"
