"""A toy: seats take turns to roll a die and count it or not; the highest total wins."""

from watermeet.core.game import Clock, Game, Sizes
from watermeet.core.options import Choice, Number, OptionValues, Switch


def _teams(options: OptionValues, seats: int) -> tuple[tuple[int, ...], ...]:
    if options["teams"] == "together":
        return (tuple(range(seats)),)
    if options["teams"] == "pairs":
        return tuple((seat, seat + seats // 2) for seat in range(seats // 2))
    return tuple((seat,) for seat in range(seats))


GAME = Game(
    name="dice",
    version=1,
    package=__name__,
    title="Dice",
    summary="Count what is rolled, or not; the highest total wins.",
    credit="A toy of the tests.",
    sizes_of=lambda options: Sizes(state=6 + 6, actions=8, max_length=200),
    seat_range=(1, 6),
    teams_of=_teams,
    chance=True,
    clock_of=lambda options: Clock(60, "time") if options["clock"] else None,
    returns_sum=None,
    declared_options=(
        Number("seats", 2, "How many play.", low=1, high=6),
        Choice("teams", "alone", "Who wins together.", words=("alone", "pairs", "together")),
        Number("target", 12, "What all need together.", low=0, high=72),
        Number("rounds", 2, "How often everybody rolls.", low=1, high=9),
        Switch("clock", False, "Is there one?"),
    ),
)
