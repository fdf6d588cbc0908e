"""Training on a CPU: how strong networks become that learn from nothing but their own matches.

A small network learns Flume 5x5 by ``watermeet train``, on one core. Those that it kept on the way
play without search against the levels that nodes limit.
"""

from __future__ import annotations

import json
import subprocess
import sys
import tempfile
from collections.abc import Sequence
from pathlib import Path

from bench.report import Missing, Row, is_installed, progress
from watermeet.nets.onnx import read_card

TITLE = "Training"
MINUTES, MATCHES = 3.0, 40
ABOUT = (
    f"A small network learns Flume 5x5 on a CPU from its own matches, for {MINUTES:.0f} minutes: "
    f"the % it scores without search, {MATCHES} matches against each, after so many seconds."
)
OPPONENTS = ("random", "drop", "brook", "stream")
COLUMNS = {"": "seconds", "positions": "positions", **{name: f"`{name}`" for name in OPPONENTS}}
NETWORKS = 4
TRAIN = (
    "train flume -o size=5 --channels 16 --blocks 2 --simulations 8 --matches 64 --batch 256 "
    "--device cpu --ladder 0"
)


def measure(seconds: float, games: Sequence[str]) -> list[Row]:
    """Train, then play; both shorter for less than a second."""
    del games
    if not is_installed("torch", "onnx", "onnxruntime"):
        raise Missing("PyTorch isn't installed (watermeet[train])")
    scale = min(1.0, seconds)
    rows: list[Row] = []
    with tempfile.TemporaryDirectory() as folder:
        _watermeet(*TRAIN.split(), "--minutes", str(MINUTES * scale), "--folder", folder)
        files = [*sorted(Path(folder, "earlier").glob("*.onnx")), Path(folder, "network.onnx")]
        step = (len(files) - 1) / (NETWORKS - 1)
        for file in sorted({files[round(step * each)] for each in range(NETWORKS)}):
            found = _measure_network(file, max(2, int(MATCHES * scale)))
            rows = [row for row in rows if row.name != found[0].name] + found
    return sorted(rows, key=lambda row: float(row.name))


def _measure_network(file: Path, matches: int) -> list[Row]:
    card = read_card(file)
    learnt = card.get("progress", card)
    name = f"{learnt.get('seconds', 0.0):.0f}"
    progress(f"the network after {name} s")
    bot = f"net:network={file}:nodes=1"
    words = ["-o", "size=5", "--gauntlet", "--openings", "2", "--matches", str(matches), "--json"]
    rows = [Row(name, "positions", learnt.get("positions", 0), "positions")]
    for opponent in OPPONENTS:
        answer = json.loads(_watermeet("arena", "flume", bot, opponent, *words))
        (row,) = (each for each in answer["variations"][0]["bots"] if each["bot"] == bot)
        score = 100 * (row["wins"] + row["draws"] / 2) / row["matches"]
        rows.append(Row(name, opponent, score, "%", f"of {row['matches']} matches"))
    return rows


def _watermeet(*words: str) -> str:
    command = [sys.executable, "-m", "watermeet", *words]
    return subprocess.run(command, stdout=subprocess.PIPE, check=True, text=True).stdout
