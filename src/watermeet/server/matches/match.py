"""Match: everything that follows from the entries of a log, as an immutable value.

``Match.of(entries)`` folds a log, ``match.after(entry)`` adds one entry. An action costs one call
of the game's kernels and a few small copies, however long the match is: past actions form a chain
that later matches share. Folding trusts that entries were decided by ``decide``; an action that the
rules don't allow raises all the same.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
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
DELETED_NAME = "Deleted user"
"""Stands in logs for the name of somebody who was deleted."""
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
    is_guest: bool = False
    """Whether the user had no account when they joined."""
    joined_seq: int = 0
    """The entry by which the user joined."""
    stand_in: str = ""
    stood_in_seq: int = 0
    """The entry with which the bot began to stand in."""
    """The level of the bot that plays for the user, if one does."""
    out: int = 0
    """Above 0: has left the match; in which order seats did."""
    left: str = ""
    """How: resigned, timeout or claimed."""
    hints: int = 0
    """How many hints the user was given: at most one for each state."""
    hinted_seq: int = 0
    """The entry of the last one."""

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
    ended_at: int = 0
    """When the match got its result."""
    waits: bool = False
    """Whether the clocks have yet to start, because people are still arriving."""
    returns: tuple[float, ...] | None = None
    reason: str = ""
    """By which rule the match ended, or why it was aborted."""
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
        changes, seq = _changes(self, entry), self.seq + 1
        if client_id := getattr(entry, "client_id", ""):
            seat = entry.by if isinstance(entry, kinds.Claimed) else getattr(entry, "seat", -1)
            known = (*self.client_ids[seat][1 - REMEMBERED :], (client_id, seq))
            changes["client_ids"] = _put(self.client_ids, seat, known)
        return replace(self, seq=seq, at=entry.at, **changes)

    def without_name(self, user: str) -> Match:
        """The same without the name of a user who was deleted."""
        seats = [
            replace(seat, name=DELETED_NAME) if seat.user == user else seat for seat in self.seats
        ]
        return replace(self, seats=tuple(seats))

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
    def is_closed(self) -> bool:
        """Whether only its players may see the match, now and after its end."""
        return self.setup.spectators == "none" and self.began_at > 0

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


# ---- folding ------------------------------------------------------------------------------------


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


def _changes(match: Match, entry: Any) -> dict[str, Any]:
    """The fields that an entry changes."""
    at, seat, seats, state = entry.at, getattr(entry, "seat", -1), match.seats, match.state
    no_offers: dict[str, Any] = {"offers": (), "declined": frozenset()}

    def place(**changes: Any) -> tuple[Seat, ...]:
        return _put(seats, seat, replace(seats[seat], **changes))

    def out(left: str) -> tuple[Seat, ...]:
        return place(out=1 + max(other.out for other in seats), left=left)

    match entry:
        case kinds.Played():
            if state.to_move != seat:
                raise InvalidEntry(f"{entry!r} is out of turn", f"{state.to_move} is to move")
            return _acted(match, entry, spent_ms=entry.spent_ms)
        case kinds.Sampled():
            if state.to_move != CHANCE:
                raise InvalidEntry(f"{entry!r} isn't due", "a seat is to move")
            return _acted(match, entry)
        case kinds.TimerExpired():
            spent = at - match.clocks.since if match.clocks.remaining_ms else 0
            return _acted(match, entry, spent_ms=spent, by_timer=True)
        case kinds.Joined():
            who = {"user": entry.user, "name": entry.name, "is_guest": entry.is_guest}
            return {"seats": place(**who, joined_seq=match.seq + 1)}
        case kinds.Left():
            seeds = _put(match.client_seeds, seat, "")
            return {
                "seats": place(user="", name="", is_guest=False, joined_seq=0),
                "client_seeds": seeds,
            }
        case kinds.Seeded():
            return {"client_seeds": _put(match.client_seeds, seat, entry.seed)}
        case kinds.Began():
            clocks = timing.initial_clocks(match.setup, at)
            clocks = timing.moved(clocks, match.setup, state.to_move, at, clocks.remaining_ms)
            begun = replace(match, waits=entry.waits)
            clocks = _with_timer(begun, state, clocks, at, has_expired=False)
            return {"stage": PLAYING, "clocks": clocks, "began_at": at, "waits": entry.waits}
        case kinds.Started():
            clocks = replace(match.clocks, since=at, turn_since=at)
            begun = replace(match, waits=False)
            clocks = _with_timer(begun, state, clocks, at, has_expired=False)
            return {"clocks": clocks, "waits": False}
        case kinds.Undone():
            return _undone(match, entry)
        case kinds.Hinted():
            return {"seats": place(hints=seats[seat].hints + 1, hinted_seq=match.seq + 1)}
        case kinds.Offered():
            offer = PendingOffer(entry.what, seat, entry.to_seq, (seat,))
            return {"offers": (*match.offers, offer)}
        case kinds.Responded():
            return _responded(match, entry)
        case kinds.Paused():
            clocks = timing.paused(match.clocks, at, _charged_now(match, at))
            return {"stage": PAUSED, "clocks": clocks, **no_offers}
        case kinds.Resumed():
            return {"stage": PLAYING, "clocks": timing.resumed(match.clocks, at), **no_offers}
        case kinds.VacationBegan() | kinds.VacationEnded():
            is_on = isinstance(entry, kinds.VacationBegan)
            return {"clocks": timing.vacation_changed(match.clocks, seat, at, is_on=is_on)}
        case kinds.StoodIn():
            # Fewer have a say now: offers lapse, so that none is accepted without a response.
            return {"seats": place(stand_in=entry.level, stood_in_seq=match.seq + 1), "offers": ()}
        case kinds.Reclaimed():
            return {"seats": place(stand_in="")}
        case kinds.Resigned():
            return {"seats": out("resigned"), "offers": ()}
        case kinds.Claimed():
            return {"seats": out("claimed") if entry.how == "out" else seats, "offers": ()}
        case kinds.TimedOut():
            left = _put(match.clocks.remaining_ms, seat, 0) if match.clocks.remaining_ms else ()
            clocks = replace(match.clocks, remaining_ms=left, since=at)
            return {"seats": out("timeout"), "clocks": clocks, "offers": ()}
        case _:
            return _ending(match, entry) | no_offers


def _ending(match: Match, entry: Any) -> dict[str, Any]:
    match entry:
        case kinds.Ended():
            left = _charged_now(match, entry.at)
            clocks = replace(match.clocks, remaining_ms=left, timer_ends_at=None)
            result = {"returns": entry.returns, "reason": entry.reason}
            return {"stage": FINISHED, "clocks": clocks, "ended_at": entry.at, **result}
        case kinds.Aborted():
            return {"stage": ABORTED, "reason": entry.why}
        case kinds.Revealed():
            return {"secret": entry.secret}
        case kinds.Rematched():
            return {"rematch": entry.match}
        case _:
            raise InvalidEntry(f"{entry!r} can't follow in a log", "a match is created once")


def _with_timer(
    match: Match, state: State, clocks: Clocks, at: int, *, has_expired: bool
) -> Clocks:
    if match.waits:
        return clocks
    length = timing.timer_ms(match.game, match.setup.timer_percent)
    return timing.with_timer(clocks, state, at, length, has_expired=has_expired)


def _acted(
    match: Match, entry: Any, *, spent_ms: int = 0, by_timer: bool = False
) -> dict[str, Any]:
    """An action was played, by whomever."""
    before, at, action = match.state, entry.at, entry.action
    after, seq = before.play(action), match.seq + 1
    mover, clocks, is_chance = before.to_move, match.clocks, before.to_move == CHANCE
    # A player who has left has no clock: a bot plays on for as long as it takes.
    left = clocks.remaining_ms
    if spent_ms and left and not match.seats[mover].out:
        left = timing.charged(clocks, mover, spent_ms)
    last, before_ms = match.last_step, clocks.remaining_ms
    array = before.array.copy()  # Writable, as kernels take it.
    step = Step(array, mover, action, seq, at, spent_ms, before_ms, by_timer, last)
    clocks = timing.moved(clocks, match.setup, after.to_move, at, left)
    clock = match.game.clock
    if clock is not None:
        has_expired = not is_chance and before.format(action) == clock.move
        clocks = _with_timer(match, after, clocks, at, has_expired=has_expired)
    count = match.chance_count + is_chance
    changes = {"clocks": clocks, "last_step": step, "chance_count": count}
    return changes | _new_state(match, after)


def _new_state(match: Match, state: State) -> dict[str, Any]:
    """What changes with every change of the state."""
    offers = tuple(offer for offer in match.offers if offer.what != "undo")
    changed = {"state": state, "changed_seq": match.seq + 1}
    return changed | {"offers": offers, "declined": frozenset()}


def _undone(match: Match, entry: kinds.Undone) -> dict[str, Any]:
    first, chance_count = None, match.chance_count
    for step in match.steps_back():
        if step.seq <= entry.to_seq:
            break
        first = step
        chance_count -= step.mover == CHANCE
    if first is None:
        raise InvalidEntry(f"{entry!r} undoes nothing", "to_seq is before a step")
    state, left = match.state_before(first), _charged_now(match, entry.at)
    clocks = timing.undone(
        match.clocks, match.setup, state.to_move, entry.at, left, first.remaining_ms
    )
    changes = {"clocks": clocks, "last_step": first.parent, "chance_count": chance_count}
    return changes | _new_state(match, state)


def _charged_now(match: Match, at: int) -> tuple[int, ...]:
    """What remains to each seat when the running clock is charged until now."""
    seat = match.running_seat
    if seat is None or match.waits or match.seats[seat].out:
        return match.clocks.remaining_ms
    return timing.charged(match.clocks, seat, at - match.clocks.since)


def _responded(match: Match, entry: kinds.Responded) -> dict[str, Any]:
    offer = match.offer(entry.what)
    if offer is None:
        raise InvalidEntry(f"{entry!r} responds to nothing", "an offer comes before it")
    rest = tuple(other for other in match.offers if other is not offer)
    if entry.accept:
        accepted = tuple(sorted({*offer.accepted_by, entry.seat}))
        return {"offers": (*rest, replace(offer, accepted_by=accepted))}
    if offer.seat == entry.seat:  # Withdrawn.
        return {"offers": rest}
    return {"offers": rest, "declined": match.declined | {(offer.seat, offer.what)}}
