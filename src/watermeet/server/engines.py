"""The engines that browsers run: where the modules are, and what is sent of them.

A wheel has them in ``server/engines``. For other games, and in a copy of the sources, the
precompiler builds them after everything else and keeps them with the compiled code. Until a game
has one, the server thinks for its players.
"""

from __future__ import annotations

import gzip
import hashlib
import tempfile
from dataclasses import dataclass
from functools import cache
from pathlib import Path

from watermeet.bots.engine import build_engine
from watermeet.core.code_cache import cache_folder, source_digest
from watermeet.core.registry import game as find_game
from watermeet.core.registry import games as registered

PACKED = Path(__file__).parent / "engines"
STAMP = "stamp"
"""The file with a hash of the sources of the packed modules."""
_BUILDER = "watermeet.bots.engine"


@dataclass(frozen=True)
class EngineFile:
    """A module; ``digest`` is part of its URL, so it may be kept for good."""

    digest: str
    content: bytes
    compressed: bytes


def url_of(name: str, file: EngineFile) -> str:
    """Where browsers get a game's module."""
    return f"/api/games/{name}/engines/{file.digest}"


def built_file(name: str) -> Path | None:
    """Where the precompiler keeps a game's module; None if there is no cache on disk."""
    folder = cache_folder()
    digest = source_digest({find_game(name).package, _BUILDER})
    return None if folder is None else folder / f"{name}-{digest}.wasm"


def build(name: str, file: Path | None = None) -> None:
    """Build the module of a game into a file, where it appears when it is complete."""
    target = file or built_file(name)
    if target is None:
        return
    content = build_engine(find_game(name))
    with tempfile.NamedTemporaryFile(dir=target.parent, delete=False) as begun:
        begun.write(content)
    complete = Path(begun.name)
    complete.chmod(0o644)
    complete.replace(target)


def packed_file(name: str, folder: Path = PACKED) -> Path | None:
    """The module in the wheel, unless it has none or the sources have changed since."""
    file, stamp = folder / f"{name}.wasm", folder / STAMP
    if not file.is_file() or not stamp.is_file():
        return None
    return file if stamp.read_text(encoding="utf-8") == digest_of_sources() else None


@cache
def digest_of_sources() -> str:
    """A hash of everything that the modules of our own games are made of."""
    packages = {find_game(name).package for name in registered()}
    return source_digest({each for each in packages if each.startswith("watermeet.")} | {_BUILDER})


class Engines:
    """The modules of all games, each read once."""

    def __init__(self, packed: Path = PACKED) -> None:
        self._packed = packed
        self._found: dict[str, EngineFile] = {}

    def find(self, name: str) -> EngineFile | None:
        """The module of a game, or None if it isn't there yet. Reads files."""
        if name not in self._found:
            for file in (packed_file(name, self._packed), built_file(name)):
                if file is not None and file.is_file():
                    content = file.read_bytes()
                    digest = hashlib.sha256(content).hexdigest()[:16]
                    packed = gzip.compress(content, 9, mtime=0)
                    self._found[name] = EngineFile(digest, content, packed)
                    break
        return self._found.get(name)
