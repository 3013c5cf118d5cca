"""Information endpoints: the name, the limits and the state of the game."""

from gamekeeper_client.calls import (
    Group,
    How,
    reads,
)
from gamekeeper_client.records import (
    Authorized,
    GameConfig,
    GameInfo,
    GameStats,
)


class Info(Group[How]):
    """The name, the limits and the state of the game."""

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
