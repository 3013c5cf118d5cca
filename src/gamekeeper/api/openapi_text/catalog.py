"""Text and examples for the OpenAPI document: the catalog."""

from gamekeeper.api.openapi_text.examples import FIREBALL, POTION, SLAIN, WARRIOR
from gamekeeper.catalog.lists import ClassEntry, ItemEntry, SpellEntry, VariableEntry
from gamekeeper.core.schemas import LARGEST_PAGE, Page, Window
from gamekeeper.http.openapi import Example

ITEM = ItemEntry(
    id=POTION,
    name="Health Potion",
    type="consumable",
    stackable=True,
    inventory_stack=20,
    bank_stack=200,
    bag_slots=0,
    bankable=True,
    value=12,
    icon=f"/api/v1/catalog/items/{POTION}/icon?v=5f3a90c1d2e4b876",
)
SPELL = SpellEntry(id=FIREBALL, name="Fireball", bound=False)
VARIABLE = VariableEntry(id=SLAIN, name="Monsters Slain", type="integer", owner="player", default=0)
CLASS = ClassEntry(
    id=WARRIOR,
    name="Warrior",
    base_vitals=[140, 40],
    vital_increases=[18, 3],
    base_stats=[14, 4, 13, 7, 8],
    base_exp=100,
    exp_increase=10,
    max_level=100,
)
WHOLE = Window.of(0, LARGEST_PAGE)

CATALOG_EXAMPLES = {
    "list_catalog_items": Example(answer=Page.of([ITEM], 1, WHOLE)),
    "get_catalog_item": Example(answer=ITEM),
    "list_catalog_spells": Example(answer=Page.of([SPELL], 1, WHOLE)),
    "get_catalog_spell": Example(answer=SPELL),
    "list_catalog_variables": Example(answer=Page.of([VARIABLE], 1, WHOLE)),
    "get_catalog_variable": Example(answer=VARIABLE),
    "list_catalog_classes": Example(answer=Page.of([CLASS], 1, WHOLE)),
    "get_catalog_class": Example(answer=CLASS),
}
