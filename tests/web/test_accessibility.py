"""Every page is accessible: axe finds nothing, nothing scrolls sideways, targets are large.

Each page is looked at once, on a phone; other tests do so with pages that take a story to reach. At
night, other sizes and the other themes of page and boards.
"""

from __future__ import annotations

from collections.abc import Callable

import pytest
from playwright.sync_api import BrowserContext, expect
from tests.web.pages import axe, begin, open_match
from tests.web.staging import BOARDS, SIMPLE, Stage, two_by_day

pytestmark = pytest.mark.slow
PAGES = (
    "/",
    "/lobby",
    "/settings",
    "/status",
    "/leaderboard",
    "/user/Nobody",
    "/analysis",
    f"/play/{SIMPLE}",
    "/nothing/here",
    "/match/nothing",
)
SIZES = {"phone": (360, 740), "tablet": (820, 1180), "desktop": (1366, 860)}
LOOKS = [
    pytest.param("phone", "light", "classic"),
    *(
        pytest.param(size, theme, board, marks=pytest.mark.nightly)
        for size, theme, board in (
            ("tablet", "light", "classic"),
            ("desktop", "dark", "classic"),
            ("phone", "light", "contrast"),
            ("phone", "dark", "contrast"),
            ("phone", "light", "safe"),
            ("phone", "dark", "safe"),
        )
    ),
]
DRESS = """([theme, board]) => {
  document.documentElement.dataset.theme = theme;
  document.documentElement.dataset.boardTheme = board;
}"""


@pytest.mark.parametrize(("size", "theme", "board"), LOOKS)
def test_every_page_is_accessible(
    person: Callable[..., BrowserContext],
    address: str,
    stage: Stage,
    size: str,
    theme: str,
    board: str,
) -> None:
    width, height = SIZES[size]
    context = person(viewport={"width": width, "height": height}, has_touch=size != "desktop")
    page = context.new_page()
    wrong = {}
    for path in (*PAGES, stage.over(SIMPLE).path):
        page.goto(address + path)
        page.locator("h1").first.wait_for(state="attached")
        page.wait_for_load_state("networkidle")
        page.evaluate(DRESS, [theme, board])
        wrong[path] = axe(page, with_targets=True)
    assert not any(wrong.values()), wrong


@pytest.mark.parametrize("game", two_by_day(BOARDS))
def test_a_match_with_its_dialogs_is_accessible(
    phone: BrowserContext, address: str, stage: Stage, game: str
) -> None:
    """Well under way, with a refusal, the settings, and a question."""
    staged = stage.middle(game)
    page = open_match(phone, address, staged, stage.mover(staged))
    begin(page)
    assert axe(page, with_targets=True) == []
    page.get_by_role("button", name="Settings").click()
    page.get_by_role("dialog").wait_for()
    assert axe(page) == []  # What is scrolled half out of sight would be a small target.
    page.get_by_role("button", name="Close").click()
    illegal = page.locator(".board [data-cell][aria-disabled=true]")
    if illegal.count():
        illegal.first.click(force=True)
        expect(page.locator(".bubble")).to_be_visible()
    page.get_by_role("button", name="Resign").click()
    page.get_by_role("dialog").wait_for()
    assert axe(page, with_targets=True) == []
