"""The kit for game authors: checks that any game must pass, whoever wrote it.

    from watermeet.testing import check_game
    check_game(wm.game("my-game"))

``conformance``, ``evaluation`` and ``features`` hold the checks; ``completeness`` lists what a
complete game still needs; ``scaffold`` makes a new one. ``perft`` counts, ``goldens``,
``pictures`` and ``facts`` write files of a game's folder, and ``strategies`` makes games, states
and matches for hypothesis (which the extra ``testing`` installs).
"""

from watermeet.testing import conformance, evaluation, features  # Importing registers the checks.
from watermeet.testing.checks import CHECKS, Nonconformance, NotApplicable, check_game, run_check
from watermeet.testing.completeness import Missing, missing, optional
from watermeet.testing.faces import all_faces, face_notes
from watermeet.testing.goldens import check_goldens
from watermeet.testing.matches import option_sets, random_match
from watermeet.testing.perft import check_perft, divide, perft

__all__ = [
    "CHECKS",
    "Missing",
    "Nonconformance",
    "NotApplicable",
    "all_faces",
    "check_game",
    "check_goldens",
    "check_perft",
    "conformance",
    "divide",
    "evaluation",
    "face_notes",
    "features",
    "missing",
    "option_sets",
    "optional",
    "perft",
    "random_match",
    "run_check",
]
