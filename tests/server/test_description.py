"""The OpenAPI description: available without a database, complete, and true by schemathesis."""

from __future__ import annotations

import importlib
import os
from collections.abc import Iterator
from typing import Any

import httpx2
import pytest
from hypothesis import HealthCheck, settings
from tests.server.driving import TIMEOUT_S, plain_server
from tests.server.inside import GENEROUS

from watermeet.server.api.openapi import describe

schemathesis = pytest.importorskip("schemathesis")
NOT_SET = importlib.import_module("schemathesis.core").NOT_SET
_CHECKS = importlib.import_module("schemathesis.specs.openapi.checks")

GAME = "kuhn_poker"
EXAMPLES = int(os.environ.get("WATERMEET_TEST_EXAMPLES", "25"))
STREAMS = r"/(events|turns)$"
"""They don't end; test_rest.py reads them."""


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


schema = schemathesis.openapi.from_dict(described()).exclude(path_regex=STREAMS)
tried = settings(
    max_examples=EXAMPLES, deadline=None, suppress_health_check=list(HealthCheck), database=None
)


def inapplicable(case: Any) -> list[Any]:
    """Checks that can't hold: no schema says which names, moves, records and setups are valid."""
    return [_CHECKS.positive_data_acceptance] if case.body is not NOT_SET else []


@pytest.mark.slow
@schema.parametrize()  # type: ignore[untyped-decorator]
@tried
def test_schemathesis_finds_nothing_without_a_token(case: Any, address: str) -> None:
    case.call_and_validate(base_url=address, excluded_checks=inapplicable(case))


@pytest.mark.slow
@schema.parametrize()  # type: ignore[untyped-decorator]
@tried
def test_schemathesis_finds_nothing_as_a_guest(
    case: Any, address: str, token: str, match: str
) -> None:
    if "match" in case.path_parameters and case.meta.generation.mode.is_positive:
        case.path_parameters["match"] = match
    headers = {"Authorization": f"Bearer {token}"}
    case.call_and_validate(base_url=address, headers=headers, excluded_checks=inapplicable(case))
