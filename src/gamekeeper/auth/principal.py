"""The principal: the authenticated caller and its scopes."""

from datetime import datetime
from typing import Literal
from uuid import UUID

from msgspec import Struct

from gamekeeper.auth import limits
from gamekeeper.auth.limits import Limits
from gamekeeper.db.operations import Allowance

SCOPES = {
    "players.read": "read characters, their items, bags, spells and variables",
    "players.items": "give and take items",
    "players.variables": "set variables",
    "players.spells": "teach spells and make them forgotten",
    "players.manage": "create, rename and delete characters, change class, level and sheet",
    "guilds.manage": "found, rename and disband guilds, change their members and banks",
    "users.query": "read accounts, register, check and change passwords and emails",
    "users.manage": "change emails and passwords without the current password",
    "users.personal": "see email addresses in full",
    "economy.read": "read how many of each item there are, and who has most",
    "actions.read": "read the log of everything that was done",
    "logs.read": "read chat, private messages, trades and what accounts and characters did",
    "events.read": "be told of everything that is done, as it happens",
    "webhooks": "make webhooks, change and remove one's own, and see what was sent",
    "webhooks.manage": "with webhooks: see and change those of others too, and take them over",
    "actions.undo": "undo what was done, by whomever, as far as the other scopes reach",
    "servers": "be a game server: register, and say who plays on it",
    "servers.manage": "with servers: take the place of game servers of others",
    "transactions": "move items, set variables, teach spells and levels, many at once",
    "sanctions.read": "read bans, mutes, trade locks, warnings, notes and appeals",
    "sanctions.manage": "ban, mute, lock trades, warn, make notes, lift, and decide appeals",
    "sanctions.templates": "change the templates of sanctions and their ladders",
    "commands": "send commands to the live game: kick, kill, warp, message, custom",
    "approvals": "approve or reject what exceeds the limits of others",
    "staff.read": "see who is on the staff, and what each role may do",
    "staff.manage": "give and withdraw roles, make roles, end the sessions of others",
    "keys.manage": "create, list and revoke API keys",
}

PLAYER_SCOPES = frozenset({"players.read", "players.items", "players.variables", "players.spells"})
"""The scopes of the Api power. Not `players.manage`: no upgrade may let it delete characters."""


SessionState = Literal["signed_in", "second_factor_required", "enrolment_required"]
"""How far a sign-in with a browser has come: only the first may do anything."""


class BrowserSession(Struct, frozen=True, kw_only=True):
    """A staff member's sign-in with a browser, by cookie."""

    id: UUID
    verified_at: datetime | None
    """When the second factor was last verified; None: never."""
    state: SessionState = "signed_in"
    has_factor: bool = True
    """Whether the account has a second factor to verify."""


class Principal(Struct, frozen=True, kw_only=True):
    id: str
    """`key:<id>` or `user:<id>`: identifies the caller in rate limits and logs."""
    name: str
    scopes: frozenset[str] | None = None
    """None: all scopes."""
    user_id: UUID | None = None
    roles: tuple[str, ...] = ()
    """The names of a staff member's roles; of a browser session only."""
    limits: Limits | None = None
    """How much it may hand out; None: as much as it likes."""
    session: BrowserSession | None = None
    """None: it came with a key or a token, not with a cookie."""
    rates: str | None = None
    """Rate limits of its own, in words (core/rates.py); None: those of the settings."""

    def may(self, scope: str) -> bool:
        return self.scopes is None or scope in self.scopes

    @property
    def rate_key(self) -> str:
        """Whom rate limits count for; all tokens of an account count together."""
        return f"session:{self.session.id}" if self.session else self.id

    @property
    def is_key(self) -> bool:
        return self.user_id is None

    @property
    def allowance(self) -> Allowance | None:
        """Its own limits, for what it does to count against; None: it has none."""
        return Allowance(self.id, limits.as_json(self.limits)) if self.limits else None

    @property
    def sees_emails(self) -> bool:
        return self.may("users.personal")

    @property
    def sees_accounts(self) -> bool:
        return self.may("users.query")
