"""The OpenAPI description: available without a database, complete, and true by schemathesis."""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import httpx2
import pytest
from tests.server.driving import TIMEOUT_S, plain_server
from tests.server.inside import GENEROUS

from watermeet.server.api.openapi import describe

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


def described() -> dict[str, Any]:
    return describe()


def operations() -> Iterator[tuple[str, str, dict[str, Any]]]:
    for path, methods in described()["paths"].items():
        for method, operation in methods.items():
            yield path, method, operation


def test_the_description_needs_no_database() -> None:
    assert described()["openapi"].startswith("3.")


def test_every_response_is_described_including_errors() -> None:
    for path, method, operation in operations():
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
            assert answer["description"]


def test_every_route_has_a_description_and_a_unique_name() -> None:
    names = [operation["operationId"] for _, _, operation in operations()]
    assert len(set(names)) == len(names)
    for path, _, operation in operations():
        assert operation["description"], path


def test_unknown_fields_are_not_allowed() -> None:
    schemas = described()["components"]["schemas"]
    bodies = {
        operation["requestBody"]["content"]["application/json"]["schema"]["$ref"].split("/")[-1]
        for _, _, operation in operations()
        if "requestBody" in operation
    }
    assert bodies
    for name in bodies:
        assert schemas[name]["additionalProperties"] is False, name


# ---- against a running server -----------------------------------------------------------------


@pytest.fixture(scope="module")
def address(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    folder = tmp_path_factory.mktemp("described")
    with plain_server(folder, **GENEROUS) as found:
        yield f"http://{found}"


@pytest.fixture(scope="module")
def token(address: str) -> str:
    found: str = httpx2.post(f"{address}/api/guests", timeout=TIMEOUT_S).json()["token"]
    return found


@pytest.fixture(scope="module")
def match(address: str, token: str) -> str:
    """A match in which the guest has a seat."""
    setup = {"game": GAME, "seats": [{}, {}], "seat": 0, "is_public": True}
    headers = {"Authorization": f"Bearer {token}"}
    made = httpx2.post(f"{address}/api/matches", json=setup, headers=headers, timeout=TIMEOUT_S)
    found: str = made.json()["match"]
    return found


def check(folder: Path, address: str, *options: str, hooks: str = "") -> None:
    """Run schemathesis, and fail with what it complains about."""
    described_in, settings = folder / "openapi.json", folder / "schemathesis.toml"
    described_in.write_text(json.dumps(described()))
    settings.write_text(SETTINGS)
    (folder / "hooks.py").write_text(hooks)
    command = ["--config-file", str(settings), "run", str(described_in), "--url", address]
    run = subprocess.run(
        [sys.executable, "-m", "schemathesis.cli", *command, *options],
        capture_output=True,
        text=True,
        check=False,
        cwd=folder,
    )
    if run.returncode:
        pytest.fail(run.stdout + run.stderr)


@pytest.mark.soak
@pytest.mark.slow
def test_schemathesis_finds_nothing_without_a_token(address: str, tmp_path: Path) -> None:
    """Whatever the values, most requests are refused for the token: a few of each are enough."""
    check(tmp_path, address, "--phases", "fuzzing", "--max-examples", "2")


@pytest.mark.soak
@pytest.mark.slow
def test_schemathesis_finds_nothing_as_a_guest(
    address: str, token: str, match: str, tmp_path: Path
) -> None:
    header = f"Authorization: Bearer {token}"
    check(tmp_path, address, "--header", header, hooks=HOOKS.format(match=match))
