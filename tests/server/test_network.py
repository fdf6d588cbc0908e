"""The addresses where other devices reach a server, shown only on its own machine."""

from __future__ import annotations

from pathlib import Path

import pytest
from tests.server.inside import inside

from watermeet.cli.serve import _invitation
from watermeet.server import network

pytestmark = pytest.mark.anyio
EVERYWHERE = network.EVERYWHERE[0]


@pytest.fixture(autouse=True)
def one_network(monkeypatch: pytest.MonkeyPatch) -> None:
    """A machine on a network, with a duplicate address and its loopback addresses."""
    monkeypatch.setattr(network, "_on_the_way_out", lambda: ["192.168.1.20"])
    monkeypatch.setattr(network, "_by_name", lambda: ["127.0.1.1", "192.168.1.20", "10.0.0.2"])


@pytest.mark.parametrize(
    ("settings", "requested", "expected"),
    [
        (
            {"host": EVERYWHERE},
            "localhost:8765",
            ["http://192.168.1.20:8765/", "http://10.0.0.2:8765/"],
        ),
        ({"host": EVERYWHERE}, "192.168.1.20:8765", []),
        ({"host": "127.0.0.1"}, "localhost:8765", []),
        ({"public_url": "https://play.example/"}, "play.example", ["https://play.example/"]),
    ],
)
async def test_addresses_can_be_opened_by_others(
    tmp_path: Path, settings: dict[str, str], requested: str, expected: list[str]
) -> None:
    async with inside(tmp_path, **settings) as server, server.http() as http:
        answer = await http.get("/api/addresses", headers={"host": requested})
    assert answer.json() == {"addresses": expected}


def test_the_terminal_shows_the_address_and_its_code() -> None:
    text = _invitation(["http://192.168.1.20:8765/", "http://10.0.0.2:8765/"])
    assert "http://192.168.1.20:8765/ or http://10.0.0.2:8765/" in text
    assert sum("▄" in line for line in text.splitlines()) > 10
    assert "isn't connected to a network" in _invitation([])
