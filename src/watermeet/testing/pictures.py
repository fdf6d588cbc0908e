"""The pictures of a game: a position, examples for the rules, and those of the page to learn from.

``docs/position.txt`` in a game's folder is a record; ``web/picture.svg`` shows where it ends.
``web/examples.txt`` names examples, one per line: how many actions of that record to play, then a
move. The picture shows what the move leads to, or the position in which it is illegal; the words
are those of ``explain.py``. ``learn.py`` draws the pictures of the page to learn from.
``python -m watermeet.testing --write pictures GAME`` writes all of them.
"""

from __future__ import annotations

import json
from pathlib import Path

from watermeet.core.game import Game
from watermeet.testing.folders import folder_of, replace_text
from watermeet.testing.learn import FOLDER, POSITION, learn_files, position_record

PICTURE = "web/picture.svg"
EXAMPLES = "web/examples.txt"


def position_svg(game: Game) -> str:
    """The last state of the record in ``docs/position.txt``, with its last turn marked."""
    record, states = position_record(game)
    mover = states[-2].to_move
    turn: list[int] = []
    for before, move in zip(reversed(states[:-1]), reversed(record.moves), strict=True):
        if before.to_move != mover:
            break
        turn.append(before.parse_move(move.removeprefix("~")))
    svg = states[-1].render_svg(last=turn)
    assert svg is not None, f"{game.name} needs render_svg in rendering.py"
    return svg


def example_files(game: Game) -> dict[str, str]:
    """The texts of the files of a game's examples, by path in its folder."""
    _, states = position_record(game)
    files, listed = {}, []
    lines = (folder_of(game) / EXAMPLES).read_text(encoding="utf-8").splitlines()
    for number, line in enumerate(lines):
        ply, move = line.split(maxsplit=1)
        state = states[int(ply)]
        explanation = state.explain(move)
        shown, last = state, []
        if explanation.legal:
            shown, last = state.play(move), [state.parse_move(move)]
        svg = shown.render_svg(last=last)
        assert svg is not None, f"{game.name} needs render_svg in rendering.py"
        files[f"web/examples/{number}.svg"] = svg
        listed.append(
            {
                "move": move,
                "legal": explanation.legal,
                "code": explanation.code,
                "facts": explanation.facts,
                "sentence": explanation.sentence,
            }
        )
    files["web/examples.json"] = json.dumps(listed, ensure_ascii=False, indent=2) + "\n"
    return files


def picture_files(game: Game) -> dict[str, str]:
    """The texts of all files that this module writes, by path in the game's folder."""
    folder = folder_of(game)
    files = {}
    if (folder / POSITION).exists():
        files[PICTURE] = position_svg(game)
        if (folder / EXAMPLES).exists():
            files |= example_files(game)
    return files | learn_files(game)


def write_pictures(game: Game) -> list[Path]:
    """Write the pictures of a game, and remove those that are no longer listed."""
    folder, files = folder_of(game), picture_files(game)
    for path, text in files.items():
        replace_text(folder / path, text)
    for old in (*folder.glob("web/examples/*.svg"), *folder.glob(f"{FOLDER}/*.svg")):
        if old.relative_to(folder).as_posix() not in files:
            old.unlink()
    return [folder / path for path in files]
