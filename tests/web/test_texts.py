"""Everything that the server says to people has a text in every language of the page."""

from __future__ import annotations

import ast
import json
import random
import re
from collections.abc import Iterator
from pathlib import Path

import pytest

import watermeet as wm
from watermeet.core.errors import WatermeetError
from watermeet.core.explanation import Explanation
from watermeet.core.kernel import plain_python
from watermeet.server.matches import errors as _match_errors  # noqa: F401  (the tree is whole then)
from watermeet.testing.completeness import read_texts
from watermeet.testing.matches import random_match

ROOT = Path(__file__).parents[2]
GAMES = ROOT / "src" / "watermeet" / "games"
WITH_BOARDS = sorted(file.parts[-3] for file in GAMES.glob("*/web/index.ts"))
REFUSING = ("_refuse", "_explain_block", "_explain_conflict", "explain_outcome")
LANGUAGES = ("fr", "de", "pl")
SHOWN_FROM = ("watermeet.core", "watermeet.server")
NEVER_SHOWN = {
    "error",  # The root of the tree.
    "match_error",  # The root of the errors of matches.
    "invalid_game",  # Whoever starts a server or writes a bot or a game reads these.
    "invalid_kernel",
    "invalid_argument",
    "hidden_information",
    "not_installed",
    "gpu_failed",
    "invalid_settings",
    "port_in_use",
    "workers_failed",
    "unsupported",
    "unknown_bot",
    "invalid_entry",
    "not_due",
}
_BRACE = re.compile(r"\{\s*(\w*)|\}")


def arguments(message: str) -> set[str]:
    """The arguments of a message in ICU MessageFormat."""
    names, is_text = set(), [True]  # Within an argument, braces hold the text of a branch.
    for brace in _BRACE.finditer(message):
        if brace[0] == "}":
            is_text.pop()
        else:
            if is_text[-1]:
                names.add(brace[1])
            is_text.append(not is_text[-1])
    return names


def reasons_of(game: str) -> dict[str, dict[str, str]]:
    """The sentences of a game by code, by language."""
    return {
        language: {
            key.removeprefix("reason."): text
            for key, text in read_texts(GAMES / game / "web", language).items()
            if key.startswith("reason.")
        }
        for language in LANGUAGES
    }


def errors_below(root: type[WatermeetError]) -> Iterator[type[WatermeetError]]:
    for error in root.__subclasses__():
        yield error
        yield from errors_below(error)


def test_every_error_shown_to_people_has_a_text() -> None:
    english = json.loads((ROOT / "web/src/messages/en/page.json").read_text(encoding="utf-8"))
    translated = {key.removeprefix("error.") for key in english}
    codes = {
        error.code
        for error in errors_below(WatermeetError)
        if error.__module__.startswith(SHOWN_FROM)  # Other tests may have loaded the arena's, too.
    }
    codes -= NEVER_SHOWN
    assert codes
    assert codes - translated == set()


@pytest.mark.parametrize("game", WITH_BOARDS)
def test_every_reason_in_the_source_has_a_text(game: str) -> None:
    tree = ast.parse((GAMES / game / "explain.py").read_text(encoding="utf-8"))
    codes = set(rejecting_codes(tree))
    assert codes
    for language, texts in reasons_of(game).items():
        assert codes - set(texts) == set(), language


def rejecting_codes(tree: ast.Module) -> Iterator[str]:
    """The codes in a file of reasons that forbid something or end a match."""
    for function in (node for node in tree.body if isinstance(node, ast.FunctionDef)):
        if not function.name.startswith(REFUSING):
            continue
        for node in ast.walk(function):
            if isinstance(node, ast.Call) and getattr(node.func, "id", "") == "Explanation":
                yield from constants(node.args[0])
            elif isinstance(node, ast.Assign):
                first = node.targets[0]
                pairs = [(first, node.value)]
                if isinstance(first, ast.Tuple) and isinstance(node.value, ast.Tuple):
                    pairs = list(zip(first.elts, node.value.elts, strict=True))
                for target, value in pairs:
                    if getattr(target, "id", "") == "code":
                        yield from constants(value)


def constants(node: ast.expr) -> Iterator[str]:
    """The texts that an expression may have; not the conditions that choose among them."""
    if isinstance(node, ast.IfExp):
        yield from constants(node.body)
        yield from constants(node.orelse)
    elif isinstance(node, ast.Constant) and isinstance(node.value, str):
        yield node.value


@pytest.mark.parametrize("game", WITH_BOARDS)
def test_reasons_along_a_match_have_texts(game: str) -> None:
    """Each has a text, and all the facts that the text needs."""
    texts = reasons_of(game)
    with plain_python():
        for reason in met_reasons(wm.game(game)):
            for language, known in texts.items():
                assert reason.code in known, (language, reason)
                wanted = arguments(known[reason.code])
                assert wanted <= set(reason.facts), (language, reason)


@pytest.mark.parametrize("game", WITH_BOARDS)
def test_examples_have_texts_in_every_language(game: str) -> None:
    """Not only refusals, which other tests check, but also what a move does."""
    texts = reasons_of(game)
    for example in json.loads((GAMES / game / "web/examples.json").read_text(encoding="utf-8")):
        for language, known in texts.items():
            assert example["code"] in known, (language, example)
            wanted = arguments(known[example["code"]])
            assert wanted <= set(example["facts"]), (language, example)


def met_reasons(game: wm.Game) -> Iterator[Explanation]:
    """Why some actions cannot be played along a match, and why it ends."""
    rng = random.Random(game.name)
    match = random_match(game, rng)
    for state in rng.sample(match.states[:-1], min(12, len(match.states) - 1)):
        if state.to_move < 0:
            continue
        legal = set(state.legal_actions)
        for action in rng.sample(range(game.sizes.actions), min(60, game.sizes.actions)):
            if action not in legal:
                yield state.explain(action)
    outcome = match.end.outcome
    assert outcome is not None
    yield outcome.reason
