"""Files: reading and saving records, and autosaving the match in progress."""

from __future__ import annotations

import contextlib
import sys
import tempfile
from pathlib import Path
from typing import TYPE_CHECKING

from watermeet.cli.errors import InvalidFile

if TYPE_CHECKING:
    from watermeet.core.record import Record

MAX_BYTES = 16 * 1024 * 1024
"""A thousand times the longest match anybody played."""

LAST_MATCH = "last-match.txt"
PREVIOUS_MATCH = "previous-match.txt"


def read_text(path: Path) -> str:
    """Read a file, or standard input for ``-``; raises InvalidFile."""
    shown = repr(str(path))
    try:
        if str(path) == "-":
            content = sys.stdin.buffer.read(MAX_BYTES + 1) if sys.stdin else b""
        else:
            with path.open("rb") as file:
                content = file.read(MAX_BYTES + 1)
    except (OSError, ValueError) as error:
        reason = getattr(error, "strerror", None) or str(error)
        raise InvalidFile(f"{shown} can't be read: {reason}", "check the file name") from error
    if len(content) > MAX_BYTES:
        raise InvalidFile(f"{shown} is too large to be a record", "check the file name")
    try:
        return content.decode("utf-8")
    except UnicodeDecodeError as error:
        raise InvalidFile(
            f"{shown} isn't UTF-8 text (byte {error.start})", "is it a record?"
        ) from error


def read_record(path: Path) -> Record:
    """Read the record in a file; raises InvalidFile or InvalidRecord."""
    from watermeet.core.record import Record

    return Record.parse(read_text(path))


def write_text(path: Path, text: str, *, overwrite: bool) -> None:
    """Write a file; raises InvalidFile if it can't, or if it exists and ``overwrite`` is off."""
    try:
        with path.open("w" if overwrite else "x", encoding="utf-8") as file:
            file.write(text)
    except FileExistsError as error:
        raise InvalidFile(f"{str(path)!r} already exists", "choose another name") from error
    except (OSError, ValueError) as error:
        reason = getattr(error, "strerror", None) or str(error)
        raise InvalidFile(
            f"{str(path)!r} can't be written: {reason}", "choose another name"
        ) from error


def state_folder() -> Path | None:
    """The user's folder for program state; None for a user without a home."""
    from platformdirs import user_state_path

    try:
        return user_state_path("watermeet", appauthor=False)
    except RuntimeError:
        return None


def last_match_file() -> Path:
    """Where the last match is saved; raises InvalidFile for a user without a home."""
    folder = state_folder()
    if folder is None:
        raise InvalidFile("you have no home folder, so no match was saved", "use --load FILE")
    return folder / LAST_MATCH


class Autosave:
    """Saves the match in progress, so that nothing is lost however the program ends."""

    def __init__(self, *, resumed: bool = False) -> None:
        self.path: Path | None = None
        """Where the match was saved; None as long as nothing could be written."""
        self._resumed = resumed

    def save(self, text: str) -> None:
        """Save the match atomically; failing to write must not stop play."""
        folder = state_folder()
        if folder is None:
            return
        target = folder / LAST_MATCH
        with contextlib.suppress(OSError):
            folder.mkdir(mode=0o700, parents=True, exist_ok=True)
            if self.path is None and not self._resumed and target.exists():
                target.replace(folder / PREVIOUS_MATCH)
            with tempfile.TemporaryDirectory(dir=folder) as workplace:
                fresh = Path(workplace) / LAST_MATCH
                fresh.write_text(text, encoding="utf-8")
                fresh.replace(target)
            self.path = target
