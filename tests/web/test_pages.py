"""The pages around a match: home, set-up, invitation, lobby, settings, rules, and broken links."""

from __future__ import annotations

import re
from collections.abc import Callable
from pathlib import Path

import pytest
from playwright.sync_api import BrowserContext, expect
from tests.web.cable import cable
from tests.web.fixtures import PHONE, ROOT
from tests.web.pages import HEADLINE, axe, free_cells, promised, wait_for_moves
from tests.web.staging import BOARDS, GAMES, Stage, give_seats, two_by_day
from tests.web.staging import SIMPLE as GAME

import watermeet as wm
from watermeet.core.options import Number
from watermeet.testing.folders import built_in_games

People = Callable[..., BrowserContext]
TITLE = wm.game(GAME).title
MANY = next(name for name in BOARDS if "seats" in wm.game(name).options)
"""A board for more than two."""
TIMED = next(name for name in GAMES if wm.game(name).presets and wm.game(name).people_options)
"""A game with levels of difficulty, which people play in real time."""
OPEN = [{"who": "open"}, {"who": "open"}]
INVITED = [{"who": "open"}, {"who": "invited"}]


def called(context: BrowserContext, name: str) -> BrowserContext:
    """Give somebody a name."""
    context.add_init_script(f"localStorage.setItem('watermeet.name', JSON.stringify('{name}'))")
    return context


def test_the_first_page_is_small() -> None:
    """Less than 100 kB compressed, pictures included; a board less than 40 kB more."""
    static = ROOT / "src" / "watermeet" / "server" / "static"
    if not (static / "index.html").is_file():
        pytest.skip("the client is not built (./test builds it)")
    page = (static / "index.html").read_text(encoding="utf-8")
    named = [static / found for found in re.findall(r"/(assets/[^\"]+)", page)]
    assert named
    pictures = static.glob("assets/picture-*.svg")  # The others belong to pages about games.
    assert sum(compressed_size(file) for file in (*named, *pictures)) < 100_000
    for file in (*static.glob("assets/web-*.js"), *static.glob("assets/Match-*.js")):
        assert compressed_size(file) < 40_000, file.name


def compressed_size(file: Path) -> int:
    if file.suffix in (".br", ".gz"):
        return 0
    small = file.with_name(f"{file.name}.br")
    return (small if small.is_file() else file).stat().st_size


# ---- home, and what comes from there ------------------------------------------------------------


@pytest.mark.slow
def test_the_first_move_is_two_clicks_away(context: BrowserContext, address: str) -> None:
    """The home page shows every game, none of them alone in its row, and starts a match."""
    page = context.new_page()
    page.goto(address)
    cards = page.locator(".games li")
    expect(cards).to_have_count(len(wm.games()))
    for width in (360, 390, 768, 900, 1280):
        page.set_viewport_size({"width": width, "height": 900})
        rows: dict[int, float] = {}
        for box in cards.evaluate_all("(all) => all.map((one) => one.getBoundingClientRect())"):
            rows[round(box["y"])] = rows.get(round(box["y"]), 0) + box["width"]
        assert min(rows.values()) > 0.9 * max(rows.values()), width
    page.get_by_role("button", name=re.compile(f"Play now.*{TITLE}")).click()
    free_cells(page).first.click()
    wait_for_moves(page, 0)


@pytest.mark.slow
def test_my_matches_come_first_and_the_header_counts_my_turns(
    phone: BrowserContext, address: str, stage: Stage
) -> None:
    """With the board as it stands, who plays, whose turn it is, and how it ended."""
    me = stage.guest()
    phone.add_init_script(f"localStorage.setItem('watermeet.token', JSON.stringify('{me}'))")
    matches = []
    for _ in range(3):
        staged = stage.create(GAME, seats=OPEN)
        staged.seats = {0: stage.join(staged.match, 0, guest=me), 1: stage.join(staged.match, 1)}
        give_seats(phone, staged, 0)
        matches.append(staged)
    stage.play(matches[1])
    stage.do(matches[2], 0, {"type": "resign"})
    page = phone.new_page()
    page.goto(address)
    mine, theirs, lost = (page.locator(".mine li").nth(number) for number in range(3))
    expect(mine).to_contain_text("Your turn")
    expect(mine).to_contain_text("You · Ben")
    expect(mine.locator("img")).to_have_attribute("src", re.compile("^data:image/svg"))
    empty = mine.locator("img").get_attribute("src") or ""
    expect(theirs.locator("img")).not_to_have_attribute("src", empty)
    expect(theirs).to_contain_text("Ben\N{RIGHT SINGLE QUOTATION MARK}s turn")
    expect(lost).to_contain_text("Lost")
    boxes = [page.locator(where).bounding_box() for where in ("div.mine", ".games")]
    first, games = [box["y"] for box in boxes if box]
    assert first < 120 < games
    page.goto(f"{address}/settings")
    badge = page.get_by_role("link", name="1 game is waiting for your move")
    badge.click()
    expect(page.locator(HEADLINE)).to_contain_text("Your turn")
    expect(badge).to_have_count(0)
    stage.play(matches[1])
    expect(badge).to_be_visible()  # Without a reload.


@pytest.mark.slow
def test_the_lobby_lists_matches_with_their_terms(
    context: BrowserContext, address: str, stage: Stage
) -> None:
    option = next(each for each in wm.game(GAME).declared_options if isinstance(each, Number))
    value = next(each for each in option.samples() if each != option.default)
    clock = {"type": "real_time", "initial_ms": 300_000, "increment_ms": 3_000}
    played = stage.start(GAME, is_public=True)
    terms = {"options": {option.name: value}, "time_control": clock, "is_public": True}
    waiting = stage.create(GAME, seats=OPEN, **terms)
    page = context.new_page()
    page.goto(f"{address}/lobby")
    expect(page.locator(f"a[href='{played.path}']")).to_have_text("Watch")
    join = page.locator(f"a[href='{waiting.path}']")
    row = page.locator("li").filter(has=join)
    expect(row).to_contain_text("5 min + 3 s per turn")
    expect(row).to_contain_text(re.compile(rf": {value}\b"))
    expect(join).to_have_text("Join")
    join.click()
    page.get_by_text("Red", exact=True).last.click()
    page.get_by_role("button", name="Join").click()
    expect(page.get_by_text("Waiting for 1 more player")).to_be_visible()
    page.get_by_role("link", name="Lobby").click()
    expect(join.first).to_have_text("Continue")


# ---- set-up and invitation ----------------------------------------------------------------------


@pytest.mark.slow
def test_an_invitation_says_who_invites_to_what(person: People, address: str) -> None:
    """With clocks and options, and with one button; a link for one machine says so."""
    host = called(person(), "Nora").new_page()
    guest = person(**PHONE).new_page()
    host.goto(f"{address}/play/{GAME}")
    host.get_by_text("Friend", exact=True).click()
    host.get_by_text("5 min + 3 s per turn").click()
    host.locator("summary").filter(has_text="Options").click()
    host.locator("select").first.select_option(index=0)
    host.locator("input[name=spectators][value=none] + span").click()
    host.get_by_role("button", name="Start").click()
    expect(host.get_by_text("This link works only on this computer")).to_be_visible()
    expect(host.get_by_role("img", name="QR code of the link")).to_have_count(0)
    guest.goto(host.locator("input[readonly]").input_value())
    waiting, players = guest.locator(".waiting"), guest.locator(".players li")
    expect(guest.get_by_role("heading", name=f"Nora invites you to play {TITLE}")).to_be_visible()
    expect(waiting.locator("dd").last).to_have_text(re.compile(r"^.+: \d+$"))
    expect(waiting).to_contain_text("Nobody")
    expect(waiting).to_contain_text("5 min + 3 s per turn")
    expect(players).to_contain_text(["Nora", "You"])
    expect(guest.locator("main button")).to_have_count(1)
    assert axe(guest) == []
    guest.get_by_role("button", name="Join").click()
    expect(guest.locator(".frame")).to_be_visible()


@pytest.mark.slow
def test_a_link_for_other_devices_has_a_code(context: BrowserContext, address: str) -> None:
    page = context.new_page()
    answer = {"addresses": ["http://192.168.1.20:8765/"]}
    page.route("**/api/addresses", lambda route: route.fulfill(json=answer))
    page.goto(f"{address}/play/{GAME}")
    page.get_by_text("Friend", exact=True).click()
    page.get_by_role("button", name="Start").click()
    link = page.locator("input[readonly]")
    expect(link).to_have_value(re.compile(r"^http://192\.168\.1\.20:8765/match/.+#seat="))
    code = page.get_by_role("img", name="QR code of the link")
    expect(code).to_be_visible()
    assert len(code.locator("path").get_attribute("d") or "") > 1000
    assert axe(page) == []


@pytest.mark.slow
def test_a_host_is_asked_before_others_lose_their_game(person: People, address: str) -> None:
    """And whoever waits learns who has cancelled it."""
    host, guest = called(person(), "Nora").new_page(), person().new_page()
    host.goto(f"{address}/play/{MANY}")
    host.get_by_text("Friend", exact=True).click()
    host.locator("input[name=people][value='3'] + span").click()
    host.get_by_role("button", name="Start").click()
    guest.goto(host.locator("input[readonly]").first.input_value())
    guest.get_by_role("button", name="Join").click()
    expect(guest.get_by_text("The game starts as soon as everyone has joined.")).to_be_visible()
    expect(guest.get_by_role("button", name="Leave")).to_be_visible()
    expect(host.get_by_role("heading", name="Waiting for 1 more player")).to_be_visible()
    host.get_by_role("button", name="Cancel game").click()
    dialog = host.get_by_role("dialog", name="Cancel this game?")
    expect(dialog).to_contain_text("Another player is waiting for it to start.")
    host.keyboard.press("Escape")
    expect(dialog).to_have_count(0)
    host.get_by_role("button", name="Cancel game").click()
    dialog.get_by_role("button", name="Cancel game").click()
    host.wait_for_url(f"{address}/")
    expect(guest.get_by_role("heading", name="Nora cancelled this game")).to_be_visible()
    expect(guest.get_by_role("button", name="Rematch")).to_have_count(0)


@pytest.mark.slow
def test_levels_of_difficulty_come_before_single_options(
    context: BrowserContext, address: str
) -> None:
    """Tables of people get the real clock, as the page says; a preset sets its options."""
    page = context.new_page()
    page.goto(f"{address}/play/{TIMED}")
    name, options = list(wm.game(TIMED).presets.items())[-1]
    expect(page.locator("form select")).to_have_count(0)
    expect(page.get_by_text("No clock: take all the time you need.")).to_be_visible()
    page.get_by_text("Friend", exact=True).click()
    expect(page.get_by_text("is played in real time: one clock runs")).to_be_visible()
    page.locator(f"input[name=preset][value={name}] + span").click()
    page.get_by_text("Custom", exact=True).click()
    for option, value in options.items():
        expect(page.locator(f"form [name={option}]")).to_have_value(str(value))
    page.locator(f"input[name=preset][value={name}] + span").click()
    with page.expect_request("**/api/matches") as sent:
        page.get_by_role("button", name="Start").click()
    body = sent.value.post_data_json
    assert body is not None
    assert body["options"] == {**options, **wm.game(TIMED).people_options}
    expect(page.locator(".waiting")).to_contain_text("In real time: one minute per round")


# ---- settings, status, rules --------------------------------------------------------------------

STONES = """() => {
  const style = getComputedStyle(document.querySelector('.board'));
  return [1, 2].map((seat) => style.getPropertyValue(`--board-stone-${seat}`));
}"""


@pytest.mark.slow
def test_settings_are_kept(context: BrowserContext, address: str, stage: Stage) -> None:
    page, match = context.new_page(), stage.start(GAME).path
    page.goto(address + match)
    page.locator(".board [data-cell]").first.wait_for()
    classic = page.evaluate(STONES)
    page.goto(f"{address}/settings")
    page.get_by_label("Theme").select_option("dark")
    page.get_by_role("radio", name="Colour-blind safe").check(force=True)
    page.get_by_label("Speed of bots").select_option("Fast")
    page.get_by_label("Your name").fill("Nora")
    page.get_by_label("Language").select_option("de")
    expect(page.get_by_role("heading", name="Einstellungen")).to_be_visible()
    page.reload()
    expect(page.get_by_role("heading", name="Einstellungen")).to_be_visible()
    expect(page.get_by_label("Dein Name")).to_have_value("Nora")
    assert page.locator("html").get_attribute("data-theme") == "dark"
    assert page.evaluate("JSON.parse(localStorage.getItem('watermeet.settings')).pace") == 250
    page.goto(address + match)
    page.locator(".board [data-cell]").first.wait_for()
    assert all(new != old for new, old in zip(page.evaluate(STONES), classic, strict=True))


@pytest.mark.slow
def test_the_status_page_says_how_the_server_is(context: BrowserContext, address: str) -> None:
    page = context.new_page()
    answer = context.request.get(f"{address}/api/status").json()
    page.route("**/api/status", lambda route: route.fulfill(json=answer))
    for state, words in (("ok", "Everything works."), ("down", "be saved right now.")):
        answer |= {"moves": state, "bots": "ok", "bot_wait_ms": 0}
        page.goto(f"{address}/status")
        expect(page.get_by_text(words)).to_be_visible()
    page.route("**/api/status", lambda route: route.abort())
    page.reload()
    expect(page.get_by_text("reach the server.")).to_be_visible()


@pytest.mark.slow
def test_the_page_uses_the_browsers_language(person: People, address: str) -> None:
    page = person(locale="pl-PL").new_page()
    page.goto(address)
    expect(page.get_by_role("link", name="Zasady").first).to_be_visible()
    assert page.locator("html").get_attribute("lang") == "pl"
    page.goto(f"{address}/rules/{GAME}/full")
    expect(page.locator("article").first).to_have_attribute("lang", "pl")
    file = ROOT / f"src/watermeet/games/{GAME}/RULES.pl.md"
    first = re.findall(r"^## (.+)$", file.read_text(encoding="utf-8"), re.MULTILINE)[0]
    expect(page.get_by_role("heading", name=first)).to_be_visible()


@pytest.mark.slow
@pytest.mark.parametrize("game", two_by_day(built_in_games()))
def test_people_learn_a_game_before_they_meet_its_paragraphs(
    phone: BrowserContext, address: str, game: str
) -> None:
    page = phone.new_page()
    page.goto(f"{address}/rules/{game}")
    expect(page.get_by_role("heading", level=1)).to_contain_text("How to play")
    assert page.locator("article h3").count() >= 5
    assert page.locator("article figure img").count() >= 8
    decoded = "Promise.all([...document.images].map((image) => image.decode()))"
    page.evaluate("for (const image of document.images) image.loading = 'eager'")
    promised(page, f"{decoded}.then(() => undefined)")
    expect(page.locator("article")).not_to_contain_text("R1.1")
    assert axe(page) == []
    page.get_by_role("link", name="Full rules").first.click()
    article = page.locator("article").first
    expect(article).to_contain_text("R1.1")
    for mark in ("(text)", "(choice", "(sheet)", "(programs)", "(manual)", "(page)"):
        expect(article).not_to_contain_text(mark)
    expect(page.locator("article.notes")).to_be_hidden()
    page.get_by_text("Where these rules come from").click()
    expect(page.locator("article.notes")).to_be_visible()
    assert axe(page) == []


@pytest.mark.slow
def test_pictures_have_the_colours_of_the_theme(context: BrowserContext, address: str) -> None:
    """At once, whether the system or the reader changes it."""
    page = context.new_page()
    page.goto(f"{address}/rules/{GAME}")
    picture = page.locator("article figure img").first
    expect(picture).to_have_attribute("src", re.compile("^data:image/svg"))
    light = picture.get_attribute("src") or ""
    page.emulate_media(color_scheme="dark")
    expect(picture).not_to_have_attribute("src", light)
    page.emulate_media(color_scheme="light")
    page.get_by_role("button", name="Settings").click()
    page.locator("dialog label:has([value=contrast])").click()
    expect(picture).not_to_have_attribute("src", light)
    page.locator("dialog label:has([value=classic])").click()
    expect(picture).to_have_attribute("src", light)


# ---- what isn't there ---------------------------------------------------------------------------


@pytest.mark.slow
def test_links_that_lead_nowhere(person: People, address: str, stage: Stage) -> None:
    full = stage.start(GAME, seats=INVITED)
    for path, words in (
        ("/nothing/here", "Page not found"),
        ("/match/nothing", "Game not found"),
        (full.path, "The remaining seats are reserved for invited players."),
        (f"{full.path}#seat=0&invitation=used", "the seat is taken"),
    ):
        page = person().new_page()
        page.goto(address + path)
        expect(page.get_by_text(words)).to_be_visible()
    page.goto("about:blank")
    page.goto(f"{address}{full.path}#seat=1&invitation=wrong")
    page.get_by_role("button", name="Join").click()
    expect(page.get_by_role("alert").filter(has_text="This seat is reserved.")).to_be_visible()


@pytest.mark.slow
def test_the_page_loads_without_a_server(person: People, address: str, stage: Stage) -> None:
    """The service worker caches the page, which says what is wrong, but nothing of the API."""
    page = person(service_workers="allow").new_page()
    alert = page.get_by_role("alert").filter(has_text="reach the server")
    with cable(address) as proxy:
        page.goto(proxy.address)
        promised(page, "navigator.serviceWorker.ready.then(() => undefined)")
        page.reload()  # From here on the service worker has the page.
        proxy.cut()
        page.goto(f"{proxy.address}/lobby")
        expect(alert).to_be_visible()
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
        proxy.cut()
        page.goto(f"{proxy.address}{stage.start(GAME).path}")
        expect(alert).to_be_visible()
        proxy.mend()
        page.reload()
        expect(page.locator(HEADLINE)).to_contain_text("turn")
