"""The checks that every game must pass, for My Game."""

from __future__ import annotations

import pytest

import watermeet as wm
from watermeet.testing import CHECKS, check_game, check_goldens, check_perft, missing

GAME = wm.game("my_game")


@pytest.mark.parametrize("name", CHECKS)
def test_the_game_conforms(name: str) -> None:
    check_game(GAME, only=name)


def test_perft_counts_match_the_file() -> None:
    check_perft(GAME)


def test_golden_records_replay() -> None:
    check_goldens(GAME)


def test_nothing_is_missing() -> None:
    assert [str(part) for part in missing(GAME)] == []
