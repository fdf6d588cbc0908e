"""Break one line at a time, and see whether tests notice: ``python scripts/mutants.py [FILE...]``.

cosmic-ray makes the mutants of the rules, the server's matches and the search; of these, a sample
runs: one mistake at a time, in a copy of the tree, against the tests of that file, in plain Python,
where kernels needn't be compiled. What survives is a gap in the tests, or makes no difference: that
is for a person to tell. `set_up nightly` installs what it needs.
"""

from __future__ import annotations

import argparse
import ast
import os
import random
import re
import shutil
import sys
import tempfile
from pathlib import Path

from cosmic_ray.commands.init import init
from cosmic_ray.mutating import mutate_and_test
from cosmic_ray.testing import run_tests
from cosmic_ray.work_db import use_db
from cosmic_ray.work_item import MutationSpec, TestOutcome

ROOT = Path(__file__).resolve().parents[1]
TESTS = {
    r"src/watermeet/games/(\w+)/": r"src/watermeet/games/\1/tests tests/testing",
    r"src/watermeet/server/matches/": "tests/server/matches tests/server",
    r"src/watermeet/search/": "tests/search",
}
"""Which tests are about which files; those that fail soonest come first."""
PYTEST = "-m pytest -x -q --tb=no -p no:randomly -p no:cacheprovider"
MARKS = "not slow and not nightly and not compiled"
TIMEOUT_S, CONTROL_S = 300.0, 1800.0


def sampled(files: list[str], size: int, rng: random.Random) -> list[MutationSpec]:
    """So many mutants, each of another line: long lines count no more than short ones."""
    by_line: dict[tuple[str, int], list[MutationSpec]] = {}
    with use_db(":memory:") as database:
        init([Path(file) for file in files], database, {})
        left_out = {file: _without_effect(Path(file)) for file in files}
        for item in database.work_items:
            for mutant in item.mutations:
                file, line = mutant.module_path.as_posix(), mutant.start_pos[0]
                is_same = mutant.operator_name.endswith(("_Is", "_IsNot"))  # For small numbers.
                if line not in left_out[file] and not is_same:
                    by_line.setdefault((file, line), []).append(mutant)
    places = rng.sample(sorted(by_line), min(size, len(by_line)))
    return [rng.choice(by_line[place]) for place in sorted(places)]


def _without_effect(file: Path) -> set[int]:
    """The lines of signatures and assertions: annotations are never run, decorators compile."""
    lines: set[int] = set()
    for node in ast.walk(ast.parse(file.read_text(encoding="utf-8"))):
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
            first = min((each.lineno for each in node.decorator_list), default=node.lineno)
            lines.update(range(first, node.body[0].lineno))
        elif isinstance(node, ast.Assert | ast.AnnAssign):
            lines.update(range(node.lineno, (node.end_lineno or node.lineno) + 1))
    return lines


def command_for(file: str) -> str:
    """The command that runs the tests of a file."""
    for pattern, tests in TESTS.items():
        if found := re.match(pattern, file):
            return f"{sys.executable} {PYTEST} -m '{MARKS}' {found.expand(tests)}"
    raise SystemExit(f"No tests are known for {file}: add them to TESTS.")


def main() -> None:
    """Make mutants, try each, and report."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("files", nargs="*", help="sources, from the root of the tree")
    parser.add_argument("--sample", type=int, default=30, help="how many mutants of all files")
    parser.add_argument("--seed", type=int, default=random.randrange(1 << 30))
    chosen = parser.parse_args()
    os.environ["NUMBA_DISABLE_JIT"] = "1"
    with tempfile.TemporaryDirectory(prefix="mutants-") as folder:
        copy = Path(folder, "tree")
        ignored = shutil.ignore_patterns(".git", ".venv", "node_modules", "static", "__pycache__")
        shutil.copytree(ROOT, copy, ignore=ignored, symlinks=True)
        os.chdir(copy)
        os.environ["PYTHONPATH"] = f"{copy / 'src'}{os.pathsep}{copy}"
        patterns = ("games/*/rules*.py", "server/matches/*.py", "search/*.py")
        found = (file for each in patterns for file in Path("src/watermeet").glob(each))
        files = chosen.files or sorted(file.as_posix() for file in found)
        mutants = sampled(files, chosen.sample, random.Random(chosen.seed))
        for command in sorted({command_for(each.module_path.as_posix()) for each in mutants}):
            if run_tests(command, CONTROL_S)[0] != TestOutcome.SURVIVED:
                raise SystemExit(f"These tests fail without any mutant: {command}")
        killed = 0
        for mutant in mutants:
            file = mutant.module_path.as_posix()
            result = mutate_and_test([mutant], command_for(file), TIMEOUT_S)
            if result.test_outcome == TestOutcome.SURVIVED:
                print(f"survived: {file}:{mutant.start_pos[0]}\n{result.diff}", flush=True)
            else:
                killed += 1
        print(f"seed {chosen.seed}: {killed} of {len(mutants)} mutants killed")


if __name__ == "__main__":
    main()
