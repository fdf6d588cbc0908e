"""Build the wheel and the source distribution into dist/, and check both: ``make wheel``.

    python scripts/package.py                     builds and checks both
    python scripts/package.py --check FILE        only checks a wheel that is there
    python scripts/package.py --without-engines   leaves out the engines, which may take minutes

A wheel has every file of the package that git tracks, apart from tests, documents and the sources
of boards; and what is built: the browser client and the engines. Nobody who installs it needs Node
or a compiler, and the source distribution gives the same wheel, byte for byte.
"""

from __future__ import annotations

import argparse
import shutil
import subprocess
import sys
import tempfile
import tomllib
import zipfile
from fnmatch import fnmatch
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
sys.path.insert(0, str(ROOT / "scripts"))

import client  # noqa: E402

DIST = ROOT / "dist"
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
LEFT_OUT = PROJECT["tool"]["hatch"]["build"]["targets"]["wheel"]["exclude"]
BUILT = ("watermeet/notebook/static/", "watermeet/server/engines/", "watermeet/server/static/")


def version() -> str:
    """The version in pyproject.toml."""
    return str(PROJECT["project"]["version"])


def tracked() -> set[str]:
    """The files of the package that belong into a wheel, as git has them."""
    command = ["git", "ls-files", "-z", "--cached", "--others", "--exclude-standard"]
    listed = subprocess.run(
        [*command, "src/watermeet"], cwd=ROOT, check=True, capture_output=True, text=True
    )
    files = {file for file in listed.stdout.split("\0") if file and (ROOT / file).is_file()}
    kept = {file for file in files if not any(fnmatch(file, f"{each}/*") for each in LEFT_OUT)}
    return {file.removeprefix("src/") for file in kept}


def problems(wheel: Path, *, engines: bool = True) -> list[str]:
    """What is wrong with a wheel, in words."""
    with zipfile.ZipFile(wheel) as archive:
        inside = {name for name in archive.namelist() if ".dist-info/" not in name}
        metadata = archive.read(f"watermeet-{version()}.dist-info/METADATA").decode()
        stamp = "watermeet/server/static/stamp"
        page = archive.read(stamp).decode().strip() if stamp in inside else ""
    found = []
    wanted = tracked()
    plain = {name for name in inside if not name.startswith(BUILT)}
    found += [f"missing: {name}" for name in sorted(wanted - plain)]
    found += [f"doesn't belong there: {name}" for name in sorted(plain - wanted)]
    if "watermeet/server/static/index.html" not in inside:
        found.append("missing: the browser client")
    elif page != client.digest(client.sources()):
        found.append("the browser client is older than its sources")
    if "watermeet/notebook/static/board.js" not in inside:
        found.append("missing: the boards for notebooks")
    games = {name.split("/")[2] for name in wanted if fnmatch(name, "watermeet/games/*/rules.py")}
    for game in sorted(games if engines else ()):
        if f"watermeet/server/engines/{game}.wasm" not in inside:
            found.append(f"missing: the engine of {game}")
    if f"\nVersion: {version()}\n" not in metadata:
        found.append(f"the version isn't {version()}")
    return found


def build(into: Path = DIST, *, engines: bool = True) -> tuple[Path, Path]:
    """Build and return the wheel and the source distribution; exits if something is wrong."""
    if client.build() != 0:
        sys.exit("The browser client could not be built.")
    if engines:
        subprocess.run([sys.executable, str(ROOT / "scripts/engines.py")], cwd=ROOT, check=True)
    _hatch(ROOT, into, "-t", "sdist", "-t", "wheel")
    wheel = into / f"watermeet-{version()}-py3-none-any.whl"
    source = into / f"watermeet-{version()}.tar.gz"
    check(wheel, engines=engines)
    _check_source(source, wheel)
    return wheel, source


def check(wheel: Path, *, engines: bool = True) -> None:
    """Exit with a list of what is wrong, if anything is."""
    if found := problems(wheel, engines=engines):
        sys.exit("\n".join([f"{wheel.name}:", *found]))
    print(f"{wheel.name}: {wheel.stat().st_size:,} bytes, complete")


def _check_source(source: Path, wheel: Path) -> None:
    """Build a wheel from the source distribution: it must be the same."""
    with tempfile.TemporaryDirectory() as folder:
        shutil.unpack_archive(source, folder)  # Our own; Python 3.11.3 has no filters yet.
        again = Path(folder, "again")
        _hatch(Path(folder, source.name.removesuffix(".tar.gz")), again, "-t", "wheel")
        if (again / wheel.name).read_bytes() != wheel.read_bytes():
            sys.exit(f"{source.name} gives another wheel")
    print(f"{source.name}: {source.stat().st_size:,} bytes, gives the same wheel")


def _hatch(root: Path, into: Path, *targets: str) -> None:
    command = [sys.executable, "-m", "hatchling", "build", "-d", str(into), *targets]
    subprocess.run(command, cwd=root, check=True, capture_output=True)


def main() -> None:
    """Build, or check."""
    parser = argparse.ArgumentParser(description="Build the wheel and the source distribution.")
    parser.add_argument("--check", metavar="FILE", type=Path, help="only check this wheel")
    parser.add_argument("--into", metavar="FOLDER", type=Path, default=DIST, help="not dist/")
    parser.add_argument("--without-engines", action="store_true", help="for a quick wheel")
    arguments = parser.parse_args()
    if arguments.check is not None:
        check(arguments.check, engines=not arguments.without_engines)
    else:
        build(arguments.into.resolve(), engines=not arguments.without_engines)


if __name__ == "__main__":
    main()
