"""Would a test notice? ``python scripts/mutate.py FILE ... --sample 20`` breaks one line at a time.

Each mutant is one small mistake in a copy of the tree: another comparison, operator, number or
truth, another result, an empty text, a statement left out. The tests of that file run in plain
Python, where kernels needn't be compiled, until one fails. What survives is a gap, or it makes no
difference: that is for a person to tell. ``--out`` keeps the mutants, ``--mutants`` runs the same
ones against another commit (``--tree``) or other tests (``--marks``).
"""

from __future__ import annotations

import argparse
import ast
import json
import os
import random
import re
import shutil
import signal
import subprocess
import sys
import tempfile
import time
from bisect import bisect_right
from collections import Counter
from collections.abc import Iterator
from dataclasses import asdict, dataclass
from itertools import accumulate, pairwise
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]

_SERVER = ("matches", "catching_up", "rest", "watching", "rematch", "positions", "socket")
_RULES = ("play", "agreements", "leaving", "clocks", "secrets")
_KIT = ("perft", "goldens", "conformance")
_SEARCH = ("steps", "result", "montecarlo", "batch")
TESTS = {
    r"src/watermeet/games/(?P<game>\w+)/": [
        ["src/watermeet/games/{game}/tests/test_rules.py"],
        ["src/watermeet/games/{game}/tests"],
        [*(f"tests/testing/test_{name}.py" for name in _KIT), "-k", "[{game}] or [{game}-"],
    ],
    r"src/watermeet/server/matches/": [
        [f"tests/server/matches/test_rules_{name}.py" for name in _RULES],
        ["tests/server/matches"],
        [f"tests/server/test_{name}.py" for name in _SERVER],
    ],
    # Without tests that take minutes in plain Python.
    r"src/watermeet/search/alphabeta": [
        ["tests/search/test_alphabeta.py", "-k", "not agrees_with_the_solver"]
    ],
    r"src/watermeet/search/": [
        [*(f"tests/search/test_{name}.py" for name in _SEARCH), "-k", "not qwirkle"]
    ],
    r"src/watermeet/(?P<folder>\w+)/": [["tests/{folder}"]],
}
"""Which tests are about which files, as arguments of pytest; those that fail soonest come first."""

COMPARISONS = {
    "<": "<=", "<=": "<", ">": ">=", ">=": ">", "==": "!=", "!=": "==",
    "in": "not in", "not in": "in", "is": "is not", "is not": "is",
}  # fmt: skip
OPERATORS = {
    "+": "-", "-": "+", "*": "+", "/": "*", "//": "*", "%": "*", "**": "*",
    "<<": ">>", ">>": "<<", "&": "|", "|": "&", "^": "|",
}  # fmt: skip
_COMPARISON = re.compile(rb"\b(?:not\s+in|is\s+not|in|is)\b|[<>=!]=|[<>]")
_OPERATOR = re.compile(rb"//|\*\*|<<|>>|[-+*/%&|^]")
_BOOLEAN = re.compile(rb"\b(?:and|or)\b")


@dataclass(frozen=True)
class Mutant:
    """A mistake: in a file, within a function or class, the ``nth`` such text becomes another."""

    file: str
    line: int
    scope: str
    nth: int
    kind: str
    before: str
    after: str

    def applied(self, source: str) -> str | None:
        """The source with the mistake; None if it has no such text."""
        first, last = dict(_scopes(ast.parse(source))).get(self.scope, (0, 0))
        lines = source.splitlines(keepends=True)
        count = self.before.count("\n")
        within = range(first, min(last, len(lines)))
        places = [n for n in within if "".join(lines[n : n + count]) == self.before]
        if self.nth >= len(places):
            return None
        place = places[self.nth]
        return "".join((*lines[:place], self.after, *lines[place + count :]))


# ---- making mutants -----------------------------------------------------------------------------


class _Mutator(ast.NodeVisitor):
    """Collects the edits of a module: where, what instead, and of which kind."""

    def __init__(self, source: str) -> None:
        self.source = source.encode()
        lines = self.source.splitlines(keepends=True)
        self.starts = [0, *accumulate(map(len, lines))]
        self.edits: list[tuple[int, int, str, str]] = []
        self.result = ""
        self.visit(ast.parse(source))

    def span(self, node: ast.expr | ast.stmt) -> tuple[int, int]:
        assert node.end_lineno is not None
        assert node.end_col_offset is not None
        end = self.starts[node.end_lineno - 1] + node.end_col_offset
        return self.starts[node.lineno - 1] + node.col_offset, end

    def replace(self, node: ast.expr | ast.stmt, pattern: str, kind: str) -> None:
        """Replace a node; ``{}`` in the pattern is its text."""
        start, end = self.span(node)
        self.edits.append((start, end, pattern.format(self.source[start:end].decode()), kind))

    def swap(self, left: ast.expr | int, right: ast.expr, what: re.Pattern[bytes]) -> None:
        """Replace the operator between two operands."""
        start = left if isinstance(left, int) else self.span(left)[1]
        found = what.search(self.source, start, self.span(right)[0])
        if found is None:
            return
        old = " ".join(found[0].decode().split())
        if what is _COMPARISON:
            new, kind = COMPARISONS[old], "comparison"
        elif what is _OPERATOR:
            new, kind = OPERATORS[old], "operator"
        else:
            new, kind = ("or" if old == "and" else "and"), "boolean"
        self.edits.append((found.start(), found.end(), new, kind))

    # Never changed: annotations, decorators, and assertions, which are for our own mistakes.

    def visit_Assert(self, node: ast.Assert) -> None:
        pass

    def visit_AnnAssign(self, node: ast.AnnAssign) -> None:
        if node.value is not None:
            self.visit(node.value)

    def visit_FunctionDef(self, node: ast.FunctionDef | ast.AsyncFunctionDef) -> None:
        outer, self.result = self.result, ast.unparse(node.returns) if node.returns else ""
        defaults = [*node.args.defaults, *node.args.kw_defaults]
        for child in (*filter(None, defaults), *node.body):
            self.visit(child)
        self.result = outer

    visit_AsyncFunctionDef = visit_FunctionDef  # noqa: N815

    def visit_Expr(self, node: ast.Expr) -> None:
        if not isinstance(node.value, ast.Constant):  # A docstring, or an ellipsis.
            self.replace(node, "pass", "statement")
            self.visit(node.value)

    def visit_Compare(self, node: ast.Compare) -> None:
        operands = [node.left, *node.comparators]
        for left, right in pairwise(operands):
            self.swap(left, right, _COMPARISON)
        self.generic_visit(node)

    def visit_BinOp(self, node: ast.BinOp) -> None:
        self.swap(node.left, node.right, _OPERATOR)
        self.generic_visit(node)

    def visit_AugAssign(self, node: ast.AugAssign) -> None:
        self.swap(node.target, node.value, _OPERATOR)
        self.replace(node, "pass", "statement")
        self.generic_visit(node)

    def visit_BoolOp(self, node: ast.BoolOp) -> None:
        for left, right in pairwise(node.values):
            self.swap(left, right, _BOOLEAN)
        self.generic_visit(node)

    def visit_UnaryOp(self, node: ast.UnaryOp) -> None:
        if isinstance(node.op, ast.Not):
            start, _ = self.span(node)
            self.edits.append((start, self.span(node.operand)[0], "", "boolean"))
        self.generic_visit(node)

    def visit_If(self, node: ast.If | ast.While | ast.IfExp) -> None:
        if not isinstance(node.test, ast.Compare | ast.BoolOp | ast.UnaryOp | ast.Constant):
            self.replace(node.test, "not ({})", "boolean")
        self.generic_visit(node)

    visit_While = visit_If  # noqa: N815
    visit_IfExp = visit_If  # noqa: N815

    def visit_Constant(self, node: ast.Constant) -> None:
        value = node.value
        if isinstance(value, bool):
            self.replace(node, str(not value), "constant")
        elif isinstance(value, int | float):
            for other in (value - 1, value + 1):
                self.replace(node, str(other), "constant")
        elif value and isinstance(value, str | bytes):
            self.replace(node, "''" if isinstance(value, str) else "b''", "text")

    def visit_JoinedStr(self, node: ast.JoinedStr) -> None:
        self.replace(node, "''", "text")

    def visit_Return(self, node: ast.Return) -> None:
        if node.value is None:
            self.replace(node, "pass", "statement")
            return
        pattern = {"bool": "not ({})", "int": "({}) + 1", "float": "({}) + 1"}
        if not (isinstance(node.value, ast.Constant) and node.value.value is None):
            self.replace(node.value, pattern.get(self.result, "None"), "return")
        self.generic_visit(node)

    def visit_Assign(self, node: ast.Assign) -> None:
        """An assignment to an element can be left out; without a name nothing would run."""
        if all(isinstance(target, ast.Subscript | ast.Attribute) for target in node.targets):
            self.replace(node, "pass", "statement")
        self.generic_visit(node)

    def leave_out(self, node: ast.Raise | ast.Continue | ast.Break) -> None:
        self.replace(node, "pass", "statement")
        self.generic_visit(node)

    visit_Raise = visit_Continue = visit_Break = leave_out  # noqa: N815


def _scopes(module: ast.Module) -> Iterator[tuple[str, tuple[int, int]]]:
    """Every function and class with its lines, outer ones first; the module is ``""``."""
    yield "", (0, 1 << 30)

    def inside(node: ast.AST, name: str) -> Iterator[tuple[str, tuple[int, int]]]:
        for child in ast.iter_child_nodes(node):
            own = name
            if isinstance(child, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef):
                own = f"{name}.{child.name}".lstrip(".")
                yield own, (child.lineno - 1, child.end_lineno or child.lineno)
            yield from inside(child, own)

    yield from inside(module, "")


def mutants_of(file: str, source: str) -> list[Mutant]:
    """All mutants of a file."""
    mutator = _Mutator(source)
    raw, starts = mutator.source, mutator.starts
    scopes = dict(_scopes(ast.parse(source)))
    lines = source.splitlines(keepends=True)
    made = []
    for start, end, new, kind in mutator.edits:
        first, last = bisect_right(starts, start) - 1, bisect_right(starts, end - 1) - 1
        before = "".join(lines[first : last + 1])
        after = raw[starts[first] : start] + new.encode() + raw[end : starts[last + 1]]
        scope = [name for name, (low, high) in scopes.items() if low <= first < high][-1]
        low = scopes[scope][0]
        count = last + 1 - first
        nth = sum("".join(lines[n : n + count]) == before for n in range(low, first))
        made.append(Mutant(file, first + 1, scope, nth, kind, before, after.decode()))
    return made


def sampled(mutants: list[Mutant], size: int, seed: int) -> list[Mutant]:
    """So many mutants, each of another line: long lines count no more than short ones."""
    by_line: dict[tuple[str, int], list[Mutant]] = {}
    for mutant in mutants:
        by_line.setdefault((mutant.file, mutant.line), []).append(mutant)
    chance = random.Random(seed)
    places = chance.sample(sorted(by_line), min(size, len(by_line)))
    return [chance.choice(by_line[place]) for place in sorted(places)]


# ---- running tests ------------------------------------------------------------------------------


class Runner:
    """A copy of a tree, in which mutants are tried one after the other."""

    def __init__(self, tree: Path, copy: Path, args: argparse.Namespace) -> None:
        left_out = (".git", ".venv", "node_modules", "static", ".hypothesis", ".mypy_cache")
        shutil.copytree(tree, copy, ignore=shutil.ignore_patterns(*left_out), symlinks=True)
        self.copy, self.marks, self.timeout = copy, args.marks, args.timeout
        self.seed = args.seed
        self.environment = {
            **os.environ,
            "PYTHONPATH": os.pathsep.join(
                (str(copy / "src"), str(copy), os.environ.get("PYTHONPATH", ""))
            ),
            "PYTHONDONTWRITEBYTECODE": "1",  # Or the code of one mutant might serve the next.
        }
        if not args.compiled:
            self.environment["NUMBA_DISABLE_JIT"] = "1"

    def try_out(self, mutant: Mutant, killer: str = "") -> tuple[str, str]:
        """What became of a mutant, and the test that noticed it: first the one that did before."""
        file = self.copy / mutant.file
        if not file.exists() or (changed := mutant.applied(file.read_text("utf-8"))) is None:
            return "missing", ""
        original, times = file.read_bytes(), file.stat()
        try:
            file.write_text(changed, encoding="utf-8")
            before = [[killer]] if killer else []
            for arguments in (*before, *_arguments(mutant.file)):
                result, killer = self.run(arguments)
                if result != "survived":
                    return result, killer
            return "survived", ""
        finally:
            file.write_bytes(original)
            os.utime(file, (times.st_atime, times.st_mtime))
            shutil.rmtree(self.copy / ".hypothesis", ignore_errors=True)

    def check(self, *arguments: str) -> None:
        """Tests that notice mutants must pass without one, or they notice nothing."""
        result, killer = self.run([*arguments])
        if result != "survived":
            raise SystemExit(f"This test fails without any mutant: {killer or result}")

    def is_there(self, argument: str) -> bool:
        """Whether a file or folder of tests exists in this tree; whatever isn't one passes."""
        path, *_ = argument.split("::")
        return "/" not in path or (self.copy / path).exists()

    def run(self, arguments: list[str]) -> tuple[str, str]:
        """Run tests until one fails."""
        there = [each for each in arguments if self.is_there(each)]
        if not any("/" in each for each in there):
            return "survived", ""
        command = [sys.executable, "-m", "pytest", "-x", "-q", "--tb=no", "-m", self.marks, *there]
        command += ["-p", "no:randomly", "-p", "no:cacheprovider", f"--hypothesis-seed={self.seed}"]
        process = subprocess.Popen(
            command,
            cwd=self.copy,
            env=self.environment,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
            start_new_session=True,
        )
        try:
            output, _ = process.communicate(timeout=self.timeout)
        except subprocess.TimeoutExpired:
            os.killpg(process.pid, signal.SIGKILL)
            process.communicate()
            return "timeout", ""
        is_unknown = process.returncode == 5 or "ERROR: not found: " in output
        if process.returncode == 0 or is_unknown:
            return "survived", ""
        found = re.search(r"^(?:FAILED|ERROR) (.+?)(?: - .*)?$", output, re.MULTILINE)
        return "killed", found[1] if found else output.strip().splitlines()[-1]


def _arguments(file: str) -> list[list[str]]:
    for pattern, tests in TESTS.items():
        if found := re.match(pattern, file):
            names = found.groupdict()
            return [[argument.format(**names) for argument in each] for each in tests]
    raise SystemExit(f"No tests are known for {file}: add them to TESTS.")


def _show(mutant: Mutant, result: str, killer: str, seconds: float) -> str:
    changed = [
        (old.strip(), new.strip())
        for old, new in zip(mutant.before.splitlines(), mutant.after.splitlines(), strict=False)
        if old != new
    ]
    old, new = changed[0] if changed else (mutant.before.strip(), mutant.after.strip())
    told = f"{result:8} {mutant.file}:{mutant.line} ({mutant.kind}, {seconds:.0f} s) {killer}"
    return told if result == "killed" else f"{told}\n    - {old}\n    + {new}"


def main() -> int:
    """Make or read mutants, try each, and report."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("files", nargs="*", help="sources, from the root of the tree")
    parser.add_argument("--sample", type=int, default=20, help="how many mutants of all files")
    parser.add_argument("--seed", type=int, default=0, help="another seed makes another sample")
    parser.add_argument("--marks", default="not slow and not compiled", help="pytest's -m")
    parser.add_argument("--compiled", action="store_true", help="compile kernels: slow")
    parser.add_argument("--timeout", type=float, default=300, help="seconds: a mutant may loop")
    parser.add_argument("--tree", type=Path, default=ROOT, help="whose tests and sources to use")
    parser.add_argument("--mutants", type=Path, help="a file of --out: try these again")
    parser.add_argument("--out", type=Path, help="keep mutants and results, a line of JSON each")
    parser.add_argument("--list", action="store_true", help="run nothing")
    args = parser.parse_args()
    names = Mutant.__dataclass_fields__
    mutants: dict[Mutant, str] = {}
    if args.mutants:
        for row in map(json.loads, args.mutants.read_text("utf-8").splitlines()):
            mutants[Mutant(**{name: row[name] for name in names})] = row.get("killer", "")
    else:
        texts = {file: (args.tree / file).read_text("utf-8") for file in args.files}
        made = [mutant for file, text in texts.items() for mutant in mutants_of(file, text)]
        mutants = dict.fromkeys(sampled(made, args.sample, args.seed), "")
    results: list[dict[str, object]] = []
    with tempfile.TemporaryDirectory(prefix="mutants-") as folder:
        runner = None if args.list else Runner(args.tree.resolve(), Path(folder) / "tree", args)
        if runner:
            for file in sorted({mutant.file for mutant in mutants}):
                for arguments in _arguments(file):
                    runner.check("--collect-only", *arguments)
        for mutant, before in mutants.items():
            begun = time.monotonic()
            result, killer = runner.try_out(mutant, before) if runner else ("made", "")
            seconds = time.monotonic() - begun
            print(_show(mutant, result, killer, seconds), flush=True)
            results.append(asdict(mutant) | {"result": result, "killer": killer})
            if args.out:
                text = "".join(json.dumps(row) + "\n" for row in results)
                args.out.write_text(text, encoding="utf-8")
        if runner:
            runner.check(*sorted({str(row["killer"]) for row in results if row["killer"]}))
    counts = Counter(str(row["result"]) for row in results)
    print(", ".join(f"{count} {result}" for result, count in counts.most_common()))
    return 0


if __name__ == "__main__":
    sys.exit(main())
