"""Text and examples for the OpenAPI document: the catalog."""

from gamekeeper.api.openapi_text.examples import FIREBALL, POTION, SLAIN, WARRIOR
from gamekeeper.catalog.lists import ClassEntry, ItemEntry, SpellEntry, VariableEntry
from gamekeeper.core.schemas import LARGEST_PAGE, Page, Window
from gamekeeper.http.openapi import Example

CATALOG_PARAMETERS = {
    "catalog.item_id": ("The item's id.", str(POTION)),
    "catalog.spell_id": ("The spell's id.", str(FIREBALL)),
    "catalog.variable_id": ("The variable's id.", str(SLAIN)),
    "catalog.class_id": ("The class's id.", str(WARRIOR)),
}

ACTION_NAMES = (
    "Whether to show names beside the ids of items and characters, and of accounts for callers "
    "with the scope `users.query`."
)

CATALOG_FIELDS = {
    "CatalogQuery.search": "Only names that contain this, in any letter case; 2 to 64 characters.",
    "CatalogQuery.ids": "Only these: at most 100 ids, separated by commas. Unknown ones are left "
    "out.",
    "names": "Whether to show names beside the ids of items, spells and variables.",
    "ActionFilters.names": ACTION_NAMES,
    "ActionFilters.items": "Whether to show how many of each item came and went by each action, "
    "as `Items`.",
    "OneAction.names": ACTION_NAMES,
    "OneTransaction.names": ACTION_NAMES,
    "EventFilters.names": ACTION_NAMES,
    "ItemEntry.Type": "`none`, `equipment`, `consumable`, `currency`, `spell`, `event` or `bag`.",
    "ItemEntry.InventoryStack": "How many one slot of an inventory or bag holds.",
    "ItemEntry.BankStack": "How many one slot of a bank holds.",
    "ItemEntry.BagSlots": "How many slots a bag of this kind has; 0 if it is no bag.",
    "ItemEntry.Bankable": "Whether it may be in a bank.",
    "ItemEntry.Value": "What one piece is worth, in the game's own unit, for limits on what is "
    "handed out; null if nobody has said.",
    "ItemEntry.Icon": "The address of its icon: https, or a path below the address of this "
    "service; null: none.",
    "IconQuery.v": "The beginning of the picture's SHA-256, as in the item's `Icon`: then the "
    "answer may be kept for good.",
    "SpellEntry.Bound": "Whether a character that knows it cannot forget it.",
    "VariableEntry.Default": "The value for those for whom it was never set.",
    "VariableEntry.Owner": "Whose values it has: each character, account (`user`) or guild, "
    "or `game`: one value for all.",
    "ClassEntry.BaseVitals": "Health and mana at level 1.",
    "ClassEntry.VitalIncreases": "Health and mana that each level adds.",
    "ClassEntry.BaseStats": "Attack, ability power, defense, magic resist, speed.",
    "ClassEntry.BaseExp": "The experience from level 1 to 2.",
    "ClassEntry.ExpIncrease": "How many per cent more each level needs.",
}

ENTRY_NAMES = {
    "ItemName": "With `names`: the name of `ItemId`; null if that is null.",
    "PlayerName": "With `names`, but not in a character's history: the name of `PlayerId`, also of "
    "a deleted character; null if it is erased, or if the id is null.",
    "UserName": "With `names`, for callers with `users.query`, but not in a character's history: "
    "the name of `UserId`; null if the account is gone, or if the id is null.",
    "Items": "With `items`, in the audit log: how many of each item came to the character by the "
    "action, or went. Items that only changed their place are left out.",
}
OPTIONAL_NAMES = {
    "Slot.ItemName": "With `names`: the item's name, empty if the slot is.",
    "KnownSpell.SpellName": "With `names`: the spell's name.",
    "PlayerVariable.VariableName": "With `names`: the variable's name.",
    "Posting.ItemName": "With `names`: the item's name.",
    "ActionItem.ItemName": "With `names`: the item's name.",
    "ItemChange.ItemName": "With `names`: the item's name.",
} | {
    f"{record}.{name}": text
    for record in ("Entry", "Event", "EventEntry")
    for name, text in ENTRY_NAMES.items()
}

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
