"""What the server may import."""

from __future__ import annotations

import subprocess
import sys

import pytest

SERVER = "from watermeet.server.app import create_app\n"
SETTINGS = "from watermeet.server.settings import Settings\ncreate_app(Settings())\n"
STORES = "store.factory store.sqlite store.postgres bus.factory bus.memory bus.valkey"


@pytest.mark.parametrize(
    ("program", "missing"),
    [
        ("".join(f"import watermeet.server.{name}\n" for name in STORES.split()), "numba"),
        (SERVER + SETTINGS, "opentelemetry fcntl grp pwd resource termios"),
    ],
)
def test_a_program_starts_without(program: str, missing: str) -> None:
    """Stores start at once; tracing costs nothing unless it is used; Windows has no fcntl."""
    block = f"import sys\nfor name in {missing.split()}:\n    sys.modules[name] = None\n"
    subprocess.run([sys.executable, "-c", block + program], check=True)
