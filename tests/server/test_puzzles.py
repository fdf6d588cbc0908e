"""Puzzles on the server: the answer stays secret until the end, and first tries are rated."""

from __future__ import annotations

import json
import threading
from pathlib import Path
from typing import Any

import pytest
from tests.server.inside import bearer, inside

import watermeet as wm
from watermeet.learn.course import course_of
from watermeet.learn.puzzles import puzzles_of
from watermeet.learn.refutation import failures_of
from watermeet.server.api import routes_puzzles
from watermeet.server.puzzles import PUZZLE_UNKNOWN, after, new_rating

pytestmark = pytest.mark.anyio
GAME = "flume"
PUZZLE = puzzles_of(wm.game(GAME))[0]
PATH = f"/api/puzzles/{GAME}"
TRY = f"{PATH}/{PUZZLE.id}/attempt"


def wrong_turn() -> list[str]:
    """A turn that isn't the answer."""
    for move in PUZZLE.step.state.legal_moves:
        state = PUZZLE.step.state.play(move)
        if move not in PUZZLE.moves and state.to_move not in (PUZZLE.seat, -2):
            return [move]
    raise AssertionError("every turn is right")


async def test_the_answer_is_secret_until_the_puzzle_is_solved_or_given_up(tmp_path: Path) -> None:
    async with inside(tmp_path) as app, app.http() as http:
        shown = (await http.get(f"{PATH}/{PUZZLE.id}")).json()
        asked = shown["question"]
        assert (shown["seat"], asked["english"]) == (PUZZLE.seat, PUZZLE.question)
        assert all(f"{{{name}" in asked["text"] for name in asked["facts"])
        missed = (await http.post(TRY, json={"moves": wrong_turn()})).json()
        assert (missed["status"], missed["kept"], missed["result"]) == ("wrong", 0, None)
        for answer in (shown, missed):
            text = json.dumps({key: each for key, each in answer.items() if key != "view"})
            assert PUZZLE.explanation.sentence not in text
            assert not answer.get("line")
            assert not answer.get("themes")
        solved = (await http.post(TRY, json={"moves": list(PUZZLE.moves)})).json()
        assert (solved["status"], solved["line"][0]) == ("solved", list(PUZZLE.line[0]))
        assert solved["why"]["english"] == PUZZLE.explanation.sentence
        given_up = (await http.post(TRY, json={"moves": [], "give_up": True})).json()
        assert given_up["status"] == "shown"
        assert all(move["view"] for move in given_up["moves"]), "it is played move by move"
        guest = {"moves": list(PUZZLE.moves), "rating": 1500, "deviation": 150}
        counted = (await http.post(TRY, json=guest)).json()["result"]
        assert counted["change"] == counted["rating"] - 1500 > 0
        assert counted["puzzle_rating"] == PUZZLE.rating, "guests without a token move nothing"
        missing = await http.get(f"{PATH}/{GAME}-00000000")
        assert (missing.status_code, missing.json()["code"]) == (404, "not_found")


async def test_guests_and_claims_do_not_move_the_rating_of_a_puzzle(tmp_path: Path) -> None:
    """Anybody can be twelve guests, each of whom says to be a master."""
    async with inside(tmp_path) as app, app.http() as http:
        wrong = {"moves": wrong_turn(), "rating": 3500, "deviation": 60}
        for _ in range(3):
            guest = bearer(await app.guest())
            failed = (await http.post(TRY, json=wrong, headers=guest)).json()["result"]
            assert (failed["puzzle_rating"], failed["change"] < 0) == (PUZZLE.rating, True)
            assert (await http.post(TRY, json=wrong, headers=guest)).json()["result"] is None
        puzzle = (await http.get(f"{PATH}/{PUZZLE.id}")).json()
        assert (puzzle["rating"], puzzle["tried"]) == (PUZZLE.rating, 0)
        member = bearer(await app.member("Ann"))
        failed = (await http.post(TRY, json=wrong, headers=member)).json()["result"]
    harder = after(new_rating(PUZZLE.rating, PUZZLE_UNKNOWN), new_rating(), won=True)
    assert failed["puzzle_rating"] == round(harder.value) > PUZZLE.rating


async def test_the_first_try_of_a_member_moves_both_ratings_once(tmp_path: Path) -> None:
    async with inside(tmp_path) as app:
        ann, ben = bearer(await app.member("Ann")), bearer(await app.member("Ben"))
        async with app.http() as http:
            right, wrong = {"moves": list(PUZZLE.moves)}, {"moves": wrong_turn()}
            solved = (await http.post(TRY, json=right, headers=ann)).json()["result"]
            assert solved["change"] > 0
            assert solved["puzzle_rating"] < PUZZLE.rating
            failed = (await http.post(TRY, json=wrong, headers=ben)).json()["result"]
            assert failed["change"] < 0 < failed["puzzle_rating"] - solved["puzzle_rating"]
            again = (await http.post(TRY, json=right, headers=ben)).json()
            assert (again["status"], again["result"]) == ("solved", None), "the first try counts"
            puzzle = (await http.get(f"{PATH}/{PUZZLE.id}")).json()
            assert (puzzle["rating"], puzzle["tried"]) == (failed["puzzle_rating"], 2)
            known = (await http.get(f"{PATH}/overview", headers=ann)).json()
            assert (known["rating"], known["tried"]) == (solved["rating"], 1)
            [entry] = known["history"]
            assert (entry["puzzle"], entry["is_solved"]) == (PUZZLE.id, True)
            theme = known["themes"][0]["name"]
            for _ in range(8):
                another = (await http.get(PATH, params={"theme": theme}, headers=ann)).json()
                assert another["id"] != PUZZLE.id, "it was tried"
            days = [(await http.get(f"{PATH}/daily")).json() for _ in range(2)]
    assert days[0] == days[1]
    assert days[0]["day"]


async def test_wrong_turns_are_explained_in_the_threads_of_texts(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """That takes long, and others wait for the threads that everything shares."""
    threads = []

    def noted(*about: Any) -> Any:
        threads.append(threading.current_thread().name)
        return failures_of(*about)

    monkeypatch.setattr(routes_puzzles, "failures_of", noted)
    async with inside(tmp_path) as app, app.http() as http:
        assert (await http.post(TRY, json={"moves": wrong_turn()})).json()["fails"]
    assert [name.partition("_")[0] for name in threads] == ["text"]


async def test_nobody_asks_for_positions_without_end(tmp_path: Path) -> None:
    """Whoever analyses, learns, explores and solves shares one allowance by address."""
    async with inside(tmp_path) as app, app.http() as http:
        limiter = app.services.positions
        limiter._rate, limiter._capacity = 0.001, 4.0
        lesson = next(iter(course_of(wm.game(GAME)).steps))
        asked = [
            await http.get(f"{PATH}/{PUZZLE.id}"),
            await http.post(TRY, json={"moves": []}),
            await http.get(f"/api/games/{GAME}/openings"),
            await http.post(f"/api/games/{GAME}/lessons/{lesson}", json={"moves": []}),
            await http.post("/api/analysis", json={"game": GAME}),
            await http.post(TRY, json={"moves": []}),
        ]
    assert [each.status_code for each in asked] == [200] * 4 + [429] * 2
