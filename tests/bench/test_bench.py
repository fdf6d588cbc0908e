"""The benchmarks run, print their figures, and write their own sections only."""

from __future__ import annotations

import importlib
import importlib.util
import shutil
import sys
from pathlib import Path
from typing import Any

import pytest

from watermeet.testing.speed import Measurement

ROOT = Path(__file__).parents[2]
FIGURE = Measurement("some game", "random playouts", 123456.0, "playouts/s")


@pytest.fixture
def load(monkeypatch: pytest.MonkeyPatch) -> Any:
    """Imports a module of bench/, which isn't installed."""
    monkeypatch.syspath_prepend(str(ROOT))
    return lambda name: importlib.import_module(f"bench.{name}")


@pytest.fixture
def results(load: Any, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Path:
    page = tmp_path / "RESULTS.md"
    page.write_text("# Results\n\n<!-- begin peers -->\nkept\n<!-- end peers -->\n")
    monkeypatch.setattr(load("report"), "RESULTS", page)
    monkeypatch.setattr(load("games"), "measure", lambda seconds, arguments: [FIGURE])
    return page


@pytest.mark.parametrize("prints_only", [False, True])
def test_a_section_is_printed_and_written(
    load: Any,
    results: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
    prints_only: bool,
) -> None:
    before = results.read_text()
    monkeypatch.setattr(sys, "argv", ["bench", "games", *(["--print"] if prints_only else [])])
    load("__main__").main()
    assert "| `some game` | random playouts | 123,456 | playouts/s |" in capsys.readouterr().out
    assert (results.read_text() == before) == prints_only
    assert "kept" in results.read_text()


def test_every_section_has_a_title_and_a_measure(load: Any) -> None:
    for name in load("__main__").SECTIONS:
        if name == "page" and importlib.util.find_spec("playwright") is None:
            continue
        section = load(name)
        assert section.TITLE
        assert callable(section.measure)


def test_the_machine_is_described_without_its_name(load: Any) -> None:
    import platform

    line = load("report").machine()
    assert f"Python {platform.python_version()}" in line
    assert platform.node() not in line.split()


def test_environments_are_compared_with_installed_ones(
    load: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    environments = load("environments")
    for name, value in (
        ("BATCHED", (("flume", {"size": 3}),)),
        ("SINGLE", (("flume", {"size": 3}),)),
        ("PETTINGZOO_GAMES", ()),
        ("OPEN_SPIEL_GAMES", ("tic_tac_toe",)),
        ("_pgx_tasks", lambda: ([], [])),
        ("_waits", lambda *_: []),  # Compiles, twice.
    ):
        monkeypatch.setattr(environments, name, value)
    found = environments.measure(0.01, [])
    assert all(each.value > 0 for each in found)
    assert {"PettingZoo watermeet flume", "Gymnasium watermeet flume"} <= {
        each.name for each in found
    }
    works = [each.what for each in found if each.name == "watermeet flume@1 size=3"]
    assert works == [
        "batch 1",
        "batch 128",
        "batch 1024",
        "batch 1024, two threads",
        "batch 1024, two threads against one",
    ]


def test_simulations_are_counted(load: Any) -> None:
    import watermeet as wm

    assert load("search").search_worker(wm.game("flume", size=3), simulations=20)(2) == 40


def test_the_model_of_a_day_multiplies_as_its_example_says(load: Any) -> None:
    import doctest

    assert doctest.testmod(load("scaling")) == (0, 3)


if importlib.util.find_spec("onnxruntime"):  # CI allows no skips.

    def test_a_learning_curve_continues_where_it_was_stopped(load: Any, tmp_path: Path) -> None:
        learning, run = load("learning"), tmp_path / "run"
        (run / "earlier").mkdir(parents=True)
        network = ROOT / "src" / "watermeet" / "games" / "flume" / "network.onnx"
        shutil.copy(network, run / "network.onnx")
        words = [str(run), "--board", "0", "--opponents", "random", "drop", "--workers", "0"]
        words += ["--simulations", "1", "--out", str(tmp_path / "out")]
        learning.measure(1.0, [*words, "--minutes", "0", "--matches", "4"])
        played = (run / learning.JOB).read_text().splitlines()
        assert len(played) == 2, "what the job is, and one match"
        text = learning.measure(1.0, [*words, "--matches", "4"])
        assert (run / learning.JOB).read_text().splitlines()[:2] == played
        _, points = learning.read_points(tmp_path / "out" / "run.csv")
        values = {point.bot: point.value for point in points if not point.simulations}
        assert values["random"] + values["drop"] == pytest.approx(0, abs=0.001)
        assert [point.matches for point in points if point.simulations] == [8]
        assert points[-1].value > values["random"]
        assert points[-1].positions == learning.read_card(network)["progress"]["positions"] > 0
        assert f"| network, no search | {points[-1].positions:,} |" in text
        assert (tmp_path / "out" / "flume.svg").read_text().startswith("<svg")
