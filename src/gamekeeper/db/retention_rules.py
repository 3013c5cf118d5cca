"""Retention rules: which rows of which table expire, and when."""

from gamekeeper.db.retention_statements import Emptied, Rule
from gamekeeper.db.retention_statistics import STATISTICS

RULES: list[Rule] = [
    Rule(
        name="access_tokens",
        table="access_tokens",
        key="hash",
        age="expires_at",
        days=lambda _: 1,
    ),
    Rule(
        name="refresh_tokens",
        table="refresh_tokens",
        key="hash",
        age="expires_at",
        days=lambda _: 1,
    ),
    Rule(
        name="token_families",
        table="token_families",
        key="user_id, id",
        age="expires_at",
        days=lambda _: 1,
        # Deleting a family deletes its tokens, and there may be any number of them.
        unless="""
            EXISTS (SELECT FROM access_tokens AS token
                     WHERE (token.user_id, token.family_id)
                           = (token_families.user_id, token_families.id))
            OR EXISTS (SELECT FROM refresh_tokens AS token
                        WHERE (token.user_id, token.family_id)
                              = (token_families.user_id, token_families.id))
        """,
    ),
    Rule(
        name="openid_tokens", table="openid_tokens", key="hash", age="expires_at", days=lambda _: 1
    ),
    Rule(
        name="openid_sign_ins",
        table="openid_sign_ins",
        key="id",
        age="expires_at",
        days=lambda _: 1,
        # Deleting a sign-in deletes its tokens, and there may be any number of them.
        unless="""
            EXISTS (SELECT FROM openid_tokens WHERE sign_in_id = openid_sign_ins.id)
        """,
    ),
    Rule(
        name="openid_sessions",
        table="openid_sessions",
        key="id",
        age="expires_at",
        days=lambda _: 1,
    ),
    Rule(
        name="password_resets",
        table="password_resets",
        key="user_id, id",
        age="expires_at",
        days=lambda _: 1,
    ),
    Rule(
        name="identity_flows",
        table="identity_flows",
        key="id",
        age="expires_at",
        # Anyone can start flows. Later than the last moment of a nonce that a flow used up.
        hours=lambda _: 1,
    ),
    Rule(
        name="link_codes",
        table="link_codes",
        key="hash",
        age="expires_at",
        hours=lambda _: 1,
    ),
    Rule(
        name="email_verifications",
        table="email_verifications",
        key="user_id, id",
        age="expires_at",
        days=lambda _: 1,
    ),
    Rule(
        name="browser_sessions",
        table="browser_sessions",
        key="id",
        age="expires_at",
        days=lambda _: 1,
    ),
    Rule(
        name="sign_in_links",
        table="sign_in_links",
        key="hash",
        age="expires_at",
        days=lambda _: 1,
    ),
    Rule(
        name="staff_invitations",
        table="staff_invitations",
        key="id",
        age="expires_at",
        days=lambda _: 30,
    ),
    Rule(
        name="known_sources",
        table="known_sources",
        key="user_id, source",
        age="seen_at",
        days=lambda _: 31,
    ),
    Rule(
        name="user_devices",
        table="user_devices",
        key="user_id, device",
        age="last_seen",
        days=lambda settings: settings.linked_account_days,
    ),
    Rule(
        name="user_addresses",
        table="user_addresses",
        key="user_id, address",
        age="last_seen",
        days=lambda settings: settings.linked_account_days,
    ),
    Rule(
        name="access_bans",
        table="access_bans",
        key="id",
        # Counted from the end that was set, also of a ban that was lifted before.
        age="ends_at",
        days=lambda settings: settings.linked_account_days,
    ),
    Rule(
        name="guess_budgets",
        table="guess_budgets",
        key="subject",
        age="counted_at",
        days=lambda _: 1,
        where="streak < 20",
    ),
    Rule(
        name="guess_budgets_streaks",
        table="guess_budgets",
        key="subject",
        age="counted_at",
        days=lambda _: 30,
        where="streak >= 20",
    ),
    Rule(
        name="webhook_deliveries",
        table="webhook_deliveries",
        key="webhook_id, id",
        age="tried_at",
        days=lambda settings: settings.event_days,
        where="state <> 'waiting'",
    ),
    Rule(
        name="commands",
        table="commands",
        key="id",
        age="created_at",
        days=lambda _: 90,
    ),
    Rule(
        name="chat_messages",
        table="chat_messages",
        key="id",
        age="said_at",
        days=lambda _: 30,
    ),
    Emptied(
        name="reports",
        table="reports",
        key="id",
        age="closed_at",
        days=lambda settings: settings.report_days,
        where="text IS NOT NULL",
        columns=("text",),
    ),
    Emptied(
        name="report_excerpts",
        table="report_excerpts",
        key="report_id, position",
        age="closed_at",
        days=lambda settings: settings.report_days,
        where="salt IS NOT NULL",
        columns=("salt", "message", "player_name", "target_name"),
    ),
    Emptied(
        name="case_excerpts",
        table="case_excerpts",
        key="case_id, position",
        age="closed_at",
        days=lambda settings: settings.report_days,
        where="salt IS NOT NULL",
        columns=("salt", "message", "player_name", "target_name"),
    ),
    Emptied(
        name="case_notes",
        table="case_notes",
        key="id",
        age="closed_at",
        days=lambda settings: settings.report_days,
        where="text IS NOT NULL",
        columns=("text",),
    ),
    Rule(
        name="case_viewers",
        table="case_viewers",
        key="case_id, actor",
        age="seen_at",
        days=lambda _: 1,
    ),
    Emptied(
        name="replies",
        table="replies",
        key="caller, key",
        age="created_at",
        days=lambda _: 30,
        where="body IS NOT NULL",
        columns=("body",),
    ),
    Rule(
        name="deleted_players",
        table="deleted_players",
        key="player_id",
        age="deleted_at",
        days=lambda settings: settings.deleted_player_days,
    ),
    Rule(
        name="deleted_guilds",
        table="deleted_guilds",
        key="guild_id",
        age="deleted_at",
        days=lambda settings: settings.deleted_player_days,
    ),
    # Until then a claim can be undone: its items return to their letter.
    Rule(
        name="letters",
        table="letters",
        key="player_id, id",
        age="ended_at",
        days=lambda settings: settings.deleted_player_days,
        where="ended_at IS NOT NULL",
    ),
    Emptied(
        name="erased_users",
        table="erased_users",
        key="user_id",
        age="erased_at",
        days=lambda _: 0,
        # While a sanction is not over, its account must not come back without it.
        where="""
            email_tag IS NOT NULL
            AND NOT EXISTS (SELECT FROM sanctions
                             WHERE sanctions.user_id = erased_users.user_id
                               AND kind IN ('ban', 'mute', 'trade_lock')
                               AND lifted_at IS NULL AND ends_at > statement_timestamp())
        """,
        columns=("email_tag",),
    ),
    Rule(
        name="erased_identities",
        table="erased_identities",
        key="tag, user_id",
        age="erased_at",
        days=lambda _: 0,
        where="""
            NOT EXISTS (SELECT FROM sanctions
                         WHERE sanctions.user_id = erased_identities.user_id
                           AND kind IN ('ban', 'mute', 'trade_lock')
                           AND lifted_at IS NULL AND ends_at > statement_timestamp())
        """,
    ),
    Rule(
        name="approval_requests",
        table="approval_requests",
        key="id",
        age="expires_at",
        days=lambda _: 366,
    ),
    Rule(
        name="quota_usage",
        table="quota_usage",
        key="actor, day, subject",
        age="day",
        days=lambda _: 31,
    ),
    *STATISTICS,
]
