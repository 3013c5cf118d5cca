"""The overview of the game: what a console shows first, in one answer."""

import asyncio
from itertools import chain

from msgspec import UNSET, structs

from gamekeeper.auth.principal import Principal
from gamekeeper.core.schemas import Instant, Record
from gamekeeper.db.database import Reader
from gamekeeper.events.records import redacted
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
from gamekeeper.operations.overview.shared import SharedFigures, shared_figures
from gamekeeper.operations.overview.state import GameState, read_state

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
    "open_appeals": "sanctions.manage",
    "claimed_cases": "reports.manage",
}
"""The scope that each part needs; each alert needs one of its own too."""


class GameOverview(Record, frozen=True):
    """The state of the game; the parts beyond the scopes of the caller are empty."""

    at: Instant
    """When the online players, servers, alerts, approvals and appeals were read."""
    figures_at: Instant
    """
    When the rest was read: at most 2 seconds before, or up to 60 if the database is slow.
    """
    shown: list[str]
    """
    The parts that the caller may see: `online`, `servers`, `newcomers`, `actions`,
    `staff_actions`, `chain`, `supply`, `alerts`, `pending_approvals`, `open_appeals`,
    `claimed_cases`. The others are empty.
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
    open_appeals: int | None
    """The number of appeals that wait for a decision; null without `sanctions.manage`."""
    claimed_cases: int | None
    """The number of open cases that the caller claimed; null without `reports.manage`."""


async def overview(reader: Reader, caller: Principal) -> GameOverview:
    """All parts that the caller may see: the state as of now, and figures that all share."""
    # Generic plans: with many monthly partitions, planning takes longer than execution.
    reader = reader.lookups
    state, servers, figured = await asyncio.gather(
        read_state(reader), figures.servers_now(reader), shared_figures(reader)
    )
    may_read_actions = caller.may(PARTS["actions"])
    hours = figures.last_day(figured.hours, state.at, complete=state.is_counted)
    return GameOverview(
        at=state.at,
        figures_at=figured.at,
        shown=[part for part, scope in PARTS.items() if caller.may(scope)],
        online=OnlineNow(now=state.online, sampled_at=state.sampled_at, curve=figured.curve),
        servers=servers,
        newcomers=figures.newcomers(
            figured.hours, state.at, accounts=caller.sees_accounts, complete=state.is_counted
        ),
        actions=hours if may_read_actions else _without_values(hours),
        supply=_supply(figured, state, caller),
        staff_actions=_staff_actions(figured, caller),
        chain=state.chain if caller.may(PARTS["chain"]) else ChainState(),
        alerts=await _alerts(reader, state, caller),
        pending_approvals=state.pending_approvals
        if caller.may(PARTS["pending_approvals"])
        else None,
        open_appeals=state.open_appeals if caller.may(PARTS["open_appeals"]) else None,
        claimed_cases=(state.claims or {}).get(caller.id, 0)
        if caller.may(PARTS["claimed_cases"])
        else None,
    )


def _without_values(hours: ActionHours) -> ActionHours:
    return structs.replace(hours, counted_until=None, values=[])


def _supply(figured: SharedFigures, state: GameState, caller: Principal) -> SupplyChanges:
    values = figured.supply.values if caller.may(PARTS["supply"]) else []
    return structs.replace(figured.supply, complete=state.is_added_up, values=values)


def _staff_actions(figured: SharedFigures, caller: Principal) -> list[Entry]:
    """The actions without what the caller may not see."""
    if not caller.may(PARTS["staff_actions"]):
        return []
    found = [redacted(entry, emails=caller.sees_emails) for entry in figured.staff_actions]
    if caller.sees_accounts:
        return found
    return [structs.replace(entry, user_name=UNSET) for entry in found]


async def _alerts(reader: Reader, state: GameState, caller: Principal) -> list[Alert]:
    checks = [check for check in alerts.CHECKS if caller.may(check.scope)]
    found = await asyncio.gather(*(check.find(reader, state, caller) for check in checks))
    return [*chain(*found)]
