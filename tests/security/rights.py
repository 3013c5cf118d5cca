"""
Who may call what: the table, written by hand from docs/reference/.

It is not derived from the routes, which it is there to check. Each row has the scopes that
a call needs, all of them, and the status of a call that is let in. The calls of the matrix
are about things that do not exist and have empty bodies, so they change nothing.
"""

from msgspec import Struct


class Row(Struct, frozen=True):
    scopes: frozenset[str] | None
    """None: anybody may call it, with or without a credential."""
    let_in: int


def public(let_in: int = 200) -> Row:
    return Row(None, let_in)


def needs(let_in: int, *scopes: str) -> Row:
    return Row(frozenset(scopes), let_in)


FOUND, ABSENT, UNREADABLE = 200, 404, 400
NO_SESSION = 403
"""Let in, and then told that it is for browser sessions."""

ROWS: dict[str, Row] = {
    # 1 to 19, and what was added to them
    "GET /api/v1/players": needs(FOUND, "players.read"),
    "POST /api/v1/players": needs(FOUND, "players.read"),
    "GET /api/v1/players/search": needs(UNREADABLE, "players.read"),
    "GET /api/v1/players/rank": needs(FOUND, "players.read"),
    "GET /api/v1/players/online": needs(FOUND, "players.read"),
    "POST /api/v1/players/online": needs(FOUND, "players.read"),
    "GET /api/v1/players/online/count": needs(FOUND, "players.read"),
    "GET /api/v1/players/online/history": needs(FOUND, "players.read"),
    "GET /api/v1/players/{key}": needs(ABSENT, "players.read"),
    "GET /api/v1/players/{key}/variables": needs(ABSENT, "players.read"),
    "GET /api/v1/players/{key}/variables/{variable_id}": needs(ABSENT, "players.read"),
    "GET /api/v1/players/{key}/variables/{variable_id}/value": needs(ABSENT, "players.read"),
    "POST /api/v1/players/{key}/variables/{variable_id}": needs(UNREADABLE, "players.variables"),
    "GET /api/v1/players/{key}/items": needs(ABSENT, "players.read"),
    "GET /api/v1/players/{key}/items/inventory": needs(ABSENT, "players.read"),
    "GET /api/v1/players/{key}/items/bank": needs(ABSENT, "players.read"),
    "GET /api/v1/players/bag/{bag_id}": needs(ABSENT, "players.read"),
    "POST /api/v1/players/{key}/items/give": needs(UNREADABLE, "players.items"),
    "POST /api/v1/players/{key}/items/take": needs(UNREADABLE, "players.items"),
    "GET /api/v1/players/{key}/spells": needs(ABSENT, "players.read"),
    "POST /api/v1/players/{key}/spells/teach": needs(UNREADABLE, "players.spells"),
    "POST /api/v1/players/{key}/spells/forget": needs(UNREADABLE, "players.spells"),
    "GET /api/v1/players/{key}/history": needs(ABSENT, "players.read", "actions.read"),
    "GET /api/v1/players/{key}/items/{item_id}/trail": needs(
        UNREADABLE, "players.read", "actions.read"
    ),
    "GET /api/v1/players/bag/{bag_id}/trail": needs(ABSENT, "players.read", "actions.read"),
    "GET /api/v1/players/{key}/sessions": needs(ABSENT, "players.read"),
    "GET /api/v1/players/{key}/sessions/days": needs(ABSENT, "players.read"),
    "GET /api/v1/players/{key}/moments": needs(ABSENT, "players.read"),
    "GET /api/v1/players/{key}/items/changes": needs(UNREADABLE, "players.read"),
    "POST /api/v1/players/{key}/items/restore": needs(UNREADABLE, "players.items"),
    # The catalog
    "GET /api/v1/catalog/items": needs(FOUND, "players.read"),
    "GET /api/v1/catalog/items/{item_id}": needs(ABSENT, "players.read"),
    "GET /api/v1/catalog/items/{item_id}/icon": needs(ABSENT, "players.read"),
    "GET /api/v1/catalog/spells": needs(FOUND, "players.read"),
    "GET /api/v1/catalog/spells/{spell_id}": needs(ABSENT, "players.read"),
    "GET /api/v1/catalog/variables": needs(FOUND, "players.read"),
    "GET /api/v1/catalog/variables/{variable_id}": needs(ABSENT, "players.read"),
    "GET /api/v1/catalog/classes": needs(FOUND, "players.read"),
    "GET /api/v1/catalog/classes/{class_id}": needs(ABSENT, "players.read"),
    "GET /api/v1/gameobjects/time": needs(FOUND, "players.read"),
    "GET /api/v1/gameobjects/{object_type}": needs(UNREADABLE, "players.read"),
    "POST /api/v1/gameobjects/{object_type}": needs(UNREADABLE, "players.read"),
    "GET /api/v1/gameobjects/{object_type}/names": needs(UNREADABLE, "players.read"),
    "POST /api/v1/gameobjects/{object_type}/names": needs(UNREADABLE, "players.read"),
    "GET /api/v1/gameobjects/{object_type}/{object_id}": needs(UNREADABLE, "players.read"),
    # Characters that come, change and go
    "POST /api/v1/users/{key}/players": needs(UNREADABLE, "players.manage"),
    "DELETE /api/v1/players/{key}": needs(ABSENT, "players.manage"),
    "POST /api/v1/players/{key}/name": needs(UNREADABLE, "players.manage"),
    "POST /api/v1/players/{key}/class": needs(UNREADABLE, "players.manage"),
    "POST /api/v1/players/{key}/level": needs(UNREADABLE, "players.manage"),
    "GET /api/v1/players/{key}/sheet": needs(ABSENT, "players.read"),
    "POST /api/v1/players/{key}/sheet": needs(ABSENT, "players.manage"),
    # Variables of accounts and of the game
    "GET /api/v1/users/{key}/variables": needs(ABSENT, "users.query"),
    "GET /api/v1/users/{key}/variables/{variable_id}": needs(ABSENT, "users.query"),
    "GET /api/v1/users/{key}/variables/{variable_id}/value": needs(ABSENT, "users.query"),
    "POST /api/v1/users/{key}/variables/{variable_id}": needs(
        UNREADABLE, "users.query", "players.variables"
    ),
    "GET /api/v1/variables": needs(FOUND, "players.read"),
    "GET /api/v1/variables/global": needs(FOUND, "players.read"),
    "POST /api/v1/variables/global": needs(FOUND, "players.read"),
    "GET /api/v1/variables/{variable_id}": needs(UNREADABLE, "players.read"),
    "GET /api/v1/variables/{variable_id}/value": needs(UNREADABLE, "players.read"),
    "POST /api/v1/variables/{variable_id}": needs(UNREADABLE, "players.variables"),
    "GET /api/v1/variables/global/{variable_id}": needs(UNREADABLE, "players.read"),
    "GET /api/v1/variables/global/{variable_id}/value": needs(UNREADABLE, "players.read"),
    "POST /api/v1/variables/global/{variable_id}": needs(UNREADABLE, "players.variables"),
    # 20 to 31
    "GET /api/v1/users": needs(FOUND, "users.query"),
    "GET /api/v1/users/search": needs(UNREADABLE, "users.query"),
    "POST /api/v1/users": needs(FOUND, "users.query"),
    "GET /api/v1/users/{key}": needs(ABSENT, "users.query"),
    "POST /api/v1/users/register": needs(UNREADABLE, "users.query"),
    "POST /api/v1/users/{key}/password/validate": needs(UNREADABLE, "users.query"),
    "POST /api/v1/users/{key}/email/change": needs(UNREADABLE, "users.query"),
    "POST /api/v1/users/{key}/password/change": needs(UNREADABLE, "users.query"),
    "GET /api/v1/users/{key}/password/reset": needs(ABSENT, "users.query"),
    "GET /api/v1/users/{key}/players": needs(ABSENT, "users.query"),
    "GET /api/v1/users/{key}/players/{player}": needs(ABSENT, "users.query"),
    "GET /api/v1/users/{key}/sign-ins": needs(ABSENT, "users.query", "actions.read"),
    "POST /api/v1/users/{key}/manage/email/change": needs(
        UNREADABLE, "users.query", "users.manage"
    ),
    "POST /api/v1/users/{key}/manage/password/change": needs(
        UNREADABLE, "users.query", "users.manage"
    ),
    "POST /api/v1/users/{key}/language": needs(UNREADABLE, "users.query"),
    "POST /api/v1/users/{key}/name": needs(UNREADABLE, "users.query", "users.manage"),
    "DELETE /api/v1/users/{key}": needs(ABSENT, "users.query", "users.manage"),
    "POST /api/v1/users/password/reset/complete": public(UNREADABLE),
    # What was done, and what there is
    "GET /api/v1/actions": needs(FOUND, "actions.read"),
    "GET /api/v1/actions/export": needs(FOUND, "actions.read"),
    "GET /api/v1/actions/{id}": needs(ABSENT, "actions.read"),
    "POST /api/v1/actions/{id}/undo": needs(ABSENT, "actions.undo"),
    "POST /api/v1/actions/undo": needs(UNREADABLE, "actions.undo"),
    # Anybody sees requests of their own; here there are none.
    "GET /api/v1/approvals": needs(FOUND),
    "GET /api/v1/approvals/{id}": needs(ABSENT),
    "POST /api/v1/approvals/{id}/approve": needs(ABSENT, "approvals"),
    "POST /api/v1/approvals/{id}/reject": needs(ABSENT, "approvals"),
    "GET /api/v1/economy/items": needs(FOUND, "economy.read"),
    "GET /api/v1/economy/items/{item_id}": needs(ABSENT, "economy.read"),
    "GET /api/v1/economy/items/{item_id}/movements": needs(ABSENT, "economy.read"),
    "GET /api/v1/events": needs(FOUND, "events.read"),
    # Guilds
    "GET /api/v1/guilds": needs(FOUND, "players.read"),
    "POST /api/v1/guilds": needs(FOUND, "players.read"),
    "GET /api/v1/guilds/{guild_id}": needs(UNREADABLE, "players.read"),
    "GET /api/v1/guilds/{guild_id}/members": needs(ABSENT, "players.read"),
    "GET /api/v1/guilds/{guild_id}/bank": needs(ABSENT, "players.read"),
    "GET /api/v1/guilds/{guild_id}/variables": needs(UNREADABLE, "players.read"),
    "GET /api/v1/guilds/{guild_id}/variables/{variable_id}": needs(UNREADABLE, "players.read"),
    "GET /api/v1/guilds/{guild_id}/variables/{variable_id}/value": needs(
        UNREADABLE, "players.read"
    ),
    "POST /api/v1/guilds/{guild_id}/variables/{variable_id}": needs(
        UNREADABLE, "players.variables"
    ),
    "DELETE /api/v1/guilds": needs(ABSENT, "guilds.manage"),
    "DELETE /api/v1/guilds/{guild_id}": needs(ABSENT, "guilds.manage"),
    "POST /api/v1/guilds/{guild_id}/name": needs(UNREADABLE, "guilds.manage"),
    "POST /api/v1/guilds/{guild_id}/kick/{key}": needs(UNREADABLE, "guilds.manage"),
    "POST /api/v1/guilds/{guild_id}/rank/{key}": needs(UNREADABLE, "guilds.manage"),
    "POST /api/v1/guilds/{guild_id}/transfer/{key}": needs(UNREADABLE, "guilds.manage"),
    "POST /api/v1/guilds/create": needs(UNREADABLE, "guilds.manage"),
    "POST /api/v1/guilds/{guild_id}/members/{key}": needs(UNREADABLE, "guilds.manage"),
    "DELETE /api/v1/guilds/{guild_id}/members/{key}": needs(UNREADABLE, "guilds.manage"),
    "POST /api/v1/guilds/{guild_id}/bank/deposit": needs(UNREADABLE, "guilds.manage"),
    "POST /api/v1/guilds/{guild_id}/bank/withdraw": needs(UNREADABLE, "guilds.manage"),
    # What Intersect's clients ask first
    "GET /api/v1/info": needs(FOUND, "players.read"),
    "GET /api/v1/info/authorized": needs(FOUND, "players.read"),
    "GET /api/v1/info/stats": needs(FOUND, "players.read"),
    "GET /api/v1/info/config": needs(FOUND, "players.read"),
    "GET /api/v1/info/config/stats": needs(FOUND, "players.read"),
    "GET /api/v1/info/metrics": needs(FOUND, "players.read"),
    # Game servers
    "GET /api/v1/servers": needs(FOUND, "players.read"),
    "POST /api/v1/servers": needs(UNREADABLE, "servers"),
    "POST /api/v1/servers/{server_id}/heartbeat": needs(UNREADABLE, "servers"),
    "POST /api/v1/servers/{server_id}/join": needs(UNREADABLE, "servers"),
    "POST /api/v1/servers/{server_id}/leave": needs(UNREADABLE, "servers"),
    "POST /api/v1/servers/{server_id}/bank": needs(UNREADABLE, "servers"),
    "POST /api/v1/servers/{server_id}/stop": needs(UNREADABLE, "servers"),
    # Commands to the live game
    "POST /api/v1/players/{key}/commands": needs(UNREADABLE, "commands"),
    "GET /api/v1/players/{key}/commands": needs(ABSENT, "commands"),
    "POST /api/v1/servers/{server_id}/commands": needs(UNREADABLE, "commands"),
    "GET /api/v1/servers/{server_id}/commands": needs(ABSENT, "commands"),
    "GET /api/v1/commands/{command_id}": needs(ABSENT, "commands"),
    "POST /api/v1/servers/{server_id}/commands/fetch": needs(UNREADABLE, "servers"),
    "POST /api/v1/servers/{server_id}/commands/answers": needs(UNREADABLE, "servers"),
    "POST /api/v1/servers/{server_id}/commands/{command_id}/answer": needs(UNREADABLE, "servers"),
    "POST /api/v1/servers/{server_id}/chat": needs(UNREADABLE, "servers"),
    "GET /api/v1/logs/user/{user}/activity": needs(ABSENT, "logs.read"),
    "GET /api/v1/logs/player/{player}/activity": needs(ABSENT, "logs.read"),
    "GET /api/v1/logs/user/{user}/ip": needs(ABSENT, "logs.read", "users.personal"),
    "GET /api/v1/logs/guild/{guild_id}/activity": needs(FOUND, "logs.read"),
    "GET /api/v1/logs/trade": needs(FOUND, "logs.read"),
    "GET /api/v1/logs/chat": needs(FOUND, "logs.read"),
    "GET /api/v1/logs/pm": needs(UNREADABLE, "logs.read"),
    "POST /api/v1/chat": needs(UNREADABLE, "commands"),
    "POST /api/v1/chat/global": needs(UNREADABLE, "commands"),
    "POST /api/v1/chat/direct/{key}": needs(UNREADABLE, "commands"),
    "POST /api/v1/chat/proximity/{map_id}": needs(UNREADABLE, "commands"),
    "POST /api/v1/transactions": needs(UNREADABLE, "transactions"),
    "GET /api/v1/transactions/{id}": needs(ABSENT, "actions.read"),
    "POST /api/v1/transactions/{id}/undo": needs(ABSENT, "actions.undo"),
    # Webhooks
    "POST /api/v1/webhooks": needs(UNREADABLE, "webhooks", "events.read"),
    "GET /api/v1/webhooks": needs(FOUND, "webhooks"),
    "GET /api/v1/webhooks/{id}": needs(ABSENT, "webhooks"),
    "PATCH /api/v1/webhooks/{id}": needs(ABSENT, "webhooks"),
    "DELETE /api/v1/webhooks/{id}": needs(ABSENT, "webhooks"),
    "POST /api/v1/webhooks/{id}/secret": needs(ABSENT, "webhooks"),
    "POST /api/v1/webhooks/{id}/test": needs(ABSENT, "webhooks"),
    "POST /api/v1/webhooks/{id}/replay": needs(UNREADABLE, "webhooks"),
    "GET /api/v1/webhooks/{id}/deliveries": needs(ABSENT, "webhooks"),
    "GET /api/v1/webhooks/{id}/deliveries/{delivery_id}": needs(ABSENT, "webhooks", "events.read"),
    # At a glance
    "GET /api/v1/overview": needs(FOUND, "players.read"),
    "GET /api/v1/search": needs(UNREADABLE, "players.read"),
    # API keys
    "GET /api/v1/keys": needs(FOUND, "keys.manage"),
    "GET /api/v1/keys/scopes": needs(FOUND, "keys.manage"),
    "POST /api/v1/keys": needs(UNREADABLE, "keys.manage"),
    "GET /api/v1/keys/{id}": needs(ABSENT, "keys.manage"),
    "DELETE /api/v1/keys/{id}": needs(ABSENT, "keys.manage"),
    # Staff. Nobody is asked for a scope to be told who they are.
    "GET /api/v1/me": needs(FOUND),
    "GET /api/v1/me/usage": needs(FOUND),
    "GET /api/v1/roles": needs(FOUND, "staff.read"),
    "POST /api/v1/roles": needs(UNREADABLE, "staff.manage"),
    "GET /api/v1/roles/{role}": needs(ABSENT, "staff.read"),
    "PATCH /api/v1/roles/{role}": needs(ABSENT, "staff.manage"),
    "DELETE /api/v1/roles/{role}": needs(ABSENT, "staff.manage"),
    "GET /api/v1/staff": needs(FOUND, "staff.read"),
    "PUT /api/v1/staff/{user}/roles/{role}": needs(ABSENT, "staff.manage"),
    "DELETE /api/v1/staff/{user}/roles/{role}": needs(ABSENT, "staff.manage"),
    # Appeals: for players, who have nothing but a code, and for staff
    "POST /api/v1/appeals": public(UNREADABLE),
    "POST /api/v1/appeals/status": public(UNREADABLE),
    "GET /api/v1/appeals": needs(FOUND, "sanctions.read"),
    "GET /api/v1/appeals/{id}": needs(ABSENT, "sanctions.read"),
    "POST /api/v1/appeals/{id}/decide": needs(UNREADABLE, "sanctions.manage"),
    # Sanctions, and what existing panels ask for. The name of the action is looked at first.
    "GET /api/v1/sanctions": needs(FOUND, "sanctions.read"),
    "POST /api/v1/sanctions": needs(UNREADABLE, "sanctions.manage"),
    "GET /api/v1/sanctions/{key}": needs(ABSENT, "sanctions.read"),
    "POST /api/v1/sanctions/{key}/lift": needs(UNREADABLE, "sanctions.manage"),
    "GET /api/v1/sanctions/templates": needs(FOUND, "sanctions.read"),
    "GET /api/v1/sanctions/templates/{name}": needs(ABSENT, "sanctions.read"),
    "PUT /api/v1/sanctions/templates/{name}": needs(UNREADABLE, "sanctions.templates"),
    "DELETE /api/v1/sanctions/templates/{name}": needs(ABSENT, "sanctions.templates"),
    "GET /api/v1/users/{key}/sanctions": needs(ABSENT, "sanctions.read"),
    "GET /api/v1/players/{key}/sanctions": needs(ABSENT, "sanctions.read"),
    "POST /api/v1/users/{key}/admin/{action}": needs(UNREADABLE, "users.query"),
    "POST /api/v1/players/{key}/admin/{action}": needs(UNREADABLE, "players.read"),
    # Signing in. To end somebody else's sign-in, and nobody here is their own, takes users.manage.
    "POST /api/oauth/token": public(UNREADABLE),
    "POST /api/oauth/revoke": public(UNREADABLE),
    "DELETE /api/oauth/tokens/{username}": needs(ABSENT, "users.manage"),
    "DELETE /api/oauth/tokens/{username}/{token_id}": needs(ABSENT, "users.manage"),
    "DELETE /api/oauth/token/{username}": needs(ABSENT, "users.manage"),
    "DELETE /api/oauth/token/{username}/{sign_in}": needs(ABSENT, "users.manage"),
    # Sign-in with a browser: by cookie only, and nobody here has one
    "POST /api/v1/session": public(UNREADABLE),
    "POST /api/v1/session/link": public(UNREADABLE),
    "POST /api/v1/session/totp": needs(UNREADABLE),
    "POST /api/v1/session/recovery": needs(UNREADABLE),
    "POST /api/v1/session/passkey/options": needs(NO_SESSION),
    "POST /api/v1/session/passkey": needs(UNREADABLE),
    "DELETE /api/v1/session": needs(NO_SESSION),
    "GET /api/v1/me/factors": needs(NO_SESSION),
    "POST /api/v1/me/factors/totp": needs(NO_SESSION),
    "POST /api/v1/me/factors/totp/confirm": needs(UNREADABLE),
    "POST /api/v1/me/factors/passkeys/options": needs(NO_SESSION),
    "POST /api/v1/me/factors/passkeys": needs(UNREADABLE),
    "DELETE /api/v1/me/factors/{factor_id}": needs(NO_SESSION),
    "POST /api/v1/me/recovery-codes": needs(NO_SESSION),
    "GET /api/v1/me/sessions": needs(NO_SESSION),
    "DELETE /api/v1/me/sessions": needs(NO_SESSION),
    "DELETE /api/v1/me/sessions/{session_id}": needs(NO_SESSION),
    "GET /api/v1/staff/{user}/sessions": needs(ABSENT, "staff.manage"),
    "DELETE /api/v1/staff/{user}/sessions": needs(ABSENT, "staff.manage"),
    "DELETE /api/v1/staff/{user}/sessions/{session_id}": needs(ABSENT, "staff.manage"),
    "DELETE /api/v1/staff/{user}/factors": needs(ABSENT, "staff.manage"),
    # Health, documents, pages
    "GET /api/info": public(),
    "GET /api/info/versions": public(),
    "GET /livez": public(),
    "GET /readyz": public(),
    "GET /metrics": public(),
    "GET /": public(),
    "GET /api/openapi.json": public(),
    "GET /api/docs": public(),
    "GET /api/docs/swagger-ui.css": public(),
    "GET /api/docs/swagger-ui-bundle.js": public(),
    "GET /api/docs/docs.js": public(),
    "GET /api/docs/docs.css": public(),
    "GET /api/docs/mark.svg": public(),
    "GET /console": public(),
    "GET /console/{screen}": public(),
    "GET /console/{screen}/{subject}": public(),
    "GET /console/assets/{name}": public(ABSENT),
    "GET /reset": public(),
    "GET /reset/reset.js": public(),
    "GET /reset/sha256.js": public(),
    "GET /reset/code.js": public(),
    "GET /reset/texts.js": public(),
    "GET /reset/card.css": public(),
    "GET /reset/mark.svg": public(),
    "GET /appeal": public(),
    "GET /appeal/appeal.js": public(),
    "GET /appeal/code.js": public(),
    "GET /appeal/texts.js": public(),
    "GET /appeal/card.css": public(),
    "GET /appeal/appeal.css": public(),
    "GET /appeal/mark.svg": public(),
}
