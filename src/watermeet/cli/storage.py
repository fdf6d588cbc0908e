"""Files: records that are read and saved, and the place where the match in progress is kept."""

from __future__ import annotations

import contextlib
import os
import sys
import tempfile
from pathlib import Path
from typing import TYPE_CHECKING

from watermeet.cli.errors import InvalidFile

if TYPE_CHECKING:
    from watermeet.core.record import Record

LARGEST_BYTES = 16 * 1024 * 1024
"""More is no record of a match: the longest that anybody played is a thousandth of it."""

LAST_MATCH = "last-match.txt"
PREVIOUS_MATCH = "previous-match.txt"


def read_text(path: Path) -> str:
    """The text of a file, or of standard input for ``-``; raises InvalidFile."""
    shown = repr(str(path))
    try:
        if str(path) == "-":
            content = sys.stdin.buffer.read(LARGEST_BYTES + 1) if sys.stdin else b""
        else:
            with path.open("rb") as file:
                content = file.read(LARGEST_BYTES + 1)
    except (OSError, ValueError) as error:
        reason = getattr(error, "strerror", None) or str(error)
        raise InvalidFile(f"{shown} cannot be read: {reason}", "is the name right?") from error
    if len(content) > LARGEST_BYTES:
        raise InvalidFile(f"{shown} is larger than any record", "is the name right?")
    try:
        return content.decode("utf-8")
    except UnicodeDecodeError as error:
        raise InvalidFile(
            f"{shown} is no text in UTF-8: byte {error.start} is wrong", "is it a record?"
        ) from error


def read_record(path: Path) -> Record:
    """The record in a file; raises InvalidFile, or what reading a record raises."""
    from watermeet.core.record import Record

    return Record.parse(read_text(path))


def write_text(path: Path, text: str, *, overwrite: bool) -> None:
    """Writes a file; raises InvalidFile, also when it is there and must not be overwritten."""
    try:
        with path.open("w" if overwrite else "x", encoding="utf-8") as file:
            file.write(text)
    except FileExistsError as error:
        raise InvalidFile(f"{str(path)!r} is there already", "choose another name") from error
    except (OSError, ValueError) as error:
        reason = getattr(error, "strerror", None) or str(error)
        raise InvalidFile(
            f"{str(path)!r} cannot be written: {reason}", "choose another name"
        ) from error


def state_folder() -> Path | None:
    """Where this user's programs keep what outlives them; None for a user without a home."""
    chosen = os.environ.get("XDG_STATE_HOME", "")
    if Path(chosen).is_absolute():
        return Path(chosen) / "watermeet"
    try:
        home = Path.home()
    except RuntimeError:
        return None
    if sys.platform == "darwin":
        return home / "Library" / "Application Support" / "watermeet"
    if os.name == "nt":
        return Path(os.environ.get("LOCALAPPDATA") or home) / "watermeet"
    return home / ".local" / "state" / "watermeet"


def last_match_file() -> Path:
    """Where the last match is kept; raises InvalidFile for a user without a home."""
    folder = state_folder()
    if folder is None:
        raise InvalidFile("this user has no home folder, so no match was kept", "use --load FILE")
    return folder / LAST_MATCH


class Keeper:
    """Keeps the match in progress, so that nothing is lost however the program ends."""

    def __init__(self, *, resumed: bool = False) -> None:
        self.kept_in: Path | None = None  # Stays None as long as nothing could be written.
        self._resumed = resumed

    def keep(self, text: str) -> None:
        """Writes the match, all or nothing; a failure to write must not stop play."""
        folder = state_folder()
        if folder is None:
            return
        target = folder / LAST_MATCH
        with contextlib.suppress(OSError):
            folder.mkdir(mode=0o700, parents=True, exist_ok=True)
            if self.kept_in is None and not self._resumed and target.exists():
                target.replace(folder / PREVIOUS_MATCH)
            with tempfile.TemporaryDirectory(dir=folder) as workplace:
                fresh = Path(workplace) / LAST_MATCH
                fresh.write_text(text, encoding="utf-8")
                fresh.replace(target)
            self.kept_in = target
