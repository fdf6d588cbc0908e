"""Builds the documentation site: ``python scripts/docs.py [TASK]``.

    build    dist/site, strictly: a warning or a dead link fails;
             with --all, also engines for the live boards, which takes minutes
    serve    the same, served on this machine until Ctrl-C
    publish  FOLDER VERSION [ALIAS...]: put the built site into a folder with all versions

The pages are written to dist/pages first (docs_pages.py). Needs requirements/docs.txt.
"""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent))

import docs_live
import docs_pages

ROOT = docs_pages.ROOT
SITE = ROOT / "dist" / "site"


def build(task: str, *, everything: bool) -> int:
    """Build the site, or serve it, too; return the exit status."""
    if not docs_live.build(missing=everything):
        print("The boards stand still: there is no Node or no engine. --all builds it.")
    docs_pages.write(ROOT / "dist" / "pages")
    strictly = ["--strict"] if task == "build" else []
    command = [sys.executable, "-m", "zensical", task, *strictly]
    return subprocess.run(command, cwd=ROOT, check=False).returncode


def main(arguments: list[str]) -> int:
    """The command line."""
    task, *rest = arguments or ["build"]
    if task in ("build", "serve"):
        return build(task, everything="--all" in rest)
    if task == "publish" and len(rest) > 1:
        docs_pages.publish(SITE, Path(rest[0]), *rest[1:])
        return 0
    print(__doc__, file=sys.stderr)
    return 2


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
