"""``python -O`` leaves out assertions, and nothing else: what they say has no effect."""

from __future__ import annotations

import ast
import builtins
import re
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

from tests.core.test_wasm import POINTERS

ROOT = Path(__file__).parents[2]
FOLDERS = ("src", "scripts", "bench", "examples")
CALLS = re.compile(r"^ *assert .*\(", re.MULTILINE)
PURE = {*dir(builtins), "items", "keys", "monotonic", "startswith", "values"} - {"next", "print"}
"""What an assertion may call. Anything else is called before it, and its result asserted."""


def _with_effect(source: str) -> Iterator[int]:
    """The lines of assertions that might do something."""
    for node in ast.walk(ast.parse(source)):
        if not isinstance(node, ast.Assert):
            continue
        for part in ast.walk(node.test):
            called = part.func if isinstance(part, ast.Call) else None
            name = getattr(called, "id", getattr(called, "attr", None))
            if isinstance(part, ast.Await | ast.NamedExpr) or (called and name not in PURE):
                yield node.lineno


def test_assertions_have_no_effect() -> None:
    files = [file for folder in FOLDERS for file in (ROOT / folder).rglob("*.py")]
    found = {
        f"{file.relative_to(ROOT)}:{line}"
        for file in files
        if "tests" not in file.parts
        and CALLS.search(source := file.read_text(encoding="utf-8"))  # Parsing all takes seconds.
        for line in _with_effect(source)
    }
    assert not found
    assert [*_with_effect("assert reader.byte() == 0\nassert len(x)")] == [1]


def test_without_assertions_a_module_for_browsers_is_the_same(tmp_path: Path) -> None:
    from watermeet.core.wasm import compile_text
    from watermeet.core.wasm_object import make_module

    compiled = compile_text(POINTERS, {"peek"})
    (tmp_path / "object").write_bytes(compiled)
    program = (
        "import sys; from pathlib import Path; from watermeet.core.wasm_object import make_module; "
        "sys.stdout.buffer.write(make_module(Path(sys.argv[1]).read_bytes(), ['peek']))"
    )
    command = [sys.executable, "-O", "-c", program, str(tmp_path / "object")]
    done = subprocess.run(command, capture_output=True, check=True)
    assert done.stdout == make_module(compiled, ["peek"])
