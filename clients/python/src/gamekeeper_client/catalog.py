"""The catalog: the endpoints under /api/v1/catalog."""

from collections.abc import Sequence

from gamekeeper_client.calls import Group, How, Id, every, reads
from gamekeeper_client.fields import Page
from gamekeeper_client.records import ClassEntry, ItemEntry, SpellEntry, VariableEntry

Ids = str | Sequence[Id] | None


class Catalog(Group[How]):
    """The items, spells, variables and classes of the game, with their names."""

    @reads("/api/v1/catalog/items")
    def items_page(
        self,
        page: int = 0,
        page_size: int = 100,
        *,
        search: str | None = None,
        ids: Ids = None,
        limit: int | None = None,
    ) -> Page[ItemEntry]:
        """A page of the catalog's items, by name; of `ids` only, if given."""
        ...

    items = every(items_page)

    @reads("/api/v1/catalog/items/{item_id}")
    def get_item(self, item_id: Id) -> ItemEntry:
        """One item of the catalog."""
        ...

    @reads("/api/v1/catalog/spells")
    def spells_page(
        self,
        page: int = 0,
        page_size: int = 100,
        *,
        search: str | None = None,
        ids: Ids = None,
        limit: int | None = None,
    ) -> Page[SpellEntry]:
        """A page of the catalog's spells, by name; of `ids` only, if given."""
        ...

    spells = every(spells_page)

    @reads("/api/v1/catalog/spells/{spell_id}")
    def get_spell(self, spell_id: Id) -> SpellEntry:
        """One spell of the catalog."""
        ...

    @reads("/api/v1/catalog/variables")
    def variables_page(
        self,
        page: int = 0,
        page_size: int = 100,
        *,
        search: str | None = None,
        ids: Ids = None,
        limit: int | None = None,
    ) -> Page[VariableEntry]:
        """A page of the catalog's variables, by name; of `ids` only, if given."""
        ...

    variables = every(variables_page)

    @reads("/api/v1/catalog/variables/{variable_id}")
    def get_variable(self, variable_id: Id) -> VariableEntry:
        """One player variable of the catalog."""
        ...

    @reads("/api/v1/catalog/classes")
    def classes_page(
        self,
        page: int = 0,
        page_size: int = 100,
        *,
        search: str | None = None,
        ids: Ids = None,
        limit: int | None = None,
    ) -> Page[ClassEntry]:
        """A page of the catalog's classes, by name; of `ids` only, if given."""
        ...

    classes = every(classes_page)

    @reads("/api/v1/catalog/classes/{class_id}")
    def get_class(self, class_id: Id) -> ClassEntry:
        """One character class of the catalog."""
        ...
