"""Small makers of stored things. Every test says what matters to it, and only that."""

import hashlib
from datetime import UTC, datetime
from functools import cache
from uuid import UUID, uuid4

import msgspec

from gamekeeper.auth import secrets
from gamekeeper.auth.secrets import Vault
from gamekeeper.auth.tokens import SignIn
from gamekeeper.catalog.items import Item
from gamekeeper.core.names import fold
from gamekeeper.db.database import Database, Writer
from gamekeeper.db.operations import AuditContext
from gamekeeper.db.paging.orderings import (
    ONLINE,
    PLAYERS,
    RANK,
    USERS,
    added,
    by_name,
    by_rank,
    record_deltas,
)
from gamekeeper.players.records import Player

BY = AuditContext(actor="system", name="tests")

KNIGHT = UUID("c1a55000-0000-4000-8000-000000000001")
MAGE = UUID("c1a55000-0000-4000-8000-000000000002")
CREATED = datetime(2026, 1, 2, 3, 4, 5, tzinfo=UTC)
JOINED = datetime(2098, 7, 6, 5, 4, 3, tzinfo=UTC)
"""Yet to come, so that no time is played while a test runs."""
SINCE = "2098-07-06T05:04:03Z"
SALT = bytes(range(16))
"""Of every password made here, so that it is stretched once."""


def sha(password: str) -> str:
    """What a client sends for a password."""
    return hashlib.sha256(password.encode()).hexdigest()


@cache
def _stretched(password: str, cost: secrets.Cost) -> bytes:
    """The same for all who have this password: Argon2 takes longer than the rest of an account."""
    return secrets._stretch(bytes.fromhex(sha(password)), SALT, cost)


async def make_item(database: Database, name: str = "Potion", **about: object) -> UUID:
    """An item; unless told otherwise a potion that stacks to 10, to 50 in the bank."""
    kind = {"type": "consumable", "stackable": True, "inventory_stack": 10, "bank_stack": 50}
    if about.get("type") in ("bag", "equipment") or about.get("stackable") is False:
        kind = {"type": "equipment"}
    item = msgspec.convert({"id": uuid4(), "name": name} | kind | about, Item)
    columns = msgspec.structs.asdict(item)
    if item.value is None:
        del columns["value"]  # Older databases have no such column.
    await _insert(database, "items", columns)
    return item.id


async def make_bag_item(database: Database, slots: int = 4) -> UUID:
    return await make_item(database, "Satchel", type="bag", bag_slots=slots)


async def make_spell(database: Database, name: str = "Fireball", *, bound: bool = False) -> UUID:
    spell = uuid4()
    await _insert(database, "spells", {"id": spell, "name": name, "bound": bound})
    return spell


async def make_variable(
    database: Database,
    variable_type: str = "integer",
    name: str = "Karma",
    **about: object,
) -> UUID:
    variable = uuid4()
    columns = {"id": variable, "name": name, "type": variable_type}
    await _insert(database, "variables", columns | about)
    return variable


async def make_object(
    database: Database,
    object_type: str,
    name: str,
    facts: dict[str, object] | None = None,
    *,
    guid: UUID | None = None,
) -> UUID:
    """A game object of a type without a table of its own, or the facts of an item and the like."""
    made = guid or uuid4()
    text = msgspec.json.encode(facts or {}).decode()
    columns = {"type": object_type, "id": made, "name": name, "facts": text}
    await _insert(database, "catalog_objects", columns)
    return made


async def make_user(
    database: Database,
    name: str = "",
    *,
    email: str = "",
    password: str = "",
    **about: object,
) -> UUID:
    """An account; with a password only if the test needs one."""
    user = uuid4()
    name = name or f"user-{user.hex[:12]}"
    email = email or f"{name}@example.com"
    columns = {"id": user, "name": name, "name_key": fold(name), "email": email}
    rows: dict[str, dict[str, object]] = {
        "users": columns | {"created_at": CREATED} | about,
        "user_names": {"name_key": fold(name), "user_id": user},
        "user_emails": {"email_key": fold(email), "user_id": user},
    }
    if password:
        stretched = _stretched(password, secrets.COST)
        sealed = Vault(database.settings)._encrypt_hash(user, SALT, stretched)
        rows["passwords"] = {"user_id": user, "sealed": sealed}

    async def work(writer: Writer) -> None:
        await _insert_together(writer, rows)
        await record_deltas(writer, [added(USERS, by_name(fold(name), user))])

    await database.write(work)
    return user


async def proved(database: Database, user: UUID) -> SignIn:
    """What a right password proves."""
    sealed = await database.reader.value("SELECT sealed FROM passwords WHERE user_id = $1", user)
    return SignIn(user_id=user, sealed=sealed)


async def make_class(database: Database | Writer) -> UUID:
    """A knight: 100 experience for the second level, 10 per cent more for each after it."""
    sql = "INSERT INTO classes (id, name) VALUES ($1, 'Knight') ON CONFLICT DO NOTHING"
    if isinstance(database, Writer):
        await database.run(sql, KNIGHT)
    else:
        await database.write(lambda writer: writer.run(sql, KNIGHT))
    return KNIGHT


async def make_mage(database: Database, **about: object) -> UUID:
    """Another class than the knight."""
    columns: dict[str, object] = {"base_vitals": [60, 200], "base_stats": [5, 20, 5, 15, 9]}
    await _insert(database, "classes", {"id": MAGE, "name": "Mage"} | columns | about)
    return MAGE


async def make_player(
    database: Database, name: str = "", *, user: UUID | None = None, **about: object
) -> UUID:
    """A character of level 1 with nothing, of a user of its own unless told."""
    player = uuid4()
    name = name or f"player-{player.hex[:12]}"
    owner = user or await make_user(database)

    columns = {
        "id": player,
        "user_id": owner,
        "name": name,
        "name_key": fold(name),
        "class_id": KNIGHT,
        "created_at": CREATED,
    } | about
    names = {"name_key": fold(name), "player_id": player}
    rank = by_rank(columns.get("level", 1), columns.get("exp", 0), player)

    async def work(writer: Writer) -> None:
        await make_class(writer)
        await _insert_together(writer, {"players": columns, "player_names": names})
        by_its_name = by_name(fold(name), player)
        await record_deltas(writer, [added(RANK, rank), added(PLAYERS, by_its_name)])

    await database.write(work)
    return player


async def make_server(
    database: Database, *, lease_seconds: float = 3600, fence: int = 0, server: UUID | None = None
) -> UUID:
    """A game server, whose lease ran out if `lease_seconds` is negative."""
    server = server or uuid4()
    await database.write(
        lambda writer: writer.run(
            """
            WITH made AS (
                INSERT INTO servers (id, name, name_key, lease_until, fence)
                VALUES ($1, $3, $3, now() + make_interval(secs => $2), $4)
            )
            INSERT INTO crowds (server_id) VALUES ($1)
            """,
            server,
            lease_seconds,
            f"realm {server}",
            fence,
        )
    )
    return server


async def join(database: Database, player: UUID, server: UUID, *, in_bank: bool = False) -> None:
    """Let a character join a game server."""

    async def work(writer: Writer) -> None:
        key = await writer.value(
            f"""
            WITH counted AS (
                UPDATE crowds SET online = online + 1 WHERE server_id = $2
            )
            INSERT INTO presences (player_id, server_id, list_key, in_bank, joined_at)
            SELECT id, $2, {PLAYERS.key}, $3, $4 FROM players WHERE id = $1
            RETURNING list_key
            """,
            player,
            server,
            in_bank,
            JOINED,
        )
        await record_deltas(writer, [added(ONLINE, key)])

    await database.write(work)


async def fill_slot(
    database: Database,
    player: UUID,
    place: str,
    slot: int,
    item: UUID,
    quantity: int = 1,
    stat_buffs: tuple[int, ...] = (0, 0, 0, 0, 0),
) -> None:
    await database.write(
        lambda writer: writer.run(
            """
            INSERT INTO slots (player_id, place, slot, item_id, quantity, stat_buffs)
            VALUES ($1, $2::place, $3, $4, $5, $6)
            """,
            player,
            place,
            slot,
            item,
            quantity,
            list(stat_buffs),
        )
    )


def shown_player(player: UUID, user: UUID, name: str, **about: object) -> dict[str, object]:
    """The whole record of a player made by `make_player`, as it crosses the wire."""
    shown: dict[str, object] = {
        "Name": name,
        "InBank": False,
        "UserId": str(user),
        "MaxVitals": [100, 100],
        "Id": str(player),
        "ClassId": str(KNIGHT),
        "ClassName": "Knight",
        "Gender": 0,
        "Level": 1,
        "Exp": 0,
        "ExperienceToNextLevel": 100,
        "StatPoints": 0,
        "Vitals": [100, 100],
        "BaseStats": [10, 10, 10, 10, 10],
        "StatPointAllocations": [0, 0, 0, 0, 0],
        "Equipment": [-1, -1, -1, -1, -1],
        "MapId": "00000000-0000-0000-0000-000000000000",
        "MapName": "",
        "X": 0,
        "Y": 0,
        "Z": 0,
        "Dir": 0,
        "Sprite": "",
        "Face": "",
        "Online": False,
        "LastOnline": "2026-01-02T03:04:05Z",
        "CreationDate": "2026-01-02T03:04:05Z",
        "PlayTimeSeconds": 0,
        "Dead": False,
    }
    # Those with a default are `details`, which only callers that ask for them get.
    fields = msgspec.structs.fields(Player)
    assert list(shown) == [field.encode_name for field in fields if field.required]
    # Who never played was last seen when it was made.
    return shown | {"LastOnline": about.get("CreationDate", shown["LastOnline"])} | about


def shown_user(user: UUID, name: str, email: str, **about: object) -> dict[str, object]:
    """The whole record of a user made by `make_user`, as lists and lookups show it."""
    powers = ("Editor", "Ban", "Kick", "Mute", "Api", "PersonalInformation")
    return {
        "Id": str(user),
        "Name": name,
        "Email": email,
        "Power": dict.fromkeys(powers, False),
        "PasswordResetCode": None,
        "IsMuted": False,
        "MuteReason": None,
        "IsBanned": False,
        "RegistrationDate": "2026-01-02T03:04:05Z",
        "PlayTimeSeconds": 0,
    } | about


def shown_changed_user(user: UUID, name: str, email: str) -> dict[str, object]:
    """The same as the two changes of an email show it."""
    powers = ("Editor", "Ban", "Kick", "Mute", "Api")
    more = ("ApiPersonalInformation", "ApiUserManagement")
    shown = shown_user(user, name, email) | {"Power": dict.fromkeys(powers + more, False)}
    del shown["PlayTimeSeconds"]
    return shown


def empty_slot(number: int) -> dict[str, object]:
    return {
        "Slot": number,
        "BagId": None,
        "ItemId": "00000000-0000-0000-0000-000000000000",
        "Quantity": 0,
        "StatBuffs": [0, 0, 0, 0, 0],
    }


def filled_slot(number: int, item: UUID, quantity: int = 1, **about: object) -> dict[str, object]:
    return empty_slot(number) | {"ItemId": str(item), "Quantity": quantity} | about


async def _insert(database: Database, table: str, columns: dict[str, object]) -> None:
    await database.write(lambda writer: _insert_together(writer, {table: columns}))


async def _insert_together(writer: Writer, rows: dict[str, dict[str, object]]) -> None:
    """A row in each table by one statement: most of the time is the way there and back."""
    inserts, values = [], []
    for table, columns in rows.items():
        places = ", ".join(f"${len(values) + number}" for number in range(1, len(columns) + 1))
        inserts.append(f"INSERT INTO {table} ({', '.join(columns)}) VALUES ({places})")
        values += columns.values()
    *others, last = inserts
    parts = ", ".join(f"made_{number} AS ({sql})" for number, sql in enumerate(others))
    await writer.run(f"WITH {parts} {last}" if parts else last, *values)
