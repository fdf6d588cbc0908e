"""Draws the examples of the rules pages anew: ``make pictures``.

A game's ``web/examples.txt`` names positions of the match in docs/pictures and a move in each: a
number of actions and a move, one example a line. The picture shows what the move leads to, or the
position in which it is refused; the words are those that the rules give for it, with the code and
the facts by which other languages tell them.
"""

from __future__ import annotations

import json
from pathlib import Path

import watermeet as wm

ROOT = Path(__file__).parents[1]
GAMES = ROOT / "src" / "watermeet" / "games"
RECORDS = ROOT / "docs" / "pictures"


def examples(name: str) -> dict[str, str]:
    """The files of a game's examples, by path under its folder ``web``."""
    states = wm.Record.parse((RECORDS / f"{name}.txt").read_text(encoding="utf-8")).replay()
    files, told = {}, []
    lines = (GAMES / name / "web" / "examples.txt").read_text(encoding="utf-8").splitlines()
    for number, line in enumerate(lines):
        ply, move = line.split(maxsplit=1)
        state = states[int(ply)]
        explanation = wm.explain(state, move)
        shown, last = state, []
        if explanation.legal:
            shown, last = state.play(move), [state.parse_move(move)]
        svg = shown.render_svg(last=last)
        assert svg is not None, "a game with examples draws pictures"
        files[f"examples/{number}.svg"] = svg
        told.append(
            {
                "move": move,
                "legal": explanation.legal,
                "code": explanation.code,
                "facts": explanation.facts,
                "sentence": explanation.sentence,
            }
        )
    files["examples.json"] = json.dumps(told, ensure_ascii=False, indent=2) + "\n"
    return files


def main() -> None:
    """Writes those of all games that name some."""
    for file in sorted(GAMES.glob("*/web/examples.txt")):
        (file.parent / "examples").mkdir(exist_ok=True)
        for path, text in examples(file.parents[1].name).items():
            (file.parent / path).write_text(text, encoding="utf-8")
            print(file.parent / path)


if __name__ == "__main__":
    main()
