"""The match page around the board: getting into a match, playing it, and what can go wrong."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from playwright.sync_api import Browser, BrowserContext, Page, expect
from tests.web.cable import Cable, cable
from tests.web.fixtures import new_person
from tests.web.pages import free_cells, move_count, promised, start_match, wait_for_moves
from tests.web.staging import BOARDS, SECRETIVE, Stage, Staged, give_seats
from tests.web.staging import SIMPLE as GAME

import watermeet as wm

pytestmark = pytest.mark.slow
NAME = wm.game(GAME).title
TITLE = f"{NAME} \N{EN DASH} Watermeet"
INVITED = [{"who": "open"}, {"who": "invited"}]


def expect_alert(page: Page, words: str) -> None:
    """A notice with these words is shown."""
    expect(page.get_by_role("alert").filter(has_text=words)).to_be_visible()


# ---- getting into a match -----------------------------------------------------------------------


def test_the_first_move_is_two_clicks_away(context: BrowserContext, address: str) -> None:
    """Without an account; bench/page.py measures how long it takes."""
    page = context.new_page()
    page.goto(address)
    page.get_by_role("button", name=re.compile(f"Play now.*{NAME}")).click()
    free_cells(page).first.click()
    wait_for_moves(page, 0)


def test_an_invitation_is_a_link_and_a_code(context: BrowserContext, address: str) -> None:
    page = context.new_page()
    answer = {"addresses": ["http://192.168.1.20:8765/"]}
    page.route("**/api/addresses", lambda route: route.fulfill(json=answer))
    start_match(page, address, GAME, "friend")
    link = page.locator("input[readonly]")
    expect(link).to_have_value(re.compile(r"^http://192\.168\.1\.20:8765/match/.+#seat="))
    code = page.get_by_role("img", name="QR code of the link")
    expect(code).to_be_visible()
    assert len(code.locator("path").get_attribute("d") or "") > 1000


def test_the_lobby_lists_open_and_running_matches(
    context: BrowserContext, address: str, stage: Stage
) -> None:
    played = stage.start(GAME, is_public=True)
    setup = {"seats": [{"who": "open"}, {"who": "open"}], "is_public": True}
    waiting = stage.create(GAME, **setup)
    page = context.new_page()
    page.goto(f"{address}/lobby")
    expect(page.locator(f"a[href='{played.path}']")).to_have_text("Watch")
    expect(page.locator(f"a[href='{waiting.path}']")).to_have_text("Join")
    page.locator(f"a[href='{waiting.path}']").click()
    page.get_by_text("Red", exact=True).last.click()
    page.get_by_role("button", name="Join").click()
    expect(page.get_by_text("Waiting for 1 more player")).to_be_visible()
    page.get_by_role("link", name="Lobby").click()
    expect(page.locator(f"a[href='{waiting.path}']").first).to_have_text("Continue")


def test_settings_are_kept(context: BrowserContext, address: str) -> None:
    page = context.new_page()
    page.goto(f"{address}/settings")
    page.get_by_label("Theme").select_option("dark")
    page.get_by_label("Your name").fill("Nora")
    page.get_by_label("Language").select_option("de")
    expect(page.get_by_role("heading", name="Einstellungen")).to_be_visible()
    page.reload()
    expect(page.get_by_role("heading", name="Einstellungen")).to_be_visible()
    expect(page.get_by_label("Dein Name")).to_have_value("Nora")
    assert page.locator("html").get_attribute("data-theme") == "dark"


def test_the_status_page_says_how_the_server_is(context: BrowserContext, address: str) -> None:
    page = context.new_page()

    def answer(**changes: object) -> None:
        """Answer for the server, whose bots other tests keep waiting."""
        page.route(
            "**/api/status", lambda route: route.fulfill(json=route.fetch().json() | changes)
        )

    answer(moves="ok", bots="ok", bot_wait_ms=0)
    page.goto(f"{address}/status")
    expect(page.get_by_text("Everything works.")).to_be_visible()
    answer(moves="down", bots=None, bot_wait_ms=None)
    page.reload()
    expect(page.get_by_text("be saved right now.")).to_be_visible()
    page.route("**/api/status", lambda route: route.abort())
    page.reload()
    expect(page.get_by_text("reach the server.")).to_be_visible()


# ---- on one screen ------------------------------------------------------------------------------


def test_the_device_is_handed_over_only_with_hidden_information(
    browser: Browser, address: str, stage: Stage
) -> None:
    for game in BOARDS:
        context = new_person(browser)
        staged = stage.middle(game)
        mover = stage.mover(staged)
        give_seats(context, staged, *staged.seats)
        page = context.new_page()
        page.goto(address + staged.path)
        if wm.game(game).has_secrets and mover != 0:
            expect(page.get_by_role("alertdialog")).to_contain_text("Pass the device to")
        else:
            expect(page.locator(".status strong")).to_contain_text("turn")
            expect(page.locator(".hand-over")).to_have_count(0)
        context.close()


# ---- after the match ----------------------------------------------------------------------------


@pytest.fixture
def replayed(context: BrowserContext, address: str, stage: Stage) -> tuple[Page, Staged]:
    over = stage.over(GAME)
    page = context.new_page()
    page.goto(f"{address}{over.path}?ply=3")
    return page, over


def expect_ply(page: Page, ply: int) -> None:
    """The position after this many actions is on the page."""
    expect(page.locator(".status strong")).to_contain_text(f"Move {ply} of")


def test_a_position_has_a_link(replayed: tuple[Page, Staged], context: BrowserContext) -> None:
    page, over = replayed
    expect_ply(page, 3)
    context.grant_permissions(["clipboard-read", "clipboard-write"])
    page.get_by_role("button", name="Next").click()
    expect_ply(page, 4)
    page.get_by_role("button", name="Link to this position").click()
    expect(page.get_by_role("button", name="Copied")).to_be_visible()
    assert promised(page, "navigator.clipboard.readText()").endswith(f"{over.path}?ply=4")


def test_a_replay_has_keys_slider_and_autoplay(replayed: tuple[Page, Staged]) -> None:
    page, _ = replayed
    expect_ply(page, 3)
    drawn = page.locator(".board svg").first.inner_html()
    page.keyboard.press("ArrowLeft")
    expect_ply(page, 2)
    page.keyboard.press("ArrowRight")
    expect_ply(page, 3)
    page.locator(".replay input").fill("10")
    expect_ply(page, 10)
    assert page.locator(".board svg").first.inner_html() != drawn
    page.get_by_role("button", name="Autoplay").click()
    expect_ply(page, 12)
    page.get_by_role("button", name="Autoplay").click()
    page.get_by_role("button", name="Last").click()
    expect(page.locator(".status strong")).to_contain_text("wins")


def test_records_and_pictures_can_be_downloaded(
    replayed: tuple[Page, Staged], tmp_path: Path
) -> None:
    page, over = replayed
    expect_ply(page, 3)

    def download(button: str) -> bytes:
        with page.expect_download() as found:
            page.get_by_role("button", name=button).click()
        assert over.match in found.value.suggested_filename
        found.value.save_as(tmp_path / "taken")
        return (tmp_path / "taken").read_bytes()

    record = wm.Record.parse(download("Game record (text)").decode())
    assert record.game.name == GAME
    assert download("Image (SVG)").startswith(b"<svg")
    png = download("Image (PNG)")
    assert png.startswith(b"\x89PNG")
    width, height = int.from_bytes(png[16:20]), int.from_bytes(png[20:24])
    assert max(width, height) == 1600
    assert len(png) > 20_000, "a board is on it, not one colour"


def test_chance_is_hidden_in_the_move_list(
    context: BrowserContext, address: str, stage: Stage
) -> None:
    page = context.new_page()
    page.goto(address + stage.over(SECRETIVE).path)
    names = page.locator(".list .name")
    expect(names.first).to_be_visible()
    assert "Chance" not in names.all_inner_texts()
    page.get_by_label(re.compile("Show rolls and draws")).check()
    assert "Chance" in names.all_inner_texts()


# ---- broken connections -------------------------------------------------------------------------


def seated(browser: Browser, proxy: Cable, staged: Staged, seat: int) -> Page:
    """A person on a seat of a match."""
    context = new_person(browser)
    give_seats(context, staged, seat)
    page = context.new_page()
    page.goto(proxy.address + staged.path)
    page.locator(".board svg").first.wait_for()
    return page


def test_a_match_continues_after_the_connection_was_cut(
    browser: Browser, address: str, stage: Stage
) -> None:
    """Moves made meanwhile arrive, and a pending command is done once."""
    staged = stage.start(GAME)
    with cable(address) as near, cable(address) as far:
        first, second = (seated(browser, proxy, staged, n) for n, proxy in enumerate((near, far)))
        far.cut()
        expect(second.locator(".connection.reconnecting")).to_be_visible()
        free_cells(first).nth(12).click(force=True)
        wait_for_moves(first, 0)
        assert move_count(second) == 0
        far.mend()
        wait_for_moves(second, 0)
        expect(second.locator(".connection.open")).to_be_attached()
        far.cut()
        free_cells(second).nth(3).click(force=True)
        expect(second.locator(".connection.reconnecting")).to_be_visible()
        far.mend()
        wait_for_moves(first, 1)
        wait_for_moves(second, 1)
        assert move_count(first) == move_count(second) == 2
        for page in (first, second):
            page.context.close()


def test_a_board_that_failed_to_load_is_requested_again(
    context: BrowserContext, address: str, stage: Stage
) -> None:
    """The connection may break while a page loads: the board appears once it is back."""
    staged, other = stage.start(GAME), stage.start(next(name for name in BOARDS if name != GAME))
    files = [set(scripts_of(context, address + each.path)) for each in (staged, other)]
    assert files[0] - files[1]
    page = context.new_page()
    for url in files[0] - files[1]:
        page.route(url, lambda route: route.abort())
    page.goto(address + staged.path)
    page.locator(".status strong").wait_for()
    page.wait_for_timeout(500)
    expect(page.locator(".board svg")).to_have_count(0)
    page.unroute_all()
    expect(page.locator(".board svg").first).to_be_visible()


def scripts_of(context: BrowserContext, url: str) -> list[str]:
    """The scripts that a page loads."""
    page = context.new_page()
    found: list[str] = []
    page.on("request", lambda request: found.append(request.url))
    page.goto(url)
    page.locator(".board svg").first.wait_for()
    page.close()
    return [each for each in found if each.endswith(".js")]


def test_the_page_loads_without_a_server(browser: Browser, address: str) -> None:
    """The service worker caches the page, which says what is wrong, but nothing of the API."""
    context = new_person(browser, service_workers="allow")
    with cable(address) as proxy:
        page = context.new_page()
        page.goto(proxy.address)
        promised(page, "navigator.serviceWorker.ready.then(() => undefined)")
        page.reload()  # From here on the service worker has the page.
        proxy.cut()
        page.goto(f"{proxy.address}/lobby")
        expect_alert(page, "reach the server")
        kept: list[str] = promised(
            page,
            "caches.keys().then((names) => Promise.all(names.map((name) => caches.open(name)"
            ".then((cache) => cache.keys())))).then((all) => all.flat().map((one) => one.url))",
        )
        assert kept
        assert not [url for url in kept if "/api/" in url]
        proxy.mend()
        page.get_by_role("button", name="Try again").click()
        expect(page.get_by_role("alert")).to_have_count(0)
    context.close()


def test_a_match_says_that_the_server_is_unreachable(
    browser: Browser, address: str, stage: Stage
) -> None:
    context = new_person(browser)
    staged = stage.start(GAME)
    with cable(address) as proxy:
        page = context.new_page()
        page.goto(proxy.address)
        proxy.cut()
        page.evaluate(
            f"history.pushState(null, '', '{staged.path}'); dispatchEvent(new Event('popstate'))"
        )
        expect_alert(page, "reach the server")
        proxy.mend()
        page.reload()
        expect(page.locator(".status strong")).to_contain_text("turn")
    context.close()


# ---- what does not exist, or has ended ----------------------------------------------------------


def test_links_without_a_free_seat(browser: Browser, address: str, stage: Stage) -> None:
    full = stage.start(GAME, seats=INVITED)
    for path, words in (
        (full.path, "The remaining seats are reserved for invited players."),
        (f"{full.path}#seat=0&invitation=used", "the seat is taken"),
        ("/match/nothing", "Game not found"),
    ):
        context = new_person(browser)
        page = context.new_page()
        page.goto(address + path)
        expect(page.get_by_text(words)).to_be_visible()
        context.close()
    context = new_person(browser)
    page = context.new_page()
    page.goto(f"{address}{full.path}#seat=1&invitation=wrong")
    page.get_by_role("button", name="Join").click()
    expect_alert(page, "This seat is reserved.")
    context.close()


def test_an_aborted_match(context: BrowserContext, address: str, stage: Stage) -> None:
    staged = stage.start(GAME)
    stage.play(staged)
    for what in ("pause", "abort"):
        stage.do(staged, 0, {"type": "offer", "what": what})
        stage.do(staged, 1, {"type": "respond", "what": what, "accept": True})
    page = context.new_page()
    page.goto(address + staged.path)
    expect(page.locator(".status strong")).to_have_text("Aborted")
    expect(page.get_by_text("has no result")).to_be_visible()
    expect(page.get_by_role("link", name="New game")).to_be_visible()


def test_an_absent_player_can_be_claimed(
    context: BrowserContext, address: str, stage: Stage
) -> None:
    staged = stage.start(GAME)
    give_seats(context, staged, 1 - stage.mover(staged))
    page = context.new_page()
    page.clock.install()
    page.goto(address + staged.path)
    expect(page.locator(".status strong")).to_contain_text("turn")
    assert page.get_by_role("button", name="seems to be away").count() == 0
    page.clock.run_for(31_000)
    page.get_by_role("button", name="seems to be away").click()
    page.get_by_role("button", name="Let a bot take over").click()
    expect_alert(page, "been away long enough")


# ---- whose turn it is ---------------------------------------------------------------------------

RECORD_NOTIFICATIONS = """
Object.defineProperty(document, 'hidden', { get: () => true });
window.heard = [];
window.Notification = class {
  static permission = 'granted';
  constructor(title, options) { window.heard.push(`${title}: ${options.body}`); }
};
window.AudioContext = class { constructor() { window.heard.push('sound'); throw new Error(); } };
"""


@pytest.mark.parametrize("is_enabled", [True, False])
def test_notifications_on_your_turn(
    context: BrowserContext, address: str, stage: Stage, is_enabled: bool
) -> None:
    wanted = str(is_enabled).lower()
    kept = f'{{"title":{wanted},"sound":{wanted},"notify":{wanted}}}'
    staged = stage.start(GAME)
    first = stage.mover(staged)
    give_seats(context, staged, 1 - first)
    context.add_init_script(
        RECORD_NOTIFICATIONS + f"localStorage.setItem('watermeet.settings', '{kept}');"
    )
    page = context.new_page()
    page.goto(address + staged.path)
    expect(page.locator(".status strong")).to_contain_text("s turn")
    assert page.title() == TITLE
    stage.play(staged)
    expect(page.locator(".status strong")).to_contain_text("Your turn")
    heard = page.evaluate("window.heard")
    if is_enabled:
        assert page.title() == f"● {TITLE}"
        assert sorted(word.partition(":")[0] for word in heard) == ["Your turn", "sound"]
    else:
        assert (page.title(), heard) == (TITLE, [])
