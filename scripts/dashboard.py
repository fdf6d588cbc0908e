"""Write Grafana's dashboard: ``make dashboard``. The panels are listed here, a line for each."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

FILE = Path(__file__).resolve().parents[1] / "deploy/grafana/dashboards/watermeet.json"
WIDTH, HEIGHT, COLUMNS = 8, 7, 3


def _quantiles(metric: str, by: str = "") -> list[tuple[str, str]]:
    group = f"le, {by}" if by else "le"
    rates = f"sum by ({group}) (rate(watermeet_{metric}_bucket[$__rate_interval]))"
    legend = f" {{{{{by}}}}}" if by else ""
    shares = (0.5, 0.95, 0.99)
    return [(f"histogram_quantile({q}, {rates})", f"p{q * 100:.0f}{legend}") for q in shares]


def _rate(metric: str, by: str) -> list[tuple[str, str]]:
    rates = f"sum by ({by}) (rate(watermeet_{metric}_total[$__rate_interval]))"
    return [(rates, f"{{{{{by}}}}}")]


NODES = [('sum(up{job="watermeet"})', "respond"), ("sum(watermeet_ready)", "ready")]
PANELS: list[tuple[str, str, list[tuple[str, str]]]] = [
    ("Nodes that respond, and are ready", "short", NODES),
    ("Time to a durable acknowledgement", "s", _quantiles("command_seconds")),
    ("Commands that failed by our fault", "percentunit", [("watermeet:failed:ratio5m", "failed")]),
    ("Moves a second", "short", _rate("moves", "game")),
    ("Commands a second by result", "short", _rate("commands", "result")),
    ("Open sockets", "short", [("watermeet_open_sockets", "{{instance}}")]),
    ("Sockets opened a second", "short", _rate("opened_sockets", "instance")),
    ("The store's time", "s", _quantiles("store_seconds", "operation")),
    ("Publishing on the bus", "s", _quantiles("bus_publish_seconds", "instance")),
    ("From publishing to arrival, by probes", "s", _quantiles("bus_delivery_seconds", "instance")),
    ("Messages rejected a second", "short", _rate("rejected_messages", "code")),
    ("The oldest move of a bot", "s", [("max(watermeet_bot_queue_seconds)", "waited for")]),
    ("Waiting for a bot worker", "s", _quantiles("bot_wait_seconds", "match")),
    ("Bots' time for a move", "s", _quantiles("bot_move_seconds")),
    ("Moves found on players' devices, a second", "short", _rate("device_moves", "game")),
    ("Lag of the event loop", "s", _quantiles("loop_lag_seconds", "instance")),
    ("Stalls of the event loop", "short", _rate("loop_stalls", "instance")),
    ("Appends that another writer beat", "short", _rate("append_conflicts", "instance")),
    ("Memory for matches", "bytes", [("watermeet_cached_bytes", "{{instance}}")]),
    ("Connections refused a second", "short", _rate("refused_connections", "reason")),
    ("Sockets closed by the server, a second", "short", _rate("dropped_sockets", "reason")),
    ("Matches created a second", "short", _rate("matches_created", "game")),
    ("Matches finished a second", "short", _rate("matches_finished", "reason")),
    ("Matches in memory", "short", [("watermeet_cached_matches", "{{instance}}")]),
]


def dashboard() -> dict[str, Any]:
    """The dashboard as Grafana reads it."""
    source = {"type": "prometheus", "uid": "prometheus"}
    panels = [
        {
            "id": number + 1,
            "type": "timeseries",
            "title": title,
            "datasource": source,
            "fieldConfig": {"defaults": {"unit": unit, "min": 0}, "overrides": []},
            "gridPos": {
                "x": number % COLUMNS * WIDTH,
                "y": number // COLUMNS * HEIGHT,
                "w": WIDTH,
                "h": HEIGHT,
            },
            "targets": [
                {"refId": chr(ord("A") + each), "expr": expression, "legendFormat": legend}
                for each, (expression, legend) in enumerate(queries)
            ],
        }
        for number, (title, unit, queries) in enumerate(PANELS)
    ]
    return {
        "uid": "watermeet",
        "title": "Watermeet",
        "schemaVersion": 39,
        "refresh": "10s",
        "time": {"from": "now-1h", "to": "now"},
        "panels": panels,
    }


def text() -> str:
    """The dashboard's file."""
    return json.dumps(dashboard(), indent=1) + "\n"


if __name__ == "__main__":
    FILE.write_text(text(), encoding="utf-8")
