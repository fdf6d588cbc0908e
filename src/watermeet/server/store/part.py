"""What each part of the store builds on: how to read, and how to write."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Sequence
from typing import Any

from watermeet.server.store.sql import ConstraintViolation, Statement, at_most

Rows = Sequence[Sequence[Any]]


class StorePart(ABC):
    """A part of the store; an engine adds these two."""

    @abstractmethod
    async def _read(self, statement: Statement) -> Rows:
        """Run a query."""

    @abstractmethod
    async def _write(self, *statements: Statement, alone: str = "") -> Rows:
        """Run all or nothing, durably; the rows of the last. Raises ConstraintViolation.

        Writes with the same word ``alone`` run one after another, and each sees what those before
        have written, on whichever node.
        """

    async def _write_at_most(
        self, most: int, counted: Statement, *statements: Statement, alone: str
    ) -> bool:
        """Write, unless a query counts so many already: then return False.

        All writes of what it counts are ``alone``, so two at once don't exceed the limit.
        """
        try:
            await self._write(at_most(most, counted), *statements, alone=alone)
        except ConstraintViolation as violation:
            if not violation.is_of("codes"):
                raise
            return False
        return True
