"""The principal: the authenticated caller and its scopes."""

from uuid import UUID

from msgspec import Struct

SCOPES = {
    "players.read": "read characters, their items, bags, spells and variables",
    "players.items": "give and take items",
    "players.variables": "set variables",
    "players.spells": "teach spells and make them forgotten",
    "players.manage": "create, rename and delete characters, change class, level and sheet",
    "users.query": "read accounts, register, check and change passwords and emails",
    "users.manage": "change emails and passwords without the current password",
    "users.personal": "see email addresses in full",
    "economy.read": "read how many of each item there are, and who has most",
    "actions.read": "read the log of everything that was done",
    "events.read": "be told of everything that is done, as it happens",
    "webhooks": "make webhooks, change and remove one's own, and see what was sent",
    "webhooks.manage": "with webhooks: see and change those of others too, and take them over",
    "actions.undo": "undo what was done, by whomever, as far as the other scopes reach",
    "servers": "be a game server: register, and say who plays on it",
    "servers.manage": "with servers: take the place of game servers of others",
    "transactions": "move items, set variables, teach spells and levels, many at once",
}

PLAYER_SCOPES = frozenset({"players.read", "players.items", "players.variables", "players.spells"})
"""The scopes of the Api power. Not `players.manage`: no upgrade may let it delete characters."""


class Principal(Struct, frozen=True, kw_only=True):
    id: str
    """`key:<id>` or `user:<id>`: identifies the caller in rate limits and logs."""
    name: str
    scopes: frozenset[str] | None = None
    """None: all scopes."""
    user_id: UUID | None = None

    def may(self, scope: str) -> bool:
        return self.scopes is None or scope in self.scopes

    @property
    def sees_emails(self) -> bool:
        return self.may("users.personal")

    @property
    def sees_accounts(self) -> bool:
        return self.may("users.query")
