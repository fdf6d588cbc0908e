"""No game is named outside its folder: a sixth game is one folder, and nothing lists the games.

In src/ and web/src/ no identifier and no string names a game; comments and prose may use the words,
some of which are plain English. Tests, benchmarks, scripts and examples may name a game as an
example, but none lists them all.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from pathlib import Path

import pytest

import watermeet as wm
from watermeet.testing.folders import built_in_games, folder_of

pytestmark = pytest.mark.slow

ROOT = Path(__file__).parents[2]
SOURCE = Path(wm.__file__).parent
HOMES = [folder_of(wm.game(name)) for name in built_in_games()]
NAMES = set(built_in_games())
ALL_BUT_ONE = len(NAMES) - 1
_PIECES = re.compile(r"[^a-z0-9]+")
_COMMENT = re.compile(r"//.*?$|/\*.*?\*/|<!--.*?-->|<style.*?</style>", re.DOTALL | re.MULTILINE)
_STRING = re.compile(r"'[^'\n]*'|\"[^\"\n]*\"|`[^`]*`")
_IDENTIFIER = re.compile(r"(?<![\w-])[A-Za-z_$][\w$]*(?![\w-])")


def names_in_identifier(identifier: str) -> set[str]:
    """The games that an identifier names: ``flume_solver`` and ``FlumeSolver`` name flume."""
    return NAMES & set(_PIECES.split(re.sub(r"(?<=[a-z])(?=[A-Z])", "_", identifier).lower()))


def names_in_string(text: str) -> set[str]:
    """The games that a string names: as a whole, or in a path or an address, not in a sentence."""
    words = [word.strip(".,:;!?()") for word in text.lower().split()]
    if len(words) > 1:
        words = [word for word in words if re.search(r"[./@=:_]", word)]
    return NAMES & {piece for word in words for piece in _PIECES.split(word)}


def _docstrings(tree: ast.Module) -> set[int]:
    """The ids of all strings that are statements."""
    statements = (node.value for node in ast.walk(tree) if isinstance(node, ast.Expr))
    return {id(value) for value in statements if isinstance(value, ast.Constant)}


def python_names(source: str) -> Iterator[tuple[int, str]]:
    """Every game that Python code names, with the line."""
    tree = ast.parse(source)
    prose = _docstrings(tree)
    for node in ast.walk(tree):
        found: set[str] = set()
        if isinstance(node, ast.Constant) and isinstance(node.value, str):
            found = set() if id(node) in prose else names_in_string(node.value)
        for field in ("id", "attr", "arg", "name", "module"):
            value = getattr(node, field, None)
            found |= names_in_identifier(value) if isinstance(value, str) else set()
        for name in sorted(found):
            yield getattr(node, "lineno", 0), name


def client_names(source: str) -> Iterator[tuple[int, str]]:
    """Every game that TypeScript or Svelte code names, with the line."""
    code = _COMMENT.sub(lambda comment: "\n" * comment[0].count("\n"), source)
    for number, line in enumerate(code.splitlines(), 1):
        strings = _STRING.findall(line)
        found = {name for string in strings for name in names_in_string(string.strip("'\"`"))}
        # The text of a page is prose.
        if not re.search(r">[^<{]*$|^[^<{;=(]*$", _STRING.sub("", line)):
            for identifier in _IDENTIFIER.findall(_STRING.sub("", line)):
                found |= names_in_identifier(identifier)
        yield from ((number, name) for name in sorted(found))


def _is_in_a_game(file: Path) -> bool:
    return any(home in file.parents for home in HOMES)


def test_no_game_is_named_outside_its_folder() -> None:
    """Neither in Python, nor in the client."""
    files = [file for file in SOURCE.rglob("*.py") if not _is_in_a_game(file)]
    found = [
        f"{file.relative_to(ROOT)}:{line}: {name}"
        for file in sorted(files)
        for line, name in python_names(file.read_text(encoding="utf-8"))
    ]
    client = [*(ROOT / "web/src").rglob("*.ts"), *(ROOT / "web/src").rglob("*.svelte")]
    found += [
        f"{file.relative_to(ROOT)}:{line}: {name}"
        for file in sorted(client)
        for line, name in client_names(file.read_text(encoding="utf-8"))
    ]
    assert found == []


def test_no_program_lists_the_games() -> None:
    """Tests, benchmarks, scripts and examples read the registry."""
    folders = ("tests", "bench", "scripts", "examples")
    found = []
    for file in sorted(file for folder in folders for file in (ROOT / folder).rglob("*.py")):
        for node in ast.walk(ast.parse(file.read_text(encoding="utf-8"))):
            if isinstance(node, ast.List | ast.Tuple | ast.Set | ast.Dict):
                strings = [each.value for each in ast.walk(node) if isinstance(each, ast.Constant)]
                words = [each for each in strings if isinstance(each, str)]
                if len({name for word in words for name in names_in_string(word)}) >= ALL_BUT_ONE:
                    found.append(f"{file.relative_to(ROOT)}:{node.lineno}")
    assert found == []


def test_names_are_distinguished_from_words() -> None:
    """Code is found, English isn't."""
    name = min(NAMES)
    code = (
        f'"""A {name} of words."""\nimport games.{name}\nx = "{name}"\n# {name}\ny = "a {name} b"\n'
    )
    assert [line for line, _ in python_names(code)] == [2, 3]
    page = f"// {name}\nconst x = '{name}';\nlet {name} = 1;\n<p>The {name} of words</p>\n"
    assert [line for line, _ in client_names(page)] == [2, 3]
    assert names_in_identifier(f"{name.capitalize()}Solver") == {name}
    assert names_in_string(f"src/games/{name}/web") == {name}
