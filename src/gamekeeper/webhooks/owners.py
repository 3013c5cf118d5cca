"""
Owners: who may see and change a webhook, and what it may carry.

A webhook belongs to the key that made it. It is sent to while that key is valid and may read
events, and carries what the key may see at that moment: nothing is remembered from the day it
was made. A manager may see and change the webhooks of others. Whoever sets a target or is
shown a secret becomes the owner: otherwise a key that is revoked would leave its target behind.
"""

from typing import LiteralString

from msgspec import Struct

from gamekeeper.auth.principal import Principal
from gamekeeper.db.operations import COMMAND_LINE

MANAGE = "webhooks.manage"
REVOKED, EXPIRED, NOT_PERMITTED = "owner_revoked", "owner_expired", "owner_not_permitted"
GONE = (REVOKED, EXPIRED, NOT_PERMITTED)
"""Why nothing is sent to a webhook whose owner may have it no longer."""


class Viewer(Struct, frozen=True, kw_only=True):
    """Who asks about webhooks, and what they may do."""

    actor: str
    manages: bool
    may_listen: bool
    """Whether they may read events, without which nobody owns a webhook."""
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
        """Whom what they make belongs to; an operator is no key, and owns nothing."""
        return None if self.actor == COMMAND_LINE.actor else self.actor

    def may_touch(self, owner: str | None) -> bool:
        return self.manages or (owner is not None and owner == self.actor)


OPERATOR = Viewer(actor=COMMAND_LINE.actor, manages=True, may_listen=True, sees_personal=True)
"""Who works on the command line."""

# Webhooks with the keys of their owners.
OWNED: LiteralString = """
    webhooks LEFT JOIN (
        SELECT 'key:' || id::text AS actor, name AS owner_name, scopes, revoked_at, expires_at
          FROM api_keys
    ) AS keys ON keys.actor = webhooks.owner
"""

# Why the owner may have it no longer; null if there is none or nothing is wrong with it.
# An owner that is no key is not known here, and so may nothing.
FAULT: LiteralString = f"""
    CASE WHEN owner IS NULL THEN NULL
         WHEN actor IS NULL OR revoked_at IS NOT NULL THEN '{REVOKED}'
         WHEN expires_at <= now() THEN '{EXPIRED}'
         WHEN NOT coalesce(scopes @> '{{webhooks,events.read}}', true) THEN '{NOT_PERMITTED}'
    END
"""

# Whether it carries personal information. One without an owner carries what its maker saw.
PERSONAL: LiteralString = """
    CASE WHEN owner IS NULL THEN emails
         ELSE actor IS NOT NULL AND coalesce(scopes @> '{users.personal}', true) END
"""
