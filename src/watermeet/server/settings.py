"""The settings of the server. All have defaults.

The environment (``WATERMEET_PORT=8080``) overrides a TOML file (``port = 8080``), which overrides
the default. docs/reference/settings.md lists them all, and a test compares it with this module.
"""

from __future__ import annotations

import os
import tomllib
from collections.abc import Mapping
from pathlib import Path
from typing import Annotated, Any, Literal

import msgspec
import platformdirs
from msgspec import Meta

from watermeet.core.errors import suggest
from watermeet.server.errors import InvalidSettings

PREFIX = "WATERMEET_"
FILE_VARIABLE = "WATERMEET_SETTINGS"
OTHER_VARIABLES = ("WATERMEET_CACHE_DIR", "WATERMEET_NO_CLIENT")
"""Variables that other parts of Watermeet read."""


class Settings(msgspec.Struct, frozen=True, kw_only=True):
    """Everything that can be configured."""

    host: Annotated[str, Meta(description="Address to listen on; 0.0.0.0 for all.")] = "127.0.0.1"
    port: Annotated[
        int, Meta(description="Port to listen on; 0 for any free one.", ge=0, le=65535)
    ] = 8765
    data_dir: Annotated[
        str, Meta(description="Folder of the database; empty: the user's data folder.")
    ] = ""
    store_url: Annotated[
        str, Meta(description="postgresql://... for PostgreSQL; empty: a file in the data folder.")
    ] = ""
    bus_url: Annotated[
        str, Meta(description="redis://... or valkey://... to connect nodes; empty: a single node.")
    ] = ""
    public_url: Annotated[
        str, Meta(description="The server's public address, for links; empty: as requested.")
    ] = ""
    allowed_origins: Annotated[
        tuple[str, ...],
        Meta(description="Other origins that may open sockets and post, separated by commas."),
    ] = ()
    bot_workers: Annotated[
        int,
        Meta(description="Worker processes for bots; 0: leave them to other nodes.", ge=0, le=256),
    ] = 1
    log_level: Annotated[
        Literal["debug", "info", "warning", "error"],
        Meta(description="Lowest level to log: debug, info, warning or error."),
    ] = "info"
    log_format: Annotated[
        Literal["text", "json"], Meta(description="text for people or json for programs.")
    ] = "text"
    max_request_bytes: Annotated[
        int, Meta(description="Largest request or message.", ge=1_024, le=16_777_216)
    ] = 65_536
    max_record_bytes: Annotated[
        int, Meta(description="Largest record to import.", ge=1_024, le=16_777_216)
    ] = 1_048_576
    max_queued_messages: Annotated[
        int, Meta(description="Unsent messages before a slow client is dropped.", ge=8, le=65_536)
    ] = 256
    max_sockets: Annotated[
        int, Meta(description="Open sockets of this node.", ge=1, le=1_000_000)
    ] = 10_000
    max_follows_per_socket: Annotated[
        int, Meta(description="Matches that one socket may follow.", ge=1, le=10_000)
    ] = 64
    creations_per_minute: Annotated[
        int,
        Meta(
            description="Matches, guests, bots, joins and imports per address.", ge=1, le=1_000_000
        ),
    ] = 60
    requests_per_second: Annotated[
        int,
        Meta(description="Requests and new sockets per address, on average.", ge=1, le=1_000_000),
    ] = 200
    messages_per_second: Annotated[
        int, Meta(description="Messages per socket, on average.", ge=1, le=1_000_000)
    ] = 50
    trusted_proxies: Annotated[
        tuple[str, ...],
        Meta(description="Addresses whose X-Forwarded-For is trusted, separated by commas."),
    ] = ()
    ping_interval_seconds: Annotated[
        float, Meta(description="How often clients ping.", ge=0.1, le=3600)
    ] = 2.5
    idle_timeout_seconds: Annotated[
        float,
        Meta(description="Close a socket that is silent for this long.", ge=1, le=86_400),
    ] = 30.0
    shutdown_timeout_seconds: Annotated[
        float, Meta(description="Time for sockets to finish when the server stops.", ge=0, le=3600)
    ] = 5.0

    @property
    def database_url(self) -> str:
        """The URL of the database."""
        if self.store_url:
            return self.store_url
        given = Path(self.data_dir).expanduser() if self.data_dir else None
        return f"sqlite:///{(given or default_data_dir()) / 'watermeet.db'}"


def default_data_dir() -> Path:
    """The user's data folder."""
    return platformdirs.user_data_path("watermeet", appauthor=False)


def read_settings(
    environ: Mapping[str, str] | None = None,
    file: Path | None = None,
    overrides: Mapping[str, object] | None = None,
) -> Settings:
    """Settings from a file, the environment and the command line; the later ones win.

    Raises InvalidSettings for an unknown name or an invalid value.
    """
    environ = os.environ if environ is None else environ
    if file is None and environ.get(FILE_VARIABLE):
        file = Path(environ[FILE_VARIABLE])
    values: dict[str, Any] = {} if file is None else _from_file(file)
    for variable, text in environ.items():
        if variable.startswith(PREFIX) and variable not in (FILE_VARIABLE, *OTHER_VARIABLES):
            values[variable.removeprefix(PREFIX).lower()] = text
    values |= {name: value for name, value in (overrides or {}).items() if value is not None}
    known = {field.name: field for field in msgspec.structs.fields(Settings)}
    for name, value in values.items():
        if name not in known:
            raise InvalidSettings(f"there is no setting {name!r}", suggest(name, list(known)))
        if isinstance(known[name].default, tuple) and isinstance(value, str):
            value = [word.strip() for word in value.split(",") if word.strip()]  # noqa: PLW2901
        try:
            values[name] = msgspec.convert(value, known[name].type, strict=False)
        except msgspec.ValidationError as error:
            raise InvalidSettings(f"{name} = {value!r}: {error}", describe(known[name])) from error
    return Settings(**values)


def describe(setting: msgspec.structs.FieldInfo) -> str:
    """The description of a setting."""
    meta: Meta = setting.type.__metadata__[0]
    return meta.description or ""


def _from_file(path: Path) -> dict[str, Any]:
    try:
        return tomllib.loads(path.read_text(encoding="utf-8"))
    except OSError as error:
        raise InvalidSettings(f"can't read {str(path)!r}: {error.strerror}", "") from error
    except (tomllib.TOMLDecodeError, UnicodeDecodeError) as error:
        raise InvalidSettings(f"{str(path)!r} isn't valid TOML: {error}", "") from error
