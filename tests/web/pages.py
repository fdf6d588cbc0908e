"""What people do in the page, in the words of the tests."""

from __future__ import annotations

from typing import Any

from playwright.sync_api import Locator, Page, expect

PATIENCE_MS = 30_000
MODES = {"bot": 1, "friend": 2, "hotseat": 3, "anyone": 4}


def lay_table(
    page: Page, address: str, game: str, mode: str, options: dict[str, str] | None = None
) -> None:
    """Lays a table in the page; the match page is open then."""
    page.goto(f"{address}/play/{game}")
    page.locator(f".choices label:nth-child({MODES[mode]})").click()
    if options:
        page.locator("details summary").click()
        for words, value in options.items():
            page.get_by_label(words).select_option(value)
    page.get_by_role("button", name="Start").click()
    expect(page.locator(".frame")).to_be_visible()


def promised(page: Page, promise: str) -> Any:
    """What a promise of the page comes to. Playwright itself would wait for it without end."""
    late = f"new Promise((_, no) => setTimeout(() => no(new Error('never came')), {PATIENCE_MS}))"
    return page.evaluate(f"Promise.race([{promise}, {late}])")


def take_over(page: Page) -> bool:
    """Takes the device over, if it was passed on; whether it was."""
    if page.locator(".hand-over").count() == 0:
        return False
    page.locator(".hand-over button").click()
    expect(page.locator(".hand-over")).to_have_count(0)
    return True


def is_over(page: Page) -> bool:
    """Whether the match has ended."""
    return page.get_by_role("link", name="Play again").count() > 0


def move_count(page: Page) -> int:
    """How many actions the page knows."""
    slider = page.locator(".replay input")
    return int(slider.get_attribute("max") or 0) if slider.count() else 0


def wait_for_moves(page: Page, more_than: int) -> None:
    """Until the page knows more actions than that."""
    page.locator(".replay input").wait_for()
    for _ in range(600):
        if move_count(page) > more_than or is_over(page):
            return
        page.wait_for_timeout(50)
    raise AssertionError(f"nothing came after {more_than} actions")


FREE = ".board [data-cell][role=button]:not([aria-disabled=true])"
WORDS = ".board .button:not(.small), .board .action:not(:disabled)"


def free_cells(page: Page) -> Locator:
    """The cells of a board that can be clicked now."""
    return page.locator(FREE)


def words(page: Page) -> Locator:
    """What else a board offers: words such as the end of a turn, and cards."""
    return page.locator(WORDS)


def wait_for_choice(page: Page) -> None:
    """Until something can be chosen, the device is to be passed on, or the match is over."""
    end = "a:has-text('Play again')"
    page.locator(f"{FREE}, {WORDS}, .hand-over, {end}").first.wait_for(state="attached")
