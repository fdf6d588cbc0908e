"""Hints on the page: a button, a move on the board, and a sentence; for one person alone."""

from __future__ import annotations

import re
from collections.abc import Iterator

import pytest
from playwright.sync_api import BrowserContext, expect
from tests.server.nodes import PlainNode
from tests.web.staging import SIMPLE, Stage, give_seats

pytestmark = pytest.mark.slow
BOT = {"who": "bot", "level": "random"}


@pytest.fixture(scope="module")
def thinking() -> Iterator[str]:
    """The address of a server whose bots think."""
    node = PlainNode(bot_workers="1")
    try:
        node.start()
        yield f"http://{node.address}"
    finally:
        node.remove()


def test_a_hint_shows_a_move_says_why_and_is_counted(
    thinking: str, context: BrowserContext
) -> None:
    stage = Stage(thinking)
    alone, shared = stage.start(SIMPLE, [{"who": "open"}, BOT]), stage.start(SIMPLE)
    give_seats(context, alone, 0)
    give_seats(context, shared, 0, 1)
    page = context.new_page()
    page.goto(thinking + alone.path)
    button, mark = page.locator("button.hint"), page.locator(".board .hint-mark")
    expect(button).to_be_enabled()
    expect(mark).to_have_count(0)
    page.keyboard.press("h")
    expect(page.locator("[data-hint]")).to_contain_text("Place a stone on")
    expect(page.locator(".why")).to_have_text(re.compile(r"\w+ \w+.*\."))
    expect(mark).to_have_count(1)
    expect(page.locator(".seat", has_text="Ana")).to_contain_text("1 hint")
    said = page.locator("[data-hint]").inner_text()
    page.keyboard.press("Escape")
    expect(mark).to_have_count(0)
    button.click()
    expect(page.locator("[data-hint]")).to_have_text(said)  # The same one isn't counted again.
    cell = said.removeprefix("Place a stone on ").rstrip(".")
    page.locator(f".board [data-cell={cell}]").click()
    expect(mark).to_have_count(0)
    expect(button).to_be_enabled()  # The bot has played.
    expect(page.locator(".seat", has_text="Ana")).to_contain_text("1 hint")
    page.goto(thinking + shared.path)
    expect(page.locator(".board [data-cell]").first).to_be_visible()
    expect(button).to_have_count(0)
    stage.close()
