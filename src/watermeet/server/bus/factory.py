"""Open the bus that a URL names."""

from __future__ import annotations

from watermeet.server.bus.bus import Bus
from watermeet.server.bus.sharded import ShardedBus
from watermeet.server.errors import BusUnavailable
from watermeet.server.sharding import split_urls


async def open_bus(url: str | None) -> Bus:
    """Open a bus, or several, whose URLs are separated by spaces; without one, a process's own."""
    if url is None:
        from watermeet.server.bus.memory import MemoryBus

        return MemoryBus()
    try:
        from watermeet.server.bus.valkey import ValkeyBus
    except ModuleNotFoundError as error:
        raise BusUnavailable(
            f"a bus between nodes needs {error.name!r}, which is not installed",
            "install the extra server (docs/guides/install.md)",
        ) from error
    buses = [await ValkeyBus.open(each) for each in split_urls(url)]
    return buses[0] if len(buses) == 1 else ShardedBus(buses)
