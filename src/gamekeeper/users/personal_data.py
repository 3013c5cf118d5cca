"""
Everything stored about one account, for a person who asks for it (right of access).

Each table is selected by a statement. Every other table with the id of an account or a character
is in `LEFT_OUT`, with the reason: tests/users/test_personal_data.py fails if a table is in
neither. Secrets, such as hashes of passwords and tokens, are never selected; neither are the names
of staff and of players who reported the account.
"""

from collections.abc import Sequence
from typing import Any, LiteralString
from uuid import UUID

from msgspec import Struct

from gamekeeper.core.errors import Problem
from gamekeeper.db.database import Writer
from gamekeeper.db.operations import Command, operation
from gamekeeper.ledger import actions
from gamekeeper.ledger.actions import Action
from gamekeeper.users.accounts import missing
from gamekeeper.users.lookup import find_user_ids

CHARACTERS: LiteralString = "(SELECT id FROM players WHERE user_id = $1)"
EVERY_CHARACTER: LiteralString = """
    (SELECT id FROM players WHERE user_id = $1
      UNION ALL SELECT player_id FROM deleted_players WHERE user_id = $1)
"""
"""With those that are deleted: what was written to them is the person's, too."""

EXPORTED: dict[str, LiteralString] = {
    "users": """
        SELECT id, name, email, language, created_at, api, editor, ban, kick, mute,
               personal_information, user_query, user_management, is_muted, mute_reason
          FROM users WHERE id = $1
    """,
    "user_variables": "SELECT variable_id, value FROM user_variables WHERE user_id = $1",
    "passwords": "SELECT changed_at FROM passwords WHERE user_id = $1",
    "password_resets": """
        SELECT created_at, expires_at, used_at FROM password_resets WHERE user_id = $1
         ORDER BY created_at
    """,
    "email_verifications": """
        SELECT email, former_email, created_at, expires_at, used_at FROM email_verifications
         WHERE user_id = $1 ORDER BY created_at
    """,
    "verified_emails": """
        SELECT email, verified_at, method FROM verified_emails WHERE user_id = $1
    """,
    "identities": """
        SELECT issuer, subject, display_name, linked_at, last_used_at FROM identities
         WHERE user_id = $1 ORDER BY linked_at
    """,
    "former_identities": """
        SELECT issuer, subject, display_name, linked_at, unlinked_at FROM former_identities
         WHERE user_id = $1 ORDER BY unlinked_at
    """,
    "token_families": """
        SELECT created_at, expires_at, revoked_at, address FROM token_families
         WHERE user_id = $1 ORDER BY created_at
    """,
    "browser_sessions": """
        SELECT created_at, seen_at, ended_at, method, roles, address, user_agent
          FROM browser_sessions WHERE user_id = $1 ORDER BY created_at
    """,
    "sign_in_links": """
        SELECT made_at, expires_at, used_at FROM sign_in_links WHERE user_id = $1 ORDER BY made_at
    """,
    "openid_sessions": """
        SELECT created_at, authenticated_at, expires_at, ended_at, address FROM openid_sessions
         WHERE user_id = $1 ORDER BY created_at
    """,
    "openid_sign_ins": """
        SELECT openid_clients.name AS client, openid_sign_ins.scopes, openid_sign_ins.created_at,
               expires_at, ended_at, address
          FROM openid_sign_ins JOIN openid_clients ON openid_clients.id = client_id
         WHERE user_id = $1 ORDER BY openid_sign_ins.created_at
    """,
    "openid_consents": """
        SELECT openid_clients.name AS client, openid_consents.scopes, granted_at
          FROM openid_consents JOIN openid_clients ON openid_clients.id = client_id
         WHERE user_id = $1 ORDER BY granted_at
    """,
    "second_factors": """
        SELECT kind, name, created_at, confirmed_at, used_at FROM second_factors
         WHERE user_id = $1 ORDER BY created_at
    """,
    "recovery_codes": "SELECT used_at FROM recovery_codes WHERE user_id = $1",
    "known_sources": "SELECT seen_at FROM known_sources WHERE user_id = $1 ORDER BY seen_at",
    "user_addresses": """
        SELECT address, first_seen, last_seen, days FROM user_addresses
         WHERE user_id = $1 ORDER BY first_seen
    """,
    "user_devices": """
        SELECT first_seen, last_seen, days FROM user_devices WHERE user_id = $1 ORDER BY first_seen
    """,
    "staff_roles": "SELECT role, granted_at FROM staff_roles WHERE user_id = $1 ORDER BY role",
    "staff_invitations": """
        SELECT role, email, created_at, accepted_at FROM staff_invitations
         WHERE accepted_by = $1 OR created_by_user = $1 ORDER BY created_at
    """,
    "saved_filters": """
        SELECT list, name, query, saved_at FROM saved_filters WHERE user_id = $1 ORDER BY saved_at
    """,
    "sanctions": """
        SELECT code, kind, player_id, starts_at, ends_at, reason, message, imposed_at, lifted_at,
               lift_reason
          FROM sanctions WHERE user_id = $1 ORDER BY imposed_at
    """,
    "sanction_excerpts": """
        SELECT said_at, channel, player_name, message FROM sanction_excerpts WHERE user_id = $1
         ORDER BY said_at
    """,
    "appeals": """
        SELECT sanctions.code, text, opened_at, decided_at, appeals.lifted, answer
          FROM appeals JOIN sanctions ON sanctions.id = sanction_id
         WHERE user_id = $1 ORDER BY opened_at
    """,
    "reports": """
        SELECT category, CASE WHEN reporter_id = $1 THEN text END AS text, happened_at, filed_at,
               reporter_id = $1 AS is_reporter, user_id = $1 AS is_reported
          FROM reports WHERE reporter_id = $1 OR user_id = $1 ORDER BY filed_at
    """,
    # Private messages to the person only in their own reports: in reports and sanctions of others
    # they would name the reporter.
    "report_excerpts": f"""
        SELECT said_at, channel, player_name, message FROM report_excerpts
         WHERE user_id = $1
            OR channel = 'pm' AND target_id IN {EVERY_CHARACTER}
               AND report_id IN (SELECT id FROM reports WHERE reporter_id = $1)
         ORDER BY said_at
    """,
    "case_excerpts": """
        SELECT said_at, channel, player_name, message FROM case_excerpts WHERE user_id = $1
         ORDER BY said_at
    """,
    "cases": """
        SELECT category, reports, opened_at, closed_at, outcome FROM cases WHERE user_id = $1
         ORDER BY opened_at
    """,
    "chat_messages": f"""
        SELECT said_at, channel, player_id, target_id, message, address FROM chat_messages
         WHERE user_id = $1
         UNION ALL
        SELECT said_at, channel, player_id, target_id, message, NULL FROM chat_messages
         WHERE channel = 'pm' AND user_id <> $1 AND target_id IN {EVERY_CHARACTER}
         ORDER BY said_at
    """,
    "actions": """
        SELECT at, kind, player_id, before, after, address FROM actions WHERE user_id = $1
         UNION ALL
        SELECT at, kind, player_id, before, after, address FROM actions
         WHERE actor = 'user:' || $1::text AND user_id IS DISTINCT FROM $1
         ORDER BY at
    """,
    "players": """
        SELECT id, name, class_id, gender, level, exp, stat_points, vitals, base_stats, map_id,
               map_name, x, y, z, dir, sprite, face, last_online, created_at, play_time_seconds
          FROM players WHERE user_id = $1 ORDER BY created_at
    """,
    "player_extras": f"SELECT player_id, data FROM player_extras WHERE player_id IN {CHARACTERS}",
    "player_variables": f"""
        SELECT player_id, variable_id, value FROM player_variables WHERE player_id IN {CHARACTERS}
         ORDER BY player_id, variable_id
    """,
    "player_spells": f"""
        SELECT player_id, slot, spell_id FROM player_spells WHERE player_id IN {CHARACTERS}
         ORDER BY player_id, slot
    """,
    "slots": f"""
        SELECT player_id, place, slot, item_id, quantity FROM slots WHERE player_id IN {CHARACTERS}
         ORDER BY player_id, place, slot
    """,
    "bag_slots": f"""
        SELECT player_id, bag_id, slot, item_id, quantity FROM bag_slots
         WHERE player_id IN {CHARACTERS} ORDER BY player_id, bag_id, slot
    """,
    "letters": f"""
        SELECT player_id, id, state, sender_kind, sender_id, sender_name, subject, text, attached,
               sent_at, expires_at, read_at, ended_at
          FROM letters
         WHERE player_id IN {CHARACTERS} OR sender_id IN {EVERY_CHARACTER} ORDER BY sent_at
    """,
    "letter_slots": f"""
        SELECT player_id, letter_id, slot, item_id, quantity FROM letter_slots
         WHERE player_id IN {CHARACTERS} ORDER BY player_id, letter_id, slot
    """,
    "guild_members": f"""
        SELECT player_id, guild_id, rank, joined_at FROM guild_members
         WHERE player_id IN {CHARACTERS} ORDER BY joined_at
    """,
    "sessions": f"""
        SELECT player_id, server_id, joined_at, left_at FROM sessions
         WHERE player_id IN {CHARACTERS} ORDER BY joined_at
    """,
    "commands": f"""
        SELECT player_id, kind, payload, state, created_at, answered_at FROM commands
         WHERE player_id IN {CHARACTERS} ORDER BY created_at
    """,
    "orders": """
        SELECT shop, order_id, state, account_ref, character_ref, buyer_ref,
               user_id = $1 AS received, buyer_id = $1 AS paid, amount, currency, dispute,
               is_refunded, paid_at, created_at
          FROM orders WHERE user_id = $1 OR buyer_id = $1 ORDER BY created_at
    """,
    "order_lines": """
        SELECT shop, orders.order_id, number, product, items, quantity, order_lines.state,
               delivered, order_lines.player_id, delivered_at, ended_at
          FROM order_lines JOIN orders ON orders.id = order_lines.order_id
         WHERE user_id = $1 OR buyer_id = $1 ORDER BY orders.created_at, number
    """,
    "segment_list_players": f"""
        SELECT list, player_id FROM segment_list_players WHERE player_id IN {CHARACTERS}
         ORDER BY list
    """,
    "campaign_recipients": f"""
        SELECT campaign_id, player_id, state, at FROM campaign_recipients
         WHERE player_id IN {CHARACTERS} ORDER BY campaign_id
    """,
    "code_redemptions": """
        SELECT campaign, player_id, letter_id, redeemed_at FROM code_redemptions
         WHERE user_id = $1 ORDER BY redeemed_at
    """,
    "deleted_players": """
        SELECT player_id, name, deleted_at, kept FROM deleted_players WHERE user_id = $1
         ORDER BY deleted_at
    """,
}

REPEATED = "a copy, for lookups, of data that is exported"
SUMS = "sums and positions of the ledger, without anything that names a person"
LEFT_OUT: dict[str, str] = {
    "user_names": REPEATED,
    "user_emails": REPEATED,
    "user_skeletons": REPEATED,
    "player_names": REPEATED,
    "player_skeletons": REPEATED,
    "presences": REPEATED,
    "bags": REPEATED,
    "bag_owners": REPEATED,
    "item_holdings": REPEATED,
    "access_tokens": "hashes of secrets; `token_families` has the sign-ins",
    "refresh_tokens": "hashes of secrets; `token_families` has the sign-ins",
    "identity_flows": "sign-ins under way, for about an hour",
    "link_codes": "hashes of secrets, for about an hour",
    "openid_tokens": "hashes of secrets; `openid_sign_ins` has the sign-ins",
    "guess_budgets": "counts of failed sign-ins, for a day",
    "erased_users": "only of accounts that no longer exist",
    "erased_identities": "only of accounts that no longer exist",
    "case_notes": "notes of staff on a case",
    "findings": "about the economy; the account is a part of the evidence",
    "new_account_receipts": SUMS,
    "postings": "movements of items, each by an action that is exported",
    "item_movements": "movements of items, each by an action that is exported",
    "openings": SUMS,
    "opening_heads": SUMS,
    "ledger_heads": SUMS,
    "ledger_checkpoints": SUMS,
    "economy_counted": SUMS,
}
"""Tables with ids of accounts or characters that are not exported, and why."""


class PersonalExport(Command, frozen=True, kw_only=True):
    user: str
    """A name or an id."""


class PersonalData(Struct, frozen=True):
    user_id: UUID
    tables: dict[str, list[dict[str, Any]]]
    """Rows by the name of the table; the columns have the names of the database."""


@operation
async def export(
    writer: Writer, commands: Sequence[PersonalExport]
) -> list[PersonalData | Problem]:
    """Read all personal data of accounts, private messages too, and record it in the audit log."""
    users = await find_user_ids(writer, [command.user for command in commands])
    return [
        missing(command.user) if user is None else await _export(writer, command, user)
        for command, user in zip(commands, users, strict=True)
    ]


async def _export(writer: Writer, command: PersonalExport, user: UUID) -> PersonalData:
    tables = {
        table: [row["found"] for row in await writer.rows(_as_json(sql), user)]
        for table, sql in EXPORTED.items()
    }
    about = {"rows": sum(map(len, tables.values()))}
    await actions.record(
        writer, [Action(kind="users.export", by=command.by, user_id=user, after=about)]
    )
    return PersonalData(user_id=user, tables=tables)


def _as_json(sql: LiteralString) -> LiteralString:
    """The rows as PostgreSQL writes them: JSON has no addresses and ranges of its own."""
    return f"SELECT to_jsonb(found) AS found FROM ({sql}) AS found"
