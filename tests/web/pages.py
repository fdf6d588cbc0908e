"""What people do on the page, as helpers for the tests."""

from __future__ import annotations

import random
from typing import Any

import pytest
from playwright.sync_api import BrowserContext, Error, Locator, Page
from playwright.sync_api import TimeoutError as TookTooLong
from tests.web.fixtures import ROOT, TIMEOUT_MS
from tests.web.staging import Staged, give_seats

import watermeet as wm
from watermeet.core.options import Number

AXE = ROOT / "node_modules" / "axe-core" / "axe.min.js"
MODES = {"bot": 1, "friend": 2, "hotseat": 3, "anyone": 4}
FREE = ".board [data-cell][role=button]:not([aria-disabled=true])"
PLAY = ".confirm .main"
"""What plays the move that waits on the board."""
BUTTONS = f".board .button:not(.small, :disabled), .board .action:not(:disabled), {PLAY}"
HELD = ".hand .held:not(:disabled, [aria-disabled=true])"
OVER = ".frame.over"
HEADLINE = ".status strong"
_MOVED = """([before, end]) => document.querySelector(end)
  || Number(document.querySelector('.replay input')?.max ?? 0) > before"""


def small_options(game: str) -> dict[str, str]:
    """Options for a short match: the smallest sizes and limits that the page offers."""
    return {
        option.name: str(min(option.offered or (option.low,)))
        for option in wm.game(game).declared_options
        if isinstance(option, Number) and option.low > 0 and option.name != "seats"
    }


def start_match(
    page: Page, address: str, game: str, mode: str, options: dict[str, str] | None = None
) -> None:
    """Set up a match on the page, and wait for the match page."""
    page.goto(f"{address}/play/{game}")
    page.locator(f".choices label:nth-child({MODES[mode]})").click()
    for name in wm.game(game).people_options:  # Such as a real clock, which tests can't wait for.
        usual = wm.game(game).options[name]
        page.locator(f"input[name={name}][value={usual}] + span").click()
    if options:
        single = "input[name=preset][value=custom] + span, form > details summary"
        page.locator(single).click()
        for name, value in options.items():
            page.locator(f"select[name={name}]").select_option(value)
    page.get_by_role("button", name="Start").click()
    page.locator(".frame, .waiting").wait_for()


def open_match(context: BrowserContext, address: str, staged: Staged, *seats: int) -> Page:
    """The page of a match, as somebody on these seats sees it."""
    give_seats(context, staged, *seats)
    page = context.new_page()
    page.goto(address + staged.path)
    page.locator(".board :is(svg, img, .words), .hand-over").first.wait_for()
    return page


def promised(page: Page, promise: str) -> Any:
    """The value of a promise in the page. Playwright alone would wait for it forever."""
    late = f"new Promise((_, no) => setTimeout(() => no(new Error('timed out')), {TIMEOUT_MS}))"
    return page.evaluate(f"Promise.race([{promise}, {late}])")


def take_over(page: Page) -> bool:
    """Take the device if it was handed over; return whether it was."""
    if page.locator(".hand-over").count() == 0:
        return False
    page.locator(".hand-over button").click()
    page.locator(".hand-over").wait_for(state="detached")
    return True


def is_over(page: Page) -> bool:
    """Whether the match has ended."""
    return page.locator(OVER).count() > 0


def move_count(page: Page) -> int:
    """The number of actions that the page knows."""
    slider = page.locator(".replay input")
    return int(slider.get_attribute("max") or 0) if slider.count() else 0


def wait_for_moves(page: Page, more_than: int) -> None:
    """Wait until the page knows more actions, or the match is over."""
    page.wait_for_function(_MOVED, arg=[more_than, OVER])


def has_moved(page: Page, before: int, timeout_ms: int = 20_000) -> bool:
    """Whether something was played, the device changes hands, or the match is over."""
    try:
        page.wait_for_function(_MOVED, arg=[before, f"{OVER}, .hand-over"], timeout=timeout_ms)
    except TookTooLong:
        return False
    return True


def free_cells(page: Page) -> Locator:
    """The cells of a board that can be clicked."""
    return page.locator(FREE)


def wait_for_choice(page: Page) -> None:
    """Wait until something can be chosen, the device changes hands, or the match is over."""
    page.locator(f"{FREE}, {BUTTONS}, {HELD}, .hand-over, {OVER}").first.wait_for(state="attached")


def begin(page: Page) -> None:
    """Wait until the player to move can see the board."""
    page.locator(f".hand-over, .frame, {OVER}").first.wait_for(state="attached")
    take_over(page)
    page.locator(".frame").first.wait_for(state="attached")


def click_soon(what: Locator, *, force: bool = False) -> bool:
    """Click something that may be about to vanish; return whether it was still there."""
    try:
        what.click(timeout=500, force=force)
    except Error:  # It took too long, or what was found is no longer visible.
        return False
    return True


def click_anything(page: Page, rng: random.Random) -> None:
    """Click a random cell, piece in hand or button of the board."""
    found = [page.locator(where) for where in (FREE, HELD, BUTTONS)]
    offered = [(where, count) for where in found if (count := where.count())]
    if offered:
        where, count = rng.choice(offered)
        click_soon(where.nth(rng.randrange(count)), force=where is found[0])
        page.evaluate("new Promise(requestAnimationFrame)")


def middle_of(page: Page, where: str) -> tuple[float, float]:
    """The centre of the first such element."""
    box = page.locator(where).first.bounding_box()
    assert box
    return box["x"] + box["width"] / 2, box["y"] + box["height"] / 2


def drag(page: Page, source: str, target: str) -> None:
    """Drag something to a cell, step by step, once it keeps its place and may go there."""
    page.locator(target).first.wait_for()
    page.locator(source).first.hover()
    page.mouse.down()
    page.mouse.move(*middle_of(page, target), steps=6)
    page.mouse.up()


def axe(page: Page, *, with_targets: bool = False) -> list[str]:
    """What axe finds wrong with a page, and whether it is too wide.

    ``with_targets``: what can be pressed has 24 by 24 pixels, and nothing that floats lies over it.
    """
    if not page.evaluate("'axe' in window"):
        if not AXE.is_file():
            pytest.skip("NOT TESTED: node_modules is missing (./test installs it)")
        page.evaluate(f"{AXE.read_text(encoding='utf-8')};0")
    rules = f"{{ 'target-size': {{ enabled: {str(with_targets).lower()} }} }}"
    run = f"axe.run({{ rules: {rules}, resultTypes: ['violations'] }})"
    found = promised(page, f"{run}.then((result) => result.violations)")
    faults = [f"{one['id']}: {[node['html'][:120] for node in one['nodes'][:3]]}" for one in found]
    if page.evaluate("document.documentElement.scrollWidth > innerWidth"):
        faults.append("it scrolls sideways")
    return faults
