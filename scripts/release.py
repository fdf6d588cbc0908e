"""Make a release: ``python scripts/release.py VERSION [--dry-run]``, or ``make release VERSION=…``.

It sets the version, gives the changelog's section *Unreleased* its name and date, builds the wheel,
the source distribution and the bill of materials, checks all of them, installs the wheel into an
empty environment and plays with it, commits, and tags. It pushes and uploads nothing. With
--dry-run, or if anything fails, the source tree is left as it was.

    dist/watermeet-VERSION-py3-none-any.whl   dist/watermeet-VERSION.tar.gz
    dist/sbom.cdx.json                        dist/SHA256SUMS
"""

from __future__ import annotations

import argparse
import hashlib
import re
import subprocess
import sys
from datetime import UTC, datetime
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
sys.path.insert(0, str(ROOT / "scripts"))

import client  # noqa: E402

PYPROJECT, CHANGELOG = ROOT / "pyproject.toml", ROOT / "CHANGELOG.md"
CHANGED = ("pyproject.toml", "CHANGELOG.md", "docs/reference/licenses.md")
UNRELEASED = "## Unreleased\n"
VERSION = re.compile(r"(0|[1-9]\d*)\.(0|[1-9]\d*)\.(0|[1-9]\d*)(?:(a|b|rc)(\d+))?")
"""A semantic version, with a pre-release as Python writes it: 1.2.0, 1.2.0rc1."""
_LINE = re.compile(r'^version = "([^"]+)"', re.MULTILINE)


def order(version: str) -> tuple[int | str, ...]:
    """What versions are sorted by; exits if it isn't one."""
    found = VERSION.fullmatch(version)
    if found is None:
        sys.exit(f"{version!r} isn't a version such as 1.2.0 or 1.2.0rc1")
    major, minor, patch, kind, number = found.groups()
    return int(major), int(minor), int(patch), kind or "z", int(number or 0)


def released(changelog: str, version: str, day: str) -> str:
    """The changelog with *Unreleased* as this version; exits if there is nothing in it."""
    if not section(changelog, "Unreleased"):
        sys.exit("The changelog has nothing under Unreleased.")
    return changelog.replace(UNRELEASED, f"{UNRELEASED}\n## {version} ({day})\n", 1)


def section(changelog: str, name: str) -> str:
    """What the changelog says about a version."""
    found = re.search(
        rf"^## {re.escape(name)}\b[^\n]*\n(.*?)(?=^## |\Z)", changelog, re.MULTILINE | re.DOTALL
    )
    return found[1].strip() if found else ""


def present_version() -> str:
    """The version in pyproject.toml."""
    found = _LINE.search(PYPROJECT.read_text(encoding="utf-8"))
    assert found is not None, "pyproject.toml has a version"
    return found[1]


def git(*arguments: str) -> str:
    """What git prints."""
    command = ["git", *arguments]
    return subprocess.run(command, cwd=ROOT, check=True, capture_output=True, text=True).stdout


def check_tree(version: str) -> None:
    """Exit unless this tree can be released as this version."""
    present = present_version()
    if order(version) < order(present):
        sys.exit(f"{version} is older than {present}")
    if git("status", "--porcelain"):
        sys.exit("There are changes that aren't committed.")
    if git("tag", "--list", f"v{version}"):
        sys.exit(f"There is a tag v{version} already.")
    if games := client.installed_boards():
        sys.exit(f"Uninstall these games, or their boards would be in the page: {', '.join(games)}")


def write_version(version: str) -> None:
    """Set the version, and name the changelog's section."""
    text = PYPROJECT.read_text(encoding="utf-8")
    PYPROJECT.write_text(_LINE.sub(f'version = "{version}"', text, count=1), encoding="utf-8")
    changelog = CHANGELOG.read_text(encoding="utf-8")
    day = datetime.now(UTC).date().isoformat()
    CHANGELOG.write_text(released(changelog, version, day), encoding="utf-8")


def build_and_check(version: str, *, engines: bool) -> None:
    """Build everything into dist/, and check it."""
    for old in (ROOT / "dist").glob("watermeet-*"):
        old.unlink()
    _run("scripts/package.py", *([] if engines else ["--without-engines"]))
    _run("scripts/sbom.py")
    files = sorted((ROOT / "dist").glob(f"watermeet-{version}*"))
    twine = [sys.executable, "-m", "uv", "tool", "run", "--quiet", "twine"]
    subprocess.run([*twine, "check", "--strict", *map(str, files)], cwd=ROOT, check=True)
    _run("scripts/install_check.py")
    files.append(ROOT / "dist" / "sbom.cdx.json")
    lines = [f"{hashlib.sha256(file.read_bytes()).hexdigest()}  {file.name}\n" for file in files]
    (ROOT / "dist" / "SHA256SUMS").write_text("".join(lines), encoding="utf-8")
    sys.stdout.write("".join(lines))


def _run(script: str, *arguments: str) -> None:
    subprocess.run([sys.executable, script, *arguments], cwd=ROOT, check=True)


def main() -> None:
    """Make the release."""
    parser = argparse.ArgumentParser(description="Make a release.")
    parser.add_argument("version", metavar="VERSION", help="such as 1.2.0 or 1.2.0rc1")
    parser.add_argument("--dry-run", action="store_true", help="change nothing but dist/")
    parser.add_argument("--without-engines", action="store_true", help="with --dry-run: quicker")
    chosen = parser.parse_args()
    if chosen.without_engines and not chosen.dry_run:
        parser.error("a release has engines")
    check_tree(chosen.version)
    is_made = False
    try:
        write_version(chosen.version)
        build_and_check(chosen.version, engines=not chosen.without_engines)
        if not chosen.dry_run:
            notes = section(CHANGELOG.read_text(encoding="utf-8"), chosen.version)
            git("commit", "-q", "-m", f"[release] Release {chosen.version}", "--", *CHANGED)
            is_made = True
            # Headings of the changelog would be comments to git.
            message = f"Watermeet {chosen.version}\n\n{notes}"
            git("tag", "-a", f"v{chosen.version}", "--cleanup=verbatim", "-m", message)
    except subprocess.CalledProcessError as error:
        sys.exit(f"{error}\n{error.stderr or ''}")
    finally:
        if not is_made:
            git("checkout", "-q", "--", *CHANGED)
    if chosen.dry_run:
        print("Everything is fine; it was a dry run.")
    else:
        print(f"Made v{chosen.version}. To publish it: git push --follow-tags, or upload dist/.")


if __name__ == "__main__":
    main()
