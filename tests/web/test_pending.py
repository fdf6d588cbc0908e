"""A move is seen before the server has answered it, in every game and of every kind."""

from __future__ import annotations

from collections.abc import Callable, Iterator

import pytest
from playwright.sync_api import BrowserContext, Page, expect
from tests.web.cable import Cable, cable
from tests.web.pages import begin, free_cells, move_count, wait_for_moves
from tests.web.staging import SIMPLE, Stage, Staged, give_seats

pytestmark = pytest.mark.slow

DELAY_S = 0.6
"""How long anything takes each way."""
SOON_MS = 2 * DELAY_S * 1000
"""Nothing that the server says can be here before that."""
_TAP = """async ([taps, shown]) => {
  const painted = () => new Promise((done) => requestAnimationFrame(() => setTimeout(done)));
  let began = performance.now();
  for (const tap of taps) {
    const found = document.querySelector('.stage ' + tap);
    if (!found) continue; // Not every way to play asks for confirmation.
    began = performance.now();
    found.dispatchEvent(new MouseEvent('click', { bubbles: true }));
    await painted();
  }
  const isGone = shown.startsWith('!');
  const what = '.board ' + (isGone ? shown.slice(1) : shown);
  while (Boolean(document.querySelector(what)) === isGone) {
    if (performance.now() - began > 10_000) throw new Error(`never seen: ${shown}`);
    await painted();
  }
  return performance.now() - began;
}"""
CONFIRM = ".confirm .button.main"
PENDING = ".pending"
FREE = "[data-cell]:not([aria-disabled=true])"


@pytest.fixture
def far(address: str) -> Iterator[Cable]:
    with cable(address) as found:
        yield found


def open_far(context: BrowserContext, far: Cable, staged: Staged, seat: int) -> Page:
    """The page of somebody who is far away; loading it takes no time."""
    give_seats(context, staged, seat)
    page = context.new_page()
    page.goto(far.address + staged.path)
    begin(page)
    page.locator(".board [data-cell]").first.wait_for()
    far.delay_s = DELAY_S
    return page


def tap(page: Page, kind: str, taps: list[str], shown: str = PENDING) -> None:
    """Tap, see at once what that did, and wait for the answer."""
    before = move_count(page)
    took = page.evaluate(_TAP, [taps, shown])
    assert took < SOON_MS, f"{kind}: {took:.0f} ms"
    assert move_count(page) == before  # The server has said nothing yet.
    wait_for_moves(page, before)
    expect(page.locator(".board .pending")).to_have_count(0)


def test_stones_and_a_swap(person: Callable[[], BrowserContext], far: Cable, stage: Stage) -> None:
    swap = stage.start("flume", options={"size": 5})
    stage.play(swap, "b1")
    tap(open_far(person(), far, swap, 1), "swap", [".tray .button.main"], "[data-swap]")
    far.delay_s = 0
    staged = stage.start("flume", options={"size": 5, "pie": False})
    for move in ("b1", "d1"):
        stage.play(staged, move)
    page = open_far(person(), far, staged, 0)
    both = ["[data-cell=a1]", "[data-cell=e1]"]
    tap(page, "two stones", both, "[data-cell=e1].pending")
    wait_for_moves(page, 3)  # Quick as they came, both are played.
    for cell in both:
        expect(page.locator(f".board {cell}.red")).to_be_visible()


def test_a_stone_an_end_and_a_row(
    person: Callable[[], BrowserContext], far: Cable, stage: Stage
) -> None:
    staged = stage.start("flecks", options={"size": 5})
    for _ in range(4):
        stage.play(staged)
    seat = stage.mover(staged)
    page = open_far(person(), far, staged, seat)
    tap(page, "stone", [FREE])
    tap(page, "end", [".tray .button.main:not(:disabled)"], "!.tray .button.main:not(:disabled)")
    while stage.mover(staged) != seat:
        stage.play(staged, "stop" if stage.can(staged, "stop") else None)
    expect(page.locator(f".board {FREE}").first).to_be_visible()
    tap(page, "stone", [FREE])
    expect(page.locator(".board .own").first).to_be_visible()
    tap(page, "row", [".cell.own:not(.chosen)", ".cell:has(.landing)"])


def test_a_tile_that_is_rotated(
    person: Callable[[], BrowserContext], far: Cable, stage: Stage
) -> None:
    staged = stage.start("flows")
    page = open_far(person(), far, staged, stage.mover(staged))
    tap(page, "rotated tile", [".tray .button", f".board {FREE}", CONFIRM])


def test_tiles_trades_and_ends(
    person: Callable[[], BrowserContext], far: Cable, stage: Stage
) -> None:
    staged = stage.start("qwirkle")
    seat = stage.mover(staged)
    page = open_far(person(), far, staged, seat)
    end = ".tray .button.main"
    tap(page, "tile and end", [".held", ".free", end], ".ring:not(.mine)")
    wait_for_moves(page, 2)
    expect(page.locator(".board .held")).to_have_count(6)
    while stage.mover(staged) != seat:
        stage.play(staged, "end" if stage.can(staged, "end") else None)
    trade = ".tray .button[aria-pressed=false]"
    expect(page.locator(f".board {trade}")).to_be_visible()
    tap(page, "trade", [trade, ".held:not([aria-disabled=true])"], ".aside")
    tap(page, "end of a trade", [end], "!.aside")


def test_tiles_and_cards(person: Callable[[], BrowserContext], far: Cable, stage: Stage) -> None:
    staged = stage.start("flow", options={"clock": "turns"})
    page = open_far(person(), far, staged, stage.mover(staged))
    draw = ".tray .button.main"
    tap(page, "draw", [draw], f"!{draw}")
    expect(page.locator(f".board {FREE}").first).to_be_visible()
    tap(page, "tile", [f".board {FREE}", CONFIRM])
    far.delay_s = 0
    staged = stage.middle("flow")
    page = open_far(person(), far, staged, stage.mover(staged))
    tap(page, "card", [".action:not(:disabled)", FREE], "!.action.chosen")


def test_a_move_that_was_never_sent_can_be_cancelled(
    context: BrowserContext, address: str, stage: Stage
) -> None:
    staged = stage.start(SIMPLE)
    with cable(address) as cut:
        give_seats(context, staged, 0)
        page = context.new_page()
        page.goto(cut.address + staged.path)
        begin(page)
        free_cells(page).first.wait_for()
        cut.cut()
        expect(page.locator(".connection.reconnecting")).to_be_visible()
        free_cells(page).first.click(force=True)
        expect(page.locator(".board .pending")).to_have_count(1)
        waiting = page.locator(".bar .question")
        expect(waiting).to_contain_text("back online")
        waiting.get_by_role("button", name="Cancel").click()
        expect(page.locator(".board .pending")).to_have_count(0)
        free_cells(page).nth(3).click(force=True)
        cut.mend()
        wait_for_moves(page, 0)
        expect(waiting).to_have_count(0)
        assert move_count(page) == 1
