"""
Action kinds: what each is called, how it is undone, and how it is shown.

A new kind is a name in `Kind` and an entry in the module of its family. The audit log, the
ledger's verification, undo, events, the histories and the console read what they need from there.
"""

from collections.abc import Mapping
from typing import Literal

from msgspec import Struct

from gamekeeper.ledger.places import Against

# A type checker needs the names written out; a test compares them with the registry.
Kind = Literal[
    "items.give",
    "items.take",
    "items.restore",
    "items.exchange",
    "items.move",
    "items.import",
    "spells.teach",
    "spells.forget",
    "variables.set",
    "game.variable",
    "players.progress",
    "players.create",
    "players.rename",
    "players.class",
    "players.sheet",
    "players.delete",
    "players.import",
    "mail.send",
    "mail.claim",
    "mail.read",
    "mail.expire",
    "mail.withdraw",
    "mail.delete",
    "guilds.create",
    "guilds.rename",
    "guilds.delete",
    "guilds.join",
    "guilds.leave",
    "guilds.kick",
    "guilds.rank",
    "guilds.transfer",
    "guilds.variable",
    "guilds.deposit",
    "guilds.withdraw",
    "servers.register",
    "servers.stop",
    "commands.send",
    "users.register",
    "users.email",
    "users.verify",
    "users.password",
    "users.powers",
    "users.variable",
    "users.rename",
    "users.language",
    "users.export",
    "users.delete",
    "users.import",
    "identities.link",
    "identities.unlink",
    "identities.code",
    "sanctions.impose",
    "sanctions.lift",
    "access_bans.impose",
    "access_bans.lift",
    "templates.change",
    "templates.remove",
    "roles.create",
    "roles.change",
    "roles.delete",
    "staff.grant",
    "staff.withdraw",
    "staff.invite",
    "staff.uninvite",
    "keys.create",
    "keys.revoke",
    "sessions.start",
    "sessions.end",
    "sessions.link",
    "factors.add",
    "factors.remove",
    "factors.reset",
    "webhooks.create",
    "webhooks.change",
    "webhooks.remove",
    "openid.create",
    "openid.change",
    "openid.remove",
    "appeals.open",
    "appeals.decide",
    "reports.file",
    "cases.claim",
    "cases.release",
    "cases.note",
    "cases.evidence",
    "cases.close",
    "cases.reopen",
    "orders.receive",
    "orders.assign",
    "orders.refund",
    "orders.return",
    "orders.dispute",
    "products.change",
    "products.remove",
    "chat.read",
    "findings.open",
    "findings.acknowledge",
    "rules.change",
    "rules.remove",
    "campaigns.create",
    "campaigns.start",
    "campaigns.pause",
    "campaigns.resume",
    "campaigns.stop",
    "campaigns.finish",
    "campaigns.reverse",
    "campaigns.take",
    "schedules.create",
    "schedules.pause",
    "schedules.resume",
    "schedules.skip",
    "schedules.run",
    "schedules.delete",
    "codes.create",
    "codes.download",
    "codes.activate",
    "codes.revoke",
    "codes.redeem",
    "segments.change",
    "segments.remove",
    "segment_lists.add",
    "segment_lists.remove",
    "catalog.import",
    "demo.fill",
    "ledger.open",
    "ledger.drop",
    "ledger.verify",
    "database.backup",
    "database.restore",
    "undo",
    "approvals.request",
    "approvals.approve",
    "approvals.reject",
]

Group = Literal[
    "items", "character", "state", "moderation", "accounts", "staff", "servers", "system", "undo"
]
"""A section of the list of kinds in the console's log."""

Tone = Literal["gain", "loss", "change", "plain", "back"]
"""The sort of change; each has a colour and a shape in the console."""

Series = Literal["moves", "gifts", "progress", "people", "moderation", "other", "undo"]
"""A series of the chart of actions on the console's overview, in the order they are drawn."""

UndoHandler = Literal[
    "items",
    "spell",
    "variable",
    "owned_variable",
    "sheet",
    "level",
    "email",
    "powers",
    "lifecycle",
    "access_ban",
    "guild",
    "guild_bank",
    "letter",
    "inherited",
]
"""
What applies the inverse: see history/undo/execute.py.

`inherited`: the handler of the action at the root of a chain of undos.
"""


class Look(Struct, frozen=True):
    """How the console shows actions of a kind."""

    label: str
    group: Group
    tone: Tone
    icon: str
    """The name of an icon of Tabler Icons."""
    series: Series = "other"


class Undo(Struct, frozen=True):
    """How actions of a kind are undone."""

    handler: UndoHandler
    scopes: tuple[str, ...] = ()
    """Needed besides `actions.undo`: those that the change itself needs."""


class ActionKind(Struct, frozen=True):
    name: Kind
    look: Look
    moment: str | None = None
    """The name in a character's time slider; None: it changes no character's state."""
    undo: Undo | None = None
    instead: str | None = None
    """The alternative, if it cannot be undone."""
    bulk_undo: Literal["left", "all"] | None = None
    """
    When a bulk undo of characters selects it.

    `left`: items or spells may have left a character by it. `all`: only if all is selected.
    """
    accounts: tuple[Against, ...] = ()
    """The named accounts that its postings may use."""
    is_bulk_load: bool = False
    """Whether one action may have postings of many players."""
    concerns_servers: bool = False
    """Whether the servers of all characters of its account get it or, without account, all."""
    intersect: str | Mapping[str, str] | None = None
    """The name in the activity logs of Intersect, or one for each `kind` in its after state."""

    @property
    def family(self) -> str:
        """The first word of its name."""
        return self.name.split(".")[0]
