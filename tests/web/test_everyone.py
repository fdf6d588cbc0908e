"""Every page for everyone: axe finds nothing, nothing scrolls sideways, targets are large."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from playwright.sync_api import Browser, Page
from tests.web.conftest import ROOT, new_person
from tests.web.staging import GAMES, Stage, Staged, give_seats

pytestmark = pytest.mark.slow
AXE = (ROOT / "node_modules" / "axe-core" / "axe.min.js").read_text(encoding="utf-8")
SIZES = {"phone": (360, 740), "tablet": (820, 1180), "desktop": (1366, 860)}
FIRST = GAMES[0]
PAGES = ("/", "/tables", "/settings", f"/play/{FIRST}", f"/rules/{FIRST}", "/match/nothing")
# Beside what axe looks at by itself: targets of 24 by 24 pixels, which WCAG 2.2 asks for.
RUN = "axe.run({ rules: { 'target-size': { enabled: true } } }).then((told) => told.violations)"


@pytest.fixture(scope="module")
def matches(stage: Stage, middles: dict[str, Staged]) -> dict[str, Staged]:
    """A match of each game under way, and one that is over."""
    return middles | {"over": stage.over(FIRST)}


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


def faults(page: Page, width: int) -> Iterator[str]:
    """What is wrong with a page as it is shown."""
    for found in page.evaluate(RUN):
        nodes = [node["html"][:140] for node in found["nodes"][:3]]
        yield f"{found['id']} ({len(found['nodes'])}): {nodes}"
    wide = page.evaluate("document.documentElement.scrollWidth")
    if wide > width:
        yield f"{wide} pixels wide"
