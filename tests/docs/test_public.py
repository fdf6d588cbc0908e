"""What programs rely on: names and error codes."""

from __future__ import annotations

import re
from types import ModuleType

import watermeet
from watermeet.core import errors
from watermeet.core.errors import WatermeetError


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
