"""``watermeet replay``."""

from __future__ import annotations

import json
import random
from pathlib import Path
from typing import Any

import pytest

import watermeet as wm
from watermeet.core.kernel import plain_python

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


def random_record(name: str, seed: int) -> str:
    """A whole match, chance included."""
    rng = random.Random(seed)
    actions: list[int] = []
    with plain_python():
        state = start = wm.game(name).start()
        while state.to_move != wm.OVER:
            actions.append(rng.choice(state.legal_actions))
            state = state.play(actions[-1])
        return wm.Record.from_actions(start, actions).format()


def test_every_turn_is_shown_with_names_and_comments(run: Any, file: Path) -> None:
    shown = run("replay", str(file)).stdout
    assert "a short one" in shown
    assert "1. Ada (Red): b2" in shown
    assert "2. Bob (Blue): swap (swaps colours)\nbold" in shown
    assert "3. Ada (Blue): a1" in shown
    assert shown.endswith("Unfinished after 3 moves.\n")
    assert max(len(line) for line in shown.splitlines()) <= 80


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


def test_a_record_from_standard_input(run: Any) -> None:
    assert "1. Ada (Red): b2" in run("replay", "-", lines=RECORD).stdout


def test_json(run: Any, file: Path) -> None:
    answer = json.loads(run("replay", str(file), "--json").stdout)
    assert answer["game"] == "flume"
    assert answer["options"]["size"] == 3
    assert answer["seats"] == ["Ada", "Bob"]
    assert [each["move"] for each in answer["moves"]] == ["b2", "swap", "a1"]
    assert [each["seat"] for each in answer["moves"]] == [0, 1, 0]
    assert answer["states"][0] == "3/3/3 r 0"
    assert len(answer["states"]) == 4
    assert answer["outcome"] is None


@pytest.mark.usefixtures("toys")
@pytest.mark.parametrize("name", ["flume", "cards", "pile"])
def test_whole_matches_of_several_games(run: Any, name: str) -> None:
    record = random_record(name, 1)
    shown = run("replay", "-", lines=record)
    assert shown.exit_code == 0
    assert "Not over" not in shown.stdout
    answer = json.loads(run("replay", "-", "--json", lines=record).stdout)
    assert answer["outcome"]["returns"]


def test_an_illegal_move_is_reported_with_line_and_column(run: Any, file: Path) -> None:
    file.write_text(RECORD.replace("a1", "b2"))
    shown = run("replay", str(file))
    assert shown.exit_code == 2
    assert shown.stderr.startswith("error: line 6, column 25: flume: 'b2' is illegal")
    answer = json.loads(run("replay", str(file), "--json").stdout)
    assert (answer["error"]["line"], answer["error"]["column"]) == (6, 25)
    assert answer["error"]["code"] == "invalid_record"


def test_pictures(run: Any, file: Path, tmp_path: Path) -> None:
    folder = tmp_path / "deep" / "pictures"
    assert run("replay", str(file), "--svg", str(folder)).exit_code == 0
    written = sorted(path.name for path in folder.iterdir())
    assert written == ["0000.svg", "0001.svg", "0002.svg", "0003.svg"]
    assert (folder / "0001.svg").read_text().startswith("<svg")
    assert run("replay", str(file), "--svg", str(file)).exit_code == 2


@pytest.mark.usefixtures("toys")
def test_a_game_without_svg(run: Any, tmp_path: Path) -> None:
    shown = run("replay", "-", "--svg", str(tmp_path / "p"), lines="game: pile@1\n\n1. 1\n")
    assert shown.exit_code == 2
    assert "has no SVG pictures" in shown.stderr
