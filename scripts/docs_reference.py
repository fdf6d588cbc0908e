"""The parts of the reference that are made from code; a page asks for one by a comment.

Where words are missing on a page, they are missing in a docstring or in the help of a command.
"""

from __future__ import annotations

import ast
import importlib
import inspect
import json
import re
from collections.abc import Callable, Iterable, Iterator
from importlib.metadata import distributions
from itertools import pairwise
from pathlib import Path
from typing import Any, get_args

ROOT = Path(__file__).resolve().parents[1]
ERRORS = (
    "core.errors",
    "arena.errors",
    "cli.errors",
    "client.errors",
    "learn.puzzles",
    "server.errors",
    "server.matches.errors",
)
"""Modules that define errors, but for one that needs PyTorch."""


def _table(titles: str, rows: Iterable[Iterable[str]]) -> str:
    lines = [f"| {titles} |", "|---" * (titles.count("|") + 1) + "|"]
    for row in rows:
        cells = (" ".join(cell.replace("|", "\\|").split()) for cell in row)
        lines.append(f"| {' | '.join(cells)} |")
    return "\n".join([*lines, ""])


def _about(text: str | None) -> str:
    """A docstring as Markdown."""
    return inspect.cleandoc(text or "").replace("``", "`")


# ---- the program and its errors ----------------------------------------------------------------


def commands() -> str:
    """Every command, from its own help."""
    import typer.main

    from watermeet.cli.main import app

    def sections(name: str, command: Any) -> Iterator[str]:
        for inner in getattr(command, "commands", {}).values():
            yield from sections(f"{name} {inner.name}", inner)
        if not hasattr(command, "commands"):
            yield f"## `{name}` {{ #{name.replace(' ', '-')} }}\n\n{command.help}\n"
            yield _table("argument or option | meaning", map(_parameter, command.params))

    return "\n".join(sections("watermeet", typer.main.get_command(app)))


def _parameter(each: Any) -> tuple[str, str]:
    names = [word for word in (*each.opts, *each.secondary_opts) if word.startswith("-")]
    value = "" if getattr(each, "is_flag", False) else each.metavar or each.name.upper()
    has_default = each.default not in (None, False, "") and not callable(each.default)
    default = f" Default: `{each.default}`." if has_default else ""
    return " ".join(f"`{each}`" for each in (*names, value) if each), f"{each.help}{default}"


def errors() -> str:
    """Every error that Watermeet raises on purpose."""
    from watermeet.core.errors import WatermeetError

    for name in ERRORS:
        importlib.import_module(f"watermeet.{name}")

    def kinds(base: type[WatermeetError]) -> Iterator[type[WatermeetError]]:
        for kind in base.__subclasses__():
            yield kind
            yield from kinds(kind)

    public = (each for each in kinds(WatermeetError) if not each.__name__.startswith("_"))
    found = sorted({each.code: each for each in public if "code" in vars(each)}.items())
    rows = (
        (f"`{code}`", f"`{each.__name__}`", str(getattr(each, "status", "")), _about(each.__doc__))
        for code, each in found
    )
    return _table("code | error | HTTP | when", rows)


def checks() -> str:
    """The checks of the conformance kit."""
    from watermeet.testing import CHECKS

    rows = ((f"`{name}`", _about(check.__doc__)) for name, check in CHECKS.items())
    return _table("check | what must hold", rows)


# ---- the server --------------------------------------------------------------------------------


def settings() -> str:
    """Every setting with its default."""
    from watermeet.server.settings import PREFIX, Settings

    (node,) = ast.parse(inspect.getsource(Settings)).body
    rows = []
    for field, text in pairwise(getattr(node, "body", ())):
        if isinstance(field, ast.AnnAssign) and isinstance(text, ast.Expr):
            name, words = ast.unparse(field.target), str(ast.literal_eval(text.value))
            default = getattr(Settings(), name)
            rows.append((f"`{PREFIX}{name.upper()}`", f"`{default}`" if default else "", words))
    return _table("variable | default | meaning", rows)


def tables() -> str:
    """Every table of the store with its columns, from the migrations."""
    found: dict[str, list[str]] = {}
    for file in sorted((ROOT / "src/watermeet/server/store/migrations").glob("*.sql")):
        sql = file.read_text(encoding="utf-8")
        table = r"((?:^-- [^\n]*\n)*)^CREATE TABLE (\w+) \(\n(.*?)\n\)"
        for words, name, body in re.findall(table, sql, re.MULTILINE | re.DOTALL):
            columns = re.findall(r"^  ([a-z]\w*) ", body, re.MULTILINE)
            found[name] = [words.replace("\n-- ", " ").removeprefix("-- "), *columns]
        for name, column in re.findall(r"^ALTER TABLE (\w+) ADD COLUMN (\w+)", sql, re.MULTILINE):
            found[name].append(column)
        for name in re.findall(r"^DROP TABLE (\w+)", sql, re.MULTILINE):
            del found[name]
    rows = [(f"`{name}`", text, f"`{'` `'.join(its)}`") for name, (text, *its) in found.items()]
    return _table("table | contents | columns", rows)


def messages(which: str) -> str:
    """What clients or servers say, the commands of a match, or the entries of its log."""
    from watermeet.server.api.messages import FromClient, FromServer
    from watermeet.server.matches.commands import ClientCommand
    from watermeet.server.matches.entries import KINDS

    unions = {"client": FromClient, "commands": ClientCommand, "server": FromServer}
    return _structs(KINDS.values() if which == "entries" else get_args(unions[which]))


def _structs(kinds: Iterable[Any]) -> str:
    """Structs by their tags, and the types of their fields that REST doesn't have."""
    import msgspec

    from watermeet.server.api.openapi import describe

    listed = {kind.__name__: kind.__struct_config__.tag for kind in kinds}
    of_rest = describe()["components"]["schemas"].keys() - listed
    _, schemas = msgspec.json.schema_components(list(kinds), ref_template="#{name}")
    parts = [_section(f"`{tag}`", schemas[name]) for name, tag in listed.items()]
    parts += [_section(name, schemas[name]) for name in sorted(schemas.keys() - listed - of_rest)]
    for name in of_rest:  # Its page describes them.
        parts = [
            part.replace(f"(#{name.lower()})", f"(rest-routes.md#{name.lower()})") for part in parts
        ]
    return "".join(parts)


# ---- REST --------------------------------------------------------------------------------------


def routes() -> str:
    """Every route and type of REST, as the server describes them (OpenAPI)."""
    from watermeet.server.api.openapi import describe

    described = describe()
    topics: dict[str, str] = {}
    for path, methods in sorted(described["paths"].items()):
        topic = path.removeprefix("/api/").split("/")[0]
        for method, its in methods.items():
            topics[topic] = topics.get(topic, "") + _route(f"{method.upper()} {path}", its)
    types = sorted(described["components"]["schemas"].items())
    topics["Types"] = "".join(_section(name, schema) for name, schema in types)
    return "\n".join(f"## {topic}\n\n{text}" for topic, text in topics.items())


def _route(name: str, operation: dict[str, Any]) -> str:
    lines = [f"### `{name}`", _about(operation["description"])]
    if token := operation.get("security"):
        scope = f"scope `{token[0]['token'][0]}`" if token[0]["token"] else "of a session"
        lines.append(f"Token: {'optional' if {} in token else 'required'}, {scope}.")
    if given := operation.get("parameters"):
        rows = ((f"`{each['name']}`", each["in"], _words(each["schema"])) for each in given)
        lines.append(_table("parameter | in | type", rows))
    failures = []
    for what, its in {"Body": operation.get("requestBody"), **operation["responses"]}.items():
        if what.isdigit() and what >= "400":
            failures.append(what)
        elif its:
            (content,) = its["content"].values()
            lines.append(f"{what.replace('2', 'Response 2', 1)}: {_words(content['schema'])}.")
    return "\n\n".join([*lines, f"Errors: {', '.join(failures)}.", ""])


def _section(name: str, schema: dict[str, Any]) -> str:
    rows = []
    for field, each in schema.get("properties", {}).items():
        need = f" = `{json.dumps(each['default'])}`" if "default" in each else ", optional"
        is_required = field in schema.get("required", ())
        rows.append((f"`{field}`", _words(each) + ("" if is_required else need)))
    fields = _table("field | type", rows) if rows else f"{_words(schema)}\n"
    return f"### {name}\n\n{_about(schema.get('description'))}\n\n{fields}\n"


def _words(schema: dict[str, Any]) -> str:
    """A schema in words, on one line."""
    if "$ref" in schema:
        name = schema["$ref"].rpartition("/")[2].lstrip("#")
        return f"[{name}](#{name.lower()})"
    if "anyOf" in schema:
        return " or ".join(dict.fromkeys(map(_words, schema["anyOf"])))
    if "enum" in schema:
        return ", ".join(f"`{json.dumps(value)}`" for value in schema["enum"])
    kind = str(schema.get("type", "anything"))
    if inner := schema.get("items") or schema.get("additionalProperties"):
        return f"{'list' if kind == 'array' else kind} of {_words(inner)}"
    limits = {"minimum": "≥ ", "maximum": "≤ ", "minLength": "length ≥ ", "maxLength": "length ≤ "}
    bounds = ", ".join(f"{word}{schema[key]}" for key, word in limits.items() if key in schema)
    return f"{kind} ({bounds})" if bounds else kind


# ---- licences ----------------------------------------------------------------------------------


def licenses() -> str:
    """What packages that a server installs, or that are in the page, say of their licence."""
    pins = (ROOT / "requirements/run.txt").read_text(encoding="utf-8")
    names = set(re.findall(r"^([\w.-]+)(?:\[[\w,]+\])?==", pins, re.MULTILINE))
    found = {}
    for its in (each.metadata for each in distributions()):
        listed = (each.rpartition(" :: ")[2] for each in its.get_all("Classifier", []))
        named = ", ".join(each for each in listed if "License" in each)
        found[its["Name"].lower().replace("_", "-")] = (
            its["License-Expression"] or named or its["License"]
        )
    nodes = json.loads((ROOT / "package-lock.json").read_text(encoding="utf-8"))["packages"]
    bundled = {
        name
        for each in ("svelte", "uqr")
        for name in (each, *nodes[f"node_modules/{each}"].get("dependencies", ()))
    }
    rows = [(name, found[name]) for name in sorted(names & found.keys())]
    rows += [(name, nodes[f"node_modules/{name}"]["license"]) for name in sorted(bundled)]
    return _table("package | licence", rows)


PARTS: dict[str, Callable[..., str]] = {
    each.__name__: each
    for each in (commands, errors, checks, settings, tables, messages, routes, licenses)
}
"""What a comment such as ``<!-- commands -->`` or ``<!-- messages client -->`` stands for."""
