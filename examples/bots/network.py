"""A bot that plays on a server through the public API.

It searches with one of Watermeet's own bots; put your own into `choose`. It plays one match, or
joins the public matches of a game one after the other.

    python examples/bots/network.py --server http://127.0.0.1:8765 --name Otter --game flume
"""

import argparse
import sys
import time

import watermeet as wm
from watermeet.bots.bot import Bot
from watermeet.bots.specs import make_bot
from watermeet.client import ApiError, Client, Connection, Position, play_match
from watermeet.search.limits import Limits

CLOCK_SHARE = 1 / 30
"""The share of the remaining time to spend on one move."""


class Player:
    """Chooses the moves of one match."""

    def __init__(self, connection: Connection, level: str) -> None:
        self.connection, self.level = connection, level
        self.bot: Bot | None = None

    def choose(self, position: Position) -> str | int:
        """The action to play when it is our turn."""
        name, version, options = position.game
        game = wm.game(name).at_version(version).with_options(**options)
        state = game.parse(position.state).conceal(position.seat)
        if self.bot is None:
            self.bot = make_bot(game, self.level)
        return self.bot.play(state, self.limits(position)).action

    def limits(self, position: Position) -> Limits | None:
        """The time limit by the server's clock; None for the level's own."""
        level = getattr(self.bot, "level", None)
        if position.deadline is None or level is None:
            return None
        left = max(20.0, position.deadline - self.connection.clock.now()) / 1000
        seconds = left * CLOCK_SHARE
        return Limits(
            seconds if level.seconds is None else min(seconds, level.seconds), level.nodes
        )


def find_seat(client: Client, game: str) -> tuple[str, int]:
    """Wait for a public match with an open seat."""
    while True:
        for listed in client.open_matches(game):
            for seat, place in enumerate(listed["headline"]["seats"]):
                if place["who"] == "open":
                    return listed["match"], seat
        time.sleep(2.0)


def main() -> None:
    """Play."""
    parser = argparse.ArgumentParser(description="Play on a Watermeet server.")
    parser.add_argument("--server", default="http://127.0.0.1:8765")
    parser.add_argument("--token", default="", help="of a bot account; default: create a new one")
    parser.add_argument("--name", default="Otter", help="of the new bot account")
    parser.add_argument("--level", default="brook")
    parser.add_argument("--game", default="flume", help="join public matches of this game")
    parser.add_argument("--match", default="", help="or play this match only")
    parser.add_argument("--seat", type=int, default=1, help="on this seat, counted from 1")
    parser.add_argument("--invitation", default="", help="the token in the invitation link")
    given = parser.parse_args()
    client = Client(given.server, given.token)
    if not client.token:
        print("the token of", given.name, "is", client.create_bot(given.name), file=sys.stderr)
    while True:
        match, seat = given.match, given.seat - 1
        if not match:
            match, seat = find_seat(client, given.game)
        try:
            client.join(match, seat, given.invitation)
        except ApiError as error:
            if given.match:
                raise
            print(error, file=sys.stderr)  # Somebody else was faster.
            continue
        with Connection(client) as connection:
            end = play_match(connection, match, Player(connection, given.level).choose)
        print(match, end.stage, (end.outcome or {}).get("returns"), flush=True)
        if given.match:
            return


if __name__ == "__main__":
    main()
