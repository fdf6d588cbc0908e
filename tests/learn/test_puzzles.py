"""Puzzles: every one can be solved as claimed, some are proven again, and a broken one is named."""

from __future__ import annotations

import json
from dataclasses import replace

import pytest

import watermeet as wm
from watermeet.core.game import Game
from watermeet.learn import puzzles
from watermeet.learn.messages import format_message
from watermeet.learn.mining import Checker, Miner, kinds_of
from watermeet.learn.puzzles import Status, attempt, puzzle_problems, puzzles_of
from watermeet.testing.folders import built_in_games

FEWEST = 300
PROVEN_AGAIN = 2
"""Of each kind, those with the fewest choices."""


@pytest.mark.slow
@pytest.mark.parametrize("name", built_in_games())
def test_every_puzzle_is_solved_by_its_line_and_has_its_texts(name: str) -> None:
    game = wm.game(name)
    assert puzzles.puzzle_count(game) == len(puzzles_of(game)) >= FEWEST
    assert list(puzzle_problems(game)) == []


@pytest.mark.slow
@pytest.mark.compiled
@pytest.mark.parametrize("name", built_in_games())
def test_some_puzzles_are_proven_again(name: str) -> None:
    game, checker = wm.game(name), Checker()
    for kind in kinds_of(game):
        found = [puzzle for puzzle in puzzles_of(game) if puzzle.ask == kind]
        found.sort(key=lambda puzzle: len(puzzle.step.state.legal_actions))
        assert found, kind
        for puzzle in found[:PROVEN_AGAIN]:
            assert checker.problem(puzzle) == "", puzzle.id


@pytest.mark.slow
@pytest.mark.compiled
def test_a_wrong_answer_and_one_of_several_are_found_out() -> None:
    found = puzzles_of(wm.game("flume"))
    single = next(each for each in found if len(each.line) == len(each.line[0]) == 1)
    state = single.step.state
    others = [move for move in state.legal_moves if state.play(move).to_move != single.seat]
    wrong = next(move for move in others if move != single.line[0][0])
    assert Checker().problem(replace(single, line=((wrong,),))) == f"{wrong} isn't right"
    several = next(each for each in found if any(each.also))
    assert Checker().problem(replace(several, also=())).endswith("isn't the only right turn")


def test_a_right_turn_is_answered_and_a_wrong_one_taken_back() -> None:
    puzzle = next(each for each in puzzles_of(wm.game("flume")) if len(each.line) == 3)
    own, reply, last = puzzle.line
    tried = attempt(puzzle.step, own)
    assert (tried.status, tried.kept, tried.left) == (Status.OPEN, len(own), last)
    assert [each.before.format(each.action) for each in tried.played[-len(reply) :]] == list(reply)
    assert attempt(puzzle.step, (*own, *last)).status == Status.SOLVED
    taken = puzzle.step.state
    wrong = next(
        move for move in taken.legal_moves if attempt(puzzle.step, [move]).status == Status.WRONG
    )
    assert attempt(puzzle.step, [wrong]).kept == 0


def test_the_order_within_a_turn_does_not_matter() -> None:
    puzzle = next(
        each
        for each in puzzles_of(wm.game("qwirkle"))
        if each.goal == puzzles.POINTS and len(each.line[0]) == 3
    )
    first, second, end = puzzle.line[0]
    assert attempt(puzzle.step, [first, end]).status == Status.WRONG
    assert attempt(puzzle.step, [first, second, end]).status == Status.SOLVED
    known = puzzle.step.state.conceal(puzzle.seat)
    if second in known.legal_moves and first in known.play(second).legal_moves:
        assert attempt(puzzle.step, [second, first, end]).status == Status.SOLVED


def test_what_is_provably_as_good_solves_it() -> None:
    puzzle = next(each for each in puzzles_of(wm.game("flume")) if any(each.also))
    place = next(index for index, others in enumerate(puzzle.also) if others)
    before = [move for turn in puzzle.line[: 2 * place : 2] for move in turn]
    assert attempt(puzzle.step, [*before, *puzzle.also[place][0]]).status == Status.SOLVED


def test_the_others_tiles_are_not_shown() -> None:
    puzzle = puzzles_of(wm.game("qwirkle"))[0]
    view = attempt(puzzle.step, []).state.view(puzzle.seat)
    assert set(view["seats"][1 - puzzle.seat]["hand"]) == {"??"}
    assert "??" not in view["seats"][puzzle.seat]["hand"]


@pytest.mark.parametrize(
    ("key", "value", "said"),
    [
        ("line", "a1 a1", "the line doesn't solve it"),
        ("line", "z99", "the line doesn't solve it"),
        ("state", "nonsense", "nonsense"),
        ("goal", "glory", "isn't a goal"),
        ("rating", 9000, "isn't from 400 to 2800"),
        ("why", "because", "because is missing"),
        ("themes", ["unheard"], "unheard is missing"),
        ("colour", "red", "unknown keys: colour"),
    ],
)
def test_a_broken_puzzle_is_named(
    monkeypatch: pytest.MonkeyPatch, key: str, value: object, said: str
) -> None:
    game = wm.game("flume")
    lines = puzzles.read_text(game).splitlines()[:3]
    broken = json.loads(lines[1]) | {key: value}
    text = "\n".join([lines[0], json.dumps(broken), lines[2]]) + "\n"
    monkeypatch.setattr(puzzles, "read_text", lambda _: text)
    found = [what for _, what in puzzle_problems(game)]
    assert found
    assert any(said in what for what in found), found
    is_text = key in ("why", "themes")
    assert all(is_text or what.startswith(f"{broken['id']}: ") for what in found), found


def test_two_puzzles_with_one_id_are_named(monkeypatch: pytest.MonkeyPatch) -> None:
    game = wm.game("flume")
    line = puzzles.read_text(game).splitlines()[0]
    monkeypatch.setattr(puzzles, "read_text", lambda _: f"{line}\n{line}\n")
    assert [what for _, what in puzzle_problems(game)] == [
        f"{json.loads(line)['id']}: the id isn't its own"
    ]


def test_a_game_without_puzzles_has_none(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(puzzles, "FOLDER", "no_such_folder")
    game: Game = wm.game("flume")
    assert puzzles.read_text(game) == ""


def test_messages_choose_plurals_and_words() -> None:
    text = (
        "{n, plural, =0 {none} one {# tile} other {# tiles}}, {kind, select, win {won} other {-}}"
    )
    assert [format_message(text, {"n": n, "kind": "win"}) for n in (0, 1, 2)] == [
        "none, won",
        "1 tile, won",
        "2 tiles, won",
    ]
    with pytest.raises(ValueError, match="no value"):
        format_message("{who}", {})


def test_one_kind_of_puzzles_can_be_mined_alone() -> None:
    miner = Miner(wm.game("qwirkle"), seed=0, count=1, kind="ending")
    assert [(kind.name, kind.share) for kind in miner.kinds.values()] == [("ending", 1.0)]
    with pytest.raises(wm.InvalidOptions, match="it has points, ending"):
        Miner(wm.game("qwirkle"), seed=0, count=1, kind="middle")
