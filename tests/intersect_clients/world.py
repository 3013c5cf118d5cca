"""The world that recorded clients meet: a catalog, characters, a guild, logs and variables."""

import json
from uuid import UUID, uuid4

from msgspec import Struct

from gamekeeper.auth import keys
from gamekeeper.db.database import Database
from tests.make import (
    BY,
    KNIGHT,
    fill_slot,
    make_bag_item,
    make_item,
    make_mage,
    make_player,
    make_spell,
    make_user,
    sha,
)

CROWD = 30
"""More characters than a page of the clients."""
ALL_POWERS = dict.fromkeys(
    ("api", "user_query", "user_management", "personal_information", "editor"), True
) | dict.fromkeys(("ban", "kick", "mute"), True)
ZERO = "00000000-0000-0000-0000-000000000000"
OTHER_TYPES = (
    *("animation", "npc", "projectile", "quest", "resource", "shop", "crafttables", "crafts"),
    *("map", "event", "tileset"),
)
"""Types of objects that only the game's editor knows."""


class World(Struct, frozen=True):
    key: str
    """An API key that may do everything: the game server's."""
    known: dict[str, str]
    """What recordings may name in braces."""

    @property
    def players(self) -> list[str]:
        """Those who are in the game."""
        return [self.known[name] for name in ("player_id", "friend_id", "rogue_id")]


async def make_world(database: Database) -> World:
    known = {"zero": ZERO, "unknown_id": str(uuid4()), "class_id": str(KNIGHT)}
    known["map_id"] = str(uuid4())
    known |= await _make_people(database, UUID(known["map_id"]))
    known |= await _make_catalog(database)
    await _make_belongings(database, known)
    known |= await _make_variables(database, known)
    known |= await _make_objects(database, known)
    known |= await _make_guild(database, known)
    key = await keys.create.one(database, keys.NewKey(by=BY, name="game server"))
    return World(str(key), known)


async def _make_people(database: Database, place: UUID) -> dict[str, str]:
    known = {"account": "website", "password": sha("a long secret of a site"), "user": "Kai"}
    await make_user(database, "website", password="a long secret of a site", **ALL_POWERS)
    people = {
        # The name of a person, of its character, and what the recordings call both.
        "user": ("Kai", "Ana", "player"),
        "second": ("Lee", "Ben", "friend"),
        "sly": ("Sly", "Rogue", "rogue"),
        "third": ("Max", "Cleo", "newcomer"),
        "leaving": ("Goner", "Lost", "lost"),
    }
    for level, (role, (user, character, called)) in enumerate(people.items(), 3):
        password = "kais own secret" if role == "user" else ""
        owner = await make_user(
            database, user, email=f"{user.lower()}@example.com", password=password
        )
        about = {"level": 20 - level, "exp": level, "map_id": place}
        player = await make_player(database, character, user=owner, **about)
        known |= {role: user, f"{role}_id": str(owner)}
        known |= {called: character, f"{called}_id": str(player)}
    known |= {"user_password": sha("kais own secret"), "new_password": sha("kais next secret")}
    for number in range(CROWD):
        owner = await make_user(database, f"Owner{number:02}")
        await make_player(database, f"Hero{number:02}", user=owner, level=1 + number % 5)
    return known


async def _make_catalog(database: Database) -> dict[str, str]:
    return {
        "item_id": str(await make_item(database, "Potion")),
        "sword_id": str(await make_item(database, "Sword", type="equipment")),
        "satchel_id": str(await make_bag_item(database)),
        "spell_id": str(await make_spell(database, "Fireball")),
        "new_spell_id": str(await make_spell(database, "Frost")),
        "mage_id": str(await make_mage(database)),
        "bag_id": str(uuid4()),
    }


async def _make_belongings(database: Database, known: dict[str, str]) -> None:
    ana, ben = UUID(known["player_id"]), UUID(known["friend_id"])
    item, sword = UUID(known["item_id"]), UUID(known["sword_id"])
    bag = UUID(known["bag_id"])
    for player in (ana, ben):
        await fill_slot(database, player, "inventory", 0, item, 7)
        await fill_slot(database, player, "inventory", 1, sword, stat_buffs=(2, 0, 0, 1, 0))
        await fill_slot(database, player, "bank", 0, item, 40)
    await _put(database, "bags", player_id=ana, id=bag, slot_count=4)
    await _put(database, "bag_owners", player_id=ana, bag_id=bag)
    await fill_slot(database, ana, "inventory", 2, UUID(known["satchel_id"]))
    await database.write(
        lambda writer: writer.run(
            """
            UPDATE slots SET bag_id = $2
             WHERE player_id = $1 AND place = 'inventory' AND slot = 2
            """,
            ana,
            bag,
        )
    )
    await _put(database, "player_spells", player_id=ana, slot=0, spell_id=UUID(known["spell_id"]))


async def _make_variables(database: Database, known: dict[str, str]) -> dict[str, str]:
    made: dict[str, str] = {}
    for owner in ("player", "user", "guild", "game"):
        variable = uuid4()
        await _put(
            database,
            "variables",
            id=variable,
            name=f"Karma of {owner}",
            type="integer",
            owner=owner,
        )
        made[f"{owner}_variable_id"] = str(variable)
    values = {
        "player_variables": ("player", {"player_id": known["player_id"]}),
        "user_variables": ("user", {"user_id": known["user_id"]}),
        "game_variables": ("game", {}),
    }
    for table, (owner, whose) in values.items():
        ids = {name: UUID(value) for name, value in whose.items()}
        variable = UUID(made[f"{owner}_variable_id"])
        await _put(database, table, **ids, variable_id=variable, value="5")
    return made


async def _make_objects(database: Database, known: dict[str, str]) -> dict[str, str]:
    """What an import of the game's editor brings; the sword has nothing but our own catalog."""
    made = {}
    for kind in OTHER_TYPES:
        object_id = UUID(known["map_id"]) if kind == "map" else uuid4()
        made[f"{kind}_id"] = str(object_id)
        facts = json.dumps({"Name": f"First {kind}", "Id": str(object_id), "Folder": ""})
        about = {"type": kind, "id": object_id, "name": f"First {kind}", "facts": facts}
        await _put(database, "catalog_objects", **about)
    potion = {"Description": "Heals a little.", "Icon": "potion.png", "Price": 12, "Rarity": 1}
    await _put(
        database,
        "catalog_objects",
        type="item",
        id=UUID(known["item_id"]),
        name="Potion",
        facts=json.dumps(potion),
    )
    return made


async def _make_guild(database: Database, known: dict[str, str]) -> dict[str, str]:
    guild, other = uuid4(), uuid4()
    for name, guild_id in (("Lanterns", guild), ("Wolves", other)):
        await _put(database, "guilds", id=guild_id, name=name, name_key=name.lower(), bank_slots=50)
    for rank, player in enumerate(("player_id", "friend_id", "newcomer_id")):
        await _put(
            database, "guild_members", guild_id=guild, player_id=UUID(known[player]), rank=rank
        )
    await _put(database, "guild_members", guild_id=other, player_id=UUID(known["lost_id"]), rank=0)
    item, variable = UUID(known["item_id"]), UUID(known["guild_variable_id"])
    await _put(database, "guild_slots", guild_id=guild, slot=0, item_id=item, quantity=3)
    await _put(database, "guild_variables", guild_id=guild, variable_id=variable, value="5")
    return {"guild": "Lanterns", "guild_id": str(guild), "other_guild_id": str(other)}


async def _put(database: Database, table: str, **columns: object) -> None:
    """Insert a row, unless the tables are of a time before there was such a table."""
    if await database.reader.value("SELECT to_regclass($1) IS NULL", table):
        return
    names, places = ", ".join(columns), ", ".join(f"${n}" for n in range(1, len(columns) + 1))
    sql = f"INSERT INTO {table} ({names}) VALUES ({places})"
    await database.write(lambda writer: writer.run(sql, *columns.values()))
