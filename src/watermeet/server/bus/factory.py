"""Open the bus that a URL names."""

from __future__ import annotations

from watermeet.server.bus.bus import Bus
from watermeet.server.errors import BusUnavailable


async def open_bus(url: str | None) -> Bus:
    """Open a bus; without a URL, a process's own."""
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
    return await ValkeyBus.open(url)
