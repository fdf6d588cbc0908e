"""The page at the server's address."""

from __future__ import annotations

import re
from html.parser import HTMLParser
from pathlib import Path

import pytest
from tests.server.inside import inside

import watermeet as wm
from watermeet.server.api.start_page import start_page

pytestmark = pytest.mark.anyio


class _Links(HTMLParser):
    def __init__(self) -> None:
        super().__init__()
        self.found: list[str] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.found += [value or "" for name, value in attrs if tag == "a" and name == "href"]


async def test_a_browser_sees_all_games_and_every_link_leads_somewhere(tmp_path: Path) -> None:
    async with inside(tmp_path) as server, server.http() as http:
        page = await http.get("/")
        assert page.status_code == 200
        assert page.headers["content-type"].startswith("text/html")
        links = _Links()
        links.feed(page.text)
        assert "/api/games/flume/rules" in links.found
        for link in links.found:
            assert (await http.get(link)).status_code == 200, link
    for name in wm.games():
        assert wm.game(name).title in page.text


async def test_browsers_run_nothing_on_it_and_keep_its_style(tmp_path: Path) -> None:
    async with inside(tmp_path) as server, server.http() as http:
        page = await http.get("/")
    policy = page.headers["content-security-policy"]
    assert "default-src 'none'" in policy
    assert "unsafe" not in policy
    assert "<script" not in page.text
    assert re.search(r"style-src 'sha256-[\w+/]{43}='", policy)


def test_what_a_stranger_wrote_of_a_game_is_text() -> None:
    import dataclasses

    game = dataclasses.replace(wm.game("flume"), title="<b>Flume</b>", summary="a & b")
    page = start_page([game], "1")
    assert "<b>" not in page
    assert "&lt;b&gt;Flume&lt;/b&gt;" in page
    assert "a &amp; b" in page
