"""Scores: of a match between two bots, and of a round.

A match of more than two teams is scored by pairwise comparisons. Those between teams of different
bots count, unless both teams got the same without being first: two losers say nothing. A match's
score is the share of comparisons that the pairing's first bot won, a draw being half; a round's
score is the mean of its matches. docs/decisions says why.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from watermeet.arena.match import MatchResult
from watermeet.arena.pairing import Pairing, rotations
from watermeet.core.game import Game


@dataclass(frozen=True)
class RoundScores:
    """The scores of a pairing's first bot in all complete rounds, in order."""

    pairing: Pairing
    scores: tuple[float, ...]


def match_score(game: Game, rotation: int, returns: Sequence[float]) -> float:
    """The score of the pairing's first bot, from 0 to 1."""
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


def round_scores(game: Game, pairing: Pairing, results: Iterable[MatchResult]) -> RoundScores:
    """The scores of a pairing's complete rounds among the matches of one variation."""
    found: dict[int, dict[int, float]] = {}
    for match in results:
        if match.bots == pairing and not match.error:
            score = match_score(game, match.rotation, match.returns)
            found.setdefault(match.round, {})[match.rotation] = score
    count = len(rotations(game))
    complete = [scores for _, scores in sorted(found.items()) if len(scores) == count]
    return RoundScores(pairing, tuple(sum(scores.values()) / count for scores in complete))
