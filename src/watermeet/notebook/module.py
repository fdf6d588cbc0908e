"""The JavaScript of a board in a notebook: widget.js with what the client's build made in it."""

from __future__ import annotations

import json
from functools import cache
from importlib.resources import files


@cache
def widget_module() -> str:
    """The ES module that anywidget runs; raises FileNotFoundError if the boards aren't built."""
    folder = files("watermeet.notebook")
    built = [folder / "static" / name for name in ("board.js", "board.css")]
    if not all(file.is_file() for file in built):
        raise FileNotFoundError("the boards aren't built: run python scripts/client.py build")
    source, style = (json.dumps(file.read_text(encoding="utf-8")) for file in built)
    text = (folder / "widget.js").read_text(encoding="utf-8")
    return text.replace("SOURCE", source, 1).replace("STYLE", style, 1)
