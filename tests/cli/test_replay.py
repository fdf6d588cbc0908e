"""``watermeet replay``."""

from __future__ import annotations

import json
import random
from pathlib import Path
from typing import Any

import pytest

import watermeet as wm
from watermeet.core.kernel import plain_python
from watermeet.testing import random_match

RECORD = """\
game: flume@1
options: size=3
seats: Ada, Bob

{a short one}
1. b2 2. swap {bold} 3. a1
"""


@pytest.fixture
def file(tmp_path: Path) -> Path:
    path = tmp_path / "match.txt"
    path.write_text(RECORD)
    return path


@pytest.mark.usefixtures("toys")
@pytest.mark.parametrize("name", ["cards", "pile"])
def test_whole_matches_are_replayed_with_chance_and_result(run: Any, name: str) -> None:
    with plain_python():
        match = random_match(wm.game(name), random.Random(1))
        record = wm.Record.from_actions(match.states[0], match.actions).format()
    shown = run("replay", "-", lines=record)
    assert shown.exit_code == 0
    assert "Not over" not in shown.stdout
    answer = json.loads(run("replay", "-", "--json", lines=record).stdout)
    assert answer["outcome"]["returns"]


def test_every_turn_is_shown_with_names_and_comments(run: Any, file: Path) -> None:
    shown = run("replay", str(file)).stdout
    assert "a short one" in shown
    assert "1. Ada (Red): b2" in shown
    assert "2. Bob (Blue): swap (swaps colours)\nbold" in shown
    assert "3. Ada (Blue): a1" in shown
    assert shown.endswith("Unfinished after 3 moves.\n")
    assert max(len(line) for line in shown.splitlines()) <= 80
    answer = json.loads(run("replay", str(file), "--json").stdout)
    assert (answer["game"], answer["options"]["size"]) == ("flume", 3)
    assert answer["seats"] == ["Ada", "Bob"]
    assert [each["move"] for each in answer["moves"]] == ["b2", "swap", "a1"]
    assert [each["seat"] for each in answer["moves"]] == [0, 1, 0]
    assert answer["states"][0] == "3/3/3 r 0"
    assert len(answer["states"]) == 4
    assert answer["outcome"] is None


def test_variations_and_symbols_are_shown(run: Any) -> None:
    text = RECORD.replace("{bold}", "?! {bold} ( 2. a1 3. a2 ?? )")
    shown = run("replay", "-", lines=text).stdout
    assert "2. Bob (Blue): swap ?! (swaps colours)\nbold\ninstead of swap: a1 a2 ??\n" in shown
    found = json.loads(run("replay", "-", "--json", lines=text).stdout)["moves"][1]
    assert found["symbol"] == "?!"
    assert [each["move"] for each in found["variations"][0]] == ["a1", "a2"]


def test_replay_stops_at_a_move(run: Any, file: Path) -> None:
    shown = run("replay", str(file), "--to", "1").stdout
    assert "Ada (Red): b2" in shown
    assert "swap" not in shown.split("Not over")[0].split("b2")[1].replace("swaps", "")
    assert run("replay", str(file), "--to", "4").exit_code == 2


def test_an_illegal_move_is_reported_with_line_and_column(run: Any, file: Path) -> None:
    file.write_text(RECORD.replace("a1", "b2"))
    shown = run("replay", str(file))
    assert shown.exit_code == 2
    assert shown.stderr.startswith("error: line 6, column 25: flume: 'b2' is illegal")
    answer = json.loads(run("replay", str(file), "--json").stdout)
    assert (answer["error"]["line"], answer["error"]["column"]) == (6, 25)
    assert answer["error"]["code"] == "invalid_record"


@pytest.mark.usefixtures("toys")
def test_pictures(run: Any, file: Path, tmp_path: Path) -> None:
    folder = tmp_path / "deep" / "pictures"
    assert run("replay", str(file), "--svg", str(folder)).exit_code == 0
    written = sorted(path.name for path in folder.iterdir())
    assert written == ["0000.svg", "0001.svg", "0002.svg", "0003.svg"]
    assert (folder / "0001.svg").read_text().startswith("<svg")
    assert run("replay", str(file), "--svg", str(file)).exit_code == 2
    shown = run("replay", "-", "--svg", str(tmp_path / "p"), lines="game: pile@1\n\n1. 1\n")
    assert shown.exit_code == 2
    assert "has no SVG pictures" in shown.stderr
