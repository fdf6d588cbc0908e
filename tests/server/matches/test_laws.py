"""Invariants of a match under any commands, by anybody at any time, in every game."""

from __future__ import annotations

import random
from functools import partial
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.server.matches.conftest import Act, act, due

import watermeet as wm
from watermeet.core.kernel import compiled_code
from watermeet.core.state import State
from watermeet.server.matches import absence, commands, offers, projection, timing
from watermeet.server.matches.entries import Undone, decode, encode
from watermeet.server.matches.match import Match
from watermeet.server.matches.setup import Absence, Correspondence, RealTime, SeatPlan, Unlimited
from watermeet.server.matches.writer import Already, Decision

WHATS = ("undo", "pause", "resume", "abort", "rematch", "nonsense")
WAITS = (0, 0, 1, 300, 5_000, 40_000, 400_000, 3_700_000, 90_000_000, 6_000_000_000)


def small(name: str, rng: random.Random) -> dict[str, Any]:
    """Options for short matches, sometimes with a shared timer."""
    game = wm.game(name)
    options: dict[str, Any] = {}
    for option in game.declared_options:
        if option.name in ("size", "radius"):
            options[option.name] = option.samples()[0]
        if option.name == "clock" and rng.random() < 0.7:
            options["clock"] = "minute"
        if option.name == "seats":
            options["seats"] = rng.choice((2, 3))
        if option.name == "no_communication":
            options[option.name] = rng.random() < 0.5
    return options


def random_table(new_table: Any, name: str, rng: random.Random) -> Any:
    options = small(name, rng)
    game = wm.game(name, **options)
    plans = [
        rng.choice((SeatPlan(), SeatPlan(), SeatPlan("invited"), SeatPlan("bot", "drop")))
        for _ in range(game.seats)
    ]
    chosen = rng.choice(
        (Unlimited(), Correspondence(2), RealTime(60_000, 1_000), RealTime(600_000))
    )
    return new_table(
        name,
        options=options,
        seats=tuple(plans),
        time_control=Unlimited() if game.clock else chosen,
        absence=Absence(rng.choice(("claim", "stand_in", "wait")), "drop"),
        name=f"t{rng.randrange(10**6)}",
    )


def random_command(table: Any, rng: random.Random) -> Act:
    """Any command; mostly moves, and mostly legal ones."""
    match, seats = table.match, len(table.match.seats)
    seat = rng.randrange(-1, seats + 1) if rng.random() < 0.05 else rng.randrange(seats)
    client_id = rng.choice(("", f"c{rng.randrange(12)}", f"x{rng.randrange(10**9)}"))
    away = {number: match.at - rng.choice((0, 10**6)) for number in range(seats)}
    if match.stage == "open" and rng.random() < 0.6:
        joined: Act = table.join(seat, client_id=client_id, seed=rng.choice(("", "s1")))
        return joined
    grace = absence.grace_ms(match)
    if match.stage == "playing" and grace is not None and rng.random() < 0.05:
        table.now += grace
        how: Any = rng.choice(("out", "stand_in"))
        mover = max(0, match.state.to_move)
        if match.setup.absence.rule == "stand_in":
            return act(mover, commands.StandIn(), away_since=away)
        return act(seat, commands.Claim(absent=mover, how=how), away_since=away)
    if match.stage == "playing" and rng.random() < 0.6:
        mover = match.state.to_move if rng.random() < 0.9 else seat
        legal = match.state.legal_actions
        action = rng.choice(legal) if rng.random() < 0.95 else rng.randrange(-5, 9000)
        is_bot = bool(0 <= mover < seats and match.seats[mover].bot)
        kind = commands.BotPlay if is_bot else commands.Play
        return act(mover, kind(action), client_id)
    if match.stage == "paused" and rng.random() < 0.7:
        return act(rng.randrange(seats), commands.Offer(what="resume"))
    if any(place.stand_in and not place.out for place in match.seats) and rng.random() < 0.3:
        return act(seat, commands.Reclaim())
    what = rng.choice(WHATS)
    to_seq = rng.choice((None, None, max(1, match.seq - rng.randrange(6))))
    own = partial(act, seat, client_id=client_id)
    return rng.choice(
        [
            own(commands.Leave()),
            own(commands.Seed("s")),
            own(commands.Undo(to_seq)),
            act(max(0, match.state.to_move), commands.Undo(to_seq=to_seq)),
            act(max(0, match.state.to_move), commands.Hint(match.seq)),
            own(commands.Offer(what, to_seq)),
            own(commands.Respond(what, rng.random() < 0.8)),
            *(
                act(seat, commands.Respond(what=offer.what, accept=True))
                for offer in match.offers
            ),
            own(commands.Resign()) if rng.random() < 0.1 else act(None, commands.ExpireTimer()),
            own(
                commands.Claim(max(0, match.state.to_move), rng.choice(("out", "stand_in"))),
                away_since=away,
            ),
            act(rng.randrange(seats), commands.StandIn(), away_since=away),
            own(commands.Reclaim()),
            act(rng.randrange(seats), commands.Flag()),
            act(None, commands.Wake()),
            act(None, commands.Start(), away_since=rng.choice(({}, away))),
            act(None, commands.Abort()),
        ]
    )  # fmt: skip


def decision_or_error(table: Any, command: Act) -> Decision | Already | wm.WatermeetError:
    try:
        return table.decided(command)  # type: ignore[no-any-return]
    except wm.WatermeetError as error:
        return error


def check_step(table: Any, command: Act, rng: random.Random) -> None:
    """Do one command and check every invariant."""
    before, count = table.match, len(table.log)
    answer = decision_or_error(table, command)
    if isinstance(answer, wm.WatermeetError):
        assert answer.hint, answer
        return
    if isinstance(answer, Already):
        assert 1 <= answer.seq <= before.seq
        return
    assert isinstance(answer, Decision)
    assert answer.entries
    match = before
    for entry in answer.entries:
        assert decode(encode(entry)) == entry
        assert entry.at >= match.at
        if isinstance(entry, Undone):
            check_undo(match, entry, rng, is_agreed=entry is not answer.entries[0])
        match = match.after(entry)
        assert all(left >= 0 for left in match.clocks.remaining_ms)
    assert match == answer.match
    assert match.seq == before.seq + len(answer.entries)
    if match.stage == "playing":
        assert match.state.to_move >= 0, "chance has drawn, and what is over has ended"
    assert (match.stage in ("finished", "aborted")) == bool(match.secret)
    table.match = match
    table.log += answer.entries
    assert len(table.log) > count


def check_undo(match: Match, entry: Undone, rng: random.Random, *, is_agreed: bool) -> None:
    """Unless all agreed, or the others are bots, the seat's own team has learned nothing since."""
    steps = [step for step in match.steps() if step.seq > entry.to_seq]
    assert steps[0].mover == entry.seat
    assert not any(step.by_timer for step in steps)
    assert not (is_agreed and match.setup.is_rated)
    if is_agreed or (not match.setup.is_rated and offers.voters(match, "undo") == [entry.seat]):
        return
    assert all(step.mover == entry.seat for step in steps)
    states = [*(match.state_before(step) for step in steps), match.state]
    own = next(team for team in match.game.teams if entry.seat in team)
    for index, step in enumerate(steps):
        for seat in set(match.people()) & set(own):
            assert not _learned(states[index], states[index + 1], step.action, seat, rng)


def _learned(before: State, after: State, action: int, seat: int, rng: random.Random) -> bool:
    """Whether a seat can now rule out a world; tries a few."""
    seen = after.conceal(seat)
    for _ in range(2):
        world = before.conceal(seat).resample(rng)
        tried = [action] if before.to_move == seat else world.legal_actions
        if not any(world.play(each).conceal(seat) == seen for each in tried):
            return True
    return False


def check_end(table: Any) -> None:
    """An abandoned match comes to an end."""
    for _ in range(400):
        at = timing.due_at(table.match)
        if at is None:
            break
        table.now = max(table.now, at)
        duty = due(table.match, table.now)
        assert duty is not None
        table.do(duty)
    assert table.match.has_ended


def run(new_table: Any, name: str, seed: int, count: int) -> Any:
    rng = random.Random(f"{name} {seed}")
    table = random_table(new_table, name, rng)
    for _ in range(count):
        table.now += rng.choice(WAITS[:5] if rng.random() < 0.9 else WAITS)
        check_step(table, random_command(table, rng), rng)
    seat = rng.choice([None, *range(len(table.match.seats))])
    if not wm.game(name).hidden or len(table.match.steps()) < 20:
        projection.document(table.match, seat)
    assert Match.of(decode(encode(entry)) for entry in table.log) == table.match
    return table


@pytest.mark.parametrize("name", wm.games())
@settings(max_examples=4)
@given(seed=st.integers(0, 2**32))
def test_invariants_hold_under_random_commands(new_table: Any, name: str, seed: int) -> None:
    check_end(run(new_table, name, seed, 40))


@pytest.mark.nightly
@pytest.mark.parametrize("name", wm.games())
@settings(max_examples=100)
@given(seed=st.integers(0, 2**32))
def test_invariants_hold_under_many_random_commands(new_table: Any, name: str, seed: int) -> None:
    with compiled_code():
        check_end(run(new_table, name, seed, 120))


@pytest.mark.slow
def test_the_random_commands_reach_every_kind_of_entry(new_table: Any) -> None:
    """Otherwise the tests above would prove little."""
    found: set[str] = set()
    for seed in range(60):
        for name in ("kuhn_poker", "flume", "flow"):
            table = run(new_table, name, seed, 50)
            found |= {type(entry).__name__ for entry in table.log}
    assert found == {
        "Created", "Joined", "Left", "Seeded", "Began", "Started", "Played", "Sampled",
        "TimerExpired", "Undone", "Hinted",
        "Offered", "Responded", "Paused", "Resumed", "StoodIn", "Reclaimed", "Resigned", "Claimed",
        "TimedOut", "Ended", "Aborted", "Revealed", "Rematched",
    }  # fmt: skip
