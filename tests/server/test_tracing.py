"""Traces: what a request, a command and a bot's job leave, and that nothing costs anything else."""

from __future__ import annotations

import io
import json
import logging
from pathlib import Path
from typing import Any

import pytest
from opentelemetry.sdk.trace import ReadableSpan, TracerProvider
from opentelemetry.sdk.trace.export import SimpleSpanProcessor
from opentelemetry.sdk.trace.export.in_memory_span_exporter import InMemorySpanExporter
from tests.server.inside import GENEROUS, Inside, bearer, until

from watermeet.core.kernel import plain_python
from watermeet.server.app import create_app
from watermeet.server.logs import ROOT, fields
from watermeet.server.settings import Settings
from watermeet.server.tracing import Tracing, open_tracing

pytestmark = pytest.mark.anyio


def by_name(spans: InMemorySpanExporter) -> dict[str, ReadableSpan]:
    return {span.name: span for span in spans.get_finished_spans()}


def parent_of(span: ReadableSpan, spans: InMemorySpanExporter) -> str:
    assert span.parent is not None, span.name
    ids = {each.context.span_id: each for each in spans.get_finished_spans() if each.context}
    return ids[span.parent.span_id].name


@pytest.mark.slow
async def test_a_move_and_the_bots_answer_are_one_trace(tmp_path: Path, lines: io.StringIO) -> None:
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
                await until(lambda: "bot job" in by_name(spans))
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
    logged = [json.loads(line) for line in lines.getvalue().splitlines()]
    assert [len(line["trace_id"]) for line in logged if line["event"] == "match created"] == [32]
    assert ["trace_id" in line for line in logged if line["event"] == "outside"] == [False]


async def test_a_move_by_a_socket_is_traced(tmp_path: Path) -> None:
    spans, provider = InMemorySpanExporter(), TracerProvider()
    provider.add_span_processor(SimpleSpanProcessor(spans))
    settings: dict[str, Any] = {**GENEROUS}
    app = create_app(Settings(data_dir=str(tmp_path), **settings), Tracing(provider))
    with plain_python():
        async with app.router.lifespan_context(app):
            server = Inside(app)
            match, tokens = await server.seated("kuhn_poker", 2)
            socket = await server.socket(tokens[0])
            await socket.follow(match)
            spans.clear()
            await socket.do(match, {"type": "play", "move": 3})
    assert parent_of(by_name(spans)["store append"], spans) == "command play"


async def test_the_usual_variables_configure_tracing() -> None:
    url = {"OTEL_EXPORTER_OTLP_ENDPOINT": "http://localhost:4318"}
    for off in ({}, url | {"OTEL_TRACES_EXPORTER": "none"}, url | {"OTEL_SDK_DISABLED": "true"}):
        assert open_tracing(off) is None
    found = open_tracing({"OTEL_TRACES_EXPORTER": "console"})
    assert found is not None
    await found.close()
