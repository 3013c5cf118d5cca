"""Events arrive at webhooks: signed, in order, again after failures, whatever others do."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from uuid import UUID

import asyncpg
import httpx2
import pytest
from msgspec import structs

from gamekeeper.app import App
from gamekeeper.auth import keys
from gamekeeper.auth.secrets import Vault
from gamekeeper.core.settings import Settings
from gamekeeper.db.database import Database
from gamekeeper.egress.http_client import Outcome
from gamekeeper.events import feed, records
from gamekeeper.events.webhooks import attempts, dispatcher
from gamekeeper.events.webhooks.attempts import AttemptResult, Sender, WebhookMessage
from gamekeeper.events.webhooks.dispatcher import Dispatcher
from gamekeeper.ledger import actions, chain
from gamekeeper.ledger.actions import Action
from gamekeeper.worker import run
from tests.deadlines import PATIENCE
from tests.make import BY
from tests.webhooks.receivers import Receiver, answer, is_signed, receiver

PATH = "/api/v1/webhooks"


@pytest.fixture
async def settings(settings: Settings) -> Settings:
    return structs.replace(settings, webhook_hosts="127.0.0.1:*")


SEQUENCER_SECONDS = 0.02
"""The interval in which the sequencer looks for new events."""


@pytest.fixture
def quick_sequencer(monkeypatch) -> None:
    monkeypatch.setattr(chain, "IDLE_SECONDS", SEQUENCER_SECONDS)
    monkeypatch.setattr(chain, "PAUSE_SECONDS", SEQUENCER_SECONDS)


@asynccontextmanager
async def delivering(database: Database) -> AsyncIterator[None]:
    stop = asyncio.Event()
    post = Sender(database, Vault(database.settings))
    tasks = [
        asyncio.create_task(chain.follow(database, stop)),
        asyncio.create_task(Dispatcher(database, post).follow(stop)),
    ]
    try:
        yield
    finally:
        stop.set()
        await asyncio.wait_for(asyncio.gather(*tasks), PATIENCE)


@pytest.fixture
async def couriers(database: Database, quick_sequencer: None) -> AsyncIterator[None]:
    """What a worker does about webhooks, in this process."""
    async with delivering(database):
        yield


@pytest.fixture
async def target() -> AsyncIterator[Receiver]:
    async with receiver() as made:
        yield made


async def act(database: Database, count: int = 1, **about: object) -> list[str]:
    done = [Action(**{"kind": "variables.set", "by": BY, **about}) for _ in range(count)]
    for action in done:
        await database.write(lambda writer, action=action: actions.record(writer, [action]))
    return [str(action.id) for action in done]


async def hook(client: httpx2.AsyncClient, target: Receiver, **about: str) -> tuple[str, str]:
    """The path of a new webhook, and its secret. It hears of no webhook."""
    about = {"kinds": "variables.set,users.email"} | about
    made = await client.post(PATH, json={"url": target.url, **about})
    assert made.status_code == 200, made.text
    return f"{PATH}/{made.json()['Id']}", made.json()["Secret"]


async def states(client: httpx2.AsyncClient, path: str) -> list[tuple[str, int, int | None]]:
    found = (await client.get(f"{path}/deliveries")).json()["Values"]
    return [(one["State"], one["Attempts"], one["Status"]) for one in reversed(found)]


async def settled(client: httpx2.AsyncClient, path: str, *expected: object) -> None:
    async with asyncio.timeout(PATIENCE):
        while await states(client, path) != list(expected):
            await asyncio.sleep(0.02)


async def retry_now(database: Database) -> None:
    """Make the next attempt of every webhook due."""
    await database.write(lambda writer: writer.run("UPDATE webhooks SET retry_at = now()"))
    await database.write(lambda writer: writer.run("SELECT pg_notify($1, '')", dispatcher.CHANGED))


async def linked(database: Database, action: str) -> None:
    """Wait until an action has its number."""
    async with asyncio.timeout(20):
        while not await database.reader.value(
            "SELECT seq FROM chain WHERE action_id = $1", UUID(action)
        ):
            await asyncio.sleep(0.02)


async def test_events_arrive_in_order_and_signed(client, database, couriers, target):
    path, secret = await hook(client, target)
    done = await act(database, 5)

    got = await target.got(5)

    assert [one.data["Id"] for one in got] == done
    assert [one.headers["webhook-id"] for one in got] == [f"evt_{one.data['Seq']}" for one in got]
    assert all(is_signed(one, secret) for one in got)
    assert not is_signed(got[0], "whsec_" + "A" * 43 + "=")
    tampered = structs.replace(got[0], body=got[0].body + b" ")
    assert not is_signed(tampered, secret)
    await settled(client, path, *[("delivered", 1, 200)] * 5)
    [newest, *_] = (await client.get(f"{path}/deliveries")).json()["Values"]
    shown = (await client.get(f"{path}/deliveries/{newest['Id']}")).json()
    assert shown["Answer"] == "thanks"
    assert shown["Payload"]["data"] == got[4].data
    assert shown["Payload"]["type"] == "variables.set"


async def test_only_the_kinds_that_were_chosen_arrive(client, database, couriers, target):
    await hook(client, target, kinds="users.email")
    await act(database, 3)
    await act(database, 1, kind="users.email", after={"email": "ana@example.com"})

    [got] = await target.got(1)

    assert (got.data["Kind"], got.data["After"]) == ("users.email", {"email": "ana@example.com"})


async def test_who_may_not_see_addresses_makes_webhooks_that_do_not_either(
    client, database, couriers, target
):
    order = keys.NewKey(by=BY, name="narrow", scopes=("webhooks", "events.read"))
    key = await keys.create.one(database, order)
    body = {"url": target.url, "kinds": "users.email"}
    made = await client.post(PATH, json=body, headers={"Authorization": f"Bearer {key}"})
    assert made.status_code == 200
    await act(database, 1, kind="users.email", after={"email": "ana@example.com"})

    [got] = await target.got(1)

    assert got.data["After"] == {"email": "a•••@e•••.com"}


@pytest.mark.parametrize(
    "refusal",
    [
        answer(500),
        answer(404),
        answer(301, b"", "Location: http://127.0.0.1/"),
        b"SSH-2.0-OpenSSH\r\n\r\n",
        b"",
    ],
)
async def test_what_fails_is_tried_again_first_and_the_order_is_kept(
    client, database, couriers, target, monkeypatch, refusal
):
    monkeypatch.setattr(attempts, "RETRY_DELAYS", [0.2, 0.2, 0.2])
    target.answer = lambda _: answer(200) if len(target.received) > 2 else refusal
    path, _ = await hook(client, target)
    done = await act(database, 3)

    got = await target.got(5)

    assert [one.data["Id"] for one in got] == [done[0], done[0], *done]
    assert len({one.headers["webhook-id"] for one in got[:3]}) == 1
    await settled(client, path, ("delivered", 3, 200), *[("delivered", 1, 200)] * 2)
    assert (await client.get(path)).json()["FailingSince"] is None


async def test_a_retry_waits_for_the_database_and_then_sends_the_whole_event(
    client, database, quick_sequencer, target, settings, monkeypatch
):
    """With the chain locked for longer than a statement may wait, nothing is sent in its place."""
    monkeypatch.setattr(attempts, "RETRY_DELAYS", [0.2, 0.2, 0.2])
    monkeypatch.setattr(dispatcher, "PAUSE_SECONDS", 0.05)
    # So that only the retry reads the chain.
    monkeypatch.setattr(feed, "POLL_SECONDS", 60)
    target.answer = lambda _: answer(200 if len(target.received) > 1 else 500)
    path, secret = await hook(client, target)
    impatient = structs.replace(settings, statement_seconds=0.2)
    async with Database.open(impatient) as dispatching, delivering(dispatching):
        [done] = await act(database)
        await target.got(1)

        other = await asyncpg.connect(settings.database_url)
        async with other.transaction():
            await other.execute("LOCK TABLE chain IN ACCESS EXCLUSIVE MODE")
            await _waited_for_chain(database, times=3)
        await other.close()
        got = await target.got(2)

        assert [one.data["Id"] for one in got] == [done, done]
        assert got[1].body == got[0].body
        assert is_signed(got[1], secret)
        await settled(client, path, ("delivered", 2, 200))


async def _waited_for_chain(database: Database, times: int) -> None:
    """Wait until the retry has read its event this often; every read but the last timed out."""
    began = set()
    async with asyncio.timeout(PATIENCE):
        while len(began) < times:
            rows = await database.reader.rows(
                "SELECT query_start FROM pg_stat_activity WHERE wait_event_type = 'Lock'"
                " AND datname = current_database() AND query LIKE $1",
                f"{records.PAGE[:80]}%",
            )
            began |= {row["query_start"] for row in rows}
            await asyncio.sleep(0.02)


@pytest.mark.parametrize(
    "loss",
    ["DELETE FROM actions WHERE id = $1", "DELETE FROM chain WHERE action_id = $1"],
)
async def test_a_delivery_whose_event_is_gone_fails_with_a_reason_and_the_next_is_sent(
    client, database, couriers, target, monkeypatch, loss
):
    monkeypatch.setattr(attempts, "RETRY_DELAYS", [60, 60])
    target.answer = lambda _: answer(200 if len(target.received) > 1 else 500)
    path, _ = await hook(client, target)
    [gone] = await act(database)
    await settled(client, path, ("waiting", 1, 500))
    [neighbour] = await act(database, kind="items.give")
    await linked(database, neighbour)
    await database.write(lambda writer: writer.run(loss, UUID(gone)))
    [after] = await act(database)
    await retry_now(database)

    got = await target.got(2)

    assert [one.data["Id"] for one in got] == [gone, after]
    await settled(client, path, ("failed", 1, None), ("delivered", 1, 200))
    failed = (await client.get(f"{path}/deliveries")).json()["Values"][1]
    assert failed["Fault"] == "event_expired"
    assert (await client.get(path)).json()["Enabled"] is True


async def test_a_target_that_never_works_is_switched_off_and_goes_on_when_switched_on(
    client, database, couriers, target, monkeypatch
):
    monkeypatch.setattr(attempts, "RETRY_DELAYS", [0, 0])
    target.answer = lambda _: answer(503)
    path, _ = await hook(client, target)
    await act(database, 2)
    await settled(client, path, ("failed", 3, 503))
    off = (await client.get(path)).json()
    assert (off["Enabled"], off["OffReason"]) == (False, "given up after 3 attempts")

    target.answer = lambda _: answer(200)
    on = (await client.patch(path, json={"enabled": True})).json()
    assert (on["Enabled"], on["OffReason"]) == (True, None)
    await settled(client, path, ("failed", 3, 503), ("delivered", 1, 200))


async def test_410_switches_off_at_once(client, database, couriers, target):
    target.answer = lambda _: answer(410)
    path, _ = await hook(client, target)
    await act(database, 2)

    await settled(client, path, ("failed", 1, 410))

    assert (await client.get(path)).json()["OffReason"] == "answered 410"


async def test_while_a_secret_is_replaced_both_sign(client, database, couriers, target):
    path, old = await hook(client, target)
    renewed = (await client.post(f"{path}/secret")).json()
    await act(database)

    [got] = await target.got(1)

    assert is_signed(got, old)
    assert is_signed(got, renewed["Secret"])
    assert renewed["Secret"] != old
    assert renewed["OldSecretUntil"] is not None
    await database.write(
        lambda writer: writer.run("UPDATE webhooks SET old_until = now() - interval '1 second'")
    )
    await act(database)
    got = (await target.got(2))[1]
    assert is_signed(got, renewed["Secret"])
    assert not is_signed(got, old)


async def test_events_are_sent_again_one_or_all_of_a_span_of_time(
    client, database, couriers, target
):
    path, secret = await hook(client, target)
    done = await act(database, 4)
    await target.got(4)
    await settled(client, path, *[("delivered", 1, 200)] * 4)
    third = (await client.get(f"{path}/deliveries")).json()["Values"][1]

    one = await client.post(f"{path}/replay", json={"delivery": third["Id"]})
    assert one.json() == {"Count": 1, "Complete": True}
    await target.got(5)
    span = {"from": "2020-01-01T00:00:00Z", "to": "2099-01-01T00:00:00Z"}
    every = await client.post(f"{path}/replay", json=span)
    assert every.json() == {"Count": 4, "Complete": True}
    got = await target.got(9)

    assert [one.data["Id"] for one in got] == [*done, done[2], *done]
    assert got[4].headers["webhook-id"] == got[2].headers["webhook-id"]
    assert got[4].body == got[2].body
    assert all(is_signed(one, secret) for one in got)


async def test_what_a_frozen_courier_says_later_counts_for_nothing(client, database, target):
    """Its neighbours in the list are written down all the same."""
    paths = [(await hook(client, target))[0] for _ in range(2)]
    first, second = [
        await attempts.standing.one(database.reader, UUID(path.rpartition("/")[2]))
        for path in paths
    ]
    letter = WebhookMessage(message="evt_7", seq=7, kind="variables.set", body=b"{}")
    early, late = [
        [
            AttemptResult(webhook=webhook, letter=letter, outcome=Outcome(status=status))
            for webhook in webhooks
        ]
        for status, webhooks in ((200, [first]), (500, [first, second]))
    ]

    assert await attempts.record_results(database, early) == [True]
    assert await attempts.record_results(database, late) == [False, True]

    assert await states(client, paths[0]) == [("delivered", 1, 200)]
    assert await states(client, paths[1]) == [("waiting", 1, 500)]
    assert (await client.get(paths[0])).json()["FailingSince"] is None
    assert (await client.get(paths[1])).json()["RetryAt"] is not None


async def test_a_test_is_sent_by_the_worker_past_what_waits(client, database, settings, target):
    """And if it arrives, what waits is tried at once."""
    target.answer = lambda got: answer(200 if got.headers["webhook-id"][:4] == "test" else 500)
    path, secret = await hook(client, target)
    stop = asyncio.Event()
    working = asyncio.create_task(run(settings, stop))
    await act(database)
    await target.got(1)
    target.received.clear()

    asked = (await client.post(f"{path}/test")).json()
    got = await target.got(2)
    stop.set()
    await asyncio.wait_for(working, PATIENCE)

    assert (asked["State"], asked["Seq"], asked["Kind"]) == ("waiting", None, "webhooks.test")
    assert got[0].data == {"Test": True}
    assert is_signed(got[0], secret)
    assert got[1].headers["webhook-id"].startswith("evt_")
    shown = (await client.get(f"{path}/deliveries/{asked['Id']}")).json()
    assert (shown["State"], shown["Status"]) == ("delivered", 200)


async def test_changes_are_actions_and_no_secret_stands_anywhere(client, database, target):
    path, first = await hook(client, target)
    await client.patch(path, json={"kinds": "*"})
    second = (await client.post(f"{path}/secret")).json()["Secret"]
    removed = await client.delete(path)
    assert removed.status_code == 200

    rows = await database.reader.rows("SELECT kind, before, after FROM actions ORDER BY id")
    webhook = path.rpartition("/")[2]
    owner = await database.reader.value("SELECT 'key:' || id::text FROM api_keys")
    url = f"http://127.0.0.1:{target.port}/"
    told = {"id": webhook, "url": url, "enabled": True, "owner": owner}
    kinds = ["users.email", "variables.set"]
    assert [tuple(row) for row in rows if row["kind"].startswith("webhooks")] == [
        ("webhooks.create", None, told | {"kinds": kinds}),
        ("webhooks.change", told | {"kinds": kinds}, told | {"kinds": None}),
        ("webhooks.change", None, {"id": webhook, "secret": "renewed", "owner": owner}),
        ("webhooks.remove", told | {"kinds": None}, None),
    ]
    assert (await client.get(path)).status_code == 404
    assert first.encode() != second.encode()


async def test_a_secret_is_shown_once_and_stored_sealed(client, database, target, settings):
    key = {"Idempotency-Key": "one"}
    made = await client.post(PATH, json={"url": target.url}, headers=key)
    again = await client.post(PATH, json={"url": target.url}, headers=key)
    secret = made.json()["Secret"]

    assert again.headers["idempotency-replayed"] == "true"
    assert again.json() == made.json() | {"Secret": None}
    for path in (PATH, f"{PATH}/{made.json()['Id']}"):
        assert secret[6:] not in (await client.get(path)).text
    dump = await database.reader.rows(
        "SELECT webhooks::text FROM webhooks UNION ALL SELECT convert_from(body, 'UTF8')"
        " FROM replies UNION ALL SELECT actions::text FROM actions"
    )
    assert not [row for row in dump if secret[6:] in row[0]]
    sealed = await database.reader.value("SELECT secret FROM webhooks")
    about = f"webhook {UUID(made.json()['Id'])}"
    assert Vault(settings).decrypt(about, sealed) == secret


async def test_nobody_makes_a_webhook_without_the_scope(database, settings):
    app = App(settings)
    await app.start()
    key = await keys.create.one(database, keys.NewKey(by=BY, name="no", scopes=("events.read",)))
    async with httpx2.AsyncClient(
        transport=httpx2.ASGITransport(app), base_url="http://gamekeeper"
    ) as client:
        answered = await client.get(PATH, headers={"Authorization": f"Bearer {key}"})
    await app.stop()
    assert answered.status_code == 403
