"""Builds the boards of the documentation site that play without a server: dist/live.

The client's boards and engines, and what a page can't know without Python: how each level searches.
A game takes part if it has ``web/local.ts``.
"""

from __future__ import annotations

import json
import shutil
import sys
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).resolve().parent))

import client

LIVE = client.ROOT / "dist" / "live"
LARGEST = 9
"""The longest side of a board that a page offers."""


def games() -> list[str]:
    """The games that can be played without a server."""
    found = (client.ROOT / "src/watermeet/games").glob("*/web/local.ts")
    return sorted(file.parents[1].name for file in found)


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
    """What a page needs: the start of a match with each size, and how each level searches."""
    from watermeet.bots.engine import can_run, engine_task
    from watermeet.bots.levels import NETWORK, levels_of
    from watermeet.core.registry import game as find_game

    game = find_game(name)
    sizes = {each.name: getattr(each, "offered", ()) for each in game.declared_options}.get("size")
    boards = []
    for size in (each for each in sizes or () if each <= LARGEST):
        sized = game.with_options(size=size)
        levels = {
            level.name: engine_task(sized.start(), level)
            for level in levels_of(sized)
            if can_run(sized, level) and level.method != NETWORK  # Those are large files.
        }
        boards.append({"options": dict(sized.options), "levels": levels})
    return {"game": name, "version": game.version, "engine": f"{name}.wasm", "boards": boards}
