"""The pages about the server list every route, message, close code and error code."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any, get_args

import pytest
from tests.server.inside import inside

from watermeet.server import errors as server_errors
from watermeet.server.api import connection, messages
from watermeet.server.api.openapi import describe
from watermeet.server.errors import ServerError
from watermeet.server.matches import errors as match_errors
from watermeet.server.matches.commands import ClientCommand
from watermeet.server.matches.projection import Position
from watermeet.server.settings import Settings

ROOT = Path(__file__).parents[2]
PAGES = ROOT / "docs" / "reference"
PROTOCOL = (PAGES / "protocol.md").read_text(encoding="utf-8")
REST = (PAGES / "rest.md").read_text(encoding="utf-8")
ERRORS = (PAGES / "errors.md").read_text(encoding="utf-8")


def section(page: str, heading: str) -> str:
    parts = re.split(r"^## (.+)$", page, flags=re.MULTILINE)
    return dict(zip(parts[1::2], parts[2::2], strict=True))[heading]


def rows(text: str) -> list[list[str]]:
    """The cells of a table, without its head."""
    lines = [line for line in text.splitlines() if line.startswith("|")]
    return [[cell.strip() for cell in line.strip("|").split("|")] for line in lines[2:]]


def fields_of(kind: Any) -> list[str]:
    """The fields of a message in words, with defaults as JSON has them."""
    documented = []
    defaults = kind.__struct_defaults__
    needed = len(kind.__struct_fields__) - len(defaults)
    for number, name in enumerate(kind.__struct_fields__):
        if number < needed:
            documented.append(f"`{name}`")
            continue
        default = defaults[number - needed]
        words = {None: "null", "": "empty", 0.0: "0", (): "none"}.get(default, f"`{default}`")
        words = "true" if default is True else words
        documented.append(f"`{name}` ({words})")
    return documented


@pytest.mark.parametrize(
    ("heading", "union"),
    [("What a client says", messages.FromClient), ("Commands", ClientCommand)],
)
def test_the_page_lists_the_clients_messages(heading: str, union: Any) -> None:
    wanted = [
        [f"`{kind.__struct_config__.tag}`", " ".join(fields_of(kind))] for kind in get_args(union)
    ]
    assert [row[:2] for row in rows(section(PROTOCOL, heading))] == wanted


def test_the_page_lists_the_servers_messages() -> None:
    wanted = [
        [
            f"`{kind.__struct_config__.tag}`",
            " ".join(f"`{name}`" for name in kind.__struct_fields__),
        ]
        for kind in get_args(messages.FromServer)
    ]
    assert [row[:2] for row in rows(section(PROTOCOL, "What the server says"))] == wanted


def test_the_page_lists_the_fields_of_a_position() -> None:
    sentence = re.search(r"A position has (.*?);", PROTOCOL, re.DOTALL)
    assert sentence
    assert re.findall(r"`(\w+)`", sentence[1]) == list(Position.__struct_fields__)


def test_the_page_lists_every_close_code() -> None:
    table = rows(section(PROTOCOL, "How the server closes a socket"))
    ours = {
        value
        for value in vars(connection).values()
        if isinstance(value, int) and 4000 <= value < 5000
    }
    assert {int(row[0]) for row in table} == ours | {1011, 1013}
    source = "\n".join(
        path.read_text(encoding="utf-8")
        for path in (ROOT / "src" / "watermeet" / "server").rglob("*.py")
    )
    said = set(re.findall(r'Bye\(\s*"(\w+)"', source))
    assert said - {"match_ended"} == {row[1].strip("`") for row in table}
    for code in said:
        assert f"`{code}`" in ERRORS, code


def test_the_page_lists_every_route() -> None:
    described = describe()["paths"]
    routes = {f"`{method.upper()} {path}`" for path, all_ in described.items() for method in all_}
    assert {row[0] for row in rows(section(REST, "Routes"))} == routes


def test_the_page_lists_every_field_of_a_match_setup() -> None:
    described = describe()["components"]["schemas"]["MatchRequest"]
    documented = {
        name for row in rows(section(REST, "A new match")) for name in re.findall(r"\w+", row[0])
    }
    assert documented == set(described["properties"])


def test_every_error_of_the_api_is_listed() -> None:
    codes = {
        kind.code
        for module in (server_errors, match_errors)
        for kind in vars(module).values()
        if isinstance(kind, type) and issubclass(kind, ServerError) and kind is not ServerError
    }
    for code in codes | {"internal", "wrong_method", "too_large"}:
        assert f"\n| `{code}` |" in ERRORS, code


def test_settings_named_on_the_pages_exist() -> None:
    for page in (PROTOCOL, REST):
        for name in re.findall(
            r"`((?:max|requests|messages|creations|trusted|allowed)_\w+)`", page
        ):
            assert hasattr(Settings(), name), name


def conversation() -> list[tuple[str, str]]:
    block = section(PROTOCOL, "A conversation").split("```")[1]
    return [(line[0], line[2:]) for line in block.strip().splitlines()]


@pytest.mark.anyio
async def test_the_example_conversation_is_real(tmp_path: Path) -> None:
    """Replayed to a server, it gets the same responses, except for those cut short."""
    async with inside(tmp_path) as server:
        match, tokens = await server.seated("flume", 2, options={"size": 3})
        from tests.server.inside import Socket

        socket = Socket(server.app)
        assert await socket.open()
        for who, text in conversation():
            if who == ">":
                socket.push(text.replace("npFFdfds5jew", match).replace("TOKEN", tokens[0]))
                continue
            answer = await socket.next()
            while answer is not None and answer["type"] == "presence":  # At any time.
                answer = await socket.next()
            assert answer is not None
            assert text.startswith(f'{{"type":"{answer["type"]}"'), (text, answer)
            if "..." not in text:
                documented = json.loads(text.replace("npFFdfds5jew", match))
                for clock in ("now", "version"):
                    documented.pop(clock, None)
                    answer.pop(clock, None)
                assert documented == answer
        await socket.close()
