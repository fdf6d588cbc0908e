"""Lessons in a browser: a whole course by its solutions, and the first step of each on a phone."""

from __future__ import annotations

import random

import pytest
from playwright.sync_api import Browser, BrowserContext, Page, expect
from tests.web.fixtures import new_person
from tests.web.pages import axe_script, click_anything
from tests.web.staging import BOARDS

import watermeet as wm
from watermeet.learn.course import Step, read_course, step_count

pytestmark = pytest.mark.slow
TAUGHT = [name for name in BOARDS if step_count(wm.game(name))]
GAME = min(TAUGHT, key=lambda name: wm.game(name).sizes.actions)
VIOLATIONS = "axe.run().then((result) => result.violations.map((each) => each.id))"
FEEDBACK = "[data-feedback]"


def solve(page: Page, step: Step) -> None:
    """Click the solution of a step, where every move is a cell of the board or its button."""
    ready = page.locator(".board[aria-busy=false]")
    for turn in step.turns:
        for move in turn.solution:
            ready.wait_for()
            cell = page.locator(f'.board [data-cell="{move}"]')
            target = cell if cell.count() else page.locator(".board .button.main")
            target.click(force=True)
    ready.wait_for()


def test_a_course_is_played_to_its_end(context: BrowserContext, address: str) -> None:
    """By its solutions; mistakes are explained, and what was done survives a reload."""
    page = context.new_page()
    steps = list(read_course(wm.game(GAME)).steps.values())
    page.goto(address)
    page.get_by_role("link", name=f"Lessons {wm.game(GAME).title}").click()
    page.get_by_role("link", name="Start").click()
    for number, step in enumerate(steps, 1):
        expect(page.get_by_text(f"Step {number} of {len(steps)}", exact=True)).to_be_visible()
        page.locator(".board [data-cell]").first.wait_for()
        if "gift" in step.turns[0].mistakes:  # A wrong move is explained and taken back.
            page.locator('.board [data-cell="a5"]').click(force=True)
            expect(page.locator(FEEDBACK)).to_contain_text("Not quite")
            page.get_by_role("button", name="Try again").click()
            expect(page.locator(FEEDBACK)).to_have_attribute("data-feedback", "open")
        solve(page, step)
        expect(page.locator(FEEDBACK)).to_have_attribute("data-feedback", "solved")
        onward = page.get_by_role("link", name="Finish" if number == len(steps) else "Next")
        expect(onward).to_be_focused()
        page.keyboard.press("Enter")
    page.reload()
    expect(page.get_by_text(f"{len(steps)} of {len(steps)} steps done")).to_be_visible()
    assert page.get_by_text("done, with a star").count() == len(steps) - 1
    expect(page.get_by_role("button", name="Play against Drop")).to_be_visible()


@pytest.mark.parametrize("game", TAUGHT)
def test_the_first_step_is_solved_on_a_phone(browser: Browser, address: str, game: str) -> None:
    context = new_person(
        browser, viewport={"width": 390, "height": 844}, has_touch=True, color_scheme="dark"
    )
    context.add_init_script(axe_script())
    page, rng = context.new_page(), random.Random(game)
    page.goto(f"{address}/lessons/{game}")
    page.get_by_role("heading", level=1).wait_for()
    assert page.evaluate(VIOLATIONS) == []
    page.get_by_role("link", name="Start").click()
    page.locator(".board [data-cell]").first.wait_for()
    page.get_by_role("button", name="Hint").click()
    expect(page.locator(".hint")).to_be_visible()
    assert page.evaluate(VIOLATIONS) == []
    assert not page.evaluate("document.documentElement.scrollWidth > innerWidth")
    done = page.locator("[data-feedback=solved]")
    for _ in range(60):
        if done.count():
            break
        click_anything(page, rng)
        page.wait_for_timeout(150)
    expect(done).to_be_visible()
    expect(page.get_by_role("link", name="Next")).to_be_in_viewport()
    context.close()
