"""Every page for everyone: axe finds nothing, nothing scrolls sideways, targets are large."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from playwright.sync_api import Browser, Page
from tests.web.conftest import ROOT, new_person
from tests.web.pages import lay_table, promised
from tests.web.staging import GAMES, Stage, Staged, give_seats

pytestmark = pytest.mark.slow
AXE = (ROOT / "node_modules" / "axe-core" / "axe.min.js").read_text(encoding="utf-8")
SIZES = {"phone": (360, 740), "tablet": (820, 1180), "desktop": (1366, 860)}
FIRST = GAMES[0]
PAGES = ("/", "/lobby", "/settings", f"/play/{FIRST}", f"/rules/{FIRST}", "/match/nothing")
# Beside what axe looks at by itself: targets of 24 by 24 pixels, which WCAG 2.2 asks for.
RUN = "axe.run({ rules: { 'target-size': { enabled: true } } }).then((told) => told.violations)"


@pytest.fixture(scope="module")
def matches(stage: Stage, middles: dict[str, Staged]) -> dict[str, Staged]:
    """A match of each game under way, one that is over, and one with hardly any time left."""
    hurried = stage.lay(FIRST, timing={"kind": "live", "bank_ms": 10_000, "increment_ms": 0})
    return middles | {"over": stage.over(FIRST), "hurried": hurried}


@pytest.mark.parametrize("theme", ["light", "dark"])
@pytest.mark.parametrize("size", SIZES)
def test_every_page_is_for_everyone(
    browser: Browser, address: str, stage: Stage, matches: dict[str, Staged], size: str, theme: str
) -> None:
    width, height = SIZES[size]
    context = new_person(
        browser,
        color_scheme=theme,
        viewport={"width": width, "height": height},
        has_touch=size != "desktop",
    )
    context.add_init_script(AXE)
    for staged in matches.values():
        if staged.seats:
            give_seats(context, staged, stage.mover(staged))
    page = context.new_page()
    wrong: list[str] = []
    for path in (*PAGES, *(staged.path for staged in matches.values())):
        page.goto(address + path)
        page.locator("h1").first.wait_for(state="attached")
        page.wait_for_load_state("networkidle") if path in PAGES else page.locator(
            ".board svg, .board img"
        ).first.wait_for()
        wrong += [f"{path}: {fault}" for fault in faults(page, width)]
    context.close()
    assert wrong == []


@pytest.mark.parametrize("theme", ["light", "dark"])
def test_what_appears_on_pages_is_for_everyone(
    browser: Browser, address: str, stage: Stage, theme: str
) -> None:
    """Settings, an invitation with its code, a curtain, a question, a refusal."""
    context = new_person(browser, color_scheme=theme)
    context.add_init_script(AXE)
    page = context.new_page()
    wrong: list[str] = []

    def look(what: str) -> None:
        wrong.extend(f"{what}: {fault}" for fault in faults(page, 1280))

    lay_table(page, address, "flume", "friend")
    page.get_by_role("img", name="QR code").wait_for()
    look("invitation")
    page.get_by_role("button", name="Settings").click()
    page.get_by_role("dialog").wait_for()
    look("settings")
    hidden = stage.lay("qwirkle")
    give_seats(context, hidden, 0, 1)
    page.goto(address + hidden.path)
    page.locator(".hand-over, .status strong").first.wait_for()
    look("one screen")
    staged = stage.lay("flume")
    give_seats(context, staged, stage.mover(staged))
    page.goto(address + staged.path)
    page.get_by_label("Type a move").fill("z99")
    page.keyboard.press("Enter")
    page.get_by_role("alert").wait_for()
    page.get_by_role("button", name="Resign").click()
    page.get_by_role("alertdialog").wait_for()
    look("question and refusal")
    context.close()
    assert wrong == []


def faults(page: Page, width: int) -> Iterator[str]:
    """What is wrong with a page as it is shown."""
    for found in promised(page, RUN):
        nodes = [node["html"][:140] for node in found["nodes"][:3]]
        yield f"{found['id']} ({len(found['nodes'])}): {nodes}"
    wide = page.evaluate("document.documentElement.scrollWidth")
    if wide > width:
        yield f"{wide} pixels wide"
