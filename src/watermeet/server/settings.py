"""Settings of the server: each has a name, a meaning and a default, and comes from one of three.

The environment (``WATERMEET_PORT=8080``) outranks a TOML file (``port = 8080``), which outranks the
default. docs/reference/settings.md lists them all, and a test holds it against this file. Nothing
has to be set.
"""

from __future__ import annotations

import os
import sys
import tomllib
import types
from collections.abc import Mapping
from dataclasses import dataclass, field, fields
from pathlib import Path
from typing import Any, get_args, get_type_hints

from watermeet.core.errors import suggest
from watermeet.server.errors import InvalidSettings

PREFIX = "WATERMEET_"
FILE_VARIABLE = "WATERMEET_SETTINGS"


def _setting(default: Any, meaning: str, **more: Any) -> Any:
    return field(default=default, metadata={"meaning": meaning, **more})


@dataclass(frozen=True)
class Settings:
    """All that can be set."""

    host: str = _setting("127.0.0.1", "The address to listen at; 0.0.0.0 for every one.")
    port: int = _setting(8765, "The port to listen at; 0 for any that is free.", low=0, high=65535)
    data_dir: str = _setting("", "The folder of the database; empty: the user's own data folder.")
    store_url: str = _setting(
        "", "postgresql://... for a database server; empty: one file in the folder."
    )
    bus_url: str = _setting(
        "", "redis://... or valkey://... to join several nodes; empty: there is one node."
    )
    public_url: str = _setting(
        "", "How people reach the server, for links that they pass on; empty: as they came."
    )
    allowed_origins: tuple[str, ...] = _setting(
        (), "Other pages that may open sockets and post, set apart by commas."
    )
    bot_workers: int = _setting(
        1, "Processes that think for bots; 0: some other node does.", low=0, high=256
    )
    log_level: str = _setting(
        "info", "What is logged at least.", choices=("debug", "info", "warning", "error")
    )
    log_format: str = _setting(
        "text", "Lines for people, or JSON for programs.", choices=("text", "json")
    )
    max_request_bytes: int = _setting(
        65_536, "The largest request or message, in bytes.", low=1_024, high=16_777_216
    )
    max_record_bytes: int = _setting(
        1_048_576, "The largest record to bring in, in bytes.", low=1_024, high=16_777_216
    )
    max_queued_messages: int = _setting(
        256, "Messages that wait for a slow client before it is dropped.", low=8, high=65_536
    )
    max_sockets: int = _setting(
        10_000, "Sockets of this node at the same time.", low=1, high=1_000_000
    )
    max_follows_per_socket: int = _setting(
        64, "Matches that one socket may follow at the same time.", low=1, high=10_000
    )
    creations_per_minute: int = _setting(
        60, "Matches, guests, seats and records of one address in a minute.", low=1, high=1_000_000
    )
    requests_per_second: int = _setting(
        200, "Requests and new sockets of one address, on average.", low=1, high=1_000_000
    )
    messages_per_second: int = _setting(
        50, "Messages that one socket may send, on average.", low=1, high=1_000_000
    )
    trusted_proxies: tuple[str, ...] = _setting(
        (), "Addresses whose X-Forwarded-For is believed, set apart by commas."
    )
    ping_interval_seconds: float = _setting(
        2.5, "How long after an answer a client asks again whether it is still heard.", low=0.1
    )
    idle_timeout_seconds: float = _setting(
        30.0, "A socket that says nothing for so long is closed.", low=1.0
    )
    shutdown_timeout_seconds: float = _setting(
        5.0, "How long sockets may take to finish when the server stops.", low=0.0
    )

    @property
    def folder(self) -> Path:
        """Where the database of one machine lies."""
        return Path(self.data_dir).expanduser() if self.data_dir else default_folder(os.environ)

    @property
    def database_url(self) -> str:
        """What the store is opened with."""
        return self.store_url or f"sqlite:///{self.folder / 'watermeet.db'}"


def default_folder(environ: Mapping[str, str]) -> Path:
    """The user's own folder for data, as the system has it."""
    if sys.platform == "darwin":
        return Path.home() / "Library" / "Application Support" / "watermeet"
    base = environ.get("XDG_DATA_HOME", "")
    return (Path(base) if base else Path.home() / ".local" / "share") / "watermeet"


def read_settings(
    environ: Mapping[str, str] | None = None,
    file: Path | None = None,
    changes: Mapping[str, object] | None = None,
) -> Settings:
    """Settings of the file, the environment and the command line, in rising rank.

    Raises InvalidSettings for a name that nobody knows, or a value that a setting cannot take.
    """
    environ = os.environ if environ is None else environ
    named = environ.get(FILE_VARIABLE, "")
    file = file or (Path(named) if named else None)
    values: dict[str, object] = {}
    if file is not None:
        values |= _of_file(file)
    values |= _of_environment(environ)
    values |= {name: value for name, value in (changes or {}).items() if value is not None}
    hints = get_type_hints(Settings)
    known = {each.name: each for each in fields(Settings)}
    checked: dict[str, Any] = {
        name: _checked(known[name], hints[name], value) for name, value in values.items()
    }
    return Settings(**checked)


def _of_file(path: Path) -> dict[str, object]:
    try:
        values = tomllib.loads(path.read_text(encoding="utf-8"))
    except OSError as error:
        raise InvalidSettings(f"{str(path)!r} cannot be read: {error.strerror}", "") from error
    except (tomllib.TOMLDecodeError, UnicodeDecodeError) as error:
        raise InvalidSettings(f"{str(path)!r} is no TOML: {error}", "") from error
    for name in values:
        _check_name(name, str(path))
    return values


def _of_environment(environ: Mapping[str, str]) -> dict[str, object]:
    """A variable of ours that sets nothing is refused: it would be a slip of the pen."""
    values: dict[str, object] = {}
    for variable, text in environ.items():
        if variable.startswith(PREFIX) and variable not in (FILE_VARIABLE, *NOT_OURS):
            name = variable.removeprefix(PREFIX).lower()
            _check_name(name, variable)
            values[name] = text
    return values


NOT_OURS = ("WATERMEET_CACHE_DIR",)
"""Variables that other parts read."""


def _check_name(name: str, where: str) -> None:
    names = [each.name for each in fields(Settings)]
    if name not in names:
        raise InvalidSettings(f"{name!r} in {where} is no setting", suggest(name, names))


def _checked(setting: Any, hint: Any, value: object) -> object:
    """A value as its setting has it; texts of the environment are read."""
    read = _read(setting.name, hint, value)
    low, high = setting.metadata.get("low"), setting.metadata.get("high")
    # Told the other way round, so that no comparison with nan is true.
    if not (low is None or read >= low) or not (high is None or read <= high):
        span = f"at least {low}" if high is None else f"from {low} to {high}"
        raise InvalidSettings(f"{setting.name} is {value!r}", f"it is {span}")
    choices = setting.metadata.get("choices")
    if choices and read not in choices:
        raise InvalidSettings(f"{setting.name} is {value!r}", f"it is one of {', '.join(choices)}")
    return read


def _read(name: str, hint: Any, value: object) -> Any:
    if isinstance(hint, types.GenericAlias) or get_args(hint):
        words = value.split(",") if isinstance(value, str) else value
        if isinstance(words, list | tuple) and all(isinstance(word, str) for word in words):
            return tuple(word.strip() for word in words if word.strip())
        raise InvalidSettings(f"{name} is {value!r}", "it is a list of texts")
    if hint is str:
        if isinstance(value, str):
            return value
        raise InvalidSettings(f"{name} is {value!r}", "it is a text")
    # Python counts True as 1, and cuts 1.5 to 1; people do neither.
    is_odd = isinstance(value, bool) or (hint is int and isinstance(value, float))
    try:
        return hint(None if is_odd else value)
    except (TypeError, ValueError):
        kind = "a whole number" if hint is int else "a number"
        raise InvalidSettings(f"{name} is {value!r}", f"it is {kind}") from None
