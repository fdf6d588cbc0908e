"""The machine's own Firefox, driven by WebDriver BiDi; Playwright would need a build of its own."""

from __future__ import annotations

import contextlib
import json
import os
import shutil
import socket
import subprocess
import tempfile
import time
from collections.abc import Iterator
from typing import Any

from websockets.sync.client import ClientConnection, connect

START_S, CALL_S = 60.0, 300.0


class Firefox:
    """A tab of Firefox."""

    def __init__(self, connection: ClientConnection) -> None:
        self._connection, self._count = connection, 0
        self._do("session.new", capabilities={})
        self._tab = self._do("browsingContext.getTree")["contexts"][0]["context"]

    def open(self, url: str) -> None:
        """Load a page."""
        self._do("browsingContext.navigate", context=self._tab, url=url, wait="complete")

    def call(self, function: str, given: object) -> Any:
        """What an asynchronous function of JavaScript returns in the page."""
        wrapped = f"async (given) => JSON.stringify(await ({function})(JSON.parse(given)))"
        argument = {"type": "string", "value": json.dumps(given)}
        found = self._do(
            "script.callFunction",
            functionDeclaration=wrapped,
            awaitPromise=True,
            target={"context": self._tab},
            arguments=[argument],
        )
        assert found["type"] == "success", found
        return json.loads(found["result"]["value"])

    def _do(self, method: str, **parameters: Any) -> Any:
        self._count += 1
        message = {"id": self._count, "method": method, "params": parameters}
        self._connection.send(json.dumps(message))
        while True:
            answer = json.loads(self._connection.recv(timeout=CALL_S))
            if answer.get("id") == self._count:  # Others are events.
                assert answer["type"] == "success", answer
                return answer["result"]


@contextlib.contextmanager
def firefox() -> Iterator[Firefox | None]:
    """Firefox without a window and with an empty profile; None if the machine has none."""
    program = shutil.which("firefox-esr") or shutil.which("firefox")
    if program is None:
        yield None
        return
    with tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as profile:
        with socket.socket() as probe:
            probe.bind(("127.0.0.1", 0))
            port: int = probe.getsockname()[1]
        command = [program, "--headless", "--no-remote", "--profile", profile]
        process = subprocess.Popen(
            [*command, f"--remote-debugging-port={port}"],
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
            env=os.environ | {"HOME": profile},
        )
        try:
            _wait_for(port)
            with connect(f"ws://127.0.0.1:{port}/session", max_size=None) as connection:
                yield Firefox(connection)
        finally:
            process.terminate()
            process.wait()


def _wait_for(port: int) -> None:
    until = time.monotonic() + START_S
    while True:
        with socket.socket() as probe:
            if probe.connect_ex(("127.0.0.1", port)) == 0:
                return
        assert time.monotonic() < until, "Firefox doesn't start"
        time.sleep(0.2)
