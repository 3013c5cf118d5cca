"""
Definitions of the demo world: equipment, loot and spells by level and class, and maps.

The catalog itself is `catalog.toml`, in the format of any catalog. Its ids are the
same in every world, so that examples can name them. This module adds what a catalog
does not have: the level from which a character has an item or a spell.
"""

from functools import cache
from importlib import resources
from pathlib import Path
from typing import cast

from msgspec import Struct

from gamekeeper.catalog import files

SERVERS = ("Ravenmoor", "Silverlake", "Highgarden")

# Equipment and its minimum level, in the order of a player's equipment slots.
HELMETS = (("Cloth Hood", 3), ("Leather Cap", 8), ("Iron Helm", 18), ("Dragonbone Helm", 60))
ARMORS = (("Traveller's Tunic", 1), ("Leather Armor", 6), ("Chain Mail", 20), ("Plate Armor", 45))
ROBES = (("Traveller's Tunic", 1), ("Silk Robe", 15))
SHIELDS = (("Wooden Shield", 5), ("Iron Shield", 20), ("Tower Shield", 50))
BOOTS = (("Worn Boots", 2), ("Leather Boots", 10), ("Swift Boots", 30), ("Plate Greaves", 50))

BAGS = (("Linen Pouch", 5), ("Leather Bag", 15), ("Adventurer's Pack", 40))

# Loot: the item, its minimum level, and the maximum quantity.
LOOT = (
    ("Health Potion", 1, 20),
    ("Bread Loaf", 1, 30),
    ("Mana Potion", 2, 20),
    ("Oak Log", 2, 60),
    ("Linen Cloth", 2, 60),
    ("Wolf Pelt", 3, 40),
    ("Sealed Letter", 3, 1),
    ("Cellar Key", 4, 1),
    ("Fishing Rod", 4, 1),
    ("Iron Ore", 5, 100),
    ("Antidote", 5, 20),
    ("Rusty Dagger", 5, 1),
    ("Spider Venom", 8, 50),
    ("Honey Cake", 8, 50),
    ("Scroll of Return", 10, 10),
    ("Roast Venison", 10, 50),
    ("Moonpetal", 12, 50),
    ("Tome of Embers", 15, 1),
    ("Tome of Mending", 15, 1),
    ("Silk Cloth", 18, 100),
    ("Guild Token", 20, 400),
    ("Greater Health Potion", 20, 20),
    ("Greater Mana Potion", 20, 20),
    ("Rough Ruby", 25, 50),
    ("Mithril Ore", 30, 100),
    ("Elixir of Might", 35, 5),
    ("Dragon Scale", 60, 20),
)

MAPS = (
    ("Willowbrook", 1),
    ("Willowbrook Inn", 1),
    ("Old Mill Road", 2),
    ("Whispering Woods", 5),
    ("Ravenmoor Market", 8),
    ("Flooded Cellars", 12),
    ("Amber Coast", 20),
    ("Ironpeak Mines", 30),
    ("Sunken Temple", 45),
    ("Ashen Wastes", 60),
    ("Dragonspire", 80),
)

TITLES = ("the Brave", "the Wanderer", "Wolfsbane", "Friend of Ravenmoor", "Dragonslayer")

MUTE_REASONS = (
    "Advertising in the global channel.",
    "Insulting other players.",
    "Flooding the trade channel after two warnings.",
    "Posing as a moderator.",
)

Steps = tuple[tuple[str, int], ...]


class Calling(Struct, frozen=True):
    """The equipment and spells of a class."""

    name: str
    weapons: Steps
    spells: Steps
    armors: Steps = ARMORS
    shields: Steps = ()


CALLINGS = (
    Calling(
        "Warrior",
        (("Wooden Sword", 1), ("Iron Sword", 8), ("Steel Greatsword", 25), ("Runed Blade", 60)),
        (
            ("Battle Cry", 3),
            ("Cleave", 8),
            ("Shield Bash", 15),
            ("Whirlwind", 30),
            ("Last Stand", 50),
        ),
        shields=SHIELDS,
    ),
    Calling(
        "Mage",
        (("Apprentice Staff", 1), ("Emberwood Staff", 15), ("Staff of the Moon", 50)),
        (
            ("Spark", 1),
            ("Fireball", 6),
            ("Frost Nova", 12),
            ("Arcane Ward", 20),
            ("Blink", 30),
            ("Meteor", 60),
        ),
        ROBES,
    ),
    Calling(
        "Ranger",
        (("Hunting Bow", 1), ("Yew Longbow", 25)),
        (
            ("Eagle Eye", 4),
            ("Twin Shot", 8),
            ("Snare", 16),
            ("Rain of Arrows", 32),
            ("Call of the Wild", 55),
        ),
    ),
    Calling(
        "Rogue",
        (("Rusty Dagger", 1), ("Shadow Dagger", 20)),
        (
            ("Cutpurse", 4),
            ("Backstab", 8),
            ("Smoke Bomb", 16),
            ("Poisoned Edge", 28),
            ("Vanish", 45),
        ),
    ),
    Calling(
        "Cleric",
        (("Oak Mace", 1), ("Blessed Hammer", 25)),
        (
            ("Minor Mending", 1),
            ("Heal", 8),
            ("Bless", 14),
            ("Smite", 22),
            ("Sanctuary", 40),
            ("Resurrection", 70),
        ),
        ROBES,
        SHIELDS,
    ),
)


@cache
def catalog() -> files.Catalog:
    # The package is always installed as files, so the Traversable is a Path.
    return files.read(cast(Path, resources.files("gamekeeper") / "demo" / "catalog.toml"))


@cache
def items() -> dict[str, files.CatalogItem]:
    return {item.name: item for item in catalog().items}


@cache
def spells() -> dict[str, files.CatalogSpell]:
    return {spell.name: spell for spell in catalog().spells}


@cache
def variables() -> dict[str, files.CatalogVariable]:
    return {variable.name: variable for variable in catalog().variables}


@cache
def classes() -> dict[str, files.Class]:
    return {each.name: each for each in catalog().classes}
