"""Information endpoints: the name, the limits and the state of the game."""

from gamekeeper_client.calls import (
    Group,
    How,
    reads,
)
from gamekeeper_client.fields import JsonObject
from gamekeeper_client.records import (
    ApiInfo,
    Authorized,
    GameConfig,
    GameInfo,
    GameStats,
)


class Info(Group[How]):
    """The name, the limits and the state of the game."""

    @reads("/api/info")
    def api(self) -> ApiInfo:
        """The versions of the API; needs no key."""
        ...

    @reads("/api/info/versions")
    def versions(self) -> list[str]:
        """The versions of the API, alone; needs no key."""
        ...

    @reads("/api/v1/info")
    def get(self) -> GameInfo:
        """The name of the game, and the port of the service's public address."""
        ...

    @reads("/api/v1/info/authorized")
    def authorized(self) -> Authorized:
        """Whether the credential is good; if not, the call is refused."""
        ...

    @reads("/api/v1/info/stats")
    def stats(self) -> GameStats:
        """How long the service has run, and how many characters are in the game now."""
        ...

    @reads("/api/v1/info/config")
    def config(self) -> GameConfig:
        """The limits of characters, as the service is configured."""
        ...

    @reads("/api/v1/info/config/stats")
    def stat_names(self) -> list[str]:
        """The names of the stats, in the order of their values."""
        ...

    @reads("/api/v1/info/metrics")
    def metrics(self) -> JsonObject:
        """Always empty; those of the service are at `/metrics`."""
        ...
