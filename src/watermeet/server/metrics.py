"""The metrics of a server, for Prometheus. One object per app, nothing global."""

from __future__ import annotations

from functools import partial

from prometheus_client import CollectorRegistry, Counter, Gauge, Histogram, generate_latest

CONTENT_TYPE = "text/plain; version=0.0.4; charset=utf-8"
_SECONDS = (0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.2, 0.25, 0.5, 1.0, 2.5, 5.0)


class Metrics:
    """Counters, gauges and histograms of one server."""

    def __init__(self) -> None:
        self.registry = CollectorRegistry()
        counter = partial(Counter, registry=self.registry, namespace="watermeet")
        gauge = partial(Gauge, registry=self.registry, namespace="watermeet")
        histogram = partial(Histogram, registry=self.registry, namespace="watermeet")
        self.matches = counter("matches_created", "Matches created.", ["game"])
        self.endings = counter("matches_finished", "Matches finished.", ["game", "reason"])
        self.moves = counter("moves", "Moves played.", ["game"])
        self.commands = counter(
            "commands", "Commands of clients by result: ok, or the error's code.", ["result"]
        )
        self.ok_commands = self.commands.labels("ok")  # Once, as it is needed for every move.
        self.rejections = counter(
            "rejected_messages", "Messages rejected that aren't commands.", ["code"]
        )
        self.conflicts = counter("append_conflicts", "Appends that another writer beat.")
        self.dropped = counter("dropped_sockets", "Sockets closed by the server.", ["reason"])
        self.refused = counter(
            "refused_connections", "Connections refused or ended by the guard.", ["reason"]
        )
        self.sockets = gauge("open_sockets", "Open sockets.")
        self.opened_sockets = counter("opened_sockets", "Sockets that were opened.")
        self.is_ready = gauge("ready", "Whether moves can be stored: 1 or 0.")
        self.bot_queue_seconds = gauge(
            "bot_queue_seconds", "How long the oldest move of a bot has been waited for."
        )
        self.job_failures = counter("job_failures", "Tries of jobs that failed.", ["kind"])
        self.parked_jobs = gauge("parked_jobs", "Jobs that have failed too often.")
        self.cached_matches = gauge("cached_matches", "Matches in the node's memory.")
        self.cached_bytes = gauge("cached_bytes", "About how many bytes those take.")
        self.loop_lag_seconds = histogram(
            "loop_lag_seconds", "How late the event loop gets to its work.", buckets=_SECONDS
        )
        self.loop_stalls = counter("loop_stalls", "Times that the event loop was stuck.")
        self.command_seconds = histogram(
            "command_seconds",
            "Time from a command to its durable acknowledgement.",
            buckets=_SECONDS,
        )
        self.store_seconds = histogram(
            "store_seconds", "Time that the store took.", ["operation"], buckets=_SECONDS
        )
        self.bus_publish_seconds = histogram(
            "bus_publish_seconds", "Time to publish a message.", buckets=_SECONDS
        )
        self.bus_delivery_seconds = histogram(
            "bus_delivery_seconds",
            "Time from publishing a message to its arrival, by probes.",
            buckets=_SECONDS,
        )
        self.bot_wait_seconds = histogram(
            "bot_wait_seconds",
            "Time that moves of bots waited for a free worker.",
            ["match"],
            buckets=(*_SECONDS, 10.0, 30.0, 60.0),
        )
        self.bot_seconds = histogram(
            "bot_move_seconds",
            "Time that bots took for a move.",
            ["game"],
            buckets=(*_SECONDS, 10.0, 30.0),
        )

    def text(self) -> bytes:
        """All metrics in Prometheus's text format."""
        return generate_latest(self.registry)
