"""The golden records of every built-in game replay, state by state."""

from __future__ import annotations

import re
from collections import Counter
from pathlib import Path

import pytest

import watermeet as wm
from watermeet.testing import goldens
from watermeet.testing.folders import built_in_games


@pytest.mark.compiled  # Whole matches on the largest boards: minutes in plain Python.
@pytest.mark.parametrize("name", built_in_games())
def test_records_replay(name: str) -> None:
    """Every move can be played, every state is the recorded one, the result is reached."""
    goldens.check_goldens(wm.game(name))


def test_records_of_older_versions_replay_by_their_rules() -> None:
    """In plain Python, too: nothing else plays by old rules, line by line."""
    for name in built_in_games():
        for file in goldens.records_folder(wm.game(name)).glob("v*/*.txt"):
            goldens.check_golden(file.read_text(encoding="utf-8"))


@pytest.mark.parametrize(
    ("old", "new", "words"),
    [
        (r"\{\w+\}", "{beef}", "the record says 'beef'"),
        (r"\{\w+\} ", "", "the record says ''"),
        ("result: .*", "result: 0 0", "lead"),
        (r"\Z", "\n\n", "isn't formatted"),
    ],
)
def test_a_wrong_golden_is_found(old: str, new: str, words: str) -> None:
    """A state, a result or a format that differs."""
    file = goldens.records_folder(wm.game("flume")) / "defaults.txt"
    text = file.read_text(encoding="utf-8")
    with pytest.raises((AssertionError, wm.InvalidRecord), match=words):
        goldens.check_golden(re.sub(old, new, text, count=1))


def test_records_cover_every_option() -> None:
    """Each sample value occurs in two records at least, and the defaults come first."""
    for name in built_in_games():
        first, *others = goldens.golden_files(game := wm.game(name)).values()
        assert first == game
        for option in game.declared_options:
            counts = Counter(each.options[option.name] for each in others)
            assert all(counts[value] >= goldens.TIMES for value in option.samples())


@pytest.mark.slow
@pytest.mark.compiled
def test_rewriting_goldens_changes_nothing(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """As long as the rules stay the same."""
    games = [wm.game(name) for name in built_in_games()]
    folders = [goldens.records_folder(game) for game in games]
    monkeypatch.setattr(goldens, "records_folder", lambda game: tmp_path)
    for game, folder in zip(games, folders, strict=True):
        before = {file.name: file.read_text() for file in folder.glob("*.txt")}
        assert {file.name: file.read_text() for file in goldens.write_goldens(game)} == before


def test_a_failure_keeps_the_old_records(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """None is removed or changed before all new ones exist."""
    game = wm.game("flume", size=3)
    monkeypatch.setattr(goldens, "records_folder", lambda game: tmp_path)
    (tmp_path / "defaults.txt").write_text("old")
    honest, calls = goldens.golden_record, iter(range(100))

    def failing(game: wm.Game, seed: str) -> wm.Record:
        if next(calls) == 1:
            raise RuntimeError("a broken rule")
        return honest(game, seed)

    monkeypatch.setattr(goldens, "golden_record", failing)
    with pytest.raises(RuntimeError, match="a broken rule"):
        goldens.write_goldens(game)
    assert [file.read_text() for file in tmp_path.iterdir()] == ["old"]
