"""Builds the boards of the documentation site that play without a server: dist/live.

The client's boards and engines, and what a page can't know without Python: how each level searches.
A game without chance and secrets takes part if it has ``web/local.ts``.
"""

from __future__ import annotations

import base64
import json
import shutil
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Any

sys.path.insert(0, str(Path(__file__).resolve().parent))

import client

if TYPE_CHECKING:
    from watermeet.core.game import Game

LIVE = client.ROOT / "dist" / "live"
LARGEST = 9
"""The longest side of a board that a page offers."""


def games() -> list[str]:
    """The games that can be played without a server."""
    files = (client.ROOT / "src/watermeet/games").glob("*/web/local.ts")
    return sorted(file.parents[1].name for file in files)


def build(folder: Path = LIVE, *, missing: bool) -> bool:
    """Build what is stale, and engines that aren't there only if told so; whether all is there."""
    engines = {name: _engine(name, missing=missing) for name in games()}
    if not all(engines.values()) or not client.has_node():
        shutil.rmtree(folder, ignore_errors=True)
        return False
    wanted = client.digest(client.sources())
    stamp = folder / "stamp"
    if not stamp.is_file() or stamp.read_text(encoding="utf-8") != wanted:
        if client.main(["live", "--outDir", str(folder), "--logLevel", "error"]) != 0:
            return False
        stamp.write_text(wanted, encoding="utf-8")
    (folder / "engines").mkdir(exist_ok=True)
    for name, file in engines.items():
        assert file is not None
        shutil.copyfile(file, folder / "engines" / f"{name}.wasm")
        text = json.dumps(_facts(name))
        (folder / "engines" / f"{name}.json").write_text(text, encoding="utf-8")
    return True


def _engine(name: str, *, missing: bool) -> Path | None:
    from watermeet.server.engines import built_file, packed_file
    from watermeet.server.precompiler import ENGINE, run_once

    file = packed_file(name) or built_file(name)
    if file is not None and not file.is_file() and missing:
        run_once(name, ENGINE)
    return file if file is not None and file.is_file() else None


def _facts(name: str) -> dict[str, Any]:
    """What a page needs: the start of a match on each board, and how each level searches."""
    from watermeet.core.registry import game as find_game

    game = find_game(name)
    sizes = {each.name: getattr(each, "offered", ()) for each in game.declared_options}.get("size")
    offered = [game.with_options(size=size) for size in sizes or () if size <= LARGEST]
    boards = [_board(each) for each in offered or [game]]
    return {"game": name, "version": game.version, "engine": f"{name}.wasm", "boards": boards}


def _board(game: Game) -> dict[str, Any]:
    from watermeet.bots.engine import can_run, engine_task
    from watermeet.bots.levels import NETWORK, levels_of

    start = game.start()
    return {
        "options": dict(game.options),
        "label": game.size_label,
        "start": base64.b64encode(start.array.tobytes()).decode(),
        "levels": {
            level.name: engine_task(start, level)
            for level in levels_of(game)
            if can_run(game, level) and level.method != NETWORK  # Those are large files.
        },
    }
