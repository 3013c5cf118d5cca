"""Variables of the game: the endpoints under /api/v1/variables."""

from gamekeeper_client.calls import Group, How, Id, Key, every, posts, reads
from gamekeeper_client.fields import LegacyPage, Page
from gamekeeper_client.players import Value
from gamekeeper_client.records import GameVariable, VariableValue


class GameVariables(Group[How]):
    """Variables with one value for all who play. The paths with `global` are the older ones."""

    @reads("/api/v1/variables")
    def page(
        self, page: int = 0, page_size: int = 100, *, limit: int | None = None
    ) -> Page[GameVariable]:
        """A page of the game's variables, by name."""
        ...

    all = every(page)

    @reads("/api/v1/variables/{variable_id}")
    def get(self, variable_id: Id) -> GameVariable:
        """One variable; unset, it has the default of its type."""
        ...

    @reads("/api/v1/variables/{variable_id}/value")
    def value(self, variable_id: Id) -> VariableValue:
        """The value alone."""
        ...

    @posts("/api/v1/variables/{variable_id}")
    def set(
        self,
        variable_id: Id,
        value: Value,
        *,
        reason: str | None = None,
        idempotency_key: Key = None,
    ) -> GameVariable:
        """Set a variable, for all who play."""
        ...

    @reads("/api/v1/variables/global")
    def global_page(
        self, page: int = 0, page_size: int = 100, *, limit: int | None = None
    ) -> Page[GameVariable]:
        """The same as `page`."""
        ...

    @posts("/api/v1/variables/global", keyed=False)
    def page_by_post(self, page: int = 0, count: int = 100) -> LegacyPage[GameVariable]:
        """Deprecated: the variables in the older envelope. Use `page`."""
        ...

    @reads("/api/v1/variables/global/{variable_id}")
    def get_global(self, variable_id: Id) -> GameVariable:
        """The same as `get`."""
        ...

    @reads("/api/v1/variables/global/{variable_id}/value")
    def global_value(self, variable_id: Id) -> VariableValue:
        """The same as `value`."""
        ...

    @posts("/api/v1/variables/global/{variable_id}")
    def set_global(
        self,
        variable_id: Id,
        value: Value,
        *,
        reason: str | None = None,
        idempotency_key: Key = None,
    ) -> GameVariable:
        """The same as `set`."""
        ...
