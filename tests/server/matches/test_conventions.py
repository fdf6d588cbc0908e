"""Every paragraph of the platform's rules is cited by a test; nothing is impure."""

from __future__ import annotations

import ast
import re
from pathlib import Path

from watermeet.server import matches as package
from watermeet.server.matches import service

ROOT = Path(__file__).parents[3]
RULES = (ROOT / "docs" / "concepts" / "platform-rules.md").read_text(encoding="utf-8")
TESTS = Path(__file__).parents[1]


def test_every_paragraph_is_cited() -> None:
    """A paragraph P3.2 is cited by a test whose name begins test_p3_2_."""
    paragraphs = re.findall(r"^- \*\*(P\d+\.\d+)\*\*", RULES, re.MULTILINE)
    assert len(paragraphs) == len(set(paragraphs)) > 40
    tests = "".join(file.read_text("utf-8") for file in TESTS.rglob("test_*.py"))
    cited = set(re.findall(r"^(?:async )?def test_(p\d+_\d+)_", tests, re.MULTILINE))
    assert {paragraph.lower().replace(".", "_") for paragraph in paragraphs} == cited


def test_everything_but_the_service_is_pure() -> None:
    """No clock, no randomness of its own, no files, no sockets, no event loop."""
    banned = {"time", "datetime", "random", "secrets", "os", "pathlib", "socket", "asyncio"}
    banned |= {"logging", "threading"}
    for file in set(Path(package.__path__[0]).glob("*.py")) - {Path(service.__file__)}:
        for node in ast.walk(ast.parse(file.read_text(encoding="utf-8"))):
            names = [alias.name for alias in node.names] if isinstance(node, ast.Import) else []
            names += [node.module or ""] if isinstance(node, ast.ImportFrom) else []
            assert not banned & {name.split(".")[0] for name in names}, file
            assert not isinstance(node, ast.AsyncFunctionDef), file
            if isinstance(node, ast.Call) and isinstance(node.func, ast.Name):
                assert node.func.id not in ("open", "print", "input"), file
