"""A worker that behaves badly, as its argument says; for the tests of the pool.

It speaks by itself, without our modules, so that it starts quickly.
"""

from __future__ import annotations

import sys
import time
from pathlib import Path

import msgspec


def read() -> dict[str, object] | None:
    head = sys.stdin.buffer.read(4)
    if not head:
        return None
    found: dict[str, object] = msgspec.msgpack.decode(
        sys.stdin.buffer.read(int.from_bytes(head, "big"))
    )
    return found


def tell(**answer: object) -> None:
    body = msgspec.msgpack.encode(answer)
    sys.stdout.buffer.write(len(body).to_bytes(4, "big") + body)
    sys.stdout.buffer.flush()


def main() -> None:
    how, heard, number = sys.argv[1], Path(sys.argv[2]), object()
    while (message := read()) is not None:
        with heard.open("a") as file:
            file.write(f"{message['type']}\n")
        if message["type"] == "stop":
            if how == "waits":
                tell(number=number, action=3)
            continue
        number = message["number"]
        if how == "dies":
            sys.exit(3)
        elif how == "hangs":
            time.sleep(1000)
        elif how == "raises":
            tell(number=number, error="ValueError: on purpose")
        elif how == "cheats":
            tell(number=number, action=0)  # A card: chance alone may play that.
        elif how == "mumbles":
            sys.stdout.buffer.write(b"\x00\x00\x00\x03abc")
            sys.stdout.buffer.flush()
        elif how == "plays":
            tell(number=number, action=3)
        # "waits" answers when it is told to stop.


if __name__ == "__main__":
    main()
