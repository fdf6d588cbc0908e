"""The analysis board, links to it, and the review of a finished match."""

from __future__ import annotations

import re
import time
from collections.abc import Callable

import pytest
from playwright.sync_api import BrowserContext, Page, expect
from tests.web.fixtures import PHONE
from tests.web.pages import axe
from tests.web.staging import BOARDS, SECRETIVE, Stage, two_by_day

pytestmark = pytest.mark.slow
RECORD = """game: flume@1
options: size=5 pie=no no_centre_first=no
seats: Ada, Bob

{two ways} 1. a1 !? {a corner} ( 1. b2 ! 2. c3 {far} ( 2. a3 ) ) ( 1. c1 ) 2. c1 ?? 3. e5
"""
LOST = """game: flume@1
options: size=3 pie=false
seats: Ada, Bob
start: 3/1br/rrb r 0

1. b3 a3 2. a2 c3
"""
CURRENT, READY = ".tree [aria-current]", ".board[aria-busy=false]"


def open_record(page: Page, address: str, record: str) -> None:
    page.goto(f"{address}/analysis")
    page.get_by_label("Paste a game record").fill(record)
    page.get_by_role("button", name="Open", exact=True).first.click()
    page.locator(f"{READY} [data-cell]").first.wait_for()


def test_a_record_is_explored_by_keys_and_clicks(context: BrowserContext, address: str) -> None:
    page = context.new_page()
    open_record(page, address, RECORD)
    now, moves = page.locator(CURRENT), page.locator(".tree button")
    expect(moves).to_have_count(7)
    page.keyboard.press("End")
    expect(now).to_have_text("e5")
    expect(page.locator('.board [data-cell="e5"]')).to_have_attribute("aria-label", "e5: red stone")
    page.keyboard.press("Home")
    page.keyboard.press("ArrowRight")
    page.keyboard.press("ArrowDown")
    expect(now).to_have_text("b2!")
    page.keyboard.press("ArrowRight")
    expect(now).to_have_text("c3")
    page.locator(READY).wait_for()
    page.locator('.board [data-cell="b2"]').click(force=True)  # Taken.
    expect(page.get_by_role("alert").first).to_contain_text("b2")
    page.locator('.board [data-cell="d4"]').click()
    expect(now).to_have_text("d4")
    expect(moves).to_have_count(8)
    page.locator(".panel h2").first.click()  # Away from the board, whose own keys come first.
    page.keyboard.press("v")
    expect(moves.first).to_have_text("b2!")
    page.get_by_role("button", name="?! Dubious").click()
    expect(now).to_have_text("d4?!")
    page.locator(".panel h2").first.click()
    page.keyboard.press("x")
    expect(now).to_have_text("c3")
    for _ in range(3):
        page.keyboard.press("Control+z")
    expect(moves.first).to_have_text("a1!?")
    expect(now).to_have_text("d4")
    page.keyboard.press("Control+z")
    expect(moves).to_have_count(7)


def test_quick_clicks_are_played_though_the_server_is_slow(
    context: BrowserContext, address: str
) -> None:
    page = context.new_page()

    def delay(route: object) -> None:
        time.sleep(0.3)
        route.continue_()  # type: ignore[attr-defined]

    page.goto(f"{address}/analysis?game=flume&options=size=5+pie=no")
    page.locator(f"{READY} [data-cell]").first.wait_for()
    page.route("**/api/analysis", delay)
    page.evaluate(
        """['b2', 'd4', 'b4', 'd2'].forEach((cell) => document
             .querySelector(`.board [data-cell="${cell}"]`)
             .dispatchEvent(new MouseEvent('click', { bubbles: true })))"""
    )
    expect(page.locator(".tree button")).to_have_text(["b2", "d4", "b4", "d2"])


def test_a_link_opens_elsewhere_and_the_record_is_as_it_was(
    context: BrowserContext, person: Callable[..., BrowserContext], address: str
) -> None:
    context.grant_permissions(["clipboard-read", "clipboard-write"])
    page = context.new_page()
    open_record(page, address, RECORD)
    with page.expect_download() as saved:
        page.get_by_role("button", name="Download record").click()
    assert saved.value.path().read_text(encoding="utf-8") == RECORD
    page.get_by_role("button", name="Show 1 b2 !").click()
    page.locator(READY).wait_for()
    page.locator('.board [data-cell="e1"]').click()
    expect(page.locator(CURRENT)).to_have_text("e1")
    page.get_by_label("Comment on this move").fill("a {far} corner")
    page.get_by_label("Comment on this move").press("Enter")
    page.get_by_role("button", name="Copy link").click()
    expect(page.get_by_role("button", name="Copied")).to_be_visible()
    link = page.evaluate("navigator.clipboard.readText()")
    assert link.startswith(f"{address}/analysis#record=")
    assert len(link) < 400

    other = person(**PHONE, color_scheme="dark").new_page()
    other.goto(link)
    expect(other.locator(CURRENT)).to_have_text("e1")
    expect(other.locator(".tree")).to_contain_text("a (far) corner")
    cell = other.locator('.board [data-cell="e1"]')
    expect(cell).to_have_attribute("aria-label", "e1: blue stone")
    assert axe(other) == []
    other.goto(f"{address}/analysis#record=broken")
    expect(other.get_by_role("alert")).to_contain_text("This link is broken")


def test_the_best_lines_are_shown_and_played(thinking: str, context: BrowserContext) -> None:
    page = context.new_page()
    page.goto(f"{thinking}/analysis?game=flume&options=size=3+pie=no&position=3/1br/rrb+r+0")
    page.locator(READY).wait_for()
    page.get_by_role("switch", name="Show the best moves").check()
    best = page.locator(".engine li .first").first
    expect(best).to_have_text("a2")
    # Wherever the game's engine has been built, the browser thinks.
    expect(page.locator(".engine")).to_contain_text(re.compile("on the server|in your browser"))
    expect(page.locator('.board [data-line="1"]')).to_have_count(1)
    expect(page.get_by_role("meter")).to_have_attribute("aria-valuetext", "Red: 100%")
    best.click()
    expect(page.locator(CURRENT)).to_have_text("a2")


@pytest.mark.parametrize("game", two_by_day(BOARDS))
def test_a_position_is_set_up(context: BrowserContext, address: str, game: str) -> None:
    page = context.new_page()
    page.goto(f"{address}/analysis?game={game}")
    page.locator(f"{READY} [data-cell]").first.wait_for()
    page.get_by_role("button", name="Set up a position").click()
    expect(page.get_by_role("button", name="Analyse this position")).to_be_enabled()
    text = page.get_by_label("Position as text")
    before = text.input_value()
    page.locator(".board [data-cell]").nth(2 if game != SECRETIVE else 0).click(force=True)
    expect(text).not_to_have_value(before)
    expect(page.locator("#setup-check")).not_to_be_empty()


def test_what_is_wrong_with_a_position_is_said(context: BrowserContext, address: str) -> None:
    page = context.new_page()
    page.goto(f"{address}/analysis?game=flume&options=size=5+pie=no")
    page.locator(f"{READY} [data-cell]").first.wait_for()
    page.get_by_role("button", name="Set up a position").click()
    done = page.get_by_role("button", name="Analyse this position")
    check = page.locator("#setup-check")
    expect(done).to_be_enabled()
    page.locator('.board [data-cell="c3"]').click()
    expect(check).to_contain_text("a position of this game")
    expect(check.locator("[lang=en]")).to_have_text("the first stone is red, and blue moves next")
    expect(done).to_be_disabled()
    page.get_by_title("blue stone").click()
    page.locator('.board [data-cell="a1"]').focus()
    page.keyboard.press("Enter")
    expect(check).to_have_text("This position is possible.")
    expect(page.get_by_label("Position as text")).to_have_value("5/5/2r2/5/b4 r 0")
    done.click()
    page.locator(f'{READY} [data-cell="b2"]').click()
    expect(page.locator(CURRENT)).to_have_text("b2")


def test_mistakes_are_found_and_shared(
    address: str, stage: Stage, context: BrowserContext, person: Callable[..., BrowserContext]
) -> None:
    """A review draws the better turn and lets one try it; a stranger opens it at its move."""
    context.grant_permissions(["clipboard-read", "clipboard-write"])
    page = context.new_page()
    page.goto(address + stage.import_record(LOST).path)
    card = page.locator(".analysis")
    page.get_by_role("button", name="Review").click()
    worst = card.get_by_role("button", name="Blunder")
    expect(worst).to_have_count(1, timeout=180_000)
    expect(worst).to_contain_text("??")
    expect(worst).to_contain_text("Better: a2")
    expect(worst).to_contain_text("proven · turning point", timeout=60_000)
    expect(card.locator("tbody tr")).to_have_count(2)
    worst.click()
    expect(page.locator(".replay .count")).to_have_text("0/4")
    expect(page.locator(".board .hint-mark").first).to_be_visible()
    assert axe(page) == []
    page.get_by_role("button", name="Retry the mistakes").click()
    expect(page.get_by_text("Mistake 1 of")).to_be_visible()
    page.locator('[data-cell="b3"]').click()
    expect(page.locator("[data-feedback=wrong]")).to_be_visible()
    assert axe(page) == []
    page.get_by_role("button", name="Show solution").click()
    expect(page.locator("[data-feedback=shown]")).to_be_visible()
    page.locator(".where").get_by_role("button", name="Back to the review").click()
    page.get_by_role("button", name="Share this review").click()
    expect(page.get_by_role("button", name="Copied")).to_be_visible()
    link = page.evaluate("navigator.clipboard.readText()")
    found = page.locator(".analysis li", has_text="??").inner_text()

    other = person().new_page()
    other.goto(link)
    shown = other.locator(".analysis li.shown")
    expect(shown).to_be_in_viewport()
    assert shown.inner_text() == found
