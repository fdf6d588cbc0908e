"""Benchmarks write JSON from clean trees only, and RESULTS.md is made of it."""

from __future__ import annotations

import importlib
import json
import platform
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

ROOT = Path(__file__).parents[2]


@pytest.fixture
def load(monkeypatch: pytest.MonkeyPatch) -> Any:
    """Imports a module of bench/, which isn't installed."""
    monkeypatch.syspath_prepend(str(ROOT))
    return lambda name: importlib.import_module(f"bench.{name}")


@pytest.fixture
def run(load: Any, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Any:
    """Runs the command in a clean repository of its own, where the store's figures are given."""
    report, main = load("report"), load("__main__")
    git = ("git", "-c", "user.name=a", "-c", "user.email=a@example.org", "-C", str(tmp_path))
    (tmp_path / "bench").mkdir()
    (tmp_path / "code").write_text("1")
    (tmp_path / "README.md").write_text("Fast:\n\n<!-- speeds -->\n<!-- /speeds -->\n")
    for words in (("init", "-q"), ("add", "."), ("commit", "-q", "-m", "one")):
        subprocess.run([*git, *words], check=True)
    rows = [
        report.versus("SQLite", "1 writer", "appends/s", [10, 30], "bare inserts", [20, 100]),
        report.Row("PostgreSQL", "100 writers", 1234.5, "appends/s"),
    ]
    monkeypatch.setattr(load("store"), "measure", lambda seconds, games: rows)
    files = {"PAGE": "bench/RESULTS.md", "README": "README.md", "FOLDER": "bench/results"}
    for name, path in {"ROOT": ".", **files}.items():
        monkeypatch.setattr(report, name, tmp_path / path)
    monkeypatch.setattr(report, "is_strict", False)  # Whatever the command leaves is taken back.

    def call(*words: str) -> int:
        monkeypatch.setattr(sys, "argv", ["bench", *words, "--out", str(report.FOLDER)])
        return int(main.main())

    return call


def test_a_section_is_written_with_all_it_depends_on(
    run: Any, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run("store") == 0
    assert "| PostgreSQL |  |  | 1,234 |  |" in capsys.readouterr().out
    content = json.loads((tmp_path / "bench" / "results" / "store.json").read_text())
    assert content["versions"]["python"] == platform.python_version()
    assert len(content["commit"]) == 10
    assert platform.node() not in content["machine"].split()
    assert content["rows"][0]["ratio"] == 0.4, "the median of the ratios of both rounds"
    page = (tmp_path / "bench" / "RESULTS.md").read_text()
    line = "SQLite | 20.0 appends/s | bare inserts: 60.0 | 0.40 | at least 0.5: **not met** |"
    assert line in page
    assert "| PostgreSQL |  |  | 1,234 |  |" in page
    assert "not measured yet" in page, "the other sections"
    assert run("store") == 0, "results aren't changes"


def test_a_changed_tree_is_only_tried(
    run: Any, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "code").write_text("2")
    assert run("store") == 1
    assert "uncommitted changes" in capsys.readouterr().err
    assert run("store", "--try") == 0
    assert "| PostgreSQL |" in capsys.readouterr().out
    assert [file.name for file in (tmp_path / "bench").iterdir()] == []


def test_a_copy_without_git_has_to_say_which_commit_it_is(
    run: Any, load: Any, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setattr(load("report").shutil, "which", lambda name: None)
    assert run("store") == 1
    assert run("store", "--commit", "1a2b3c4") == 0
    content = json.loads((tmp_path / "bench" / "results" / "store.json").read_text())
    assert content["commit"] == "1a2b3c4"


def test_a_missing_peer_is_an_error_unless_it_is_only_tried(
    load: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    report = load("report")
    monkeypatch.setattr(report, "is_strict", False)
    assert not report.is_installed("no_such_peer")
    monkeypatch.setattr(report, "is_strict", True)
    with pytest.raises(report.Missing, match="no_such_peer"):
        report.is_installed("no_such_peer")


def test_the_results_are_those_of_the_files(load: Any) -> None:
    main, page = load("__main__"), load("page")
    folder, text = ROOT / "bench" / "results", (ROOT / "bench" / "RESULTS.md").read_text("utf-8")
    made = page.results_page(main.all_sections(), folder)
    assert text == made, "run: python -m bench report"
    readme = (ROOT / "README.md").read_text("utf-8")
    assert readme == page.with_speeds(readme, folder), "run: python -m bench report"
    assert len(text.splitlines()) <= page.MAX_LINES
    written = {file.stem for file in folder.glob("*.json")}
    assert written <= set(main.SECTIONS)
    assert len(page.HEADLINES) == 10


@pytest.mark.compiled
def test_work_is_counted(load: Any) -> None:
    import watermeet as wm

    peers, game = load("peers"), wm.game("flume", size=3)
    assert peers.search_worker(game, simulations=20)(2) == 40
    assert peers.batch_worker(game, batch=4)(2) == 2 * peers.STEPS * 4
