"""Health checks: whether the service is there."""

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
    """Whether the service is there."""

    @reads("/livez")
    def alive(self) -> Liveness:
        """The process runs."""
        ...

    @reads("/readyz")
    def ready(self) -> Readiness:
        """It can serve."""
        ...
