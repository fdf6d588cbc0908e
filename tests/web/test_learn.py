"""The page to learn a game from: its pictures show, and the full rules are one click further."""

from __future__ import annotations

import re

import pytest
from playwright.sync_api import Browser, Page, expect
from tests.web.fixtures import new_person
from tests.web.pages import axe_script

from watermeet.testing.folders import built_in_games

pytestmark = pytest.mark.slow
ARE_SHOWN = """async () => {
    for (const image of document.images) image.loading = 'eager'
    await Promise.all([...document.images].map((image) => image.decode()))
    return document.querySelectorAll('article figure img').length
}"""


def faults(page: Page) -> list[str]:
    """What axe finds, and whether anything scrolls sideways."""
    found = page.evaluate("axe.run().then((result) => result.violations.map((each) => each.id))")
    wide = page.evaluate("document.documentElement.scrollWidth > innerWidth")
    return [*found, *(["scrolls sideways"] if wide else [])]


@pytest.mark.parametrize("game", built_in_games())
def test_people_learn_a_game_before_they_meet_its_paragraphs(
    browser: Browser, address: str, game: str
) -> None:
    context = new_person(
        browser, color_scheme="dark", viewport={"width": 360, "height": 740}, has_touch=True
    )
    context.add_init_script(axe_script())
    page = context.new_page()
    page.goto(f"{address}/rules/{game}")
    expect(page.get_by_role("heading", level=1)).to_contain_text("How to play")
    assert page.locator("article h3").count() >= 5
    assert page.evaluate(ARE_SHOWN) >= 8
    expect(page.locator("article")).not_to_contain_text("R1.1")
    assert faults(page) == []

    page.get_by_role("link", name="Full rules").first.click()
    article = page.locator("article").first
    expect(article).to_contain_text("R1.1")
    notes = page.locator("article.notes")
    expect(notes).to_be_hidden()
    for mark in ("(text)", "(choice", "(sheet)", "(programs)", "(manual)", "(page)"):
        expect(article).not_to_contain_text(mark)
    page.get_by_text("Where these rules come from").click()
    expect(notes).to_be_visible()
    assert faults(page) == []
    context.close()


def test_pictures_have_the_colours_of_the_theme(browser: Browser, address: str) -> None:
    """Those of the home page and of the page to learn from; at once if somebody changes it."""
    context = new_person(browser, color_scheme="light")
    page = context.new_page()
    pictures = (("/", ".games img"), (f"/rules/{built_in_games()[0]}", "article figure img"))
    for path, where in pictures:
        page.goto(address + path)
        expect(page.locator(where).first).to_have_attribute("src", re.compile("^data:image/svg"))
        light = page.locator(where).first.get_attribute("src") or ""
        page.emulate_media(color_scheme="dark")
        expect(page.locator(where).first).not_to_have_attribute("src", light)
        page.emulate_media(color_scheme="light")
        page.get_by_role("button", name="Settings").click()
        page.locator("dialog label:has([value=contrast])").click()
        expect(page.locator(where).first).not_to_have_attribute("src", light)
        page.locator("dialog label:has([value=classic])").click()
        expect(page.locator(where).first).to_have_attribute("src", light)
    context.close()
