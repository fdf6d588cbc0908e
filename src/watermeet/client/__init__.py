"""A client of the server: what a program needs to play there. docs/guides/network-bots.md.

>>> from watermeet.client import Line, Server, play

It needs no rules and compiles nothing: the standard library and the package ``websockets``.
"""

from watermeet.client.clock import ServerClock
from watermeet.client.errors import ServerRefused, Unreachable
from watermeet.client.line import Line
from watermeet.client.playing import play
from watermeet.client.position import Position
from watermeet.client.rest import Server

__all__ = ["Line", "Position", "Server", "ServerClock", "ServerRefused", "Unreachable", "play"]
