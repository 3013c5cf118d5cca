"""
The safety steps after a restore, in one transaction with the action that records them.

A backup is of the past. What was revoked, used up or carried out since then is live again in
it: credentials, commands to the game, jobs. And the world outside remembers the lost time:
receivers of webhooks, game servers with leases, clients that follow the events.
"""

from collections.abc import Mapping, Sequence
from typing import Any, LiteralString

from msgspec import Struct

from gamekeeper.auth import keys
from gamekeeper.auth.keys import LIVE, KeyNotFound
from gamekeeper.core.errors import Problem
from gamekeeper.db.database import Writer
from gamekeeper.db.operations import AuditContext
from gamekeeper.ledger import actions, chain
from gamekeeper.ledger.actions import Action

PAUSED = "restored from a backup"
"""Why a webhook is off."""
ALL = "all"
"""Instead of names: every key stays valid."""


class SafetySteps(Struct, frozen=True, kw_only=True):
    """What was ended, and how many of each."""

    tokens: int
    browser_sessions: int
    openid_sessions: int
    openid_sign_ins: int
    sign_in_links: int
    staff_invitations: int
    password_resets: int
    email_verifications: int
    link_codes: int
    identity_flows: int
    keys_revoked: list[str]
    keys_kept: list[str]
    webhooks_paused: int
    leases_ended: int
    commands_expired: int
    jobs_dropped: int
    first_event: int
    """The number of the restore among the events: beyond all that were sent before."""


def check_names(live: Sequence[str], keep: tuple[str, ...]) -> None:
    """Raise if what was restored has no such keys."""
    unknown = [name for name in keep if name != ALL and name not in live]
    if unknown:
        raise KeyNotFound(
            f"The backup has no active key called '{unknown[0]}'. It has: "
            f"{', '.join(live) or 'none'}."
        )


async def apply(
    writer: Writer, source: Mapping[str, Any], by: AuditContext, keep: tuple[str, ...]
) -> SafetySteps:
    """Make a restored database safe to serve, and record it with what it was restored from."""
    counts = {name: await writer.run(statement) for name, statement in STEPS.items()}
    await writer.run(FENCES)
    revoked, kept = await _revoke_keys(writer, by, keep)
    counted: dict[str, Any] = counts | {"keys_revoked": revoked, "keys_kept": kept}
    action = Action(kind="database.restore", by=by, after={**source, **counted})
    await actions.record(writer, [action])
    first = await chain.begin_epoch(writer, action.id)
    return SafetySteps(**counted, first_event=first)


STEPS: dict[str, LiteralString] = {
    "tokens": """
        UPDATE token_families SET revoked_at = now()
         WHERE revoked_at IS NULL AND expires_at > statement_timestamp()
    """,
    "browser_sessions": """
        UPDATE browser_sessions SET ended_at = now()
         WHERE ended_at IS NULL AND expires_at > statement_timestamp()
    """,
    "openid_sessions": "UPDATE openid_sessions SET ended_at = now() WHERE ended_at IS NULL",
    "openid_sign_ins": "UPDATE openid_sign_ins SET ended_at = now() WHERE ended_at IS NULL",
    "sign_in_links": "UPDATE sign_in_links SET used_at = now() WHERE used_at IS NULL",
    "staff_invitations": """
        UPDATE staff_invitations SET revoked_at = now()
         WHERE accepted_at IS NULL AND revoked_at IS NULL
    """,
    "password_resets": "UPDATE password_resets SET used_at = now() WHERE used_at IS NULL",
    "email_verifications": "UPDATE email_verifications SET used_at = now() WHERE used_at IS NULL",
    "link_codes": "DELETE FROM link_codes",
    "identity_flows": "DELETE FROM identity_flows",
    "webhooks_paused": f"""
        UPDATE webhooks SET enabled = false, off_reason = '{PAUSED}' WHERE enabled
    """,
    "leases_ended": """
        UPDATE servers
           SET lease_until = CASE WHEN isfinite(lease_until) THEN clock_timestamp()
                                  ELSE '-infinity' END
         WHERE lease_until > clock_timestamp()
    """,
    # Perhaps they were carried out after the backup: a command is carried out at most once.
    "commands_expired": """
        UPDATE commands SET state = 'expired', expires_at = least(expires_at, now())
         WHERE state IN ('waiting', 'delivered')
    """,
    # Mails that were sent since, and tests of webhooks.
    "jobs_dropped": "DELETE FROM pgqueuer",
}

# A process from the lost time may hold a number that is not given out yet. Numbers grow by less
# than one in a second, so the seconds since 2026 are beyond all of them.
FENCES: LiteralString = """
    SELECT setval('fences', greatest(
        (SELECT last_value FROM fences) + 1,
        extract(epoch FROM clock_timestamp() - timestamptz '2026-01-01 00:00Z')::bigint
    ))
"""


async def _revoke_keys(
    writer: Writer, by: AuditContext, keep: tuple[str, ...]
) -> tuple[list[str], list[str]]:
    """Revoke the live keys that are not named; the names of those, and of the others."""
    rows = await writer.rows(f"SELECT id, name FROM api_keys WHERE {LIVE} ORDER BY name, id")
    ended = [row for row in rows if ALL not in keep and row["name"] not in keep]
    gone = {row["id"] for row in ended}
    outcomes = await keys.revoke(
        writer, [keys.Revocation(by=by, key=str(row["id"])) for row in ended]
    )
    for outcome in outcomes:
        if isinstance(outcome, Problem):
            raise outcome
    return (
        [row["name"] for row in ended],
        [row["name"] for row in rows if row["id"] not in gone],
    )
