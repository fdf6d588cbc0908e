"""The socket of a client: reads its messages one at a time, and responds to them.

The server closes a socket that was silent for long, sends too much, or sends what can't be read;
never because of a command that is refused.
"""

from __future__ import annotations

import asyncio
import contextlib
import logging
import time
from collections import defaultdict
from itertools import chain

import msgspec
from starlette.websockets import WebSocket, WebSocketDisconnect

from watermeet.core.errors import WatermeetError
from watermeet.server.api.connection import (
    CHANNEL,
    FLOODING,
    SIGNED_OUT,
    SILENT,
    SUSPENDED,
    TOO_LARGE,
    UNREADABLE,
    Channel,
    Connection,
    DirectConnection,
    QueuedConnection,
)
from watermeet.server.api.hub import Follower
from watermeet.server.api.messages import (
    PROTOCOL,
    Ack,
    Bye,
    ErrorMessage,
    Follow,
    FromClient,
    Hello,
    PartnerSignal,
    Ping,
    Pong,
    Said,
    Say,
    SendCommand,
    Signal,
    Unfollow,
    WatchLobby,
    Welcome,
    decode,
)  # fmt: skip
from watermeet.server.api.persons import BYE, BYE_SIGNED_OUT, Hold
from watermeet.server.api.problems import problem_of
from watermeet.server.api.services import Services
from watermeet.server.errors import (
    BadRequest,
    Forbidden,
    StoreUnavailable,
    Suspended,
    TooMany,
    Unauthorized,
)
from watermeet.server.limits import TokenBucket, client_key
from watermeet.server.logs import fields
from watermeet.server.matches.match import Match
from watermeet.server.people.users import Caller
from watermeet.server.presence import TTL_S
from watermeet.server.tokens import hash_token

LOG = logging.getLogger(__name__)
BURST_S = 4.0
"""A socket may send as much at once as in this many seconds."""
SIGNALS_PER_SECOND = 4.0
"""Further signals are dropped."""
TOKEN_CHECK_S = 60.0


class Sockets:
    """All sockets of a node."""

    def __init__(self, services: Services) -> None:
        self.services = services
        self.open: set[Session] = set()

    def people(self) -> int:
        """How many people are connected; whoever has no user yet counts by their sockets."""
        users = [session.user for session in self.open]
        return len({user for user in users if user}) + users.count("")

    async def serve(self, socket: WebSocket) -> None:
        """Serve a socket until it ends."""
        metrics = self.services.metrics
        if len(self.open) >= self.services.settings.max_sockets:
            await socket.close(1013, "too_many")
            return
        try:
            await socket.accept()
        except WebSocketDisconnect:
            return  # It has gone already.
        session = Session(self.services, socket)
        self.open.add(session)
        metrics.sockets.set(len(self.open))
        metrics.opened_sockets.inc()
        try:
            await session.run()
        finally:
            self.open.discard(session)
            metrics.sockets.set(len(self.open))


class Session:
    """One socket."""

    def __init__(self, services: Services, socket: WebSocket) -> None:
        self._services, self._socket = services, socket
        settings, now = services.settings, time.monotonic()
        self.connection = _connect(socket, settings.max_queued_messages)
        rate = settings.messages_per_second
        self._messages = TokenBucket(rate, rate * BURST_S, now)
        self._signals = TokenBucket(SIGNALS_PER_SECOND, SIGNALS_PER_SECOND * BURST_S, now)
        self._address = client_key(socket.client.host if socket.client else "")
        self._caller: Caller | None = None
        self._token, self._checked_at = "", 0.0
        self._is_greeted = False
        self._following: dict[str, Follower] = {}
        self._holds: defaultdict[str, list[Hold]] = defaultdict(list)
        """By the match that they are for; the token of hello is for none."""
        self._touched_at = 0.0
        self._heard_at = now
        self._timer: asyncio.TimerHandle | None = None
        self._task: asyncio.Task[None] | None = None
        self._is_idle = self._is_stopped = False

    async def run(self) -> None:
        """Read and respond until the socket ends."""
        self._task = asyncio.current_task()
        self.connection.on_end = self._stop_reading
        self.connection.start()
        self._watch_silence()
        try:
            await self._read_all()
        except asyncio.CancelledError:
            if self._task is None or not self._is_stopped:
                raise
            self._task.uncancel()
        finally:
            if self._timer is not None:
                self._timer.cancel()
            # Otherwise the session would stay until Python looks for cycles, which is rare.
            self._timer = self._task = None
            self.connection.on_end = _nothing
            for match in tuple(self._following):
                with contextlib.suppress(WatermeetError):
                    await self._unfollow(Unfollow(match))
            with contextlib.suppress(WatermeetError):
                await self._rely_on_no_more("")
            with contextlib.suppress(WatermeetError):
                await self._services.lobby.unwatch(self.connection)
            await self.connection.finish()
            if self.connection.ending:
                self._services.metrics.dropped.labels(self.connection.ending).inc()

    def _watch_silence(self) -> None:
        """End a connection that was silent for long; one timer costs less than one a message."""
        silence, now = self._services.settings.idle_timeout_seconds, time.monotonic()
        if not self._is_idle:
            self._heard_at = now  # What it sent is still being done.
        left = self._heard_at + silence - now
        if left <= 0:
            self.connection.end(SILENT, Bye("silent", "send a ping now and then"))
        else:
            self._timer = asyncio.get_running_loop().call_later(left, self._watch_silence)

    def _stop_reading(self) -> None:
        """End the wait for a message; a command that has been started is finished first."""
        if self._is_idle and self._task is not None and not self._is_stopped:
            self._is_stopped = True
            self._task.cancel()

    async def _read_all(self) -> None:
        try:
            while not self.connection.is_ended:
                self._is_idle = True
                event = await self._socket.receive()
                self._is_idle = False
                self._heard_at = time.monotonic()
                if event["type"] == "websocket.disconnect":
                    return
                text = event.get("text")
                await self._take(text if text is not None else event.get("bytes") or b"")
        except WebSocketDisconnect:
            return
        except Exception:
            LOG.exception("a socket failed", extra=fields())
            self._services.metrics.commands.labels("internal").inc()
            self.connection.end(1011, Bye("internal", "reconnect: nothing was lost"))

    async def _take(self, text: str | bytes) -> None:
        if len(text) > self._services.settings.max_request_bytes:
            self.connection.end(TOO_LARGE, Bye("too_large", "send less in a message"))
            return
        if not self._messages.take(time.monotonic()):
            self.connection.end(FLOODING, Bye("too_many", "send less often"))
            return
        try:
            message = decode(text)
        except msgspec.DecodeError as error:
            reason = f"can't read that: {str(error)[:200]}"
            self.connection.send(ErrorMessage("bad_request", reason, "see the protocol"))
            return
        try:
            await self._respond(message)
        except WatermeetError as error:
            metrics, is_command = self._services.metrics, isinstance(message, SendCommand)
            (metrics.commands if is_command else metrics.rejections).labels(error.code).inc()
            known = msgspec.structs.asdict(problem_of(error))
            id_, match = getattr(message, "id", None), getattr(message, "match", None)
            self.connection.send(ErrorMessage(**known, id=id_, match=match))

    async def _respond(self, message: FromClient) -> None:
        if isinstance(message, Hello):
            await self._hello(message)
        elif not self._is_greeted:
            self.connection.end(UNREADABLE, Bye("bad_request", "say hello first"))
        elif await self._is_signed_out():
            self.connection.end(SIGNED_OUT, BYE_SIGNED_OUT)
        elif isinstance(message, SendCommand):
            await self._command(message)
        elif isinstance(message, Ping):
            self.connection.send(Pong(message.sent, self._services.now()))
            await self._touch()
        elif isinstance(message, Follow):
            await self._follow(message)
        elif isinstance(message, Signal):
            await self._signal(message)
        elif isinstance(message, Say):
            await self._say(message)
        elif isinstance(message, WatchLobby):
            await self._watch_lobby(message)
        else:
            await self._unfollow(message)

    async def _is_signed_out(self) -> bool:
        """Whether one of its tokens has ended, on whichever node; asked once a minute."""
        now, people = time.monotonic(), self._services.people
        if now - self._checked_at < TOKEN_CHECK_S:
            return False
        self._checked_at = now
        try:
            if self._token:
                await people.user_of(self._token)
            for hold in chain(*self._holds.values()):
                await people.token_by(hold.token)
        except Unauthorized:
            return True
        except Suspended:
            self.connection.end(SUSPENDED, BYE)
            return True
        except StoreUnavailable:
            pass  # Nobody knows; whoever plays hears of it anyway.
        return False

    # ---- messages ----

    async def _hello(self, message: Hello) -> None:
        if message.protocol != PROTOCOL:
            hint = f"this server speaks protocol {PROTOCOL}: reload the page"
            self.connection.end(UNREADABLE, Bye("other_protocol", hint))
            return
        if self._is_greeted:
            raise BadRequest("hello was said already", "continue")
        services, settings = self._services, self._services.settings
        if message.token:
            self._caller = await services.people.caller(message.token)
            self._token = message.token
            await services.presence.touch_user(self.user)
            await self._rely_on("", self.user, self._token, self._caller)
        self._is_greeted, self._checked_at = True, time.monotonic()
        self.connection.send(
            Welcome(
                PROTOCOL,
                services.version,
                services.now(),
                self._caller.user.name if self._caller else None,
                int(settings.ping_interval_seconds * 1000),
                int(settings.idle_timeout_seconds * 1000),
            )
        )

    async def _rely_on(
        self, match: str, user: str, token: str, caller: Caller | None = None
    ) -> None:
        """End with a user's token, too, as long as a match is followed.

        Without a caller, it is that of a seat.
        """
        hears = caller is not None and caller.may("chat")
        hold = Hold(user, self.connection, hash_token(token), hears)
        self._holds[match].append(hold)
        await self._services.persons.add(hold)

    async def _rely_on_no_more(self, match: str) -> None:
        for hold in self._holds.pop(match, ()):
            await self._services.persons.remove(hold)

    async def _follow(self, message: Follow) -> None:
        services, match = self._services, message.match
        is_new = match not in self._following
        if is_new and len(self._following) >= services.settings.max_follows_per_socket:
            raise TooMany("this socket follows too many matches", "unfollow one first")
        # As the log has it now: another node may have assigned the seat a moment ago.
        live = await services.matches.current(match)
        seat, caller = await services.people.viewer(live.match, message.token, self._caller)
        caller = self._caller or caller
        if caller is not None:
            caller.check("read")
        person = "" if caller is None else caller.user.id
        if len(message.others) > len(live.match.seats):
            raise BadRequest("there are more tokens than seats", "send one for each seat")
        by_seat = await self._seats_of(live.match, message.others)
        others = tuple(by_seat)
        staying = others if seat is None else (seat, *others)
        await self._unfollow(Unfollow(match), staying)
        follower = await services.hub.follow(
            self.connection,
            match,
            seat,
            message.after,
            with_state=message.with_state,
            viewer=person,
            with_chat=caller is not None and caller.may("chat"),
            address=self._address,
        )
        follower.others = others
        self._following[match] = follower
        if caller is not self._caller:
            await self._rely_on(match, person, message.token, caller)
        for each in follower.seats():
            user, token = live.match.seats[each].user, by_seat.get(each, message.token)
            services.matches.ranks.note_address(user, self._address)
            if user != person:
                await self._rely_on(match, user, token)
        for each in follower.seats():
            await services.matches.touch(match, each)

    async def _watch_lobby(self, message: WatchLobby) -> None:
        lobby = self._services.lobby
        if message.what == "nothing":
            await lobby.unwatch(self.connection)
        else:
            if self._caller is not None:
                self._caller.check("read")
            await lobby.watch(self.connection, self.user, with_lists=message.what == "all")

    @property
    def user(self) -> str:
        """Whose socket it is; empty if nobody knows."""
        return self._caller.user.id if self._caller else ""

    async def _seats_of(self, match: Match, tokens: tuple[str, ...]) -> dict[int, str]:
        """The seats that tokens speak for, without those that are somebody else's by now."""
        found = {}
        for token in tokens:
            with contextlib.suppress(WatermeetError):
                seat = (await self._services.people.viewer(match, token)).seat
                if seat is not None:
                    found[seat] = token
        return found

    async def _unfollow(self, message: Unfollow, staying: tuple[int, ...] = ()) -> None:
        follower = self._following.pop(message.match, None)
        await self._rely_on_no_more(message.match)
        if follower is None:
            return
        hub = self._services.hub
        await hub.unfollow(follower)
        for seat in follower.seats():
            if seat not in staying and not hub.has_seat(message.match, seat):
                await self._services.presence.leave(message.match, seat)

    async def _seated(self, match: str) -> tuple[Match, Follower, int]:
        """A followed match, the follower, and its seat."""
        follower = self._following.get(match)
        if follower is None:
            raise BadRequest(f"{match!r} isn't followed here", "follow it first")
        found = (await self._services.matches.load(match)).match
        follower.check_seat(found)
        if follower.seat is None:
            raise Forbidden("spectators can't do that", "take a seat")
        return found, follower, follower.seat

    async def _command(self, message: SendCommand) -> None:
        id_, match, command = message.id, message.match, message.command
        _, follower, seat = await self._seated(match)
        started = time.perf_counter()
        seq = await self._services.matches.do_here(
            match, seat, command, client_id=id_, user=follower.user
        )
        self._services.metrics.command_seconds.observe(time.perf_counter() - started)
        self._services.metrics.ok_commands.inc()
        self.connection.send(Ack(id_, match, seq))
        await self._touch()

    async def _signal(self, message: Signal) -> None:
        match, _, seat = await self._seated(message.match)
        team = next(team for team in match.game.teams if seat in team)
        partners = [other for other in team if other != seat]
        if partners and self._signals.take(time.monotonic()):
            await self._services.hub.send(
                PartnerSignal(message.match, seat, message.what), partners
            )

    async def _say(self, message: Say) -> None:
        _, follower, seat = await self._seated(message.match)
        if self._services.phrases.take(f"{message.match}:{seat}", time.monotonic()):
            said = Said(message.match, seat, message.what)
            await self._services.hub.send(said, by=follower.user)

    async def _touch(self) -> None:
        """Message that all seats of this socket are present, no more often than necessary."""
        if time.monotonic() - self._touched_at > TTL_S / 3:
            self._touched_at = time.monotonic()
            if self._caller is not None:
                await self._services.presence.touch_user(self.user)
            for match, follower in tuple(self._following.items()):
                for seat in follower.seats():
                    await self._services.matches.touch(match, seat)


def _nothing() -> None:
    """Nobody waits for the end of the connection any more."""


def _connect(socket: WebSocket, max_queued_messages: int) -> Connection:
    channel: Channel | None = socket.scope.get("extensions", {}).get(CHANNEL)
    if channel is None:  # Another server than ours.
        return QueuedConnection(socket, max_queued_messages)
    return DirectConnection(socket, channel, max_queued_messages)
