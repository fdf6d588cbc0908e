"""How the page sounds, feels and looks: sounds, vibration, the colours of boards."""

from __future__ import annotations

from playwright.sync_api import Browser, BrowserContext, Page, expect
from tests.web.fixtures import new_person
from tests.web.staging import BOARDS, FOLDERS, SIMPLE, Stage, Staged, give_seats

SETTINGS = "watermeet.settings"
LISTENING = """
window.felt = [];
const start = OscillatorNode.prototype.start;
OscillatorNode.prototype.start = function (...when) {
  window.felt.push('tone');
  return start.apply(this, when);
};
navigator.vibrate = (pulses) => window.felt.push(`pulses ${pulses.length}`);
"""
NAMES = """() => {
  const style = getComputedStyle(document.querySelector('.board'));
  return [1, 2].map((seat) => style.getPropertyValue(`--board-stone-${seat}`));
}"""


def follow(context: BrowserContext, address: str, stage: Stage, staged: Staged) -> Page:
    """The match as the seat to move sees it."""
    give_seats(context, staged, stage.mover(staged))
    page = context.new_page()
    page.goto(address + staged.path)
    expect(page.locator(".board [data-cell]").first).to_be_visible()
    return page


def felt(page: Page) -> list[str]:
    """What was heard and felt since the last time, each once."""
    page.wait_for_timeout(300)
    found = page.evaluate("window.felt.splice(0)")
    assert isinstance(found, list)
    return sorted(set(found))


def test_a_turn_sounds_and_a_move_is_felt_on_a_phone(
    browser: Browser, address: str, stage: Stage
) -> None:
    context = new_person(browser, has_touch=True, is_mobile=True)
    context.add_init_script(LISTENING)
    staged = stage.start(SIMPLE)
    page = follow(context, address, stage, staged)
    page.locator("h1").first.dispatch_event("pointerdown")
    felt(page)
    page.locator(".board [data-cell]:not([aria-disabled=true])").first.click(force=True)
    expect(page.locator(".status strong, .headline").first).not_to_contain_text("Your turn")
    assert "pulses 1" in felt(page)
    stage.play(staged)
    expect(page.locator(".status strong, .headline").first).to_contain_text("Your turn")
    assert {"tone", "pulses 3"} <= set(felt(page))
    page.get_by_role("button", name="Settings").click()
    page.get_by_label("Sounds").uncheck()
    page.get_by_label("Vibration").uncheck()
    page.get_by_role("button", name="Close").click()
    felt(page)
    page.locator(".board [data-cell]:not([aria-disabled=true])").first.click(force=True)
    stage.play(staged)
    expect(page.locator(".status strong, .headline").first).to_contain_text("Your turn")
    assert felt(page) == []
    context.close()


def test_board_themes_colour_every_board_and_are_kept(
    context: BrowserContext, address: str, stage: Stage
) -> None:
    page = follow(context, address, stage, stage.start(SIMPLE))
    classic = page.evaluate(NAMES)
    page.get_by_role("button", name="Settings").click()
    themes = page.get_by_role("group", name="Board colours")
    expect(themes.get_by_role("radio", name="Classic")).to_be_checked()
    themes.get_by_role("radio", name="Colour-blind safe").check(force=True)
    page.get_by_label("Speed of bots").select_option("Fast")
    page.reload()
    expect(page.locator(".board [data-cell]").first).to_be_visible()
    assert page.locator("html").get_attribute("data-board-theme") == "safe"
    assert page.evaluate(f"JSON.parse(localStorage.getItem('{SETTINGS}')).pace") == 250
    assert all(new != old for new, old in zip(page.evaluate(NAMES), classic, strict=True))
    assert not hard_coded()


def hard_coded() -> list[str]:
    """Our boards that don't use the colours of the themes at all."""

    def uses(game: str) -> bool:
        sources = (FOLDERS[0] / game / "web").glob("*.svelte")
        return any("var(--board-" in one.read_text(encoding="utf-8") for one in sources)

    return [game for game in BOARDS if (FOLDERS[0] / game).is_dir() and not uses(game)]
