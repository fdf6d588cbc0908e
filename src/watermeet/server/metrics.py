"""What the server counts, in the text form that Prometheus reads. One object an app: no globals."""

from __future__ import annotations

from prometheus_client import CollectorRegistry, Counter, Gauge, Histogram, generate_latest

CONTENT_TYPE = "text/plain; version=0.0.4; charset=utf-8"
_SECONDS = (0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 2.5, 5.0)


class Metrics:
    """Counters of one server."""

    def __init__(self) -> None:
        self.registry = CollectorRegistry()
        self.moves = Counter(
            "watermeet_moves", "Moves that were committed.", ["game"], registry=self.registry
        )
        self.rejections = Counter(
            "watermeet_refusals", "Commands that were refused.", ["code"], registry=self.registry
        )
        self.matches = Counter(
            "watermeet_matches", "Matches that were made.", ["game"], registry=self.registry
        )
        self.endings = Counter(
            "watermeet_endings", "Matches that ended.", ["game", "reason"], registry=self.registry
        )
        self.conflicts = Counter(
            "watermeet_conflicts", "Appends that somebody else outran.", registry=self.registry
        )
        self.dropped = Counter(
            "watermeet_dropped_sockets",
            "Sockets that were closed by the server.",
            ["reason"],
            registry=self.registry,
        )
        self.sockets = Gauge("watermeet_sockets", "Sockets that are open.", registry=self.registry)
        self.cached_matches = Gauge(
            "watermeet_cached_matches", "Matches in the node's memory.", registry=self.registry
        )
        self.command_seconds = Histogram(
            "watermeet_command_seconds",
            "From a command to its acknowledgement, durable.",
            buckets=_SECONDS,
            registry=self.registry,
        )
        self.bot_seconds = Histogram(
            "watermeet_bot_seconds",
            "How long bots thought about a choice.",
            ["game"],
            buckets=(*_SECONDS, 10.0, 30.0),
            registry=self.registry,
        )

    def text(self) -> bytes:
        """All of it."""
        return generate_latest(self.registry)
