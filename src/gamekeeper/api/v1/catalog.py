"""Catalog endpoints: what items, spells, variables and classes there are, and their names."""

from http import HTTPStatus
from uuid import UUID

from gamekeeper.api.path_parameters import ClassId, ItemId, SpellId, VariableId
from gamekeeper.catalog import icons, lists
from gamekeeper.catalog.icons import IconNotFound
from gamekeeper.catalog.lists import (
    CLASSES,
    ITEMS,
    SPELLS,
    VARIABLES,
    ClassEntry,
    ClassNotFound,
    ItemEntry,
    SpellEntry,
    SpellNotFound,
    VariableEntry,
)
from gamekeeper.catalog.variables import VariableNotFound
from gamekeeper.core.errors import InvalidQuery
from gamekeeper.core.names import parse_guid
from gamekeeper.core.schemas import LARGEST_PAGE, Page, Query, Searching
from gamekeeper.core.search import Search
from gamekeeper.db.database import Reader
from gamekeeper.http.requests import Request
from gamekeeper.http.responses import Response
from gamekeeper.http.routing import Routes
from gamekeeper.ledger.economy.supply import ItemNotFound

routes = Routes("/api/v1/catalog", roles=["players.read"])

PNG = "image/png"


class CatalogQuery(Searching, frozen=True):
    page_size: int = LARGEST_PAGE
    search: str | None = None
    """Only names that contain this, case-insensitive; 2 to 64 characters."""
    ids: str | None = None
    """Only these: at most 100 ids, separated by commas. Unknown ids are omitted."""

    @property
    def wanted(self) -> list[UUID] | None:
        if self.ids is None:
            return None
        ids = [parse_guid(part.strip()) for part in self.ids.split(",") if part.strip()]
        found = [item for item in ids if item is not None]
        if len(found) < len(ids) or len(ids) > LARGEST_PAGE:
            raise InvalidQuery(
                f"'ids' must be at most {LARGEST_PAGE} guids, separated by commas.", field="ids"
            )
        return found


@routes.get("/items", revalidated=True)
async def list_catalog_items(reader: Reader, query: CatalogQuery) -> Page[ItemEntry]:
    """The items of the catalog, by name."""
    search = Search.of(query.search)
    return await lists.list_entries(reader, ITEMS, query.window, search, query.wanted)


@routes.get("/items/{item_id}", raises=(ItemNotFound,), revalidated=True)
async def get_catalog_item(reader: Reader, item_id: ItemId) -> ItemEntry:
    """One item of the catalog."""
    return await lists.find_entry(reader, ITEMS, item_id)


class IconQuery(Query, frozen=True):
    v: str | None = None
    """
    The beginning of the picture's SHA-256, as in the item's `Icon`: then the answer may be kept
    for good.
    """


# Not public: whoever shows items to strangers gives their icons an https address.
@routes.get("/items/{item_id}/icon", raises=(IconNotFound,), media_type=PNG)
async def get_catalog_icon(
    reader: Reader, item_id: ItemId, query: IconQuery, request: Request
) -> Response:
    """The icon of an item, a PNG, if the catalog keeps it; see `Icon` of the item."""
    icon = await icons.find_icon(reader, item_id)
    tag = f'"{icon.digest[:32]}"'
    is_known = tag in request.headers.get("if-none-match", "")
    # The address of an item's icon has the digest in it: another picture has another address.
    is_for_good = bool(query.v) and icon.digest.startswith(query.v or "")
    return Response(
        body=b"" if is_known else icon.png,
        status=HTTPStatus.NOT_MODIFIED if is_known else HTTPStatus.OK,
        content_type=PNG,
        cache_control=b"private, max-age=31536000, immutable"
        if is_for_good
        else b"private, no-cache",
        headers=[("ETag", tag), ("Content-Security-Policy", "default-src 'none'")],
    )


@routes.get("/spells", revalidated=True)
async def list_catalog_spells(reader: Reader, query: CatalogQuery) -> Page[SpellEntry]:
    """The spells of the catalog, by name."""
    search = Search.of(query.search)
    return await lists.list_entries(reader, SPELLS, query.window, search, query.wanted)


@routes.get("/spells/{spell_id}", raises=(SpellNotFound,), revalidated=True)
async def get_catalog_spell(reader: Reader, spell_id: SpellId) -> SpellEntry:
    """One spell of the catalog."""
    return await lists.find_entry(reader, SPELLS, spell_id)


@routes.get("/variables", revalidated=True)
async def list_catalog_variables(reader: Reader, query: CatalogQuery) -> Page[VariableEntry]:
    """The player variables of the catalog, by name."""
    search = Search.of(query.search)
    return await lists.list_entries(reader, VARIABLES, query.window, search, query.wanted)


@routes.get("/variables/{variable_id}", raises=(VariableNotFound,), revalidated=True)
async def get_catalog_variable(reader: Reader, variable_id: VariableId) -> VariableEntry:
    """One player variable of the catalog."""
    return await lists.find_entry(reader, VARIABLES, variable_id)


@routes.get("/classes", revalidated=True)
async def list_catalog_classes(reader: Reader, query: CatalogQuery) -> Page[ClassEntry]:
    """The character classes of the catalog, by name."""
    search = Search.of(query.search)
    return await lists.list_entries(reader, CLASSES, query.window, search, query.wanted)


@routes.get("/classes/{class_id}", raises=(ClassNotFound,), revalidated=True)
async def get_catalog_class(reader: Reader, class_id: ClassId) -> ClassEntry:
    """One character class of the catalog."""
    return await lists.find_entry(reader, CLASSES, class_id)
