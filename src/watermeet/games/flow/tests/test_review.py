"""What a review says about the waves of a match: numbers that the record bears out."""

from __future__ import annotations

import re
from pathlib import Path

import watermeet as wm
from watermeet.games.flow.review import sections
from watermeet.testing.completeness import read_texts

RECORD = """game: flow@3
options: seats=1 clock=free

~card:calm ~card:current ~card:support 1. draw ~tile:straight NS@a2 2. draw ~tile:bend swap
~card:bird 3. draw ~tile:straight NS@g2 4. time ~white:2 ~black:6 5. calm 6. draw
~tile:straight NS@a2 7. current:a2 EW@c4 8. time roll:black ~black:3 9. draw ~tile:cross
NESW@b1
"""


def test_each_wave_has_a_part_with_what_was_done_before_it() -> None:
    record = wm.Record.parse(RECORD)
    found = sections(record.replay(), record.moves)
    first, second, last = (
        [(each.code, dict(each.facts)) for each in sentences] for _, _, sentences in found
    )
    assert first == [
        ("before_wave", {"number": 1}),
        ("did", {"placed": 2, "cards": 0}),
        ("did_swap", {"count": 1}),
        ("wave_took", {"tiles": 2, "where": "row 2 and column g"}),
        ("animals_left", {"was": 0, "now": 0}),
    ]
    assert second == [
        ("before_wave", {"number": 2}),
        ("did", {"placed": 1, "cards": 2}),
        ("wave_took", {"tiles": 1, "where": "column c"}),
        ("animals_left", {"was": 0, "now": 0}),
    ]
    assert last == [("after_waves", {}), ("did", {"placed": 1, "cards": 0})]
    states = record.replay()
    assert all(states[start].to_move == 0 for start, _, _ in found)
    codes = set(re.findall(r'Explanation\(\s*"(\w+)"', (_FOLDER / "review.py").read_text()))
    for language in ("fr", "de", "pl"):
        texts = read_texts(_FOLDER / "web", language)
        assert all(f"reason.{code}" in texts for code in codes), language


_FOLDER = Path(__file__).parents[1]
