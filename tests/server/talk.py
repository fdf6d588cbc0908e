"""What a client says on its socket, whatever the socket is made of."""

from __future__ import annotations

from typing import Any


class Talk:
    """A socket that can ``say`` and ``hear``; makes up an id for each command without one."""

    _count = 0

    async def say(self, message: Any) -> None:
        raise NotImplementedError

    async def hear(self, *types: str) -> dict[str, Any]:
        raise NotImplementedError

    async def follow(self, match: str, **more: Any) -> dict[str, Any]:
        await self.say({"type": "follow", "match": match, **more})
        return await self.hear("snapshot", "changes", "error")

    async def do(self, match: str, command: dict[str, Any], id: str = "") -> dict[str, Any]:  # noqa: A002
        self._count += 1
        asked = id or f"c{self._count}"
        await self.say({"type": "command", "id": asked, "match": match, "command": command})
        while True:
            answer = await self.hear("ack", "error")
            if answer.get("id") == asked:
                return answer
