"""The OpenAPI description and the examples of the pages are true, by asking a server."""

from __future__ import annotations

import json
import re
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import httpx2
import pytest
from tests.server.driving import TIMEOUT_S, plain_server
from tests.server.inside import GENEROUS, Inside, Socket

from watermeet.server.api.openapi import describe

DOCS = Path(__file__).parents[2] / "docs"
GAME = "kuhn_poker"
SETTINGS = """
color = false
hooks = "hooks"
warnings = false
seed = 1
generation.max-examples = 5
phases.stateful.enabled = false

# They don't end; test_rest.py reads them.
[[operations]]
include-path-regex = "/(events|turns)$"
enabled = false

# No schema says which names, moves, records and setups are valid.
[[operations]]
include-method-regex = "POST|PUT|PATCH"
checks.positive_data_acceptance.enabled = false

# This server has no bots: it answers 503.
[[operations]]
include-path-regex = "/(thoughts|hints|review)$"
checks.not_a_server_error.enabled = false

[[operations]]
include-path-regex = "/openings$"
checks.positive_data_acceptance.enabled = false
"""
HOOKS = """
import schemathesis

@schemathesis.hook
def before_call(context, case, kwargs):
    if "match" in case.path_parameters and case.meta.generation.mode.is_positive:
        case.path_parameters["match"] = "{match}"
"""
"""Valid requests ask for a match that exists."""


def operations() -> Iterator[tuple[str, str, dict[str, Any]]]:
    for path, methods in describe()["paths"].items():
        for method, operation in methods.items():
            yield path, method, operation


def test_every_operation_is_described_including_errors() -> None:
    schemas, names = describe()["components"]["schemas"], []
    for path, method, operation in operations():
        assert operation["description"], path
        names.append(operation["operationId"])
        answers = operation["responses"]
        assert {"429", "500", "503"} <= set(answers), path
        if method != "get":
            assert {"403", "413"} <= set(answers), path
        if "security" in operation:
            assert "401" in answers, path
        for status, answer in answers.items():
            schema = next(iter(answer["content"].values()))["schema"]
            if status[0] in "45":
                assert schema == {"$ref": "#/components/schemas/Problem"}, (path, status)
            assert schema, (path, status)
        if "requestBody" in operation:
            body = operation["requestBody"]["content"]["application/json"]["schema"]["$ref"]
            assert schemas[body.split("/")[-1]]["additionalProperties"] is False, body
    assert len(set(names)) == len(names)


def test_no_url_contains_a_token() -> None:
    for path, _, operation in operations():
        names = {one["name"].lower() for one in operation.get("parameters", ())}
        assert not names & {"token", "invitation", "authorization", "key", "secret"}, path
        assert all(one["in"] in ("path", "query") for one in operation.get("parameters", ()))


# ---- against a running server -------------------------------------------------------------------


@pytest.mark.parametrize(
    "is_guest",
    [
        pytest.param(True, marks=pytest.mark.slow),
        pytest.param(False, marks=pytest.mark.nightly),
    ],
)
def test_schemathesis_finds_nothing(tmp_path: Path, is_guest: bool) -> None:
    """Without a token most requests are refused, whatever the values: a few of each are enough."""
    folder = tmp_path / "server"
    folder.mkdir()
    with plain_server(folder, **GENEROUS) as found, httpx2.Client(timeout=TIMEOUT_S) as http:
        address = f"http://{found}"
        options, hooks = ["--phases", "fuzzing", "--max-examples", "2"], ""
        if is_guest:
            token = http.post(f"{address}/api/guests").json()["token"]
            setup = {"game": GAME, "seats": [{}, {}], "seat": 0, "is_public": True}
            headers = {"Authorization": f"Bearer {token}"}
            made = http.post(f"{address}/api/matches", json=setup, headers=headers).json()
            options = ["--header", f"Authorization: Bearer {token}"]
            hooks = HOOKS.format(match=made["match"])
        (tmp_path / "openapi.json").write_text(json.dumps(describe()))
        (tmp_path / "schemathesis.toml").write_text(SETTINGS)
        (tmp_path / "hooks.py").write_text(hooks)
        command = [sys.executable, "-m", "schemathesis.cli", "--config-file", "schemathesis.toml"]
        command += ["run", "openapi.json", "--url", address, *options]
        run = subprocess.run(command, capture_output=True, text=True, check=False, cwd=tmp_path)
    assert run.returncode == 0, run.stdout + run.stderr


@pytest.mark.anyio
async def test_the_example_conversation_is_real(server: Inside) -> None:
    """Replayed to a server, it gets the same responses, except for those cut short."""
    match, tokens = await server.seated("flume", 2, options={"size": 3})
    page = (DOCS / "reference" / "protocol.md").read_text(encoding="utf-8")
    block = page.partition("\n## A conversation\n")[2].split("```")[1]
    socket = Socket(server.app)
    assert await socket.open()
    for line in block.strip().splitlines():
        who, text = line[0], line[2:].replace("npFFdfds5jew", match).replace("TOKEN", tokens[0])
        if who == ">":
            socket.push(text)
            continue
        answer = await socket.next()
        while answer is not None and answer["type"] == "presence":  # At any time.
            answer = await socket.next()
        assert answer is not None
        assert text.startswith(f'{{"type":"{answer["type"]}"'), (text, answer)
        if "..." not in text:
            documented = json.loads(text)
            for clock in ("now", "version"):
                documented.pop(clock, None)
                answer.pop(clock, None)
            assert documented == answer


@pytest.mark.anyio
async def test_the_addresses_in_the_guide_for_bots_exist(server: Inside) -> None:
    guide = (DOCS / "guides" / "network-bots.md").read_text(encoding="utf-8")
    paths = re.findall(r"`(?:GET )?(/[a-z./]+)`", guide)
    assert paths
    async with server.http(await server.guest()) as http:
        for path in set(paths) - {"/api/socket", "/api/me/turns"}:
            assert (await http.get(path)).status_code == 200, path
