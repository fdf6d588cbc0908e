"""Records: round trips, errors with line and column, and fuzzing."""

from __future__ import annotations

import contextlib
import pickle
import time

import pytest
from hypothesis import given
from hypothesis import strategies as st

import watermeet as wm
from watermeet.core.record import Entry, Record
from watermeet.testing import strategies

POKER = """\
game: kuhn_poker@1
seats: Ada, Bob
date: 2026-11-15
result: 1 -1

{A first try.} ~2 ~0 1. 4 @1.5 {a bold one} 2. 3 @12
"""


def test_all_fields_are_parsed() -> None:
    record = Record.parse(POKER)
    assert record.game == wm.game("kuhn_poker")
    assert record.seats == ("Ada", "Bob")
    assert record.headers == {"date": "2026-11-15"}
    assert record.result == (1.0, -1.0)
    assert record.comment == "A first try."
    assert record.moves == ("~2", "~0", "4", "3")
    assert [entry.seconds for entry in record.entries] == [None, None, 1.5, 12.0]
    assert [entry.comment for entry in record.entries] == ["", "", "a bold one", ""]


def test_records_survive_a_round_trip() -> None:
    record = Record.parse(POKER)
    assert record.format() == POKER
    assert record._repr_svg_() == record.replay()[-1].render_svg()
    assert Record.parse(record.format()) == record


@pytest.mark.parametrize("seconds", ["123456.7", "1000000"])
def test_the_seconds_of_long_matches_survive_a_round_trip(seconds: str) -> None:
    text = POKER.replace("@12", f"@{seconds}")
    assert Record.parse(text).format() == text


VARIATIONS = """\
game: flume@1
options: size=3

1. b2 ! 2. swap @3 ?! {bold} ( 2. a1 {quiet} ( 2. c1 ) 3. a2 ?? ) ( 2. b1 ) 3. a1
"""


def test_variations_symbols_and_comments_survive_a_round_trip() -> None:
    record = Record.parse(VARIATIONS)
    assert record.moves == ("b2", "swap", "a1")
    _, swap, _ = record.entries
    assert (swap.symbol, swap.seconds, swap.comment) == ("?!", 3.0, "bold")
    assert [[each.move for each in line] for line in swap.variations] == [["a1", "a2"], ["b1"]]
    quiet = swap.variations[0][0]
    assert (quiet.comment, [each.move for each in quiet.variations[0]]) == ("quiet", ["c1"])
    again = Record.parse(record.format())
    assert again == record
    assert record.format().splitlines()[-1] == VARIATIONS.splitlines()[-1]
    assert len(record.replay()) == 4


@pytest.mark.parametrize(
    ("moves", "column", "words"),
    [
        ("( b2 )", 1, "'(' is out of place"),
        ("b2 )", 4, "')' is out of place"),
        ("b2 ( )", 6, "')' is out of place"),
        ("b2 ( a1", 1, "the variation on 'b2' has no end"),
        ("! b2", 1, "'!' follows no move"),
        ("b2 ( {why} a1 )", 6, "follows no move"),
        ("b2 " + "( a1 " * 51, 4 + 5 * 50, "is out of place"),
        ("b2 ( a1 a1 )", 9, "a1"),
        ("b2 a1 ( b2 )", 9, "b2"),
    ],
)
def test_variations_are_checked(moves: str, column: int, words: str) -> None:
    with pytest.raises(wm.InvalidRecord) as refused:
        Record.parse(f"game: flume@1\noptions: size=3\n\n{moves}\n").replay()
    assert words in str(refused.value)
    assert (refused.value.line, refused.value.column) == (4, column)


def test_an_unknown_symbol_is_refused() -> None:
    with pytest.raises(wm.InvalidArgument, match="'!!!' doesn't judge a move"):
        Entry("b2", symbol="!!!")


def test_a_record_replays() -> None:
    states = Record.parse(POKER).replay()
    assert len(states) == 5
    assert states[-1].outcome is not None
    assert states[-1].outcome.returns == (1.0, -1.0)


def test_a_record_may_start_from_any_position() -> None:
    state = wm.game("kuhn_poker").start().play_all(["2", "0"])
    record = Record.from_actions(state, [3, 3])
    assert f"start: {state.text}" in record.format()
    assert Record.parse(record.format()).replay()[0] == state


def test_parsing_is_lenient() -> None:
    text = "\ufeff\n\n\ngame:  kuhn_poker@1  \r\nempty:\r\n\r\n2\t0\r\n4 {split\r\nover lines} 3"
    record = Record.parse(text)
    assert record.moves == ("2", "0", "4", "3")
    assert record.headers == {"empty": ""}
    assert record.entries[2].comment == "split over lines"
    assert len(record.replay()) == 5


def test_results_are_written_exactly() -> None:
    record = Record(wm.game("kuhn_poker"), result=(1 / 3, -1.0))
    assert "result: 0.3333333333333333 -1\n" in record.format()
    assert Record.parse(record.format()).result == record.result


def test_a_record_may_have_no_moves() -> None:
    record = Record.parse("game: kuhn_poker@1")
    assert record.format() == "game: kuhn_poker@1\n"
    assert len(record.replay()) == 1


def test_long_records_are_wrapped() -> None:
    entries = tuple(wm.Entry("~0", comment="x" * 30) for _ in range(9))
    text = Record(wm.game("kuhn_poker"), entries).format()
    assert max(map(len, text.splitlines())) <= 92


def test_options_survive_a_round_trip() -> None:
    game = next(wm.game(name) for name in wm.games() if wm.game(name).declared_options)
    option = game.declared_options[0]
    other = game.with_options(**{option.name: option.samples()[0]})
    record = Record(other)
    assert f"{option.name}={option.format(option.samples()[0])}" in record.format()
    assert Record.parse(record.format()).game == other != game


@pytest.mark.parametrize(
    ("text", "line", "column", "words"),
    [
        ("", 1, 1, "the header 'game' is missing"),
        ("date: today\n", 1, 1, "start with a line like 'game: name@1'"),
        ("hello world\n", 1, 1, "'hello world' isn't a header"),
        ("game: kuhn_poker@1\nnonsense\n", 2, 1, "'nonsense' isn't a header"),
        ("game: kuhn_poker\n", 1, 7, "like 'name@1'"),
        ("game: kuhn_poker@1\ngame: kuhn_poker@1\n", 2, 1, "is there twice"),
        ("game: kuhn_poker@1\noptions: size\n", 2, 10, "write name=value"),
        ("game: kuhn_poker@1\noptions: size=5\n", 2, 10, "there is no option 'size'"),
        ("game: kuhn_poker@1\nseats: Ada\n", 2, 8, "has 2 seats"),
        ("game: kuhn_poker@1\nstart: nowhere\n", 2, 8, "isn't a state"),
        ("game: kuhn_poker@1\nresult: won\n", 2, 9, "write 2 numbers"),
        ("game: kuhn_poker@1\nresult: 1 0 0\n", 2, 9, "write 2 numbers"),
        ("game: kuhn_poker@1\n\n0 1 {open\n", 3, 5, "'{' is unmatched"),
        ("game: kuhn_poker@1\n\n0 1\n } 3\n", 4, 2, "'}' is unmatched"),
        ("game: kuhn_poker@1\n\n@3 0\n", 3, 1, "isn't the time of a move"),
        ("game: kuhn_poker@1\n\n0 @x\n", 3, 3, "isn't the time of a move"),
        ("game: kuhn_poker@1\n\n0\n1 @-3\n", 4, 3, "isn't the time of a move"),
    ],
)
def test_errors_have_a_line_and_a_column(text: str, line: int, column: int, words: str) -> None:
    with pytest.raises(wm.InvalidRecord) as refused:
        Record.parse(text)
    error = refused.value
    assert (error.line, error.column) == (line, column)
    assert words in str(error)
    assert str(error).startswith(f"line {line}, column {column}: ")
    assert str(pickle.loads(pickle.dumps(error))) == str(error)


@pytest.mark.parametrize(
    ("moves", "line", "column", "words"),
    [
        ("0 0", 4, 3, "isn't a legal move here"),
        ("0\n  1 hello", 5, 5, "'hello' isn't a move"),
        ("0 1 4 4 4", 4, 9, "The match is over"),
    ],
)
def test_an_illegal_move_has_a_line_and_a_column(
    moves: str, line: int, column: int, words: str
) -> None:
    record = Record.parse(f"game: kuhn_poker@1\nseats: Ada, Bob\n\n{moves}")
    with pytest.raises(wm.InvalidRecord, match=words) as refused:
        record.replay()
    assert (refused.value.line, refused.value.column) == (line, column)
    assert record.format()  # It can still be written.


@pytest.mark.parametrize("moves", ["0 2 4 3", "0 2"])
def test_a_wrong_result_is_refused(moves: str) -> None:
    record = Record.parse(f"game: kuhn_poker@1\nresult: -1 1\n\n{moves}")
    with pytest.raises(wm.InvalidRecord, match=r"the moves lead to (1 -1|no end)") as refused:
        record.replay()
    assert refused.value.line == 2


def test_unknown_games_and_other_versions_are_refused() -> None:
    with pytest.raises(wm.UnknownGame, match="there is no game 'poker'"):
        Record.parse("game: poker@1\n")
    with pytest.raises(wm.VersionMismatch, match="written under version 2 of kuhn_poker's rules"):
        Record.parse("game: kuhn_poker@2\n")


@given(st.text(max_size=200))
def test_no_text_crashes(text: str) -> None:
    """Any text is a record or one of our own errors."""
    with contextlib.suppress(wm.WatermeetError):
        Record.parse(text).replay()


@pytest.mark.compiled
@given(
    match=strategies.matches(max_length=20),
    cut=st.floats(0, 1),
    junk=st.text(alphabet="ab{}()!?@~1.: \n=", max_size=6),
)
def test_damaged_records_do_not_crash(match: object, cut: float, junk: str) -> None:
    """A record cut short, or with junk in the middle."""
    from watermeet.testing.matches import Match

    assert isinstance(match, Match)
    text = Record.from_actions(match.states[0], match.actions).format()
    place = int(cut * len(text))
    for damaged in (text[:place], text[:place] + junk + text[place:]):
        with contextlib.suppress(wm.WatermeetError):
            Record.parse(damaged).replay()


LONG = 200_000
HEADED = "game: kuhn_poker@1\n\n"


@pytest.mark.parametrize(
    "text",
    [
        pytest.param(HEADED + "0 " + "( 1 ) " * (LONG // 16), id="variations of one move"),
        pytest.param(HEADED + "0 " + "( 1 " * 49 + ") " * 49 * 20, id="nested variations"),
        pytest.param(HEADED + "0 " + "{x} " * (LONG // 4), id="comments on one move"),
        pytest.param(HEADED + "{x} " * (LONG // 4), id="comments on all"),
        pytest.param(HEADED + "1. " * (LONG // 3), id="numbers"),
        pytest.param(HEADED + "1.\n" * (LONG // 3), id="lines"),
        pytest.param(HEADED + "0 " + "! @1 " * (LONG // 10), id="symbols and times"),
        pytest.param(f"game: kuhn_poker@1\nsite: x{' ' * LONG}x\n", id="spaces in a header"),
        pytest.param(HEADED + "1" * LONG, id="digits"),
        pytest.param(HEADED + "1." * (LONG // 2), id="dots"),
        pytest.param(HEADED + "{ " * (LONG // 2), id="braces"),
    ],
)
def test_reading_takes_no_longer_than_the_text_is_long(text: str) -> None:
    """Some of these took minutes."""
    begun = time.process_time()
    with contextlib.suppress(wm.InvalidRecord):
        Record.parse(text)
    assert time.process_time() - begun < 3.0


def test_moves_are_counted_while_they_are_read() -> None:
    text = HEADED + "0 ( 1 ( 2 ) ) 1"
    assert len(Record.parse(text, most=4).entries) == 2
    with pytest.raises(wm.TooLarge, match="more than 3 moves"):
        Record.parse(text, most=3)
    with pytest.raises(wm.TooLarge):
        Record.parse(f"{text} {{ and nothing after them is read", most=3)
