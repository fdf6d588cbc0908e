"""Builds the documentation site: ``python scripts/docs.py [TASK]``.

    build    dist/site, strictly: a warning, a dead link or anything fetched from elsewhere fails;
             with --all, also engines for the live boards and new screenshots, which takes minutes
    serve    the same, then serve it on this machine until Ctrl-C
    links    list the links that lead out of the site; nothing is fetched
    publish  FOLDER VERSION [ALIAS...]: put the built site into a folder with all versions

The pages are written to dist/pages first (scripts/docs_pages.py). Needs requirements/docs.txt.
"""

from __future__ import annotations

import functools
import html
import http.server
import json
import posixpath
import re
import shutil
import subprocess
import sys
from collections.abc import Iterator
from importlib.util import find_spec
from pathlib import Path
from typing import Any
from urllib.parse import unquote, urlsplit

sys.path.insert(0, str(Path(__file__).resolve().parent))

import client
import docs_live
import docs_pages
import yaml

ROOT = docs_pages.ROOT
OUTPUT = ROOT / "dist"
PAGES, SITE, CONFIG = OUTPUT / "pages", OUTPUT / "site", OUTPUT / "mkdocs.yml"
PORT = 8766


def configuration() -> dict[str, Any]:
    """Where the pages are, and the whole navigation."""
    nav = (ROOT / "mkdocs.yml").read_text(encoding="utf-8").partition("\nnav:\n")[2]
    filled = docs_pages.navigation(yaml.safe_load(nav))
    return {"docs_dir": PAGES.name, "site_dir": SITE.name, "nav": filled}


def prepare() -> None:
    """Write the pages and the configuration."""
    docs_pages.write(PAGES)
    settings = (ROOT / "mkdocs.yml").read_text(encoding="utf-8").partition("\nnav:\n")[0]
    rest = yaml.safe_dump(configuration(), sort_keys=False)
    CONFIG.write_text(f"{settings}\n{rest}", encoding="utf-8")


def build(*, everything: bool = False) -> int:
    """Build the site; return the exit status."""
    if not docs_live.build(missing=everything):
        print("The boards stand still: there is no Node or no engine. --all builds it.")
    if everything:
        take_screens()
    prepare()
    command = [sys.executable, "-m", "zensical", "build", "--strict", "--clean"]
    status = subprocess.run([*command, "-f", str(CONFIG)], check=False).returncode
    wrong = [] if status else [*dead_links(SITE), *fetched(SITE)]
    print("\n".join(wrong), file=sys.stderr, end="\n" if wrong else "")
    return status or bool(wrong)


def take_screens() -> None:
    """Take the screenshots of the gallery, where a browser and the built client are."""
    stamp, wanted = docs_pages.SCREENS / "stamp", client.digest(client.sources())
    has_browser = shutil.which("chromium") or shutil.which("chromium-browser")
    if not has_browser or not find_spec("playwright") or not client.is_fresh():
        print("The gallery shows the pictures of the README: there is no browser or no client.")
        return
    if stamp.is_file() and stamp.read_text(encoding="utf-8") == wanted:
        return
    names = [f"{page}-desktop-{theme}" for page in ("home", "lobby") for theme in ("light", "dark")]
    for game in docs_pages.games():
        names += [f"match-{game}-desktop-light", f"match-{game}-phone-dark"]
    names += ["analysis-flume-desktop-light", "over-flume-phone-light", "rules-flume-phone-light"]
    program = [sys.executable, str(ROOT / "scripts" / "screens.py"), "--webp"]
    shutil.rmtree(docs_pages.SCREENS, ignore_errors=True)
    if subprocess.run([*program, str(docs_pages.SCREENS), *names], check=False).returncode == 0:
        stamp.write_text(wanted, encoding="utf-8")


# ---- links ---------------------------------------------------------------------------------------


def _links(site: Path) -> Iterator[tuple[str, str, str]]:
    """Every page, and what it links to or loads: tag and address."""
    pattern = r"<(\w+)\b[^>]*?\s(?:href|src)=(?:\"([^\"]*)\"|'([^']*)'|([^\s>]+))"
    for page in sorted(site.rglob("*.html")):
        text = page.read_text(encoding="utf-8")
        for tag, *values in re.findall(pattern, text):
            yield page.relative_to(site).as_posix(), tag, html.unescape("".join(values))


def dead_links(site: Path) -> list[str]:
    """Links and pictures whose file or anchor isn't there; Zensical checks those in Markdown."""
    wrong = set()
    for page, _, address in _links(site):
        parts = urlsplit(address)
        if page == "404.html" or parts.scheme or parts.netloc:
            continue
        path = posixpath.join(posixpath.dirname(page), unquote(parts.path) or page.split("/")[-1])
        file = Path(posixpath.normpath(site / path))
        file = file / "index.html" if file.is_dir() else file
        is_page = file.suffix == ".html"
        if not file.is_file() or not file.is_relative_to(site):
            wrong.add(f"{page}: there is no {address}")
        elif parts.fragment and is_page and unquote(parts.fragment) not in _anchors(file):
            wrong.add(f"{page}: nothing is named {address}")
    return sorted(wrong)


@functools.cache
def _anchors(file: Path) -> frozenset[str]:
    text = file.read_text(encoding="utf-8")
    found = re.findall(r"\s(?:id|name)=(?:\"([^\"]*)\"|([^\s>\"]+))", text)
    return frozenset(html.unescape("".join(each)) for each in found)


def outward(site: Path) -> dict[str, list[str]]:
    """The links that lead out of the site, and the pages that have them."""
    found: dict[str, list[str]] = {}
    for page, tag, address in _links(site):
        if tag == "a" and urlsplit(address).scheme in ("http", "https"):
            pages = found.setdefault(address, [])
            pages += [page] if page not in pages else []
    return found


def fetched(site: Path) -> list[str]:
    """What pages would load from elsewhere: scripts, styles, fonts. There must be nothing."""
    wrong = [
        f"{page}: loads {address}"
        for page, tag, address in _links(site)
        if tag != "a" and re.match(r"(?:https?:)?//", address)
    ]
    for style in site.rglob("*.css"):
        for address in re.findall(
            r"(?:@import|url\()\s*[\"']?((?:https?:)?//[^\"')]+)", style.read_text(encoding="utf-8")
        ):
            wrong.append(f"{style.relative_to(site).as_posix()}: loads {address}")
    return sorted(set(wrong))


# ---- versions ------------------------------------------------------------------------------------


def publish(site: Path, folder: Path, version: str, *aliases: str) -> None:
    """Put a site into a folder of versions, in the layout that the theme's version menu reads.

    An alias such as ``latest`` belongs to one version at a time. The folder's own page leads to the
    first alias, or to the version.
    """
    folder.mkdir(parents=True, exist_ok=True)
    listing = folder / "versions.json"
    known = json.loads(listing.read_text(encoding="utf-8")) if listing.is_file() else []
    for each in known:
        each["aliases"] = [alias for alias in each["aliases"] if alias not in aliases]
    known = [each for each in known if each["version"] != version]
    known.insert(0, {"version": version, "title": version, "aliases": list(aliases)})
    for name in (version, *aliases):
        shutil.rmtree(folder / name, ignore_errors=True)
        shutil.copytree(site, folder / name)
    listing.write_text(json.dumps(known, indent=1), encoding="utf-8")
    first = aliases[0] if aliases else version
    (folder / "index.html").write_text(
        '<!doctype html><meta charset="utf-8">'
        f'<meta http-equiv="refresh" content="0; url={first}/">'
        f'<title>Watermeet</title><a href="{first}/">Watermeet {version}</a>\n',
        encoding="utf-8",
    )


# ---- tasks ---------------------------------------------------------------------------------------


def serve() -> int:
    """Serve the built site until Ctrl-C."""
    handler = functools.partial(http.server.SimpleHTTPRequestHandler, directory=str(SITE))
    with http.server.ThreadingHTTPServer(("127.0.0.1", PORT), handler) as server:
        print(f"http://127.0.0.1:{PORT}/", file=sys.stderr)
        try:
            server.serve_forever()
        except KeyboardInterrupt:
            return 0
    return 0


def main(arguments: list[str]) -> int:
    """The command line."""
    task, *rest = arguments or ["build"]
    if task in ("build", "serve"):
        status = build(everything="--all" in rest)
        return status or (serve() if task == "serve" else 0)
    if task == "links":
        for address, pages in sorted(outward(SITE).items()):
            print(f"{address}  ({', '.join(pages)})")
        return 0
    if task == "publish" and len(rest) > 1:
        publish(SITE, Path(rest[0]), *rest[1:])
        return 0
    print(__doc__, file=sys.stderr)
    return 2


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
