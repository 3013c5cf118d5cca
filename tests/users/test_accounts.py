"""Registering, as an operation on many."""

import asyncio
from uuid import UUID, uuid4

from gamekeeper.core.errors import Problem
from gamekeeper.core.names import fold
from gamekeeper.db.database import Database
from gamekeeper.db.paging import pages
from gamekeeper.db.paging.orderings import USERS
from gamekeeper.users import accounts
from gamekeeper.users.accounts import PowersChange, UsernameTaken, UserRegistration
from gamekeeper.users.emails import EmailTaken
from gamekeeper.users.lookup import UserNotFound
from tests.make import BY, make_user


def registration(name: str, email: str = "") -> UserRegistration:
    return UserRegistration(
        by=BY, id=uuid4(), name=name, email=email or f"{fold(name)}@example.org", sealed="sealed"
    )


def kinds(outcomes: list[UUID | Problem]) -> list[type]:
    """For each outcome UUID, or what it was refused for."""
    return [type(outcome) if isinstance(outcome, Problem) else UUID for outcome in outcomes]


async def names(database: Database) -> list[str]:
    """Who there is, by every table that says so."""
    rows = await database.reader.rows(
        """
        SELECT users.name
          FROM users
          JOIN user_names ON user_names.user_id = users.id AND user_names.name_key = users.name_key
          JOIN user_emails ON user_emails.user_id = users.id
          JOIN passwords ON passwords.user_id = users.id
         ORDER BY users.name_key
        """
    )
    for table in ("users", "user_names", "user_skeletons", "user_emails", "passwords"):
        assert await database.reader.value(f"SELECT count(*) FROM {table}") == len(rows), table
    assert await pages.total(database.reader, USERS) == len(rows)
    return [row["name"] for row in rows]


async def test_refused_registrations_do_not_harm_their_neighbours(database):
    """A taken name and a taken address, also if a neighbour in the list took them."""
    await accounts.register.one(database, registration("Zoe"))
    orders = [
        registration("Ana"),
        registration("zoe", "zoe@example.com"),
        registration("Eve", "ZOE@example.org"),
        registration("ANA", "ana@example.com"),
        registration("Ben", "Ana@example.org"),
        registration("Bob"),
    ]

    outcomes = await accounts.register(database, orders)

    assert kinds(outcomes) == [UUID, UsernameTaken, EmailTaken, UsernameTaken, EmailTaken, UUID]
    assert await names(database) == ["Ana", "Bob", "Zoe"]
    assert outcomes[0] == orders[0].id
    again = await accounts.register(database, [registration("Eve"), registration("Ben")])
    assert kinds(again) == [UUID, UUID]


async def test_of_twenty_who_register_one_name_at_once_exactly_one_wins(database):
    orders = [
        registration("Ana" if number % 2 else "ANA", f"{number}@example.org")
        for number in range(20)
    ]

    outcomes = await asyncio.gather(*(accounts.register(database, [order]) for order in orders))

    flat = kinds([outcome for [outcome] in outcomes])
    assert (flat.count(UUID), flat.count(UsernameTaken)) == (1, 19)
    assert len(await names(database)) == 1


async def test_of_twenty_who_register_one_address_at_once_exactly_one_wins(database):
    orders = [registration(f"user{number}", "Ana@example.org") for number in range(20)]

    outcomes = await asyncio.gather(*(accounts.register(database, [order]) for order in orders))

    flat = kinds([outcome for [outcome] in outcomes])
    assert (flat.count(UUID), flat.count(EmailTaken)) == (1, 19)
    assert len(await names(database)) == 1


async def test_twenty_crossed_batches_at_once_register_each_name_once(database):
    """Lists that claim the same names in different orders do not wait for each other in a ring."""
    wanted = [f"user{number}" for number in range(10)]

    outcomes = await asyncio.gather(
        *(
            accounts.register(
                database,
                [
                    registration(name, f"{name}-{turn}@example.org")
                    for name in (wanted if turn % 2 else reversed(wanted))
                ],
            )
            for turn in range(20)
        )
    )

    flat = kinds([outcome for batch in outcomes for outcome in batch])
    assert (flat.count(UUID), flat.count(UsernameTaken)) == (10, 190)
    assert await names(database) == wanted


async def test_powers_are_granted_to_those_who_are_there(database):
    """And what an order does not name stays as it is."""
    await make_user(database, "Ana", kick=True)

    outcomes = await accounts.empower(
        database,
        [
            PowersChange(by=BY, user="nobody", api=True),
            PowersChange(by=BY, user="ANA", api=True, editor=True),
        ],
    )

    assert kinds(outcomes) == [UserNotFound, UUID]
    [row] = await database.reader.rows("SELECT api, editor, kick, ban FROM users")
    assert tuple(row) == (True, True, True, False)
