"""What matches say: a score between two bots, bout by bout; and how often all won together.

A match of more than two teams is many comparisons of two. Those between teams of different bots
count, unless both teams got the same without being first: of two losers nothing is known. The score
of a match is the share of comparisons that the pairing's first bot won, a draw being half; that of
a bout is the mean over its rotations. docs/decisions tells why.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from watermeet.arena.match import Played
from watermeet.arena.pairing import Pairing, rotations
from watermeet.core.game import Game


@dataclass(frozen=True)
class Bouts:
    """The scores of a pairing's whole bouts for its first bot, in the order of the bouts."""

    pairing: Pairing
    scores: tuple[float, ...]


def match_score(game: Game, rotation: int, returns: Sequence[float]) -> float:
    """What the pairing's first bot got of 1."""
    seating = rotations(game)[rotation]
    gains = [(max(returns[seat] for seat in team), seating[team[0]]) for team in game.teams]
    best = max(gain for gain, _ in gains)
    points, count = 0.0, 0
    for ours in (gain for gain, bot in gains if bot == 0):
        for theirs in (gain for gain, bot in gains if bot == 1):
            if ours != theirs or ours == best:
                points += 0.5 if ours == theirs else float(ours > theirs)
                count += 1
    return points / count


def bouts_of(game: Game, pairing: Pairing, played: Iterable[Played]) -> Bouts:
    """The pairing's bouts of which every rotation was played, out of one variation's matches."""
    found: dict[int, dict[int, float]] = {}
    for match in played:
        if match.bots == pairing and not match.error:
            score = match_score(game, match.rotation, match.returns)
            found.setdefault(match.bout, {})[match.rotation] = score
    count = len(rotations(game))
    whole = [scores for _, scores in sorted(found.items()) if len(scores) == count]
    return Bouts(pairing, tuple(sum(scores.values()) / count for scores in whole))
