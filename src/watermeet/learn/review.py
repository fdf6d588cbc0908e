"""The review of a match: what each decision gave away, the turning point, luck and skill apart.

Every decision is searched twice, by the game's strongest level with different random numbers; where
that level tries whole turns, by its tree of actions. What a decision gave away, its *loss*, is the
difference between the best move's value and that of the move played; how much the two searches
differ says how sure that is. Values are expected returns, as the seat to move could know them.

How well a seat played is what it gave away beside what random moves would have (accuracy.py).

In games with chance, a seat's result is the sum of three numbers: what it could expect at first,
what chance gave it (luck.py), and the rest, which decisions did.
"""

from __future__ import annotations

import random
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace

from watermeet.bots.levels import hint_level
from watermeet.bots.search_bot import SearchBot
from watermeet.core.checks import require_type
from watermeet.core.contract import CHANCE
from watermeet.core.game import Game
from watermeet.core.record import Record
from watermeet.core.state import State
from watermeet.learn.accuracy import accuracies, random_turn, spread
from watermeet.learn.findings import (
    Balance,
    BetterMove,
    Decision,
    Findings,
    Reason,
    Section,
    Verdict,
)
from watermeet.learn.luck import lead_of, measure_luck
from watermeet.learn.reasons import allowed, missed
from watermeet.learn.second_look import SecondLook
from watermeet.learn.sections import sections_of
from watermeet.search.limits import Limits
from watermeet.search.result import SearchResult

BEST: Verdict = "best"
GOOD: Verdict = "good"
INACCURACY: Verdict = "inaccuracy"
MISTAKE: Verdict = "mistake"
BLUNDER: Verdict = "blunder"
_VERDICTS: tuple[tuple[float, Verdict], ...] = ((0.15, BLUNDER), (0.1, MISTAKE), (0.05, INACCURACY))
"""From what loss on a decision is called that, as a share of the range of returns."""
_AS_GOOD = 0.005
"""A smaller loss is none: there were several best moves."""
_TOLERANCE = 0.02
"""Who tries again may lose this share of the range of returns ..."""
_MOST_AS_GOOD = 5
"""... with one of this many moves."""
SECONDS = 16.0
"""How long all decisions are searched together ..."""
SECONDS_EACH = 0.5
"""... and each at most."""
_SECOND_SHARE = 0.33
"""The share of the time for a second look at what seems to have given something away ..."""
_SECOND_SECONDS_EACH = 1.0
"""... and how long that takes at most."""
_RANDOM_SHARE = 0.2
"""The share of the time for what random turns would have lost ..."""
_MOST_RANDOM = 16
"""... at up to this many turns of each seat."""
_LUCK_SHARE = 0.1
"""Luck is measured after that, for this share of the time."""
_DOUBTFUL = 0.02
"""From what loss on a decision gets a second look, as a share of the range of returns."""
_TRUSTED_SHARE = 0.01
"""A move that got less than this share of a search's visits has no value worth the name."""
_MAX_LINE = 6
_MAX_TURN = 12
_QUICK_S = 0.05
"""How long a move is searched that only completes a turn."""


@dataclass(frozen=True)
class Review(Findings):
    """A match as seen by the search: what was found, and the record."""

    record: Record = field(kw_only=True)


class Reviewer:
    """Searches the decisions of one match."""

    def __init__(
        self, record: Record, *, seconds: float = SECONDS, nodes: int | None = None
    ) -> None:
        require_type(record, Record, "a record")
        Limits(seconds, nodes)  # Raises unless both are numbers.
        self.record, self.game = record, record.game
        self.states = record.replay()
        level = replace(hint_level(self.game).by_tree(), temperature=0.0)
        self._bots = [SearchBot(self.game, level, seed=("review", which)) for which in range(2)]
        self.numbers = [
            number
            for number, state in enumerate(self.states[:-1])
            if state.to_move >= 0 and len(state.legal_actions) > 1
        ]
        """Where the record has a decision."""
        self._seconds, self._nodes = seconds, nodes
        second = 0.0 if _is_open(self.game) else _SECOND_SHARE
        first = seconds * (1 - second - _RANDOM_SHARE)
        each = min(SECONDS_EACH, first / max(1, len(self.numbers)))
        self._turns: dict[int, list[str]] = {}
        self._unseen: set[int] = set()
        """Where the searches hardly looked at what was played: at nothing else, after a proof."""
        self._as_good: dict[int, list[str]] = {}
        """What is about as good as the best move, beside what was played."""
        self._lost: dict[int, float] = {}
        """What turns lost, by the number of their first action: below 0 if they were better than
        what the search liked best. Without a look at both it is the loss of the decisions."""
        self._at_random: dict[int, float] = {}
        """The same of random turns."""
        self._best: dict[int, float] = {}
        """What the best move was worth, as it was seen at that decision."""
        self._rivals: dict[int, str] = {}
        """What the searches liked nearly as much as the best move."""
        self._limits = self._quick = Limits(nodes=-(-(nodes or 0) // 2))
        if nodes is None:
            self._limits, self._quick = Limits(seconds=each / 2), Limits(seconds=_QUICK_S)
        self._look = SecondLook(self._bots, lambda seat, other: _sign(self.game, seat, other))

    def decisions(self) -> Iterator[Decision]:
        """Search one decision after the other."""
        for number in self.numbers:
            yield self._decide(number)

    def _decide(self, number: int) -> Decision:
        state = self.states[number]
        played = self._action(number)
        results = [bot.analyse(state, self._limits) for bot in self._bots]
        merged = _merge(results)
        best = max(merged, key=lambda action: merged[action].rank)
        rivals = [action for action in merged if action not in (best, played)]
        if rivals and not results[0].proven:
            rival = max(rivals, key=lambda action: merged[action].rank)
            self._rivals[number] = state.format(rival)
        before = merged[best].value
        after = before if played == best else _value_of(merged, played)
        if played != best and not (played in merged and merged[played].is_trusted):
            self._unseen.add(number)
        least = before - _TOLERANCE * (self.game.returns_range[1] - self.game.returns_range[0])
        self._as_good[number] = [
            state.format(action)
            for action, each in merged.items()
            if action not in (best, played) and each.is_trusted and each.value >= least
        ][:_MOST_AS_GOOD]
        if not _is_compared(self.game):
            worse = [before - _value_of(merged, action) for action in state.legal_actions]
            self._at_random[number] = sum(max(0.0, each) for each in worse) / len(worse)
        gaps = [merged[action].gap for action in (best, played) if action in merged]
        line = next((each.pv for each in results if each.action == best), (best,))
        return Decision(
            number=number,
            seat=state.to_move,
            move=state.format(played),
            best=state.format(best),
            line=_texts(state, line),
            before=max(before, after),
            after=after,
            error=max(gaps) / 2,
            proven=all(each.proven for each in results),
            verdict=_verdict(self.game, before - after, played == best),
            values=_values(self.game, state.to_move, max(before, after)),
            spent=self._spent(number),
        )

    def _action(self, number: int) -> int:
        state, entry = self.states[number], self.record.entries[number]
        return state.parse_move(entry.move)

    def _spent(self, number: int) -> float | None:
        entries = self.record.entries
        now = entries[number].seconds
        if now is None:
            return None
        before = [each.seconds for each in entries[:number] if each.seconds is not None]
        return now - before[-1] if before else now

    def finish(self, decisions: Iterable[Decision]) -> Review:
        """The review, once all decisions have been searched."""
        found = list(decisions)
        if _is_open(self.game):
            found = self._hindsight(found)
        judged = [
            replace(each, verdict=_verdict(self.game, each.loss, each.move == each.best))
            for each in found
        ]
        judged = [
            each if each.verdict in (BEST, GOOD) else self._taught(judged, each) for each in judged
        ]
        return Review(
            tuple(judged),
            self._accuracies(judged),
            _turning_point(judged),
            self._balances(),
            self._sections(judged),
            record=self.record,
        )

    def _sections(self, decisions: Sequence[Decision]) -> tuple[Section, ...]:
        """The parts into which the game divides it, with what was decided in each."""
        found, moves = [], [each.move for each in self.record.entries]
        for start, end, sentences in sections_of(self.states, moves):
            here = [
                (index, each) for index, each in enumerate(decisions) if start <= each.number < end
            ]
            if here:
                before, after = here[0][1].before, here[-1][1].after
                better = tuple(i for i, each in here if each.verdict not in (BEST, GOOD))
                found.append(Section(start, end, sentences, before, after, better))
        return tuple(found)

    def _hindsight(self, decisions: Sequence[Decision]) -> list[Decision]:
        """Take the value after a move from the next search, which sees further."""
        outcome, found = self.states[-1].outcome, []
        for index, each in enumerate(decisions):
            after = each.after
            if each.move != each.best:
                if index + 1 < len(decisions):
                    following = decisions[index + 1]
                    sign = _sign(self.game, following.seat, each.seat)
                    after = sign * following.before if sign else after
                elif outcome is not None:
                    after = outcome.returns[each.seat]
            self._best[each.number] = each.before
            self._lost[each.number] = each.before - after
            before = max(each.before, after)
            values = _values(self.game, each.seat, before)
            found.append(replace(each, after=after, before=before, values=values))
        return found

    def look_again(self, decisions: Sequence[Decision]) -> list[Decision]:
        """Compare what was played with the best moves at equal effort, where there is doubt.

        Smaller losses are none: a search undervalues what it likes less by as much. Without chance
        and hidden information the next decision's search says it better.
        """
        if _is_open(self.game):
            return list(decisions)
        turns = [
            turn if self._is_doubtful(turn) else self._without_loss(turn)
            for turn in self._in_turns(decisions)
        ]
        doubtful = sum(map(self._is_doubtful, turns))
        limits = Limits(nodes=4 * (self._nodes or 0))
        if self._nodes is None:
            each_s = self._seconds * _SECOND_SHARE / max(1, doubtful)
            limits = Limits(seconds=min(_SECOND_SECONDS_EACH, each_s))
        sampled = {turn[0].number for turn in self._sampled(turns)}
        found: list[Decision] = []
        for turn in turns:
            if self._is_doubtful(turn):
                is_sampled = turn[0].number in sampled
                found += self._compare(turn, limits, is_sampled=is_sampled)
            else:
                found += turn
        return found

    def _in_turns(self, decisions: Sequence[Decision]) -> list[list[Decision]]:
        """The decisions of a seat in a row, with nothing left to chance between them."""
        found: list[list[Decision]] = []
        for each in decisions:
            between = self.states[found[-1][-1].number + 1 : each.number] if found else ()
            if found and {each.seat} == {
                found[-1][-1].seat, each.seat, *(state.to_move for state in between)
            }:  # fmt: skip
                found[-1].append(each)
            else:
                found.append([each])
        return found

    def _without_loss(self, turn: list[Decision]) -> list[Decision]:
        """A turn that lost nothing to speak of; where seats can't be compared, as it is."""
        if None in turn[0].values:
            return turn
        return [replace(each, after=each.before) for each in turn]

    def _is_doubtful(self, turn: Sequence[Decision]) -> bool:
        if None in turn[0].values:
            return False
        loss = _loss(turn)
        is_unseen = any(each.number in self._unseen for each in turn)
        return is_unseen or _share(self.game, loss) >= _DOUBTFUL

    def _compare(
        self, turn: Sequence[Decision], limits: Limits, *, is_sampled: bool
    ) -> Iterator[Decision]:
        """Judge a turn as a whole; the move that lost most answers for it."""
        first, last = turn[0], turn[-1]
        played = [each.move for each in self.record.entries[first.number : last.number + 1]]
        others = [self._whole_turn(first)]
        if len(turn) == 1:
            played, others = played[:1], [[first.best]]
            if first.number in self._rivals:
                others.append([self._rivals[first.number]])
        turns = [*others, played]
        if is_sampled:
            turns.append(self._random_turn(first.number, _MAX_TURN))
        looked = self._look.compare(self.states[first.number], turns, first.number, limits)
        betters, found = looked[: len(others)], looked[len(others)]
        # Not beside the better of several: what seems the best of several is often only lucky.
        self._lost[first.number] = betters[0].value - found.value
        if is_sampled:
            self._at_random[first.number] = betters[0].value - looked[-1].value
        better = max(betters, key=lambda each: each.value)
        before = max(better.value, found.value)
        if betters.index(better) == 1:
            turn = [replace(first, best=others[1][0], line=(others[1][0],))]
        worst = max(turn, key=lambda each: each.loss)
        for each in turn:
            yield replace(
                each,
                before=before if each is worst else found.value,
                after=found.value,
                error=max(better.gap, found.gap) / 2 if each is worst else 0.0,
                values=_values(self.game, each.seat, before if each is worst else found.value),
            )

    def _accuracies(self, decisions: Sequence[Decision]) -> dict[int, float]:
        """How the turns of each seat compare with random ones."""
        turns = self._judged_turns(decisions)
        looks = [turn[0] for turn in self._sampled(turns) if turn[0].number not in self._at_random]
        limits = Limits(nodes=4 * (self._nodes or 0))
        if self._nodes is None:
            limits = Limits(seconds=self._seconds * _RANDOM_SHARE / max(1, len(looks)))
        for each in looks:
            self._look_at_random(each, limits)
        losses: dict[int, list[float]] = {}
        at_random: dict[int, list[float | None]] = {}
        for turn in turns:
            seat, number = turn[0].seat, turn[0].number
            losses.setdefault(seat, []).append(self._lost.get(number, _loss(turn)))
            at_random.setdefault(seat, []).append(self._at_random.get(number))
        return accuracies(losses, at_random, self.game.returns_range)

    def _judged_turns(self, decisions: Sequence[Decision]) -> list[list[Decision]]:
        """Whole turns where those are judged, else single decisions."""
        is_whole = _is_compared(self.game) and not _is_open(self.game)
        return self._in_turns(decisions) if is_whole else [[each] for each in decisions]

    def _sampled(self, turns: Sequence[list[Decision]]) -> list[list[Decision]]:
        """Some turns of each seat, all through the match."""
        return [
            turn
            for seat in range(self.game.seats)
            for turn in spread([each for each in turns if each[0].seat == seat], _MOST_RANDOM)
        ]

    def _random_turn(self, number: int, most: int) -> list[str]:
        return random_turn(self.states[number], random.Random(repr(("random", number))), most)

    def _look_at_random(self, one: Decision, limits: Limits) -> None:
        """Find what a random turn loses, in the way in which what was played is judged."""
        state, number = self.states[one.number], one.number
        if _is_open(self.game):
            (found,) = self._look.compare(state, [self._random_turn(number, 1)], number, limits)
            self._at_random[number] = self._best[number] - found.value
        else:
            turns = [self._whole_turn(one), self._random_turn(number, _MAX_TURN)]
            best, found = self._look.compare(state, turns, number, limits)
            self._at_random[number] = best.value - found.value

    def _taught(self, decisions: Sequence[Decision], one: Decision) -> Decision:
        """A mistake with what there is to learn from it."""
        state, better = self.states[one.number], []
        for move in self._whole_turn(one):
            known = state.conceal(one.seat)
            action, explained = known.parse_move(move), known.explain(move).as_json()
            better.append(BetterMove(action, move, explained))
            state = state.play(action)
        also = tuple(
            tuple(self._completed(self.states[one.number], [move]))
            for move in self._as_good.get(one.number, ())
        )
        return replace(one, reasons=self._reasons(decisions, one), better=tuple(better), also=also)

    def _reasons(self, decisions: Sequence[Decision], one: Decision) -> tuple[Reason, ...]:
        state = self.states[one.number]
        played = [each.move for each in self.record.entries[one.number :]]
        found = missed(state, self._whole_turn(one), played)
        for each in decisions:
            if each.number > one.number and _sign(self.game, each.seat, one.seat) != 1:
                return (*found, *allowed(self.states[each.number], self._whole_turn(each)))
        return tuple(found)

    def _whole_turn(self, one: Decision) -> list[str]:
        """The moves of its best line that one seat makes in a row, and those that end its turn."""
        if one.number not in self._turns:
            self._turns[one.number] = self._completed(self.states[one.number], one.line)
        return self._turns[one.number]

    def _completed(self, state: State, line: Sequence[str]) -> list[str]:
        """The moves of a line up to the end of the turn; what is missing, a bot plays."""
        seat, moves = state.to_move, list[str]()
        while state.to_move == seat and len(moves) < _MAX_TURN:
            if len(moves) < len(line):
                moves.append(line[len(moves)])
            else:
                moves.append(state.format(self._bots[0].analyse(state, self._quick).action))
            state = state.play(moves[-1])
        return moves

    def _balances(self) -> tuple[Balance, ...]:
        outcome = self.states[-1].outcome
        if outcome is None or not self.game.chance:
            return ()
        seconds = self._seconds * _LUCK_SHARE if self._nodes is None else None
        found = measure_luck(self.states, seconds=seconds)
        lead = lead_of(self.states[-1])
        results = outcome.returns if lead is None else lead.tolist()
        return tuple(
            Balance(
                start, luck, result - start - luck, luck_error, skill_error, result,
                "returns" if lead is None else "points",
            )
            for start, luck, luck_error, skill_error, result in zip(
                *(each.tolist() for each in found), results, strict=True
            )
        )  # fmt: skip


def review(record: Record, *, seconds: float = SECONDS, nodes: int | None = None) -> Review:
    """Review a match in about this many seconds, or with this many nodes for each decision."""
    reviewer = Reviewer(record, seconds=seconds, nodes=nodes)
    return reviewer.finish(reviewer.look_again(list(reviewer.decisions())))


# ---- values -----------------------------------------------------------------------------------


@dataclass(frozen=True)
class _Merged:
    """An action in both searches."""

    value: float
    visits: int
    gap: float
    """How far the two values are apart; 0 if only one search has one."""
    total: int

    @property
    def is_trusted(self) -> bool:
        return self.visits >= _TRUSTED_SHARE * self.total

    @property
    def rank(self) -> tuple[bool, float]:
        """Between two moves that were looked at, the value decides."""
        return self.visits >= 0.1 * self.total, self.value


def _merge(results: Sequence[SearchResult]) -> dict[int, _Merged]:
    found: dict[int, list[tuple[float, int]]] = {}
    for result in results:
        for each in result.candidates:
            if each.visits:
                found.setdefault(each.action, []).append((each.value, each.visits))
    total = sum(visits for pairs in found.values() for _, visits in pairs)
    return {
        action: _Merged(
            value=sum(value * visits for value, visits in pairs) / sum(v for _, v in pairs),
            visits=sum(visits for _, visits in pairs),
            gap=abs(pairs[0][0] - pairs[-1][0]),
            total=total,
        )
        for action, pairs in found.items()
    }


def _value_of(merged: Mapping[int, _Merged], action: int) -> float:
    """The value of an action; one that no search looked at is taken to be as bad as the worst."""
    if action in merged and merged[action].is_trusted:
        return merged[action].value
    trusted = [each.value for each in merged.values() if each.is_trusted]
    seen = [merged[action].value] if action in merged else []
    return min(trusted + seen or [each.value for each in merged.values()])


def _texts(state: State, actions: Sequence[int]) -> tuple[str, ...]:
    """Actions in a row as texts, as long as nothing is left to chance."""
    found: list[str] = []
    for action in actions[:_MAX_LINE]:
        if action not in state.legal_actions or state.to_move == CHANCE:
            break
        found.append(state.format(action))
        state = state.play(action)
    return tuple(found)


# ---- seats ------------------------------------------------------------------------------------


def _is_open(game: Game) -> bool:
    """Whether nothing is left to luck."""
    return not (game.chance or game.hidden)


def _is_compared(game: Game) -> bool:
    """Whether one seat's value says something about that of every other."""
    return all(_sign(game, 0, other) for other in range(game.seats))


def _team_of(game: Game, seat: int) -> int:
    return next(number for number, team in enumerate(game.teams) if seat in team)


def _sign(game: Game, seat: int, other: int) -> int:
    """What one seat's value says about another's: the same (1), the opposite (-1), or nothing."""
    if _team_of(game, seat) == _team_of(game, other):
        return 1
    return -1 if len(game.teams) == 2 and game.returns_sum == 0.0 else 0


def _values(game: Game, seat: int, value: float) -> tuple[float | None, ...]:
    """What every seat can expect, as far as one seat's value says."""
    signs = [_sign(game, seat, other) for other in range(game.seats)]
    return tuple(sign * value if sign else None for sign in signs)


# ---- judging ----------------------------------------------------------------------------------


def _share(game: Game, loss: float) -> float:
    """A loss as a share of the range of returns."""
    low, high = game.returns_range
    return loss / (high - low)


def _loss(turn: Iterable[Decision]) -> float:
    return sum(each.loss for each in turn)


def _verdict(game: Game, loss: float, is_best: bool) -> Verdict:
    if is_best or _share(game, loss) < _AS_GOOD:
        return BEST
    for least, verdict in _VERDICTS:
        if _share(game, loss) >= least:
            return verdict
    return GOOD


def _turning_point(decisions: Sequence[Decision]) -> int | None:
    serious = [index for index, each in enumerate(decisions) if each.verdict in (MISTAKE, BLUNDER)]
    return max(serious, key=lambda index: decisions[index].loss, default=None)
