"""
Types of game objects, and the record that Intersect answers of each at its default values.

Clients of Intersect read keys without asking whether they are there. So an object that the
catalog knows little of still has them all.
"""

from typing import Any

from gamekeeper.core.ids import NIL

Facts = dict[str, Any]
"""What is known of an object, by the keys of Intersect."""

NIL_TEXT = str(NIL)

TYPES = {
    name.lower(): name
    for name in (
        *("Animation", "Class", "Item", "Npc", "Projectile", "Quest", "Resource", "Shop", "Spell"),
        *("CraftTables", "Crafts", "Map", "Event", "PlayerVariable", "ServerVariable", "Tileset"),
        *("GuildVariable", "UserVariable"),
    )
}
"""By the lower-case word of a path; the name is Intersect's. `time` is no list."""

TIME = "time"

ITEM: Facts = {
    "Name": "",
    "UsageRequirements": {"Lists": []},
    "CannotUseMessage": "",
    "AnimationId": NIL_TEXT,
    "AttackAnimationId": NIL_TEXT,
    "EquipmentAnimationId": NIL_TEXT,
    "CanDrop": True,
    "DropChanceOnDeath": 0,
    "CanTrade": True,
    "CanSell": True,
    "CanBank": True,
    "CanGuildBank": True,
    "CanBag": True,
    "CritChance": 0,
    "CritMultiplier": 1.5,
    "Cooldown": 0,
    "CooldownGroup": "",
    "IgnoreGlobalCooldown": False,
    "IgnoreCooldownReduction": False,
    "Damage": 0,
    "DamageType": 0,
    "AttackSpeedModifier": 0,
    "AttackSpeedValue": 0,
    "WeaponSpriteOverride": None,
    "Consumable": {"Type": 0, "Value": 0, "Percentage": 0},
    "EquipmentSlot": 0,
    "TwoHanded": False,
    "SlotCount": 0,
    "SpellId": NIL_TEXT,
    "QuickCast": False,
    "SingleUse": True,
    "EventId": NIL_TEXT,
    "Description": "",
    "FemalePaperdoll": "",
    "ItemType": 0,
    "MalePaperdoll": "",
    "Icon": "",
    "Color": {"A": 255, "R": 255, "G": 255, "B": 255},
    "Price": 0,
    "Rarity": 0,
    "ProjectileId": NIL_TEXT,
    "Scaling": 0,
    "ScalingStat": 0,
    "Speed": 0,
    "Stackable": False,
    "MaxInventoryStack": 1_000_000,
    "MaxBankStack": 1_000_000,
    "StatGrowth": 0,
    "Tool": -1,
    "BlockChance": 0,
    "BlockAmount": 0,
    "BlockAbsorption": 0,
    "DespawnTime": 0,
    "VitalsGiven": [0] * 2,
    "VitalsRegen": [0] * 2,
    "PercentageVitalsGiven": [0] * 2,
    "StatsGiven": [0] * 5,
    "PercentageStatsGiven": [0] * 5,
    "Effects": [],
    "Folder": "",
}

SPELL: Facts = {
    "Name": "",
    "VitalCost": [0] * 2,
    "SpellType": 0,
    "Description": "",
    "Icon": "",
    "CastAnimationId": NIL_TEXT,
    "HitAnimationId": NIL_TEXT,
    "TickAnimationId": NIL_TEXT,
    "CastDuration": 0,
    "CooldownDuration": 0,
    "CooldownGroup": "",
    "IgnoreGlobalCooldown": False,
    "IgnoreCooldownReduction": False,
    "Bound": False,
    "CastingRequirements": {"Lists": []},
    "CannotCastMessage": "",
    "CastSpriteOverride": None,
    "Combat": {
        "VitalDiff": [0] * 2,
        "CritChance": 0,
        "CritMultiplier": 1.5,
        "DamageType": 1,
        "HitRadius": 0,
        "Friendly": False,
        "CastRange": 0,
        "ProjectileId": NIL_TEXT,
        "StatDiff": [0] * 5,
        "PercentageStatDiff": [0] * 5,
        "Scaling": 0,
        "ScalingStat": 0,
        "TargetType": 0,
        "HoTDoT": False,
        "HotDotInterval": 0,
        "Duration": 0,
        "Effect": 0,
        "TransformSprite": None,
        "OnHitDuration": 0,
        "TrapDuration": 0,
    },
    "Warp": {"MapId": NIL_TEXT, "X": 0, "Y": 0, "Dir": 0},
    "Dash": {
        "IgnoreMapBlocks": False,
        "IgnoreActiveResources": False,
        "IgnoreInactiveResources": False,
        "IgnoreZDimensionAttributes": False,
    },
    "EventId": NIL_TEXT,
    "Folder": "",
}

CLASS: Facts = {
    "Name": "",
    "BaseStat": [0] * 5,
    "BaseVital": [0] * 2,
    "ExperienceOverrides": {},
    "Items": [],
    "Spells": [],
    "Sprites": [],
    "StatIncrease": [0] * 5,
    "VitalIncrease": [0] * 2,
    "VitalRegen": [0] * 2,
    "AttackAnimationId": NIL_TEXT,
    "BasePoints": 0,
    "CritChance": 0,
    "CritMultiplier": 1.5,
    "Damage": 1,
    "DamageType": 0,
    "AttackSpeedModifier": 0,
    "AttackSpeedValue": 0,
    "AttackSpriteOverride": None,
    "BaseExp": 100,
    "ExpIncrease": 50,
    "IncreasePercentage": False,
    "Locked": False,
    "PointIncrease": 0,
    "Scaling": 100,
    "ScalingStat": 0,
    "SpawnMapId": NIL_TEXT,
    "SpawnX": 0,
    "SpawnY": 0,
    "SpawnDir": 0,
    "Folder": "",
}

VARIABLE: Facts = {"Name": "", "TextId": "", "Type": 1, "Folder": ""}
GAME_VARIABLE: Facts = {"Name": "", "TextId": "", "Type": 1, "Value": None, "Folder": ""}

OTHER: Facts = {"Name": "", "Folder": ""}

DEFAULTS: dict[str, Facts] = dict.fromkeys(TYPES, OTHER) | {
    "item": ITEM,
    "spell": SPELL,
    "class": CLASS,
    "playervariable": VARIABLE,
    "uservariable": VARIABLE,
    "guildvariable": VARIABLE,
    "servervariable": GAME_VARIABLE,
}

DAY_CYCLE: Facts = {
    "Id": NIL_TEXT,
    "DaylightHues": [{"A": 255, "R": 255, "G": 255, "B": 255}] * 2,
    "RangeInterval": 720,
    "Rate": 1.0,
    "SyncTime": True,
}
"""One hue for each interval, in minutes, of a day."""

ITEM_TYPES = ("none", "equipment", "consumable", "currency", "spell", "event", "bag")
"""By Intersect's number."""

VARIABLE_TYPES = {"boolean": 1, "integer": 2, "string": 3, "number": 4}

VARIABLE_OWNERS = {
    "player": "playervariable",
    "game": "servervariable",
    "guild": "guildvariable",
    "user": "uservariable",
}
