"""Which matches count for ratings, and as what: P12 of docs/concepts/platform-rules.md."""

from __future__ import annotations

from watermeet.server.matches.match import FINISHED, Match, Seat
from watermeet.server.people.ratings.anchors import difficulty_of, kind_of
from watermeet.server.people.ratings.fold import Player, Pool, RatedMatch


def counted(match: Match) -> RatedMatch | None:
    """What a match means for ratings; None if it doesn't count."""
    if match.stage != FINISHED or not match.setup.is_rated or match.returns is None:
        return None
    if match.reason != "rules" and not _have_all_played(match):
        return None
    teams = tuple(tuple(player_of(match.seats[seat]) for seat in team) for team in match.game.teams)
    kind = kind_of(match.game)
    if kind == "cooperative":
        teams += ((Player("difficulty", difficulty_of(match.game, match.setup.timer_percent)),),)
        is_won = match.returns[0] > 0 and not _has_left(match, match.game.teams[0])
        places: tuple[int, ...] = (1, 2) if is_won else (2, 1)
    else:
        ranks = [(_has_left(match, team), -match.returns[team[0]]) for team in match.game.teams]
        places = tuple(1 + sum(other < rank for other in ranks) for rank in ranks)
    left = tuple(player_of(seat) for seat in match.seats if _is_away(seat))
    pool = Pool(match.game.name, kind)
    return RatedMatch(match.id, match.ended_at, pool, teams, places, left)


def _have_all_played(match: Match) -> bool:
    movers = {step.mover for step in match.steps_back()}
    return all(movers.intersection(team) for team in match.game.teams)


def _is_away(seat: Seat) -> bool:
    """Whether a user has left, or a bot plays for them."""
    return bool(seat.user) and bool(seat.out or seat.stand_in)


def _has_left(match: Match, team: tuple[int, ...]) -> bool:
    """Whether all people of a team have left; bots alone never do."""
    people = [match.seats[seat] for seat in team if match.seats[seat].user]
    return bool(people) and all(_is_away(seat) for seat in people)


def player_of(seat: Seat) -> Player:
    """Who is rated for a seat."""
    return Player("user", seat.user) if seat.user else Player("bot", seat.level)
