"""The coverage gate: every line of core and of the rules of every game: ``python scripts/gate.py``.

The rules of a game are its ``rules.py`` and what that imports from the same folder. Another module
of a game joins by the comment in ``MARK``. So no list names the games.
"""

from __future__ import annotations

import ast
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
GAMES = ROOT / "src" / "watermeet" / "games"
MARK = "# Held to full coverage, as the rules are.\n"


def gated() -> list[Path]:
    """The files that must be covered completely."""
    found = set((ROOT / "src" / "watermeet" / "core").glob("*.py"))
    for rules in GAMES.glob("*/rules.py"):
        found |= _with_imports(rules, set())
        found |= {file for file in rules.parent.glob("*.py") if MARK in file.read_text("utf-8")}
    return sorted(found)


def _with_imports(file: Path, known: set[Path]) -> set[Path]:
    """A module and all modules of its folder that it imports, directly or not."""
    known.add(file)
    for node in ast.walk(ast.parse(file.read_text(encoding="utf-8"))):
        if isinstance(node, ast.ImportFrom):
            names = [(node.module or "").split(".")[-1], *(each.name for each in node.names)]
            is_own = node.level > 0 or file.parent.name in (node.module or "").split(".")
            for name in names if is_own else ():
                imported = file.parent / f"{name}.py"
                if imported.exists() and imported not in known:
                    _with_imports(imported, known)
    return known


def main() -> int:
    """Report on these files; the exit status is not 0 if a line is missing."""
    paths = ",".join(file.relative_to(ROOT).as_posix() for file in gated())
    command = [sys.executable, "-m", "coverage", "report", f"--include={paths}"]
    return subprocess.run(command, cwd=ROOT, check=False).returncode


if __name__ == "__main__":
    sys.exit(main())
