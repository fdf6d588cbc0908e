"""A profile and a leaderboard, looked at in a real browser after two rated matches."""

from __future__ import annotations

import json
import re
import threading
import time
import uuid
from urllib.parse import quote

import pytest
from playwright.sync_api import BrowserContext, expect

from watermeet.client import Client, Connection, play_match

pytestmark = pytest.mark.slow


def _play(players: list[Client]) -> None:
    body = {"game": "flume", "options": {"size": 3}, "seats": [{}, {}], "seat": 0}
    body |= {"is_rated": True, "is_public": True}
    match = str(players[0].request("POST", "/matches", body)["match"])
    players[1].join(match, 1)
    _play_out(match, players)


def _play_out(match: str, players: list[Client]) -> None:
    def run(client: Client) -> None:
        with Connection(client, timeout_s=60) as connection:
            play_match(connection, match, lambda position: position.legal_moves[0])

    threads = [threading.Thread(target=run, args=(player,)) for player in players]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(60)


def test_a_profile_shows_ratings_results_and_games(address: str, phone: BrowserContext) -> None:
    word = uuid.uuid4().hex[:6]
    names = [f"Ann {word}", f"Bob {word}"]
    players = [Client(address) for _ in names]
    for player, name in zip(players, names, strict=True):
        player.create_guest()
        player.sign_up(name, "correct horse")
    for order in (players, players[::-1]):
        _play(order)
    end = time.monotonic() + 30
    while len(players[0].rating_history(names[0], "flume")) < 2:
        assert time.monotonic() < end
        time.sleep(0.1)
    profile = players[0].profile(names[0])
    [rating], [results] = profile["ratings"], profile["statistics"]

    seed = dict.fromkeys(("watermeet.name", "watermeet.account"), names[0])
    seed["watermeet.token"] = players[0].token
    lines = (
        f"localStorage.setItem({json.dumps(k)}, {json.dumps(json.dumps(v))})"
        for k, v in seed.items()
    )
    phone.add_init_script(";".join(lines))
    page = phone.new_page()
    page.goto(f"{address}/user/{names[0]}")
    expect(page.locator("h1")).to_have_text(names[0])
    expect(page.get_by_role("button", name="Flume", pressed=True)).to_contain_text(
        str(rating["rating"])
    )
    expect(page.get_by_role("img", name="Rating in Flume")).to_be_visible()
    totals = f"Flume {results['won']} {results['drawn']} {results['lost']}"
    expect(page.get_by_role("row", name=totals)).to_be_visible()
    games = page.locator("section", has=page.get_by_role("heading", name="Finished games"))
    expect(games.get_by_role("listitem")).to_have_count(2)
    page.get_by_label("Result").select_option("won")
    expect(games.get_by_role("listitem")).to_have_count(results["won"])
    page.get_by_label("Result").select_option("")
    page.get_by_label("Opponent").fill(names[1])
    expect(games.get_by_role("listitem")).to_have_count(2)
    games.get_by_role("button", pressed=False).first.click()
    expect(page.get_by_role("heading", name="Favourites")).to_be_visible()

    # Others can be followed and challenged; a message of theirs is marked until it is read.
    page.goto(f"{address}/user/{names[1]}")
    page.get_by_role("button", name="Follow", exact=True).click()
    expect(page.get_by_role("button", name="Unfollow")).to_be_visible()
    page.get_by_role("button", name="Challenge", exact=True).click()
    expect(page.get_by_label(re.compile("^Player.s name"))).to_have_value(names[1])
    page.keyboard.press("Escape")
    players[1].request("PUT", f"/me/following/{quote(names[0])}")
    players[1].request("POST", f"/me/chats/{quote(names[0])}", {"text": "Again?"})
    header = page.get_by_role("banner")
    expect(header.get_by_text("New message")).to_be_attached()
    page.goto(f"{address}/friends")
    row = page.get_by_role("listitem").filter(has_text=names[1])
    expect(row.get_by_text("New message")).to_be_attached()
    expect(row.get_by_role("link", name=names[1])).to_be_visible()
    page.goto(f"{address}/friends?with={names[1]}")
    expect(page.get_by_role("log")).to_contain_text("Again?")
    expect(header.get_by_text("New message")).to_have_count(0)
    page.goto(f"{address}/user/Nobody {word}")
    expect(page.get_by_role("alert")).to_have_text(f"Nobody is called Nobody {word}.")

    page.goto(f"{address}/leaderboard?game=flume")
    expect(page.get_by_role("row", name="Sea")).to_be_visible()

    page.goto(f"{address}/play/flume")
    page.locator("input[name=mode][value=anyone]").check()
    page.get_by_label("Rated", exact=True).check()
    page.get_by_role("button", name="Start").click()
    page.wait_for_url("**/match/*")
    match = page.url.rpartition("/")[2]
    seats = players[1].request("GET", f"/matches/{match}")["seats"]
    players[1].join(match, next(n for n, seat in enumerate(seats) if seat["who"] == "open"))
    _play_out(match, players)
    change = page.get_by_label("Ratings")
    expect(change).to_contain_text(names[0])
    after = players[0].rating_history(names[0], "flume")[-1]
    assert after["match"] == match
    difference = after["rating"] - rating["rating"]
    sign = "+" if difference > 0 else "−"  # noqa: RUF001
    expect(change).to_contain_text(f"{after['rating']} ({sign}{abs(difference)})")
