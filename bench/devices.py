"""Bots on players' devices: the processor time of a server, with and without them.

One person plays the same number of moves against a bot twice: once the server's bot thinks, once
the page does. Counted are the server's own process and its bot worker, not what compiles beside
them. Needs the packages of the tests, chromium, the built client, and the engines.
"""

from __future__ import annotations

import contextlib
import json
import os
import shutil
import time
from pathlib import Path

from playwright.sync_api import Browser, expect, sync_playwright
from tests.server import processes
from tests.server.nodes import Node
from tests.web.staging import Stage, give_seats
from tests.web.test_engine import module_of

import watermeet as wm
from bench.progress import progress
from watermeet.bots.levels import levels_of
from watermeet.server.precompiler import BOTS, RULES, run_once
from watermeet.testing.speed import Measurement

TITLE = "Bots on players' devices"
MOVES = 8
LOAD_S = 10.0
"""How long the server may load compiled code before it is measured."""
PATIENCE_S = 60.0
WORKER = b"worker_main"


def measure(seconds: float, arguments: list[str]) -> list[Measurement]:
    """Measure the open games, or those that are named, with a bot of the top level."""
    del seconds
    games = arguments or [name for name in wm.games() if not wm.game(name).hidden]
    program = shutil.which("chromium") or shutil.which("chromium-browser")
    for name in games:
        module_of(name)
        for part in (RULES, BOTS):
            run_once(name, part)
    found: list[Measurement] = []
    node = Node(bot_workers="1")
    try:
        node.start()
        time.sleep(LOAD_S)
        with sync_playwright() as playwright:
            browser = playwright.chromium.launch(executable_path=program, args=["--no-sandbox"])
            for name in games:
                progress(name)
                for is_on in (False, True):
                    found += measure_match(browser, node, name, is_on=is_on)
            browser.close()
    finally:
        node.remove()
    return found


def measure_match(browser: Browser, node: Node, name: str, *, is_on: bool) -> list[Measurement]:
    """A match in which the bot thinks on the server, or on the device."""
    address, game = f"http://{node.address}", wm.game(name)
    # The strongest that an engine plays: a level with a solver stays on the server.
    level = next(
        each for each in reversed(levels_of(game)) if not each.solver_nodes and not each.network
    ).name
    context = browser.new_context(locale="en-GB", service_workers="block")
    saved = json.dumps(json.dumps({"device": is_on}))
    context.add_init_script(f"localStorage.setItem('watermeet.settings', {saved})")
    stage = Stage(address)
    staged = stage.start(name, [{"who": "open"}, {"who": "bot", "level": level}])
    give_seats(context, staged, 0)
    page = context.new_page()
    page.goto(address + staged.path)
    bot = page.locator(".others .seat")
    expect(bot).to_contain_text("thinks on your device" if is_on else "bot", timeout=30_000)

    def turn() -> None:
        stage.play(staged)
        until = time.monotonic() + PATIENCE_S
        while stage.mover(staged) != 0:
            assert time.monotonic() < until, "the bot doesn't play"
            time.sleep(0.1)

    turn()  # The first one loads what the bot needs.
    before = processor_seconds(node)
    for _ in range(MOVES):
        turn()
    after = processor_seconds(node)
    context.close()
    stage.close()
    where, who = "on the device" if is_on else "on the server", game.describe()
    spent = [1000 * (one - other) / MOVES for one, other in zip(after, before, strict=True)]
    return [
        Measurement(who, f"{level}, {where}: bot worker", spent[1], "ms of CPU a move"),
        Measurement(who, f"{level}, {where}: server", spent[0], "ms of CPU a move"),
    ]


def processor_seconds(node: Node) -> tuple[float, float]:
    """What the server and its bot worker have used so far."""
    server = node.pid
    workers = 0.0
    for pid in processes.descendants(server):
        with contextlib.suppress(OSError):  # It has just ended.
            if WORKER in Path(f"/proc/{pid}/cmdline").read_bytes():
                workers += _seconds_of(pid)
    return _seconds_of(server), workers


def _seconds_of(pid: int) -> float:
    fields = Path(f"/proc/{pid}/stat").read_text(encoding="utf-8").rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")
