"""What a complete game needs, and what of it is missing from a game's folder.

``python -m watermeet.testing GAME --missing`` prints it. The conformance kit checks that a game is
correct; this checks that it is complete: texts, translations, tests, pictures.
"""

from __future__ import annotations

import ast
import json
import random
import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path

from watermeet.core.errors import WatermeetError
from watermeet.core.game import Game
from watermeet.core.hooks import Hooks, import_optional
from watermeet.core.options import Choice
from watermeet.learn import course, puzzles
from watermeet.learn.checks import course_problems
from watermeet.testing import goldens, learn, pictures, translations
from watermeet.testing.folders import LANGUAGES, folder_of, is_built_in
from watermeet.testing.matches import random_match
from watermeet.testing.perft import perft_rows

REFERENCE = "docs/reference/game-folder.md"


@dataclass(frozen=True)
class Missing:
    """Something that a complete game needs: where, what to do, and where that is documented."""

    path: str
    what: str
    section: str

    def __str__(self) -> str:
        return f"{self.path}: {self.what} ({REFERENCE}#{self.section})"


def missing(game: Game) -> list[Missing]:
    """Everything that a complete game needs and this one does not have."""
    return [each for find in _REQUIRED for each in find(game)]


def optional(game: Game) -> list[Missing]:
    """What a game may have besides, and this one does not."""
    lessons = Missing(f"{course.FOLDER}/", "teach the game in small steps", course.FOLDER)
    return [
        Missing(f"{name}.py", what, name.replace("_", "-"))
        for name, what in _OPTIONAL.items()
        if import_optional(game.package, name) is None
    ] + ([] if (folder_of(game) / course.FOLDER).exists() else [lessons])


_OPTIONAL = {
    "features": "describe states to neural networks",
    "evaluation": "help bots to search",
    "levels": "tune the five levels of bots",
    "players": "add simple players to measure bots against",
    "solver": "solve states exactly",
    "benchmarks": "measure more than `watermeet bench` does for every game",
}


def _command(game: Game, task: str) -> str:
    if is_built_in(game):
        return f"run `make {task} GAME={game.name}`"
    return f"run `python -m watermeet.testing {game.name} --write {task}`"


# ---- Python -----------------------------------------------------------------------------------


def _parts(game: Game) -> Iterator[Missing]:
    for module_name, names in Hooks.MODULES.items():
        module = import_optional(game.package, module_name)
        for name in names:
            if not hasattr(module, name):
                yield Missing(f"{module_name}.py", f"define {name}", module_name)


# ---- rules and tests --------------------------------------------------------------------------


def _rules(game: Game) -> Iterator[Missing]:
    folder = folder_of(game)
    if not (folder / "RULES.md").exists():
        yield Missing("RULES.md", "write the rules in numbered paragraphs", "rulesmd")
        return
    text = (folder / "RULES.md").read_text(encoding="utf-8")
    paragraphs = re.findall(r"^- \*\*(R\d+\.\d+)\*\*", text, re.MULTILINE)
    if not paragraphs:
        yield Missing("RULES.md", "number the paragraphs: `- **R1.1** …`", "rulesmd")
    for paragraph in sorted({each for each in paragraphs if paragraphs.count(each) > 1}):
        yield Missing("RULES.md", f"number {paragraph} only once", "rulesmd")
    versions = re.findall(r"^- \*\*(\d+)\*\*", text.partition("## Versions")[2], re.MULTILINE)
    if list(map(int, versions))[-len(game.versions) :] != list(game.versions):
        what = ", ".join(map(str, game.versions))
        yield Missing("RULES.md", f"list version {what} under `## Versions`", "rulesmd")
    yield from _citations(folder, paragraphs)
    for language in LANGUAGES[1:]:
        path = folder / f"RULES.{language}.md"
        if not path.exists():
            yield Missing(path.name, "translate RULES.md, paragraph by paragraph", "rulesmd")
            continue
        for problem in translations.differences(text, path.read_text(encoding="utf-8")):
            yield Missing(path.name, problem, "rulesmd")


def _citations(folder: Path, paragraphs: list[str]) -> Iterator[Missing]:
    files = sorted((folder / "tests").glob("test_*.py"))
    tests = "".join(file.read_text(encoding="utf-8") for file in files)
    cited = {
        found.upper().replace("_", ".") for found in re.findall(r"def test_(r\d+_\d+)_", tests)
    }
    path = "tests/test_rules.py"
    for paragraph in sorted(set(paragraphs) - cited):
        name = f"test_{paragraph.lower().replace('.', '_')}_…"
        yield Missing(path, f"test {paragraph} in a function named {name}", "tests")
    for paragraph in sorted(cited - set(paragraphs)):
        yield Missing(path, f"{paragraph} is tested but isn't in RULES.md", "tests")


def _tests(game: Game) -> Iterator[Missing]:
    folder = folder_of(game) / "tests"
    if not (folder / "oracle.py").exists():
        what = "write the rules again, slow and simple, and compare along random matches"
        yield Missing("tests/oracle.py", what, "tests")
    try:
        if not perft_rows(game):
            yield Missing("tests/perft.txt", "list known perft counts", "testsperfttxt")
    except (ValueError, WatermeetError) as error:
        yield Missing("tests/perft.txt", f"it can't be read: {error}", "testsperfttxt")
    absent = [
        name for name in goldens.golden_files(game) if not (folder / "records" / name).exists()
    ]
    for name in absent:
        yield Missing(f"tests/records/{name}", _command(game, "goldens"), "testsrecords")
    for version in game.versions[:-1]:
        if not any((folder / "records" / f"v{version}").glob("*.txt")):
            what = f"keep the golden records of version {version}"
            yield Missing(f"tests/records/v{version}/", what, "versions")


# ---- documents --------------------------------------------------------------------------------


def _docs(game: Game) -> Iterator[Missing]:
    folder = folder_of(game)
    if not (folder / learn.POSITION).exists():
        yield Missing(learn.POSITION, "save a record of a typical position", "docs")
    else:
        try:
            files = pictures.picture_files(game)
        except (AssertionError, ValueError, WatermeetError) as error:
            yield Missing(learn.POSITION, f"it can't be shown with its examples: {error}", "docs")
            files = {}
        for path, text in files.items():
            if _is_stale(folder / path, text) and not is_built_in(game):  # Or the build draws it.
                yield Missing(path, _command(game, "pictures"), "docs")


def _is_stale(file: Path, text: str) -> bool:
    return not file.exists() or file.read_text(encoding="utf-8") != text


# ---- the page ---------------------------------------------------------------------------------


def _web(game: Game) -> Iterator[Missing]:
    web = folder_of(game) / "web"
    for name, what in (
        ("card.ts", "title and tagline for the home page, in four languages"),
        ("index.ts", "export the board"),
        ("messages", "the game's texts, a JSON file for each of four languages"),
        ("examples.txt", "examples for the rules page"),
    ):
        if not (web / name).exists():
            yield Missing(f"web/{name}", what, f"web{name.replace('.', '')}")
    for read in (_card, _texts, _examples):
        yield from read(game, web)


def _card(game: Game, web: Path) -> Iterator[Missing]:
    if (web / "card.ts").exists():
        source = (web / "card.ts").read_text(encoding="utf-8")
        for field in ("title", "tagline"):
            block = re.search(rf"\b{field}:\s*\{{(.*?)\}}", source, re.DOTALL)
            for language in LANGUAGES:
                if not block or not re.search(rf"\b{language}:", block[1]):
                    yield Missing("web/card.ts", f"{field} in {language}", "webcardts")


def _texts(game: Game, web: Path) -> Iterator[Missing]:
    if not (web / "messages").exists():
        return
    tables = {language: read_texts(web, language) for language in LANGUAGES}
    wanted = {f"option.{option.name}" for option in game.declared_options if option.name != "seats"}
    for option in game.declared_options:
        if isinstance(option, Choice):
            wanted |= {f"option.{option.name}.{word}" for word in option.words}
    wanted |= {f"preset.{name}" for name in game.presets}
    labels = [seat["label"] for seat in game.start().view(None)["seats"]]
    for number, label in enumerate(labels):
        if f"label.{number}" not in tables["en"] and not _NUMBERED.fullmatch(label):
            wanted.add(f"label.{label}")
    wanted |= set(tables["en"])
    codes = _rejecting_codes(folder_of(game) / "explain.py") | _met_codes(game) | _shown_codes(web)
    reasons = {f"reason.{code}" for code in codes}
    for language, table in tables.items():
        needed = wanted if language == "en" else wanted | reasons
        for key in sorted(needed - set(table)):
            yield Missing(f"web/messages/{language}.json", f"the text {key!r}", "webmessages")


def _examples(game: Game, web: Path) -> Iterator[Missing]:
    if (web / "examples.json").exists():
        examples = json.loads((web / "examples.json").read_text(encoding="utf-8"))
        for is_legal, what in ((True, "a legal move"), (False, "a move that is rejected")):
            if all(example["legal"] != is_legal for example in examples):
                yield Missing("web/examples.txt", f"add {what}", "webexamplestxt")


def _learn(game: Game) -> Iterator[Missing]:
    for path, what in learn.learn_problems(game):
        yield Missing(path, what, "weblearn")


def _lessons(game: Game) -> Iterator[Missing]:
    """Lessons are optional, but those that a game has are complete and true."""
    if (folder_of(game) / course.FOLDER).exists():
        for path, what in course_problems(game):
            yield Missing(path, what, course.FOLDER)


def _puzzles(game: Game) -> Iterator[Missing]:
    """Puzzles are optional, but those that a game has have a text and can be solved as claimed."""
    if (folder_of(game) / puzzles.FOLDER / puzzles.FILE).exists():
        for path, what in puzzles.puzzle_problems(game):
            yield Missing(path, what, puzzles.FOLDER)


_REJECTING = re.compile("refuse|reject|explain_outcome")
_NUMBERED = re.compile(r"(Seat|Player) \d+")


def read_texts(web: Path, language: str) -> dict[str, str]:
    """Return the texts of a game's page in a language, by key."""
    file = web / "messages" / f"{language}.json"
    texts: dict[str, str] = json.loads(file.read_text(encoding="utf-8")) if file.exists() else {}
    return texts


def _rejecting_codes(file: Path) -> set[str]:
    """The codes in functions of explain.py that by their names reject a move or end a match."""
    if not file.exists():
        return set()
    found = set()
    for function in ast.walk(ast.parse(file.read_text(encoding="utf-8"))):
        if isinstance(function, ast.FunctionDef) and _REJECTING.search(function.name):
            for node in ast.walk(function):
                if isinstance(node, ast.Call) and getattr(node.func, "id", "") == "Explanation":
                    found |= set(_constants(node.args[0])) if node.args else set()
    return found


def _constants(node: ast.expr) -> Iterator[str]:
    if isinstance(node, ast.IfExp):
        yield from _constants(node.body)
        yield from _constants(node.orelse)
    elif isinstance(node, ast.Constant) and isinstance(node.value, str):
        yield node.value


def _met_codes(game: Game) -> set[str]:
    """The codes of rejected moves along a random match, and of its outcome."""
    rng = random.Random(game.name)
    match = random_match(game, rng)
    assert match.end.outcome is not None, "a random match ends"
    codes = {match.end.outcome.reason.code}
    for state in rng.sample(match.states[:-1], min(12, len(match.states) - 1)):
        if state.to_move >= 0:
            for action in rng.sample(range(game.sizes.actions), min(60, game.sizes.actions)):
                explanation = state.explain(action)
                codes |= set() if explanation.legal else {explanation.code}
    return codes


def _shown_codes(web: Path) -> set[str]:
    """The codes of the examples."""
    if not (web / "examples.json").exists():
        return set()
    examples = json.loads((web / "examples.json").read_text(encoding="utf-8"))
    return {example["code"] for example in examples}


_REQUIRED: tuple[Callable[[Game], Iterator[Missing]], ...] = (
    _parts,
    _rules,
    _tests,
    _docs,
    _web,
    _learn,
    _lessons,
    _puzzles,
)
