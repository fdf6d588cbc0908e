"""Writes web/src/lib/wire.ts: TypeScript's types of all that the server says and hears.

They come from the server's own description, OpenAPI, and from the messages of the socket. A test
fails if the file is not what this program would write: ``python scripts/wire.py`` writes it anew.
"""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import Any

import msgspec

from watermeet.server.api import documents
from watermeet.server.api.messages import PROTOCOL, FromClient, FromServer
from watermeet.server.app import create_app
from watermeet.server.settings import Settings

FILE = Path(__file__).parents[1] / "web" / "src" / "lib" / "wire.ts"
_REF = "#/components/schemas/{name}"
_HEAD = """\
// Written by scripts/wire.py from the server's own description: edit that instead.

/** The number of the socket's protocol. */
export const PROTOCOL = {protocol};
"""
_PLAIN = {"string": "string", "integer": "number", "number": "number", "boolean": "boolean"}
_TYPED = {"Snapshot": {"document": "MatchDocument"}, "Changes": {"position": "PositionTold"}}
"""What the socket leaves open, since msgspec does not know the models of REST."""


def type_of(schema: dict[str, Any]) -> str:
    """A JSON schema as a type of TypeScript."""
    if "$ref" in schema:
        return str(schema["$ref"]).rpartition("/")[2]
    if "const" in schema:
        return json.dumps(schema["const"])
    if "enum" in schema:
        return " | ".join(json.dumps(value) for value in schema["enum"])
    for key in ("anyOf", "oneOf"):
        if key in schema:
            return " | ".join(dict.fromkeys(type_of(part) for part in schema[key]))
    kind = schema.get("type")
    if isinstance(kind, list):
        return " | ".join(type_of({**schema, "type": one}) for one in kind)
    if kind == "array":
        inner = type_of(schema.get("items") or {})
        return f"({inner})[]" if " | " in inner else f"{inner}[]"
    if kind == "object" and "properties" in schema:
        return f"{{ {' '.join(_field(schema, name) for name in schema['properties'])} }}"
    if kind == "object":
        values = schema.get("additionalProperties")
        return f"Record<string, {type_of(values) if isinstance(values, dict) else 'unknown'}>"
    return "null" if kind == "null" else _PLAIN.get(str(kind), "unknown")


def _field(schema: dict[str, Any], name: str, told: str | None = None) -> str:
    optional = "" if name in schema.get("required", ()) else "?"
    return f"{name}{optional}: {told or type_of(schema['properties'][name])};"


def declaration(name: str, schema: dict[str, Any]) -> str:
    """The declaration of a named schema."""
    words = " ".join(schema.get("description", "").split("\n\n")[0].split())
    note = f"/** {words} */\n" if words else ""
    if schema.get("type") == "object" and "properties" in schema:
        better = _TYPED.get(name, {})
        fields = [f"  {_field(schema, key, better.get(key))}" for key in schema["properties"]]
        return "\n".join([f"{note}export interface {name} {{", *fields, "}\n"])
    return f"{note}export type {name} = {type_of(schema)};\n"


def wire() -> str:
    """The whole file."""
    schemas: dict[str, Any] = dict(create_app(Settings()).openapi()["components"]["schemas"])
    for model in (documents.PositionTold, documents.MatchDocument):
        schema = model.model_json_schema(ref_template=_REF.replace("{name}", "{model}"))
        schemas.update(schema.pop("$defs", {}))
        schemas[model.__name__] = schema
    (client, server), messages = msgspec.json.schema_components(
        (FromClient, FromServer), ref_template=_REF
    )
    schemas.update(messages)
    schemas |= {"FromClient": client, "FromServer": server}
    parts = [declaration(name, schemas[name]) for name in sorted(schemas)]
    return "\n".join([_HEAD.format(protocol=PROTOCOL), *parts])


if __name__ == "__main__":
    if sys.argv[1:] == ["--check"]:
        sys.exit(
            0 if FILE.read_text(encoding="utf-8") == wire() else "web/src/lib/wire.ts is stale"
        )
    FILE.write_text(wire(), encoding="utf-8")
