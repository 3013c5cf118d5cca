"""What one account can store is bounded, and what concerns a whole client takes short steps."""

from typing import Any
from uuid import UUID

import httpx2
import pytest

from gamekeeper.auth import credentials, openid_sessions
from gamekeeper.core.settings import Hidden
from gamekeeper.db.database import Database
from gamekeeper.provider import clients, sessions, sign_ins
from gamekeeper.provider.clients import ClientRemoval, SignInsEnd
from gamekeeper.provider.sessions import NewPlayerSession
from gamekeeper.provider.sign_ins import Grant
from tests.make import BY
from tests.provider.conftest import notified
from tests.provider.relying_party import CALLBACK, Browser, RelyingParty, answer_in
from tests.provider.sign_outs import ban, notices
from tests.webhooks.receivers import Receiver


@pytest.fixture
async def party(http: httpx2.AsyncClient, database: Database, receiver: Receiver) -> RelyingParty:
    return await notified(http, database, receiver)


async def signed_in(browser: Browser, party: RelyingParty) -> dict[str, Any]:
    """The tokens of a sign-in in the session of the browser, which asks nothing."""
    page = await browser.authorize(party.query())
    code = answer_in(page.headers["location"])["code"]
    return (await party.exchange(code)).json()


async def make_sign_ins(database: Database, user: UUID, client: str, count: int) -> None:
    """Sign-ins with a token each, in a session each, that are older than all others."""
    await database.write(
        lambda writer: writer.run(
            """
            WITH made AS (
                INSERT INTO openid_sign_ins (id, client_id, user_id, session_id, scopes,
                                             authenticated_at, code_hash, redirect_uri,
                                             code_expires_at, code_used_at, expires_at)
                SELECT gen_random_uuid(), $2, $1, gen_random_uuid(), '{openid}', now(),
                       sha256(n::text::bytea), 'https://forum.example.org/', now(),
                       now() - make_interval(secs => n), now() + interval '60 days'
                  FROM generate_series(1, $3::int) AS n
                RETURNING id, code_hash)
            INSERT INTO openid_tokens (hash, sign_in_id, kind, expires_at)
            SELECT code_hash, id, 'access', now() + interval '1 hour' FROM made
            """,
            user,
            client,
            count,
        )
    )


async def test_unused_codes_of_one_account_are_bounded(
    browser: Browser, party: RelyingParty, database: Database
):
    """A page in the background repeats `prompt=none`."""
    await browser.sign_in(party.query())
    session = await database.reader.value("SELECT id FROM openid_sessions")
    codes = [credentials.new_credential("gkoc") for _ in range(2000)]

    def wanted(code: Hidden) -> Grant:
        return Grant(
            user_id=browser.user,
            session_id=session,
            client_id=party.id,
            redirect_uri=CALLBACK,
            scopes=["openid"],
            nonce=None,
            challenge=None,
            consents=False,
            code=code,
        )

    for start in range(0, len(codes), 100):
        batch = [wanted(code) for code in codes[start : start + 100]]
        assert set(await sign_ins.grant(database, batch)) == {None}
    last = credentials.new_credential("gkoc")
    await sign_ins.grant.one(database, wanted(last))

    count = await database.reader.value("SELECT count(*) FROM openid_sign_ins")
    assert count <= sign_ins.MAX_CODES
    newest = await party.exchange(str(last), code_verifier=None)
    oldest = await party.exchange(str(codes[0]), code_verifier=None)
    assert (newest.status_code, oldest.json()["error"]) == (200, "invalid_grant")
    await ban(database, browser.user)
    assert len(await notices(database)) == 1


async def test_a_code_that_nobody_exchanges_is_gone_after_its_minute(
    browser: Browser, party: RelyingParty, database: Database
):
    """Only an exchanged one lives as long as a sign-in."""
    days = "SELECT extract(epoch FROM expires_at - created_at)::int / 60 FROM openid_sign_ins"
    code = (await browser.sign_in(party.query()))["code"]
    assert await database.reader.value(days) <= 1

    assert (await party.exchange(code)).status_code == 200

    assert await database.reader.value(days) >= 59 * 24 * 60


async def test_sign_ins_of_one_session_are_bounded(
    browser: Browser, party: RelyingParty, database: Database
):
    await browser.enter_password(party.query())
    tokens = [
        (await signed_in(browser, party))["access_token"]
        for _ in range(sign_ins.MAX_SIGN_INS_OF_SESSION + 1)
    ]

    alive = [(await party.user_info(token)).status_code for token in tokens]

    assert alive == [401] + [200] * sign_ins.MAX_SIGN_INS_OF_SESSION
    # The session goes on at the client.
    assert await notices(database) == []


async def test_the_oldest_sign_ins_at_a_client_end_with_a_notice(
    browser: Browser, party: RelyingParty, database: Database
):
    await make_sign_ins(database, browser.user, party.id, sign_ins.MAX_SIGN_INS + 1)
    await browser.enter_password(party.query())

    tokens = await signed_in(browser, party)

    count = await database.reader.value("SELECT count(*) FROM openid_sign_ins")
    assert count == sign_ins.MAX_SIGN_INS
    assert len(await notices(database)) == 2
    assert (await party.user_info(tokens["access_token"])).status_code == 200


async def test_sessions_of_one_account_are_bounded(
    browser: Browser, party: RelyingParty, database: Database
):
    """The oldest ends with its sign-ins."""
    await browser.enter_password(party.query())
    tokens = await signed_in(browser, party)
    sealed = await database.reader.value("SELECT sealed FROM passwords")
    for _ in range(sessions.MAX_SESSIONS):
        order = NewPlayerSession(
            user_id=browser.user,
            sealed=sealed,
            address="192.0.2.1",
            cookie=credentials.new_credential("gkos"),
        )
        await sessions.start.one(database, order)

    live = await database.reader.value(
        "SELECT count(*) FROM openid_sessions WHERE ended_at IS NULL"
    )
    assert live == sessions.MAX_SESSIONS
    assert (await party.user_info(tokens["access_token"])).status_code == 401
    assert len(await notices(database)) == 1


async def test_all_sign_ins_at_a_client_end_in_short_transactions(
    browser: Browser, party: RelyingParty, database: Database
):
    """A ban of a player among them must not wait for all of them."""
    count = 5000
    await make_sign_ins(database, browser.user, party.id, count)

    await clients.end_sign_ins(database, SignInsEnd(by=BY, client=party.id))

    longest = await database.reader.value(
        """
        SELECT max(count)
          FROM (SELECT count(*) AS count FROM openid_sign_ins
                 WHERE ended_at IS NOT NULL GROUP BY xmin::text) AS transactions
        """
    )
    assert longest == openid_sessions.END_BATCH
    assert len(await notices(database)) == count
    priorities = await database.reader.value("SELECT array_agg(DISTINCT priority) FROM pgqueuer")
    assert priorities == [openid_sessions.BULK_PRIORITY]


COUNTED: tuple[Any, ...] = (
    "CREATE TABLE deletions (count bigint NOT NULL)",
    """
    CREATE FUNCTION count_deletions() RETURNS trigger LANGUAGE plpgsql AS $$
    BEGIN
        INSERT INTO deletions SELECT count(*) FROM gone;
        RETURN NULL;
    END $$
    """,
    """
    CREATE TRIGGER counted AFTER DELETE ON openid_sign_ins REFERENCING OLD TABLE AS gone
       FOR EACH STATEMENT EXECUTE FUNCTION count_deletions()
    """,
)


@pytest.mark.usefixtures("schema_changes")
async def test_a_client_with_many_sign_ins_is_deleted_in_short_statements(
    browser: Browser, party: RelyingParty, database: Database
):
    await make_sign_ins(database, browser.user, party.id, 2 * clients.DELETE_BATCH + 1)
    for statement in COUNTED:
        await database.write(lambda writer, statement=statement: writer.run(statement))

    gone = await clients.remove(database, ClientRemoval(by=BY, client=party.id))

    assert gone.id == party.id
    assert await database.reader.value("SELECT max(count) FROM deletions") == clients.DELETE_BATCH
    assert await database.reader.value("SELECT count(*) FROM openid_sign_ins") == 0
    assert await database.reader.value("SELECT count(*) FROM openid_clients") == 0
