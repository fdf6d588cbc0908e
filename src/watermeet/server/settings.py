"""The settings of the server. All have defaults.

The environment (``WATERMEET_PORT=8080``) overrides a TOML file (``port = 8080``), which overrides
the default. docs/reference/settings.md lists them all, and a test compares it with this module.
"""

from __future__ import annotations

import os
import tomllib
from collections.abc import Mapping
from pathlib import Path
from typing import Annotated, Any, Literal, get_args, get_origin

import msgspec
import platformdirs
from msgspec import Meta

from watermeet.core.errors import suggest
from watermeet.server.errors import InvalidSettings

PREFIX = "WATERMEET_"
FILE_VARIABLE = "WATERMEET_SETTINGS"
OTHER_VARIABLES = ("WATERMEET_CACHE_DIR", "WATERMEET_NO_CLIENT")
"""Variables that other parts of Watermeet read."""


Count = Annotated[int, Meta(ge=1, le=1_000_000)]
Size = Annotated[int, Meta(ge=1_024, le=16_777_216)]
Rate = Annotated[int, Meta(ge=65_536, le=1_073_741_824)]
Seconds = Annotated[float, Meta(ge=0.1, le=86_400)]


class Settings(msgspec.Struct, frozen=True, kw_only=True):
    """Everything that can be configured."""

    host: str = "127.0.0.1"
    """Address to listen on; 0.0.0.0 for all."""
    port: Annotated[int, Meta(ge=0, le=65535)] = 8765
    """Port to listen on; 0 for any free one."""
    data_dir: str = ""
    """Folder of the database; empty: the user's data folder."""
    store_url: str = ""
    """postgresql://... for PostgreSQL; empty: a data folder's file."""
    bus_url: str = ""
    """redis://... or valkey://... to connect several nodes, one or more; empty: a single node."""
    public_url: str = ""
    """The server's public address, for links; empty: as the browser has it."""
    allowed_origins: tuple[str, ...] = ()
    """Other origins that may open sockets and post, separated by commas."""
    sign_up: Literal["open", "invited", "closed"] = "open"
    """Who may sign up: open: everybody; invited: by invitation, and only they begin matches."""
    smtp_url: str = ""
    """smtp://user:password@host:587 (STARTTLS) or smtps://... to send mail; empty: no mail."""
    mail_from: str = ""
    """The address that mail is from, such as Watermeet <play@example.org>."""
    allow_private_urls: bool = False
    """Whether push services may be on private networks, and without TLS."""
    vacation_days_per_year: Annotated[int, Meta(ge=0, le=60)] = 28
    """Days in any 365 on which somebody's time stands still in slow matches; 0: none."""
    guest_chat: bool = False
    """Whether guests take part in chats; otherwise only people with an account do."""
    words_file: str = ""
    """A file with further words that chat masks, one a line; empty: none."""
    workers: Annotated[int, Meta(ge=1, le=64)] = 1
    """Server processes that share the port; several need PostgreSQL and Valkey."""
    bot_workers: Annotated[int, Meta(ge=0, le=256)] = 1
    """Worker processes for bots, of each server process; 0: leave bots to other nodes."""
    metrics_token: str = ""
    """Token for /api/metrics; empty: only callers on this machine get them."""
    log_level: Literal["debug", "info", "warning", "error"] = "info"
    """Lowest level to log: debug, info, warning or error."""
    log_format: Literal["text", "json"] = "text"
    """text for people or json for programs."""
    max_request_bytes: Size = 65_536
    """Largest request or message."""
    max_record_bytes: Size = 1_048_576
    """Largest record to import."""
    max_queued_messages: Annotated[int, Meta(ge=8, le=65_536)] = 256
    """Unsent messages before a slow client is dropped."""
    max_cache_bytes: Annotated[int, Meta(ge=1_048_576, le=1_099_511_627_776)] = 268_435_456
    """Memory for matches, about; those that are in use stay in any case."""
    max_sockets: Count = 10_000
    """Open sockets of this node."""
    max_follows_per_socket: Annotated[int, Meta(ge=1, le=10_000)] = 64
    """Matches that one socket may follow."""
    creations_per_minute: Count = 60
    """Matches, guests, bots, joins and imports per address."""
    bot_matches_per_user: Count = 4
    """Running matches between bots alone that a user created through this node."""
    bot_matches_per_address: Count = 16
    """The same, for all users of an address."""
    open_matches_per_user: Count = 5
    """Public matches that wait for players, which a user created through this node."""
    open_matches_per_address: Count = 20
    """The same, for all users of an address."""
    seeks_per_address: Count = 20
    """Seeks of all users of an address who look for a match through this node."""
    requests_per_second: Count = 200
    """Requests and new sockets per address, on average."""
    messages_per_second: Count = 50
    """Messages per socket, on average."""
    frames_per_second: Count = 100
    """WebSocket frames per socket, on average; a message has one or more."""
    control_frames_per_second: Count = 5
    """Pings and pongs per socket, on average, below the level of messages."""
    max_fragments: Annotated[int, Meta(ge=2, le=65_536)] = 64
    """Frames of one message."""
    bytes_per_second: Rate = 262_144
    """Bytes per socket, on average."""
    frames_per_second_per_address: Count = 500
    """WebSocket frames of all sockets of an address, on average."""
    bytes_per_second_per_address: Rate = 2_097_152
    """Bytes that an address may send, on average."""
    connections_per_address: Count = 1_024
    """Open connections of an address, and at most a quarter of all."""
    max_header_bytes: Size = 65_536
    """Largest headers of a request, all together."""
    max_headers: Annotated[int, Meta(ge=16, le=1_000)] = 100
    """Headers of a request."""
    header_timeout_seconds: Seconds = 10.0
    """Time to send a request's headers."""
    body_timeout_seconds: Seconds = 30.0
    """Time to send a request's body."""
    response_timeout_seconds: Seconds = 30.0
    """Time to read 16 KiB of a response, or the rest of it."""
    trusted_proxies: tuple[str, ...] = ()
    """Addresses whose X-Forwarded-For is trusted, separated by commas."""
    ping_interval_seconds: Seconds = 2.5
    """How often clients ping."""
    idle_timeout_seconds: Annotated[float, Meta(ge=1, le=86_400)] = 30.0
    """A socket that is silent for this long is closed."""
    shutdown_timeout_seconds: Annotated[float, Meta(ge=0, le=86_400)] = 5.0
    """Time for sockets to finish when the server stops."""

    @property
    def database_url(self) -> str:
        """The URL of the database."""
        folder = self.data_folder
        return self.store_url if folder is None else f"sqlite:///{folder / 'watermeet.db'}"

    @property
    def contact(self) -> str:
        """Where push services find the host: a page or a mail address; empty if unknown."""
        if self.public_url.startswith("https://"):
            return self.public_url
        address = self.mail_from.rpartition("<")[2].strip("> ")
        return f"mailto:{address}" if "@" in address else ""

    @property
    def data_folder(self) -> Path | None:
        """The folder of the database; None if it is in no folder."""
        if self.store_url:
            return None
        return Path(self.data_dir).expanduser() if self.data_dir else default_data_dir()


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
        kind = known[name].type
        if kind == tuple[str, ...] and isinstance(value, str):
            value = [word.strip() for word in value.split(",") if word.strip()]  # noqa: PLW2901
        try:
            values[name] = msgspec.convert(value, kind, strict=False)
        except msgspec.ValidationError as error:
            hint = f"use {' or '.join(get_args(kind))}" if get_origin(kind) is Literal else ""
            raise InvalidSettings(f"{name} = {value!r}: {error}", hint) from error
    return Settings(**values)


def _from_file(path: Path) -> dict[str, Any]:
    try:
        return tomllib.loads(path.read_text(encoding="utf-8"))
    except OSError as error:
        raise InvalidSettings(f"can't read {str(path)!r}: {error.strerror}", "") from error
    except (tomllib.TOMLDecodeError, UnicodeDecodeError) as error:
        raise InvalidSettings(f"{str(path)!r} isn't valid TOML: {error}", "") from error
