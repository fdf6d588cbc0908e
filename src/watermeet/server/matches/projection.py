"""What a seat, or a spectator (None), is sent of a match. Nothing else leaves the server.

It works by allow-list: every field that is sent is declared here, and nothing depends on what the
seat may not know. A state goes out as ``State.view`` makes it from the concealed state. Of an
action a seat gets the text if it could see which one it was (``watermeet.core.information``);
otherwise only that something was done, by whom, when, and how long it took. The number of an action
goes to its player alone, since it may follow the order of a hidden hand. How many actions were
played is public. Client ids, users, the secret before it is revealed and the state that a match
started from are never sent.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any, Literal, cast

import msgspec
from msgspec import Struct
from msgspec.structs import asdict

from watermeet.core.caching import cached
from watermeet.core.contract import CHANCE
from watermeet.core.information import is_seen
from watermeet.core.options import Value
from watermeet.core.state import State
from watermeet.core.view import View
from watermeet.server.matches import entries as kinds
from watermeet.server.matches import results, timing
from watermeet.server.matches.clocks import timer_ms
from watermeet.server.matches.entries import Entry
from watermeet.server.matches.match import ABORTED, PAUSED, Match, PendingOffer, Step
from watermeet.server.matches.offers import UndoKind, undo_kind
from watermeet.server.matches.setup import (
    SECOND,
    Correspondence,
    MatchSetup,
    TimeControl,
    Unlimited,
)

Stage = Literal["open", "playing", "paused", "finished", "aborted"]


def view_of(state: State, seat: int | None) -> View:
    """What a seat (None: a spectator) sees, with its type."""
    return cast(View, state.view(seat))


class MatchInfo(MatchSetup, frozen=True, kw_only=True, omit_defaults=False):
    """What was chosen when the match was created, and what follows from that."""

    match: str
    version: int
    has_secrets: bool
    timer_ms: int | None
    commitment: str
    is_continuation: bool
    rematch_of: str


LeftBy = Literal["", "resigned", "timeout", "claimed"]
"""How a seat left a match; ``claimed``: it was away for too long."""


class SeatInfo(Struct, frozen=True):
    """Who has a seat, who plays it, how they left, their hints, and whether it's a guest."""

    who: Literal["open", "invited", "bot", "person"]
    name: str
    level: str
    stand_in: str
    left: LeftBy = ""
    hints: int = 0
    is_guest: bool = False


class ClockInfo(Struct, frozen=True):
    """The clocks; times are the server's, in milliseconds since 1970.

    Before the first clock starts, ``running`` is null and ``starts_by`` says when it does at the
    latest: as soon as all people have arrived. In correspondence, ``bank_ms`` is what each seat had
    in its bank of days when the turn began, and ``vacations`` says who is on vacation.
    """

    remaining_ms: tuple[int, ...]
    running: int | None
    since: int
    flag_at: int | None
    timer_ends_at: int | None
    timer_remaining_ms: int | None
    starts_by: int | None
    bank_ms: tuple[int, ...] = ()
    vacations: tuple[bool, ...] = ()


class OutcomeInfo(Struct, frozen=True):
    """How a match ended; ``facts`` are the values in the sentence, for translations.

    ``ended_by`` is the seat that ended it by leaving, and ``left`` says of each seat how it left.
    ``reason`` is the game's own code if the match ended by the rules, and otherwise the same as
    ``by``.
    """

    returns: tuple[float, ...]
    winners: tuple[int, ...]
    by: Literal["rules", "resigned", "timeout", "claimed"]
    ended_by: int | None
    left: tuple[LeftBy, ...]
    reason: str
    sentence: str
    facts: Mapping[str, str | int]


class Move(Struct, frozen=True):
    """An action that hasn't been undone.

    ``seat`` is null for chance, ``move`` where the recipient couldn't see it, and ``action`` for
    everybody but its player.
    """

    seq: int
    at: int
    seat: int | None
    move: str | None
    spent_ms: int
    by_timer: bool
    action: int | None


class Event(Struct, frozen=True, kw_only=True, omit_defaults=True):
    """An entry of the log, as far as the recipient may see it. Absent fields have no value."""

    seq: int
    kind: str
    at: int
    seat: int | None = None
    move: str | None = None
    action: int | None = None
    spent_ms: int = 0
    name: str | None = None
    seed: str | None = None
    to_seq: int | None = None
    what: str | None = None
    accept: bool | None = None
    level: str | None = None
    by: int | None = None
    how: str | None = None
    why: str | None = None
    outcome: OutcomeInfo | None = None
    secret: str | None = None
    match: str | None = None


class Position(Struct, frozen=True, kw_only=True):
    """What changes with every entry. ``view`` is the game's own, as the recipient sees the state.

    If it is the recipient's turn, ``view`` lists the legal moves, and ``state`` is the text of what
    the seat knows, for programs that use our rules. ``undo`` says whether the recipient can undo
    their last action: not at all, at once (``free``), or if the others agree (``consent``).
    An aborted match has no outcome, but an ``abort_reason``. ``host`` is the seat of whoever
    created the match, if they have one.
    """

    seq: int
    stage: Stage
    view: View
    state: str | None
    undo: UndoKind
    clocks: ClockInfo
    seats: tuple[SeatInfo, ...]
    host: int | None
    offers: tuple[PendingOffer, ...]
    outcome: OutcomeInfo | None
    abort_reason: kinds.AbortReason
    chance_count: int
    rematch: str


class MatchDocument(Position, frozen=True, kw_only=True):
    """Everything that the recipient may know of a match.

    ``present`` lists the seats whose players are connected. It is null in snapshots: sockets and
    streams get a message about it whenever that changes.
    """

    seat: int | None
    info: MatchInfo
    client_seeds: tuple[str, ...]
    secret: str | None
    moves: tuple[Move, ...]
    present: tuple[int, ...] | None = None


class PastPosition(Struct, frozen=True):
    """A match after ``ply`` of its ``plies`` actions; ``view`` is the game's own."""

    ply: int
    plies: int
    view: View


class Headline(Struct, frozen=True):
    """What lists show of a match: nothing that isn't public.

    ``seq`` is the number of the last entry: pictures of the match stay the same until it changes.
    In slow matches, ``flag_at`` is when the player to move runs out of time, and ``reserve_ms`` how
    much of that is the reserve.
    """

    options: Mapping[str, Value]
    seats: tuple[SeatInfo, ...]
    to_move: int | None
    returns: tuple[float, ...] | None
    outcome: OutcomeInfo | None = None
    abort_reason: kinds.AbortReason = ""
    time_control: TimeControl = Unlimited()
    timer_ms: int | None = None
    spectators: str = "all"
    seq: int = 0
    flag_at: int | None = None
    reserve_ms: int = 0


# ---- actions ------------------------------------------------------------------------------------


def move_text(match: Match, step: Step, after: State, seat: int | None) -> str | None:
    """The text of an action as a seat could see it; None if it couldn't."""
    if not match.game.hidden:
        seat = None  # Everybody sees the same.
    if seat not in step.texts:
        before = match.state_before(step)
        if seat is not None and step.mover == seat:
            step.texts[seat] = before.conceal(seat).format(step.action)
        else:
            seen = is_seen(before, step.action, after, seat)
            step.texts[seat] = before.format(step.action) if seen else None
    return step.texts[seat]


def action_fields(match: Match, step: Step, after: State, seat: int | None) -> dict[str, Any]:
    """What a seat may know of an action."""
    is_own = seat is not None and step.mover == seat
    return {
        "seat": None if step.mover == CHANCE else step.mover,
        "move": move_text(match, step, after, seat),
        "spent_ms": step.spent_ms,
        "action": step.action if is_own else None,
    }


def moves(match: Match, seat: int | None) -> tuple[Move, ...]:
    """The actions that haven't been undone. After the end everything is public."""
    found: list[Move] = []
    after = match.state
    for step in match.steps_back():
        before = match.state_before(step)
        if match.has_ended:
            text, action = before.format(step.action), step.action
        else:
            known = action_fields(match, step, after, seat)
            text, action = known["move"], known["action"]
        mover = None if step.mover == CHANCE else step.mover
        found.append(Move(step.seq, step.at, mover, text, step.spent_ms, step.by_timer, action))
        after = before
    return tuple(found[::-1])


# ---- events -------------------------------------------------------------------------------------

_ACTIONS = (kinds.Played, kinds.Sampled, kinds.TimerExpired)
_FIELDS: dict[type[Entry], tuple[str, ...]] = {
    kinds.Created: (),
    kinds.Joined: ("seat", "name"),
    kinds.Left: ("seat",),
    kinds.Seeded: ("seat", "seed"),
    kinds.Began: (),
    kinds.Started: (),
    kinds.Undone: ("seat", "to_seq"),
    kinds.Hinted: ("seat",),
    kinds.Offered: ("seat", "what", "to_seq"),
    kinds.Responded: ("seat", "what", "accept"),
    kinds.Paused: (),
    kinds.Resumed: (),
    kinds.VacationBegan: ("seat",),
    kinds.VacationEnded: ("seat",),
    kinds.StoodIn: ("seat", "level"),
    kinds.Reclaimed: ("seat",),
    kinds.Resigned: ("seat",),
    kinds.Claimed: ("by", "seat", "how"),
    kinds.TimedOut: ("seat",),
    kinds.Ended: (),
    kinds.Aborted: ("why",),
    kinds.Revealed: ("secret",),
    kinds.Rematched: ("match",),
}
"""The fields of an entry that are sent; actions have their own."""


def _event(
    match: Match, seq: int, entry: Entry, acted: tuple[Step, State] | None, seat: int | None
) -> Event:
    kind = str(type(entry).__struct_config__.tag)
    if acted is not None:
        known = action_fields(match, *acted, seat)
    else:
        known = {name: getattr(entry, name) for name in _FIELDS[type(entry)]}
    if isinstance(entry, kinds.Ended):
        known["outcome"] = outcome(match)
    return Event(seq=seq, kind=kind, at=entry.at, **known)


def events(entries: Iterable[Entry], seat: int | None, *, after: int = 0) -> Iterator[Event]:
    """The entries of a log after number ``after``, as a seat may see them."""
    match: Match | None = None
    for entry in entries:
        match = Match.of((entry,)) if match is None else match.after(entry)
        if match.seq > after:
            acted = None
            if isinstance(entry, _ACTIONS):
                assert match.last_step is not None, "the last entry was an action"
                acted = match.last_step, match.state
            yield _event(match, match.seq, entry, acted, seat)


def events_of(
    match: Match,
    entries: Sequence[Entry],
    undone: Mapping[int, tuple[Step, State]],
    seat: int | None,
    after: int,
) -> list[Event]:
    """The same for the log that a match was folded from, without folding it again.

    ``undone`` has the undone actions of the log by their entries, each with the state after it, as
    far as they are known.
    """
    acted = dict(undone) if undone else {}
    state = match.state
    for step in match.steps_back():
        if step.seq <= after:
            break
        acted[step.seq] = step, state
        state = match.state_before(step)
    found: list[Event] = []
    for seq in range(after + 1, match.seq + 1):
        entry = entries[seq - 1]
        known = acted.get(seq) if isinstance(entry, _ACTIONS) else None
        if known is None and isinstance(entry, _ACTIONS):
            return list(events(entries[: match.seq], seat, after=after))
        found.append(_event(match, seq, entry, known, seat))
    return found


def last_public_seq(entries: Iterable[Entry], now: int) -> int:
    """The last entry that spectators may see now, by the delay that was chosen.

    Once the match has ended nothing is delayed, and its creation never is.
    """
    last, delay = 1, 0
    for number, entry in enumerate(entries, 1):
        if isinstance(entry, kinds.Created):
            delay = entry.setup.spectator_delay_s * SECOND
        if isinstance(entry, kinds.Ended | kinds.Aborted):
            delay = 0
        if entry.at + delay <= now or delay == 0:
            last = number
    return last


# ---- documents ----------------------------------------------------------------------------------


def info(match: Match) -> MatchInfo:
    """What was chosen when the match was created."""
    created, setup = match.created, match.setup
    return MatchInfo(
        **asdict(setup),
        match=created.match,
        version=created.version,
        has_secrets=match.game.has_secrets,
        timer_ms=timer_ms(match.game, setup.timer_percent),
        commitment=created.commitment,
        is_continuation=bool(created.start),
        rematch_of=created.rematch_of,
    )


def seats(match: Match) -> tuple[SeatInfo, ...]:
    """Who has which seat."""
    return tuple(
        SeatInfo(
            "person" if seat.user else seat.who,  # type: ignore[arg-type]
            seat.name,
            seat.level,
            seat.stand_in,
            seat.left,  # type: ignore[arg-type]
            seat.hints,
            seat.is_guest,
        )
        for seat in match.seats
    )


def clocks(match: Match) -> ClockInfo:
    """The clocks, and which one is running."""
    now = match.clocks
    return ClockInfo(
        now.remaining_ms,
        None if match.waits else match.running_seat,
        now.since,
        timing.flag_at(match),
        now.timer_ends_at,
        now.timer_remaining_ms if match.stage == PAUSED else None,
        timing.starts_by(match),
        now.bank_ms,
        tuple(map(bool, now.vacations)),
    )


def outcome(match: Match) -> OutcomeInfo | None:
    """How the match ended; None before that, and without a result."""
    returns = match.returns
    if returns is None:
        return None
    by_rules = match.state.outcome if match.reason == "rules" else None
    sentence, why = results.sentence(match), None if by_rules is None else by_rules.reason
    if by_rules is not None and why is not None:
        same = by_rules.returns == returns
        sentence = why.sentence if same else f"{why.sentence} {sentence}"
    leavers = [seat for seat in range(len(returns)) if match.seats[seat].out]
    return OutcomeInfo(
        returns=returns,
        winners=results.winners(returns),
        by=match.reason,  # type: ignore[arg-type]
        ended_by=max(leavers, key=lambda seat: match.seats[seat].out) if why is None else None,
        left=tuple(seat.left for seat in match.seats),  # type: ignore[misc]
        reason=match.reason if why is None else why.code,
        sentence=sentence,
        facts={} if why is None else dict(why.facts),
    )


def _abort_reason(match: Match) -> kinds.AbortReason:
    return match.reason if match.stage == ABORTED else ""  # type: ignore[return-value]


_encode = msgspec.json.Encoder().encode


def _join(*objects: bytes) -> bytes:
    """The fields of several objects in JSON as one object."""
    return b"{" + b",".join([each[1:-1] for each in objects if len(each) > 2]) + b"}"


class Moment:
    """A match after one of its entries, for several recipients: what they share is made once."""

    def __init__(self, match: Match) -> None:
        self.match = match

    def position(self, seat: int | None) -> Position:
        """The position as a seat, or a spectator, sees it."""
        return Position(**self.fields(seat))

    def fields(self, seat: int | None) -> dict[str, Any]:
        """The fields of the position."""
        is_hidden = self.match.game.hidden
        view = view_of(self.match.state, seat) if is_hidden else self._open_view(seat)
        own = {"view": view, "state": self._known(seat), "undo": undo_kind(self.match, seat)}
        return own | self._shared

    def text(self, seat: int | None, *, with_state: bool = True) -> bytes:
        """The position in JSON, as a seat sees it; the state's own text only if that is wanted."""
        if self.match.game.hidden:
            view = _encode(view_of(self.match.state, seat))
        else:
            is_mover = seat == self._movers_view["seat"]
            legal = self._movers_view["legal"] if is_mover else []
            view = _join(_encode({"seat": seat, "legal": legal}), self._open_text)
        known = self._known(seat) if with_state else None
        undo = _encode(undo_kind(self.match, seat))
        own = b'{"view":%b,"state":%b,"undo":%b}' % (view, _encode(known), undo)
        return _join(own, self._shared_text)

    def _known(self, seat: int | None) -> str | None:
        """The text of what the seat knows, if it is to move."""
        state = self.match.state
        return state.conceal(seat).text if seat is not None and seat == state.to_move else None

    @cached
    def _shared_text(self) -> bytes:
        return _encode(self._shared)

    @cached
    def _open_text(self) -> bytes:
        view: dict[str, object] = {**self._movers_view}
        return _encode({name: view[name] for name in view if name not in ("seat", "legal")})

    @cached
    def _shared(self) -> dict[str, Any]:
        match = self.match
        return {
            "seq": match.seq,
            "stage": match.stage,
            "clocks": clocks(match),
            "seats": seats(match),
            "host": match.seat_of(match.created.by) if match.created.by else None,
            "offers": match.offers,
            "outcome": outcome(match),
            "abort_reason": _abort_reason(match),
            "chance_count": match.chance_count,
            "rematch": match.rematch,
        }

    def _open_view(self, seat: int | None) -> View:
        """Where nothing is hidden, views differ only in the seat and its legal moves."""
        view = self._movers_view
        return view if seat == view["seat"] else {**view, "seat": seat, "legal": []}

    @cached
    def _movers_view(self) -> View:
        mover = self.match.state.to_move
        return view_of(self.match.state, mover if mover >= 0 else None)


def encoded_moves(match: Match, seat: int | None) -> bytes:
    """The same as ``moves``, in JSON."""
    return _encode(moves(match, seat))


def document(match: Match, seat: int | None, encoded: bytes | None = None) -> MatchDocument:
    """Everything that a seat may know of a match, with ``encoded`` moves, if there are any."""
    known = moves(match, seat) if encoded is None else msgspec.Raw(encoded)
    return MatchDocument(
        seat=seat,
        info=info(match),
        client_seeds=match.client_seeds,
        secret=match.secret or None,
        moves=cast("tuple[Move, ...]", known),  # Either is written in the same way.
        **Moment(match).fields(seat),
    )


def state_at(match: Match, ply: int) -> State | None:
    """The state after the first ``ply`` actions; None if there are fewer."""
    steps = match.steps()
    if ply > len(steps):
        return None
    return match.state if ply == len(steps) else match.state_before(steps[ply])


def past_position(match: Match, ply: int, seat: int | None) -> PastPosition | None:
    """An earlier position, as the seat sees it; None if there are fewer actions."""
    state = state_at(match, ply)
    return None if state is None else PastPosition(ply, len(match.steps()), view_of(state, seat))


def headline(match: Match) -> Headline:
    """What lists show of the match."""
    return Headline(**headline_fields(match))


def headline_fields(match: Match) -> dict[str, Any]:
    """The fields of the headline."""
    mover, bank = match.running_seat, match.clocks.bank_ms
    slow = {}
    if mover is not None and isinstance(match.setup.time_control, Correspondence):
        slow = {"flag_at": timing.flag_at(match), "reserve_ms": bank[mover]}
    return {
        "options": match.setup.options,
        "seats": seats(match),
        "to_move": match.running_seat,
        "returns": match.returns,
        "outcome": outcome(match),
        "abort_reason": _abort_reason(match),
        "time_control": match.setup.time_control,
        "timer_ms": timer_ms(match.game, match.setup.timer_percent),
        "spectators": match.setup.spectators,
        "seq": match.seq,
        **slow,
    }
