"""The application as an OpenID provider, in the process of the tests."""

from collections.abc import AsyncIterator

import httpx2
import pytest
from msgspec import structs

from gamekeeper.core.settings import Settings
from gamekeeper.db.database import Database
from tests.in_process import in_process
from tests.make import make_user
from tests.provider.relying_party import ISSUER, PASSWORD, Browser, RelyingParty, register
from tests.provider.sign_outs import GOODBYE
from tests.webhooks import receivers
from tests.webhooks.receivers import Receiver


@pytest.fixture
def provider_settings(settings: Settings) -> Settings:
    # A host that webhooks may reach, for the notices of sign-outs.
    return structs.replace(
        settings, openid_issuer=ISSUER, public_url=ISSUER, webhook_hosts="127.0.0.1:*"
    )


@pytest.fixture
async def http(provider_settings: Settings) -> AsyncIterator[httpx2.AsyncClient]:
    async with in_process(provider_settings) as http:
        yield http


@pytest.fixture
async def browser(http: httpx2.AsyncClient, database: Database) -> Browser:
    return Browser(http, "Ana", await make_user(database, "Ana", password=PASSWORD))


@pytest.fixture
async def party(http: httpx2.AsyncClient, database: Database) -> RelyingParty:
    return RelyingParty(http, await register(database))


@pytest.fixture
async def receiver() -> AsyncIterator[Receiver]:
    async with receivers.receiver() as receiver:
        yield receiver


async def notified(
    http: httpx2.AsyncClient, database: Database, receiver: Receiver
) -> RelyingParty:
    """A website that is informed of sign-outs, and that staff trust."""
    registration = await register(
        database, backchannel_uri=receiver.url, logout_uris=(GOODBYE,), asks_consent=False
    )
    return RelyingParty(http, registration)
