"""Routes about the server and the games."""

from __future__ import annotations

from importlib import resources
from importlib.resources.abc import Traversable
from typing import Annotated

from fastapi import APIRouter, Path, Query, Response
from fastapi.responses import PlainTextResponse

from watermeet.bots.levels import levels_of
from watermeet.core.game import Game
from watermeet.core.registry import game as find_game
from watermeet.core.registry import games as registered
from watermeet.server.api import models
from watermeet.server.api.messages import PROTOCOL
from watermeet.server.api.services import Services, problems, text_answer
from watermeet.server.errors import NotFound
from watermeet.server.metrics import CONTENT_TYPE

GameName = Annotated[str, Path(pattern=r"^[a-z][a-z0-9_]{0,39}$", description="The game.")]
Language = Annotated[
    str, Query(pattern=r"^[a-z]{2}$", description="Of two letters; English where there is none.")
]
ENGLISH = "en"
MARKDOWN = "text/markdown; charset=utf-8"


def add_routes(router: APIRouter, services: Services) -> None:
    """Adds the family."""

    @router.get("/health")
    async def health() -> models.Health:
        """Whether the server runs and its database answers."""
        await services.store.match_row("none")
        return models.Health(status="ok")

    @router.get("/version")
    async def version() -> models.Version:
        """What runs here."""
        return models.Version(version=services.version, protocol=PROTOCOL)

    @router.get("/metrics", response_class=PlainTextResponse)
    async def metrics() -> Response:
        """Counters, as Prometheus reads them."""
        return Response(services.metrics.text(), media_type=CONTENT_TYPE)

    @router.get("/games")
    async def games() -> models.GameList:
        """All games, with their options and the levels of their bots."""
        return models.GameList(games=[_facts_of(find_game(name)) for name in registered()])

    @router.get("/games/{name}", responses=problems(404))
    async def game(name: GameName) -> models.GameFacts:
        """One game."""
        return _facts_of(_find(name))

    @router.get("/games/{name}/readiness", responses=problems(404))
    async def readiness(name: GameName) -> models.Readiness:
        """Whether a game and its bots are ready to play, or are still being compiled."""
        known = _find(name).name
        return models.Readiness(
            rules=services.precompiler.rules_are_ready(known),
            bots=services.precompiler.bots_are_ready(known),
        )

    @router.get(
        "/games/{name}/rules",
        response_class=Response,
        responses=text_answer("text/markdown") | problems(404),
    )
    async def rules(name: GameName, language: Language = ENGLISH) -> Response:
        """The rules of a game, as Markdown, in a language if the game has them in it."""
        found = _find(name)
        told = language if has_rules(found, language) else ENGLISH
        headers = {"Content-Language": told}
        return Response(rules_of(found, told), media_type=MARKDOWN, headers=headers)


def _find(name: str) -> Game:
    if name not in registered():
        raise NotFound(f"there is no game {name!r}", f"there are {', '.join(registered())}")
    return find_game(name)


def _facts_of(found: Game) -> models.GameFacts:
    levels = [level.name for level in levels_of(found)]
    return models.GameFacts(name=found.name, levels=levels, facts=found.facts())


def rules_of(game: Game, language: str = ENGLISH) -> str:
    """The text of the rules that lies in a game's folder; raises NotFound where there is none."""
    if not has_rules(game, language):
        raise NotFound(f"{game.name} has no text of its rules", "ask who wrote the game")
    return _rules_file(game, language).read_text(encoding="utf-8")


def has_rules(game: Game, language: str = ENGLISH) -> bool:
    """Whether the text of the rules lies in a game's folder."""
    return _rules_file(game, language).is_file()


def _rules_file(game: Game, language: str) -> Traversable:
    """English is RULES.md, another language such as French RULES.fr.md."""
    name = "RULES.md" if language == ENGLISH else f"RULES.{language}.md"
    return resources.files(game.package) / name
