"""The conformance kit: checks that any game must pass, its own author's or a stranger's.

    from watermeet.testing import check_game
    check_game(wm.game("my-game"))

``conformance`` holds the checks of rules, texts and views, ``judging`` those of what a game thinks
of its states, ``featuring`` those of what nets get of them, ``perft`` counts, ``goldens`` keeps
records, and ``strategies`` makes games, states and matches for hypothesis (which the extra
``testing`` installs).
"""

from watermeet.testing import conformance, featuring, judging  # They list their checks.
from watermeet.testing.laws import CHECKS, Nonconformance, check_game
from watermeet.testing.matches import option_sets, random_match
from watermeet.testing.perft import divide, perft

__all__ = [
    "CHECKS",
    "Nonconformance",
    "check_game",
    "conformance",
    "divide",
    "featuring",
    "judging",
    "option_sets",
    "perft",
    "random_match",
]
