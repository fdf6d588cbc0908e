"""Flows in a real browser: what only this board does."""

from __future__ import annotations

import pytest
from playwright.sync_api import BrowserContext
from tests.web.pages import FREE, begin, drag, has_moved, move_count, start_match

pytestmark = pytest.mark.slow


def test_a_tile_can_be_dragged(context: BrowserContext, address: str) -> None:
    page = context.new_page()
    start_match(page, address, "flows", "hotseat", {"radius": "2"})
    begin(page)
    before = move_count(page)
    drag(page, ".held svg", FREE)
    assert has_moved(page, before)
