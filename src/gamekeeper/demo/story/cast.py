"""Who acts in the story by name: staff, players whose cases staff looks into, and API keys."""

from collections.abc import Mapping, Sequence
from datetime import datetime, timedelta
from secrets import token_bytes
from typing import Any
from uuid import UUID

from msgspec import Struct

from gamekeeper.auth import keys
from gamekeeper.auth.keys import NewKey
from gamekeeper.auth.secrets import Vault
from gamekeeper.core.names import fold
from gamekeeper.db.database import Database, Queryable, Writer
from gamekeeper.db.operations import COMMAND_LINE, AuditContext
from gamekeeper.demo import dice, world
from gamekeeper.demo.story import dates
from gamekeeper.demo.story.schedule import Schedule
from gamekeeper.players import attributes, characters
from gamekeeper.players.attributes import Promotion
from gamekeeper.players.characters import Creation
from gamekeeper.users import accounts, lookup
from gamekeeper.users.accounts import UserRegistration
from gamekeeper.users.staff import members
from gamekeeper.users.staff.members import RoleGrant

WEBSITE = "webshop"
WEBSITE_SCOPES = ("players.items", "players.read", "users.query")
SERVER_SCOPES = (
    *("guilds.manage", "players.manage", "players.read", "reports.file", "servers"),
    "transactions",
)

THIEF = "Viggo"
"""A helper for live operations who helped himself one night."""


class Persona(Struct, frozen=True, kw_only=True):
    """A character of the story, and its account."""

    account: str
    name: str
    calling: str
    level: int


HERO = Persona(account="bram", name="Bram Ashford", calling="Warrior", level=62)
LUCKY = Persona(account="lena", name="Lena Marlow", calling="Cleric", level=24)
DUPER = Persona(account="corin", name="Corin Pike", calling="Rogue", level=41)
FENCE = Persona(account="mira", name="Mira Dunn", calling="Rogue", level=33)
LOUD = Persona(account="nyra", name="Nyra Voss", calling="Mage", level=37)
CROOK = Persona(account=THIEF, name="Viggo Crane", calling="Ranger", level=48)
VICTIMS = (
    Persona(account="oswin", name="Oswin Hale", calling="Warrior", level=71),
    Persona(account="tilda", name="Tilda Rook", calling="Mage", level=66),
    Persona(account="hugo", name="Hugo Bell", calling="Cleric", level=58),
)
PERSONAS = (HERO, LUCKY, DUPER, FENCE, LOUD, CROOK, *VICTIMS)


class Cast(Struct, frozen=True, kw_only=True):
    """The actors of the story, as the audit log names them."""

    staff: Mapping[str, AuditContext]
    servers: Mapping[str, AuditContext]
    website: AuditContext
    vault: Vault

    def registration(self, user: UUID, name: str) -> UserRegistration:
        """An account on the website, with a password that nobody knows."""
        return UserRegistration(
            by=self.website,
            id=user,
            name=name,
            email=f"{name.lower()}@example.com",
            # Not Argon2, which takes its time for each.
            sealed=self.vault.encrypt_imported(user, token_bytes(32), ""),
        )


async def hire(database: Database, began: datetime) -> Cast:
    """Make the keys of game servers and of a website, and find the staff."""
    scopes = {**dict.fromkeys(world.SERVERS, SERVER_SCOPES), WEBSITE: WEBSITE_SCOPES}
    wanted = [NewKey(by=COMMAND_LINE, name=name, scopes=own) for name, own in scopes.items()]

    async def work(writer: Writer) -> None:
        await keys.create(writer, wanted)
        await dates.backdate(writer, lambda told: [began] * len(told))

    await database.write(work)
    found = await database.reader.rows(
        "SELECT id, name FROM api_keys WHERE name = ANY($1)", list(scopes)
    )
    made = {row["name"]: AuditContext(actor=f"key:{row['id']}", name=row["name"]) for row in found}
    rows = await database.reader.rows(
        "SELECT id, name FROM users WHERE id IN (SELECT user_id FROM staff_roles)"
    )
    return Cast(
        staff={
            row["name"]: AuditContext(actor=f"user:{row['id']}", name=row["name"]) for row in rows
        },
        servers={name: made[name] for name in world.SERVERS},
        website=made[WEBSITE],
        vault=Vault(database.settings),
    )


async def players(reader: Queryable, names: Sequence[str]) -> list[Any]:
    """The id, name and level of characters, in the order of the names."""
    # By the unique names: players have no index of the name as it is written.
    return await reader.rows(
        """
        SELECT id, name, level
          FROM unnest($1::text[]) WITH ORDINALITY AS wanted (name_key, place)
          JOIN player_names USING (name_key)
          JOIN players ON players.id = player_names.player_id
         ORDER BY place
        """,
        [fold(name) for name in names],
    )


def enter(schedule: Schedule, cast: Cast, began: datetime) -> None:
    """Have the players of the story register, each on another day, long before it matters."""
    for number, role in enumerate(PERSONAS):
        at = began + timedelta(hours=2, minutes=17 * number)
        user = UUID(bytes=dice.guid(schedule.seed, "role", number))
        schedule.add(at, accounts.register, cast.registration(user, role.account), early=True)
        creation = Creation(
            by=cast.website,
            user_id=user,
            name=role.name,
            class_id=world.classes()[role.calling].id,
        )
        schedule.add(at + timedelta(minutes=1), characters.create, creation, early=True)
        promotion = Promotion(by=COMMAND_LINE, player=role.name, level=role.level)
        schedule.add(at + timedelta(minutes=2), attributes.set_level, promotion, early=True)
    grant = RoleGrant(by=cast.staff["Maren"], caller=None, user=THIEF, role="live-operations")
    schedule.add(began + timedelta(hours=6), members.grant, grant)


async def thief(reader: Queryable) -> AuditContext:
    """The helper who turned thief, once he is there."""
    [user] = await lookup.find_user_ids(reader, [THIEF])
    return AuditContext(actor=f"user:{user}", name=THIEF)
