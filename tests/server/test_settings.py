"""Settings from a file, the environment and the command line."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

from watermeet.server.errors import InvalidSettings
from watermeet.server.settings import Settings, default_data_dir, read_settings


def test_environment_overrides_file_and_command_line_overrides_both(
    tmp_path: Path,
) -> None:
    file = tmp_path / "settings.toml"
    file.write_text('port = 1\nhost = "h"\nlog_level = "debug"\n', encoding="utf-8")
    environ = {"WATERMEET_PORT": "2", "WATERMEET_LOG_LEVEL": "error"}
    found = read_settings(environ, file, {"log_level": "warning", "host": None})
    assert (found.port, found.host, found.log_level) == (2, "h", "warning")


def test_the_environment_may_name_the_file(tmp_path: Path) -> None:
    file = tmp_path / "settings.toml"
    file.write_text("ping_interval_seconds = 3\n", encoding="utf-8")
    assert read_settings({"WATERMEET_SETTINGS": str(file)}).ping_interval_seconds == 3.0


def test_commas_separate_lists(tmp_path: Path) -> None:
    found = read_settings({"WATERMEET_ALLOWED_ORIGINS": "https://a.example, https://b.example,"})
    assert found.allowed_origins == ("https://a.example", "https://b.example")
    file = tmp_path / "settings.toml"
    file.write_text('allowed_origins = ["https://c.example"]\n', encoding="utf-8")
    assert read_settings({}, file).allowed_origins == ("https://c.example",)


@pytest.mark.parametrize(
    ("environ", "message"),
    [
        ({"WATERMEET_PROT": "1"}, "did you mean 'port'"),
        ({"WATERMEET_PORT": "many"}, "expected `int`"),
        ({"WATERMEET_PORT": "1.5"}, "expected `int`"),
        ({"WATERMEET_PORT": "65536"}, "`int` <= 65535"),
        ({"WATERMEET_PING_INTERVAL_SECONDS": "0"}, "`float` >= 0.1"),
        ({"WATERMEET_PING_INTERVAL_SECONDS": "soon"}, "expected `float`"),
        ({"WATERMEET_PING_INTERVAL_SECONDS": "nan"}, "`float` >= 0.1"),
        ({"WATERMEET_LOG_FORMAT": "xml"}, "use text or json"),
        ({"WATERMEET_SETTINGS": "/nowhere/at/all.toml"}, "can't read"),
    ],
)
def test_an_invalid_setting_is_rejected_with_a_hint(environ: dict[str, str], message: str) -> None:
    with pytest.raises(InvalidSettings) as caught:
        read_settings(environ)
    assert message in str(caught.value).lower()


def test_a_file_with_a_mistake_is_rejected(tmp_path: Path) -> None:
    file = tmp_path / "settings.toml"
    mistakes = ("port = true", "port = 1.5", "host = 3", "port =", "x = 1")
    for line in (*mistakes, "allowed_origins = 3", "allowed_origins = [3]"):
        file.write_text(line, encoding="utf-8")
        with pytest.raises(InvalidSettings):
            read_settings({}, file)


def test_other_variables_are_ignored() -> None:
    environ = {"WATERMEET_CACHE_DIR": "/x", "PATH": "/bin", "watermeet_port": "3"}
    assert read_settings(environ) == Settings()


def test_where_the_database_is(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path))
    if sys.platform == "linux":
        assert default_data_dir() == tmp_path / "watermeet"
    assert Settings().database_url == f"sqlite:///{default_data_dir()}/watermeet.db"
    assert Settings(data_dir=str(tmp_path)).database_url == f"sqlite:///{tmp_path}/watermeet.db"
    assert Settings(store_url="postgresql://x/y").database_url == "postgresql://x/y"
