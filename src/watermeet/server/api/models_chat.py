"""Bodies of REST about chat; messages are the same as on the socket."""

from __future__ import annotations

from typing import Annotated

from msgspec import Meta, Struct

from watermeet.server.api.messages import ChatMessage


class ChatRequest(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A message."""

    text: Annotated[str, Meta(max_length=1000)]


class ChatResponse(Struct, frozen=True):
    """The last messages, the first one first."""

    messages: list[ChatMessage]
    has_guests: bool = False
    """Whether guests who play the match read and write here, too."""
