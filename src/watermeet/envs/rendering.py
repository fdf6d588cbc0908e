"""Rendering for environments: as text, SVG or pixels.

A picture shows what the seat to move may know; at the end, what everybody may.
"""

from __future__ import annotations

import io

import numpy as np
import numpy.typing as npt

from watermeet.core.state import State

HUMAN, ANSI, SVG, RGB = "human", "ansi", "svg", "rgb_array"
MODES = (HUMAN, ANSI, SVG, RGB)
_PAPER = "#ffffff"
_MARGIN = 8

Pixels = npt.NDArray[np.uint8]  # [height, width, 3]


def render(state: State, mode: str | None) -> str | Pixels | None:
    """Render a full state as its mover sees it, in one of Gymnasium's modes."""
    seat = state.to_move if state.to_move >= 0 else None
    if mode == ANSI:
        return state.render(seat).plain
    if mode == SVG:
        return svg_of(state, seat)
    if mode == RGB:
        return pixels_of(state, seat)
    if mode == HUMAN:
        print(state.render(seat).plain)  # noqa: T201 - the mode's purpose
    return None


def svg_of(state: State, seat: int | None) -> str:
    """The picture as SVG; the text for a game without SVG pictures."""
    svg = state.render_svg(seat)
    if svg is not None:
        return svg
    from html import escape

    lines = state.render(seat).plain.splitlines()
    height = 20 * len(lines) + 2 * _MARGIN
    width = 10 * max(map(len, lines)) + 2 * _MARGIN
    texts = "".join(
        f'<text x="{_MARGIN}" y="{20 * line + 20}" font-family="monospace" xml:space="preserve">'
        f"{escape(text)}</text>"
        for line, text in enumerate(lines)
    )
    size = f'width="{width}" height="{height}" viewBox="0 0 {width} {height}"'
    return f'<svg xmlns="http://www.w3.org/2000/svg" {size}>{texts}</svg>'


def pixels_of(state: State, seat: int | None) -> Pixels:
    """The picture as pixels."""
    import resvg_py
    from PIL import Image

    png = bytes(resvg_py.svg_to_bytes(svg_string=svg_of(state, seat), background=_PAPER))
    with Image.open(io.BytesIO(png)) as image:
        return np.asarray(image.convert("RGB"), dtype=np.uint8)
