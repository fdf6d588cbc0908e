"""A Python client for the server; docs/guides/network-bots.md explains it.

>>> from watermeet.client import Client, Connection, play_match

It contains no rules and compiles nothing: it needs only the standard library and ``websockets``.
"""

from watermeet.client.clock import ServerClock
from watermeet.client.connection import PHRASES, Connection
from watermeet.client.errors import ApiError, ServerUnreachable
from watermeet.client.play import play_match
from watermeet.client.position import Position
from watermeet.client.rest import Client
from watermeet.core.errors import InvalidArgument

__all__ = [
    "PHRASES",
    "ApiError",
    "Client",
    "Connection",
    "InvalidArgument",
    "Position",
    "ServerClock",
    "ServerUnreachable",
    "play_match",
]
