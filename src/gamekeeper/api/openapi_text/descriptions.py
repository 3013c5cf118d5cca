"""Descriptions for the OpenAPI document that signatures cannot express."""

from importlib import resources

from gamekeeper.api.openapi_text.catalog import (
    CATALOG_EXAMPLES,
    CATALOG_FIELDS,
    CATALOG_PARAMETERS,
    OPTIONAL_NAMES,
)
from gamekeeper.api.openapi_text.characters import CHARACTER_EXAMPLES, CHARACTER_REFUSALS
from gamekeeper.api.openapi_text.errors import REFUSALS, UNLISTED
from gamekeeper.api.openapi_text.examples import (
    BAG,
    EXAMPLES,
    GIFT,
    PLAYER,
    POTION,
    SIGN_IN,
    SLAIN,
    USER,
)
from gamekeeper.api.openapi_text.fields import FIELDS, PATTERNS
from gamekeeper.api.openapi_text.info import INFO_EXAMPLES, INFO_FIELDS
from gamekeeper.api.openapi_text.schema_names import SCHEMA_NAMES
from gamekeeper.api.openapi_text.search import SEARCH_EXAMPLES, SEARCH_FIELDS
from gamekeeper.api.openapi_text.servers import SERVER, SERVER_EXAMPLES, SERVER_REFUSALS
from gamekeeper.api.openapi_text.trades import (
    TRADE_EXAMPLES,
    TRADE_FIELDS,
    TRADE_PARAMETERS,
    TRADE_REFUSALS,
)
from gamekeeper.api.openapi_text.webhooks import HOOK, SENT, WEBHOOK_FIELDS
from gamekeeper.db.database import Database, Reader
from gamekeeper.db.idempotency import (
    AlreadyDone,
    IdempotencyKeyReused,
    InvalidIdempotencyKey,
    StillRunning,
)
from gamekeeper.db.operations import AuditContext
from gamekeeper.http.openapi import Words

TAGS = {
    "players": "Characters: listed, ranked, looked up, renamed, deleted; their sheets, variables, "
    "items, bags and spells.",
    "users": "Accounts: listed, looked up, registered; their passwords, emails and characters.",
    "actions": "The audit log: every change, who made it and why; undo.",
    "events": "Every change as it happens: a stream with resume, or long polling.",
    "webhooks": "Events sent to an address of yours, signed by Standard Webhooks 1.0.",
    "catalog": "The items, spells, variables and classes of the game, with their names.",
    "economy": "How many of each item there are, where, and how they came and went.",
    "servers": "Game servers: their leases, and who plays on them.",
    "transactions": "Many changes to many characters, all or nothing; shown and undone as a whole.",
    "info": "For clients of the Intersect Engine: the name, limits and state of the game.",
    "oauth": "Tokens for accounts: sign in, refresh, revoke.",
    "health": "Probes and metrics for operators.",
}

PARAMETERS = {
    "players.key": ("A character's name, in any letter case, or its id.", PLAYER.name),
    "players.variable_id": ("The variable's id.", str(SLAIN)),
    "players.bag_id": ("The bag's id, from the `BagId` of an inventory slot.", str(BAG)),
    "users.key": ("A username, in any letter case, or a user id.", USER.name),
    "users.player": (
        "A character's name, id, or index among the account's characters: from 0, oldest first.",
        PLAYER.name,
    ),
    "actions.id": ("The action's id.", str(GIFT)),
    "webhooks.id": ("The webhook's id.", str(HOOK)),
    "webhooks.delivery_id": ("The delivery's id.", str(SENT)),
    "economy.item_id": ("The item's id.", str(POTION)),
    "servers.server_id": ("The server's id, from its registration.", str(SERVER)),
    "oauth.username": ("A username, in any letter case, or a user id.", USER.name),
    "oauth.sign_in": ("The `token_id` of the sign-in, or its refresh token.", str(SIGN_IN)),
    "oauth.token_id": ("The `token_id` that came with the token.", str(SIGN_IN)),
}

WORDS = Words(
    introduction=(resources.files("gamekeeper.api") / "static" / "introduction.md").read_text(
        "utf-8"
    ),
    tags=TAGS,
    parameters=PARAMETERS | TRADE_PARAMETERS | CATALOG_PARAMETERS,
    fields=FIELDS
    | WEBHOOK_FIELDS
    | INFO_FIELDS
    | TRADE_FIELDS
    | SEARCH_FIELDS
    | CATALOG_FIELDS
    | OPTIONAL_NAMES
    | {"NamedAsOf.at": FIELDS["AsOf.at"]},
    patterns=PATTERNS,
    examples=EXAMPLES
    | CHARACTER_EXAMPLES
    | SERVER_EXAMPLES
    | INFO_EXAMPLES
    | TRADE_EXAMPLES
    | SEARCH_EXAMPLES
    | CATALOG_EXAMPLES,
    refusals=REFUSALS | CHARACTER_REFUSALS | SERVER_REFUSALS | TRADE_REFUSALS,
    optional=frozenset(OPTIONAL_NAMES),
    stores=frozenset({Database, Reader}),
    context=AuditContext,
    repeated=(InvalidIdempotencyKey, StillRunning, AlreadyDone, IdempotencyKeyReused),
    own_keys=frozenset({"execute_transactions"}),
    codes=UNLISTED,
    names=SCHEMA_NAMES,
)
