"""The bus of several nodes: Valkey, or Redis.

One connection hears all topics of a node, and its task connects again whenever it breaks. It is
ours and not the library's, which would subscribe again without a word: listeners must get a Gap.
What is published while the bus is away is dropped, and once it is back every node is told of a gap,
even one that noticed nothing.
"""

from __future__ import annotations

import asyncio
import contextlib
import logging
import random
from collections import Counter
from collections.abc import AsyncIterator
from typing import Any

from valkey.asyncio import Valkey
from valkey.asyncio.connection import AbstractConnection
from valkey.asyncio.retry import Retry
from valkey.backoff import NoBackoff
from valkey.exceptions import ValkeyError

from watermeet.server.bus.interface import Bus, Gap, Message, Subscription
from watermeet.server.bus.queue import CAPACITY, MessageQueue
from watermeet.server.errors import BusUnavailable

LOG = logging.getLogger(__name__)

PREFIX = "watermeet:"
"""Others may use the same server."""
_GAP = "\0gap"
"""The topic at which a node says that it could not publish; nobody else's has such a name."""
TIMEOUT_S = 2.0
PING_S = 5.0
FIRST_PAUSE_S, LONGEST_PAUSE_S = 0.05, 2.0

_LOST = (ValkeyError, OSError, TimeoutError)


class ValkeyBus(Bus):
    """Joins the nodes that use the same server; made by ``open``."""

    def __init__(self, url: str, room: int = CAPACITY, ping_s: float = PING_S) -> None:
        try:
            self._client = Valkey.from_url(
                url,
                socket_timeout=TIMEOUT_S,
                socket_connect_timeout=TIMEOUT_S,
                # All that is asked may be asked twice: so a stale connection is not noticed.
                retry=Retry(NoBackoff(), 1),
            )
        except ValueError as error:
            raise BusUnavailable(
                f"the bus's address {url!r} cannot be read: {error}", _FORMS
            ) from error
        self._room = room
        self._ping_s = ping_s
        self._inboxes: dict[str, set[MessageQueue]] = {}
        self._open: set[ValkeySubscription] = set()
        self._unconfirmed: Counter[str] = Counter()
        self._confirmed: dict[str, asyncio.Event] = {}
        self._connection: AbstractConnection | None = None
        self._is_heard = asyncio.Event()
        self._owes_gap = asyncio.Event()
        self._longest_touch_s = 0.0
        self._trusted_from = 0.0
        self._tasks: set[asyncio.Task[None]] = set()

    @classmethod
    async def open(cls, url: str, room: int = CAPACITY, ping_s: float = PING_S) -> ValkeyBus:
        """Connects. A bus that is away is no reason not to start: the log is the truth."""
        bus = cls(url, room, ping_s)
        bus._begin()
        with contextlib.suppress(TimeoutError):  # The task has said so in the log.
            await asyncio.wait_for(bus._is_heard.wait(), TIMEOUT_S)
        return bus

    def _begin(self) -> None:
        self._tasks = {asyncio.create_task(self._listen()), asyncio.create_task(self._tell_gaps())}

    # ---- the interface ---------------------------------------------------------------------------

    async def publish(self, topic: str, body: bytes) -> None:
        if await self._ask("PUBLISH", PREFIX + topic, body) is None:
            self._owes_gap.set()

    def subscribe(self) -> Subscription:
        subscription = ValkeySubscription(self, MessageQueue(self._room))
        self._open.add(subscription)
        return subscription

    async def touch(self, key: str, seconds: float) -> None:
        self._longest_touch_s = max(self._longest_touch_s, seconds)
        await self._ask("SET", _presence(key), b"", "PX", max(1, round(1000 * seconds)))

    async def forget(self, key: str) -> None:
        await self._ask("DEL", _presence(key))

    async def is_present(self, key: str) -> bool:
        found = await self._ask("EXISTS", _presence(key))
        if found is None or found:
            return True
        # A server that was started anew knows nobody until all have touched it again.
        return asyncio.get_running_loop().time() < self._trusted_from

    async def close(self) -> None:
        while self._tasks:  # Again and again: Python 3.11's wait_for may swallow a cancellation.
            for task in self._tasks:
                task.cancel()
            _, self._tasks = await asyncio.wait(self._tasks, timeout=0.1)
        for subscription in list(self._open):
            await subscription.close()
        await self._client.aclose()

    async def _ask(self, *command: str | bytes | int) -> Any:
        """What the server answers; None when it is away."""
        if not self._is_heard.is_set():  # Nobody need wait to learn what is known.
            return None
        try:
            return await self._client.execute_command(*command)
        except _LOST as error:
            LOG.warning("the bus did not answer: %s", error)
            return None

    # ---- topics ----------------------------------------------------------------------------------

    async def _hear(self, topic: str, inbox: MessageQueue) -> None:
        """Returns when the server has confirmed it, or when a Gap is sure to come."""
        if topic in self._inboxes:
            self._inboxes[topic].add(inbox)
            confirmed = self._confirmed[topic]
        else:
            self._inboxes[topic] = {inbox}
            confirmed = self._confirmed[topic] = asyncio.Event()
            await self._send("SUBSCRIBE", topic)
        if self._connection is not None:
            await confirmed.wait()

    async def _unhear(self, topic: str, inbox: MessageQueue) -> None:
        inboxes = self._inboxes.get(topic, set())
        inboxes.discard(inbox)
        if topic in self._inboxes and not inboxes:
            del self._inboxes[topic]
            self._confirmed.pop(topic).set()
            await self._send("UNSUBSCRIBE", topic)

    async def _send(self, verb: str, *topics: str) -> None:
        """Says it to the server if it is there; if not, all is said when it is back."""
        connection = self._connection
        if connection is None or not connection.is_connected or not topics:
            return  # To send on a broken one would connect it again, and nobody would hear it.
        if verb == "SUBSCRIBE":
            self._unconfirmed.update(topics)
        with contextlib.suppress(*_LOST):  # The listening task sees it too, and connects again.
            await connection.send_command(verb, *(PREFIX + topic for topic in topics))

    # ---- the listening task ----------------------------------------------------------------------

    async def _listen(self) -> None:
        """Hears the server for ever, and connects again with longer and longer pauses."""
        pause = FIRST_PAUSE_S
        while True:
            connection = self._client.connection_pool.make_connection()
            try:
                await connection.connect()
                pause = FIRST_PAUSE_S
                await self._hear_all(connection)
            except _LOST as error:
                LOG.warning("the bus is away: %s", error)
            finally:
                self._lose()
                await connection.disconnect()
            await asyncio.sleep(pause * random.uniform(0.5, 1.0))  # Nodes come one by one.
            pause = min(2 * pause, LONGEST_PAUSE_S)

    async def _hear_all(self, connection: AbstractConnection) -> None:
        """Subscribes to all topics, and takes what comes until the connection breaks."""
        self._connection = connection
        self._unconfirmed.clear()
        topics = [_GAP, *self._inboxes]
        missing = set(topics)
        await self._send("SUBSCRIBE", *topics)
        is_pinged = False
        while True:
            answer = await connection.read_response(timeout=self._ping_s)
            if answer is None:  # Silence: either nothing happens, or the other side is gone.
                if is_pinged:
                    raise TimeoutError("no answer to a ping")
                is_pinged = True
                await connection.send_command("PING", check_health=False)
                continue
            is_pinged = False
            missing.discard(self._take(answer))
            if not missing and not self._is_heard.is_set():
                self._be_there()

    def _take(self, answer: Any) -> str:
        """Sees to what the server says; returns the topic that it confirms."""
        if not isinstance(answer, list):
            return ""
        kind, body = answer[0], answer[-1]
        topic = str(answer[1], "utf-8").removeprefix(PREFIX)
        if kind == b"subscribe":
            self._confirm(topic)
            return topic
        if kind == b"message" and topic == _GAP:
            self._put_gaps()
        elif kind == b"message":
            for inbox in self._inboxes.get(topic, ()):
                inbox.put(Message(topic, body))
        return ""

    def _confirm(self, topic: str) -> None:
        """Of a topic that was left and taken again, only the last confirmation counts."""
        self._unconfirmed[topic] -= 1
        if self._unconfirmed[topic] <= 0:
            del self._unconfirmed[topic]
            if event := self._confirmed.get(topic):
                event.set()

    def _be_there(self) -> None:
        """At the start nobody listens yet; later, all have missed something."""
        LOG.info("the bus is there")
        self._is_heard.set()
        self._trusted_from = asyncio.get_running_loop().time() + self._longest_touch_s
        self._put_gaps()

    def _lose(self) -> None:
        """Nobody waits for a server that is away: a Gap will come."""
        self._connection = None
        self._is_heard.clear()
        for event in self._confirmed.values():
            event.set()

    def _put_gaps(self) -> None:
        for subscription in self._open:
            subscription.inbox.put_gap()

    async def _tell_gaps(self) -> None:
        """Tells all nodes that notes of this one were dropped, as soon as that can be done."""
        while True:
            await self._owes_gap.wait()
            await self._is_heard.wait()
            self._owes_gap.clear()
            try:
                await self._client.publish(PREFIX + _GAP, b"")
            except _LOST:
                self._owes_gap.set()
                await asyncio.sleep(FIRST_PAUSE_S)


class ValkeySubscription(Subscription):
    """Topics of one listener."""

    def __init__(self, bus: ValkeyBus, inbox: MessageQueue) -> None:
        self.inbox = inbox
        self._bus = bus
        self._topics: set[str] = set()
        self._is_closed = False

    async def add(self, topic: str) -> None:
        if not self._is_closed:
            self._topics.add(topic)
            await self._bus._hear(topic, self.inbox)

    async def remove(self, topic: str) -> None:
        if topic in self._topics:
            self._topics.discard(topic)
            await self._bus._unhear(topic, self.inbox)

    def __aiter__(self) -> AsyncIterator[Message | Gap]:
        return self.inbox

    async def close(self) -> None:
        self._is_closed = True
        self._bus._open.discard(self)
        for topic in list(self._topics):
            await self.remove(topic)
        self.inbox.close()


_FORMS = "there is valkey://host:6379/0, valkeys:// with encryption, and redis:// and rediss://"


def _presence(key: str) -> str:
    return f"{PREFIX}present:{key}"
