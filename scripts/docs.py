"""Builds the documentation site: ``python scripts/docs.py [build|serve] [--all]``.

``build`` makes dist/site, strictly: a warning or a dead link fails. ``serve`` shows it on this
machine until Ctrl-C. With ``--all``, engines for the live boards are built, which takes minutes.
The pages are written to dist/pages first (docs_pages.py). Needs requirements/docs.txt.
"""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent))

import docs_live
import docs_pages


def main(arguments: list[str]) -> int:
    """Build the site, or serve it; return the exit status."""
    if not docs_live.build(missing="--all" in arguments):
        print("The boards stand still: there is no Node or no engine. --all builds it.")
    docs_pages.write(docs_pages.ROOT / "dist" / "pages")
    task = ["serve"] if "serve" in arguments else ["build", "--strict"]
    command = [sys.executable, "-m", "zensical", *task]
    return subprocess.run(command, cwd=docs_pages.ROOT, check=False).returncode


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
