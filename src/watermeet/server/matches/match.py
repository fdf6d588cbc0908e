"""Match: everything that follows from the entries of a log, as an immutable value.

``Match.of(entries)`` folds a log, ``match.after(entry)`` adds one entry. An action costs one call
of the game's kernels and a few small copies, however long the match is: past actions form a chain
that later matches share. Folding trusts that entries were decided by ``decide``; an action that the
rules don't allow raises all the same.
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
from watermeet.server.matches import clocks as timing
from watermeet.server.matches import entries as kinds
from watermeet.server.matches.clocks import Clocks
from watermeet.server.matches.entries import Created, Entry
from watermeet.server.matches.errors import InvalidEntry
from watermeet.server.matches.setup import MatchSetup

OPEN, PLAYING, PAUSED, FINISHED, ABORTED = "open", "playing", "paused", "finished", "aborted"
REMEMBERED = 64
"""How many client ids are remembered for each seat."""

replace = msgspec.structs.replace


class Seat(msgspec.Struct, frozen=True):
    """Who has a seat, and who plays it."""

    who: str
    """open, invited or bot: see SeatPlan."""
    level: str = ""
    user: str = ""
    name: str = ""
    joined_seq: int = 0
    """The entry by which the user joined."""
    stand_in: str = ""
    """The level of the bot that plays for the user, if one does."""
    out: int = 0
    """Above 0: resigned, timed out or was claimed against; in which order seats did."""

    @property
    def is_taken(self) -> bool:
        """Whether a user or a bot has the seat."""
        return self.who == "bot" or bool(self.user)

    @property
    def bot(self) -> str:
        """The level of the server's bot that plays this seat now, if one does."""
        return self.level if self.who == "bot" else self.stand_in

    @property
    def has_say(self) -> bool:
        """Whether agreements need this seat's consent; bots always agree."""
        return bool(self.user) and not self.stand_in and not self.out


class Step(msgspec.Struct, frozen=True, eq=False):
    """An action that hasn't been undone, and the situation before it."""

    before: StateArray
    """The state before as an array alone: a State would keep what it has computed."""
    mover: int
    action: int
    seq: int
    at: int
    spent_ms: int
    remaining_ms: tuple[int, ...]
    """The clocks before."""
    by_timer: bool
    parent: Step | None
    """The step before; None for the first."""
    texts: dict[int | None, str | None] = msgspec.field(default_factory=dict)
    """A cache of what each seat saw of it, for the projection. Not part of the value."""


class PendingOffer(msgspec.Struct, frozen=True):
    """An offer that a seat has made, and who has accepted it."""

    what: str
    seat: int
    to_seq: int
    accepted_by: tuple[int, ...]


class Match(msgspec.Struct, frozen=True, eq=False, kw_only=True):
    """A match, folded from its log."""

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
    last_step: Step | None = None
    changed_seq: int = 1
    """The number of the last entry that changed the state."""
    offers: tuple[PendingOffer, ...] = ()
    declined: frozenset[tuple[int, str]] = frozenset()
    """(seat, what) of offers that were declined since the state last changed."""
    client_ids: tuple[tuple[tuple[str, int], ...], ...] = ()
    """By seat: the last client ids with the numbers of their entries, the newest last."""
    client_seeds: tuple[str, ...] = ()
    chance_count: int = 0
    """How many chance outcomes have been sampled."""
    began_at: int = 0
    returns: tuple[float, ...] | None = None
    reason: str = ""
    secret: str = ""
    rematch: str = ""

    @staticmethod
    def of(entries: Iterable[Entry]) -> Match:
        """Fold a whole log, which begins with Created."""
        log = iter(entries)
        first = next(log, None)
        if not isinstance(first, Created):
            raise InvalidEntry(f"a log can't begin with {first!r}", "it begins with 'created'")
        match = _created(first)
        for entry in log:
            match = match.after(entry)
        return match

    def after(self, entry: Entry) -> Match:
        """The match after one more entry."""
        fold = _FOLDS.get(type(entry))
        if fold is None:
            raise InvalidEntry(f"{entry!r} can't follow in a log", "a match is created once")
        return fold(self, entry)

    # ---- queries ----

    @property
    def id(self) -> str:
        """The id of the match."""
        return self.created.match

    @property
    def setup(self) -> MatchSetup:
        """What the match was created with."""
        return self.created.setup

    @property
    def has_ended(self) -> bool:
        """Whether the match is finished or aborted."""
        return self.stage in (FINISHED, ABORTED)

    @property
    def running_seat(self) -> int | None:
        """The seat whose clock is running."""
        mover = self.state.to_move
        return mover if self.stage == PLAYING and mover >= 0 else None

    def steps_back(self) -> Iterator[Step]:
        """The actions that haven't been undone, the last one first."""
        step = self.last_step
        while step is not None:
            yield step
            step = step.parent

    def steps(self) -> list[Step]:
        """The actions that haven't been undone, in order."""
        return list(self.steps_back())[::-1]

    def state_before(self, step: Step) -> State:
        """The state in which an action was chosen."""
        return State(self.game, step.before)

    def people(self) -> list[int]:
        """The seats that users have."""
        return [number for number, seat in enumerate(self.seats) if seat.user]

    def seat_of(self, user: str) -> int | None:
        """The seat that a user has."""
        return next((number for number, seat in enumerate(self.seats) if seat.user == user), None)

    def entry_of(self, seat: int, client_id: str) -> int | None:
        """The entry that the command with this client id led to; None if there is none."""
        if not client_id:
            return None
        return next((seq for known, seq in self.client_ids[seat] if known == client_id), None)

    def offer(self, what: str) -> PendingOffer | None:
        """The pending offer of this kind."""
        return next((offer for offer in self.offers if offer.what == what), None)

    # ---- value ----

    def __eq__(self, other: object) -> bool:
        return self._flat() == other._flat() if isinstance(other, Match) else NotImplemented

    def __hash__(self) -> int:
        return hash((self.created.match, self.seq))

    def _flat(self) -> list[Any]:
        """All fields, with the chain as a list: it is too long to compare by recursion."""
        steps = [
            (step.before.tobytes(), *msgspec.structs.astuple(step)[1:8]) for step in self.steps()
        ]
        fields = [getattr(self, name) for name in self.__struct_fields__ if name != "last_step"]
        return [*fields, steps]


# ---- folding: one function for each kind --------------------------------------------------------


@lru_cache(maxsize=256)
def _game(name: str, version: int, options: tuple[tuple[str, str, Value], ...]) -> Game:
    """Games are costly to make and the same for many matches."""
    values = {option: value for option, _, value in options}
    return find_game(name).at_version(version).with_options(**values)


def _created(entry: Created) -> Match:
    setup = entry.setup
    # With the type, for 1 and True would be the same key.
    options = sorted((name, type(value).__name__, value) for name, value in setup.options.items())
    game = _game(setup.game, entry.version, tuple(options))
    seats = tuple(Seat(plan.who, plan.level) for plan in setup.seats)
    return Match(
        created=entry,
        game=game,
        state=game.parse(entry.start) if entry.start else game.start(),
        seats=seats,
        at=entry.at,
        client_ids=((),) * len(seats),
        client_seeds=("",) * len(seats),
    )


def _put(values: tuple[Any, ...], place: int, value: Any) -> tuple[Any, ...]:
    """A tuple with one value replaced."""
    return (*values[:place], value, *values[place + 1 :])


def _seat(match: Match, number: int, **changes: Any) -> tuple[Seat, ...]:
    return _put(match.seats, number, replace(match.seats[number], **changes))


def _remember(match: Match, seat: int, client_id: str) -> tuple[tuple[tuple[str, int], ...], ...]:
    if not client_id:
        return match.client_ids
    known = (*match.client_ids[seat][1 - REMEMBERED :], (client_id, match.seq + 1))
    return _put(match.client_ids, seat, known)


def _next(match: Match, entry: Entry, **changes: Any) -> Match:
    """The same match one entry later, with changes."""
    if client_id := getattr(entry, "client_id", ""):
        seat = entry.by if isinstance(entry, kinds.Claimed) else getattr(entry, "seat", -1)
        changes["client_ids"] = _remember(match, seat, client_id)
    return replace(match, seq=match.seq + 1, at=entry.at, **changes)


def _joined(match: Match, entry: kinds.Joined) -> Match:
    seats = _seat(match, entry.seat, user=entry.user, name=entry.name, joined_seq=match.seq + 1)
    return _next(match, entry, seats=seats)


def _left(match: Match, entry: kinds.Left) -> Match:
    seats = _seat(match, entry.seat, user="", name="", joined_seq=0)
    return _next(match, entry, seats=seats, client_seeds=_put(match.client_seeds, entry.seat, ""))


def _seeded(match: Match, entry: kinds.Seeded) -> Match:
    return _next(match, entry, client_seeds=_put(match.client_seeds, entry.seat, entry.seed))


def _began(match: Match, entry: kinds.Began) -> Match:
    control = match.setup.time_control
    clocks = timing.initial_clocks(control, match.game.seats, entry.at)
    clocks = timing.moved(clocks, control, match.state.to_move, entry.at, clocks.remaining_ms)
    clocks = _with_timer(match, match.state, clocks, entry.at, has_expired=False)
    return _next(match, entry, stage=PLAYING, clocks=clocks, began_at=entry.at)


def _with_timer(
    match: Match, state: State, clocks: Clocks, at: int, *, has_expired: bool
) -> Clocks:
    length = timing.timer_ms(match.game, match.setup.timer_percent)
    return timing.with_timer(clocks, state, at, length, has_expired=has_expired)


def _acted(match: Match, entry: Any, *, spent_ms: int = 0, by_timer: bool = False) -> Match:
    """An action was played, by whomever."""
    before, seq, at, action = match.state, match.seq + 1, entry.at, entry.action
    after = before.play(action)
    mover, clocks, is_chance = before.to_move, match.clocks, before.to_move == CHANCE
    # A player who has left has no clock: a bot plays on for as long as it takes.
    left = clocks.remaining_ms
    if spent_ms and left and not match.seats[mover].out:
        left = timing.charged(clocks, mover, spent_ms)
    last, before_ms = match.last_step, clocks.remaining_ms
    array = before.array.copy()  # Writable, as kernels take it.
    step = Step(array, mover, action, seq, at, spent_ms, before_ms, by_timer, last)
    clocks = timing.moved(clocks, match.setup.time_control, after.to_move, at, left)
    clock = match.game.clock
    if clock is not None:
        has_expired = not is_chance and before.format(action) == clock.move
        clocks = _with_timer(match, after, clocks, at, has_expired=has_expired)
    return _next(
        match,
        entry,
        state=after,
        changed_seq=seq,
        last_step=step,
        clocks=clocks,
        chance_count=match.chance_count + is_chance,
        offers=_without_undo(match.offers),
        declined=frozenset(),
    )


def _without_undo(offers: tuple[PendingOffer, ...]) -> tuple[PendingOffer, ...]:
    return tuple(offer for offer in offers if offer.what != "undo")


def _played(match: Match, entry: kinds.Played) -> Match:
    if match.state.to_move != entry.seat:
        raise InvalidEntry(f"{entry!r} is out of turn", f"{match.state.to_move} is to move")
    return _acted(match, entry, spent_ms=entry.spent_ms)


def _sampled(match: Match, entry: kinds.Sampled) -> Match:
    if match.state.to_move != CHANCE:
        raise InvalidEntry(f"{entry!r} isn't due", "a seat is to move")
    return _acted(match, entry)


def _timer_expired(match: Match, entry: kinds.TimerExpired) -> Match:
    spent = entry.at - match.clocks.since if match.clocks.remaining_ms else 0
    return _acted(match, entry, spent_ms=spent, by_timer=True)


def _undone(match: Match, entry: kinds.Undone) -> Match:
    first = None
    for step in match.steps_back():
        if step.seq <= entry.to_seq:
            break
        first = step
    if first is None:
        raise InvalidEntry(f"{entry!r} undoes nothing", "to_seq is before a step")
    state, left = match.state_before(first), _charged_now(match, entry.at)
    return _next(
        match,
        entry,
        state=state,
        last_step=first.parent,
        changed_seq=match.seq + 1,
        clocks=timing.undone(match.clocks, state.to_move, entry.at, left, first.remaining_ms),
        offers=_without_undo(match.offers),
        declined=frozenset(),
    )


def _charged_now(match: Match, at: int) -> tuple[int, ...]:
    """What remains to each seat when the running clock is charged until now."""
    seat = match.running_seat
    if seat is None or match.seats[seat].out:
        return match.clocks.remaining_ms
    return timing.charged(match.clocks, seat, at - match.clocks.since)


def _offered(match: Match, entry: kinds.Offered) -> Match:
    offer = PendingOffer(entry.what, entry.seat, entry.to_seq, (entry.seat,))
    return _next(match, entry, offers=(*match.offers, offer))


def _responded(match: Match, entry: kinds.Responded) -> Match:
    offer = match.offer(entry.what)
    if offer is None:
        raise InvalidEntry(f"{entry!r} responds to nothing", "an offer comes before it")
    rest = tuple(other for other in match.offers if other is not offer)
    if entry.accept:
        accepted = tuple(sorted({*offer.accepted_by, entry.seat}))
        return _next(match, entry, offers=(*rest, replace(offer, accepted_by=accepted)))
    is_withdrawn = offer.seat == entry.seat
    declined = match.declined if is_withdrawn else match.declined | {(offer.seat, offer.what)}
    return _next(match, entry, offers=rest, declined=declined)


def _paused(match: Match, entry: kinds.Paused) -> Match:
    clocks = timing.paused(match.clocks, entry.at, _charged_now(match, entry.at))
    return _next(match, entry, stage=PAUSED, clocks=clocks, offers=(), declined=frozenset())


def _resumed(match: Match, entry: kinds.Resumed) -> Match:
    clocks = timing.resumed(match.clocks, entry.at)
    return _next(match, entry, stage=PLAYING, clocks=clocks, offers=(), declined=frozenset())


def _stood_in(match: Match, entry: kinds.StoodIn) -> Match:
    # Fewer have a say now: offers lapse, so that none is accepted without a response.
    return _next(match, entry, seats=_seat(match, entry.seat, stand_in=entry.level), offers=())


def _reclaimed(match: Match, entry: kinds.Reclaimed) -> Match:
    return _next(match, entry, seats=_seat(match, entry.seat, stand_in=""))


def _out(match: Match, seat: int) -> tuple[Seat, ...]:
    return _seat(match, seat, out=1 + max(other.out for other in match.seats))


def _resigned(match: Match, entry: kinds.Resigned) -> Match:
    return _next(match, entry, seats=_out(match, entry.seat), offers=())


def _claimed(match: Match, entry: kinds.Claimed) -> Match:
    seats = _out(match, entry.seat) if entry.how == "out" else match.seats
    return _next(match, entry, seats=seats, offers=())


def _timed_out(match: Match, entry: kinds.TimedOut) -> Match:
    clocks, seat = match.clocks, entry.seat
    left = timing.charged(clocks, seat, clocks.remaining_ms[seat] if clocks.remaining_ms else 0)
    clocks = replace(clocks, remaining_ms=left, since=entry.at)
    return _next(match, entry, seats=_out(match, seat), clocks=clocks, offers=())


def _ended(match: Match, entry: kinds.Ended) -> Match:
    left = _charged_now(match, entry.at)
    clocks = replace(match.clocks, remaining_ms=left, timer_ends_at=None)
    return _next(
        match, entry, stage=FINISHED, returns=entry.returns, reason=entry.reason, clocks=clocks,
        offers=(), declined=frozenset(),
    )  # fmt: skip


def _aborted(match: Match, entry: kinds.Aborted) -> Match:
    return _next(match, entry, stage=ABORTED, offers=(), declined=frozenset())


def _revealed(match: Match, entry: kinds.Revealed) -> Match:
    return _next(match, entry, secret=entry.secret)


def _rematched(match: Match, entry: kinds.Rematched) -> Match:
    return _next(match, entry, rematch=entry.match, offers=(), declined=frozenset())


_FOLDS: dict[type[Entry], Callable[[Match, Any], Match]] = {
    kinds.Joined: _joined,
    kinds.Left: _left,
    kinds.Seeded: _seeded,
    kinds.Began: _began,
    kinds.Played: _played,
    kinds.Sampled: _sampled,
    kinds.TimerExpired: _timer_expired,
    kinds.Undone: _undone,
    kinds.Offered: _offered,
    kinds.Responded: _responded,
    kinds.Paused: _paused,
    kinds.Resumed: _resumed,
    kinds.StoodIn: _stood_in,
    kinds.Reclaimed: _reclaimed,
    kinds.Resigned: _resigned,
    kinds.Claimed: _claimed,
    kinds.TimedOut: _timed_out,
    kinds.Ended: _ended,
    kinds.Aborted: _aborted,
    kinds.Revealed: _revealed,
    kinds.Rematched: _rematched,
}
