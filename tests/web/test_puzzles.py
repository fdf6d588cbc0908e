"""Puzzles in a browser: a wrong move, the right one, the next puzzle, and what is remembered."""

from __future__ import annotations

import pytest
from playwright.sync_api import Browser, expect
from tests.web.fixtures import new_person
from tests.web.pages import axe_script
from tests.web.staging import BOARDS

import watermeet as wm
from watermeet.learn.puzzles import Puzzle, puzzle_count, puzzles_of

pytestmark = pytest.mark.slow
WITH_PUZZLES = [name for name in BOARDS if puzzle_count(wm.game(name))]
GAME = min(WITH_PUZZLES, key=lambda name: wm.game(name).sizes.actions)
VIOLATIONS = "axe.run().then((result) => result.violations.map((each) => each.id))"


def wrong_move(puzzle: Puzzle) -> str:
    """A move that ends the turn and isn't the answer."""
    start = puzzle.step.state
    ends = [move for move in start.legal_moves if start.play(move).to_move not in (puzzle.seat, -2)]
    return next(move for move in ends if move not in puzzle.moves)


def test_a_puzzle_is_missed_then_solved_on_a_phone(browser: Browser, address: str) -> None:
    context = new_person(
        browser, viewport={"width": 390, "height": 844}, has_touch=True, color_scheme="dark"
    )
    context.add_init_script(axe_script())
    page = context.new_page()
    page.goto(address)
    page.get_by_role("link", name="Solve puzzles").click()
    page.get_by_role("heading", level=1, name="Puzzles").wait_for()
    assert page.evaluate(VIOLATIONS) == []
    puzzle = next(each for each in puzzles_of(wm.game(GAME)) if len(each.moves) == 1)
    page.goto(f"{address}/puzzles/{GAME}/{puzzle.id}")
    feedback, ready = page.locator("[data-feedback]"), page.locator(".board[aria-busy=false]")
    page.locator(".board [data-cell]").first.wait_for()
    ready.wait_for()
    page.locator(f'.board [data-cell="{wrong_move(puzzle)}"]').click(force=True)
    expect(feedback).to_contain_text("not it.")
    expect(page.locator("aside")).to_contain_text("0/1")
    page.get_by_role("button", name="Try again").click()
    expect(feedback).to_have_attribute("data-feedback", "open")
    ready.wait_for()
    page.locator(f'.board [data-cell="{puzzle.moves[0]}"]').click(force=True)
    expect(feedback).to_contain_text(puzzle.explanation.sentence)
    assert page.evaluate(VIOLATIONS) == []
    assert not page.evaluate("document.documentElement.scrollWidth > innerWidth")
    expect(page.get_by_role("button", name="Next puzzle")).to_be_focused()
    page.keyboard.press("Enter")
    expect(feedback).to_have_attribute("data-feedback", "open")
    expect(page.locator("aside")).to_contain_text("0/1")  # It was remembered.
    ready.wait_for()
    page.get_by_role("button", name="Show solution").click()
    expect(feedback).to_contain_text("The answer:")
    expect(page.locator("aside")).to_contain_text("0/2")
    context.close()
