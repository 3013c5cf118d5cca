"""Descriptions for the OpenAPI document that signatures cannot express."""

from importlib import resources

from gamekeeper.api.callers import WITHOUT_COOKIES
from gamekeeper.api.openapi_text.activity import (
    ACTIVITY_EXAMPLES,
)
from gamekeeper.api.openapi_text.appeals import (
    APPEAL_EXAMPLES,
    APPEAL_REFUSALS,
)
from gamekeeper.api.openapi_text.approvals import (
    APPROVAL_EXAMPLES,
    APPROVAL_REFUSALS,
)
from gamekeeper.api.openapi_text.catalog import (
    CATALOG_EXAMPLES,
)
from gamekeeper.api.openapi_text.characters import CHARACTER_EXAMPLES, CHARACTER_REFUSALS
from gamekeeper.api.openapi_text.commands import (
    COMMAND_EXAMPLES,
    COMMAND_REFUSALS,
    COMMAND_TAGS,
    COMMANDS_WITHOUT_KEYS,
)
from gamekeeper.api.openapi_text.errors import REFUSALS, UNLISTED
from gamekeeper.api.openapi_text.examples import (
    EXAMPLES,
)
from gamekeeper.api.openapi_text.gameobjects import (
    OBJECT_EXAMPLES,
    OBJECT_TAGS,
)
from gamekeeper.api.openapi_text.guilds import (
    GUILD_EXAMPLES,
    GUILD_REFUSALS,
    GUILD_TAGS,
)
from gamekeeper.api.openapi_text.info import INFO_EXAMPLES
from gamekeeper.api.openapi_text.keys import (
    KEY_EXAMPLES,
    KEY_REFUSALS,
)
from gamekeeper.api.openapi_text.logs import (
    LOG_EXAMPLES,
    LOG_TAGS,
)
from gamekeeper.api.openapi_text.overview import OVERVIEW_EXAMPLES
from gamekeeper.api.openapi_text.sanctions import (
    SANCTION_EXAMPLES,
    SANCTION_REFUSALS,
)
from gamekeeper.api.openapi_text.schema_names import SCHEMA_NAMES
from gamekeeper.api.openapi_text.search import SEARCH_EXAMPLES
from gamekeeper.api.openapi_text.servers import SERVER_EXAMPLES, SERVER_REFUSALS
from gamekeeper.api.openapi_text.sessions import (
    SESSION_EXAMPLES,
    SESSION_TAGS,
)
from gamekeeper.api.openapi_text.staff import (
    STAFF_EXAMPLES,
    STAFF_REFUSALS,
    STAFF_TAGS,
)
from gamekeeper.api.openapi_text.trades import (
    TRADE_EXAMPLES,
    TRADE_REFUSALS,
)
from gamekeeper.api.openapi_text.variables import (
    VARIABLE_EXAMPLES,
    VARIABLE_REFUSALS,
)
from gamekeeper.api.v1.session import NoSession
from gamekeeper.auth.authorisation import StepUpRequired
from gamekeeper.db.database import Database, Reader
from gamekeeper.db.idempotency import (
    AlreadyDone,
    IdempotencyKeyReused,
    InvalidIdempotencyKey,
    StillRunning,
)
from gamekeeper.db.operations import AuditContext
from gamekeeper.http import cookies
from gamekeeper.http.openapi import Words

TAGS = {
    "players": "Characters: listed, ranked, looked up, renamed, deleted; their sheets, variables, "
    "items, bags and spells.",
    "users": "Accounts: listed, looked up, registered; their passwords, emails and characters.",
    "actions": "The audit log: every change, who made it and why; undo.",
    "approvals": "Changes beyond somebody's limits: requested, approved or rejected by another.",
    "events": "Every change as it happens: a stream with resume, or long polling.",
    "webhooks": "Events sent to an address of yours, signed by Standard Webhooks 1.0.",
    "search": "One search for everything.",
    "overview": "The state of the game at a glance.",
    "sanctions": "Bans, mutes, trade locks, warnings and notes; templates with a ladder.",
    "keys": "API keys for websites, bots and game servers: made, listed with their use, revoked.",
    **STAFF_TAGS,
    "appeals": "What players say against a sanction, by its code; the queue, and decisions.",
    "catalog": "The items, spells, variables and classes of the game, with their names.",
    "economy": "How many of each item there are, where, and how they came and went.",
    "servers": "Game servers: their leases, and who plays on them.",
    "transactions": "Many changes to many characters, all or nothing; shown and undone as a whole.",
    **GUILD_TAGS,
    "info": "For clients of the Intersect Engine: the name, limits and state of the game.",
    **OBJECT_TAGS,
    "variables": "Variables of the game: one value for all who play.",
    **SESSION_TAGS,
    **COMMAND_TAGS,
    **LOG_TAGS,
    "oauth": "Tokens for accounts: sign in, refresh, revoke.",
    "health": "Probes and metrics for operators.",
}

WORDS = Words(
    introduction=(resources.files("gamekeeper.api") / "static" / "introduction.md").read_text(
        "utf-8"
    ),
    tags=TAGS,
    examples=EXAMPLES
    | CHARACTER_EXAMPLES
    | SERVER_EXAMPLES
    | INFO_EXAMPLES
    | TRADE_EXAMPLES
    | SEARCH_EXAMPLES
    | CATALOG_EXAMPLES
    | OBJECT_EXAMPLES
    | KEY_EXAMPLES
    | STAFF_EXAMPLES
    | SESSION_EXAMPLES
    | APPROVAL_EXAMPLES
    | APPEAL_EXAMPLES
    | COMMAND_EXAMPLES
    | LOG_EXAMPLES
    | GUILD_EXAMPLES
    | OVERVIEW_EXAMPLES
    | ACTIVITY_EXAMPLES
    | SANCTION_EXAMPLES
    | VARIABLE_EXAMPLES,
    refusals=REFUSALS
    | CHARACTER_REFUSALS
    | SERVER_REFUSALS
    | TRADE_REFUSALS
    | KEY_REFUSALS
    | STAFF_REFUSALS
    | APPROVAL_REFUSALS
    | APPEAL_REFUSALS
    | COMMAND_REFUSALS
    | GUILD_REFUSALS
    | SANCTION_REFUSALS
    | VARIABLE_REFUSALS,
    stores=frozenset({Database, Reader}),
    context=AuditContext,
    repeated=(InvalidIdempotencyKey, StillRunning, AlreadyDone, IdempotencyKeyReused),
    own_keys=frozenset({"execute_transactions"}) | COMMANDS_WITHOUT_KEYS,
    codes=UNLISTED,
    names=SCHEMA_NAMES,
    cookie=cookies.NAME,
    step_up=StepUpRequired,
    without_session=NoSession,
    bearer_only=WITHOUT_COOKIES,
)
