"""``watermeet arena`` and ``watermeet bots``."""

from __future__ import annotations

import importlib.util
import json
import xml.etree.ElementTree as ET
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from watermeet.core.kernel import plain_python


@pytest.fixture(autouse=True)
def interpreted(toys: None) -> Iterator[None]:
    with plain_python():
        yield


def arena(run: Any, *words: str) -> Any:
    return run("arena", "pile", "careful", "random", "--jobs", "0", *words)


def run_json(run: Any, *words: str) -> Any:
    shown = arena(run, *words, "--json")
    assert shown.exit_code == 0, shown.stdout
    return json.loads(shown.stdout)


# ---- arena ------------------------------------------------------------------------------------


def test_the_better_bot_is_listed_first(run: Any) -> None:
    shown = arena(run, "--matches", "40", "-o", "size=12")
    assert shown.exit_code == 0
    lines = shown.stdout.splitlines()
    assert lines[0] == "pile@1 size=12"
    assert lines[2].split()[:4] == ["bot", "Elo", "95", "%"]
    assert [line.split()[0] for line in lines[3:5]] == ["careful", "random"]
    assert "careful vs random: +" in shown.stdout
    found = run_json(run, "--matches", "9")
    assert (found["game"], found["finished"], found["failures"]) == ("pile@1", True, [])
    (section,) = found["variations"]
    assert [row["matches"] for row in section["bots"]] == [10, 10]
    assert section["bots"][0]["elo"]["low"] < section["bots"][0]["elo"]["value"]
    assert section["pairings"][0]["rounds"] == 5


def test_an_option_can_be_varied(run: Any) -> None:
    found = run_json(run, "--matches", "4", "--vary", "size=4,9")
    assert [section["variation"] for section in found["variations"]] == ["size=4", "size=9"]
    assert "size" not in found["options"]
    shown = arena(run, "--matches", "4", "--vary", "size=4,9").stdout.splitlines()
    assert "size=4" in shown
    assert "size=9" in shown


def test_plot_and_records(run: Any, tmp_path: Path) -> None:
    plot, records = tmp_path / "plot.svg", tmp_path / "records"
    arena(run, "--matches", "4", "--plot", str(plot), "--records", str(records))
    texts = {element.text for element in ET.parse(plot).getroot().iter()}
    assert {"careful", "random", "Arena: pile@1"} <= texts
    files = sorted(records.iterdir())
    assert len(files) == 4
    assert run("replay", str(files[0])).exit_code == 0


def test_a_job_resumes_from_its_file(run: Any, tmp_path: Path) -> None:
    file = tmp_path / "job"
    words = ("--matches", "10", "--job", str(file))
    whole = run_json(run, *words)
    file.write_bytes(file.read_bytes()[:-1200])
    again = run_json(run, *words)
    assert [each["pairings"] for each in again["variations"]] == [
        each["pairings"] for each in whole["variations"]
    ]
    assert len(file.read_text().splitlines()) == 11
    refused = arena(run, *words, "--seed", "1")
    assert refused.exit_code == 2
    assert "holds another job" in refused.stderr


def test_sprt_reports_a_verdict(run: Any) -> None:
    words = ("--sprt", "0,200", "-o", "size=12", "--jobs", "0")
    shown = run("arena", "pile", "careful", "random", *words)
    assert shown.exit_code == 0
    assert "careful is stronger than random: LLR +" in shown.stdout
    shown = run("arena", "pile", "random", "careful", *words, "--json")
    assert shown.exit_code == 1
    assert json.loads(shown.stdout)["sprt"]["answer"] == "not stronger"
    shown = run("arena", "pile", "random", "careful", *words, "--matches", "2")
    assert shown.exit_code == 1
    assert "Undecided whether random is stronger" in shown.stdout


def test_a_failing_bot_is_reported_and_the_others_play(run: Any) -> None:
    words = ("failing", "--matches", "4", "-o", "size=12")
    shown = arena(run, *words)
    assert shown.exit_code == 1
    assert "RuntimeError: too few" in shown.stdout
    assert "failed: " in shown.stderr
    found = json.loads(arena(run, *words, "--json").stdout)
    assert len(found["failures"]) == 8
    assert {row["bot"]: row["matches"] for row in found["variations"][0]["bots"]} == {
        "careful": 4,
        "random": 4,
        "failing": 0,
    }


@pytest.mark.parametrize(
    "words",
    [
        "pile",
        "pile random",
        "pile random random",
        "pile random nobody",
        "pile random careful --matches 0",
        "pile random careful --timeout 0",
        "pile random careful --timeout soon",
        "pile random careful --vary size",
        "pile random careful --vary size=4,4",
        "pile random careful --vary size=99",
        "pile random careful --sprt 10",
        "pile random careful --sprt 10,0",
        "pile random careful --sprt 0,10 --alpha 2",
        "pile random careful failing --sprt 0,10 --jobs 0",
    ],
)
def test_invalid_jobs_are_refused(run: Any, words: str) -> None:
    assert run("arena", *words.split()).exit_code == 2


@pytest.mark.parametrize(
    ("width", "titles"),
    [
        (200, "bot Elo 95 % won-drawn-lost matches moves ms/move"),
        (80, "bot Elo 95 % w-d-l matches moves ms/move"),
        (70, "bot Elo 95 % w-d-l matches moves"),
        (50, "bot Elo 95 %"),
        (36, "bot Elo"),
    ],
)
def test_bot_names_are_never_cut_and_other_columns_give_way(
    run: Any, monkeypatch: pytest.MonkeyPatch, width: int, titles: str
) -> None:
    monkeypatch.setenv("COLUMNS", str(width))
    names = ("careful", "uct:nodes=2:exploration=0.125")
    words = ("--bots", *names, "--matches", "2", "-o", "size=5", "--jobs", "0")
    lines = run("arena", "pile", *words).stdout.splitlines()
    assert " ".join(lines[2].split()) == titles
    assert {line.split()[0] for line in lines[3:5]} == set(names)
    assert all(len(line.rstrip()) <= width for line in lines[2:5])
    assert ("Not shown:" in " ".join(lines)) == (width < 80)


# ---- bots -------------------------------------------------------------------------------------


def test_bots_are_listed(run: Any) -> None:
    shown = run("bots", "pile")
    assert shown.exit_code == 0
    named = [line.split()[0] for line in shown.stdout.splitlines() if line]
    assert named[1:5] == ["random", "beginner", "careful", "failing"]
    assert "Leaves a multiple of four" in shown.stdout
    assert {"drop", "sea", "uct", "net:network=FILE", "exec:PROGRAM"} <= set(named)
    found = json.loads(run("bots", "pile", "--json").stdout)
    by_name = {each["bot"]: each for each in found["bots"]}
    assert (by_name["drop"]["nodes"], by_name["careful"]["kind"]) == (30, "player")
    assert run("bots", "nothing").exit_code == 2


def test_ray_must_be_installed(run: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(importlib.util, "find_spec", lambda name: None)
    shown = arena(run, "--ray")
    assert shown.exit_code == 2
    assert "extra ray" in shown.stderr
