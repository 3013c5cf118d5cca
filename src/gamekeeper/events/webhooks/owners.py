"""
Ownership (authorization) of webhooks: who may see and change one, and what data it may send.

A webhook belongs to the API key or the staff member that created it. Messages are sent while
the key is valid, or the account is not banned, and may have webhooks and read events. They
contain what the owner may see at that moment, not at creation. A manager may see and change
the webhooks of others. A caller that sets a target or is shown a secret becomes the owner:
otherwise the target of a revoked key would stay active.
"""

from typing import LiteralString

from msgspec import Struct

from gamekeeper.auth.principal import Principal
from gamekeeper.auth.staff_scopes import STAFF
from gamekeeper.db.operations import COMMAND_LINE

MANAGE = "webhooks.manage"
REVOKED, EXPIRED, NOT_PERMITTED = "owner_revoked", "owner_expired", "owner_not_permitted"
GONE = (REVOKED, EXPIRED, NOT_PERMITTED)
"""Reasons why nothing is sent: the owner may no longer have the webhook."""


class Viewer(Struct, frozen=True, kw_only=True):
    """The caller of a webhook operation, with its permissions."""

    actor: str
    manages: bool
    may_listen: bool
    """Whether the caller may read events, which an owner must."""
    sees_personal: bool

    @classmethod
    def of(cls, caller: Principal) -> "Viewer":
        return cls(
            actor=caller.id,
            manages=caller.may(MANAGE),
            may_listen=caller.may("events.read"),
            sees_personal=caller.sees_emails,
        )

    @property
    def owner(self) -> str | None:
        """The owner of webhooks the caller creates; None for an operator on the command line."""
        return None if self.actor == COMMAND_LINE.actor else self.actor

    def may_touch(self, owner: str | None) -> bool:
        return self.manages or (owner is not None and owner == self.actor)


OPERATOR = Viewer(actor=COMMAND_LINE.actor, manages=True, may_listen=True, sees_personal=True)
"""The operator on the command line."""

# Webhooks with the keys of their owners, or with what their owners may do as staff.
OWNED: LiteralString = f"""
    webhooks LEFT JOIN (
        SELECT 'key:' || id::text AS actor, name AS owner_name, scopes, revoked_at, expires_at
          FROM api_keys
    ) AS keys ON keys.actor = webhooks.owner
    LEFT JOIN ({STAFF}) AS staff ON staff.staff_actor = webhooks.owner
"""

# Why the owner may no longer have the webhook; null if it may, or if there is no owner.
# An owner without an API key or a role counts as revoked.
FAULT: LiteralString = f"""
    CASE WHEN owner IS NULL OR staff_scopes @> '{{webhooks,events.read}}' THEN NULL
         WHEN staff_actor IS NOT NULL THEN '{NOT_PERMITTED}'
         WHEN actor IS NULL OR revoked_at IS NOT NULL THEN '{REVOKED}'
         WHEN expires_at <= statement_timestamp() THEN '{EXPIRED}'
         WHEN NOT coalesce(scopes @> '{{webhooks,events.read}}', true) THEN '{NOT_PERMITTED}'
    END
"""

# Whether messages contain personal information. Without an owner, `emails` decides: whether
# the creator could see it.
PERSONAL: LiteralString = """
    CASE WHEN owner IS NULL THEN emails
         WHEN staff_actor IS NOT NULL THEN staff_scopes @> '{users.personal}'
         ELSE actor IS NOT NULL AND coalesce(scopes @> '{users.personal}', true) END
"""
