"""What a seat is sent, or somebody who watches (None). Nothing else of a match leaves the server.

By allow-list: every field that is sent is named here. Nothing that is sent depends on what the seat
may not know. A state goes out as ``State.view`` makes it, from the concealed state. Of an action a
seat learns the text, if it could see which one it was (``watermeet.core.information``), and else
nothing but that something was done, by whom, when, and how long it took; the number of an action
goes to who played it alone, for it may come from the order of a hidden hand. How many actions are
played is no secret. Client ids, users, the secret before it is revealed and the state that a match
was begun from are never sent.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import cached_property
from typing import Any

from watermeet.core.contract import CHANCE
from watermeet.core.information import is_seen
from watermeet.core.outcome import Outcome
from watermeet.core.state import State
from watermeet.server.matches import entries as kinds
from watermeet.server.matches import timing
from watermeet.server.matches.entries import Entry
from watermeet.server.matches.match import PAUSED, Match, Step

Shown = dict[str, Any]
Acted = Mapping[int, tuple[Step, State]]
"""Actions by the numbers of their entries, each with the state after it."""
_WATCHER = -1


# ---- actions ------------------------------------------------------------------------------------


def move_seen(match: Match, step: Step, after: State, seat: int | None) -> str | None:
    """The text of an action as a seat could see it; None if it could not."""
    key = _WATCHER if seat is None else seat
    if key not in step.looks:
        before = match.state_before(step)
        if seat is not None and step.mover == seat:
            step.looks[key] = before.conceal(seat).format(step.action)
        else:
            seen = is_seen(before, step.action, after, seat)
            step.looks[key] = before.format(step.action) if seen else None
    return step.looks[key]


def _action(match: Match, step: Step, after: State, seat: int | None) -> Shown:
    """What a seat is told of an action."""
    shown: Shown = {
        "seq": step.seq,
        "at": step.at,
        "seat": None if step.mover == CHANCE else step.mover,
        "move": move_seen(match, step, after, seat),
        "spent_ms": step.spent_ms,
    }
    if seat is not None and step.mover == seat:
        shown["action"] = step.action
    return shown


def moves(match: Match, seat: int | None) -> list[Shown]:
    """The actions that stand, in order. When nothing more is played, all of them are told."""
    shown: list[Shown] = []
    after = match.state
    for step in match.steps_back():
        before = match.state_before(step)
        told = (
            _action(match, step, after, seat) if not match.is_final else _open_action(step, before)
        )
        shown.append({**told, "by_clock": step.by_clock})
        after = before
    return shown[::-1]


def _open_action(step: Step, before: State) -> Shown:
    return {
        "seq": step.seq,
        "at": step.at,
        "seat": None if step.mover == CHANCE else step.mover,
        "move": before.format(step.action),
        "spent_ms": step.spent_ms,
        "action": step.action,
    }


# ---- events -------------------------------------------------------------------------------------


def event(after: Match, entry: Entry, seat: int | None) -> Shown:
    """The last entry of a match as a seat may see it; ``after`` is the match with the entry."""
    kind, shown = type(entry), _head(after.seq, entry)
    if kind in _ACTIONS:
        assert after.past is not None, "an action was the last entry"
        return shown | _action(after, after.past, after.state, seat)
    return shown | _EVENTS[kind](after, entry)


def events(entries: Iterable[Entry], seat: int | None, *, after: int = 0) -> Iterator[Shown]:
    """The entries of a log behind number ``after``, as a seat may see them."""
    match: Match | None = None
    for entry in entries:
        match = Match.of((entry,)) if match is None else match.after(entry)
        if match.seq > after:
            yield event(match, entry, seat)


def events_of(
    match: Match, entries: Sequence[Entry], taken_back: Acted, seat: int | None, after: int
) -> list[Shown]:
    """The same of the log that a match was folded from, without folding it anew.

    ``taken_back`` has the actions of the log that do not stand any more, as far as they are known.
    """
    acted: dict[int, tuple[Step, State]] = {}
    state = match.state
    for step in match.steps_back():
        if step.seq <= after:
            break
        acted[step.seq] = step, state
        state = match.state_before(step)
    told: list[Shown] = []
    for seq in range(after + 1, match.seq + 1):
        entry = entries[seq - 1]
        head = _head(seq, entry)
        if type(entry) not in _ACTIONS:
            told.append(head | _EVENTS[type(entry)](match, entry))
        elif known := acted.get(seq) or taken_back.get(seq):
            told.append(head | _action(match, *known, seat))
        else:
            return list(events(entries[: match.seq], seat, after=after))
    return told


def _head(seq: int, entry: Entry) -> Shown:
    return {"seq": seq, "kind": str(type(entry).__struct_config__.tag), "at": entry.at}


_ACTIONS = (kinds.Played, kinds.Drawn, kinds.MinuteOver)


def _fields(*names: str) -> Callable[[Match, Any], Shown]:
    return lambda match, entry: {name: getattr(entry, name) for name in names}


_EVENTS: dict[type[Entry], Callable[[Match, Any], Shown]] = {
    kinds.Created: lambda match, entry: {"table": table(match)},
    kinds.Joined: _fields("seat", "name"),
    kinds.Left: _fields("seat"),
    kinds.Salted: _fields("seat", "salt"),
    kinds.Began: _fields(),
    kinds.Undone: _fields("seat", "to_seq"),
    kinds.Offered: _fields("seat", "what", "to_seq"),
    kinds.Answered: _fields("seat", "what", "yes"),
    kinds.Paused: _fields(),
    kinds.Resumed: _fields(),
    kinds.StoodIn: _fields("seat", "level"),
    kinds.HandedBack: _fields("seat"),
    kinds.Resigned: _fields("seat"),
    kinds.Claimed: _fields("by", "seat", "how"),
    kinds.TimeUp: _fields("seat"),
    kinds.Ended: lambda match, entry: {"outcome": outcome(match)},
    kinds.Abandoned: _fields(),
    kinds.Revealed: _fields("secret"),
    kinds.Rematched: _fields("match"),
}


def watchable(entries: Iterable[Entry], now: int) -> int:
    """The number of the last entry that watchers may see now, by the delay that the table chose.

    Once the match is over nothing is held back, and that there is a table never is.
    """
    last, delay = 1, 0
    for number, entry in enumerate(entries, 1):
        if isinstance(entry, kinds.Created):
            delay = entry.watch_delay_s * timing.SECOND
        if isinstance(entry, kinds.Ended | kinds.Abandoned):
            delay = 0
        if entry.at + delay <= now or delay == 0:
            last = number
    return last


# ---- documents ----------------------------------------------------------------------------------


def table(match: Match) -> Shown:
    """What was chosen when the match was made."""
    created = match.created
    chosen = created.timing
    return {
        "match": created.match,
        "game": created.game,
        "version": created.version,
        "options": dict(match.game.options),
        "has_secrets": match.game.has_secrets,
        "timing": {
            "kind": str(chosen.__struct_config__.tag),
            **{name: getattr(chosen, name) for name in chosen.__struct_fields__},
        },
        "absence": {"rule": created.absence.rule, "level": created.absence.level},
        "minute_ms": timing.minute_ms(match.game, created.minute_percent),
        "is_public": created.is_public,
        "watch_delay_s": created.watch_delay_s,
        "commitment": created.commitment,
        "is_played_on": bool(created.start),
        "rematch_of": created.rematch_of,
    }


def seats(match: Match) -> list[Shown]:
    """Who sits where."""
    return [
        {
            "who": "person" if seat.is_person else seat.who,
            "name": seat.name,
            "level": seat.level,
            "stand_in": seat.stand_in,
            "is_out": bool(seat.out),
        }
        for seat in match.seats
    ]


def clocks(match: Match) -> Shown:
    """Where clocks stand and which one runs; times are the server's, in milliseconds."""
    now = match.clocks
    return {
        "left_ms": list(now.left_ms),
        "running": timing.running_seat(match),
        "since": now.since,
        "flag_at": timing.flag_at(match),
        "minute_ends": now.minute_ends,
        "minute_left_ms": now.minute_left if match.stage == PAUSED else None,
    }


def offers(match: Match) -> list[Shown]:
    """What is offered now."""
    return [
        {
            "what": offer.what,
            "seat": offer.seat,
            "to_seq": offer.to_seq,
            "yes": sorted(offer.yes),
        }
        for offer in match.offers
    ]


def outcome(match: Match) -> Shown | None:
    """How the match ended; None before, and where it has no result."""
    if match.returns is None:
        return None
    ended = match.state.outcome
    shown: Shown = {
        "returns": list(match.returns),
        "winners": [],
        "by": match.reason,
        "reason": match.reason,
        "sentence": _SENTENCES.get(match.reason, ""),
        "facts": {},
    }
    if ended is not None:
        why = ended.reason
        shown |= {"reason": why.code, "sentence": why.sentence, "facts": dict(why.facts)}
        shown["winners"] = list(Outcome(match.returns, ended.reason).winners)
    else:
        best = max(match.returns)
        shown["winners"] = [
            seat for seat, gain in enumerate(match.returns) if gain == best and gain > 0
        ]
    return shown


_SENTENCES = {
    "resigned": "The others have resigned.",
    "time": "Time was up.",
    "claimed": "The others were away for too long.",
    "agreed": "A draw was agreed.",
}


class Moment:
    """A match after one of its entries, to be shown to several: what they share is made once."""

    def __init__(self, match: Match) -> None:
        self.match = match

    def position(self, seat: int | None) -> Shown:
        """What changes with every entry: the state as the seat sees it, clocks, seats and offers.

        ``view`` has what can be played, as texts with their actions, if it is the seat's turn; and
        then ``state`` is the text of what the seat knows, for programs that think with our rules.
        """
        state = self.match.state
        is_turn = seat is not None and seat == state.to_move
        view = state.view(seat) if self.match.game.hidden else self._open_view(seat)
        known = state.conceal(seat).text if is_turn else None
        return {"view": view, "state": known, **self._shared}

    @cached_property
    def _shared(self) -> Shown:
        match = self.match
        return {
            "seq": match.seq,
            "stage": match.stage,
            "clocks": clocks(match),
            "seats": seats(match),
            "offers": offers(match),
            "outcome": outcome(match),
            "draws": match.draws,
            "rematch": match.rematch,
        }

    def _open_view(self, seat: int | None) -> Shown:
        """Where nothing is hidden, views differ in the seat and in what it can play alone."""
        view = self._movers_view
        return view if seat == view["seat"] else {**view, "seat": seat, "legal": []}

    @cached_property
    def _movers_view(self) -> Shown:
        mover = self.match.state.to_move
        return self.match.state.view(mover if mover >= 0 else None)


def position(match: Match, seat: int | None) -> Shown:
    """A ``Moment`` as one seat, or a watcher, is shown it."""
    return Moment(match).position(seat)


def document(match: Match, seat: int | None) -> Shown:
    """All that a seat may know of a match."""
    return {
        "seat": seat,
        "table": table(match),
        "salts": list(match.salts),
        "secret": match.secret or None,
        "moves": moves(match, seat),
        **position(match, seat),
    }


def state_at(match: Match, ply: int) -> State | None:
    """The state after so many of the actions that stand; None if there are not so many."""
    steps = match.steps()
    if ply > len(steps):
        return None
    return match.state if ply == len(steps) else match.state_before(steps[ply])


def earlier(match: Match, ply: int, seat: int | None) -> Shown | None:
    """How a match stood, as the seat sees it; None if there are not so many actions."""
    state = state_at(match, ply)
    if state is None:
        return None
    return {"ply": ply, "plies": len(match.steps()), "view": state.view(seat)}


def headline(match: Match) -> Shown:
    """What lists of matches show: nothing that anybody might not know."""
    mover = match.state.to_move
    return {
        "options": dict(match.game.options),
        "seats": seats(match),
        "to_move": mover if mover >= 0 and match.stage == "playing" else None,
        "returns": list(match.returns) if match.returns else None,
    }
