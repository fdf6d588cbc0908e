"""``watermeet ratings``: compute all ratings of a server again, from the logs of its matches."""

from __future__ import annotations

import asyncio

import typer

from watermeet.cli.serve import Data, SettingsFile


def register(app: typer.Typer) -> None:
    """Add the subcommand and its own."""
    group = typer.Typer(no_args_is_help=True, help="Ratings of a server's players.")
    group.command("recompute")(recompute)
    app.add_typer(group, name="ratings")


def recompute(*, data: Data = None, settings: SettingsFile = None) -> None:
    """Compute all ratings again, from the logs of the matches.

    Stop the server first, on all nodes.
    """
    from watermeet.server.settings import read_settings

    chosen = read_settings(
        file=settings, overrides={"data_dir": None if data is None else str(data)}
    )
    count = asyncio.run(_recompute(chosen.database_url))
    typer.echo(f"Rated {'1 match' if count == 1 else f'{count:,} matches'}.")


async def _recompute(url: str) -> int:
    from watermeet.server.people.conduct import recompute as recompute_conduct
    from watermeet.server.people.rater import recompute as compute
    from watermeet.server.store.factory import open_store

    store = await open_store(url)
    try:
        await recompute_conduct(store)
        return await compute(store)
    finally:
        await store.close()
