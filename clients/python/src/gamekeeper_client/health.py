"""Health check endpoints: liveness and readiness."""

from gamekeeper_client.calls import (
    Group,
    How,
    reads,
)
from gamekeeper_client.records import (
    Health as Liveness,
)
from gamekeeper_client.records import (
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
