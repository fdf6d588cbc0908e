"""Why a match refuses a command. Each has a code that is stable on the wire, and an HTTP status.

ServerError
├── InvalidEntry       a stored entry that cannot be read
└── Refused            a command that the rules of the platform do not allow here
    ├── InvalidTable   a match cannot be made like that
    ├── NoSuchSeat     the match has no seat of that number
    ├── SeatTaken      somebody sits there, or the user sits elsewhere
    ├── InvitedOnly    the seat is kept for somebody with a link
    ├── WrongStage     the match has not begun, is paused or is over
    ├── TimeIsUp       the clock has run out
    ├── StandInPlays   a bot holds the seat, or a person does
    ├── CannotUndo     there is nothing to take back, or it may not be taken back
    ├── NoSuchOffer    there is no such offer, or it cannot be made now
    ├── NotAbsent      nobody is missing, or not for long enough
    ├── NotDue         it is too early for that
    └── StillHidden    the record holds what nobody may see yet
"""

from __future__ import annotations

from watermeet.server.errors import ServerError


class InvalidEntry(ServerError):
    """A stored entry that cannot be read: of another program, a later version, or damaged."""

    code = "invalid_entry"


class Refused(ServerError):
    """A command that the rules of the platform do not allow here."""

    code = "refused"
    status = 409


class InvalidTable(Refused):
    """A match cannot be made like that."""

    code = "invalid_table"
    status = 422


class NoSuchSeat(Refused):
    """The match has no seat of that number."""

    code = "no_such_seat"
    status = 404


class SeatTaken(Refused):
    """Somebody sits there, or the user sits elsewhere."""

    code = "seat_taken"


class InvitedOnly(Refused):
    """The seat is kept for somebody with a link."""

    code = "invited_only"
    status = 403


class WrongStage(Refused):
    """The match has not begun, is paused or is over."""

    code = "wrong_stage"


class TimeIsUp(Refused):
    """The clock has run out, by the server's time."""

    code = "time_is_up"


class StandInPlays(Refused):
    """A bot holds the seat, and a person wants to play it; or the other way round."""

    code = "stand_in_plays"


class CannotUndo(Refused):
    """There is nothing to take back, or it may not be taken back."""

    code = "cannot_undo"


class NoSuchOffer(Refused):
    """There is no such offer, or it cannot be made now."""

    code = "no_such_offer"


class NotAbsent(Refused):
    """Nobody is missing, or not for long enough."""

    code = "not_absent"


class NotDue(Refused):
    """It is too early for that."""

    code = "not_due"


class StillHidden(Refused):
    """The record holds what nobody may see before the match is over."""

    code = "still_hidden"
    status = 403
