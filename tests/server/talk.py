"""What a client sends on its socket, whatever the transport."""

from __future__ import annotations

from typing import Any


class Talk:
    """A socket that can ``send`` and ``receive``; makes up an id for each command without one."""

    _count = 0

    async def send(self, message: Any) -> None:
        raise NotImplementedError

    async def receive(self, *types: str) -> dict[str, Any]:
        raise NotImplementedError

    async def follow(self, match: str, **more: Any) -> dict[str, Any]:
        await self.send({"type": "follow", "match": match, **more})
        return await self.receive("snapshot", "changes", "error")

    async def do(self, match: str, command: dict[str, Any], id: str = "") -> dict[str, Any]:  # noqa: A002
        self._count += 1
        command_id = id or f"c{self._count}"
        await self.send({"type": "command", "id": command_id, "match": match, "command": command})
        while True:
            answer = await self.receive("ack", "error")
            if answer.get("id") == command_id:
                return answer
