"""
The OpenAPI document of the API.

Most of it is read from the code (`http/openapi`): a field's description is the docstring below
it, an operation's the docstring of its handler, a path parameter's stands in `path_parameters.py`.
Here is the rest: tags, examples, and what `http/` cannot know of the domain. The examples are in
`static/examples.json`; `tools/examples.py` writes them anew after a change of a schema.
"""

from collections.abc import Iterable
from functools import cache
from importlib import resources
from typing import Any

import msgspec

from gamekeeper.api.callers import WITHOUT_COOKIES
from gamekeeper.api.schema_names import SCHEMA_NAMES
from gamekeeper.api.v1.session import NoSession
from gamekeeper.auth.authorisation import EnrolmentRequired, SecondFactorRequired, StepUpRequired
from gamekeeper.auth.reasons import ReasonRequired
from gamekeeper.core.errors import (
    BodyTooFragmented,
    BodyTooSlow,
    MethodNotAllowed,
    OutcomeUnknown,
    Problem,
    RateLimitExceeded,
    RouteNotFound,
)
from gamekeeper.core.setting_checks import NEED_REASONS
from gamekeeper.db.database import Database, Reader
from gamekeeper.db.idempotency import (
    AlreadyDone,
    IdempotencyKeyReused,
    InvalidIdempotencyKey,
    StillRunning,
)
from gamekeeper.db.operations import AuditContext
from gamekeeper.http import cookies, openapi
from gamekeeper.http.cross_site import CrossSiteRequest
from gamekeeper.http.openapi import Examples, Words
from gamekeeper.http.routing import Route
from gamekeeper.moderation.linked_bans import NotLinked
from gamekeeper.moderation.sanctions import AlreadySanctioned
from gamekeeper.players.rules import BagInsideBag, SlotOccupied
from gamekeeper.servers.transactions import Stale, TradeLocked

STATIC = resources.files("gamekeeper.api") / "static"

TAGS = {
    # For every client.
    "oauth": "Tokens for accounts: sign in, refresh, revoke.",
    "me": "The caller and its permissions.",
    "players": "Characters: list, rank, look up, rename, delete; their sheets, variables, items, "
    "bags and spells.",
    "users": "Accounts: list, look up, register; their passwords, emails and characters.",
    "guilds": "Guilds: their members, ranks, banks and variables.",
    "catalog": "The items, spells, variables and classes of the game, with their names.",
    "variables": "Variables of the game: one value for all players.",
    # For game servers and integrations.
    "servers": "Game servers: their leases and players.",
    "transactions": "Many changes to many characters, all or nothing; show and undo them.",
    "commands": "Commands to the live game and their results. Commands are sent to characters and "
    "to servers, and fetched by servers.",
    "events": "Every change as it happens: a stream with resume, or long polling.",
    "orders": "Orders of shops: stored once, delivered to mailboxes, refunded, disputed.",
    "shops": "The products of shops, their webhooks, and reconciliation.",
    "webhooks": "Events sent to your URL, signed by Standard Webhooks 1.0.",
    # For staff.
    "search": "One search for everything.",
    "overview": "The state of the game at a glance.",
    "actions": "The audit log: every change with its actor and reason; undo.",
    "sanctions": "Bans, mutes, trade locks, warnings and notes; templates with escalation steps.",
    "reports": "Reports of players about players, by game servers and websites.",
    "cases": "Cases: the reports about one account; claim, annotate and close them.",
    "access-bans": "Bans of devices and address ranges.",
    "appeals": "Appeals of players against sanctions, by code; the queue and decisions.",
    "chat": "The chat log for staff. For clients of the Intersect Engine: send chat messages.",
    "economy": "The supply of each item: totals, places and flows.",
    "segments": "Saved conditions over characters: counts, members and samples.",
    "segment-lists": "Uploaded lists of names, for conditions of segments.",
    "schedules": "Campaigns at an instant or repeatedly: next and past runs, pause, skip.",
    "campaigns": "Work for every member of a segment: dry run, start, recipients, reversal.",
    "identities": "Link codes of identities at Discord, Steam and OpenID issuers, for bots.",
    "sign-in": "Sign-in of players by Discord, Steam and OpenID issuers.",
    "codes": "Redeem codes: batches, their download, redemptions, and one code.",
    "approvals": "Changes beyond the limits of staff: requests, approvals and rejections.",
    # For operators and the console.
    "keys": "API keys for websites, bots and game servers: create, list and revoke.",
    "openid-clients": "Websites and programs at which players sign in with their account.",
    "staff": "Staff: accounts with roles.",
    "roles": "Roles: their scopes and daily limits.",
    "session": "Sign-in of staff with a browser: the password, the second factor, step-up. Only "
    "for the console: changes by cookie need the header `X-Gamekeeper: 1`.",
    "health": "Probes and metrics for operators; the checks of the installation.",
    "ledger": "Verification of the ledger.",
    # For clients of the Intersect Engine.
    "info": "For clients of the Intersect Engine: the name, limits and state of the game.",
    "gameobjects": "For clients of the Intersect Engine: the objects of the game's editor.",
    "logs": "For clients of the Intersect Engine: activity, addresses, trades and chat. They "
    "contain only the newest entries; the audit log (`actions`) contains all.",
}

UNLISTED: tuple[type[Problem], ...] = (
    # Of every operation that is called with the cookie of a browser session.
    CrossSiteRequest,
    SecondFactorRequired,
    EnrolmentRequired,
    # Of every operation but health checks.
    RateLimitExceeded,
    # Of no operation, or of the connection.
    RouteNotFound,
    MethodNotAllowed,
    BodyTooSlow,
    BodyTooFragmented,
    # The failures of a transaction that no other operation has.
    BagInsideBag,
    SlotOccupied,
    Stale,
    TradeLocked,
    # Of one account, in a ban of several that are linked.
    AlreadySanctioned,
    NotLinked,
)


def describe(routes: Iterable[Route], server: str = "/") -> dict[str, Any]:
    """The document of these operations, served at `server`."""
    return openapi.describe(routes, words(), server)


@cache
def words() -> Words:
    """What the code does not say."""
    # Read when the document is first asked for, not at start-up.
    return Words(
        introduction=(STATIC / "introduction.md").read_text("utf-8"),
        tags=TAGS,
        examples=msgspec.json.decode((STATIC / "examples.json").read_bytes(), type=Examples),
        stores=frozenset({Database, Reader}),
        context=AuditContext,
        repeated=(
            InvalidIdempotencyKey,
            StillRunning,
            AlreadyDone,
            IdempotencyKeyReused,
            OutcomeUnknown,
        ),
        codes=UNLISTED,
        names=SCHEMA_NAMES,
        cookie=cookies.NAME,
        reason_required=(frozenset(NEED_REASONS), ReasonRequired),
        step_up=StepUpRequired,
        without_session=NoSession,
        bearer_only=WITHOUT_COOKIES,
    )
