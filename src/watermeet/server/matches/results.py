"""The result of a match that seats have left before the end: returns, and a sentence."""

from __future__ import annotations

from watermeet.core.game import Game
from watermeet.server.matches.match import Match


def is_team_out(match: Match, team: tuple[int, ...]) -> bool:
    """Whether all people of a team have left (its bots don't continue alone), or all its bots."""
    seats = [match.seats[seat] for seat in team]
    people = [seat for seat in seats if seat.user]
    return all(seat.out for seat in people or seats)


def ended_by_leaving(match: Match) -> tuple[float, ...] | None:
    """The returns if those who have left end the match; None if the others play on.

    The match ends when one of several teams remains, when the only team has left, or when no people
    remain.
    """
    teams = match.game.teams
    out = [team for team in teams if is_team_out(match, team)]
    staying = [team for team in teams if team not in out]
    people_stay = any(match.seats[seat].user for team in staying for seat in team)
    if not out or (people_stay and len(staying) > 1):
        return None
    return shared(match.game, tuple(seat for team in staying for seat in team))


def shared(game: Game, winners: tuple[int, ...]) -> tuple[float, ...]:
    """Returns where some seats win and the rest lose, within what the game declares."""
    low, high = game.returns_range
    count, losers = len(winners), game.seats - len(winners)
    if not count:
        return (low,) * game.seats
    if game.returns_sum is None:
        gain, loss = high, low
    else:
        loss = max(low, (game.returns_sum - count * high) / losers)
        gain = (game.returns_sum - losers * loss) / count
    return tuple(gain if seat in winners else loss for seat in range(game.seats))


def with_leavers_last(match: Match, returns: tuple[float, ...]) -> tuple[float, ...]:
    """The returns of the rules, redistributed so that teams that left come last.

    Teams that stayed keep their order and take the best returns; tied teams share theirs. Then come
    those that left, the first to leave last.
    """
    teams = match.game.teams
    if not any(is_team_out(match, team) for team in teams):
        return returns
    prizes = sorted((returns[team[0]] for team in teams), reverse=True)

    def rank(team: tuple[int, ...]) -> tuple[float, ...]:
        if is_team_out(match, team):
            return (1.0, -float(max(match.seats[seat].out for seat in team)))
        return (0.0, -returns[team[0]])

    result = list(returns)
    places = sorted(teams, key=rank)
    for team in teams:
        level = [place for place, other in enumerate(places) if rank(other) == rank(team)]
        for seat in team:
            result[seat] = sum(prizes[place] for place in level) / len(level)
    return tuple(result)


def by_player(match: Match) -> dict[tuple[str, str], str]:
    """How a finished match ended for each user and level: won, drawn or lost.

    Empty for those who played against themselves.
    """
    assert match.returns is not None, "the match has a result"
    teams, best = match.game.teams, winners(match.returns)
    is_drawn = len(teams) > 1 and len({match.returns[team[0]] for team in teams}) == 1
    found: dict[tuple[str, str], dict[int, str]] = {}
    for number, team in enumerate(teams):
        for seat in team:
            place = match.seats[seat]
            player = ("user", place.user) if place.user else ("bot", place.level)
            result = "drawn" if is_drawn else "won" if seat in best else "lost"
            if place.user and place.out:
                result = "lost"
            found.setdefault(player, {})[number] = result
    return {
        player: next(iter(results.values())) if len(results) == 1 else ""
        for player, results in found.items()
        if player[1]
    }


# ---- in words -----------------------------------------------------------------------------------

_LEFT = {
    "resigned": ("resigned", "resigned"),
    "timeout": ("ran out of time", "ran out of time"),
    "claimed": ("was away for too long", "were away for too long"),
}
"""What one seat did, and what several did."""


def winners(returns: tuple[float, ...]) -> tuple[int, ...]:
    """The seats that have won; none if nobody gains."""
    best = max(returns)
    return tuple(seat for seat, gain in enumerate(returns) if gain == best and gain > 0)


def sentence(match: Match) -> str:
    """Who left a match and how, and who has won: "Ann resigned. Brook wins."."""
    assert match.returns is not None, "the match has a result"
    names = _names(match)
    leavers = sorted((seat.out, number) for number, seat in enumerate(match.seats) if seat.out)
    by_way: dict[str, list[str]] = {}
    for _, number in leavers:
        by_way.setdefault(match.seats[number].left, []).append(names[number])
    left = [f"{_listed(who)} {_LEFT[way][len(who) > 1]}" for way, who in by_way.items()]
    won = [names[seat] for seat in winners(match.returns)]
    if won:
        result = f"{_listed(won)} {'win' if len(won) > 1 else 'wins'}"
    else:
        result = "Everybody loses" if min(match.returns) < 0 else "Nobody wins"
    return " ".join(f"{part}." for part in (*([_listed(left)] if left else []), result))


def _listed(words: list[str]) -> str:
    """The words as a list: "Ann, Brook and Cleo"."""
    return " and ".join(filter(None, (", ".join(words[:-1]), words[-1])))


def _names(match: Match) -> list[str]:
    """A name for each seat, and the number where two have the same."""
    known = [seat.name or seat.level.title() or "Seat" for seat in match.seats]
    return [
        f"{name} ({seat})" if known.count(name) > 1 else name for seat, name in enumerate(known, 1)
    ]
