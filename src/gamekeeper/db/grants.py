"""
Grants (least privilege): with two roles, the role that serves cannot alter history.

The owner of the tables changes the schema and the catalog. The role that serves may only
read the history tables and the API keys, and add to them (append-only); PostgreSQL fills in
the time and the transaction id. With one role everything works too, but the service could
then alter what it wrote.
"""

from typing import LiteralString

import asyncpg

from gamekeeper.core.errors import Invalid
from gamekeeper.db.database import Reader

HISTORY = (
    *("actions", "postings", "chain", "chain_verifications"),
    *("ledger_beginning", "opening_heads", "openings", "opening_accounts"),
    *("guild_actions", "ledger_checkpoints"),
)
"""Append-only tables, with their partitions; some may not exist yet."""

NARROWED: dict[str, tuple[str, ...]] = {
    # Not `at`, `xid` and `position`: with those an action could be backdated, or hidden
    # from the sequencer.
    "actions": (
        """INSERT (id, kind, actor, actor_name, player_id, user_id, item_id, before, after,
                   reason, request_id, address, undoes, approved_by, approved_by_name)""",
    ),
    "postings": (
        """INSERT (player_id, seq, at, action_id, place, inside, slot, item_id, quantity,
                   against, held_before, held_after, stat_buffs, bag_id, loss_id)""",
    ),
    # Not `at`: a verification could be said to be newer than it is.
    "chain_verifications": ("INSERT (links, action_id, action_at, breaches)",),
    # Nor when it was requested; what was found stays.
    "ledger_verifications": (
        "INSERT (id, requested_by_name)",
        "UPDATE (state, begun_at, heartbeat_at, ended_at, done, total, faults)",
    ),
    "chain_progress": ("UPDATE",),
    "action_counts_progress": ("UPDATE",),
    "ledger_heads": ("INSERT", "UPDATE"),
    # The service cannot delete players: their possessions would go with them. A function of
    # the owner (0022_characters) deletes an archived character that owns nothing.
    "players": ("INSERT", "UPDATE"),
    # One column, because locking a row needs the UPDATE privilege on some column.
    "deleted_players": ("INSERT", "DELETE", "UPDATE (deleted_at)"),
    "deleted_guilds": ("INSERT", "DELETE", "UPDATE (deleted_at)"),
    "users": ("INSERT", "UPDATE"),
    # What is kept of an erased account; retention empties the tag. A function of the owner
    # (0042_owned_variables) deletes the account itself.
    "erased_users": ("INSERT", "UPDATE (email_tag)"),
    "erased_identities": ("INSERT", "DELETE"),
    # A role is given and withdrawn, never turned into another.
    "staff_roles": ("INSERT", "DELETE"),
    # A sanction is never deleted, and only its lifting is written later.
    "sanctions": (
        "INSERT",
        "UPDATE (lifted_at, lifted_by, lifted_by_name, lift_reason)",
    ),
    # Only its lifting is written later; old ones are deleted.
    "access_bans": (
        "INSERT",
        "UPDATE (lifted_at, lifted_by, lifted_by_name, lift_reason)",
        "DELETE",
    ),
    # Evidence is never changed; an erasure empties what a person said.
    "sanction_excerpts": (
        "INSERT",
        "UPDATE (salt, message, player_name, target_name)",
    ),
    # A report and its case are never deleted; retention and erasure empty their texts.
    "cases": (
        "INSERT",
        """UPDATE (player_id, category, categories, severity, reports, reporters, priority,
                   last_report_at, claimed_at, claimed_by, claimed_by_name, first_claimed_at,
                   closed_at, closed_by, closed_by_name, outcome, sanction_id, closing_note)""",
    ),
    "reports": (
        "INSERT",
        """UPDATE (text, message_ids, times, last_at, closed_at,
                                    mailed_outcome, outcome_mail_id)""",
    ),
    "report_excerpts": (
        "INSERT",
        "UPDATE (salt, message, player_name, target_name, closed_at)",
    ),
    "case_excerpts": (
        "INSERT",
        "UPDATE (salt, message, player_name, target_name, closed_at)",
    ),
    "case_notes": ("INSERT", "UPDATE (text, closed_at)"),
    # An order is never deleted, and its address never changes: it is delivered once for ever. An
    # erasure empties its names.
    "orders": (
        "INSERT (id, shop, order_id, state)",
        """UPDATE (state, account_ref, character_ref, buyer_ref, content_tag, user_id, player_id,
                   buyer_id, claim_hash, amount, currency, dispute, refunded_lines, is_refunded,
                   paid_at)""",
    ),
    "order_lines": (
        "INSERT",
        """UPDATE (state, reason, delivered, player_id, letter_id, delivered_at, ended_at,
                   tried_at)""",
    ),
    # Codes are deleted only with a download that is replaced. A redemption is never deleted, so
    # that it happens once; an erasure empties its ids.
    "code_batches": (
        "INSERT",
        """UPDATE (state, download, made, activated_at, revoked_at, revoked_by_name)""",
    ),
    "codes": ("INSERT (hash, batch_id)", "UPDATE (used, revoked_at)", "DELETE"),
    "code_redemptions": ("INSERT", "UPDATE (user_id, player_id)"),
    # A request is decided once and never changed; old ones are deleted.
    "approval_requests": (
        "INSERT",
        "UPDATE (state, decided_by, decided_by_name, decided_at, decision_reason, result)",
        "DELETE",
    ),
    # A finding grows while it is open, and is acknowledged once; old ones are deleted.
    "findings": (
        "INSERT",
        """UPDATE (quantity, ended_at, acknowledged_at, acknowledged_by, acknowledged_by_name,
                   note)""",
        "DELETE",
    ),
    # The catalog: changed by CLI commands, with the owner's URL.
    "items": (),
    "item_icons": (),
    "spells": (),
    "variables": (),
    "classes": (),
    "catalog_objects": (),
    # A key can be added, and revoked by a function of the owner (0034_console); no key is
    # changed or comes back. Not `id` and `created_at`: a key could take the place of another,
    # or be backdated to before the ledger, where nothing compares it with its action.
    "api_keys": (
        "INSERT (hash, name, scopes, expires_at, limits, rates, created_by)",
        "UPDATE (used_at)",
    ),
    # A link is made on the command line, with the owner's URL; the service uses it up.
    "sign_in_links": ("UPDATE (used_at)", "DELETE"),
    # An invitation is accepted or revoked, never changed or prolonged; old ones are deleted.
    "staff_invitations": (
        """INSERT (id, role, email, created_by, created_by_name, created_by_user, expires_at)""",
        "UPDATE (accepted_at, accepted_by, revoked_at)",
        "DELETE",
    ),
    "saved_filters": ("INSERT", "UPDATE (name, query, saved_at)", "DELETE"),
    # An appeal is decided, but what the player wrote stays, and so does the appeal.
    "appeals": (
        "INSERT",
        "UPDATE (decided_at, decided_by, decided_by_name, lifted, answer, reason)",
    ),
    # A stored reply is never changed; only its body is deleted.
    "replies": ("INSERT", "UPDATE (body)"),
    "migrations": (),
}
"""The write privileges of the role that serves; it may read all of these tables."""

WARNING = (
    "History can be altered by the service: it runs as a role that may change actions and "
    "postings. Create a second role for it, and run: gamekeeper migrate --app-role NAME"
)

NOT_GRANTED = (
    "The role of GAMEKEEPER_DATABASE_URL has no access to the tables. With the URL of their owner, "
    "run: gamekeeper migrate --app-role NAME"
)


class UnknownRole(Invalid):
    """The role does not exist in PostgreSQL."""


class OwnRole(Invalid):
    """This role owns the tables, so it can always alter history. Use another role."""


async def is_alterable(reader: Reader) -> bool:
    """Whether the current role could change or delete history."""
    return await reader.value(
        """
        SELECT bool_or(has_table_privilege(oid, 'UPDATE, DELETE, TRUNCATE'))
          FROM pg_class
         WHERE relnamespace = 'public'::regnamespace AND relname = ANY($1)
        """,
        list(HISTORY),
    )


async def grant(connection: asyncpg.Connection, role: str | None) -> list[str]:
    """
    Grant `role` what it needs to serve, and return all roles with these grants.

    Roles with earlier grants get them again, so that an upgrade with new tables need not
    name them.
    """
    roles = {row["role"] for row in await connection.fetch(REMEMBERED)}
    if role:
        roles.add(await _checked(connection, role))
    for name in sorted(roles):
        quoted = str(await connection.fetchval("SELECT quote_ident($1)", name))
        await connection.execute(GRANTS.replace("{role}", quoted))
        for table in await connection.fetch(KEPT, list(HISTORY)):
            await connection.execute(
                f"REVOKE UPDATE, DELETE, TRUNCATE, TRIGGER ON {table['name']} FROM {quoted}"
            )
        await _narrow(connection, quoted)
    return sorted(roles)


async def _narrow(connection: asyncpg.Connection, role: str) -> None:
    """Revoke from `role` all it does not need on the most sensitive tables."""
    for partition in await connection.fetch(PARTITIONS):
        await connection.execute(f"REVOKE INSERT ON {partition['name']} FROM {role}")
    for table, needed in NARROWED.items():
        await connection.execute(f"REVOKE INSERT, UPDATE, DELETE ON {table} FROM {role}")
        for privilege in needed:
            await connection.execute(f"GRANT {privilege} ON {table} TO {role}")


async def _checked(connection: asyncpg.Connection, role: str) -> str:
    if not await connection.fetchval("SELECT true FROM pg_roles WHERE rolname = $1", role):
        raise UnknownRole(f"PostgreSQL has no role '{role}'. Make it: CREATE ROLE {role} LOGIN")
    if role == await connection.fetchval("SELECT current_user"):
        raise OwnRole
    return role


# New tables are append-only by default: a partition that is created next year is safe the
# moment it exists.
GRANTS: LiteralString = """
    GRANT USAGE ON SCHEMA public TO {role};
    GRANT SELECT, INSERT, UPDATE, DELETE ON ALL TABLES IN SCHEMA public TO {role};
    GRANT USAGE, SELECT ON ALL SEQUENCES IN SCHEMA public TO {role};
    ALTER DEFAULT PRIVILEGES IN SCHEMA public REVOKE UPDATE, DELETE ON TABLES FROM {role};
    ALTER DEFAULT PRIVILEGES IN SCHEMA public GRANT SELECT, INSERT ON TABLES TO {role};
    ALTER DEFAULT PRIVILEGES IN SCHEMA public GRANT USAGE, SELECT ON SEQUENCES TO {role};
"""

# The default privileges already name the roles; there is no need to store them twice.
REMEMBERED: LiteralString = """
    SELECT DISTINCT pg_get_userbyid(grantee) AS role
      FROM pg_default_acl, aclexplode(defaclacl)
     WHERE defaclnamespace = 'public'::regnamespace
       AND defaclrole = current_user::regrole
       AND defaclobjtype = 'r' AND privilege_type = 'INSERT'
       AND grantee <> 0 AND grantee <> defaclrole
"""

KEPT: LiteralString = """
    SELECT oid::regclass::text AS name
      FROM pg_class
     WHERE relnamespace = 'public'::regnamespace
       AND (relname = ANY($1)
            OR oid IN (SELECT inhrelid FROM pg_inherits
                        WHERE inhparent::regclass::text = ANY($1)))
"""

# Rows are inserted through the parent table, never into a partition directly.
PARTITIONS: LiteralString = """
    SELECT inhrelid::regclass::text AS name
      FROM pg_inherits
     WHERE inhparent IN ('actions'::regclass, 'postings'::regclass)
"""
