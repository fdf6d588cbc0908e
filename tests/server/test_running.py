"""A second start opens the page that is running, a busy port doesn't stop anybody, and ``./play``
takes the options of the server."""

from __future__ import annotations

import os
import re
import shutil
import socket
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from watermeet.server.running import running_server

ROOT = Path(__file__).parents[2]
SERVE = (sys.executable, "-m", "watermeet", "serve", "--join", "--no-open")


def environment(**changes: str) -> dict[str, str]:
    paths = os.pathsep.join(path for path in sys.path if path)
    kept = {name: text for name, text in os.environ.items() if not name.startswith("WATERMEET_")}
    return {**kept, "PYTHONPATH": paths, "NUMBA_DISABLE_JIT": "1", **changes}


@contextmanager
def started(*options: str, **changes: str) -> Iterator[tuple[subprocess.Popen[str], str]]:
    """A server, and what it printed until it was running."""
    process = subprocess.Popen(
        [*SERVE, *options], env=environment(**changes), stderr=subprocess.PIPE, text=True
    )
    printed = ""
    try:
        assert process.stderr is not None
        while "is running at" not in printed:
            line = process.stderr.readline()
            assert line, printed
            printed += line
        yield process, printed
    finally:
        process.kill()
        process.communicate()


def address_in(text: str) -> str:
    found = re.search(r"running at (\S+)", text)
    assert found, text
    return found[1]


@pytest.mark.slow
def test_a_second_start_opens_the_page_that_is_running(tmp_path: Path) -> None:
    where = ("--data-dir", str(tmp_path))
    with started(*where, "--port", "0") as (process, printed):
        second = subprocess.run(
            [*SERVE, *where, "--lan"], env=environment(), check=True, capture_output=True, text=True
        )
        assert f"Watermeet is already running at {address_in(printed)}" in second.stderr
        assert "It was started without --lan" in second.stderr
        assert running_server(tmp_path / "elsewhere") is None
        process.kill()  # A server that is killed leaves its files behind.
        process.wait()
        assert running_server(tmp_path) is None


@pytest.mark.slow
def test_a_busy_port_is_exchanged_for_a_free_one_unless_it_was_asked_for(tmp_path: Path) -> None:
    where = ("--data-dir", str(tmp_path))
    with socket.create_server(("127.0.0.1", 0)) as other:
        busy = str(other.getsockname()[1])
        with started(*where, WATERMEET_PORT=busy) as (_, printed):
            assert f"Another program uses port {busy}" in printed
            assert not address_in(printed).endswith(f":{busy}/")
        refused = subprocess.run(
            [*SERVE, *where, "--port", busy],
            env=environment(), check=False, capture_output=True, text=True,
        )  # fmt: skip
    assert refused.returncode != 0
    assert f"can't listen on 127.0.0.1:{busy}" in refused.stderr


@pytest.mark.parametrize(
    ("given", "expected"),
    [
        ("", "serve --join"),
        ("--lan", "serve --join --lan"),
        ("--port 9000 --lan", "serve --join --port 9000 --lan"),
        ("--port=9000", "serve --join --port=9000"),
        ("--data-dir here --no-open", "serve --join --data-dir here --no-open"),
        ("--settings here", "serve --join --settings here"),
        ("--host ::1", "serve --join --host ::1"),
        ("terminal", "play"),
        ("--resume", "play --resume"),
        ("flume --option size=7", "play flume --option size=7"),
    ],
)
@pytest.mark.skipif(os.name == "nt", reason="a shell script")
def test_play_takes_the_options_of_the_server(tmp_path: Path, given: str, expected: str) -> None:
    shutil.copy(ROOT / "play", tmp_path)
    (tmp_path / "scripts").mkdir()
    setup = "venv=$root/.venv\nset_up() { :; }\nset_up_with_client() { has_client=0; }\n"
    (tmp_path / "scripts" / "setup.sh").write_text(setup)
    program = tmp_path / ".venv" / "bin" / "watermeet"
    program.parent.mkdir(parents=True)
    program.write_text('#!/bin/sh\necho "$@"\n')
    program.chmod(0o755)
    command = [str(tmp_path / "play"), *given.split()]
    printed = subprocess.run(command, check=True, capture_output=True, text=True).stdout
    assert printed.strip() == expected
