"""What a browser sees at the server's address: the games, and how they are played here.

A plain document without programs; every name in it comes from the registry.
"""

from __future__ import annotations

import base64
import hashlib
from html import escape

from fastapi import FastAPI
from fastapi.responses import HTMLResponse

from watermeet.core.game import Game
from watermeet.core.registry import game as find_game
from watermeet.core.registry import games as registered
from watermeet.server.api.routes_facts import has_rules

_STYLE = """
:root { color-scheme: light dark; }
body { max-width: 44rem; margin: 2rem auto; padding: 0 1rem; line-height: 1.5;
  font-family: system-ui, sans-serif; }
dt { margin-top: 1rem; font-weight: 600; }
dd { margin: 0; }
small { opacity: 0.8; }
pre { overflow-x: auto; padding: 0.75rem; border: 1px solid; border-radius: 0.25rem; }
"""
_STYLE_HASH = base64.b64encode(hashlib.sha256(_STYLE.encode()).digest()).decode()
_POLICY = (
    f"default-src 'none'; style-src 'sha256-{_STYLE_HASH}'; frame-ancestors 'none'; "
    "base-uri 'none'; form-action 'none'"
)


def add_start_page(app: FastAPI, version: str) -> None:
    """Adds the page at ``/``."""

    @app.get("/", include_in_schema=False, response_class=HTMLResponse)
    async def start() -> HTMLResponse:
        found = [find_game(name) for name in registered()]
        headers = {"Content-Security-Policy": _POLICY}
        return HTMLResponse(start_page(found, version), headers=headers)


def start_page(games: list[Game], version: str) -> str:
    """The page."""
    listed = "\n".join(_entry(game) for game in games)
    return f"""<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>Watermeet</title>
<style>{_STYLE}</style>
</head>
<body>
<main>
<h1>Watermeet</h1>
<p>This server runs (version {escape(version)}) and keeps every match that is played through it.
Its boards for the browser are not part of this version yet.</p>
<h2>Games</h2>
<dl>
{listed}
</dl>
<h2>Play now</h2>
<p>In a terminal, alone against bots or with friends at one screen:</p>
<pre>watermeet play</pre>
<p>Through this server, with a program: the <a href="/api/openapi.json">description of its
documents</a>, and the client for Python, <code>watermeet.client</code>.</p>
</main>
</body>
</html>
"""


def _entry(game: Game) -> str:
    low, high = game.seat_range
    seats = f"{low} players" if low == high else f"{low} to {high} players"
    rules = f' <a href="/api/games/{game.name}/rules">Rules</a>' if has_rules(game) else ""
    return (
        f"<dt>{escape(game.title)}</dt>\n"
        f"<dd>{escape(game.summary)} {seats}.{rules}<br>"
        f"<small>{escape(game.credit)}</small></dd>"
    )
