"""``watermeet dataset``: turn records into arrays to learn from."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from watermeet.cli.errors import InvalidFile

if TYPE_CHECKING:
    from watermeet.core.record import Record

Folder = Annotated[
    Path, typer.Argument(metavar="FOLDER", help="Records, as watermeet arena --records wrote them.")
]
File = Annotated[Path, typer.Argument(metavar="FILE", help="The data set to write: NAME.npz.")]


def register(app: typer.Typer) -> None:
    """Add the subcommand."""
    app.command("dataset")(dataset)


def dataset(folder: Folder, file: File) -> None:
    """Turn records into a data set for offline learning.

    Each row is a decision: what the seat knew, what was legal, what it played, and the end.
    """
    from watermeet.cli.progress import Bar
    from watermeet.envs.dataset import make_dataset, write_dataset

    found = sorted(folder.glob("*.txt"))
    if not found:
        raise InvalidFile(f"{str(folder)!r} has no records", "name a folder with .txt files")
    with Bar(len(found)) as bar:
        data = make_dataset(_read(found), lambda: bar.step(lambda: "matches"))
    write_dataset(data, file)
    typer.echo(
        f"Wrote {len(data):,} decisions of {len(data.players):,} matches to {file} "
        f"({file.stat().st_size / 1e6:,.1f} MB)."
    )


def _read(files: list[Path]) -> Iterator[Record]:
    from watermeet.cli.storage import read_record

    for file in files:
        yield read_record(file)
