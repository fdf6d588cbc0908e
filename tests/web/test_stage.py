"""What lessons and puzzles show around a board."""

from __future__ import annotations

import re

import pytest
from playwright.sync_api import Browser, expect
from tests.web.fixtures import new_person
from tests.web.staging import BOARDS

import watermeet as wm
from watermeet.learn.explorer import engine_openings, has_openings
from watermeet.learn.puzzles import puzzle_count

pytestmark = pytest.mark.slow
EXPLORED = next(name for name in BOARDS if has_openings(wm.game(name)))
GAME = next(name for name in BOARDS if puzzle_count(wm.game(name)))


def test_a_solution_is_marked_translated_and_no_success(browser: Browser, address: str) -> None:
    """Its price is named before, the board shows it, and it follows the language of the page."""
    context = new_person(browser, viewport={"width": 1280, "height": 800})
    page = context.new_page()
    page.goto(f"{address}/puzzles/{GAME}/daily")
    page.locator(".board [data-cell]").first.wait_for()
    feedback, task = page.locator("[data-feedback]"), page.locator(".stage > .status p").nth(1)
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
    context.close()


def test_back_takes_back_what_the_explorer_played(browser: Browser, address: str) -> None:
    """And a move that stands for its images marks all of them."""
    context = new_person(browser, viewport={"width": 1280, "height": 800})
    page, first = context.new_page(), engine_openings(wm.game(EXPLORED))[0]
    page.goto(f"{address}/openings/{EXPLORED}")
    row, played = page.locator("tbody tr").first, page.locator(".played button")
    row.hover()
    expect(page.locator(".board [data-line]")).to_have_count(len(first.also))
    row.get_by_role("button").click()
    expect(played).to_have_text([first.move])
    page.go_back()
    expect(played).to_have_count(0)
    page.go_forward()
    expect(played).to_have_text([first.move])
    context.close()
