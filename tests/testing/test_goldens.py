"""The golden records of every game at home replay, state by state."""

from __future__ import annotations

from pathlib import Path

import pytest

import watermeet as wm
from watermeet.testing import goldens, option_sets

AT_HOME = [name for name in wm.games() if wm.game(name).package.startswith("watermeet.")]


def _files() -> list[Path]:
    folders = (goldens.records_folder(wm.game(name)) for name in AT_HOME)
    return [file for folder in folders for file in sorted(folder.glob("*.txt"))]


@pytest.mark.parametrize("file", _files(), ids=lambda file: f"{file.parts[-4]}-{file.stem}")
def test_records_replay(file: Path) -> None:
    """Every move can be played, every state is as written, the result is reached."""
    goldens.check_golden(file.read_text(encoding="utf-8"))


@pytest.mark.parametrize("name", AT_HOME)
def test_none_is_missing(name: str) -> None:
    """Each game has a record for every set of options that is worth one."""
    files = list(goldens.records_folder(wm.game(name)).glob("*.txt"))
    assert len(files) == len(option_sets(wm.game(name)))


def test_a_golden_that_is_wrong_is_found() -> None:
    """A state, a result or a manner of writing that differs."""
    text = _files()[0].read_text(encoding="utf-8")
    start = text.index("{")
    for wrong, words in (
        (text[:start] + "{wrong " + text[start + 1 :], "the record says"),
        (
            text.replace("result: 1 -1", "result: 2 -2").replace("result: -1 1", "result: 2 -2"),
            "lead",
        ),
        (text + "\n\n", "not written as we write it"),
    ):
        with pytest.raises((AssertionError, wm.InvalidRecord), match=words):
            goldens.check_golden(wrong)


@pytest.mark.compiled  # All games of all options: minutes in plain Python, where they are replayed.
def test_goldens_are_written_the_same_again(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Writing them anew changes nothing while the rules stay."""
    on_file = _files()
    monkeypatch.setattr(goldens, "records_folder", lambda game: tmp_path)
    for name in AT_HOME:
        before = {file.name: file.read_text() for file in on_file if file.parts[-4] == name}
        after = {file.name: file.read_text() for file in goldens.write_goldens(wm.game(name))}
        assert after == before
