"""Resets asked for and completed, as operations on many."""

import asyncio
from uuid import UUID, uuid4

import msgspec
import pytest

from gamekeeper.auth.secrets import Vault
from gamekeeper.core.errors import Problem
from gamekeeper.core.settings import Hidden
from gamekeeper.db.database import Database
from gamekeeper.users import resets
from gamekeeper.users.mailed_proofs import CODE_ALPHABET, CODE_LENGTH
from gamekeeper.users.resets import Completion, InvalidReset, Reset, ResetRequest
from tests.make import BY, make_user


def wanted(*users: UUID) -> list[ResetRequest]:
    return [ResetRequest(user_id=user) for user in users]


async def asked(database: Database, *users: UUID) -> list[Reset]:
    """An open reset for each of these accounts."""
    await resets.request(database, wanted(*users))
    rows = await database.reader.all(Reset, "SELECT user_id, id FROM password_resets")
    found = {reset.user_id: reset for reset in rows}
    return [found[user] for user in users]


async def jobs(database: Database) -> int:
    return await database.reader.value("SELECT count(*) FROM pgqueuer")


def kinds(outcomes: list[Problem | None]) -> list[type]:
    return [type(outcome) for outcome in outcomes]


async def test_a_request_and_its_job_are_entered_together(database):
    """One for each account, whoever was throttled; the job says which, and nothing else."""
    ana, bob = await make_user(database), await make_user(database)
    await resets.request.one(database, *wanted(ana))

    outcomes = await resets.request(database, wanted(ana, bob))

    assert outcomes == ["throttled", "queued"]
    assert await jobs(database) == 2
    rows = await database.reader.rows("SELECT payload FROM pgqueuer ORDER BY id")
    entered = [msgspec.json.decode(row["payload"], type=Reset) for row in rows]
    assert [reset.user_id for reset in entered] == [ana, bob]


async def test_a_job_is_entered_as_the_queue_reads_it(database):
    """Its own reader must understand the row, or the worker dies of it."""
    await resets.request.one(database, *wanted(await make_user(database)))

    headers = await database.reader.value("SELECT headers::text FROM pgqueuer")

    assert headers in (None, "null", "{}")


async def test_an_account_that_is_gone_does_not_harm_its_neighbours(database):
    ana = await make_user(database)

    outcomes = await resets.request(database, wanted(uuid4(), ana))

    assert isinstance(outcomes[0], Problem)
    assert outcomes[1] == "queued"
    assert await jobs(database) == 1


async def test_of_twenty_requests_at_once_one_is_entered(database):
    ana = await make_user(database)

    outcomes = await asyncio.gather(*(resets.request(database, wanted(ana)) for _ in range(20)))

    assert sorted(str(outcome) for [outcome] in outcomes) == ["queued"] + ["throttled"] * 19
    assert await jobs(database) == 1


async def test_a_void_reset_does_not_harm_its_neighbours(database):
    """Used up, expired, never asked for: each in one list with good ones."""
    users = [await make_user(database) for _ in range(4)]
    good, used, expired, fine = await asked(database, *users)
    for reset, change in ((used, "used_at = now()"), (expired, "expires_at = now()")):
        await database.write(
            lambda writer, reset=reset, change=change: writer.run(
                f"UPDATE password_resets SET {change} WHERE id = $1", reset.id
            )
        )
    never = Reset(user_id=users[0], id=uuid4())

    outcomes = await resets.complete(
        database,
        [
            Completion(by=BY, reset=reset, sealed=f"new {number}")
            for number, reset in enumerate([good, used, expired, never, fine])
        ],
    )

    refused = [InvalidReset] * 3
    assert kinds(outcomes) == [type(None), *refused, type(None)]
    rows = await database.reader.rows("SELECT user_id, sealed FROM passwords")
    stored = {row["user_id"]: row["sealed"] for row in rows}
    assert stored == {users[0]: "new 0", users[3]: "new 4"}


async def test_of_twenty_who_complete_one_reset_at_once_exactly_one_does(database):
    [reset] = await asked(database, await make_user(database))

    outcomes = await asyncio.gather(
        *(
            resets.complete(database, [Completion(by=BY, reset=reset, sealed=f"new {number}")])
            for number in range(20)
        )
    )

    flat = kinds([outcome for [outcome] in outcomes])
    assert (flat.count(type(None)), flat.count(InvalidReset)) == (1, 19)
    sealed = await database.reader.value("SELECT sealed FROM passwords")
    assert sealed == f"new {flat.index(type(None))}"


async def test_wrong_codes_that_come_at_once_are_all_counted(database):
    """Twenty guesses in one instant are no cheaper than twenty in a row."""
    user = await make_user(database, "ana")
    [reset] = await asked(database, user)
    vault = Vault(database.settings)

    async def wrong(number: int) -> None:
        code = f"2222222{CODE_ALPHABET[number]}"
        # From as many places, because one place has a budget of its own.
        by = msgspec.structs.replace(BY, address=f"10.0.0.{number}")
        with pytest.raises(InvalidReset):
            await resets.complete_by_code(database, vault, "ana", code, b"\1" * 32, by)

    await asyncio.gather(*(wrong(number) for number in range(20)))

    code = resets.code(vault, reset)
    with pytest.raises(InvalidReset):
        await resets.complete_by_code(database, vault, "ana", code, b"\1" * 32, BY)


def test_link_and_code_depend_on_the_request_and_on_a_key_outside_the_database(settings):
    """Whoever has the tables can compute neither."""
    other = msgspec.structs.replace(settings, password_keys=Hidden("a:" + "07" * 32))
    made = [
        (vault, Reset(user_id=UUID(int=user), id=UUID(int=number)))
        for vault in (Vault(settings), Vault(other))
        for user in (1, 2)
        for number in (1, 2)
    ]

    links = [resets.link_token(vault, reset) for vault, reset in made]
    codes = [resets.code(vault, reset) for vault, reset in made]

    assert len(set(links)) == len(set(codes)) == len(made)
    assert {len(code) for code in codes} == {CODE_LENGTH}
    assert set("".join(codes)) <= set(CODE_ALPHABET)
    assert links == [resets.link_token(vault, reset) for vault, reset in made]
