"""The client's types are those of the server."""

from __future__ import annotations

import importlib.util
from pathlib import Path

ROOT = Path(__file__).parents[2]


def test_the_types_of_the_client_are_fresh() -> None:
    """Else: ``python scripts/wire.py``."""
    spec = importlib.util.spec_from_file_location("wire", ROOT / "scripts" / "wire.py")
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    assert module.FILE.read_text(encoding="utf-8") == module.wire()
