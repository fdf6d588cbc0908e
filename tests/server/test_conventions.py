"""Conventions of the server: documented errors and a fast start."""

from __future__ import annotations

import ast
import subprocess
import sys
from pathlib import Path

from watermeet.server import errors
from watermeet.server.errors import ServerError

ROOT = Path(__file__).parents[2]
KINDS = [
    kind
    for kind in vars(errors).values()
    if isinstance(kind, type) and issubclass(kind, ServerError) and kind is not ServerError
]


def test_every_error_of_the_server_is_documented() -> None:
    page = (ROOT / "docs" / "reference" / "errors.md").read_text(encoding="utf-8")
    assert len({kind.code for kind in KINDS}) == len(KINDS)
    for kind in KINDS:
        assert f"\n| `{kind.code}` | `{kind.__name__}` | {kind.status} |" in page


def test_store_and_bus_start_without_numba() -> None:
    modules = "store.factory store.sqlite store.postgres bus.factory bus.memory bus.valkey"
    imports = "; ".join(f"import watermeet.server.{module}" for module in modules.split())
    program = f"{imports}; import sys; sys.exit('numba' in sys.modules)"
    assert subprocess.run([sys.executable, "-c", program], check=False).returncode == 0


def test_the_server_imports_nothing_that_is_missing_on_windows() -> None:
    """Files are locked by filelock, which knows both kinds of systems."""
    missing = {"fcntl", "grp", "pwd", "resource", "termios"}
    for file in sorted((ROOT / "src" / "watermeet" / "server").rglob("*.py")):
        for node in ast.parse(file.read_text(encoding="utf-8")).body:
            if isinstance(node, ast.Import):
                assert not missing & {each.name for each in node.names}, file
            elif isinstance(node, ast.ImportFrom):
                assert node.module not in missing, file
