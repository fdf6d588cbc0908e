"""The page about networks says what their files say."""

from __future__ import annotations

import importlib.util
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).parents[2]

if importlib.util.find_spec("onnxruntime"):  # Nothing is collected otherwise; CI allows no skips.

    def test_the_cards_of_networks_are_up_to_date() -> None:
        command = [sys.executable, str(ROOT / "scripts" / "cards.py"), "--check"]
        done = subprocess.run(command, capture_output=True, text=True, check=False)
        assert done.returncode == 0, f"run: make cards ({done.stderr})"
