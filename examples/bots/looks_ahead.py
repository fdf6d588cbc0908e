"""A bot in Python that uses Watermeet's rules: it plays a winning move, or else a random one.

watermeet play flume --seats human,"exec:python examples/bots/looks_ahead.py"
"""

import json
import random
import sys

import watermeet as wm


def choose(state: wm.State) -> str:
    """A move that wins at once; a random one if there is none."""
    moves = list(state.legal_moves)
    random.shuffle(moves)
    for move in moves:
        after = state.play(move)
        if after.outcome is not None and state.to_move in after.outcome.winners:
            return move
    return moves[0]


def main() -> None:
    """Answer line by line."""
    game = None
    for line in sys.stdin:
        message = json.loads(line)
        if message["type"] == "hello":
            game = wm.game(message["game"]).with_options(**message["options"])
            print(json.dumps({"type": "ready", "name": "looks ahead"}), flush=True)
        elif message["type"] == "choose":
            assert game is not None, "hello comes first"
            move = choose(game.parse(message["state"]))
            print(json.dumps({"type": "choice", "id": message["id"], "move": move}), flush=True)
        elif message["type"] == "quit":
            break


if __name__ == "__main__":
    main()
