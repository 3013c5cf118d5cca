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
    "players.spells": "teach and remove spells",
    "players.manage": "create, rename and delete characters, change class, level and sheet",
    "guilds.manage": "create, rename and disband guilds, change their members and banks",
    "users.query": "read accounts, register, check and change passwords and emails",
    "users.manage": "change emails and passwords without the current password",
    "users.personal": "see email addresses in full",
    "users.linked": "see which accounts share devices and addresses",
    "identities.link": "link identities by one-time codes, as a Discord bot",
    "identities.manage": "see, link by code and unlink identities of accounts",
    "economy.read": "read the total of each item and its top holders",
    "economy.manage": "change economy rules, acknowledge findings",
    "segments.read": "read segments, count them and list their members",
    "segments.manage": "create, change and delete segments and lists of names",
    "campaigns.read": "read campaigns and their recipients",
    "campaigns.manage": "create, start, stop and reverse campaigns",
    "codes.read": "read batches of redeem codes, and who redeemed them",
    "codes.manage": "create, download, activate and revoke redeem codes",
    "codes.redeem": "redeem codes for accounts, as a game server or website",
    "actions.read": "read the audit log",
    "logs.read": "read chat, trades and activity logs",
    "chat.private": "with logs.read: read private messages, with a reason that is recorded",
    "events.read": "receive all events in real time",
    "webhooks": "create webhooks, manage your own and read their deliveries",
    "webhooks.manage": "with webhooks: manage and take over the webhooks of others",
    "actions.undo": "undo anyone's actions, within the other permissions",
    "servers": "run as a game server: register and report its players",
    "servers.manage": "with servers: take over the game servers of others",
    "transactions": "change items, variables, spells and levels in transactions",
    "sanctions.read": "read bans, mutes, trade locks, warnings, notes and appeals",
    "sanctions.manage": "ban, mute, lock trades, warn, add notes, lift sanctions, decide appeals",
    "sanctions.access": "ban devices and, with users.personal, address ranges",
    "sanctions.templates": "change sanction templates and their escalation steps",
    "reports.file": "file reports of players, as a game server or website",
    "reports.read": "read cases with their reports, without the names of reporters",
    "reports.reporters": "with reports.read: see who reported",
    "reports.manage": "claim, annotate, close and reopen cases",
    "orders.read": "read the orders and products of shops",
    "orders.manage": "create, assign and refund orders, record disputes, change products",
    "commands": "send commands to the live game: kick, kill, warp, message, custom",
    "approvals": "approve or reject changes beyond the limits of others",
    "staff.read": "read staff members, roles and their permissions",
    "staff.manage": "manage roles and their members, end sessions of others, see the health",
    "keys.manage": "create, list and revoke API keys, manage OpenID clients",
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
    """Limits on giving and undoing; None: no limits."""
    session: BrowserSession | None = None
    """None: it came with a key or a token, not with a cookie."""
    rates: str | None = None
    """The rate limits of this caller (core/rates.py); None: those of the settings."""

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
