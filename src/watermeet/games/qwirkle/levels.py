"""How strong bots of Qwirkle play.

All of them search: a few simulations follow the weights of whole turns, more of them see what a
turn gives away. The tree holds the turn at hand alone, for what is drawn then is too wide; others
answer greedily. When the bag is empty nothing is drawn, and the tree goes on to the end.
"""

from __future__ import annotations

from watermeet.core.levels import NAMES, Level

_SEARCH = {
    "exploration": 1.0,
    "priors": 1.0,
    "first_play": 0.1,
    "longest": 14.0,  # Some four turns.
    "before_chance": 1.0,
}

# Few simulations are noise, and softness takes it at its word: so the gentle levels err, but among
# turns that look good at first sight. More simulations show them more turns to err with.
LEVELS = (
    Level(NAMES[0], nodes=30, softness=0.4, settings=_SEARCH),
    Level(NAMES[1], nodes=15, softness=0.12, settings=_SEARCH),
    Level(NAMES[2], nodes=5, softness=0.06, settings=_SEARCH),
    Level(NAMES[3], nodes=60, settings=_SEARCH),
    Level(NAMES[4], seconds=2.0, settings=_SEARCH),
)
