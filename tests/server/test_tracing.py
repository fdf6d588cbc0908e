"""Traces: what a request, a command and a bot's job leave, and that nothing costs anything else."""

from __future__ import annotations

import asyncio
import io
import json
import logging
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from opentelemetry.sdk.trace import ReadableSpan, TracerProvider
from opentelemetry.sdk.trace.export import SimpleSpanProcessor
from opentelemetry.sdk.trace.export.in_memory_span_exporter import InMemorySpanExporter
from tests.server.inside import GENEROUS, Inside, bearer

from watermeet.core.kernel import plain_python
from watermeet.server.app import create_app
from watermeet.server.logs import ROOT, fields, set_up_logs
from watermeet.server.settings import Settings
from watermeet.server.tracing import Tracing, open_tracing

pytestmark = pytest.mark.anyio
TIMEOUT_S = 60.0


@pytest.fixture
def log() -> Iterator[io.StringIO]:
    logger = logging.getLogger(ROOT)
    before = (logger.handlers, logger.level, logger.propagate)
    stream = io.StringIO()
    set_up_logs("info", "json", stream)
    yield stream
    logger.handlers, logger.level, logger.propagate = before


def by_name(spans: InMemorySpanExporter) -> dict[str, ReadableSpan]:
    return {span.name: span for span in spans.get_finished_spans()}


def parent_of(span: ReadableSpan, spans: InMemorySpanExporter) -> str:
    assert span.parent is not None, span.name
    ids = {each.context.span_id: each for each in spans.get_finished_spans() if each.context}
    return ids[span.parent.span_id].name


async def wait_for_span(name: str, spans: InMemorySpanExporter) -> None:
    async with asyncio.timeout(TIMEOUT_S):
        while name not in by_name(spans):
            await asyncio.sleep(0.02)


@pytest.mark.slow
async def test_a_move_and_the_bots_answer_are_one_trace(tmp_path: Path, log: io.StringIO) -> None:
    spans, provider = InMemorySpanExporter(), TracerProvider()
    provider.add_span_processor(SimpleSpanProcessor(spans))
    settings: dict[str, Any] = GENEROUS | {"bot_workers": 1}
    app = create_app(Settings(data_dir=str(tmp_path), **settings), Tracing(provider))
    with plain_python():
        async with app.router.lifespan_context(app):
            server = Inside(app)
            ada = await server.guest()
            async with server.http(ada) as http:
                await http.put("/api/me/name", json={"name": "Ada Lovelace"})
                seats = [{}, {"who": "bot", "level": "drop"}]
                setup = {"game": "flume", "options": {"size": 3}, "seats": seats, "seat": 0}
                match = (await http.post("/api/matches", json=setup)).json()["match"]
                logging.getLogger(ROOT).info("outside", extra=fields(number=1))
                spans.clear()
                path = f"/api/matches/{match}/commands"
                body = {"id": "secret-id", "command": {"type": "play", "move": 4}}
                assert (await http.post(path, json=body)).status_code == 200
                await wait_for_span("bot job", spans)
                await http.get("/api/health", headers=bearer(ada))
                await http.get(f"/api/no/{match}")
    found = by_name(spans)
    request = found["POST /api/matches/{match}/commands"]
    assert request.attributes is not None
    assert request.attributes["http.response.status_code"] == 200
    command = next(each for each in spans.get_finished_spans() if each.name == "command play")
    assert parent_of(command, spans) == request.name
    assert command.context is not None
    inside = {
        each.name
        for each in spans.get_finished_spans()
        if each.parent is not None and each.parent.span_id == command.context.span_id
    }
    assert {"decide", "store append", "bus publish", "bot job"} <= inside
    assert parent_of(found["bot choose"], spans) == "bot job"
    traces = {each.context.trace_id for each in (request, found["bot job"]) if each.context}
    assert len(traces) == 1
    assert not any("health" in name or match in name for name in found)
    everything = " ".join(span.to_json() for span in spans.get_finished_spans())
    for private in ("Ada", "secret-id", ada, "127.0.0.1"):
        assert private not in everything
    lines = [json.loads(line) for line in log.getvalue().splitlines()]
    assert [len(line["trace_id"]) for line in lines if line["event"] == "match created"] == [32]
    assert ["trace_id" in line for line in lines if line["event"] == "outside"] == [False]


@pytest.mark.parametrize(
    "variables",
    [
        {},
        {"OTEL_TRACES_EXPORTER": "none", "OTEL_EXPORTER_OTLP_ENDPOINT": "http://localhost:4318"},
        {"OTEL_EXPORTER_OTLP_ENDPOINT": "http://localhost:4318", "OTEL_SDK_DISABLED": "true"},
    ],
)
async def test_tracing_is_off_unless_it_is_configured(variables: dict[str, str]) -> None:
    assert open_tracing(variables) is None


async def test_the_usual_variables_configure_it() -> None:
    found = open_tracing({"OTEL_TRACES_EXPORTER": "console"})
    assert found is not None
    await found.close()


async def test_a_server_without_tracing_imports_nothing_of_it() -> None:
    code = (
        "import sys; from watermeet.server.app import create_app;"
        "from watermeet.server.settings import Settings; create_app(Settings());"
        "assert not any(name.startswith('opentelemetry') for name in sys.modules)"
    )
    subprocess.run([sys.executable, "-c", code], check=True)
