"""Draws the pictures of the README anew from their records: ``python scripts/pictures.py``."""

from __future__ import annotations

from pathlib import Path

import watermeet as wm

FOLDER = Path(__file__).parents[1] / "docs" / "pictures"


def picture(text: str) -> str:
    """The last state of a record as SVG, with its last turn marked."""
    record = wm.Record.parse(text)
    states = record.replay()
    mover = states[-2].to_move
    turn: list[int] = []
    for before, move in zip(reversed(states[:-1]), reversed(record.moves), strict=True):
        if before.to_move != mover:
            break
        turn.append(before.parse_move(move.removeprefix("~")))
    drawn = states[-1].render_svg(last=turn)
    assert drawn is not None, "a game with a picture draws one"
    return drawn


def main() -> None:
    """Writes NAME.svg for every NAME.txt."""
    for file in sorted(FOLDER.glob("*.txt")):
        svg = picture(file.read_text(encoding="utf-8"))
        file.with_suffix(".svg").write_text(svg, encoding="utf-8")
        print(file.with_suffix(".svg").name)


if __name__ == "__main__":
    main()
