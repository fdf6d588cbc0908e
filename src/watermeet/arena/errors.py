"""Errors of the arena."""

from __future__ import annotations

from watermeet.core.errors import WatermeetError


class InvalidJob(WatermeetError):
    """A job that can't be played, or a file that holds another job."""

    code = "invalid_job"
