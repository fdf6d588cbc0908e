"""Conventions that can be checked: lengths, links in pages, the tree of errors."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from pathlib import Path

import watermeet
from watermeet.core import errors

ROOT = Path(__file__).parents[2]
LONGEST_FUNCTION, LONGEST_KERNEL, LONGEST_FILE = 80, 120, 800


TEMPLATE = ROOT / "src/watermeet/testing/template"
"""Its pictures are drawn when a game is made of it, and test_completeness.py checks them there."""


def _sources() -> Iterator[tuple[str, str]]:
    """The name and content of every file of ours."""
    files = sorted((ROOT / "src").rglob("*.py"))
    assert len(files) > 300
    for file in files:
        yield str(file.relative_to(ROOT)), file.read_text(encoding="utf-8")


def _functions(content: str) -> list[ast.FunctionDef]:
    return [node for node in ast.walk(ast.parse(content)) if isinstance(node, ast.FunctionDef)]


def _is_kernel(function: ast.FunctionDef) -> bool:
    return any(isinstance(d, ast.Name) and d.id == "kernel" for d in function.decorator_list)


def test_functions_and_files_are_short() -> None:
    """Functions of at most 80 lines, kernels 120, files 800."""
    long = []
    for name, content in _sources():
        if (lines := len(content.splitlines())) > LONGEST_FILE:
            long.append(f"{name} has {lines} lines")
        for function in _functions(content):
            length = (function.end_lineno or 0) - function.lineno + 1
            if length > (LONGEST_KERNEL if _is_kernel(function) else LONGEST_FUNCTION):
                long.append(f"{function.name} in {name} has {length} lines")
    assert long == []


def test_every_file_has_a_docstring() -> None:
    """It says what the file holds."""
    files = [(name, content) for name, content in _sources() if content.strip()]
    assert [name for name, content in files if not ast.get_docstring(ast.parse(content))] == []


def test_links_are_valid() -> None:
    """Links to files of the project name files that exist."""
    pages = [*ROOT.glob("*.md"), *(ROOT / "docs").rglob("*.md"), *(ROOT / "src").rglob("*.md")]
    assert len(pages) > 50
    dead = []
    for page in pages:
        for target in re.findall(r"\]\(([^)#\s]+)[^)]*\)", page.read_text(encoding="utf-8")):
            is_drawn_later = TEMPLATE in page.parents and target.endswith(".svg")
            is_file = not re.match(r"[a-z]+:", target) and not is_drawn_later
            if is_file and not (page.parent / target).exists():
                dead.append(f"{page.relative_to(ROOT)} links to {target}")
    assert dead == []


def test_the_tree_of_errors_is_up_to_date() -> None:
    """The drawing at the top of errors.py names every error under its parent."""
    drawn = re.findall(r"^ *([│├└─ ]*)\b([A-Z]\w+)\b", errors.__doc__ or "", re.MULTILINE)
    parents: list[str] = []
    tree = {}
    for branch, name in drawn:
        if name not in vars(errors):
            continue
        depth = len(branch) // 4
        parents[depth:] = [name]
        tree[name] = parents[depth - 1] if depth else None
    real = {
        name: kind.__mro__[1].__name__ if kind is not errors.WatermeetError else None
        for name, kind in vars(errors).items()
        if isinstance(kind, type) and issubclass(kind, errors.WatermeetError)
    }
    assert tree == real


def test_error_codes_are_unique_and_errors_are_public() -> None:
    """Codes are stable words, and every error can be caught by its public name."""
    kinds = [
        kind
        for kind in vars(errors).values()
        if isinstance(kind, type) and issubclass(kind, errors.WatermeetError)
    ]
    codes = [kind.code for kind in kinds]
    assert len(set(codes)) == len(codes)
    assert all(re.fullmatch(r"[a-z_]+", code) for code in codes)
    assert {kind.__name__ for kind in kinds} <= set(watermeet.__all__)
    page = (ROOT / "docs" / "reference" / "errors.md").read_text(encoding="utf-8")
    assert [code for code in codes if f"`{code}`" not in page] == []


def test_all_public_names_exist_and_are_listed() -> None:
    """What watermeet exports is what it lists."""
    visible = {
        name
        for name, value in vars(watermeet).items()
        if not name.startswith("_") and not isinstance(value, type(ast))
    }
    assert visible | {"games"} == set(watermeet.__all__)
