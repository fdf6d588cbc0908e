"""Every page is accessible: axe finds nothing, nothing scrolls sideways, targets are large.

Each page is loaded once per size and then, on a phone, looked at in all themes: what a theme can
change is its contrast. A tablet shows what a phone or a desktop shows, in another place.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import pytest
from playwright.sync_api import Browser, Page
from tests.web.fixtures import new_person
from tests.web.pages import axe_script, promised, start_match, type_move
from tests.web.staging import GAMES, SECRETIVE, SIMPLE, Stage, Staged, give_seats

pytestmark = pytest.mark.slow
SIZES = {"phone": (360, 740), "tablet": (820, 1180), "desktop": (1366, 860)}
PAGES = (
    "/",
    "/lobby",
    "/settings",
    "/status",
    "/leaderboard",
    "/user/Nobody",
    "/analysis",
    f"/play/{SIMPLE}",
    f"/rules/{SIMPLE}",
    "/nothing/here",
    "/match/nothing",
)
# Beyond the default rules: targets of 24 by 24 pixels, as WCAG 2.2 asks.
RUN = "axe.run({ rules: { 'target-size': { enabled: true } }, resultTypes: ['violations'] })"
PLACES = """axe.run({
  runOnly: ['target-size', 'scrollable-region-focusable'], resultTypes: ['violations'],
})"""
CONTRAST = """axe.run({
  runOnly: ['color-contrast'], resultTypes: ['violations'], selectors: false, preload: false,
})"""
LOOKS = [(theme, board) for board in ("classic", "contrast", "safe") for theme in ("light", "dark")]
"""The theme of the page, and that of the boards."""
WITH_BOARD = ("/analysis", f"/rules/{SIMPLE}")
DRESS = """([theme, board]) => {
  document.documentElement.dataset.theme = theme;
  document.documentElement.dataset.boardTheme = board;
}"""


@pytest.fixture(scope="module")
def matches(stage: Stage) -> dict[str, Staged]:
    """A running match of each game, a finished one, and one with hardly any time left."""
    hurried = stage.start(
        SIMPLE, time_control={"type": "real_time", "initial_ms": 10_000, "increment_ms": 0}
    )
    middles = {game: stage.middle(game) for game in GAMES}
    return middles | {"over": stage.over(SIMPLE), "hurried": hurried}


@pytest.mark.parametrize(
    "size",
    ["phone", *(pytest.param(size, marks=pytest.mark.soak) for size in ("tablet", "desktop"))],
)
def test_every_page_is_accessible(
    browser: Browser, address: str, stage: Stage, matches: dict[str, Staged], size: str
) -> None:
    width, height = SIZES[size]
    context = new_person(
        browser,
        viewport={"width": width, "height": height},
        has_touch=size != "desktop",
    )
    context.add_init_script(axe_script())
    for staged in matches.values():
        if staged.seats:
            give_seats(context, staged, stage.mover(staged))
    page = context.new_page()
    wrong: list[str] = []
    for path in (*PAGES, *(staged.path for staged in matches.values())):
        page.goto(address + path)
        page.locator("h1").first.wait_for(state="attached")
        page.wait_for_load_state("networkidle") if path in PAGES else page.locator(
            ".board svg, .board img, .board .words"
        ).first.wait_for()
        has_board = path in WITH_BOARD or path not in PAGES
        looks = LOOKS if has_board else LOOKS[:2]
        if size != "phone":  # Colours are the same at any size.
            looks = LOOKS[:1]
        rules = PLACES if size == "tablet" else RUN
        wrong += [f"{path}: {fault}" for fault in faults(page, width, looks, rules)]
    context.close()
    assert wrong == []


def test_dialogs_are_accessible(browser: Browser, address: str, stage: Stage) -> None:
    """Settings, an invitation, handing over the device, a question, a refusal."""
    context = new_person(browser)
    context.add_init_script(axe_script())
    page = context.new_page()
    wrong: list[str] = []

    def look(what: str) -> None:
        wrong.extend(f"{what}: {fault}" for fault in faults(page, 1280))

    answer = {"addresses": ["http://192.168.1.20:8765/"]}  # A code is for other devices.
    page.route("**/api/addresses", lambda route: route.fulfill(json=answer))
    start_match(page, address, SIMPLE, "friend")
    page.get_by_role("img", name="QR code").wait_for()
    look("invitation")
    page.get_by_role("button", name="Settings").click()
    page.get_by_role("dialog").wait_for()
    look("settings")
    hidden = stage.start(SECRETIVE)
    give_seats(context, hidden, 0, 1)
    page.goto(address + hidden.path)
    page.locator(".hand-over, .status strong").first.wait_for()
    look("hot seat")
    staged = stage.start(SIMPLE)
    give_seats(context, staged, stage.mover(staged))
    page.goto(address + staged.path)
    page.locator(".board svg").first.wait_for()
    type_move(page, "z99")
    page.get_by_role("alert").wait_for()
    page.get_by_role("button", name="Resign").click()
    page.get_by_role("dialog").wait_for()
    look("question and refusal")
    context.close()
    assert wrong == []


def faults(
    page: Page, width: int, looks: Sequence[tuple[str, str]] = LOOKS, rules: str = RUN
) -> Iterator[str]:
    """The accessibility faults of a page, in every theme."""
    for look in looks:
        page.evaluate(DRESS, list(look))
        for found in promised(
            page, f"{rules if look == LOOKS[0] else CONTRAST}.then((all) => all.violations)"
        ):
            nodes = [node["html"][:140] for node in found["nodes"][:3]]
            yield f"{found['id']} ({len(found['nodes'])}), {' '.join(look)}: {nodes}"
    wide = page.evaluate("document.documentElement.scrollWidth")
    if wide > width:
        yield f"{wide} pixels wide"
