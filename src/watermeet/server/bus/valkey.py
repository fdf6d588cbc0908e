"""The bus of several nodes: Valkey or Redis.

A single connection receives all topics of a node, and its task reconnects whenever it breaks. We
don't use the library's own reconnection, because it resubscribes silently and subscribers need a
Gap. What is published while the bus is down is lost. Once the bus is back, all nodes get a Gap,
even those that noticed nothing.

Every second each node says that it is alive. If one falls silent without a goodbye, it may have
written entries that it never announced: the others get a Gap too.
"""

from __future__ import annotations

import asyncio
import contextlib
import logging
import random
import uuid
from collections import Counter
from typing import Any

from valkey.asyncio import Valkey
from valkey.asyncio.connection import AbstractConnection
from valkey.asyncio.retry import Retry
from valkey.backoff import NoBackoff
from valkey.exceptions import ValkeyError

from watermeet.server.bus.bus import CAPACITY, Bus, Subscription
from watermeet.server.errors import BusUnavailable
from watermeet.server.logs import fields

LOG = logging.getLogger(__name__)

PREFIX = "watermeet:"
"""Other programs may use the same server."""
_GAP = "\0gap"
"""The topic on which a node announces that it couldn't publish; no other topic has this name."""
_ALIVE = "\0alive"
"""The topic on which a node says its name every second, and with a dash before it when it ends."""
ALIVE_S, SILENT_S = 1.0, 2.5
TIMEOUT_S = 2.0
PING_S = 5.0
MIN_BACKOFF_S, MAX_BACKOFF_S = 0.05, 2.0
_URLS = "use valkey://host:6379/0, valkeys:// for TLS, redis:// or rediss://"

_LOST = (ValkeyError, OSError, TimeoutError)


class ValkeyBus(Bus):
    """Connects the nodes that use the same server; create it with ``open``."""

    def __init__(self, url: str, capacity: int = CAPACITY, ping_s: float = PING_S) -> None:
        super().__init__(capacity)
        try:
            self._client = Valkey.from_url(
                url,
                socket_timeout=TIMEOUT_S,
                socket_connect_timeout=TIMEOUT_S,
                # All commands are idempotent: one retry hides a stale connection.
                retry=Retry(NoBackoff(), 1),
            )
        except ValueError:  # Neither it nor the URL is shown: there may be a password in them.
            raise BusUnavailable("the bus URL can't be read", _URLS) from None
        self._ping_s = ping_s
        self._unconfirmed: Counter[str] = Counter()
        self._confirmed: dict[str, asyncio.Event] = {}
        self._connection: AbstractConnection | None = None
        self._is_up = asyncio.Event()
        self._owes_gap = asyncio.Event()
        self._max_ttl_s = 0.0
        self._presence_known_at = 0.0
        self._name = uuid.uuid4().hex
        self._alive_at: dict[str, float] = {}
        """When each of the other nodes was last heard."""
        self._tasks: set[asyncio.Task[None]] = set()

    @classmethod
    async def open(cls, url: str, capacity: int = CAPACITY, ping_s: float = PING_S) -> ValkeyBus:
        """Connect. A bus that is down is no reason not to start: the log is the truth."""
        bus = cls(url, capacity, ping_s)
        bus._start()
        with contextlib.suppress(TimeoutError):  # The task has logged it.
            await asyncio.wait_for(bus._is_up.wait(), TIMEOUT_S)
        return bus

    def _start(self) -> None:
        self._tasks = {
            asyncio.create_task(self._listen()),
            asyncio.create_task(self._announce_gaps()),
            asyncio.create_task(self._watch_nodes()),
        }

    # ---- the interface ---------------------------------------------------------------------------

    async def publish(self, topic: str, body: bytes) -> None:
        if await self._execute("PUBLISH", PREFIX + topic, body) is None:
            self._owes_gap.set()

    async def touch(self, key: str, seconds: float) -> None:
        self._max_ttl_s = max(self._max_ttl_s, seconds)
        await self._execute("SET", _presence(key), b"", "PX", max(1, round(1000 * seconds)))

    async def forget(self, key: str) -> None:
        await self._execute("DEL", _presence(key))

    async def is_present(self, key: str) -> bool:
        found = await self._execute("EXISTS", _presence(key))
        if found is None or found:
            return True
        # A server that has just restarted knows nobody until everyone has touched it again.
        return asyncio.get_running_loop().time() < self._presence_known_at

    async def close(self) -> None:
        await self._execute("PUBLISH", PREFIX + _ALIVE, f"-{self._name}")
        while self._tasks:  # More than once: wait_for in Python 3.11 may swallow a cancellation.
            for task in self._tasks:
                task.cancel()
            _, self._tasks = await asyncio.wait(self._tasks, timeout=0.1)
        await super().close()
        await self._client.aclose()

    async def _execute(self, *command: str | bytes | int) -> Any:
        """The server's reply, or None if it is down."""
        if not self._is_up.is_set():  # No need to wait for a timeout.
            return None
        try:
            return await self._client.execute_command(*command)
        except _LOST as error:
            LOG.warning("no reply from the bus: %s", error)
            return None

    # ---- topics ----------------------------------------------------------------------------------

    async def _add(self, topic: str, subscription: Subscription) -> None:
        """Return once the server has confirmed it, or a Gap is certain to follow."""
        is_new = topic not in self._subscribers
        await super()._add(topic, subscription)
        confirmed = self._confirmed.setdefault(topic, asyncio.Event())
        if is_new:
            await self._send("SUBSCRIBE", topic)
        if self._connection is not None:
            await confirmed.wait()

    async def _remove(self, topic: str, subscription: Subscription) -> None:
        await super()._remove(topic, subscription)
        if topic not in self._subscribers and topic in self._confirmed:
            self._confirmed.pop(topic).set()
            await self._send("UNSUBSCRIBE", topic)

    async def _send(self, verb: str, *topics: str) -> None:
        """Send a command if the server is up; otherwise reconnecting subscribes to everything."""
        connection = self._connection
        if connection is None or not connection.is_connected or not topics:
            return  # Sending on a broken connection would reconnect it, with nobody listening.
        if verb == "SUBSCRIBE":
            self._unconfirmed.update(topics)
        with contextlib.suppress(*_LOST):  # The listening task notices too, and reconnects.
            await connection.send_command(verb, *(PREFIX + topic for topic in topics))

    # ---- the listening task ----------------------------------------------------------------------

    async def _listen(self) -> None:
        """Receive messages forever, and reconnect with exponential backoff."""
        backoff = MIN_BACKOFF_S
        while True:
            connection = self._client.connection_pool.make_connection()
            try:
                await connection.connect()
                backoff = MIN_BACKOFF_S
                await self._receive(connection)
            except _LOST as error:
                LOG.warning("the bus is down: %s", error)
            except Exception:  # A reply that isn't one: connect again, or nothing would be heard.
                LOG.exception("the bus sent something unexpected")
            finally:
                self._on_down()
                await connection.disconnect()
            await asyncio.sleep(backoff * random.uniform(0.5, 1.0))  # Nodes don't come all at once.
            backoff = min(2 * backoff, MAX_BACKOFF_S)

    async def _receive(self, connection: AbstractConnection) -> None:
        """Subscribe to all topics, and receive until the connection breaks."""
        self._connection = connection
        self._unconfirmed.clear()
        topics = [_GAP, _ALIVE, *self._subscribers]
        missing = set(topics)
        await self._send("SUBSCRIBE", *topics)
        is_pinged = False
        while True:
            reply = await connection.read_response(timeout=self._ping_s)
            if reply is None:  # Nothing happens, or the server is gone.
                if is_pinged:
                    raise TimeoutError("no reply to a ping")
                is_pinged = True
                await connection.send_command("PING", check_health=False)
                continue
            is_pinged = False
            missing.discard(self._handle(reply))
            if not missing and not self._is_up.is_set():
                self._on_up()

    def _handle(self, reply: Any) -> str:
        """Handle a reply; returns the topic that it confirms, if any."""
        if not isinstance(reply, list):
            return ""
        kind, body = reply[0], reply[-1]
        topic = str(reply[1], "utf-8").removeprefix(PREFIX)
        if kind == b"subscribe":
            self._confirm(topic)
            return topic
        if kind == b"message" and topic == _GAP:
            self._put_gaps()
        elif kind == b"message" and topic == _ALIVE:
            self._on_alive(str(body, "utf-8"))
        elif kind == b"message":
            self._deliver(topic, body)
        return ""

    def _confirm(self, topic: str) -> None:
        """If a topic was removed and added again, only the last confirmation counts."""
        self._unconfirmed[topic] -= 1
        if self._unconfirmed[topic] <= 0:
            del self._unconfirmed[topic]
            if event := self._confirmed.get(topic):
                event.set()

    def _on_up(self) -> None:
        """At the start nobody has subscribed yet; later, everyone has missed something."""
        LOG.info("the bus is up")
        self._is_up.set()
        self._presence_known_at = asyncio.get_running_loop().time() + self._max_ttl_s
        self._put_gaps()

    def _on_down(self) -> None:
        """Nobody waits for a confirmation any longer: a Gap will follow."""
        self._connection = None
        self._is_up.clear()
        for event in self._confirmed.values():
            event.set()

    def _put_gaps(self) -> None:
        for subscription in self._open:
            subscription.put_gap()

    def _on_alive(self, name: str) -> None:
        if name.startswith("-"):
            self._alive_at.pop(name[1:], None)
        elif name != self._name:
            self._alive_at[name] = asyncio.get_running_loop().time()

    async def _watch_nodes(self) -> None:
        """Say that this node is alive, and notice others that aren't."""
        loop = asyncio.get_running_loop()
        while True:
            asked_at = loop.time()
            await self._execute("PUBLISH", PREFIX + _ALIVE, self._name)
            await asyncio.sleep(ALIVE_S)
            if not self._is_up.is_set() or loop.time() - asked_at > 2 * ALIVE_S:
                self._alive_at.clear()  # This node is the one that heard nothing.
                continue
            silent = [name for name, at in self._alive_at.items() if at < loop.time() - SILENT_S]
            for name in silent:
                del self._alive_at[name]
            if silent:
                LOG.warning("a node has died or hangs", extra=fields(nodes=len(silent)))
                self._put_gaps()

    async def _announce_gaps(self) -> None:
        """Announce to all nodes that messages of this one were lost, as soon as possible."""
        while True:
            await self._owes_gap.wait()
            await self._is_up.wait()
            self._owes_gap.clear()
            try:
                await self._client.publish(PREFIX + _GAP, b"")
            except _LOST:
                self._owes_gap.set()
                await asyncio.sleep(MIN_BACKOFF_S)


def _presence(key: str) -> str:
    return f"{PREFIX}present:{key}"
