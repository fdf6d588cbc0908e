"""A worker that behaves badly, as its argument says, for the tests of the pool.

It imports none of our modules, so that it starts quickly.
"""

from __future__ import annotations

import sys
import time
from pathlib import Path

import msgspec


def respond(**response: object) -> None:
    sys.stdout.buffer.write(msgspec.json.encode(response) + b"\n")
    sys.stdout.buffer.flush()


def main() -> None:
    how, log, id_ = sys.argv[1], Path(sys.argv[2]), object()
    for line in sys.stdin.buffer:
        message = msgspec.json.decode(line)
        with log.open("a") as file:
            file.write(f"{message['type']}\n")
        if message["type"] == "load":
            continue
        if message["type"] == "stop":
            if how == "waits":
                respond(id=id_, action=3)
            continue
        id_ = message["id"]
        if how == "dies":
            sys.exit(3)
        elif how == "hangs":
            time.sleep(1000)
        elif how == "raises":
            respond(id=id_, error="ValueError: on purpose")
        elif how == "cheats":
            respond(id=id_, action=0)  # A card, which only chance may play.
        elif how == "mumbles":
            sys.stdout.buffer.write(b"abc\n")
            sys.stdout.buffer.flush()
        elif how == "plays":
            respond(id=id_, action=3)
        # "waits" responds when asked to stop.


if __name__ == "__main__":
    main()
