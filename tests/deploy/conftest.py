"""The servers that the drill needs. Without Caddy it is left out, and the summary says so."""

from __future__ import annotations

import shutil

from tests.server.conftest import _postgres, _valkey, postgres, valkey

__all__ = ["_postgres", "_valkey", "postgres", "valkey"]

collect_ignore = [] if shutil.which("caddy") else ["test_rolling_restart.py"]
