"""Finds the bus for an address."""

from __future__ import annotations

from watermeet.server.bus.interface import Bus
from watermeet.server.errors import BusUnavailable


async def open_bus(url: str | None) -> Bus:
    """Opens a bus by its address; without one, that of a single process."""
    if url is None:
        from watermeet.server.bus.memory import MemoryBus

        return MemoryBus()
    try:
        from watermeet.server.bus.valkey import ValkeyBus
    except ModuleNotFoundError as error:
        raise BusUnavailable(
            f"a bus at an address needs {error.name!r}, which is not installed",
            "pip install 'watermeet[scale]'",
        ) from error
    return await ValkeyBus.open(url)
