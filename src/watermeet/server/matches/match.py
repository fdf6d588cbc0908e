"""Match: all that follows from the entries of a log, as an immutable value.

``Match.of(entries)`` folds a log, ``match.after(entry)`` goes on by one. An action costs one call
of the game's kernels and a few small copies, however long the match is: what was played before is
a chain that new matches share. Folding trusts that entries were decided by ``decide``; an action
that the rules refuse raises all the same.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from functools import lru_cache
from typing import Any

import msgspec

from watermeet.core.contract import CHANCE, StateArray
from watermeet.core.game import Game
from watermeet.core.options import Value
from watermeet.core.registry import game as find_game
from watermeet.core.state import State
from watermeet.server.matches import entries as kinds
from watermeet.server.matches import timing
from watermeet.server.matches.entries import Created, Entry
from watermeet.server.matches.errors import InvalidEntry
from watermeet.server.matches.timing import Clocks

OPEN, PLAYING, PAUSED, OVER, GONE = "open", "playing", "paused", "over", "gone"
REMEMBERED = 64
"""So many client ids are remembered for each seat."""

replace = msgspec.structs.replace


class Seat(msgspec.Struct, frozen=True):
    """Who sits there and who plays."""

    who: str
    """open, invited or bot: see SeatPlan."""
    level: str = ""
    user: str = ""
    name: str = ""
    joined_seq: int = 0
    """The entry by which the user sat down."""
    stand_in: str = ""
    """The level of the bot that plays for the user, if one does."""
    out: int = 0
    """Above 0: has resigned, lost on time or was claimed, as the so manieth."""

    @property
    def is_taken(self) -> bool:
        """Whether somebody sits there."""
        return self.who == "bot" or bool(self.user)

    @property
    def is_person(self) -> bool:
        """Whether a user sits there."""
        return bool(self.user)

    @property
    def bot(self) -> str:
        """The level of the server's bot that plays this seat now, if one does."""
        return self.level if self.who == "bot" else self.stand_in

    @property
    def is_asked(self) -> bool:
        """Whether an agreement needs the consent of who sits there; bots always agree."""
        return bool(self.user) and not self.stand_in and not self.out


class Step(msgspec.Struct, frozen=True, eq=False):
    """One action that stands, and what was before it."""

    before: StateArray
    mover: int
    action: int
    seq: int
    at: int
    spent_ms: int
    left_ms: tuple[int, ...]
    """The clocks before."""
    by_clock: bool
    parent: Step | None
    """The step before; None for the first."""
    number: int
    """From 1."""
    looks: dict[int, str | None] = msgspec.field(default_factory=dict)
    """What seats saw of it, as far as somebody has asked: see shown.py. No part of the value."""


class Proposal(msgspec.Struct, frozen=True):
    """Something that a seat has offered, and who has agreed."""

    what: str
    seat: int
    to_seq: int
    yes: frozenset[int]


class Match(msgspec.Struct, frozen=True, eq=False, kw_only=True):
    """A match as its log tells it."""

    created: Created
    game: Game
    state: State
    seats: tuple[Seat, ...]
    at: int
    """The time of the last entry."""
    seq: int = 1
    """The number of the last entry."""
    stage: str = OPEN
    clocks: Clocks = Clocks()
    past: Step | None = None
    changed_seq: int = 1
    """The number of the last entry that changed the state."""
    offers: tuple[Proposal, ...] = ()
    declined: frozenset[tuple[int, str]] = frozenset()
    """(seat, what) of offers that were declined since the state last changed."""
    client_ids: tuple[tuple[tuple[str, int], ...], ...] = ()
    """By seat: the last client ids with the numbers of their entries, the newest last."""
    salts: tuple[str, ...] = ()
    draws: int = 0
    began_at: int = 0
    returns: tuple[float, ...] | None = None
    reason: str = ""
    secret: str = ""
    rematch: str = ""

    @staticmethod
    def of(entries: Iterable[Entry]) -> Match:
        """The match that a whole log tells; the log begins with Created."""
        log = iter(entries)
        first = next(log, None)
        if not isinstance(first, Created):
            raise InvalidEntry(f"a log cannot begin with {first!r}", "it begins with 'created'")
        match = _created(first)
        for entry in log:
            match = match.after(entry)
        return match

    def after(self, entry: Entry) -> Match:
        """The match after one more entry."""
        fold = _FOLDS.get(type(entry))
        if fold is None:
            raise InvalidEntry(f"{entry!r} cannot follow in a log", "a match is created once")
        return fold(self, entry)

    # ---- questions ----

    @property
    def id(self) -> str:
        """The id of the match."""
        return self.created.match

    @property
    def is_final(self) -> bool:
        """Whether nothing more is played: the match is over or gone."""
        return self.stage in (OVER, GONE)

    def steps_back(self) -> Iterator[Step]:
        """The actions that stand, the last one first."""
        step = self.past
        while step is not None:
            yield step
            step = step.parent

    def steps(self) -> list[Step]:
        """The actions that stand, in order."""
        return list(self.steps_back())[::-1]

    def state_before(self, step: Step) -> State:
        """The state in which an action was chosen."""
        return State(self.game, step.before)

    def people(self) -> list[int]:
        """The seats on which users sit."""
        return [number for number, seat in enumerate(self.seats) if seat.is_person]

    def remembered(self, seat: int, client_id: str) -> int | None:
        """The entry that a command of this client id gave; None if there is none."""
        if not client_id or not 0 <= seat < len(self.client_ids):
            return None
        return next((seq for known, seq in self.client_ids[seat] if known == client_id), None)

    def offer(self, what: str) -> Proposal | None:
        """The offer of this kind that is open."""
        return next((offer for offer in self.offers if offer.what == what), None)

    # ---- value ----

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Match):
            return NotImplemented
        mine, theirs = self._flat(), other._flat()
        return mine == theirs

    def __hash__(self) -> int:
        return hash((self.created.match, self.seq))

    def _flat(self) -> list[Any]:
        """All of it without the chain, which is too long to be compared by recursion."""
        steps = [
            (step.before.tobytes(), *msgspec.structs.astuple(step)[1:8]) for step in self.steps()
        ]
        fields = [getattr(self, name) for name in self.__struct_fields__ if name != "past"]
        return [*fields, steps]


# ---- folding: one function a kind ---------------------------------------------------------------


@lru_cache(maxsize=256)
def _game(name: str, version: int, options: tuple[tuple[str, str, Value], ...]) -> Game:
    """Games are costly to make and the same for many matches."""
    values = {option: value for option, _, value in options}
    return find_game(name).at_version(version).with_options(**values)


def _created(entry: Created) -> Match:
    # With the type, for 1 and True would be the same key.
    options = sorted((name, type(value).__name__, value) for name, value in entry.options.items())
    game = _game(entry.game, entry.version, tuple(options))
    seats = tuple(Seat(plan.who, plan.level) for plan in entry.seats)
    return Match(
        created=entry,
        game=game,
        state=game.parse(entry.start) if entry.start else game.start(),
        seats=seats,
        at=entry.at,
        client_ids=((),) * len(seats),
        salts=("",) * len(seats),
    )


def _seat(match: Match, number: int, **changes: Any) -> tuple[Seat, ...]:
    """The seats, one of them changed."""
    seats = match.seats
    return (*seats[:number], replace(seats[number], **changes), *seats[number + 1 :])


def _remember(match: Match, seat: int, client_id: str) -> tuple[tuple[tuple[str, int], ...], ...]:
    ids = match.client_ids
    if not client_id:
        return ids
    known = (*ids[seat][1 - REMEMBERED :], (client_id, match.seq + 1))
    return (*ids[:seat], known, *ids[seat + 1 :])


def _on(match: Match, entry: Entry, **changes: Any) -> Match:
    """The same match one entry later, with changes."""
    seat, client_id = getattr(entry, "seat", -1), getattr(entry, "client_id", "")
    if client_id:
        changes["client_ids"] = _remember(match, seat, client_id)
    return replace(match, seq=match.seq + 1, at=entry.at, **changes)


def _joined(match: Match, entry: kinds.Joined) -> Match:
    seats = _seat(match, entry.seat, user=entry.user, name=entry.name, joined_seq=match.seq + 1)
    return _on(match, entry, seats=seats)


def _left(match: Match, entry: kinds.Left) -> Match:
    salts = (*match.salts[: entry.seat], "", *match.salts[entry.seat + 1 :])
    return _on(
        match, entry, seats=_seat(match, entry.seat, user="", name="", joined_seq=0), salts=salts
    )


def _salted(match: Match, entry: kinds.Salted) -> Match:
    salts = (*match.salts[: entry.seat], entry.salt, *match.salts[entry.seat + 1 :])
    return _on(match, entry, salts=salts)


def _began(match: Match, entry: kinds.Began) -> Match:
    clocks = timing.at_begin(match.created.timing, match.game.seats, entry.at)
    clocks = timing.moved(
        clocks, match.created.timing, match.state.to_move, entry.at, clocks.left_ms
    )
    clocks = _minute(match, match.state, clocks, entry.at, is_said=False)
    return _on(match, entry, stage=PLAYING, clocks=clocks, began_at=entry.at)


def _minute(match: Match, state: State, clocks: Clocks, at: int, *, is_said: bool) -> Clocks:
    if match.game.clock is None:
        return clocks
    length = timing.minute_ms(match.game, match.created.minute_percent)
    return timing.with_minute(clocks, state, at, length, is_said=is_said)


def _acted(
    match: Match, entry: Any, *, spent_ms: int = 0, is_drawn: bool = False, by_clock: bool = False
) -> Match:
    """An action was played, by whomever."""
    before, seq, at, action = match.state, match.seq + 1, entry.at, entry.action
    after = before.play(action)
    mover, clocks, past = before.to_move, match.clocks, match.past
    # Who has left has no clock: a bot plays on for as long as it takes.
    left = clocks.left_ms
    if spent_ms and left and not match.seats[mover].out:
        left = timing.charged(clocks, mover, spent_ms)
    step = Step(
        before._array,
        mover,
        action,
        seq,
        at,
        spent_ms,
        clocks.left_ms,
        by_clock,
        past,
        1 if past is None else past.number + 1,
    )
    clocks = timing.moved(clocks, match.created.timing, after.to_move, at, left)
    clock = match.game.clock
    if clock is not None:
        is_said = not is_drawn and before.format(action) == clock.move
        clocks = _minute(match, after, clocks, at, is_said=is_said)
    client_id = "" if is_drawn else getattr(entry, "client_id", "")
    return replace(
        match,
        state=after,
        seq=seq,
        at=at,
        changed_seq=seq,
        past=step,
        clocks=clocks,
        client_ids=_remember(match, mover, client_id) if client_id else match.client_ids,
        draws=match.draws + is_drawn,
        offers=_without_undo(match.offers) if match.offers else (),
        declined=frozenset(),
    )


def _without_undo(offers: tuple[Proposal, ...]) -> tuple[Proposal, ...]:
    return tuple(offer for offer in offers if offer.what != "undo")


def _played(match: Match, entry: kinds.Played) -> Match:
    if match.state.to_move != entry.seat:
        raise InvalidEntry(f"{entry!r} is not the seat to move", f"{match.state.to_move} is")
    return _acted(match, entry, spent_ms=entry.spent_ms)


def _drawn(match: Match, entry: kinds.Drawn) -> Match:
    if match.state.to_move != CHANCE:
        raise InvalidEntry(f"{entry!r} where chance is not asked", "a seat is to move")
    return _acted(match, entry, is_drawn=True)


def _minute_over(match: Match, entry: kinds.MinuteOver) -> Match:
    spent = entry.at - match.clocks.since if match.clocks.left_ms else 0
    return _acted(match, entry, spent_ms=spent, by_clock=True)


def _undone(match: Match, entry: kinds.Undone) -> Match:
    first = None
    for step in match.steps_back():
        if step.seq <= entry.to_seq:
            break
        first = step
    if first is None:
        raise InvalidEntry(f"{entry!r} takes nothing back", "to_seq is before a step")
    state = match.state_before(first)
    left = _charged_now(match, entry.at)
    return _on(
        match,
        entry,
        state=state,
        past=first.parent,
        changed_seq=match.seq + 1,
        clocks=timing.undone(match.clocks, state.to_move, entry.at, left, first.left_ms),
        offers=_without_undo(match.offers),
        declined=frozenset(),
    )


def _charged_now(match: Match, at: int) -> tuple[int, ...]:
    """What is left to all when whose clock runs pays until now."""
    seat = timing.running_seat(match)
    if seat is None or match.seats[seat].out:
        return match.clocks.left_ms
    return timing.charged(match.clocks, seat, at - match.clocks.since)


def _offered(match: Match, entry: kinds.Offered) -> Match:
    offer = Proposal(entry.what, entry.seat, entry.to_seq, frozenset((entry.seat,)))
    return _on(match, entry, offers=(*match.offers, offer))


def _answered(match: Match, entry: kinds.Answered) -> Match:
    offer = match.offer(entry.what)
    if offer is None:
        raise InvalidEntry(f"{entry!r} answers nothing", "an offer comes before it")
    rest = tuple(other for other in match.offers if other is not offer)
    if entry.yes:
        return _on(match, entry, offers=(*rest, replace(offer, yes=offer.yes | {entry.seat})))
    is_withdrawn = offer.seat == entry.seat
    declined = match.declined if is_withdrawn else match.declined | {(offer.seat, offer.what)}
    return _on(match, entry, offers=rest, declined=declined)


def _paused(match: Match, entry: kinds.Paused) -> Match:
    clocks = timing.paused(match.clocks, entry.at, _charged_now(match, entry.at))
    return _on(match, entry, stage=PAUSED, clocks=clocks, offers=(), declined=frozenset())


def _resumed(match: Match, entry: kinds.Resumed) -> Match:
    clocks = timing.resumed(match.clocks, entry.at)
    return _on(match, entry, stage=PLAYING, clocks=clocks, offers=(), declined=frozenset())


def _stood_in(match: Match, entry: kinds.StoodIn) -> Match:
    # Fewer have a say now: offers lapse, so that none is agreed by nobody's answer.
    return _on(match, entry, seats=_seat(match, entry.seat, stand_in=entry.level), offers=())


def _handed_back(match: Match, entry: kinds.HandedBack) -> Match:
    return _on(match, entry, seats=_seat(match, entry.seat, stand_in=""))


def _out(match: Match, seat: int) -> tuple[Seat, ...]:
    order = 1 + max(other.out for other in match.seats)
    return _seat(match, seat, out=order)


def _resigned(match: Match, entry: kinds.Resigned) -> Match:
    return _on(match, entry, seats=_out(match, entry.seat), offers=())


def _claimed(match: Match, entry: kinds.Claimed) -> Match:
    seats = _out(match, entry.seat) if entry.how == "out" else match.seats
    # The client id is that of who claims.
    after = replace(match, seq=match.seq + 1, at=entry.at, seats=seats, offers=())
    return replace(after, client_ids=_remember(match, entry.by, entry.client_id))


def _time_up(match: Match, entry: kinds.TimeUp) -> Match:
    clocks = match.clocks
    left = timing.charged(clocks, entry.seat, clocks.left_ms[entry.seat] if clocks.left_ms else 0)
    clocks = replace(clocks, left_ms=left, since=entry.at)
    return _on(match, entry, seats=_out(match, entry.seat), clocks=clocks, offers=())


def _ended(match: Match, entry: kinds.Ended) -> Match:
    clocks = replace(match.clocks, left_ms=_charged_now(match, entry.at), minute_ends=None)
    return _on(
        match, entry, stage=OVER, returns=entry.returns, reason=entry.reason, clocks=clocks,
        offers=(), declined=frozenset(),
    )  # fmt: skip


def _abandoned(match: Match, entry: kinds.Abandoned) -> Match:
    return _on(match, entry, stage=GONE, offers=(), declined=frozenset())


def _revealed(match: Match, entry: kinds.Revealed) -> Match:
    return _on(match, entry, secret=entry.secret)


def _rematched(match: Match, entry: kinds.Rematched) -> Match:
    return _on(match, entry, rematch=entry.match, offers=(), declined=frozenset())


_FOLDS: dict[type[Entry], Callable[[Match, Any], Match]] = {
    kinds.Joined: _joined,
    kinds.Left: _left,
    kinds.Salted: _salted,
    kinds.Began: _began,
    kinds.Played: _played,
    kinds.Drawn: _drawn,
    kinds.MinuteOver: _minute_over,
    kinds.Undone: _undone,
    kinds.Offered: _offered,
    kinds.Answered: _answered,
    kinds.Paused: _paused,
    kinds.Resumed: _resumed,
    kinds.StoodIn: _stood_in,
    kinds.HandedBack: _handed_back,
    kinds.Resigned: _resigned,
    kinds.Claimed: _claimed,
    kinds.TimeUp: _time_up,
    kinds.Ended: _ended,
    kinds.Abandoned: _abandoned,
    kinds.Revealed: _revealed,
    kinds.Rematched: _rematched,
}
