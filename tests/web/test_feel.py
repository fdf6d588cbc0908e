"""How the page sounds, feels, looks and talks: sounds, vibration, colours of boards, phrases."""

from __future__ import annotations

import pytest
from playwright.sync_api import Browser, BrowserContext, Page, expect
from tests.web.fixtures import new_person
from tests.web.staging import BOARDS, FOLDERS, SIMPLE, Stage, Staged, give_seats

import watermeet as wm

pytestmark = pytest.mark.slow

COOPERATIVE = next(name for name in BOARDS if any(len(team) > 1 for team in wm.game(name).teams))
"""A board whose players have partners."""
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
PITCHES = """
window.pitches = [];
const set = AudioParam.prototype.setValueAtTime;
AudioParam.prototype.setValueAtTime = function (value, at) {
  if (value > 100) window.pitches.push(Math.round(value * 100) / 100);
  return set.call(this, value, at);
};
"""
PITCH_OF = {"move": 392, "turn": 520, "capture": 300, "win": 1046.5, "loss": 329.63, "low": 880}
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


def test_every_sound_comes_at_its_moment(
    context: BrowserContext, address: str, stage: Stage
) -> None:
    """Little time left, a move, one's turn and victory: each has a pitch of its own."""
    context.add_init_script(PITCHES)
    clock = {"type": "real_time", "initial_ms": 21_000}
    staged = stage.start(SIMPLE, time_control=clock)
    page = follow(context, address, stage, staged)
    page.locator("h1").first.dispatch_event("pointerdown")
    assert sounds(page, "low") - {"turn"} == {"low"}
    page.locator(".board [data-cell]:not([aria-disabled=true])").first.click(force=True)
    assert sounds(page, "move") == {"move"}
    stage.play(staged)
    assert sounds(page, "turn") == {"move", "turn"}
    other = next(seat for seat in staged.seats if seat != stage.mover(staged))
    stage.do(staged, other, {"type": "resign"})
    assert sounds(page, "win") == {"win"}


def sounds(page: Page, until: str) -> set[str]:
    """The sounds since the last time, up to one and a moment longer."""
    found: set[str] = set()
    for _ in range(300):
        pitches = page.evaluate("window.pitches.splice(0)")
        is_end = until in found
        found |= {name for name, pitch in PITCH_OF.items() if pitch in pitches}
        if is_end:
            break
        page.wait_for_timeout(100)
    return found


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


# ---- talk ---------------------------------------------------------------------------------------


def two_people(
    browser: Browser, address: str, stage: Stage, game: str
) -> tuple[list[BrowserContext], list[Page]]:
    """A match of two people, each with a browser of their own."""
    staged = stage.start(game)
    contexts = [new_person(browser) for _ in staged.seats]
    pages = []
    for seat, context in enumerate(contexts):
        give_seats(context, staged, seat)
        page = context.new_page()
        page.goto(address + staged.path)
        expect(page.locator(".board [data-cell]").first).to_be_visible()
        pages.append(page)
    return contexts, pages


def test_players_talk_in_phrases_and_can_be_muted(
    browser: Browser, address: str, stage: Stage
) -> None:
    contexts, (ana, ben) = two_people(browser, address, stage, SIMPLE)
    opener = ana.get_by_role("button", name="Say something")
    opener.press("Enter")  # By keyboard alone.
    expect(ana.get_by_role("button", name="Smile")).to_be_focused()
    ana.get_by_role("button", name="Good luck!").press("Enter")
    expect(opener).to_be_focused()
    heard = ben.get_by_role("log", name="Table talk")
    expect(heard).to_contain_text("Ana: Good luck!")
    expect(ben.locator(".seat").filter(has_text="Ana").get_by_text("Good luck!")).to_be_visible()
    expect(ana.get_by_role("log", name="Table talk")).to_contain_text("Good luck!")
    ben.get_by_role("button", name="Mute table talk").click()
    opener.click()
    for _ in range(3):
        ana.get_by_role("button", name="Applause").click()
        opener.click()
    ana.get_by_role("button", name="Applause").click()
    expect(ana.get_by_role("status").filter(has_text="Give the others a moment")).to_be_visible()
    expect(heard).to_have_text("Table talk is muted.")
    for context in contexts:
        context.close()


def test_partners_point_by_key_and_it_is_read_aloud(
    browser: Browser, address: str, stage: Stage
) -> None:
    contexts, (ana, ben) = two_people(browser, address, stage, COOPERATIVE)
    cell = ana.locator(".board [data-cell][tabindex='0']").first
    cell.focus()
    ana.keyboard.press("g")
    name = cell.get_attribute("data-cell")
    expect(ben.get_by_role("log", name="Table talk")).to_contain_text(f"Ana points at {name}")
    for context in contexts:
        context.close()
