"""Structured logs: one line per event, as text for people or JSON for programs.

    LOG.info("match created", extra=fields(match=id, game=name))

Tokens, secrets and hidden cards are never logged. A test searches all the lines of a whole run for
them.
"""

from __future__ import annotations

import json
import logging
import sys
from datetime import UTC, datetime
from typing import Any, TextIO

ROOT = "watermeet"


def fields(**values: object) -> dict[str, dict[str, object]]:
    """The fields of a log line, for ``extra``."""
    return {"fields": values}


def set_up_logs(level: str, form: str, stream: TextIO | None = None) -> None:
    """Log to a stream, by default standard error; other libraries' loggers are left alone."""
    handler = logging.StreamHandler(stream or sys.stderr)
    handler.setFormatter(_JsonFormatter() if form == "json" else _TextFormatter())
    logger = logging.getLogger(ROOT)
    logger.handlers = [handler]
    logger.setLevel(level.upper())
    logger.propagate = False


class _TextFormatter(logging.Formatter):
    def __init__(self) -> None:
        super().__init__("%(asctime)s %(level)-7s %(message)s%(shown)s", "%H:%M:%S")

    def format(self, record: logging.LogRecord) -> str:
        values: dict[str, object] = getattr(record, "fields", {})
        record.level = record.levelname.lower()
        record.shown = "".join(f" {name}={value}" for name, value in values.items())
        return super().format(record)


class _JsonFormatter(logging.Formatter):
    def format(self, record: logging.LogRecord) -> str:
        line: dict[str, Any] = {
            "at": datetime.fromtimestamp(record.created, tz=UTC).isoformat(timespec="milliseconds"),
            "level": record.levelname.lower(),
            "logger": record.name,
            "event": record.getMessage(),
            **getattr(record, "fields", {}),
        }
        if record.exc_info:
            line["error"] = self.formatException(record.exc_info)
        return json.dumps(line, ensure_ascii=False, default=str)
