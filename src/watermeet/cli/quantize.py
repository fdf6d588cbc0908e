"""``watermeet quantize``: make a network small and fast."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from watermeet.cli.train import require_torch

Network = Annotated[
    Path, typer.Argument(metavar="FILE", help="A network.onnx that watermeet train wrote.")
]
Output = Annotated[
    Path | None,
    typer.Option("--output", metavar="FILE", help="Where to write it; FILE-int8.onnx by default."),
]
Positions = Annotated[
    int,
    typer.Option(
        "--positions", metavar="N", min=20, help="Positions of each board; 500 by default."
    ),
]


def register(app: typer.Typer) -> None:
    """Add the subcommand."""
    app.command("quantize")(quantize)


def quantize(file: Network, *, output: Output = None, positions: Positions = 500) -> None:
    """Write a faster copy of a network.

    Its convolutions compute with 8-bit integers. The command measures what that changes.
    """
    require_torch()
    from watermeet.train.quantize import quantize as write

    target = output or file.with_name(f"{file.stem}-int8.onnx")
    found = write(file, target, positions=positions)
    before, after = found.microseconds
    typer.echo(
        f"Wrote {target} ({target.stat().st_size / 1000:,.0f} kB, before: "
        f"{file.stat().st_size / 1000:,.0f} kB).\n"
        f"In {found.positions:,} positions, both prefer the same action in "
        f"{100 * found.same_best:.1f}%. By the original's policy, the copy's choices are "
        f"{100 * found.lost_prior:.2f} percentage points worse on average.\n"
        f"Values differ by {found.value_error:.4f}. One position takes {after:.0f} µs instead of "
        f"{before:.0f} µs."
    )
