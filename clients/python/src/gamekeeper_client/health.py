"""Health check endpoints: liveness, readiness, the checks of the installation, the ledger."""

from gamekeeper_client.calls import (
    Group,
    How,
    Key,
    posts,
    reads,
)
from gamekeeper_client.records import (
    Health as Liveness,
)
from gamekeeper_client.records import (
    HealthReport,
    LedgerVerification,
    Readiness,
)


class Health(Group[How]):
    """Health checks of the service."""

    @reads("/livez")
    def alive(self) -> Liveness:
        """Liveness: the process runs."""
        ...

    @reads("/readyz")
    def ready(self) -> Readiness:
        """Readiness: the service can handle requests."""
        ...

    @reads("/api/v1/health")
    def report(self) -> HealthReport:
        """The checks of the installation, and the last backup; up to ten seconds."""
        ...

    @reads("/api/v1/ledger/verification")
    def ledger_verification(self) -> LedgerVerification:
        """The last verification of the ledger that was started by the API."""
        ...

    @posts("/api/v1/ledger/verification")
    def verify_ledger(
        self, *, reason: str | None = None, idempotency_key: Key = None
    ) -> LedgerVerification:
        """Start a verification of the ledger, by a worker; or get the one that is open."""
        ...
