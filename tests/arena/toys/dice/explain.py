"""Why a match of dice is over."""

from typing import Any

from watermeet.core.explanation import Explanation


def explain_outcome(game: Any, array: Any) -> Explanation:
    total = sum(array[6:].tolist())
    return Explanation("rolled", "All have rolled.", facts={"total": total, "word": "x"})
