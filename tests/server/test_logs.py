"""Logs as text and as JSON."""

from __future__ import annotations

import io
import json
import logging
from collections.abc import Iterator

import pytest

from watermeet.server.logs import ROOT, fields, set_up_logs

LOG = logging.getLogger("watermeet.server.somewhere")


@pytest.fixture(autouse=True)
def _restored() -> Iterator[None]:
    logger = logging.getLogger(ROOT)
    before = (logger.handlers, logger.level, logger.propagate)
    yield
    logger.handlers, logger.level, logger.propagate = before


def test_json_has_the_fields() -> None:
    stream = io.StringIO()
    set_up_logs("info", "json", stream)
    LOG.info("match created", extra=fields(match="abc", seats=2))
    line = json.loads(stream.getvalue())
    assert line.pop("at").endswith("+00:00")
    assert line == {
        "level": "info",
        "logger": "watermeet.server.somewhere",
        "event": "match created",
        "match": "abc",
        "seats": 2,
    }


def test_text_has_the_fields_of_its_level_once() -> None:
    stream = io.StringIO()
    set_up_logs("info", "text", io.StringIO())
    set_up_logs("warning", "text", stream)
    LOG.info("chatter")
    LOG.warning("slow client", extra=fields(match="abc"))
    assert stream.getvalue().endswith(" warning slow client match=abc\n")
    assert stream.getvalue().count("\n") == 1


@pytest.mark.parametrize("form", ["json", "text"])
def test_an_error_with_its_traceback_is_one_event(form: str) -> None:
    stream = io.StringIO()
    set_up_logs("info", form, stream)
    try:
        1 / 0  # noqa: B018
    except ZeroDivisionError:
        LOG.exception("it broke", extra=fields(match="abc"))
    text = stream.getvalue()
    assert "ZeroDivisionError" in (json.loads(text)["error"] if form == "json" else text)
