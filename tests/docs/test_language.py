"""The project's language: names and phrases that were retired for the field's words stay retired.

``docs/decisions`` says what replaced them. A name is public if it has no leading underscore: a
module, class, function, method, field or constant, in Python or in the client; and so are error
codes, options of commands, settings and tags on the wire. Prose is what people read: README, docs,
the rules, the help of commands, and the English texts of the page and of the games.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import Any

import pytest
import typer.main

from watermeet.cli.main import app
from watermeet.testing.completeness import read_texts

ROOT = Path(__file__).parents[2]
SOURCE = ROOT / "src" / "watermeet"
WEB = ROOT / "web" / "src"

_MODULES = """
aid deepening desk drawing featuring foreman guards habits inbox infosets judgement judging keeper
laws lens line making opening ordering parts questions relational scene searcher seen sequential
setups shown single spiel standing tables telling thinker thinking thought threads warming warmth
words zoo
"""
_NAMES = """
ALL_KNOWING Asked BusAway CHANCES Drawing Foreman HandBack Judgement Keeper MakeGood Parts Room
Salted Searcher StoreAway Telling Thinker Thought TimeUp WATCHER WEIGHTS Warmth apart bring_in
certainty draw_batch draw_chance draw_from_list draw_svg draw_text edge_to_try encode_as_is
first_play game_of_package hear_of import_part is_told judgement kernel_apart layout_of long_row
longest memo no_opinion of_match patience plain_judgement play_on remember short_row softness
suppose_lost tell_node warmth watcher weigh widening
"""
RETIRED_MODULES, RETIRED_NAMES = set(_MODULES.split()), set(_NAMES.split())
RETIRED_SUFFIXES = ("Told", "Wish")
RETIRED_IN = {
    "core": {"called", "draw", "increase", "pick", "settle"},
    "games": {"pick", "settle"},
    "search": {"draw", "line", "pick", "settle", "tell"},
    "server": {"Line"},
    "web": {"Aid", "Lens", "Line", "Scene"},
}
"""Names that mean something else elsewhere."""
RETIRED_TAGS = {"asked", "done", "gone", "told", "weights", "wish"}
"""Strings on the wire, in logs and in settings."""
RETIRED_PHRASES = {
    "told, tells (shows, reports, says)": r"\btold\b|\btells\b(?! \w+ apart)",
    "anew (again)": r"\banew\b",
    "behind (after)": r"\bbehind (?:a command|a colon|the other|one.s turn)\b",
    "so many (n)": r"\bso many\b",
    "lacks (is missing)": r"\black(?:s|ing)?\b",
    "X is no Y (X isn't a Y)": r"(?<!there )\b(?:is|are) no (?!\(|longer|more|less|\w+er\b)",
    "who asks (the caller)": r"\bwho(?:ever)? (?:asks|watches|listens)\b",
    "lay a table (new game)": r"\b(?:lay|lays|laying|laid) (?:a|the) table",
    "sit down, stand up (join, leave)": r"\b(?:sit|sits|sitting) down\b|\bstands? up\b",
    "luck decides (rolling, drawing)": r"\bluck decides\b",
    "go on (continue)": r"\b(?:go|goes|going|went|gone) on\b(?! (?:to|an?|any|the)\b)",
    "look at it (review)": r"\blook at it\b",
    "by itself (automatically)": r"\bby itself\b",
    "take along (export)": r"\b(?:take|takes|taken|took) (?:it |them )?along\b",
    "as usual (standard)": r"\bas usual\b",
    "at the most (at most)": r"\bat the most\b",
    "memo (cache)": r"\bmemos?\b",
    "watcher (spectator)": r"\bwatchers?\b",
    "judgement (evaluation)": r"\bjudge?ments?\b",
    "called off (aborted)": r"\bcall(?:ed|s)? (?:it )?off\b",
}
RETIRED_IN_TESTS = re.compile(
    r"_(?:told|tells|anew|lacks?|lacking|wish|watchers?|settled|so_many|by_itself|as_usual"
    r"|who_(?:asks|comes|goes|has|listens|stood|waits|watches)|sits?_down|st(?:ands?|ood)_up"
    r"|lays?_(?:a|the)_table|(?:go|goes|went)_on(?!_(?:to|an?|any|the)_)"
    r"|(?<!there_)(?:is|are)_no_(?!longer|more|less|worse|other|[a-z]+er(?:_|$))\w+"
    r"|(?<!left_)(?<!nothing_)behind)(?:_|$)"
)
"""Words that the names of tests don't use any more."""


# ---- names ------------------------------------------------------------------------------------


def python_names(source: str) -> Iterator[str]:
    """The names of modules, classes and their members that a file defines."""
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef):
            yield node.name
        if isinstance(node, ast.Module | ast.ClassDef):
            yield from _assigned(node.body)
        elif isinstance(node, ast.Attribute) and isinstance(node.ctx, ast.Store):
            yield node.attr


def _assigned(body: list[ast.stmt]) -> Iterator[str]:
    """The names that statements assign to, such as constants and fields."""
    for statement in body:
        if isinstance(statement, ast.Assign | ast.AnnAssign):
            targets = statement.targets if isinstance(statement, ast.Assign) else [statement.target]
            yield from (each.id for each in targets if isinstance(each, ast.Name))


def client_names(source: str) -> Iterator[str]:
    """The types that TypeScript or Svelte code declares, and what it exports."""
    yield from re.findall(r"\b(?:class|interface|type|enum)\s+(\w+)\s*[<={]", source)
    yield from re.findall(r"\bexport\s+(?:async\s+)?(?:function|const|let)\s+(\w+)", source)


def is_retired(name: str, folder: str = "") -> bool:
    """Whether a public name must not be used in this folder of src/watermeet, or in the client."""
    local = RETIRED_IN.get(folder, set())
    is_suffixed = name.endswith(RETIRED_SUFFIXES) and name not in RETIRED_SUFFIXES
    return not name.startswith("_") and (name in RETIRED_NAMES | local or is_suffixed)


def _sources(folder: Path, *suffixes: str) -> list[Path]:
    files = (file for file in folder.rglob("*") if file.suffix in suffixes)
    return sorted(file for file in files if "static" not in file.parts)


def test_no_module_has_a_retired_name() -> None:
    files = [*_sources(SOURCE, ".py"), *_sources(WEB, ".ts", ".svelte")]
    found = [file for file in files if file.name.partition(".")[0].lower() in RETIRED_MODULES]
    assert [str(file.relative_to(ROOT)) for file in found] == []


def test_no_python_name_is_retired() -> None:
    found = {
        f"{file.relative_to(SOURCE)}: {name}"
        for file in _sources(SOURCE, ".py")
        if "tests" not in file.parts
        for name in python_names(file.read_text(encoding="utf-8"))
        if is_retired(name, file.relative_to(SOURCE).parts[0])
    }
    assert sorted(found) == []


def test_no_name_of_a_test_is_retired() -> None:
    found = {
        f"{file.relative_to(ROOT)}: {name}"
        for folder in (ROOT / "tests", SOURCE, ROOT / "examples")
        for file in folder.rglob("test_*.py")
        for name in python_names(file.read_text(encoding="utf-8"))
        if name.startswith("test_") and RETIRED_IN_TESTS.search(name)
    }
    assert sorted(found) == []


def test_no_name_of_the_client_is_retired() -> None:
    found = {
        f"{file.relative_to(ROOT)}: {name}"
        for folder in (WEB, *SOURCE.glob("games/*/web"))
        for file in _sources(folder, ".ts", ".svelte")
        for name in client_names(file.read_text(encoding="utf-8"))
        if is_retired(name, "web")
    }
    assert sorted(found) == []


def test_no_tag_or_code_is_retired() -> None:
    """Error codes, tags of messages and entries, and values of settings."""
    found = set()
    for file in _sources(SOURCE, ".py"):
        if "games" in file.parts or "template" in file.parts:
            continue
        for node in ast.walk(ast.parse(file.read_text(encoding="utf-8"))):
            if isinstance(node, ast.Constant) and node.value in RETIRED_TAGS:
                found.add(f"{file.relative_to(SOURCE)}:{node.lineno}: {node.value!r}")
    assert sorted(found) == []


def test_no_option_of_a_command_is_retired() -> None:
    words = {word.lstrip("-") for command in _commands() for word in _option_words(command)}
    assert sorted(word for word in words if is_retired(word.replace("-", "_"))) == []


def _commands() -> list[Any]:
    program: Any = typer.main.get_command(app)
    return [program, *program.commands.values()]


def _option_words(command: Any) -> list[str]:
    return [word for each in command.params for word in (*each.opts, *each.secondary_opts)]


# ---- prose ------------------------------------------------------------------------------------


@cache
def prose() -> dict[str, str]:
    """What people read, by file or command."""
    pages = [ROOT / "README.md", ROOT / "CONTRIBUTING.md", ROOT / "ARCHITECTURE.md"]
    pages += sorted([*(ROOT / "docs").rglob("*.md"), *SOURCE.glob("games/*/RULES.md")])
    found = {str(page.relative_to(ROOT)): _without_code(page) for page in pages}
    for command in _commands():
        helps = [command.help or "", *(getattr(each, "help", "") or "" for each in command.params)]
        found[f"watermeet {command.name} --help"] = "\n".join(helps)
    for file in (WEB / "texts/en.ts", WEB / "texts/board.ts", *SOURCE.glob("games/*/web/texts.ts")):
        source = file.read_text(encoding="utf-8")
        texts = read_texts(source, "en") or read_texts(source)
        found[str(file.relative_to(ROOT))] = "\n".join(texts.values())
    return found


def _without_code(page: Path) -> str:
    """A page without blocks of code, names in backquotes and links' targets."""
    text = re.sub(r"^```.*?^```", "", page.read_text("utf-8"), flags=re.DOTALL | re.MULTILINE)
    return re.sub(r"`[^`\n]*`|\]\([^)]*\)", "", text)


@pytest.mark.parametrize("phrase", RETIRED_PHRASES)
def test_no_retired_phrase_is_used(phrase: str) -> None:
    pattern = re.compile(RETIRED_PHRASES[phrase], re.IGNORECASE)
    found = [
        f"{where}: {line.strip()}"
        for where, text in prose().items()
        if not where.startswith("docs/decisions")  # They say what was renamed.
        for line in text.splitlines()
        if pattern.search(line)
    ]
    assert found == []


def test_prose_is_found() -> None:
    """The test above would pass without any."""
    assert len(prose()) > 40
    assert all(len(text) > 20 for text in prose().values())


@pytest.mark.parametrize(
    ("name", "folder"), [("MoveTold", ""), ("softness", ""), ("pick", "search"), ("memo", "core")]
)
def test_retired_names_are_detected(name: str, folder: str) -> None:
    assert is_retired(name, folder)
    assert not is_retired("sample_action", folder)


def test_retired_words_are_detected_in_names_of_tests() -> None:
    assert RETIRED_IN_TESTS.search("test_a_full_disk_is_told")
    assert RETIRED_IN_TESTS.search("test_a_folder_is_no_record")
    assert not RETIRED_IN_TESTS.search("test_a_match_is_no_longer_listed")
    assert not RETIRED_IN_TESTS.search("test_no_process_is_left_behind")
