"""What a player can type on their turn: moves, questions, and the commands below."""

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
    from watermeet.cli.session import Session
    from watermeet.core.state import State

MAX_LINE = 4000
MAX_WORD = 80


def execute(session: Session, line: str) -> None:
    """Do what a line says, or say why not. Whatever was typed, nothing is lost."""
    text = line.strip()
    word, _, rest = text.partition(" ")
    command = COMMANDS.get(word.lower())
    try:
        if not text:
            return
        if len(text) > MAX_LINE:
            raise InvalidUsage(
                f"a line of {len(text)} characters is too long",
                f"type at most {MAX_LINE} at a time",
            )
        if text.startswith("?"):
            _explain(session, text[1:].strip())
        elif command is not None and not _is_legal(session.match.state, text):
            command.run(session, rest.strip())
        else:
            _play(session, text)
    except WatermeetError as error:
        session.show_error(error)


# ---- moves ------------------------------------------------------------------------------------


def _is_readable(state: State, text: str) -> bool:
    try:
        state.parse_move(text)
    except InvalidNotation:
        return False
    return True


def _is_legal(state: State, text: str) -> bool:
    return _is_readable(state, text) and state.is_legal(state.parse_move(text))


def _play(session: Session, text: str) -> None:
    """Play the moves of a line in order, as long as it stays the same player's turn."""
    match = session.match
    seat = match.state.to_move
    words = [text] if _is_readable(match.state, text) else text.split()
    for index, word in enumerate(words):
        if match.state.to_move != seat:
            session.say(f"Your turn is over. Not played: {' '.join(words[index:])}", "yellow")
            return
        try:
            match.play(word[:MAX_WORD])
        except (IllegalMove, InvalidNotation) as error:
            _refuse(session, word, error)
            if len(words) > index + 1:
                session.say(f"Not played: {' '.join(words[index:])}", "yellow")
            return
        session.changed()


def _refuse(session: Session, word: str, error: WatermeetError) -> None:
    if isinstance(error, IllegalMove) and error.explanation is not None:
        session.say(session.match.named(error.explanation.sentence), "yellow")
        return
    session.show_error(error)
    near = difflib.get_close_matches(word.lower(), COMMANDS, n=1, cutoff=0.7)
    if near:
        session.say(f"Did you mean the command {near[0]!r}?")


def _explain(session: Session, about: str) -> None:
    """``?`` lists the legal moves, ``? MOVE`` explains one."""
    state = session.match.state
    if about and about.lower() != "all":
        session.say(session.match.named(state.explain(about[:MAX_WORD]).sentence))
        return
    moves = state.legal_moves
    if not moves:
        session.say("The match is over.")
        return
    lines = columns(moves, session.message_width)
    fitting = max(4, session.console.height - 4) if session.reader.is_terminal else len(lines)
    shown = lines if about or len(lines) <= fitting else lines[:fitting]
    number = "1 legal move" if len(moves) == 1 else f"{len(moves)} legal moves"
    session.say(f"{number} (? MOVE explains one):")
    session.say_lines(shown)
    if len(shown) < len(lines):
        session.say("... and more: ? all lists them all.")


# ---- commands ---------------------------------------------------------------------------------


def _undo(session: Session, rest: str) -> None:
    if not session.match.undo():
        raise InvalidUsage("there is nothing to take back", "nobody has moved yet")
    session.changed()


def _again(session: Session, rest: str) -> None:
    if not session.match.is_over:
        raise InvalidUsage("the match isn't over", "quit ends it; then start another")
    session.again()


def _write(session: Session, name: str, text: str, *, overwrite: bool) -> None:
    """Write a file, after asking whether to overwrite an existing one."""
    if not name:
        raise InvalidUsage("the file name is missing", "type it after the command: save FILE")
    from watermeet.cli.storage import write_text

    try:
        path = Path(name).expanduser()
    except RuntimeError as error:  # A user that does not exist, as in ~nobody-here/file.
        raise InvalidFile(f"{name!r} can't be found", "choose another name") from error
    if not overwrite and path.exists():
        overwrite = session.reader.confirm(f"{name} already exists. Overwrite it?")
        if not overwrite:
            raise InvalidFile(f"{name!r} already exists", "to overwrite it, add a !: save! FILE")
    write_text(path, text, overwrite=overwrite)
    session.say_lines([f"Saved to {path}"])


def _save(session: Session, rest: str, *, overwrite: bool = False) -> None:
    _write(session, rest, session.match.record().format(), overwrite=overwrite)
    session.is_saved = True


def _svg(session: Session, rest: str, *, overwrite: bool = False) -> None:
    match = session.match
    svg = match.state.render_svg(session.viewer, match.last_turn(session.viewer))
    if svg is None:
        raise InvalidUsage(
            f"{match.game.title} has no SVG pictures", "view shows the board as text"
        )
    _write(session, rest, svg + "\n", overwrite=overwrite)


def _moves(session: Session, rest: str) -> None:
    """Show the record; while hands are hidden, only the part the viewer may know."""
    match = session.match
    if not match.game.hidden or match.is_over:
        session.say_lines(match.record().format().rstrip("\n").split("\n"))
        return
    seen = (
        entry.move if match.is_seen(index, session.viewer) else "(hidden)"
        for index, entry in enumerate(match.entries)
    )
    session.say(" ".join(seen) or "No moves yet.")


def _hint(session: Session, rest: str) -> None:
    """Show what a strong bot would play; it knows no more about hidden hands than you."""
    state = session.match.state
    if state.to_move < 0:
        raise InvalidUsage("the match is over", "undo takes the last move back")
    session.show_thinking("Hint", session.opponents.hint(state))


def _thinking(session: Session, rest: str) -> None:
    session.shows_thinking = not session.shows_thinking
    session.say(f"Bots' thinking is {'shown' if session.shows_thinking else 'hidden'} now.")


def _view(session: Session, rest: str) -> None:
    session.show()


def _rules(session: Session, rest: str) -> None:
    from importlib.resources import files

    game = session.match.game
    try:
        text = files(game.package).joinpath("RULES.md").read_text(encoding="utf-8")
    except OSError as error:
        raise InvalidFile(f"{game.title} comes without its rules", "ask its author") from error
    if not session.reader.is_terminal:
        session.console.print(text, soft_wrap=True)
        return
    from rich.markdown import Markdown

    in_colour = session.console.color_system is not None
    os.environ.setdefault("LESS", "-R")  # Let the default pager show colours.
    with session.console.pager(styles=in_colour):
        session.console.print(Markdown(text), width=min(session.console.width, 100))


def _help(session: Session, rest: str) -> None:
    lines = [("MOVE [MOVE ...]", "Play a move, or several moves of one turn.")]
    lines += [("?", "List the legal moves."), ("? MOVE", "Explain why a move is legal or not.")]
    lines += [(command.usage, command.sentence) for command in COMMANDS.values() if command.usage]
    for usage, sentence in lines:
        session.say(f"{usage:<16} {sentence}")


def _quit(session: Session, rest: str) -> None:
    session.has_quit = True
    match = session.match
    if match.is_over or session.is_saved:
        return
    if session.reader.is_terminal:
        name = session.reader.ask("File name to save the match to, or Enter to skip: ").strip()
        if name:
            session.has_quit = False
            _save(session, name)
            session.has_quit = True
            return
    session.say("The match isn't finished.")
    if session.autosave.path is not None:
        session.say("To continue: watermeet play --resume")
    session.flush_messages()


@dataclass(frozen=True)
class Command:
    """A command; one without a usage is an alias that help doesn't list."""

    run: Callable[[Session, str], None]
    usage: str = ""
    sentence: str = ""


COMMANDS: dict[str, Command] = {
    "undo": Command(_undo, "undo", "Take back your last move; repeat to go further back."),
    "again": Command(_again, "again", "Play another match, once this one is over."),
    "hint": Command(_hint, "hint", "Ask a strong bot for a move."),
    "thinking": Command(_thinking, "thinking", "Show or hide what the bots think."),
    "view": Command(_view, "view", "Show the board again."),
    "moves": Command(_moves, "moves", "Show the moves so far."),
    "rules": Command(_rules, "rules", "Read the rules of the game."),
    "save": Command(_save, "save FILE", "Save the record (save! FILE overwrites)."),
    "save!": Command(lambda session, rest: _save(session, rest, overwrite=True)),
    "svg": Command(_svg, "svg FILE", "Save a picture (svg! FILE overwrites)."),
    "svg!": Command(lambda session, rest: _svg(session, rest, overwrite=True)),
    "help": Command(_help, "help", "Show this list."),
    "quit": Command(_quit, "quit", "Quit; continue later with play --resume."),
    "exit": Command(_quit),
}
