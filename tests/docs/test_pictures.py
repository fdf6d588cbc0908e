"""The pictures in the README are what the games draw today."""

from __future__ import annotations

import runpy
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
RECORDS = sorted((ROOT / "docs" / "pictures").glob("*.txt"))


@pytest.mark.parametrize("file", RECORDS, ids=lambda file: file.stem)
def test_a_picture_shows_its_record(file: Path) -> None:
    """``make pictures`` draws it anew."""
    picture = runpy.run_path(str(ROOT / "scripts" / "pictures.py"))["picture"]
    drawn = picture(file.read_text(encoding="utf-8"))
    assert drawn == file.with_suffix(".svg").read_text(encoding="utf-8")


def test_every_picture_has_a_record() -> None:
    """None was drawn by hand."""
    pictures = {file.stem for file in (ROOT / "docs" / "pictures").glob("*.svg")}
    assert {file.stem for file in RECORDS} == pictures != set()
