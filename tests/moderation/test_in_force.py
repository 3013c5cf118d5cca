"""What a sanction in force does: to sign-ins, joins, records and trades, and when it ends."""

import asyncio
from collections.abc import AsyncIterator
from datetime import UTC, datetime, timedelta
from time import monotonic
from typing import Any
from uuid import UUID

import httpx2
import pytest

from gamekeeper.app import App
from gamekeeper.auth import authenticator, tokens
from gamekeeper.core.settings import Settings
from gamekeeper.db.database import Database, Writer
from gamekeeper.events import streams
from gamekeeper.moderation import sanctions
from gamekeeper.moderation.sanctions import Imposition, Lifting
from gamekeeper.sanctions.codes import new_code
from gamekeeper.sanctions.records import Sanction
from tests.contract.outcomes import outcome, refusal
from tests.deadlines import until
from tests.make import BY, make_item, make_player, make_user, proved, sha
from tests.moderation.rows import make_sanction
from tests.servers.game_server import GameServer
from tests.staff.make import make_staff
from tests.staff.signed_in import staff_session
from tests.transactions.test_transactions import codes, send

WITHIN = 5.0
"""Seconds in which a ban must have reached every process."""
DENIED = refusal(401, "unauthorized", "Authorization has been denied for this request.")
WRONG = (
    400,
    {"error": "invalid_grant", "error_description": "The username or password is wrong."},
)


async def impose(database: Database, **about: Any) -> Sanction:
    return await sanctions.impose.one(
        database, Imposition(**({"by": BY, "kind": "ban", "message": "No bots."} | about))
    )


async def lift(database: Database, made: Sanction) -> None:
    await sanctions.lift.one(database, Lifting(by=BY, sanction=made.code, reason="appeal"))


def sign_in(client: httpx2.AsyncClient, name: str, password: str = "secret"):
    form = {"grant_type": "password", "username": name, "password": sha(password)}
    return client.post("/api/oauth/token", data=form)


def call(client: httpx2.AsyncClient, access: str):
    headers = {"Authorization": f"Bearer {access}"}
    return client.get("/api/v1/players/online/count", headers=headers)


@pytest.fixture
def frequent_checks(monkeypatch) -> None:
    """Look credentials up ten times as often, so that no test waits for seconds."""
    monkeypatch.setattr(authenticator, "REMEMBERED_SECONDS", authenticator.REMEMBERED_SECONDS / 10)
    monkeypatch.setattr(streams, "CHECK_SECONDS", streams.CHECK_SECONDS / 10)


@pytest.fixture
async def neighbour(settings: Settings) -> AsyncIterator[httpx2.AsyncClient]:
    """A second application on the same database, with caches of its own."""
    app = App(settings)
    await app.start()
    transport = httpx2.ASGITransport(app)
    async with httpx2.AsyncClient(transport=transport, base_url="http://gamekeeper") as client:
        yield client
    await app.stop()


async def test_a_sign_in_that_began_before_a_ban_and_locks_after_it_is_refused(database):
    """Its transaction is older than the ban, which it must see all the same."""
    user = await make_user(database, "Ana", password="secret", api=True)
    order = await proved(database, user)

    async def sign_in(writer: Writer) -> list[Any]:
        await writer.value("SELECT 1")
        await impose(database, user="Ana")
        return await tokens.issue(writer, [order])

    [outcome] = await database.write(sign_in)

    assert isinstance(outcome, tokens.InvalidGrant)
    assert await database.reader.value("SELECT count(*) FROM token_families") == 0


async def test_a_ban_shuts_every_door_in_every_process_and_its_lifting_opens_them(
    client, neighbour, database, frequent_checks
):
    user = await make_user(database, "Ana", password="secret", api=True)
    await make_player(database, "Hero", user=user)
    server = await GameServer.register(client)
    issued = (await sign_in(client, "ana")).json()
    for process in (client, neighbour):
        assert (await call(process, issued["access_token"])).status_code == 200

    made = await impose(database, user="Ana", reason="bots")
    begun = monotonic()

    renewal = {"grant_type": "refresh_token", "refresh_token": issued["refresh_token"]}
    for process in (client, neighbour):
        while (answer := await call(process, issued["access_token"])).status_code == 200:
            assert monotonic() - begun < WITHIN
            await asyncio.sleep(0.02)
        assert outcome(answer) == DENIED
        assert outcome(await process.post("/api/oauth/token", data=renewal))[0] == 400
        # As for a wrong password: nobody learns that this one was right.
        assert outcome(await sign_in(process, "ana")) == WRONG
        assert outcome(await sign_in(process, "ana", "wrong")) == WRONG
    joined = await server.join("hero")
    assert joined["Values"] == []
    told = {"Player": "hero", "Code": made.code, "Message": "No bots.", "Until": None}
    assert joined["Refused"] == [told]

    await lift(database, made)

    for process in (client, neighbour):
        fresh = (await sign_in(process, "ana")).json()
        assert (await call(process, fresh["access_token"])).status_code == 200
        # A sign-in from before the ban is over for good, whoever holds it.
        assert outcome(await call(process, issued["access_token"])) == DENIED
    assert len((await server.join("hero"))["Values"]) == 1


def follow(client: httpx2.AsyncClient, staff: dict[str, str]) -> asyncio.Task[httpx2.Response]:
    """A running stream of events, which ends when the server ends it."""
    headers = staff | {"Accept": "text/event-stream"}
    return asyncio.create_task(client.get("/api/v1/events?after=latest", headers=headers))


def anonymous(client: httpx2.AsyncClient) -> httpx2.AsyncClient:
    """The same server, for a caller without a key: cookies are its only credential."""
    return httpx2.AsyncClient(transport=client._transport, base_url="http://gamekeeper")


async def test_a_ban_ends_sessions_and_running_streams_in_every_process(
    client, neighbour, database, frequent_checks
):
    ana = await make_user(database, "Ana", password="secret")
    await make_player(database, "Hero", user=ana)
    staff = await staff_session(database, user=await make_staff(database, "analyst", user=ana))
    processes = [anonymous(client), anonymous(neighbour)]
    running = [follow(process, staff) for process in processes]

    async def have_begun() -> bool:
        return all(process._transport.app._feed.streams == 1 for process in processes)

    await until(have_begun, "both streams are open", pause=0.01)
    for process in processes:
        assert (await process.get("/api/v1/actions", headers=staff)).status_code == 200
    assert not any(stream.done() for stream in running)

    made = await impose(database, user="Ana")
    async with asyncio.timeout(WITHIN):
        ends = [(await stream).text for stream in running]

    assert all("event: end" in text and "unauthorized" in text for text in ends)
    for process in processes:
        answer = await process.get("/api/v1/actions", headers=staff)
        assert answer.status_code == 401
    await lift(database, made)
    # The session from before is over for good; a new one works.
    assert (await processes[0].get("/api/v1/actions", headers=staff)).status_code == 401
    fresh = await staff_session(database, user=ana)
    for process in processes:
        assert (await process.get("/api/v1/actions", headers=fresh)).status_code == 200


async def test_the_timeline_of_a_character_tells_the_sanctions_of_its_account(client, database):
    ana = await make_user(database, "Ana")
    for name in ("Hero", "Twin"):
        await make_player(database, name, user=ana)
    await make_player(database, "Stranger")
    await lift(database, await impose(database, user="Ana"))
    await impose(database, kind="mute", player="Hero")

    async def told(name: str, **query: Any) -> list[tuple[str, str]]:
        page = (await client.get(f"/api/v1/players/{name}/history", params=query)).json()
        return [(event["Kind"], event["After"]["kind"]) for event in page["Values"]]

    ban = [("sanctions.lift", "ban"), ("sanctions.impose", "ban")]
    assert await told("hero") == [("sanctions.impose", "mute"), *ban]
    assert await told("twin") == ban
    assert await told("stranger") == []
    first = (await client.get("/api/v1/players/hero/history", params={"limit": 2})).json()
    assert await told("hero", cursor=first["Next"]) == ban[1:]


async def test_a_password_is_still_right_as_in_intersect(client, database):
    """A website asks for it, and reads in the record that the account is banned."""
    await make_user(database, "Ana", password="secret")
    await impose(database, user="Ana")
    answer = await client.post(
        "/api/v1/users/ana/password/validate", json={"password": sha("secret")}
    )
    assert outcome(answer) == (200, {"Message": "Password Correct"})
    assert (await client.get("/api/v1/users/ana")).json()["IsBanned"] is True


async def test_a_ban_that_begins_later_stops_what_was_issued_before(
    client, database, frequent_checks
):
    user = await make_user(database, "Ana", password="secret", api=True)
    issued = await tokens.issue.one(database, await proved(database, user))
    begins = datetime.now(UTC) + timedelta(seconds=0.7)
    await impose(database, user="Ana", starts_at=begins)
    assert (await call(client, issued.access)).status_code == 200

    begun = monotonic()
    while (await call(client, issued.access)).status_code == 200:
        assert monotonic() - begun < 0.7 + WITHIN
        await asyncio.sleep(0.02)
    assert datetime.now(UTC) >= begins
    assert outcome(await sign_in(client, "ana")) == WRONG


async def test_a_ban_that_has_ended_needs_nobody_to_lift_it(client, database):
    user = await make_user(database, "Ana", password="secret", api=True)
    hero = await make_player(database, "Hero", user=user)
    ago = datetime.now(UTC) - timedelta(days=2)
    for kind in ("ban", "mute"):
        over = {"starts_at": ago, "ends_at": ago + timedelta(days=1)}
        await make_sanction(database, new_code(), user_id=user, kind=kind, **over)
    assert (await sign_in(client, "ana")).status_code == 200
    shown = (await client.get("/api/v1/users/ana")).json()
    assert (shown["IsBanned"], shown["IsMuted"], shown["MuteReason"]) == (False, False, None)
    server = await GameServer.register(client)
    assert [entry["PlayerId"] for entry in (await server.join(hero))["Values"]] == [str(hero)]


async def test_twenty_sign_ins_during_a_ban_leave_no_token_alive(client, database):
    user = await make_user(database, "Ana", password="secret", api=True)
    order = await proved(database, user)
    outcomes = await asyncio.gather(
        *(tokens.issue.one(database, order) for _ in range(10)),
        impose(database, user="Ana"),
        *(tokens.issue.one(database, order) for _ in range(10)),
        return_exceptions=True,
    )
    for one in outcomes:
        if isinstance(one, tokens.Tokens):
            assert outcome(await call(client, one.access)) == DENIED
    alive = "SELECT count(*) FROM token_families WHERE revoked_at IS NULL"
    assert await database.reader.value(alive) == 0


async def test_twenty_joins_during_a_ban_leave_nobody_who_joined_after_it(client, database):
    user = await make_user(database, "Ana")
    await make_player(database, "Hero", user=user)
    server = await GameServer.register(client)
    joins = [server.join("hero") for _ in range(20)]
    await asyncio.gather(*joins[:10], impose(database, user="Ana"), *joins[10:])
    assert [one["Player"] for one in (await server.join("hero"))["Refused"]] == ["hero"]


async def test_a_banned_character_leaves_its_account_and_the_others_alone(client, database):
    user = await make_user(database, "Ana", password="secret", api=True)
    hero = await make_player(database, "Hero", user=user)
    thief = await make_player(database, "Thief", user=user)
    made = await impose(database, player="Thief", duration=timedelta(days=1))
    server = await GameServer.register(client)

    joined = await server.join("Hero", str(thief), "nobody")

    assert [entry["PlayerId"] for entry in joined["Values"]] == [str(hero)]
    assert [(one["Player"], one["Code"]) for one in joined["Refused"]] == [(str(thief), made.code)]
    assert joined["Unknown"] == ["nobody"]
    assert (await sign_in(client, "ana")).status_code == 200
    assert (await client.get("/api/v1/users/ana")).json()["IsBanned"] is False


async def test_a_mute_is_in_the_record_and_told_to_the_server(client, database):
    user = await make_user(database, "Ana")
    await make_player(database, "Hero", user=user)
    made = await impose(database, user="Ana", kind="mute", reason="internal", message="Calm down.")
    for shown in (
        (await client.get("/api/v1/users/ana")).json(),
        (await client.get("/api/v1/users")).json()["Values"][0],
        (await client.get("/api/v1/users/search?search=ana")).json()["Values"][0],
    ):
        assert (shown["IsMuted"], shown["MuteReason"]) == (True, "Calm down.")
    [joined] = (await (await GameServer.register(client)).join("hero"))["Values"]
    told = {"Kind": "mute", "Code": made.code, "Message": "Calm down.", "Until": None}
    assert joined["Restrictions"] == [told]


async def test_a_mute_of_an_account_reaches_the_server_that_its_character_is_on(client, database):
    """And a ban kicks it, without telling why to those who read commands."""
    user = await make_user(database, "Ana")
    await make_player(database, "Hero", user=user)
    here, there = [await GameServer.register(client, name) for name in ("Here", "There")]
    await here.join("hero")
    await impose(database, user="Ana", kind="mute")
    await impose(database, user="Ana", reason="SECRET")

    told = {
        server.id: (await client.get(f"/api/v1/events?after=0&server={server.id}")).json()["Values"]
        for server in (here, there)
    }

    assert [one["Kind"] for one in told[here.id]] == [
        *("sanctions.impose", "sanctions.impose", "commands.send")
    ]
    assert "SECRET" not in str(told)
    assert told[there.id] == []
    [kick] = await database.reader.rows("SELECT kind, state, payload FROM commands")
    assert (kick["kind"], kick["state"], kick["payload"]) == (
        *("kick", "waiting"),
        {"Text": "No bots."},
    )


async def test_warnings_and_notes_do_nothing(client, database):
    user = await make_user(database, "Ana", password="secret", api=True)
    await make_player(database, "Hero", user=user)
    for kind in ("warning", "note"):
        await make_sanction(database, new_code(), user_id=user, kind=kind)
    assert (await sign_in(client, "ana")).status_code == 200
    [joined] = (await (await GameServer.register(client)).join("hero"))["Values"]
    assert joined["Restrictions"] == []


# ── Trade locks ──


async def give(client: httpx2.AsyncClient, player: UUID, item: UUID) -> None:
    body = {"itemid": str(item), "quantity": 5}
    assert (await client.post(f"/api/v1/players/{player}/items/give", json=body)).is_success


def one_of(item: UUID, source: str, target: str, **about: object) -> list[dict[str, object]]:
    return [
        {"do": "items", "itemid": str(item), "quantity": 1, "from": source, "to": target} | about
    ]


async def test_who_may_not_trade_neither_gives_nor_gets(client, database):
    item = await make_item(database)
    for name in ("Ana", "Bo", "Cy"):
        user = await make_user(database, name)
        await give(client, await make_player(database, f"{name}s", user=user), item)
    made = await impose(database, user="Ana", kind="trade_lock")

    outcomes = await send(
        client,
        one_of(item, "Anas", "Bos"),
        one_of(item, "Bos", "Anas"),
        one_of(item, "Bos", "Cys"),
        one_of(item, "Anas", "anas", toplace="bank"),
    )

    assert codes(outcomes) == ["trade_locked", "trade_locked", "done", "done"]
    assert outcomes[0]["Failure"]["Details"]["TradeLock"] == made.code
    await lift(database, made)
    assert codes(await send(client, one_of(item, "Anas", "Bos"))) == ["done"]
