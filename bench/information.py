"""What it is worth to see what is hidden: a clairvoyant against the same search that sees its own.

The clairvoyant searches the true state as if nothing were hidden, chance included as chance; the
other searches what its seat knows. Both have the same nodes for a move. Where players compete, a
pair is two matches with the seats exchanged and the same chance outcomes in equal states; where
they play together, all of them see everything or none does.

    python -m bench information -- --games qwirkle --matches 40 --nodes 300
"""

from __future__ import annotations

import argparse
import math
import statistics
from collections.abc import Callable

import watermeet as wm
from bench.progress import progress
from watermeet.arena.match import sample_outcome
from watermeet.arena.pairing import is_cooperative
from watermeet.bots.levels import TURNS, hint_level
from watermeet.search.limits import Limits
from watermeet.search.montecarlo import MonteCarlo
from watermeet.search.settings import SETTING_NAMES, Settings
from watermeet.search.turns import TurnSearch

TITLE = "What hidden information is worth"
GAMES: dict[str, dict[str, int]] = {"qwirkle": {}, "flow": {"scenarios": 6}}
Player = Callable[[wm.State], int]


def measure(seconds: float, arguments: list[str]) -> str:
    """Shares of matches won, as Markdown."""
    parser = argparse.ArgumentParser(prog="python -m bench information --")
    parser.add_argument("--games", nargs="+", choices=list(GAMES), default=list(GAMES))
    parser.add_argument("--matches", type=int, default=40)
    parser.add_argument("--nodes", type=int, default=300)
    chosen = parser.parse_args(arguments)
    lines = [f"{chosen.nodes} nodes a move.", ""]
    for name in chosen.games:
        game = wm.game(name, **GAMES[name])
        players = _player(game, chosen.nodes, sees=True), _player(game, chosen.nodes, sees=False)
        compare = _together if is_cooperative(game) else _against
        lines.append(f"- `{game.describe()}`: {compare(game, *players, chosen.matches)}")
    return "\n".join(lines)


def _player(game: wm.Game, nodes: int, *, sees: bool) -> Player:
    level = hint_level(game)
    search: MonteCarlo | TurnSearch
    if level.method == TURNS:
        search = TurnSearch(game, sees_hidden=sees)
    else:
        settings = Settings.of({k: v for k, v in level.settings.items() if k in SETTING_NAMES})
        search = MonteCarlo(game, settings, ismcts=not sees, max_nodes=20 * nodes)

    def choose(state: wm.State) -> int:
        known = state if sees else state.conceal(state.to_move)
        return int(search.search(known, Limits(nodes=nodes)).action)

    return choose


def _play(game: wm.Game, players: list[Player], seed: str) -> wm.State:
    state, number = game.start(), 0
    while state.to_move != wm.OVER:
        if state.to_move == wm.CHANCE:
            state = state.play(sample_outcome(state, seed, number))
        else:
            state = state.play(players[state.to_move](state))
        number += 1
    return state


def _against(game: wm.Game, seer: Player, other: Player, matches: int) -> str:
    """The clairvoyant's score in pairs of matches."""
    scores = []
    for pair in range(matches // 2):
        ends = [_play(game, [seer, other], str(pair)), _play(game, [other, seer], str(pair))]
        returns = [end.outcome.returns[seat] for seat, end in enumerate(ends) if end.outcome]
        scores.append(statistics.mean((1 + each) / 2 for each in returns))
        progress(f"{game.name}: pair {pair + 1}, {statistics.mean(scores):.1%}")
    error = 1.96 * statistics.stdev(scores) / math.sqrt(len(scores))
    return (
        f"the clairvoyant scores {statistics.mean(scores):.1%} ± {error:.1%} of {matches} matches"
    )


def _together(game: wm.Game, seer: Player, other: Player, matches: int) -> str:
    """How often matches are won with and without seeing everything."""
    wins = [0, 0]
    for match in range(matches):
        for which, player in enumerate((seer, other)):
            end = _play(game, [player] * game.seats, str(match))
            wins[which] += bool(end.outcome and end.outcome.returns[0] > 0)
        progress(f"{game.name}: match {match + 1}, {wins[0]} and {wins[1]} won")
    return f"of {matches} matches, clairvoyants win {wins[0]}, and those who aren't {wins[1]}"
