"""A bot that plays on a server, through the door that is open to everybody.

It thinks with one of Watermeet's own bots; put your own into `choose`. With a match it plays that
one; without, it sits down at public tables of a game, one after the other.

    python examples/bots/network.py --server http://127.0.0.1:8765 --name Otter --game flume
"""

import argparse
import sys
import time

import watermeet as wm
from watermeet.bots.bot import Bot
from watermeet.bots.making import make_bot
from watermeet.client import Line, Position, Server, ServerRefused, play
from watermeet.search.limits import Limits

SHARE = 1 / 30
"""Of the time that is left for a choice."""


class Player:
    """Chooses moves in one match."""

    def __init__(self, line: Line, level: str) -> None:
        self.line, self.level = line, level
        self.bot: Bot | None = None

    def choose(self, position: Position) -> str | int:
        """The action for a position in which it is our turn."""
        name, version, options = position.game
        game = wm.game(name).at_version(version).with_options(**options)
        state = game.parse(position.state).conceal(position.seat)
        if self.bot is None:
            self.bot = make_bot(game, self.level)
        return self.bot.answer(state, self.limits(position)).action

    def limits(self, position: Position) -> Limits | None:
        """How long we may think, by the server's clock; None: as long as the level does."""
        level = getattr(self.bot, "level", None)
        ends = position.time_is_up_at
        if ends is None or level is None:
            return None
        left = max(20.0, ends - self.line.clock.now()) / 1000
        seconds = left * SHARE
        return Limits(
            seconds if level.seconds is None else min(seconds, level.seconds), level.nodes
        )


def free_seat(server: Server, game: str) -> tuple[str, int]:
    """A public table with a seat for us; waits until there is one."""
    while True:
        for listed in server.open_tables(game):
            for seat, place in enumerate(listed["headline"]["seats"]):
                if place["who"] == "open":
                    return listed["match"], seat
        time.sleep(2.0)


def main() -> None:
    """Plays."""
    options = argparse.ArgumentParser(description="Plays on a Watermeet server.")
    options.add_argument("--server", default="http://127.0.0.1:8765")
    options.add_argument("--token", default="", help="of a bot account; else a new one is made")
    options.add_argument("--name", default="Otter", help="of the new bot account")
    options.add_argument("--level", default="brook")
    options.add_argument("--game", default="flume", help="sit down at public tables of this game")
    options.add_argument("--match", default="", help="or play this match and no other")
    options.add_argument("--seat", type=int, default=0)
    options.add_argument("--invitation", default="", help="the token of a seat's link")
    asked = options.parse_args()
    server = Server(asked.server, asked.token)
    if not server.token:
        print("the token of", asked.name, "is", server.make_bot(asked.name), file=sys.stderr)
    while True:
        match, seat = asked.match, asked.seat
        if not match:
            match, seat = free_seat(server, asked.game)
        try:
            server.sit(match, seat, asked.invitation)
        except ServerRefused as refused:
            if asked.match:
                raise
            print(refused, file=sys.stderr)  # Somebody was faster.
            continue
        with Line(server) as line:
            end = play(line, match, Player(line, asked.level).choose)
        print(match, end.stage, (end.outcome or {}).get("returns"), flush=True)
        if asked.match:
            return


if __name__ == "__main__":
    main()
