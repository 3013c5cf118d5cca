"""Replacing passwords, as an operation on many; and proving them while keys are changed."""

import asyncio
from uuid import UUID, uuid4

import msgspec
import pytest

from gamekeeper.auth import tokens
from gamekeeper.auth.secrets import Vault
from gamekeeper.core.errors import Problem, TooManyRequests
from gamekeeper.core.settings import Hidden
from gamekeeper.db.database import Database
from gamekeeper.users import passwords
from gamekeeper.users.passwords import (
    InvalidCredentials,
    InvalidPasswordHash,
    NewPassword,
    PasswordChangedMeanwhile,
)
from tests.make import BY, make_user, proved, sha

SECRET, WRONG = bytes.fromhex(sha("secret")), bytes.fromhex(sha("wrong"))


async def having(database: Database, *records: str) -> list[UUID]:
    """Accounts with these password records, each signed in once."""
    users = [await make_user(database, api=True) for _ in records]
    await passwords.replace(
        database,
        [
            NewPassword(by=BY, user_id=user, sealed=one)
            for user, one in zip(users, records, strict=True)
        ],
    )
    await tokens.issue(database, [await proved(database, user) for user in users])
    return users


async def stored(database: Database, users: list[UUID]) -> list[tuple[str, bool]]:
    """The record of each account, and whether it is still signed in."""
    rows = await database.reader.rows(
        """
        SELECT passwords.user_id, sealed, revoked_at IS NULL AS live
          FROM passwords JOIN token_families USING (user_id)
        """
    )
    found = {row["user_id"]: (row["sealed"], row["live"]) for row in rows}
    return [found[user] for user in users]


def kinds(outcomes: list[Problem | None]) -> list[type]:
    return [type(outcome) for outcome in outcomes]


async def test_a_refused_change_does_not_harm_its_neighbours(database):
    """Whose password is no longer the one that was proved keeps it, and its tokens."""
    users = await having(database, "a", "b", "c")
    replaced = ["a", "something else", None]

    outcomes = await passwords.replace(
        database,
        [
            NewPassword(by=BY, user_id=user, sealed="new", replaces=old)
            for user, old in zip(users, replaced, strict=True)
        ],
    )

    assert kinds(outcomes) == [type(None), PasswordChangedMeanwhile, type(None)]
    assert await stored(database, users) == [("new", False), ("b", True), ("new", False)]


async def test_an_account_that_is_gone_does_not_harm_its_neighbours(database):
    users = await having(database, "a", "b")
    orders = [
        NewPassword(by=BY, user_id=user, sealed="new") for user in (users[0], uuid4(), users[1])
    ]

    outcomes = await passwords.replace(database, orders)

    assert [isinstance(outcome, Problem) for outcome in outcomes] == [False, True, False]
    assert await stored(database, users) == [("new", False), ("new", False)]


async def test_of_two_changes_of_one_password_in_a_batch_the_later_stays(database):
    users = await having(database, "a")

    outcomes = await passwords.replace(
        database, [NewPassword(by=BY, user_id=users[0], sealed=new) for new in ("b", "c")]
    )

    assert outcomes == [None, None]
    assert await stored(database, users) == [("c", False)]


async def test_of_twenty_changes_of_one_password_at_once_exactly_one_happens(database):
    users = await having(database, "old")
    orders = [
        NewPassword(by=BY, user_id=users[0], sealed=f"new {number}", replaces="old")
        for number in range(20)
    ]

    outcomes = await asyncio.gather(*(passwords.replace(database, [order]) for order in orders))

    flat = kinds([outcome for [outcome] in outcomes])
    assert (flat.count(type(None)), flat.count(PasswordChangedMeanwhile)) == (1, 19)
    [(sealed, live)] = await stored(database, users)
    assert sealed == orders[flat.index(type(None))].sealed
    assert not live


async def test_a_proved_password_is_sealed_anew_under_the_newest_key(database):
    """And only then: a wrong guess writes nothing. It goes on opening under the new key alone."""
    old, new = "2025a:" + "01" * 32, "2026a:" + "02" * 32

    def vault(*held: str) -> Vault:
        keys = Hidden(",".join(held))
        return Vault(msgspec.structs.replace(database.settings, password_keys=keys))

    before = await vault(old).hash(ana := await make_user(database, "ana"), SECRET)
    await passwords.replace.one(database, NewPassword(by=BY, user_id=ana, sealed=before))
    sql = "SELECT sealed FROM passwords"
    with pytest.raises(InvalidCredentials):
        await passwords.authenticate(
            database, vault(new, old), "ana", WRONG, source="address:1.2.3.4"
        )
    assert await database.reader.value(sql) == before

    await passwords.authenticate(database, vault(new, old), "ana", SECRET, source="address:1.2.3.4")

    assert await database.reader.value(sql) != before
    proved = await passwords.authenticate(
        database, vault(new), "ANA", SECRET, source="address:1.2.3.4"
    )
    assert proved.id == ana


async def test_a_proved_password_forgives_the_failures_of_any_name(database):
    """Also of one that is longer folded than written: one ligature may stand for 18 letters."""
    for name in ("Ana", "ﷺ" * 4):
        user = await make_user(database, name)
        vault = Vault(database.settings)
        sealed = await vault.hash(user, SECRET)
        await passwords.replace.one(database, NewPassword(by=BY, user_id=user, sealed=sealed))
        with pytest.raises(InvalidCredentials):
            await passwords.authenticate(database, vault, name, WRONG, source="address:1.2.3.4")

        await passwords.authenticate(database, vault, name, SECRET, source="address:1.2.3.4")

        sql = "SELECT count(*) FROM guess_budgets WHERE subject LIKE 'account:%'"
        assert await database.reader.value(sql) == 0, name


def test_a_hash_is_64_hex_digits_of_any_case():
    digits = sha("secret")

    assert passwords.parse("new", digits) == passwords.parse("new", digits.upper())
    for bad in ("", digits[:-1], digits + "0", digits[:-1] + "g", f"{digits}\n"):
        with pytest.raises(InvalidPasswordHash, match="'new' must be 64 hexadecimal digits"):
            passwords.parse("new", bad)


HERE = "address:192.0.2.7"


async def failures(database: Database) -> list[float]:
    rows = await database.reader.rows("SELECT failures FROM guess_budgets ORDER BY subject")
    return [row["failures"] for row in rows]


async def test_many_equal_sign_ins_share_a_check_and_lock_nobody_out(database):
    """A website's visitors come at once; each is let in, also when it is seen the first time."""
    vault = Vault(database.settings)
    user = await make_user(database, "website", password="secret", api=True)

    async def enter(secret: bytes = SECRET) -> object:
        return await passwords.authenticate_for_token(
            database, vault, "website", secret, source=HERE
        )

    accounts = await asyncio.gather(*(enter() for _ in range(50)))
    assert {account.id for account in accounts} == {user}

    refused = await asyncio.gather(*(enter(WRONG) for _ in range(50)), return_exceptions=True)
    assert {type(one) for one in refused} == {InvalidCredentials}
    # One for the first, and at most one for all that waited for it.
    assert 0 < max(await failures(database)) <= 2


async def test_different_guesses_are_each_charged(database):
    vault = Vault(database.settings)
    await make_user(database, "website", password="secret", api=True)
    guesses = [bytes.fromhex(sha(f"guess {number}")) for number in range(20)]

    outcomes = await asyncio.gather(
        *(
            passwords.authenticate_for_token(database, vault, "website", guesse, source=HERE)
            for guesse in guesses
        ),
        return_exceptions=True,
    )

    checked = [outcome for outcome in outcomes if isinstance(outcome, InvalidCredentials)]
    throttled = [outcome for outcome in outcomes if isinstance(outcome, TooManyRequests)]
    assert len(checked) + len(throttled) == 20
    assert throttled
    assert max(await failures(database)) == pytest.approx(len(checked), abs=0.1)


async def test_who_leaves_early_does_not_end_the_check_of_others(database):
    vault = Vault(database.settings)
    user = await make_user(database, "website", password="secret", api=True)
    waiting = [
        asyncio.create_task(
            passwords.authenticate_for_token(database, vault, "website", SECRET, source=HERE)
        )
        for _ in range(3)
    ]
    await asyncio.sleep(0)
    waiting[0].cancel()

    assert [account.id for account in await asyncio.gather(*waiting[1:])] == [user, user]
