"""The program that measures environments takes turns with those that are installed."""

from __future__ import annotations

import sys
import types
from pathlib import Path

import pytest

from watermeet.bench.runner import Measurement

ROOT = Path(__file__).parents[2]


@pytest.fixture
def program(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> types.ModuleType:
    monkeypatch.syspath_prepend(str(ROOT))
    from bench import environments

    (tmp_path / "RESULTS.md").write_text("# Results\n", encoding="utf-8")
    monkeypatch.setattr(environments, "RESULTS", tmp_path / "RESULTS.md")
    monkeypatch.setattr(environments, "BATCHED", (("flume", {"size": 3}),))
    monkeypatch.setattr(environments, "TURN_BY_TURN", (("flume", {"size": 3}),))
    monkeypatch.setattr(environments, "ZOO_GAMES", ())
    monkeypatch.setattr(environments, "SPIEL_GAMES", ("tic_tac_toe",))
    monkeypatch.setattr(environments, "_pgx_tasks", lambda: ([], []))
    monkeypatch.setattr(environments, "_waits", lambda *_: [])  # It compiles, twice over.
    return environments


def test_every_kind_is_measured(program: types.ModuleType) -> None:
    found: list[Measurement] = program.measure(0.01)
    named = {measurement.name for measurement in found}
    assert named == {
        "OpenSpiel tic_tac_toe()",
        "PettingZoo watermeet flume",
        "watermeet flume@1 size=3",
    }
    assert all(measurement.value > 0 for measurement in found)
    works = [each.what for each in found if each.name.startswith("watermeet")]
    assert works == [
        "batch 1",
        "batch 128",
        "batch 1024",
        "batch 1024, two threads",
        "batch 1024, two threads against one",
    ]


@pytest.mark.costly
def test_the_first_wait_and_later_ones_are_told(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.syspath_prepend(str(ROOT))
    from bench import environments

    first, later = environments._waits("flume", "flume", {"size": 3})
    assert first.value > later.value > 0
    assert "the rules before that" in first.note


def test_the_section_is_written_or_only_printed(
    program: types.ModuleType, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(program, "measure", lambda seconds: [Measurement("a", "b", 1.0, "s")])
    monkeypatch.setattr(sys, "argv", ["environments.py", "--print"])
    program.main()
    assert program.RESULTS.read_text(encoding="utf-8") == "# Results\n"
    monkeypatch.setattr(sys, "argv", ["environments.py"])
    program.main()
    assert "## Environments" in program.RESULTS.read_text(encoding="utf-8")
    assert "1.00" in capsys.readouterr().out
