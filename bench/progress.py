"""Progress on stderr, so that stdout holds only the figures."""

from __future__ import annotations

import sys


def progress(text: str) -> None:
    """Show what is being measured."""
    print(f"... {text}", file=sys.stderr, flush=True)
