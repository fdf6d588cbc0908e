"""The opening explorer: images of a position are one, and results are the mover's."""

from __future__ import annotations

import pytest

import watermeet as wm
from watermeet.core.errors import InvalidArgument
from watermeet.learn.explorer import (
    Tally,
    engine_openings,
    explore,
    has_openings,
    play_matches,
    position_of,
    read_matches,
    tally_match,
)
from watermeet.testing.folders import built_in_games

GAME = wm.game("flume", size=3, pie=False)


def test_a_match_and_its_mirror_image_count_as_one_opening() -> None:
    start = GAME.start()
    lines = ("a1 c1 b1 c2 b2 b3 a3 a2 c3", "c1 a1 b1 a2 b2 b3 c3 c2 a3")  # Left and right swapped.
    tallies = []
    for line in lines:
        state, actions = start, []
        for word in line.split():
            actions.append(state.parse_move(word))
            state = state.play(word)
        assert state.outcome is not None
        tallies.append(tally_match(start, actions, state.outcome.returns))
    assert tallies[0] == tallies[1], "they are the same match"
    key = position_of(start).key
    both = {code: tally.plus(tally) for code, tally in tallies[0][key].items()}
    [corner] = explore(start, both)
    assert (corner.move, corner.also) == ("a1", ("c1", "a3", "c3"))
    assert (corner.matches, corner.wins, corner.losses, corner.length) == (2, 0, 2, 9.0)
    after = start.play("c3")
    [reply] = explore(after, tallies[0][position_of(after).key])
    assert (reply.also, reply.wins) == (("c1",) if reply.move == "a3" else ("a3",), 1)


def test_engine_matches_are_shipped_where_openings_can_be_explored() -> None:
    for name in built_in_games():
        game = wm.game(name)
        if not has_openings(game):
            with pytest.raises(InvalidArgument, match="no openings"):
                engine_openings(game)
            continue
        count = sum(1 for _ in read_matches(game))
        moves = engine_openings(game)
        assert sum(each.matches for each in moves) == count >= 100, name
        assert engine_openings(game, [moves[0].move]), "it continues"
        options = {"size": game.option("size").samples()[0]}
        assert engine_openings(game.with_options(**options)) == [], "played with other options"


@pytest.mark.slow
def test_engines_play_matches_for_the_file() -> None:
    lines = list(play_matches(GAME, ["river:nodes=8"], 2, seed=3))
    assert lines == list(play_matches(GAME, ["river:nodes=8"], 2, seed=3)), "by the seed alone"
    for line in lines:
        returns, plies, *moves = line.split()
        end = GAME.start().play_all(moves)  # A match on so small a board is kept as a whole.
        assert end.outcome is not None
        assert ",".join(f"{each:g}" for each in end.outcome.returns) == returns
        assert int(plies) == len(moves) == 9
    with pytest.raises(InvalidArgument, match="isn't a level"):
        next(play_matches(GAME, ["random"], 1))


def test_a_tally_adds_up() -> None:
    assert Tally(1, 2, 3, 40).plus(Tally(1, 0, 0, 9)) == Tally(2, 2, 3, 49)
