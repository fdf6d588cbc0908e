"""Explanations: why a move is legal or not, or why a match ended; for people, pages and bots."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field


@dataclass(frozen=True)
class Explanation:
    """A reason: a stable ``code``, a sentence in English, and the cells that show it.

    ``facts`` holds the words and numbers of the sentence, so that a page can translate it by its
    code.
    """

    code: str
    sentence: str
    cells: tuple[str, ...] = ()
    legal: bool = False
    facts: Mapping[str, str | int] = field(default_factory=dict, hash=False)

    def as_json(self) -> dict[str, object]:
        """The explanation as plain data."""
        return {
            "legal": self.legal,
            "code": self.code,
            "sentence": self.sentence,
            "cells": list(self.cells),
            "facts": dict(self.facts),
        }
