"""Settings: from a file, the environment and the command line; and the page that lists them."""

from __future__ import annotations

from dataclasses import fields
from pathlib import Path

import pytest

from watermeet.server.errors import InvalidSettings
from watermeet.server.settings import PREFIX, Settings, default_folder, read_settings

PAGE = Path(__file__).parents[2] / "docs" / "reference" / "settings.md"


def test_nothing_has_to_be_set() -> None:
    assert read_settings({}) == Settings()


def test_the_environment_outranks_the_file_and_the_command_line_both(tmp_path: Path) -> None:
    file = tmp_path / "settings.toml"
    file.write_text('port = 1\nhost = "h"\nlog_level = "debug"\n', encoding="utf-8")
    environ = {"WATERMEET_PORT": "2", "WATERMEET_LOG_LEVEL": "error"}
    found = read_settings(environ, file, {"log_level": "warning", "host": None})
    assert (found.port, found.host, found.log_level) == (2, "h", "warning")


def test_the_environment_may_name_the_file(tmp_path: Path) -> None:
    file = tmp_path / "settings.toml"
    file.write_text("ping_interval_seconds = 3\n", encoding="utf-8")
    assert read_settings({"WATERMEET_SETTINGS": str(file)}).ping_interval_seconds == 3.0


def test_lists_are_set_apart_by_commas(tmp_path: Path) -> None:
    found = read_settings({"WATERMEET_ALLOWED_ORIGINS": "https://a.example, https://b.example,"})
    assert found.allowed_origins == ("https://a.example", "https://b.example")
    file = tmp_path / "settings.toml"
    file.write_text('allowed_origins = ["https://c.example"]\n', encoding="utf-8")
    assert read_settings({}, file).allowed_origins == ("https://c.example",)


@pytest.mark.parametrize(
    ("environ", "told"),
    [
        ({"WATERMEET_PROT": "1"}, "did you mean 'port'"),
        ({"WATERMEET_PORT": "many"}, "a whole number"),
        ({"WATERMEET_PORT": "1.5"}, "a whole number"),
        ({"WATERMEET_PORT": "65536"}, "from 0 to 65535"),
        ({"WATERMEET_PING_INTERVAL_SECONDS": "0"}, "at least 0.1"),
        ({"WATERMEET_PING_INTERVAL_SECONDS": "soon"}, "a number"),
        ({"WATERMEET_PING_INTERVAL_SECONDS": "nan"}, "at least 0.1"),
        ({"WATERMEET_LOG_FORMAT": "xml"}, "text, json"),
        ({"WATERMEET_SETTINGS": "/nowhere/at/all.toml"}, "cannot be read"),
    ],
)
def test_what_cannot_be_set_is_refused_with_what_would_do(
    environ: dict[str, str], told: str
) -> None:
    with pytest.raises(InvalidSettings) as caught:
        read_settings(environ)
    assert told in str(caught.value).lower()


@pytest.mark.parametrize(
    "line",
    [
        "port = true",
        "port = 1.5",
        "host = 3",
        "allowed_origins = 3",
        "allowed_origins = [3]",
        "port =",
        "x = 1",
    ],
)
def test_a_file_with_a_slip_is_refused(tmp_path: Path, line: str) -> None:
    file = tmp_path / "settings.toml"
    file.write_text(line, encoding="utf-8")
    with pytest.raises(InvalidSettings):
        read_settings({}, file)


def test_variables_of_others_are_left_alone() -> None:
    environ = {"WATERMEET_CACHE_DIR": "/x", "PATH": "/bin", "watermeet_port": "3"}
    assert read_settings(environ) == Settings()


def test_where_the_database_lies(tmp_path: Path) -> None:
    assert default_folder({"XDG_DATA_HOME": str(tmp_path)}).name == "watermeet"
    assert Settings(data_dir=str(tmp_path)).database_url == f"sqlite:///{tmp_path}/watermeet.db"
    assert Settings(store_url="postgresql://x/y").database_url == "postgresql://x/y"


def test_the_page_lists_every_setting_with_its_default_and_meaning() -> None:
    lines = PAGE.read_text(encoding="utf-8").splitlines()
    rows = [line for line in lines if line.startswith(f"| `{PREFIX}")]
    wanted = []
    for each in fields(Settings):
        default = ",".join(each.default) if isinstance(each.default, tuple) else each.default
        shown = f"`{default}`" if default != "" else "(empty)"
        meaning = each.metadata["meaning"]
        choices = each.metadata.get("choices")
        meaning += f" One of {', '.join(choices)}." if choices else ""
        wanted.append(f"| `{PREFIX}{each.name.upper()}` | {shown} | {meaning} |")
    assert rows == wanted
