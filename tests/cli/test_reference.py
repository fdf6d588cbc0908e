"""The pages about the command line document every command and every option."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import typer.main

from watermeet.cli import errors as command_errors
from watermeet.cli.commands import COMMANDS
from watermeet.cli.main import app
from watermeet.core.errors import WatermeetError

DOCS = Path(__file__).parents[2] / "docs"
REFERENCE = (DOCS / "reference" / "commands.md").read_text(encoding="utf-8")
GUIDE = (DOCS / "guides" / "play-in-the-terminal.md").read_text(encoding="utf-8")


def sections() -> dict[str, str]:
    """The text under each heading of the second level."""
    parts = re.split(r"^## (.+)$", REFERENCE, flags=re.MULTILINE)
    return dict(zip(parts[1::2], parts[2::2], strict=True))


def commands() -> dict[str, Any]:
    """Every command by the name that is typed."""
    program: Any = typer.main.get_command(app)
    found: dict[str, Any] = {"watermeet": program}
    for name, command in program.commands.items():
        inner = getattr(command, "commands", None)
        if inner is None:
            found[f"watermeet {name}"] = command
        else:
            found |= {f"watermeet {name} {each}": inner[each] for each in inner}
    return found


def test_headings_are_the_commands() -> None:
    named = {heading.strip("`") for heading in sections() if heading.startswith("`")}
    assert named == set(commands())


def test_every_argument_and_option_is_documented() -> None:
    for name, command in commands().items():
        section = sections()[f"`{name}`"]
        for parameter in command.params:
            words = parameter.opts + parameter.secondary_opts
            if parameter.param_type_name == "argument":
                words = parameter.metavar.split()
            for word in words:
                assert f"`{word}" in section or f" {word}" in section, (name, word)


def test_every_documented_option_exists() -> None:
    for name, command in commands().items():
        known = {word for parameter in command.params for word in parameter.opts} | {"--help"}
        rows = re.findall(r"^\| `(--[a-z-]+)", sections()[f"`{name}`"], flags=re.MULTILINE)
        assert set(rows) <= known, name


def test_every_prompt_command_is_in_the_guide() -> None:
    for command in COMMANDS.values():
        if command.usage:
            assert f"`{command.usage}`" in GUIDE, command.usage


def test_every_error_code_is_in_the_reference() -> None:
    ours = [
        each
        for each in vars(command_errors).values()
        if isinstance(each, type) and issubclass(each, WatermeetError)
    ]
    for each in ours:
        if each.__module__ == command_errors.__name__:
            assert f"`{each.code}`" in REFERENCE, each.code
