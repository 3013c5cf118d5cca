"""The health of the installation, for owners and administrators: checks, backup, ledger."""

from gamekeeper.db.database import Database, Reader
from gamekeeper.db.operations import AuditContext
from gamekeeper.http.load_shedding import ALWAYS
from gamekeeper.http.routing import Routes
from gamekeeper.ledger import verification_jobs
from gamekeeper.ledger.verification_jobs import LedgerVerification, VerificationRequest
from gamekeeper.operations.doctor import report
from gamekeeper.operations.doctor.report import HealthReport

# Findings name hosts, versions and weaknesses of the installation: only for those who manage it.
routes = Routes("/api/v1", roles=["staff.manage"])


# An overloaded service is when it is needed, and most of it is waiting for others.
@routes.get("/health", priority=ALWAYS)
async def get_health(database: Database) -> HealthReport:
    """
    The checks of `gamekeeper doctor` as the service sees them, and the last backup.

    It takes ten seconds at most. Each check has five; one that hangs is `unknown`.
    """
    return await report.report(database)


@routes.get("/ledger/verification")
async def get_ledger_verification(reader: Reader) -> LedgerVerification:
    """The last verification of the ledger that was started here: its state and progress."""
    return await verification_jobs.last(reader)


@routes.post("/ledger/verification")
async def start_ledger_verification(database: Database, by: AuditContext) -> LedgerVerification:
    """
    Verify the ledger in the background, by a worker; it changes nothing.

    One runs at a time: while one is waiting or running, the response is that one. The law names
    are those of `gamekeeper ledger verify`, which lists each fault.
    """
    return await verification_jobs.start.one(database, VerificationRequest(by=by))
