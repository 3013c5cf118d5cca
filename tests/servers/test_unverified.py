"""Characters of accounts with an unverified address, where the operator requires a verified one."""

from collections.abc import AsyncIterator
from uuid import uuid4

import httpx2
import pytest
from msgspec import structs

from gamekeeper.auth import keys
from gamekeeper.core.settings import Hidden, Settings
from gamekeeper.db.database import Database
from gamekeeper.users import accounts, email_proofs
from gamekeeper.users.accounts import UserRegistration
from gamekeeper.users.email_proofs import StaffVerification
from tests.in_process import in_process
from tests.make import BY, make_player, make_user
from tests.servers.game_server import GameServer

QUEUED = "SELECT count(*) FROM pgqueuer WHERE entrypoint = 'email_verification_mail'"


@pytest.fixture
async def strict(settings: Settings, database: Database) -> AsyncIterator[httpx2.AsyncClient]:
    """An application that requires verified addresses."""
    required = structs.replace(
        settings, email_verification="required", smtp_url=Hidden("smtp://127.0.0.1:9")
    )
    key = await keys.create.one(database, keys.NewKey(by=BY, name="strict"))
    async with in_process(required, None, {"Authorization": f"Bearer {key}"}) as client:
        yield client


def register(name: str) -> UserRegistration:
    email = f"{name}@example.org"
    return UserRegistration(by=BY, id=uuid4(), name=name, email=email, sealed="x")


async def test_unverified_accounts_play_unless_the_operator_requires_it(client, database):
    await make_player(database, "Hero", user=await make_user(database))
    server = await GameServer.register(client)

    joined = await server.join("Hero")

    assert joined["Refused"] == []
    assert len(joined["Values"]) == 1


async def test_only_characters_of_verified_accounts_join(strict, database):
    ana, bob = await make_user(database, language="de"), await make_user(database)
    await make_player(database, "Hero", user=ana)
    friend = await make_player(database, "Friend", user=bob)
    await email_proofs.verify.one(database, StaffVerification(by=BY, user_id=bob))
    server = await GameServer.register(strict)

    joined = await server.join("Hero", "Friend")

    assert [one["PlayerId"] for one in joined["Values"]] == [str(friend)]
    [refused] = joined["Refused"]
    assert (refused["Player"], refused["Code"]) == ("Hero", "email_not_verified")
    assert refused["Until"] is None
    assert refused["Message"].startswith("Bestätige deine E-Mail-Adresse")
    await email_proofs.verify.one(database, StaffVerification(by=BY, user_id=ana))
    assert (await server.join("Hero"))["Refused"] == []


async def test_a_new_account_gets_the_mail_at_once_only_where_it_needs_it(strict, client, database):
    await accounts.register.one(database, register("ana"))
    assert await database.reader.value(QUEUED) == 0
    body = {"username": "bob", "email": "bob@example.org", "password": "ab" * 32}

    assert (await strict.post("/api/v1/users/register", json=body)).status_code == 200

    assert await database.reader.value(QUEUED) == 1
