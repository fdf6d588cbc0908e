"""Build the engines of our own games into the package, for a wheel: ``make wheel`` does both.

A server builds engines that are missing itself, after everything else; with a wheel that has them,
browsers think from the first minute. Takes minutes, unless this machine has built them before.
"""

from __future__ import annotations

import shutil
import sys

from watermeet.core.registry import game, games
from watermeet.server.engines import PACKED, STAMP, built_file, digest_of_sources
from watermeet.server.precompiler import ENGINE, run_once


def main() -> int:
    """Build what is missing, and copy everything; the exit status is 1 without a cache on disk."""
    shutil.rmtree(PACKED, ignore_errors=True)  # Otherwise the old ones would count as built.
    PACKED.mkdir()
    for name in games():
        if not game(name).package.startswith("watermeet."):
            continue
        run_once(name, ENGINE)
        file = built_file(name)
        if file is None:
            print("There is no folder to keep compiled code in.", file=sys.stderr)
            return 1
        shutil.copyfile(file, PACKED / file.name)
        print(f"{name}: {file.stat().st_size:,} bytes", flush=True)
    (PACKED / STAMP).write_text(digest_of_sources(), encoding="utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main())
