"""Several buses as one: the news of a match, and who is present there, go through one of them."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence

from watermeet.server.bus.bus import Bus, Subscription
from watermeet.server.sharding import shard_of


class ShardedBus(Bus):
    """Connects the nodes that use the same buses, in the same order."""

    def __init__(self, buses: Sequence[Bus]) -> None:
        super().__init__()
        self._buses = tuple(buses)
        for bus in buses:
            bus._open = self._open  # Whoever subscribes here gets the gaps of each.

    def _of(self, topic: str) -> Bus:
        """The bus of a topic or key: by what follows its kind, such as the match."""
        match = topic.partition(":")[2].partition(":")[0]
        return self._buses[shard_of(match or topic, len(self._buses))]

    async def _add(self, topic: str, subscription: Subscription) -> None:
        await self._of(topic)._add(topic, subscription)

    async def _remove(self, topic: str, subscription: Subscription) -> None:
        await self._of(topic)._remove(topic, subscription)

    async def publish(self, topic: str, body: bytes) -> None:
        await self._of(topic).publish(topic, body)

    async def touch(self, key: str, seconds: float) -> None:
        await self._of(key).touch(key, seconds)

    async def forget(self, key: str) -> None:
        await self._of(key).forget(key)

    async def is_present(self, key: str) -> bool:
        return await self._of(key).is_present(key)

    async def close(self) -> None:
        await super().close()
        await asyncio.gather(*(bus.close() for bus in self._buses))
