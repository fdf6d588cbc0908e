"""What a user's export says about calls and slow play."""

from __future__ import annotations

from msgspec import Struct


class PushData(Struct, frozen=True):
    """Where a device gets push messages, of which kinds and in which language."""

    endpoint: str
    kinds: list[str]
    language: str


class VacationData(Struct, frozen=True):
    """A vacation of the last year; ``ended_at`` is null while it lasts."""

    began_at: int
    ended_at: int | None


class QueuedData(Struct, frozen=True):
    """The replies that are queued in a match."""

    match: str
    lines: list[list[str]]


class CallData(Struct, frozen=True):
    """How a user is called while they are away, and their slow play."""

    push: list[PushData]
    digest: str
    vacations: list[VacationData]
    replies: list[QueuedData]
