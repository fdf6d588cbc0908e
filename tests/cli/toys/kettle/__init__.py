"""A cooperative toy with a clock: pour enough cups before time runs out three times."""

from watermeet.core.game import Clock, Game, Sizes
from watermeet.core.options import Number, OptionValues


def _clock(options: OptionValues) -> Clock | None:
    seconds = options.number("seconds")
    return Clock(seconds, "time") if seconds else None


GAME = Game(
    name="kettle",
    version=1,
    package=__name__,
    title="Kettle",
    summary="Pour all cups together before time was up three times.",
    credit="A toy of the tests.",
    sizes_of=lambda options: Sizes(state=4, actions=3, max_length=50),
    teams_of=lambda options, seats: (tuple(range(seats)),),
    clock_of=_clock,
    returns_sum=None,
    declared_options=(
        Number("cups", 4, "How many there are to fill.", low=1, high=20),
        Number("seconds", 0, "How long a round is; 0 is for ever.", low=0, high=3600),
    ),
)
