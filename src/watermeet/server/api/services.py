"""The services of a running node, which endpoints, sockets and streams share."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from watermeet.server.api.hub import Hub
from watermeet.server.api.lobby import Lobby
from watermeet.server.api.lobby_lists import LobbyLists
from watermeet.server.api.persons import Persons
from watermeet.server.api.turns import Turns
from watermeet.server.audience import Audience
from watermeet.server.bots.pool import BotPool
from watermeet.server.documents import Documents
from watermeet.server.engines import Engines
from watermeet.server.fair_threads import FairThreads
from watermeet.server.jobs import JobRunner
from watermeet.server.limits import RateLimiter
from watermeet.server.mail import Mail
from watermeet.server.matches.service import Matches
from watermeet.server.metrics import Metrics
from watermeet.server.openings import Openings
from watermeet.server.outgoing import Outgoing
from watermeet.server.people.accounts import Accounts
from watermeet.server.people.calls import Calls
from watermeet.server.people.challenges import Challenges
from watermeet.server.people.chat import Chat
from watermeet.server.people.company import Company
from watermeet.server.people.digests import Digests
from watermeet.server.people.mail_addresses import MailAddresses
from watermeet.server.people.moderation import Moderation
from watermeet.server.people.passkeys import Passkeys
from watermeet.server.people.reports import Reports
from watermeet.server.people.seeks import Seeks
from watermeet.server.people.users import People
from watermeet.server.people.vacations import Vacations
from watermeet.server.precompiler import Precompiler
from watermeet.server.presence import Presence
from watermeet.server.puzzles import Puzzles
from watermeet.server.quotas import MatchQuota, SeekQuota
from watermeet.server.readiness import Readiness
from watermeet.server.reviews import Reviews
from watermeet.server.settings import Settings
from watermeet.server.store.store import Store


@dataclass(frozen=True)
class Services:
    """The services of a running node."""

    settings: Settings
    store: Store
    matches: Matches
    audience: Audience
    people: People
    accounts: Accounts
    mail: Mail
    mail_addresses: MailAddresses
    passkeys: Passkeys
    company: Company
    chat: Chat
    seeks: Seeks
    persons: Persons
    moderation: Moderation
    reports: Reports
    challenges: Challenges
    lobby: Lobby
    lobby_lists: LobbyLists
    presence: Presence
    puzzles: Puzzles
    hub: Hub
    documents: Documents
    turns: Turns
    metrics: Metrics
    creations: RateLimiter
    bot_matches: MatchQuota
    open_matches: MatchQuota
    seek_quota: SeekQuota
    phrases: RateLimiter
    """By seat: how often it may say something."""
    renames: RateLimiter
    """By user: how often they may take another name."""
    hints: RateLimiter
    """By user: how often they may ask for a hint."""
    pool: BotPool
    openings: Openings
    reviews: Reviews
    reviewers: RateLimiter
    """By user: how often they may ask for a review."""
    exports: RateLimiter
    """By user: how often they may ask for all their data."""
    imports: RateLimiter
    """By user and by address: how much they may import."""
    positions: RateLimiter
    """By address: how often somebody may ask about a position: to analyse, to learn or to solve."""
    pictures: RateLimiter
    """By address: how often somebody may ask for the picture of a match or a game."""
    turn_streams: RateLimiter
    """By address: how often somebody may open a stream of turns, which looks up many matches."""
    precompiler: Precompiler
    readiness: Readiness
    engines: Engines
    texts: FairThreads
    """For work on what somebody has sent: see Call.work."""
    runner: JobRunner
    calls: Calls
    outgoing: Outgoing
    digests: Digests
    vacations: Vacations
    now: Callable[[], int]
    version: str
    started_at: int
