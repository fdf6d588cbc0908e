"""What the store knows of chat."""

from __future__ import annotations

from typing import NamedTuple

from watermeet.server.store.part import StorePart
from watermeet.server.store.sql import Statement


class ChatRow(NamedTuple):
    """A message, as it was written."""

    room: str
    at: int
    id: str
    user: str
    name: str
    """What the writer was called."""
    seat: int | None
    text: str


_CHAT = "room, at, id, user_id, name, seat, body"

ADD_MESSAGE = f"INSERT INTO chat ({_CHAT}) VALUES ($1, $2, $3, $4, $5, $6, $7)"

# Those of a room but for the last $2.
DELETE_EXCESS = """
DELETE FROM chat WHERE room = $1 AND at < (
  SELECT min(at) FROM (SELECT at FROM chat WHERE room = $1 ORDER BY at DESC LIMIT $2) AS kept)"""

DELETE_OLD_MESSAGES = "DELETE FROM chat WHERE at < $1"

READ_MESSAGES = f"SELECT {_CHAT} FROM chat WHERE room = $1 ORDER BY at DESC, id DESC LIMIT $2"

MESSAGES_OF = f"SELECT {_CHAT} FROM chat WHERE user_id = $1 ORDER BY at"

DELETE_MESSAGES_OF = "DELETE FROM chat WHERE user_id = $1"


class ChatStore(StorePart):
    """The part of the store that is about chat."""

    async def add_message(self, message: ChatRow, *, kept: int, since: int) -> None:
        """Add a message, and delete those that are too many in its room, or too old in any."""
        await self._write(
            Statement(ADD_MESSAGE, message),
            Statement(DELETE_EXCESS, [message.room, kept]),
            Statement(DELETE_OLD_MESSAGES, [since]),
        )

    async def messages(self, room: str, limit: int) -> list[ChatRow]:
        """The last messages of a room, the first one first."""
        rows = await self._read(Statement(READ_MESSAGES, [room, limit]))
        return [ChatRow(*row) for row in reversed(rows)]

    async def messages_of(self, user: str) -> list[ChatRow]:
        """All messages that a user has written and that are kept."""
        return [ChatRow(*row) for row in await self._read(Statement(MESSAGES_OF, [user]))]
