"""Access ban commands: list, impose and lift bans of devices and address ranges."""

from datetime import timedelta
from typing import Annotated
from uuid import UUID

import typer

from gamekeeper.cli.actor import ByWithoutReason
from gamekeeper.cli.command import Output, TextTable, change, command
from gamekeeper.cli.options import DryRun, Limit
from gamekeeper.cli.sanctions import Cursor, MessageText, Why, span
from gamekeeper.core.names import parse_guid
from gamekeeper.db.database import Database
from gamekeeper.moderation import access_ban_lists, access_bans
from gamekeeper.moderation.access_bans import AccessImposition, AccessLifting, PlannedBan
from gamekeeper.sanctions.access_bans import AccessBan

Target = Annotated[
    str,
    typer.Argument(
        metavar="WHAT",
        help="A device, as `gamekeeper users linked` shows it, an address, or a range such as "
        "203.0.113.0/24.",
    ),
]
For = Annotated[
    timedelta, typer.Option("--for", parser=span, metavar="SPAN", help="30m, 12h, 7d or 4w.")
]
BanKey = Annotated[str, typer.Argument(metavar="CODE", help="The access ban's code or id.")]
InForce = Annotated[bool, typer.Option("--in-force", help="Only active access bans.")]


@command
async def list_(
    database: Database, *, in_force: InForce = False, limit: Limit = 20, cursor: Cursor = None
) -> Output:
    """Show access bans, newest first."""
    found = await access_ban_lists.list_access_bans(
        database.reader, cursor, limit, in_force=True if in_force else None
    )
    rows = [
        [ban.code, _target(ban.device, ban.network), _state(ban), ban.imposed_by_name, ban.reason]
        for ban in found.values
    ]
    table = TextTable(["code", "what", "state", "by", "reason"], rows)
    return Output(found, table, f"More: --cursor {found.next}" if found.next else None)


@change("sanctions.access")
async def impose(
    database: Database,
    what: Target,
    *,
    for_: For,
    reason: Why,
    message: MessageText = "",
    dry_run: DryRun = False,
    by: ByWithoutReason,
) -> Output:
    """
    Ban a device or an address range.

    No account can sign in, refresh a token or join from there. With
    --dry-run the command lists the accounts that were used from there, and bans nothing.
    """
    device = parse_guid(what)
    order = AccessImposition(
        by=by,
        device=device,
        range=None if device else what,
        duration=for_,
        reason=reason,
        message=message,
    )
    act = access_bans.preview if dry_run else access_bans.impose
    planned = await act.one(database, order)
    rows = [
        [account.user_name, f"{account.last_seen:%Y-%m-%d %H:%M} UTC", _about(account)]
        for account in planned.accounts.shown
    ]
    return Output(planned.made or planned, TextTable(["account", "seen", ""], rows), _said(planned))


@change("sanctions.access")
async def lift(database: Database, key: BanKey, *, reason: Why, by: ByWithoutReason) -> Output:
    """Lift an access ban; its record is kept."""
    lifted = await access_bans.lift.one(database, AccessLifting(by=by, ban=key, reason=reason))
    return Output(lifted, f"Lifted {lifted.code}: {_target(lifted.device, lifted.network)}.")


def _said(planned: PlannedBan) -> str:
    ban, made = planned.ban, planned.made
    did = f"Imposed {made.code}" if made else "Would ban"
    until = f"until {ban.ends_at:%Y-%m-%d %H:%M} UTC"
    accounts = planned.accounts.count
    seen = "1 account was" if accounts == 1 else f"{accounts:,} accounts were"
    return f"{did}: {_target(ban.device, ban.network)}, {until}. {seen} used from there."


def _about(account: access_ban_lists.AffectedAccount) -> str:
    words = ["staff"] if account.is_staff else []
    return ", ".join([*words, "banned"] if account.is_banned else words)


def _target(device: UUID | None, network: str | None) -> str:
    return f"device {device}" if device else f"range {network}"


def _state(ban: AccessBan) -> str:
    if ban.lifted_at:
        return f"lifted {ban.lifted_at:%Y-%m-%d}"
    return f"until {ban.ends_at:%Y-%m-%d %H:%M} UTC" if ban.in_force else "ended"
