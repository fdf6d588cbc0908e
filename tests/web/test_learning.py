"""Lessons, puzzles and openings."""

from __future__ import annotations

import random
import re

import pytest
from playwright.sync_api import BrowserContext, Page, expect
from tests.web.pages import axe, click_anything
from tests.web.staging import BOARDS, two_by_day

import watermeet as wm
from watermeet.learn.course import Step, read_course, step_count
from watermeet.learn.explorer import engine_openings, has_openings
from watermeet.learn.puzzles import Puzzle, puzzle_count, puzzles_of

pytestmark = pytest.mark.slow
TAUGHT = [name for name in BOARDS if step_count(wm.game(name))]
GAME = min(TAUGHT, key=lambda name: wm.game(name).sizes.actions)
PUZZLED = min(
    (name for name in BOARDS if puzzle_count(wm.game(name))),
    key=lambda name: wm.game(name).sizes.actions,
)
EXPLORED = next(name for name in BOARDS if has_openings(wm.game(name)))
FEEDBACK, READY = "[data-feedback]", ".board[aria-busy=false]"


def solve(page: Page, step: Step) -> None:
    """Click the solution of a step, where every move is a cell of the board or its button."""
    for turn in step.turns:
        for move in turn.solution:
            page.locator(READY).wait_for()
            cell = page.locator(f'.board [data-cell="{move}"]')
            target = cell if cell.count() else page.locator(".board .button.main")
            target.click(force=True)
    page.locator(READY).wait_for()


def test_a_course_is_played_to_its_end(context: BrowserContext, address: str) -> None:
    """By its solutions; mistakes are explained, and what was done survives a reload."""
    page = context.new_page()
    steps = list(read_course(wm.game(GAME)).steps.values())
    page.goto(address)
    page.get_by_role("link", name=f"Lessons {wm.game(GAME).title}").click()
    page.get_by_role("link", name="Start").click()
    feedback = page.locator(FEEDBACK)
    for number, step in enumerate(steps, 1):
        expect(page.get_by_text(f"Step {number} of {len(steps)}", exact=True)).to_be_visible()
        page.locator(".board [data-cell]").first.wait_for()
        if "gift" in step.turns[0].mistakes:  # A wrong move is explained and taken back.
            page.locator('.board [data-cell="a5"]').click(force=True)
            expect(feedback).to_contain_text("Not quite")
            page.get_by_role("button", name="Try again").click()
            expect(feedback).to_have_attribute("data-feedback", "open")
        solve(page, step)
        expect(feedback).to_have_attribute("data-feedback", "solved")
        onward = page.get_by_role("link", name="Finish" if number == len(steps) else "Next")
        expect(onward).to_be_focused()
        page.keyboard.press("Enter")
    page.reload()
    expect(page.get_by_text(f"{len(steps)} of {len(steps)} steps done")).to_be_visible()
    assert page.get_by_text("done, with a star").count() == len(steps) - 1
    expect(page.get_by_role("button", name="Play against Drop")).to_be_visible()


@pytest.mark.parametrize("game", two_by_day(TAUGHT))
def test_the_first_step_is_solved_on_a_phone(
    phone: BrowserContext, address: str, game: str
) -> None:
    page, rng = phone.new_page(), random.Random(game)
    page.goto(f"{address}/lessons/{game}")
    page.get_by_role("heading", level=1).wait_for()
    assert axe(page) == []
    page.get_by_role("link", name="Start").click()
    page.locator(".board [data-cell]").first.wait_for()
    page.get_by_role("button", name="Hint").click()
    expect(page.locator(".hint")).to_be_visible()
    assert axe(page) == []
    done = page.locator("[data-feedback=solved]")
    for _ in range(60):
        page.locator(READY).wait_for()
        if done.count():
            break
        click_anything(page, rng)
    expect(done).to_be_visible()
    expect(page.get_by_role("link", name="Next")).to_be_in_viewport()


def wrong_move(puzzle: Puzzle) -> str:
    """A move that ends the turn and isn't the answer."""
    start = puzzle.step.state
    ends = [move for move in start.legal_moves if start.play(move).to_move not in (puzzle.seat, -2)]
    return next(move for move in ends if move not in puzzle.moves)


def test_a_puzzle_is_missed_then_solved_on_a_phone(phone: BrowserContext, address: str) -> None:
    page = phone.new_page()
    page.goto(address)
    page.locator("section.daily").scroll_into_view_if_needed()
    page.locator("section.daily .board [data-cell]").first.wait_for()
    assert axe(page) == []
    page.get_by_role("link", name="More puzzles").click()
    page.get_by_role("heading", level=1, name="Puzzles").wait_for()
    assert axe(page) == []
    puzzle = next(each for each in puzzles_of(wm.game(PUZZLED)) if len(each.moves) == 1)
    page.goto(f"{address}/puzzles/{PUZZLED}/{puzzle.id}")
    feedback, ready = page.locator(FEEDBACK), page.locator(READY)
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
    assert axe(page) == []
    expect(page.get_by_role("button", name="Next puzzle")).to_be_focused()
    page.keyboard.press("Enter")
    expect(feedback).to_have_attribute("data-feedback", "open")
    expect(page.locator("aside")).to_contain_text("0/1")  # It was remembered.


def test_a_solution_is_marked_translated_and_no_success(
    context: BrowserContext, address: str
) -> None:
    """Its price is named before, the board shows it, and it follows the language of the page."""
    page = context.new_page()
    page.goto(f"{address}/puzzles/{PUZZLED}/daily")
    page.locator(".board [data-cell]").first.wait_for()
    feedback, task = page.locator(FEEDBACK), page.locator(".stage > .status p").nth(1)
    expect(feedback).to_contain_text("counts as a miss")
    expect(page.locator(".board .button.main:enabled")).to_have_count(0)
    asked = task.inner_text()
    page.get_by_role("button", name="Show solution").click()
    expect(feedback).to_contain_text("The answer:")
    expect(page.locator(".board [data-line]").first).to_be_visible()
    page.get_by_role("button", name="Settings").click()
    page.get_by_label("Language").select_option("de")
    expect(feedback).to_contain_text("Die Lösung:")
    expect(task).not_to_have_text(asked)
    page.goto(f"{address}/puzzles")
    daily = page.get_by_role("link", name=re.compile("Rätsel des Tages .*angesehen"))
    expect(daily).to_have_count(1)
    expect(daily).not_to_contain_text("✓")


def test_openings_are_explored(phone: BrowserContext, address: str) -> None:
    """From the rules to a move of the table, and back; the address holds the position."""
    page, first = phone.new_page(), engine_openings(wm.game(EXPLORED))[0]
    page.goto(f"{address}/rules/{EXPLORED}")
    page.get_by_role("link", name="Openings").first.click()
    expect(page.get_by_role("radio", name="Bots")).to_be_checked()
    row, played = page.locator("tbody tr").first, page.locator(".played button")
    expect(row).to_contain_text(first.move)
    assert axe(page) == []
    row.hover()  # A move that stands for its images marks all of them.
    expect(page.locator(".board [data-line]")).to_have_count(len(first.also))
    row.get_by_role("button").click()
    expect(played).to_have_text([first.move])
    page.reload()
    expect(played).to_have_text([first.move])
    page.keyboard.press("ArrowLeft")
    expect(played).to_have_count(0)
    page.locator(f'{READY} [data-cell="{first.move}"]').click(force=True)
    expect(played).to_have_text([first.move])
    page.go_back()
    expect(played).to_have_count(0)
    page.go_forward()
    expect(played).to_have_text([first.move])
    page.get_by_text("This server").click()
    expect(page.get_by_text("No games from this position yet.")).to_be_visible()
