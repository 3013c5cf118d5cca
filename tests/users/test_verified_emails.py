"""Verified addresses: what proves them, and what makes an account unverified again."""

from uuid import UUID, uuid4

from gamekeeper.db.database import Database
from gamekeeper.users import emails, resets, verified_emails
from gamekeeper.users.emails import NewEmail
from gamekeeper.users.resets import Completion, Reset, ResetRequest
from gamekeeper.users.verified_emails import Method
from tests.make import BY, make_user


async def is_verified(database: Database, user: UUID) -> bool:
    return await verified_emails.is_verified(database.reader, user)


async def prove(database: Database, user: UUID, method: Method = "mail") -> list[UUID]:
    return await database.write(lambda writer: verified_emails.record(writer, {user: method}))


async def change(database: Database, user: UUID, email: str) -> None:
    await emails.change.one(database, NewEmail(by=BY, user=str(user), email=email))


async def test_an_account_is_unverified_until_it_proves_its_address(database):
    ana, bob = await make_user(database), await make_user(database)
    assert not await is_verified(database, ana)

    assert await prove(database, ana) == [ana]

    assert await is_verified(database, ana)
    assert not await is_verified(database, bob)
    assert not await is_verified(database, uuid4())
    found = await verified_emails.verifications.one(database.reader, ana)
    assert found is not None
    assert found.method == "mail"
    assert await verified_emails.verifications.one(database.reader, bob) is None


async def test_the_first_proof_of_an_address_stays(database):
    ana = await make_user(database)
    await prove(database, ana)

    assert await prove(database, ana, "staff") == []

    found = await verified_emails.verifications.one(database.reader, ana)
    assert found is not None
    assert found.method == "mail"


async def test_a_completed_reset_by_mail_proves_the_address(database):
    ana = await make_user(database)
    await resets.request.one(database, ResetRequest(user_id=ana))
    [reset] = await database.reader.all(Reset, "SELECT user_id, id FROM password_resets")

    await resets.complete.one(database, Completion(by=BY, reset=reset, sealed="new"))

    assert await is_verified(database, ana)


async def test_another_address_is_unverified_and_so_is_the_former_one_when_it_comes_back(database):
    ana = await make_user(database, email="ana@example.org")
    await prove(database, ana)

    await change(database, ana, "other@example.org")
    assert not await is_verified(database, ana)
    assert await database.reader.value("SELECT count(*) FROM verified_emails") == 0

    await change(database, ana, "ana@example.org")
    assert not await is_verified(database, ana)


async def test_an_address_that_the_version_before_changed_is_unverified(database):
    """It knows nothing of the table with the proofs."""
    ana = await make_user(database)
    await prove(database, ana)

    await database.write(
        lambda writer: writer.run("UPDATE users SET email = 'b@example.org' WHERE id = $1", ana)
    )

    assert not await is_verified(database, ana)
    assert await verified_emails.verifications.one(database.reader, ana) is None
    assert await prove(database, ana, "staff") == [ana]
    assert await is_verified(database, ana)
