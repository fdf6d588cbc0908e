"""What others rely on: names, error codes, and the links of the first page."""

from __future__ import annotations

import re
from pathlib import Path
from types import ModuleType

import watermeet
from watermeet.core import errors
from watermeet.core.errors import WatermeetError

ROOT = Path(__file__).parents[2]


def test_error_codes_are_unique_and_errors_are_public() -> None:
    """Codes are stable words, and every error can be caught by its public name."""
    found = (each for each in vars(errors).values() if isinstance(each, type))
    kinds = [each for each in found if issubclass(each, WatermeetError)]
    codes = {kind.code for kind in kinds}
    assert len(codes) == len(kinds)
    assert all(re.fullmatch(r"[a-z_]+", code) for code in codes)
    assert {kind.__name__ for kind in kinds} <= set(watermeet.__all__)


def test_all_public_names_exist_and_are_listed() -> None:
    """What watermeet exports is what it lists."""
    visible = {
        name
        for name, value in vars(watermeet).items()
        if not name.startswith("_") and not isinstance(value, ModuleType)
    }
    assert visible | {"games"} == set(watermeet.__all__)


def test_links_of_the_first_page_lead_somewhere() -> None:
    """Those of all other pages are checked where the site is built."""
    page = (ROOT / "README.md").read_text(encoding="utf-8")
    targets = {each for each in re.findall(r"\]\(([^)#\s]+)", page) if ":" not in each}
    assert targets
    assert [each for each in targets if not (ROOT / each).exists()] == []
