"""Endpoints of findings: unusual increases and exceeded rules, and their acknowledgement."""

from uuid import UUID

from msgspec import structs

from gamekeeper.api.path_parameters import FindingId
from gamekeeper.auth.principal import Principal
from gamekeeper.core.schemas import Body, Page, Paging
from gamekeeper.db.database import Database, Reader
from gamekeeper.db.operations import AuditContext
from gamekeeper.http.routing import Routes
from gamekeeper.ledger.findings import queue
from gamekeeper.ledger.findings.queue import (
    Acknowledgement,
    FindingAcknowledged,
    FindingDetails,
    InvalidFindingNote,
)
from gamekeeper.ledger.findings.records import EconomyFinding, FindingNotFound, FindingState

routes = Routes("/api/v1/economy/findings")

READ = "economy.read"


class FindingQuery(Paging, frozen=True):
    state: FindingState | None = None
    """Only `open` or only `acknowledged` findings."""
    item: UUID | None = None
    """Only findings about this item."""


@routes.get("", READ)
async def list_findings(
    reader: Reader, caller: Principal, query: FindingQuery
) -> Page[EconomyFinding]:
    """Unusual increases and exceeded rules, newest first."""
    page = await queue.list_findings(reader, query.state, query.item, query.window)
    return structs.replace(page, values=[_seen(finding, caller) for finding in page.values])


@routes.get("/{id}", READ, raises=(FindingNotFound,))
async def get_finding(reader: Reader, caller: Principal, id: FindingId) -> FindingDetails:  # noqa: A002
    """One finding, and the ids of the actions behind it."""
    found = await queue.find_details(reader, id)
    return structs.replace(found, finding=_seen(found.finding, caller))


class AcknowledgeFinding(Body, frozen=True):
    note: str
    """The result of the investigation, 1 to 500 characters; other staff members read it."""


@routes.post(
    "/{id}/acknowledge",
    "economy.manage",
    raises=(FindingNotFound, FindingAcknowledged, InvalidFindingNote),
)
async def acknowledge_finding(
    database: Database,
    caller: Principal,
    by: AuditContext,
    id: FindingId,  # noqa: A002
    body: AcknowledgeFinding,
) -> EconomyFinding:
    """
    Acknowledge a finding, with a note. It leaves the overview and stays acknowledged.

    If the increase continues, the next hour is a new finding.
    """
    order = Acknowledgement(by=by, finding_id=id, note=queue.check_note(body.note))
    return await queue.acknowledge.one(database, order, lambda finding: _seen(finding, caller))


def _seen(finding: EconomyFinding, caller: Principal) -> EconomyFinding:
    return finding.redacted(actors=caller.may("actions.read"), accounts=caller.sees_accounts)
