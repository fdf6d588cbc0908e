"""``watermeet play`` through a pipe: whole matches, refusals, undo, save, load, resume."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

import watermeet as wm

BOTH = ("play", "flume", "-o", "size=3", "--seats", "human,human")
WHOLE_MATCH = "b2\na1\na2\na3\nb1 b3\nc1 c2 c3\n"


def pictures(output: str) -> int:
    """How many times the state was shown."""
    return output.count("places a stone") + output.count("The board is full")


# ---- matches ------------------------------------------------------------------------------------


def test_two_people_play_a_whole_match(run: Any) -> None:
    shown = run(*BOTH, "--names", "Ada,Bob", lines=WHOLE_MATCH)
    assert shown.exit_code == 0
    assert "Ada (Red) against Bob (Blue)" in shown.stdout
    assert "Ada (Red)> b2" in shown.stdout
    assert "The board is full" in shown.stdout
    assert re.search(r"^(Ada \(Red\)|Bob \(Blue\)) wins, \d.\d\.$", shown.stdout, re.MULTILINE)
    assert max(len(line) for line in shown.stdout.splitlines() if "Saved to" not in line) <= 80


def test_a_whole_match_against_a_random_player(run: Any) -> None:
    moves = "\n".join(f"{column}{row}" for row in "123" for column in "abc")
    options = ("-o", "size=3", "--seats", "human,random", "--seed", "5")
    shown = run("play", "flume", *options, lines=moves)
    assert shown.exit_code == 0
    assert "You (Red) against Random (Blue)" in shown.stdout
    told = re.search(r"^Random \(Blue\): (\w\d) \((.*?)[,)]", shown.stdout, re.MULTILINE)
    assert told, "a random player's moves are announced"
    assert told[2] == f"places a stone on {told[1]}"


def test_random_players_alone_need_no_input_but_a_seed(run: Any) -> None:
    def play(seed: str) -> str:
        options = ("-o", "size=3", "--seats", "random,random", "--seed", seed)
        return str(run("play", "flume", *options).stdout)

    assert play("1") == play("1") != play("2")
    assert "The board is full" in play("1")
    nobody_is_asked = play("1").replace(">●", "").replace(">○", "")
    assert ">" not in nobody_is_asked


@pytest.mark.usefixtures("toys")
def test_players_see_only_their_own_hand_and_moves(run: Any) -> None:
    words = ("play", "cards", "--seats", "human,human", "--seed", "1")
    shown = run(*words, lines="moves\n4\n4\nmoves\n").stdout
    first, second = shown.split("Seat 2> ")[0], shown.split("Seat 1> ")[2].split("Seat 2> ")[0]
    cards = first.split("Seat 1 is to move.")[0].splitlines()[-1].split("#")[0].split(".")
    assert int(cards[3]) > 0
    assert cards[4] == "-1"
    assert "Chance: (hidden)" in second
    cards = second.split("Seat 2 is to move.")[0].splitlines()[-1].split("#")[0].split(".")
    assert cards[3] == "-1"
    assert int(cards[4]) > 0
    own, other = shown.split("Seat 1> moves\n")[1].splitlines()[0].split(" ", 1)
    assert own.startswith("~")
    assert other == "(hidden)"
    assert "(hidden)" not in shown.split("over> moves")[1], "nothing is hidden at the end"
    shown = run("play", "cards", "--seats", "random,random,random").stdout
    assert "Random 1, Random 2 and Random 3" in shown, "there are as many seats as players"


def test_several_moves_on_a_line_stop_at_the_end_of_the_turn_or_an_illegal_one(run: Any) -> None:
    shown = run(*BOTH, lines="a1 b2 c3\n").stdout
    assert "Your turn is over. Not played: b2 c3" in shown
    assert "Red 1, Blue 0, 8 points free." in shown
    shown = run(*BOTH, lines="b2\na1\na2\na3\nb3 b3 b1\n").stdout
    assert "There is already a" in shown
    assert "Not played: b3 b1" in shown


def test_a_match_that_is_left_is_saved(run: Any, state_home: Path) -> None:
    shown = run(*BOTH, lines="a1\nquit\nb1\n")
    assert shown.exit_code == 0
    assert "b1" not in shown.stdout
    assert "The match isn't finished." in shown.stdout
    shown = run(*BOTH, lines="a1")
    assert shown.exit_code == 0
    assert "The input ended before the match did." in shown.stdout
    assert f"Saved to {state_home / 'last-match.txt'}" in shown.stdout


def test_a_match_is_saved_loaded_and_saved_again(run: Any, tmp_path: Path) -> None:
    file, copy = tmp_path / "my match.txt", tmp_path / "two.txt"
    run(*BOTH, "--names", "Ada,Bob", lines=f"a1\nb1\nsave {file}\n")
    record = wm.Record.parse(file.read_text())
    assert (record.moves, record.seats) == (("a1", "b1"), ("Ada", "Bob"))
    shown = run("play", "--load", str(file), lines="c1\n").stdout
    assert "Ada (Red) against Bob (Blue)" in shown
    assert "Ada (Red)> c1" in shown
    file.write_text("game: flume@1\nevent: club night\n\n{hello} 1. a1 @4.2 {good} 2. b1\n")
    run("play", "--load", str(file), "--seats", "human,human", lines=f"c1\nsave {copy}\n")
    record = wm.Record.parse(copy.read_text())
    assert (record.headers["event"], record.comment) == ("club night", "hello")
    assert record.entries[0] == wm.Entry("a1", 4.2, "good")
    assert record.moves == ("a1", "b1", "c1")
    shown = run(*BOTH, lines=f"a1\nsave {copy}\n").stdout
    assert "already exists" in " ".join(shown.split())
    assert wm.Record.parse(copy.read_text()) == record
    shown = run(*BOTH, lines=f"a1\nsave! {copy}\nsave {tmp_path}/no/such/folder/x\nb1\n").stdout
    assert "club night" not in copy.read_text()
    assert "can't be written: No such file or directory" in " ".join(shown.split())
    assert "Blue> b1" in shown


@pytest.mark.slow
@pytest.mark.parametrize("name", wm.games())
def test_every_registered_game_can_be_played_and_replayed(
    run: Any, state_home: Path, name: str
) -> None:
    seats = ",".join(["random"] * wm.game(name).seats)
    shown = run("play", name, "--seats", seats, "--seed", "2")
    assert shown.exit_code == 0
    verdict = r"^(\S.* wins?(, \d+.\d+)?|You (won|lost) together)\.$"
    assert re.search(verdict, shown.stdout, flags=re.MULTILINE)
    assert run("replay", str(state_home / "last-match.txt")).exit_code == 0


@pytest.mark.usefixtures("toys")
def test_undo_does_not_reroll_chance(run: Any) -> None:
    lines = "5\nundo\n5\n"
    arguments = ("play", "cards", "--seats", "human,random", "--seed", "3")
    once = run(*arguments, lines="5\n").stdout
    twice = run(*arguments, lines=lines).stdout
    assert once.split("over>")[0].splitlines()[-2:] == twice.split("over>")[-2].splitlines()[-2:]


@pytest.mark.usefixtures("toys")
@pytest.mark.parametrize(
    ("lines", "sentence"),
    [("pour\n", "You won together."), ("time\ntime\ntime\n", "You lost together.")],
)
def test_a_team_wins_or_loses_together(run: Any, lines: str, sentence: str) -> None:
    arguments = ("play", "kettle", "-o", "cups=1", "--seats", "human,human")
    assert sentence in run(*arguments, lines=lines).stdout.splitlines()


# ---- several people at one screen ---------------------------------------------------------------


@pytest.mark.parametrize(
    ("words", "move", "announced"),
    [(("flow", "-o", "clock=free"), "time", False), (("kuhn_poker",), "3", True)],
)
def test_a_players_move_is_announced_only_after_a_curtain(
    run: Any, words: tuple[str, ...], move: str, announced: bool
) -> None:
    shown = run("play", *words, "--seed", "3", "--seats", "human,human", lines=f"{move}\n").stdout
    first, second = ("Seat 1", "Seat 2") if words == ("kuhn_poker",) else ("Player 1", "Player 2")
    assert f"{second}> " in shown
    assert (f"\n{first}: {move}\n" in shown) is announced


# ---- at the prompt ------------------------------------------------------------------------------


def test_an_illegal_move_says_why_and_changes_nothing(run: Any) -> None:
    shown = run(*BOTH, lines="a1\na1\nz9\nsave!\nb1\n").stdout
    assert "There is already a red stone on a1." in shown
    assert "'z9' isn't a point of a 3x3 board" in shown
    assert "The file name is missing." in shown
    assert "Blue> b1" in shown
    assert pictures(shown) == 3, "a refusal shows no new picture"


def test_several_moves_on_a_line_stop_at_the_end_of_the_turn(run: Any) -> None:
    shown = run(*BOTH, lines="a1 b2 c3\n").stdout
    assert "Your turn is over. Not played: b2 c3" in shown
    assert "Red 1, Blue 0, 8 points free." in shown


def test_legal_moves_are_listed(run: Any) -> None:
    shown = run(*BOTH, lines="?\na1\n?\n? a1\n?b1\n? nonsense\n").stdout
    assert "9 legal moves" in shown
    assert "a1  b1  c1  a2  b2  c2  a3  b3  c3" in shown
    assert "swap" in shown
    assert "There is already a red stone on a1." in shown
    assert "b1 makes 2 connections (1 with the green rim), which ends the turn." in shown
    assert "'nonsense' isn't a point" in shown
    shown = run("play", "flume", "-o", "size=19", lines="?\n").stdout
    listed = shown.split("explains one):\n")[1].split("\nYou (Red)>")[0].splitlines()
    assert sum(len(line.split()) for line in listed) == 361
    assert max(map(len, listed)) <= 80, "in columns"


def test_undo_returns_to_the_players_last_choice(run: Any) -> None:
    options = ("-o", "size=3", "--seats", "human,random", "--seed", "1")
    shown = run("play", "flume", *options, lines="undo\na1\nundo\nb2\nview\n").stdout
    assert "There is nothing to take back." in shown
    assert shown.count("Red 0, Blue 0, 9 points free.") == 2
    assert shown.count("You (Red)> ") == 6
    shown = run(*BOTH, lines=WHOLE_MATCH + "undo\nc3\n").stdout
    assert shown.count("The board is full") == 2


def test_every_command_is_in_help(run: Any) -> None:
    from watermeet.cli.commands import COMMANDS

    shown = run(*BOTH, lines="help\numdo\n").stdout
    for command in COMMANDS.values():
        assert command.usage in shown
        assert command.sentence in shown
    assert "Did you mean the command 'undo'?" in shown


@pytest.mark.usefixtures("toys")
def test_rules_are_shown_if_a_game_has_them(run: Any) -> None:
    assert "# Flume" in run(*BOTH, lines="rules\n").stdout
    assert "Pile comes without its rules" in run("play", "pile", lines="rules\n").stdout


@pytest.mark.usefixtures("toys")
def test_svg_files_are_written(run: Any, tmp_path: Path) -> None:
    file = tmp_path / "a picture.svg"
    run(*BOTH, lines=f"a1\nsvg {file}\n")
    assert file.read_text().startswith("<svg")
    assert "has no SVG pictures" in run("play", "pile", lines=f"svg {file}\n").stdout


@pytest.mark.slow
@settings(
    max_examples=60, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture]
)
@given(
    st.lists(
        st.one_of(
            st.text(max_size=12).filter(lambda line: "s" not in line.lower()),  # No save, no svg.
            st.sampled_from(["a1", "b2 c3", "?", "? a1", "undo", "moves", "view", "help", "swap"]),
            st.sampled_from(["save", "svg", "save \0", "svg! /", "save ~nobody-here/x", "rules"]),
        ),
        max_size=8,
    )
)
def test_no_input_crashes(run: Any, lines: list[str]) -> None:
    typed = "\n".join(lines).encode("utf-8", "surrogatepass").decode("utf-8", "replace")
    shown = run(*BOTH, lines=typed)
    assert shown.exit_code == 0
    assert "Flume 3x3" in shown.stdout


def test_invalid_bytes_and_very_long_lines(run: Any) -> None:
    from typer.testing import CliRunner

    from watermeet.cli.main import app

    typed = b"\xff\xfe\n\x1b[2J\n" + b"x" * 100_000 + b"\na1\n"
    shown = CliRunner().invoke(app, list(BOTH), input=typed, catch_exceptions=False)
    assert shown.exit_code == 0
    assert "too long" in shown.stdout
    assert "\x1b" not in shown.stdout
    assert "Blue>" in shown.stdout


# ---- saving and loading -------------------------------------------------------------------------


def test_a_resumed_match_continues_as_if_uninterrupted(run: Any) -> None:
    assert "no match to resume" in run("play", "--resume").stderr
    arguments = ("play", "flume", "-o", "size=5", "--seed", "8", "--seats", "human,random")
    whole = run(*arguments, lines="a1\nb2\nmoves\n").stdout
    run(*arguments, lines="a1\n")
    rest = run("play", "--resume", lines="b2\nmoves\n").stdout
    assert whole.split("seed: 8")[1] == rest.split("seed: 8")[1]
    run(*BOTH, lines=WHOLE_MATCH)
    shown = run("play", "--resume").stdout
    assert "The board is full" in shown
    assert "Red wins, 8" in shown


def test_a_new_match_keeps_the_previous_one(run: Any, state_home: Path) -> None:
    run(*BOTH, lines="a1\n")
    run(*BOTH, lines="b1\n")
    assert "1. a1" in (state_home / "previous-match.txt").read_text()
    assert "1. b1" in (state_home / "last-match.txt").read_text()
    run("play", "--resume", lines="c1\n")
    assert "1. a1" in (state_home / "previous-match.txt").read_text()
    assert sorted(path.name for path in state_home.iterdir()) == [
        "last-match.txt",
        "previous-match.txt",
    ]


def test_play_continues_when_the_match_cannot_be_saved(
    run: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "file").write_text("no folder")
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path / "file"))
    shown = run(*BOTH, lines="a1\nb1\n")
    assert shown.exit_code == 0
    assert "Saved to" not in shown.stdout
    assert "Red 1, Blue 1" in shown.stdout


# ---- the command line ---------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (("--seats", "human"), "flume@1 has 2 seats, but you gave 1 player"),
        (("--seats", "human,robot"), "'robot' isn't a kind of player"),
        (("--names", "Ada"), "but you gave 1 name"),
        (("--names", "Ada,"), "'' isn't a valid name"),
        (("--names", "Ada,B\x1bb"), "isn't a valid name"),
        (("--seed", "x"), "--seed"),
        (("--load", "x", "--resume"), "a saved match already has its game and options"),
    ],
)
def test_invalid_arguments_are_refused(run: Any, arguments: tuple[str, ...], message: str) -> None:
    shown = run("play", "flume", *arguments)
    assert shown.exit_code == 2
    assert message in shown.stderr
    assert "can't be combined" in run("play", "--load", "x", "--resume").stderr


@pytest.mark.usefixtures("toys")
def test_a_name_is_required_without_a_terminal(run: Any) -> None:
    shown = run("play")
    assert shown.exit_code == 2
    assert "cards" in shown.stderr
    assert "pile" in shown.stderr
    assert "raising" not in shown.stderr
