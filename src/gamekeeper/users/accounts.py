"""User accounts: listing, search, lookup, registration, and powers (permissions)."""

from collections.abc import Mapping, Sequence
from typing import Any, Literal, LiteralString, get_args
from uuid import UUID

from gamekeeper.auth import tokens
from gamekeeper.core import names
from gamekeeper.core.errors import Conflict, Invalid, Problem
from gamekeeper.core.languages.negotiation import Language
from gamekeeper.core.names import fold, is_name, is_staff_word
from gamekeeper.core.schemas import Page, Window
from gamekeeper.core.search import Search
from gamekeeper.db import unique_names
from gamekeeper.db.database import Queryable, Reader, Writer
from gamekeeper.db.operations import Command, operation
from gamekeeper.db.paging import pages
from gamekeeper.db.paging.orderings import USERS, added, by_name, record_deltas
from gamekeeper.db.queries import batched_query, single_flight
from gamekeeper.db.unique_names import ByKey
from gamekeeper.ledger import actions
from gamekeeper.ledger.actions import Action
from gamekeeper.sanctions.in_force import NOT_OVER
from gamekeeper.users import directory, email_verification, skeletons
from gamekeeper.users.emails import CLAIM_EMAIL, EmailTaken
from gamekeeper.users.lookup import UserNotFound, find_user_ids, lock
from gamekeeper.users.play_time import play_times, with_play_time
from gamekeeper.users.records import COLUMNS, User, user

NAME_JOINERS = "-_"

CLAIM_NAME: LiteralString = """
    INSERT INTO user_names (name_key, user_id)
    SELECT * FROM unnest($1::text[], $2::uuid[]) AS wanted (name_key, user_id)
     ORDER BY name_key
    ON CONFLICT DO NOTHING
    RETURNING user_id AS owner
"""


class InvalidUsername(Invalid):
    """A username needs 2 to 20 letters or digits of one script, one a letter; '-' or '_' inside."""


class UsernameTaken(Conflict):
    """An account already has this username or one that looks like it."""


class UserRegistration(Command, frozen=True, kw_only=True):
    id: UUID
    """Chosen beforehand, because the password record is bound to it."""
    name: str
    email: str
    sealed: str
    email_as_sent: str = ""
    """The spelling for the error "email taken": clients compare that sentence."""
    language: Language | None = None
    email_tags: tuple[bytes, ...] = ()
    """The keyed hashes of `tag_text`, under all keys: an erased account may hold the address."""

    def __repr__(self) -> str:
        return f"Registration({self.id})"


@single_flight
async def list_users(
    reader: Reader, window: Window, search: Search | None, *, sees_emails: bool
) -> Page[User]:
    """List all accounts by name, or those that match a search."""
    if search is not None:
        return await directory.search_page(reader, window, search, sees_emails=sees_emails)
    rows, total = await pages.page(reader, USERS, window, columns=COLUMNS)
    return Page.of(await with_play_time(reader, rows, sees_emails=sees_emails), total, window)


async def find_user(reader: Reader, key: str, *, sees_emails: bool) -> User:
    row = await rows_by_key.one(reader, key)
    if row is None:
        raise missing(key)
    played = await play_times.one(reader, row["id"])
    return user(row, sees_emails=sees_emails, play_time_seconds=played or 0)


def missing(key: str) -> UserNotFound:
    return UserNotFound(names.missing("user", key))


@batched_query
async def rows_by_key(reader: Reader, keys: Sequence[str]) -> dict[str, Any]:
    """The rows of the accounts with these names or ids."""
    found = await unique_names.read(reader, ACCOUNTS, keys)
    return {key: row for key, [row] in found.items()}


ACCOUNTS = ByKey.of("users", f"SELECT key, {COLUMNS} FROM {{owners}}")


def check_name(name: str, *, staff: bool = False) -> None:
    """Raise InvalidUsername unless the name is allowed; reserved words need `staff`."""
    if not is_name(name, joiners=NAME_JOINERS):
        raise InvalidUsername
    if not staff and is_staff_word(name):
        raise InvalidUsername("This username is reserved or looks like a reserved one.")


@operation
async def register(writer: Writer, orders: Sequence[UserRegistration]) -> list[UUID | Problem]:
    """Create accounts without powers. Names must be checked and emails normalised already."""
    kept_away = await _kept_away(writer, orders)
    named = await _claim_names(writer, [order for order in orders if order.id not in kept_away])
    free = [order for order in orders if order.id in named]
    emails = await unique_names.claim(
        writer, CLAIM_EMAIL, [fold(order.email) for order in free], [order.id for order in free]
    )
    lost = [order for order in free if order.id not in emails]
    await _release_names(writer, lost)
    await _insert(writer, [order for order in orders if order.id in emails])
    return [
        UsernameTaken(f"Account already exists with username '{order.name}'.")
        if order.id not in named and order.id not in kept_away
        else EmailTaken(f"Account already with email '{order.email_as_sent or order.email}'.")
        if order in lost or order.id in kept_away
        else order.id
        for order in orders
    ]


def tag_text(email: str) -> str:
    """The text whose HMAC stands for an address of an erased account."""
    return f"erased email {fold(email)}"


async def _kept_away(writer: Writer, orders: Sequence[UserRegistration]) -> set[UUID]:
    """Those whose address is that of an erased account with a sanction that is not over."""
    tags = {tag: order.id for order in orders for tag in order.email_tags}
    if not tags:
        return set()
    rows = await writer.rows(
        f"""
        SELECT email_tag FROM erased_users
         WHERE email_tag = ANY($1)
           AND EXISTS (SELECT FROM sanctions
                        WHERE sanctions.user_id = erased_users.user_id
                          AND kind IN ('ban', 'mute', 'trade_lock') AND {NOT_OVER})
        """,
        list(tags),
    )
    held = {row["email_tag"] for row in rows}
    return {order.id for order in orders if held.intersection(order.email_tags)}


async def _claim_names(writer: Writer, orders: Sequence[UserRegistration]) -> set[UUID]:
    """Claim the names of new accounts and their skeletons; return the ids that got both."""
    names = await unique_names.claim(
        writer, CLAIM_NAME, [fold(order.name) for order in orders], [order.id for order in orders]
    )
    named = [order for order in orders if order.id in names]
    looking = await skeletons.claim(
        writer, [order.name for order in named], [order.id for order in named]
    )
    await _release_names(writer, [order for order in named if order.id not in looking])
    return looking


async def _release_names(writer: Writer, orders: Sequence[UserRegistration]) -> None:
    if not orders:
        return
    await skeletons.release(
        writer, [order.name for order in orders], [order.id for order in orders]
    )
    await writer.run(
        "DELETE FROM user_names WHERE name_key = ANY($1) AND user_id = ANY($2)",
        [fold(order.name) for order in orders],
        [order.id for order in orders],
    )


async def _insert(writer: Writer, orders: Sequence[UserRegistration]) -> None:
    await writer.run(
        """
        INSERT INTO users (id, name, name_key, email, language)
        SELECT * FROM unnest($1::uuid[], $2::text[], $3::text[], $4::text[], $5::text[])
        """,
        [order.id for order in orders],
        [order.name for order in orders],
        [fold(order.name) for order in orders],
        [order.email for order in orders],
        [order.language for order in orders],
    )
    await writer.run(
        "INSERT INTO passwords (user_id, sealed) SELECT * FROM unnest($1::uuid[], $2::text[])",
        [order.id for order in orders],
        [order.sealed for order in orders],
    )
    await record_deltas(
        writer, [added(USERS, by_name(fold(order.name), order.id)) for order in orders]
    )
    await email_verification.welcome(
        writer,
        {order.id: order.email for order in orders},
        {order.id: order.language for order in orders},
    )
    await actions.record(
        writer,
        [
            Action(
                kind="users.register",
                by=order.by,
                user_id=order.id,
                after={"name": order.name, "email": order.email}
                | ({"language": order.language} if order.language else {}),
            )
            for order in orders
        ],
    )


class PowersChange(Command, frozen=True, kw_only=True):
    """A change of an account's powers; None leaves a power as it is."""

    user: str
    editor: bool | None = None
    ban: bool | None = None
    kick: bool | None = None
    mute: bool | None = None
    api: bool | None = None
    personal_information: bool | None = None
    user_query: bool | None = None
    user_management: bool | None = None


PowerName = Literal[
    "editor",
    "ban",
    "kick",
    "mute",
    "api",
    "personal_information",
    "user_query",
    "user_management",
]
POWERS: tuple[PowerName, ...] = get_args(PowerName)


@operation
async def empower(writer: Writer, orders: Sequence[PowersChange]) -> list[UUID | Problem]:
    """Grant or withdraw powers; later orders for the same account win."""
    return [await _empower(writer, order) for order in orders]


async def _empower(writer: Writer, order: PowersChange) -> UUID | Problem:
    [user] = await find_user_ids(writer, [order.user])
    if user is None:
        return missing(order.user)
    if user not in await lock(writer, [user]):
        return missing(order.user)
    before = (await powers(writer, [user]))[user]
    wanted = {power: getattr(order, power) for power in POWERS}
    after = before | {power: on for power, on in wanted.items() if on is not None}
    await set_powers(writer, {user: before}, {user: after})
    action = Action(kind="users.powers", by=order.by, user_id=user, before=before, after=after)
    await actions.record(writer, [action])
    return user


async def powers(reader: Queryable, users: Sequence[UUID]) -> dict[UUID, dict[str, bool]]:
    rows = await reader.rows(
        """
        SELECT id, editor, ban, kick, mute, api, personal_information, user_query, user_management
          FROM users WHERE id = ANY($1)
        """,
        list(users),
    )
    return {row["id"]: {power: row[power] for power in POWERS} for row in rows}


async def set_powers(
    writer: Writer, before: Mapping[UUID, dict[str, bool]], now: Mapping[UUID, dict[str, bool]]
) -> None:
    """Set the powers of users; revoke the tokens of those who lose one that tokens grant."""
    new = {user: powers for user, powers in now.items() if powers != before[user]}
    await writer.run(
        """
        UPDATE users
           SET editor = new.editor, ban = new.ban, kick = new.kick, mute = new.mute,
               api = new.api, personal_information = new.personal_information,
               user_query = new.user_query, user_management = new.user_management
          FROM unnest($1::uuid[], $2::boolean[], $3::boolean[], $4::boolean[], $5::boolean[],
                      $6::boolean[], $7::boolean[], $8::boolean[], $9::boolean[])
               AS new (id, editor, ban, kick, mute, api, personal_information, user_query,
                       user_management)
         WHERE users.id = ANY($1) AND users.id = new.id
        """,
        list(new),
        *([powers[power] for powers in new.values()] for power in POWERS),
    )
    await tokens.end_all(
        writer, [user for user, powers in new.items() if tokens.weakened(before[user], powers)]
    )
