"""A stuck event loop is noticed, with what it is at."""

from __future__ import annotations

import asyncio
import logging
import time

import pytest

from watermeet.server import watchdog as module
from watermeet.server.metrics import Metrics
from watermeet.server.watchdog import Watchdog

pytestmark = pytest.mark.anyio


def compute_for_long() -> None:
    time.sleep(0.3)


async def test_a_stuck_loop_is_reported_once_with_its_place(
    monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    monkeypatch.setattr(module, "TICK_S", 0.01)
    monkeypatch.setattr(module, "STUCK_S", 0.1)
    metrics = Metrics()
    watchdog = Watchdog(metrics)
    watchdog.start()
    with caplog.at_level(logging.WARNING):
        await asyncio.sleep(0.05)
        compute_for_long()
        await asyncio.sleep(0.05)
    await watchdog.close()
    (report,) = caplog.records
    assert "compute_for_long" in str(report.__dict__)
    text = metrics.text().decode()
    assert "watermeet_loop_stalls_total 1.0" in text
    late = next(line for line in text.splitlines() if "loop_lag_seconds_sum" in line)
    assert float(late.split()[1]) > 0.2
