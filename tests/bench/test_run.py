"""The program prints what it measured and writes its sections, and leaves the rest alone."""

from __future__ import annotations

import sys
import types
from pathlib import Path

import pytest

from watermeet.bench.runner import Measurement

ROOT = Path(__file__).parents[2]
FIGURE = Measurement("some game", "random playouts", 123456.0, "playouts/s")


@pytest.fixture
def run(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> types.ModuleType:
    monkeypatch.syspath_prepend(str(ROOT))
    from bench import run

    monkeypatch.setattr(run, "RESULTS", tmp_path / "RESULTS.md")
    for name in ("_measure_games", "_measure_floor", "_measure_search", "_measure_peers"):
        monkeypatch.setattr(run, name, lambda seconds: [FIGURE])
    return run


def _call(run: types.ModuleType, monkeypatch: pytest.MonkeyPatch, *arguments: str) -> None:
    monkeypatch.setattr(sys, "argv", ["run.py", *arguments])
    run.main()


def test_every_section_is_printed_and_written(
    run: types.ModuleType, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    _call(run, monkeypatch)
    assert capsys.readouterr().out.count("123,456") == 4
    page = run.RESULTS.read_text(encoding="utf-8")
    assert page.startswith("# Results")
    for name in ("games", "floor", "search", "peers"):
        assert f"<!-- begin {name} -->\n## {name.capitalize()}" in page
        assert f"<!-- end {name} -->" in page


def test_one_section_leaves_the_others(
    run: types.ModuleType, monkeypatch: pytest.MonkeyPatch
) -> None:
    run.RESULTS.write_text("# Results\n\n<!-- begin peers -->\nkept\n<!-- end peers -->\n")
    _call(run, monkeypatch, "--only", "games")
    page = run.RESULTS.read_text(encoding="utf-8")
    assert "kept" in page
    assert "123,456" in page
    assert "floor" not in page


def test_printing_writes_nothing(run: types.ModuleType, monkeypatch: pytest.MonkeyPatch) -> None:
    _call(run, monkeypatch, "--print")
    assert not run.RESULTS.exists()


def test_peers_that_are_not_there_leave_the_old_figures(
    run: types.ModuleType, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(run, "_measure_peers", lambda seconds: [])
    _call(run, monkeypatch, "--only", "peers")
    assert not run.RESULTS.exists()


def test_the_page_in_the_repository_has_all_sections() -> None:
    page = (ROOT / "bench" / "RESULTS.md").read_text(encoding="utf-8")
    for name in ("games", "floor", "peers"):
        assert page.count(f"<!-- begin {name} -->") == page.count(f"<!-- end {name} -->") == 1
