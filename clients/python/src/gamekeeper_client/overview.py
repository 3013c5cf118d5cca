"""The whole game at a glance: its state, and one search for everything."""

from gamekeeper_client.calls import Group, How, reads
from gamekeeper_client.records import GameOverview, SearchResult


class Overview(Group[How]):
    """The whole game at a glance."""

    @reads("/api/v1/overview")
    def get(self) -> GameOverview:
        """Who is online, who is new, what is done, what should be mended."""
        ...

    @reads("/api/v1/search")
    def search(self, q: str) -> SearchResult:
        """Players, accounts, items, sanctions, actions and transactions that match a text."""
        ...
