"""Conventions that can be checked: lengths, links in pages, the tree of errors."""

from __future__ import annotations

import ast
import re
from pathlib import Path

import pytest

import watermeet
from watermeet.core import errors

ROOT = Path(__file__).parents[2]
SOURCES = sorted((ROOT / "src").rglob("*.py"))
PAGES = [*ROOT.glob("*.md"), *(ROOT / "docs").rglob("*.md"), *(ROOT / "src").rglob("*.md")]
LONGEST_FUNCTION, LONGEST_KERNEL, LONGEST_FILE = 80, 120, 800


TEMPLATE = ROOT / "src/watermeet/testing/template"
"""Its pictures are drawn when a game is made of it, and test_completeness.py checks them there."""


def _functions(file: Path) -> list[ast.FunctionDef]:
    tree = ast.parse(file.read_text(encoding="utf-8"))
    return [node for node in ast.walk(tree) if isinstance(node, ast.FunctionDef)]


def _is_kernel(function: ast.FunctionDef) -> bool:
    return any(isinstance(d, ast.Name) and d.id == "kernel" for d in function.decorator_list)


@pytest.mark.parametrize("file", SOURCES, ids=lambda file: str(file.relative_to(ROOT)))
def test_functions_and_files_are_short(file: Path) -> None:
    """Functions of at most 80 lines, kernels 120, files 800."""
    assert len(file.read_text(encoding="utf-8").splitlines()) <= LONGEST_FILE
    for function in _functions(file):
        length = (function.end_lineno or 0) - function.lineno + 1
        limit = LONGEST_KERNEL if _is_kernel(function) else LONGEST_FUNCTION
        assert length <= limit, f"{function.name} has {length} lines"


@pytest.mark.parametrize("file", SOURCES, ids=lambda file: str(file.relative_to(ROOT)))
def test_every_file_has_a_docstring(file: Path) -> None:
    """It says what the file holds."""
    content = file.read_text(encoding="utf-8")
    assert not content.strip() or ast.get_docstring(ast.parse(content))


@pytest.mark.parametrize("page", PAGES, ids=lambda page: str(page.relative_to(ROOT)))
def test_links_are_valid(page: Path) -> None:
    """Links to files of the project name files that exist."""
    for target in re.findall(r"\]\(([^)#\s]+)[^)]*\)", page.read_text(encoding="utf-8")):
        is_drawn_later = TEMPLATE in page.parents and target.endswith(".svg")
        if not re.match(r"[a-z]+:", target) and not is_drawn_later:
            assert (page.parent / target).exists(), f"{page.name} links to {target}"


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
