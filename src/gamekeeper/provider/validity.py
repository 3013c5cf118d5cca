"""Whether sessions and sign-ins are still valid."""

from typing import LiteralString

from gamekeeper.sanctions.in_force import NOT_OVER


def live(table: LiteralString) -> LiteralString:
    """
    The condition that a row of `openid_sessions` or `openid_sign_ins` is valid.

    A ban or a new password ends the rows of its account, but not always at once: a ban may begin
    and end while no worker runs, and an older version of the service replaces passwords without
    knowing these tables. So both are compared with the time of the sign-in.
    """
    return f"""
        {table}.ended_at IS NULL AND {table}.expires_at > statement_timestamp()
        AND NOT EXISTS (SELECT FROM passwords
                         WHERE passwords.user_id = {table}.user_id
                           AND passwords.changed_at > {table}.authenticated_at)
        AND NOT EXISTS (SELECT FROM sanctions
                         WHERE sanctions.user_id = {table}.user_id
                           AND sanctions.player_id IS NULL AND sanctions.kind = 'ban'
                           AND starts_at <= statement_timestamp()
                           AND greatest(imposed_at, starts_at) > {table}.authenticated_at
                           AND (lifted_at IS NULL OR lifted_at > starts_at))
        AND NOT EXISTS (SELECT FROM access_bans
                         WHERE network >>= {table}.address AND {NOT_OVER})
    """
