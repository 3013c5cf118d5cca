"""
Synthetic games of the Intersect Engine, of each version that stores things differently.

No row is of a real game; the storage forms are those that real files have.
"""

import hashlib
import sqlite3
from collections.abc import Iterable
from pathlib import Path
from typing import Any
from uuid import UUID, uuid5

import msgspec

ROOT = UUID("bbbbbbbb-0000-4000-8000-000000000000")
ZERO = UUID(int=0)

VERSIONS = ("0.6", "0.7.0", "0.7.1", "0.8a", "0.8b", "mixed")
MIGRATIONS = {
    "0.6": "20200301145105_SavingPlayerLabelsInDb",
    "0.7.0": "20210503165540_AddingGuildsWithGuildBanks",
    "0.7.1": "20221119214350_ItemProperties",
    "0.8a": "20231017160900_UserVariables_AddStandaloneIdPK",
    "0.8b": "20250114034012_OfflineGuildInvites",
    "mixed": "20231017160900_UserVariables_AddStandaloneIdPK",
}


def named(name: str) -> UUID:
    """An id that is the same each time."""
    return uuid5(ROOT, name)


def sha(password: str) -> str:
    return hashlib.sha256(password.encode()).hexdigest()


def stored_password(password: str, salt: str) -> str:
    """As the engine stores it."""
    return hashlib.sha256((sha(password).upper() + salt).encode()).hexdigest().upper()


def js(value: object) -> str:
    return msgspec.json.encode(value).decode()


class Game:
    """Two databases being written, in the forms of one version."""

    def __init__(self, folder: Path, version: str = "0.8b") -> None:
        folder.mkdir(parents=True, exist_ok=True)
        self.folder, self.version = folder, version
        self.players = sqlite3.connect(folder / "playerdata.db")
        self.game = sqlite3.connect(folder / "gamedata.db")
        for database in (self.players, self.game):
            # The disk may be busy, and no test needs a file that survives a power failure.
            database.execute("PRAGMA synchronous = OFF")
        self.number = VERSIONS.index(version)
        self.has_guilds = self.number >= 1
        self.has_properties = self.number >= 2
        self.has_text = self.number >= 3
        self._columns: dict[str, set[str]] = {}
        self._make()
        self._of_game = frozenset(self._game_tables())

    # ── Storage forms ──

    def id(self, value: UUID | str | None, *, nullable: bool = False) -> Any:
        """An id as the version stores it; a nullable one stays a blob in upgraded files."""
        if value is None:
            return None
        own = named(value) if isinstance(value, str) else value
        if not self.has_text or (nullable and self.version == "mixed"):
            return own.bytes_le
        return str(own).upper()

    # ── Tables ──

    def _make(self) -> None:
        kind = "BLOB"  # Declared so even where text is stored.
        for database in (self.players, self.game):
            database.execute(
                'CREATE TABLE "__EFMigrationsHistory" (MigrationId TEXT, ProductVersion TEXT)'
            )
            row = (MIGRATIONS[self.version], "8.0")
            database.execute('INSERT INTO "__EFMigrationsHistory" VALUES (?, ?)', row)
        for table, columns in self._player_tables().items():
            self.players.execute(f"CREATE TABLE {table} ({columns.replace('ID', kind)})")
        for table, columns in self._game_tables().items():
            self.game.execute(f"CREATE TABLE {table} ({columns.replace('ID', kind)})")

    def _player_tables(self) -> dict[str, str]:
        more = self.number
        held = "ItemProperties TEXT" if self.has_properties else "StatBuffs TEXT"
        slot = f"Id ID, PlayerId ID, Slot INT, ItemId ID, Quantity INT, BagId ID, {held}"
        ban = "Id ID, PlayerId ID, Ip TEXT, StartTime TEXT, EndTime TEXT, Reason TEXT"
        guild = "GuildId ID" if self.version == "0.8b" else "DbGuildId ID"
        tables = {
            "Users": "Id ID, Name TEXT, Email TEXT, Password TEXT, Salt TEXT, Power TEXT, "
            "PasswordResetCode TEXT, PasswordResetTime TEXT"
            + (", RegistrationDate TEXT, PlayTimeSeconds INT, LastIp TEXT" if more else ""),
            "Players": "Id ID, UserId ID, Name TEXT, ClassId ID, Gender INT, Level INT, Exp INT, "
            "StatPoints INT, Vitals TEXT, BaseStats TEXT, StatPointAllocations TEXT, "
            "Equipment TEXT, MapId ID, X INT, Y INT, Z INT, Dir INT, Sprite TEXT, Face TEXT, "
            "NameColor TEXT, LastOnline TEXT, HeaderLabel TEXT, ItemCooldowns TEXT"
            + (
                ", PlayTime INT, CreationDate TEXT, PlayTimeSeconds INT, GuildRank INT, "
                f"GuildJoinDate TEXT, {guild}"
                if more
                else ""
            ),
            "Player_Items": slot,
            "Player_Bank": slot,
            "Bags": "Id ID, SlotCount INT",
            "Bag_Items": slot.replace("PlayerId", "ParentBagId"),
            "Player_Spells": "Id ID, PlayerId ID, Slot INT, SpellId ID",
            "Player_Variables": "Id ID, PlayerId ID, VariableId ID, Value TEXT",
            "Bans": f"{ban}, Banner TEXT",
            "Mutes": f"{ban}, Muter TEXT",
            "Player_Friends": "Id ID, OwnerId ID, TargetId ID",
            "Player_Quests": "Id ID, PlayerId ID, QuestId ID, TaskId ID, TaskProgress INT, "
            "Completed INT",
            "Player_Hotbar": "Id ID, PlayerId ID, Slot INT, ItemOrSpellId ID, BagId ID, "
            "PreferredStatBuffs TEXT",
        }
        if self.has_guilds:
            tables["Guilds"] = "Id ID, Name TEXT, FoundingDate TEXT, BankSlotsCount INT"
            tables["Guild_Bank"] = slot.replace("PlayerId", "GuildId")
        if self.has_properties:
            tables["Guilds"] += ", GuildInstanceId ID"
            tables["Guild_Variables"] = "Id ID, GuildId ID, VariableId ID, Value TEXT"
            tables["User_Variables"] = "Id ID, UserId ID, VariableId ID, Value TEXT"
        return tables

    def _game_tables(self) -> dict[str, str]:
        items = "Id ID, Name TEXT, ItemType INT, Stackable INT, SlotCount INT, Bound INT, Price INT"
        items += ", Description TEXT, StatsGiven TEXT"
        if self.number:
            items += ", CanBank INT, MaxInventoryStack INT, MaxBankStack INT"
        variable = "Id ID, Name TEXT, TextId TEXT, Type INT"
        if self.version == "0.8b":
            variable = variable.replace("Type", "DataType")
        tables = {
            "Items": items,
            "Spells": "Id ID, Name TEXT, Bound INT",
            "Classes": "Id ID, Name TEXT, BaseVitals TEXT, VitalIncreases TEXT, BaseStats TEXT, "
            "BaseExp INT, ExpIncrease INT, IncreasePercentage INT, ExperienceOverrides TEXT",
            "PlayerVariables": variable,
            "ServerVariables": f"{variable}, Value TEXT",
            "Maps": "Id ID, Name TEXT, TileData BLOB",
        }
        if self.has_properties:
            tables |= {"GuildVariables": variable, "UserVariables": variable}
        return tables

    # ── Rows ──

    def add(self, table: str, **row: Any) -> None:
        """Insert a row; columns that the version does not have are left out."""
        database = self.game if table in self._of_game else self.players
        if table not in self._columns:
            about = database.execute(f"PRAGMA table_info({table})")
            self._columns[table] = {one[1] for one in about}
        there = self._columns[table]
        if not there:
            return
        given = {name: value for name, value in row.items() if name in there}
        database.execute(
            f"INSERT INTO {table} ({', '.join(given)}) VALUES ({', '.join('?' * len(given))})",
            list(given.values()),
        )

    def user(self, name: str, password: str = "", **about: Any) -> UUID:
        own = about.pop("own", None) or named(f"user {name}")
        salt = hashlib.sha256(name.encode()).hexdigest().upper()
        row = {
            "Id": self.id(own),
            "Name": name,
            "Email": f"{name.lower()}@example.com",
            "Password": stored_password(password or f"secret of {name}", salt),
            "Salt": salt,
            "Power": js({"Editor": False, "Ban": False, "Kick": False, "Mute": False, "Api": True}),
            "RegistrationDate": "2021-03-04 05:06:07.1234567",
        }
        self.add("Users", **(row | about))
        return own

    def player(self, name: str, owner: UUID, **about: Any) -> UUID:
        own = about.pop("own", None) or named(f"player {name}")
        row = {
            "Id": self.id(own),
            "UserId": self.id(owner),
            "Name": name,
            "ClassId": self.id("knight"),
            "Gender": 1,
            "Level": 3,
            "Exp": 42,
            "StatPoints": 2,
            "Vitals": "[50,60]",
            "BaseStats": "[1,2,3,4,5]",
            "StatPointAllocations": "[0,1,0,0,0]",
            "Equipment": "[0,-1,-1,-1,-1]",
            "MapId": self.id("map"),
            "X": 3,
            "Y": 4,
            "Z": 0,
            "Dir": 1,
            "Sprite": "1.png",
            "Face": "2.png",
            "NameColor": js({"A": 255, "R": 1, "G": 2, "B": 3}),
            "LastOnline": "2026-07-01 12:00:00.5",
            "CreationDate": "2021-03-05 00:00:00",
            "PlayTime": 5,
            "PlayTimeSeconds": 99,
            "HeaderLabel": js({"Label": "Hero", "Color": None}),
            "ItemCooldowns": "{}",
            "GuildJoinDate": "0001-01-01 00:00:00",
        }
        self.add("Players", **(row | about))
        return own

    def empty_slots(self, player: UUID, inventory: int = 35, bank: int = 100) -> None:
        """The engine writes a row for each slot, empty or not."""
        for table, count in (("Player_Items", inventory), ("Player_Bank", bank)):
            for slot in range(count):
                self.held(table, player, slot, ZERO, 0)

    def held(
        self, table: str, owner: UUID, slot: Any, item: UUID | str, quantity: Any = 1, **about: Any
    ) -> None:
        """One slot; an empty one of the same number makes room."""
        column = {"Bag_Items": "ParentBagId", "Guild_Bank": "GuildId"}.get(table, "PlayerId")
        own = self.id(owner)
        if item != ZERO and not about.pop("twice", False):
            zero = self.id(ZERO)
            sql = f"DELETE FROM {table} WHERE {column} = ? AND Slot = ? AND ItemId = ?"
            self.players.execute(sql, (own, slot, zero))
        buffs = about.get("buffs", [0, 0, 0, 0, 0])
        properties = js({"StatModifiers": buffs}) if any(buffs) or self.number > 2 else None
        self.add(
            table,
            Id=self.id(f"{table}{owner}{slot}{item}{about}"),
            **{column: own},
            Slot=slot,
            ItemId=self.id(item),
            Quantity=quantity,
            BagId=self.id(about.get("bag"), nullable=True),
            StatBuffs=js(buffs),
            ItemProperties=properties,
        )

    def bag(self, name: str, slots: int = 4) -> UUID:
        self.add("Bags", Id=self.id(name), SlotCount=slots)
        return named(name)

    def spell(self, player: UUID, slot: Any, spell: UUID | str) -> None:
        self.add("Player_Spells", PlayerId=self.id(player), Slot=slot, SpellId=self.id(spell))

    def variable(self, player: UUID, variable: str, kind: int, value: Any) -> None:
        self.add(
            "Player_Variables",
            PlayerId=self.id(player),
            VariableId=self.id(variable),
            Value=js({"Type": kind, "Value": value}),
        )

    def catalog(self) -> None:
        """A small catalog: a potion, a sword, a pouch, coins, and what else there is."""
        rows: Iterable[tuple[str, int, int, int, int]] = (
            ("potion", 2, 1, 0, 10),
            ("sword", 1, 0, 0, 1),
            ("pouch", 6, 0, 4, 1),
            ("coin", 3, 0, 0, 2**31 - 1),
        )
        for name, kind, stackable, slots, limit in rows:
            self.add(
                "Items",
                Id=self.id(name),
                Name=name.title(),
                ItemType=kind,
                Stackable=stackable,
                SlotCount=slots,
                Bound=0,
                Price=7,
                Description="What it is.",
                StatsGiven="[0,0,0,0,0]",
                CanBank=1,
                MaxInventoryStack=limit,
                MaxBankStack=limit,
            )
        self.add("Spells", Id=self.id("spark"), Name="Spark", Bound=1)
        self.add("Spells", Id=self.id("blink"), Name="Blink", Bound=0)
        self.add(
            "Classes",
            Id=self.id("knight"),
            Name="Knight",
            BaseVitals="[100,50]",
            VitalIncreases="[10,5]",
            BaseStats="[1,1,1,1,1]",
            BaseExp=100,
            ExpIncrease=50,
            IncreasePercentage=0,
            ExperienceOverrides=None,
        )
        for name, kind in (("done", 1), ("karma", 2), ("title", 3), ("rate", 4)):
            self._variable("PlayerVariables", name, kind)
        self._variable("ServerVariables", "season", 2, Value=js({"Type": 2, "Value": 4}))
        self._variable("UserVariables", "premium", 1)
        self._variable("GuildVariables", "fame", 2)
        self.add("Maps", Id=self.id("map"), Name="Meadow", TileData=b"\x00" * 100)

    def _variable(self, table: str, name: str, kind: int, **about: Any) -> None:
        row = {"Id": self.id(name), "Name": name.title(), "Type": kind, "DataType": kind}
        self.add(table, **row, **about)

    def save(self) -> Path:
        self.players.commit()
        self.game.commit()
        return self.folder

    def close(self) -> Path:
        self.save()
        self.players.close()
        self.game.close()
        return self.folder
