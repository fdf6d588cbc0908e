"""What a person can type when it is their turn: moves, questions, and the commands below."""

from __future__ import annotations

import difflib
import os
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from watermeet.cli.console import columns
from watermeet.cli.errors import InvalidFile, InvalidUsage
from watermeet.core.errors import IllegalMove, InvalidNotation, WatermeetError

if TYPE_CHECKING:
    from watermeet.cli.table import Table
    from watermeet.core.state import State

LONGEST_LINE = 4000
LONGEST_WORD = 80


def obey(table: Table, line: str) -> None:
    """Does what a line says, or tells why not; whatever was typed, nothing is lost."""
    text = line.strip()
    word, _, rest = text.partition(" ")
    command = COMMANDS.get(word.lower())
    try:
        if not text:
            return
        if len(text) > LONGEST_LINE:
            raise InvalidUsage(f"a line of {len(text)} letters is too long", "type less at once")
        if text.startswith("?"):
            _answer(table, text[1:].strip())
        elif command is not None and not _is_legal(table.match.state, text):
            command.run(table, rest.strip())
        else:
            _play(table, text)
    except WatermeetError as error:
        table.complain(error)


# ---- moves ------------------------------------------------------------------------------------


def _is_readable(state: State, text: str) -> bool:
    try:
        state.parse_move(text)
    except InvalidNotation:
        return False
    return True


def _is_legal(state: State, text: str) -> bool:
    return _is_readable(state, text) and state.is_legal(state.parse_move(text))


def _play(table: Table, text: str) -> None:
    """Plays the moves on a line in order, as long as it stays the same seat's turn."""
    match = table.match
    seat = match.state.to_move
    words = [text] if _is_readable(match.state, text) else text.split()
    for index, word in enumerate(words):
        if match.state.to_move != seat:
            table.say(f"The turn is over. Not played: {' '.join(words[index:])}", "yellow")
            return
        try:
            match.play(word[:LONGEST_WORD])
        except (IllegalMove, InvalidNotation) as error:
            _refuse(table, word, error)
            if len(words) > index + 1:
                table.say(f"Not played: {' '.join(words[index:])}", "yellow")
            return
        table.changed()


def _refuse(table: Table, word: str, error: WatermeetError) -> None:
    if isinstance(error, IllegalMove) and error.explanation is not None:
        table.say(error.explanation.sentence, "yellow")
        return
    table.complain(error)
    near = difflib.get_close_matches(word.lower(), COMMANDS, n=1, cutoff=0.7)
    if near:
        table.say(f"Did you mean the command {near[0]!r}?")


def _answer(table: Table, about: str) -> None:
    """``?`` lists what can be played, ``? MOVE`` explains one move."""
    state = table.match.state
    if about and about.lower() != "all":
        table.say(state.explain(about[:LONGEST_WORD]).sentence)
        return
    moves = state.legal_moves
    if not moves:
        table.say("The match is over: nothing more can be played.")
        return
    lines = columns(moves, table.console.width)
    fitting = max(4, table.console.height - 4) if table.reader.is_terminal else len(lines)
    shown = lines if about or len(lines) <= fitting else lines[:fitting]
    number = "1 move" if len(moves) == 1 else f"{len(moves)} moves"
    table.say(f"{number} can be played (? MOVE tells more of one):")
    for line in shown:
        table.console.print(line, no_wrap=True, overflow="ignore", crop=False)
    if len(shown) < len(lines):
        table.say("... and more: ? all lists every one.")


# ---- commands ---------------------------------------------------------------------------------


def _undo(table: Table, rest: str) -> None:
    if not table.match.undo():
        raise InvalidUsage("nothing can be taken back", "nobody at this table has chosen anything")
    table.changed()


def _write(table: Table, name: str, text: str, *, overwrite: bool) -> None:
    """Writes a file for the person at the table, who is asked before one is overwritten."""
    if not name:
        raise InvalidUsage("there is no file name", "write it behind the command")
    from watermeet.cli.storage import write_text

    try:
        path = Path(name).expanduser()
    except RuntimeError as error:  # A user that does not exist, as in ~nobody-here/file.
        raise InvalidFile(f"{name!r} cannot be found", "choose another name") from error
    if not overwrite and path.exists():
        overwrite = table.reader.confirm(f"{name} is there already. Overwrite it?")
        if not overwrite:
            raise InvalidFile(
                f"{name!r} is there already", "with a ! it is overwritten: save! FILE"
            )
    write_text(path, text, overwrite=overwrite)
    table.console.print(f"Written to {path}", soft_wrap=True)


def _save(table: Table, rest: str, *, overwrite: bool = False) -> None:
    _write(table, rest, table.match.record().format(), overwrite=overwrite)
    table.is_saved = True


def _svg(table: Table, rest: str, *, overwrite: bool = False) -> None:
    match = table.match
    drawn = match.state.render_svg(table.viewer, match.last_turn(table.viewer))
    if drawn is None:
        raise InvalidUsage(f"{match.game.title} draws no pictures", "view shows it as text")
    _write(table, rest, drawn + "\n", overwrite=overwrite)


def _moves(table: Table, rest: str) -> None:
    """The record; while hands are hidden, only what the viewer may know of it."""
    match = table.match
    if not match.game.hidden or match.is_over:
        table.console.print(match.record().format().rstrip("\n"), soft_wrap=True)
        return
    seen = (
        entry.move if match.is_seen(index, table.viewer) else "(unseen)"
        for index, entry in enumerate(match.entries)
    )
    table.say(" ".join(seen) or "Nothing was played yet.")


def _hint(table: Table, rest: str) -> None:
    """What the strongest bot would do; of hidden hands it knows no more than you."""
    state = table.match.state
    if state.to_move < 0:
        raise InvalidUsage("the match is over", "undo takes back")
    table.tell_thought("Hint", table.opponents.hint(state))


def _thinking(table: Table, rest: str) -> None:
    table.shows_thoughts = not table.shows_thoughts
    table.say(f"Thoughts of bots are {'shown' if table.shows_thoughts else 'not shown'} now.")


def _view(table: Table, rest: str) -> None:
    table.show()


def _rules(table: Table, rest: str) -> None:
    from importlib.resources import files

    game = table.match.game
    try:
        text = files(game.package).joinpath("RULES.md").read_text(encoding="utf-8")
    except OSError as error:
        raise InvalidFile(f"{game.title} came without its rules", "ask its author") from error
    if not table.reader.is_terminal:
        table.console.print(text, soft_wrap=True)
        return
    from rich.markdown import Markdown

    in_colour = table.console.color_system is not None
    os.environ.setdefault("LESS", "-R")  # So that the usual pager shows colours as colours.
    with table.console.pager(styles=in_colour):
        table.console.print(Markdown(text), width=min(table.console.width, 100))


def _help(table: Table, rest: str) -> None:
    lines = [("MOVE [MOVE ...]", "Play a move, or several of one turn.")]
    lines += [("?", "What can be played."), ("? MOVE", "Why a move can be played or not.")]
    lines += [(command.usage, command.sentence) for command in COMMANDS.values() if command.usage]
    for usage, sentence in lines:
        table.say(f"{usage:<16} {sentence}")


def _quit(table: Table, rest: str) -> None:
    table.has_quit = True
    match = table.match
    if match.is_over or table.is_saved:
        return
    if table.reader.is_terminal:
        name = table.reader.ask("A file name to save the match, or Enter to leave it: ").strip()
        if name:
            table.has_quit = False
            _save(table, name)
            table.has_quit = True
            return
    table.say("The match is not finished.")
    if table.keeper.kept_in is not None:
        table.say("watermeet play --resume goes on with it.")


@dataclass(frozen=True)
class Command:
    """A word at the prompt; one without a usage is another spelling and not listed."""

    run: Callable[[Table, str], None]
    usage: str = ""
    sentence: str = ""


COMMANDS: dict[str, Command] = {
    "undo": Command(_undo, "undo", "Take back to your last choice; again to go further back."),
    "hint": Command(_hint, "hint", "Ask the strongest bot what it would do."),
    "thinking": Command(_thinking, "thinking", "Show what bots think, or stop showing it."),
    "view": Command(_view, "view", "Show the match again."),
    "moves": Command(_moves, "moves", "Show the record of the match so far."),
    "rules": Command(_rules, "rules", "Read the rules of the game."),
    "save": Command(_save, "save FILE", "Write the record (save! FILE overwrites)."),
    "save!": Command(lambda table, rest: _save(table, rest, overwrite=True)),
    "svg": Command(_svg, "svg FILE", "Write a picture (svg! FILE overwrites)."),
    "svg!": Command(lambda table, rest: _svg(table, rest, overwrite=True)),
    "help": Command(_help, "help", "Show this list."),
    "quit": Command(_quit, "quit", "Leave; the match is kept, and play --resume goes on with it."),
    "exit": Command(_quit),
}
