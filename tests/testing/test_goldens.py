"""The golden records of every built-in game replay, state by state."""

from __future__ import annotations

from pathlib import Path

import pytest

import watermeet as wm
from watermeet.testing import goldens
from watermeet.testing.folders import built_in_games


def _files() -> list[Path]:
    folders = (goldens.records_folder(wm.game(name)) for name in built_in_games())
    return [file for folder in folders for file in sorted(folder.glob("*.txt"))]


def _old_files() -> list[Path]:
    """Those of older versions of the rules."""
    folders = (goldens.records_folder(wm.game(name)) for name in built_in_games())
    return [file for folder in folders for file in sorted(folder.glob("v*/*.txt"))]


@pytest.mark.compiled  # Whole matches on the largest boards: minutes in plain Python.
@pytest.mark.parametrize("file", _files(), ids=lambda file: f"{file.parts[-4]}-{file.stem}")
def test_records_replay(file: Path) -> None:
    """Every move can be played, every state is as written, the result is reached."""
    goldens.check_golden(file.read_text(encoding="utf-8"))


@pytest.mark.parametrize("file", _old_files(), ids=lambda file: f"{file.parts[-5]}-{file.stem}")
def test_records_of_older_versions_replay(file: Path) -> None:
    """By the rules that they were played with."""
    text = file.read_text(encoding="utf-8")
    assert text.startswith(f"game: {file.parts[-5]}@{file.parts[-2].removeprefix('v')}\n")
    goldens.check_golden(text)


def test_a_wrong_golden_is_found() -> None:
    """A state, a result or a format that differs."""
    text = _files()[0].read_text(encoding="utf-8")
    start = text.index("{")
    for wrong, words in (
        (text[:start] + "{wrong " + text[start + 1 :], "the record says"),
        (
            text.replace("result: 1 -1", "result: 2 -2").replace("result: -1 1", "result: 2 -2"),
            "lead",
        ),
        (text + "\n\n", "isn't formatted"),
    ):
        with pytest.raises((AssertionError, wm.InvalidRecord), match=words):
            goldens.check_golden(wrong)


@pytest.mark.slow
@pytest.mark.compiled
def test_rewriting_goldens_changes_nothing(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """As long as the rules stay the same."""
    on_file = _files()
    monkeypatch.setattr(goldens, "records_folder", lambda game: tmp_path)
    for name in built_in_games():
        before = {file.name: file.read_text() for file in on_file if file.parts[-4] == name}
        after = {file.name: file.read_text() for file in goldens.write_goldens(wm.game(name))}
        assert after == before


def test_a_failure_keeps_the_old_records(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """None is removed or changed before all new ones exist."""
    game = wm.game(built_in_games()[0])
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
