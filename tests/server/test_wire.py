"""The client's types are those of the server."""

from __future__ import annotations

import importlib.util
from pathlib import Path

ROOT = Path(__file__).parents[2]


def test_the_clients_types_are_up_to_date() -> None:
    """Otherwise run ``python scripts/wire.py``."""
    spec = importlib.util.spec_from_file_location("wire", ROOT / "scripts" / "wire.py")
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    assert module.FILE.read_text(encoding="utf-8") == module.wire()
