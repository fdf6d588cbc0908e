"""The conformance kit: checks that any game must pass, its own author's or a stranger's.

    from watermeet.testing import check_game
    check_game(wm.game("my-game"))

``conformance`` holds the checks of rules, texts and views, ``evaluation`` those of how a game
evaluates its states, ``features`` those of what networks see, ``perft`` counts, ``goldens``
keeps records, and ``strategies`` makes games, states and matches for hypothesis (which the extra
``testing`` installs).
"""

from watermeet.testing import conformance, evaluation, features  # They list their checks.
from watermeet.testing.laws import CHECKS, Nonconformance, check_game
from watermeet.testing.matches import option_sets, random_match
from watermeet.testing.perft import divide, perft

__all__ = [
    "CHECKS",
    "Nonconformance",
    "check_game",
    "conformance",
    "divide",
    "evaluation",
    "features",
    "option_sets",
    "perft",
    "random_match",
]
