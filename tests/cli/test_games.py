"""``watermeet games``."""

from __future__ import annotations

import json
from typing import Any

import pytest

import watermeet as wm


def test_every_registered_game_is_listed(run: Any) -> None:
    shown = run("games")
    assert shown.exit_code == 0
    for name in wm.games():
        assert name in shown.stdout
        assert wm.game(name).title in shown.stdout
    assert max(len(line) for line in shown.stdout.splitlines()) <= 80
    listed = json.loads(run("games", "--json").stdout)["games"]
    assert listed == [wm.game(name).facts() for name in wm.games()]


@pytest.mark.usefixtures("toys")
def test_a_game_that_cannot_be_loaded_is_listed_with_the_reason(run: Any) -> None:
    words = " ".join(run("games").stdout.split())
    assert "loading it raised ValueError: half written" in words
    assert "can't be imported" in words
    assert "2-3" in words
    assert "chance, hidden" in words
    listed = {each["name"]: each for each in json.loads(run("games", "--json").stdout)["games"]}
    assert listed["raising"]["error"]["code"] == listed["absent"]["error"]["code"] == "invalid_game"
    assert listed["cards"]["hidden"] is True


def test_one_game_with_its_options(run: Any) -> None:
    game = wm.game("flow")
    shown = " ".join(run("games", "flow").stdout.split())
    assert " ".join(game.credit.split()) in shown
    for option in game.declared_options:
        assert f"-o {option.name}={option.format(option.default)}" in shown
        assert option.sentence in shown
        assert option.allowed in shown
    assert json.loads(run("games", "flow", "--json").stdout) == game.facts()
