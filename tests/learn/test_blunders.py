"""Blunders planted on purpose: every one is found, and what is said about it is true.

The files in blunders/ have a case on each line: the options that aren't standard, the position, the
turn that is a blunder, and what was played then. In Flume, it hands over a chain. In Qwirkle, it
leaves a line of five when the bag is empty, so that it is known who has the sixth tile. In Flows,
it gives up the only placement that connects, or that keeps the other side from it.

Flume's cases are the first that came up. Those of Qwirkle and Flows were kept because a review
called them serious, Qwirkle's with scores that make it so: they guard what is found, and don't say
how much is missed.

Those in planted/ are the first that planting.py came up with, whatever anybody thinks of them. Each
has a better turn and what a search twenty times as long as a review's saw lost, as a share of the
range of returns. In Flume, the solver has proven it.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

import watermeet as wm
from watermeet.learn.findings import Decision, Reason
from watermeet.learn.review import BLUNDER, MISTAKE, review

CASES = Path(__file__).parent / "blunders"
PLANTED = Path(__file__).parent / "planted"
SAMPLE = 5
GAMES = sorted(file.stem for file in CASES.glob("*.txt"))


def planted(game: str) -> Iterator[tuple[wm.State, list[str], list[str]]]:
    for line in (CASES / f"{game}.txt").read_text(encoding="utf-8").splitlines():
        position, turn, reply = line.split(" | ")
        options, _, text = position.rpartition(": ")
        texts = dict(option.split("=") for option in options.split())
        yield wm.game(game).with_option_texts(texts).parse(text), turn.split(), reply.split()


@pytest.mark.slow
@pytest.mark.compiled
@pytest.mark.parametrize("game", GAMES)
def test_planted_blunders_are_all_found(game: str) -> None:
    cases = list(planted(game))
    assert len(cases) >= 5
    for start, turn, reply in cases:
        entries = tuple(wm.Entry(move) for move in (*turn, *reply))
        record = wm.Record(start.game, entries, start=start)
        found = review(record, nodes=2000)
        own = [each for each in found.decisions if each.number < len(turn)]
        serious = [each for each in own if each.verdict in (MISTAKE, BLUNDER)]
        assert len(serious) == 1, (start.text, own)
        (blunder,) = serious
        assert blunder.reasons, (start.text, blunder)
        for reason in blunder.reasons:
            check_reason(record, blunder, reason)


@pytest.mark.slow
@pytest.mark.compiled
@pytest.mark.parametrize("kind", ["flows", "flows-win", "flume", "qwirkle"])
def test_what_a_longer_search_confirms_is_found(kind: str) -> None:
    lines = (PLANTED / f"{kind}.txt").read_text(encoding="utf-8").splitlines()
    cases = [line.split(" | ") for line in lines]
    confirmed = [case for case in cases if float(case[-1]) >= 0.1][:SAMPLE]
    assert len(confirmed) == SAMPLE
    for position, turn, reply, _, _ in confirmed:
        start = wm.game(kind.partition("-")[0]).parse(position)
        moves = (*turn.split(), *reply.split())
        record = wm.Record(start.game, tuple(map(wm.Entry, moves)), start=start)
        found = review(record, nodes=4000).decisions
        own = [each.verdict for each in found if each.number < len(turn.split())]
        assert {MISTAKE, BLUNDER} & set(own), (position, own)


def check_reason(record: wm.Record, blunder: Decision, reason: Reason) -> None:
    """Play what is claimed, where it is claimed to be possible."""
    states = record.replay()
    state = states[blunder.number]
    if reason.code.startswith("allows"):
        later = states[blunder.number + 1 :]
        state = next(each for each in later if each.to_move not in (blunder.seat, wm.CHANCE))
    assert state.to_move == reason.seat
    before = score(state, reason.seat)
    state = state.play_all(reason.moves)
    if reason.code.endswith("win"):
        assert state.outcome is not None
        assert state.outcome.winners == (reason.seat,)
    else:
        assert score(state, reason.seat) - before == reason.count


def score(state: wm.State, seat: int) -> int:
    return int(state.view(seat)["seats"][seat]["score"] or 0)
