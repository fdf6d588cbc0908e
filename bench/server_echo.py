"""An echo on the stack that the server has, and nothing else: what a socket costs at the least.

python bench/server_echo.py PORT
"""

from __future__ import annotations

import sys
from collections.abc import Awaitable, Callable, MutableMapping
from typing import Any

import uvicorn

Event = MutableMapping[str, Any]


async def echo(
    scope: Event,
    receive: Callable[[], Awaitable[Event]],
    send: Callable[[Event], Awaitable[None]],
) -> None:
    """Sends back what it gets."""
    if scope["type"] != "websocket":
        return
    while True:
        event = await receive()
        if event["type"] == "websocket.connect":
            await send({"type": "websocket.accept"})
        elif event["type"] == "websocket.receive":
            await send({"type": "websocket.send", "text": event["text"]})
        else:
            return


if __name__ == "__main__":
    uvicorn.run(
        echo,
        port=int(sys.argv[1]),
        ws="websockets-sansio",
        ws_per_message_deflate=False,
        ws_ping_interval=None,
        log_level="warning",
        lifespan="off",
        backlog=8192,
    )
