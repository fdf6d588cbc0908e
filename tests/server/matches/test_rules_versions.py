"""Matches that began under an older version of a game's rules are finished by it."""

from __future__ import annotations

import random
from typing import Any

import msgspec

import watermeet as wm
from watermeet.server.matches.match import Match
from watermeet.server.matches.records import record_of


def test_a_match_of_an_older_version_is_folded_and_finished(new_table: Any) -> None:
    """Its log is read, goes on to the end, and is exported, all under version 1."""
    table = new_table("flow", options={"seats": 2, "scenarios": 6, "turns": 6}).seated()
    table.log[0] = msgspec.structs.replace(table.log[0], version=1)
    table.match = Match.of(table.log)
    assert table.match.game == wm.game("flow", **table.match.game.options).at_version(1)
    rng = random.Random(5)
    while table.match.state.to_move != wm.OVER:
        table.play(rng.choice(table.match.state.legal_actions))
    assert table.replayed() == table.match
    assert table.match.state.view(0)["version"] == 1
    text = record_of(table.match).format()
    assert text.startswith("game: flow@1\n")
    assert wm.Record.parse(text).replay()[-1] == table.match.state
