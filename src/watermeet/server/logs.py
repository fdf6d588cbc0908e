"""Logs: one line an event, for people or as JSON for programs; facts come as fields, not in words.

    log = logging.getLogger("watermeet.server")
    log.info("match created", extra=fields(match=id, game=name))

Tokens, secrets and what a hand holds are never given to a logger: they are no facts of ours to
keep. A test reads all lines of a whole run for them.
"""

from __future__ import annotations

import json
import logging
import sys
from datetime import UTC, datetime
from typing import Any, TextIO

ROOT = "watermeet"
_FIELD = "facts"


def fields(**fields: object) -> dict[str, dict[str, object]]:
    """What a line tells besides its words, for ``extra``."""
    return {_FIELD: fields}


def set_up_logs(level: str, form: str, stream: TextIO | None = None) -> None:
    """Sends what we log to a stream, standard error by default; loggers of others stay alone."""
    handler = logging.StreamHandler(stream or sys.stderr)
    handler.setFormatter(_JsonLines() if form == "json" else _TextLines())
    logger = logging.getLogger(ROOT)
    logger.handlers = [handler]
    logger.setLevel(level.upper())
    logger.propagate = False


class _TextLines(logging.Formatter):
    def format(self, record: logging.LogRecord) -> str:
        when = datetime.fromtimestamp(record.created).astimezone().strftime("%H:%M:%S")
        fields = getattr(record, _FIELD, {})
        words = "".join(f" {name}={value}" for name, value in fields.items())
        line = f"{when} {record.levelname.lower():7} {record.getMessage()}{words}"
        if record.exc_info:
            line += "\n" + self.formatException(record.exc_info)
        return line


class _JsonLines(logging.Formatter):
    def format(self, record: logging.LogRecord) -> str:
        line: dict[str, Any] = {
            "at": datetime.fromtimestamp(record.created, tz=UTC).isoformat(timespec="milliseconds"),
            "level": record.levelname.lower(),
            "logger": record.name,
            "event": record.getMessage(),
            **getattr(record, _FIELD, {}),
        }
        if record.exc_info:
            line["error"] = self.formatException(record.exc_info)
        return json.dumps(line, ensure_ascii=False, default=str)
