"""Why a match refuses a command. Codes are stable; ``status`` is that of HTTP."""

from __future__ import annotations

from watermeet.server.errors import ServerError


class InvalidEntry(ServerError):
    """A stored entry that can't be read: foreign, from a later version, or damaged."""

    code = "invalid_entry"


class MatchError(ServerError):
    """A command that the platform's rules don't allow here."""

    code = "match_error"
    status = 409


class InvalidMatch(MatchError):
    """A match can't be set up like that."""

    code = "invalid_match"
    status = 422


class SeatTaken(MatchError):
    """The seat is taken, or the user has another one."""

    code = "seat_taken"


class InvitedOnly(MatchError):
    """The seat is reserved for somebody with an invitation."""

    code = "invited_only"
    status = 403


class WrongStage(MatchError):
    """The match hasn't begun, is paused or has ended."""

    code = "wrong_stage"


class OutOfTime(MatchError):
    """The clock has run out, by the server's time."""

    code = "out_of_time"


class StandInPlays(MatchError):
    """A bot plays the seat and a person wants to, or the other way round."""

    code = "stand_in_plays"


class NoQueue(MatchError):
    """Replies can't be queued here, or not these."""

    code = "no_queue"


class CannotUndo(MatchError):
    """The timer has expired since then, or the match is rated."""

    code = "cannot_undo"


class NothingToUndo(MatchError):
    """The seat has no action to take back, or the undo wouldn't begin with its own."""

    code = "nothing_to_undo"


class UndoNeedsConsent(MatchError):
    """The turn is over, or chance or others have played since: they have to agree."""

    code = "undo_needs_consent"


class NoSuchOffer(MatchError):
    """There is no such offer, or it can't be made now."""

    code = "no_such_offer"


class NotAbsent(MatchError):
    """Nobody is missing, or not for long enough."""

    code = "not_absent"


class NotDue(MatchError):
    """Too early."""

    code = "not_due"


class MatchRunning(MatchError):
    """Nobody tries out the position of a match that two or more people are still playing."""

    code = "match_running"


class NoHints(MatchError):
    """Hints are for matches in which one person plays, against bots or alone."""

    code = "no_hints"
    status = 403


class LogFull(MatchError):
    """A match doesn't grow without end: it can be played on, but with no more beside the moves."""

    code = "log_full"


class GameOver(MatchError):
    """A match can't start from a position in which the game is over."""

    code = "game_over"


class PlayersOnly(MatchError):
    """The match is closed to spectators."""

    code = "players_only"
    status = 403


class StillHidden(MatchError):
    """The record would show what nobody may see before the match ends."""

    code = "still_hidden"
    status = 403
