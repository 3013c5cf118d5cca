"""The overview of the game: what a console shows first, in one answer."""

import asyncio
from datetime import datetime
from itertools import chain

from gamekeeper.approvals.records import count_pending
from gamekeeper.auth.principal import Principal
from gamekeeper.core.schemas import Instant, Record
from gamekeeper.db.database import Reader
from gamekeeper.events.records import redacted
from gamekeeper.ledger import verifications
from gamekeeper.ledger.audit_log import Entry
from gamekeeper.ledger.verifications import ChainState
from gamekeeper.operations.overview import alerts, figures
from gamekeeper.operations.overview.alerts import Alert
from gamekeeper.operations.overview.figures import (
    ActionHours,
    Newcomers,
    OnlineNow,
    ServersNow,
    SupplyChanges,
)

PARTS = {
    "online": "players.read",
    "servers": "players.read",
    "newcomers": "players.read",
    "actions": "actions.read",
    "staff_actions": "actions.read",
    "chain": "actions.read",
    "supply": "economy.read",
    "alerts": "players.read",
    "pending_approvals": "approvals",
}
"""The scope that each part needs; each alert needs one of its own too."""


class GameOverview(Record, frozen=True):
    """The state of the game; the parts beyond the scopes of the caller are empty."""

    at: Instant
    """When it was read."""
    shown: list[str]
    """
    The parts that the caller may see: `online`, `servers`, `newcomers`, `actions`,
    `staff_actions`, `chain`, `supply`, `alerts`, `pending_approvals`. The others are empty.
    """
    online: OnlineNow
    servers: ServersNow
    newcomers: Newcomers
    actions: ActionHours
    supply: SupplyChanges
    staff_actions: list[Entry]
    """
    The last ten actions of staff and of the command line in 30 days, with names, newest first.
    """
    chain: ChainState
    """
    When `gamekeeper actions verify` last verified the hash chain of the audit log, and with
    which result.
    """
    alerts: list[Alert]
    pending_approvals: int | None
    """The number of pending approvals; null without `approvals`."""


async def overview(reader: Reader, caller: Principal) -> GameOverview:
    """All parts that the caller may see, read at the same time."""
    # Generic plans: with many monthly partitions, planning takes longer than execution.
    reader = reader.lookups
    now: datetime = await reader.value("SELECT now()")
    online, servers, hours, supply, staff, found = await asyncio.gather(
        figures.online_now(reader),
        figures.servers_now(reader),
        figures.action_hours(reader, now),
        _supply(reader, caller, now),
        _staff_actions(reader, caller),
        _alerts(reader, caller),
    )
    return GameOverview(
        at=now,
        shown=[part for part, scope in PARTS.items() if caller.may(scope)],
        online=online,
        servers=servers,
        newcomers=figures.newcomers(hours, now, accounts=caller.sees_accounts),
        actions=figures.last_day(hours, now)
        if caller.may(PARTS["actions"])
        else ActionHours(since=now, counted_until=None, values=[]),
        supply=supply,
        staff_actions=staff,
        chain=await _chain_state(reader, caller),
        alerts=found,
        pending_approvals=await _pending_approvals(reader, caller),
    )


async def _supply(reader: Reader, caller: Principal, now: datetime) -> SupplyChanges:
    if not caller.may(PARTS["supply"]):
        return SupplyChanges(since=now, values=[])
    return await figures.supply_changes(reader, now)


async def _staff_actions(reader: Reader, caller: Principal) -> list[Entry]:
    if not caller.may(PARTS["staff_actions"]):
        return []
    found = await figures.staff_actions(reader, accounts=caller.sees_accounts)
    return [redacted(entry, emails=caller.sees_emails) for entry in found]


async def _chain_state(reader: Reader, caller: Principal) -> ChainState:
    if not caller.may(PARTS["chain"]):
        return ChainState()
    return await verifications.last_verification(reader)


async def _alerts(reader: Reader, caller: Principal) -> list[Alert]:
    checks = [check for check in alerts.CHECKS if caller.may(check.scope)]
    return [*chain(*await asyncio.gather(*(check.find(reader, caller) for check in checks)))]


async def _pending_approvals(reader: Reader, caller: Principal) -> int | None:
    return await count_pending(reader) if caller.may(PARTS["pending_approvals"]) else None
