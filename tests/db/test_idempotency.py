"""An order under an idempotency key is carried out once, and answered the same for ever."""

import asyncio

import pytest
from msgspec import structs

from tests.in_process import in_process
from tests.make import make_item, make_player, make_user, sha


@pytest.fixture
async def gift(client, database):
    """Sends a gift to ana, under a key."""
    await make_player(database, "ana")
    potion = await make_item(database, inventory_stack=1000)

    async def send(key: str | None = "k-1", quantity: int = 2, client=client, **about):
        headers = {} if key is None else {"Idempotency-Key": key}
        body = {"itemid": str(potion), "quantity": quantity} | about
        return await client.post("/api/v1/players/ana/items/give", json=body, headers=headers)

    return send


async def held(database) -> int:
    return await database.reader.value("SELECT coalesce(sum(quantity), 0) FROM slots")


async def test_the_same_request_again_gives_the_same_bytes_and_changes_nothing(gift, database):
    first, second = await gift(), await gift()

    assert (second.status_code, second.content) == (first.status_code, first.content)
    assert "Idempotency-Replayed" not in first.headers
    assert second.headers["Idempotency-Replayed"] == "true"
    assert await held(database) == 2


async def test_without_a_key_each_request_is_one_of_its_own(gift, database):
    await gift(None)
    await gift(None)

    assert await held(database) == 4


async def test_another_body_under_the_key_is_refused(gift, database):
    await gift()
    answer = await gift(quantity=3)

    assert (answer.status_code, answer.json()["Code"]) == (422, "idempotency_key_reused")
    assert await held(database) == 2


async def test_a_field_in_two_spellings_and_types_is_no_fault_of_ours(gift, database):
    """The last one counts, for the gift and for what makes two requests the same."""
    first, second = await gift(quantity=2, QUANTITY="3"), await gift(quantity="3")

    assert (first.status_code, second.content) == (200, first.content)
    assert second.headers["Idempotency-Replayed"] == "true"
    assert await held(database) == 3


async def test_a_refusal_is_replayed_too_even_when_it_would_succeed_now(gift, client, database):
    refused = await gift(quantity=99_999)
    again = await gift(quantity=99_999)

    assert refused.status_code == 409
    assert again.content == refused.content


async def test_what_could_not_be_read_is_not_kept(gift, database):
    assert (await gift(quantity="many")).status_code == 400
    assert (await gift()).status_code == 200


async def test_twenty_at_once_are_one(gift, database):
    answers = await asyncio.gather(*(gift() for _ in range(20)))

    assert {answer.status_code for answer in answers} <= {200, 409}
    assert len({answer.content for answer in answers if answer.status_code == 200}) == 1
    assert await held(database) == 2


async def test_two_callers_may_use_the_same_key(gift, client, database):
    """A key is the caller's own."""
    from gamekeeper.auth import keys
    from tests.make import BY

    await gift()
    other = await keys.create.one(database, keys.NewKey(by=BY, name="other"))
    client.headers["Authorization"] = f"Bearer {other}"
    answer = await gift()

    assert "Idempotency-Replayed" not in answer.headers
    assert await held(database) == 4


@pytest.mark.parametrize("key", ["", " ", "x" * 256, "ü", "a\tb"])
async def test_a_key_that_is_none_is_refused(gift, database, key):
    answer = await gift(key.encode("latin-1"))

    assert (answer.status_code, answer.json()["Code"]) == (400, "invalid_idempotency_key")
    assert await held(database) == 0


async def test_after_thirty_days_the_answer_is_gone_but_not_that_it_was_done(gift, database):
    from gamekeeper.db import retention

    await gift()

    async def age(writer) -> None:
        await writer.run("UPDATE replies SET created_at = now() - interval '31 days'")

    await database.write(age)
    await retention.sweep(database, asyncio.Event())
    answer = await gift()

    assert (answer.status_code, answer.json()["Code"]) == (409, "already_done")
    assert await held(database) == 2


async def test_one_still_running_is_waited_for_two_seconds(gift, client, database, settings):
    """Somebody holds the key in a transaction that does not end; the test sets a shorter wait."""
    holding, release = asyncio.Event(), asyncio.Event()
    caller = "key:" + str(await database.reader.value("SELECT id FROM api_keys"))

    async def hold(writer) -> None:
        await writer.run(
            "INSERT INTO replies (caller, key, fingerprint) VALUES ($1, 'k-1', '')", caller
        )
        holding.set()
        await release.wait()

    holder = asyncio.create_task(database.write(hold))
    await holding.wait()
    brief = structs.replace(settings, statement_seconds=1)
    async with in_process(brief, headers=client.headers) as impatient:
        answer = await gift(client=impatient)
    release.set()
    await holder

    assert (answer.status_code, answer.json()["Code"]) == (409, "still_running")


async def test_a_password_changed_under_a_key_is_changed_once(client, database):
    """The answer is replayed although the current password no longer is the current one."""
    await make_user(database, "ana", password="a")
    body = {"new": sha("b"), "authorization": sha("a")}
    headers = {"Idempotency-Key": "k"}
    path = "/api/v1/users/ana/password/change"

    first = await client.post(path, json=body, headers=headers)
    second = await client.post(path, json=body, headers=headers)

    assert (first.status_code, second.status_code) == (200, 200)
    assert first.content == second.content
    kept = await database.reader.rows("SELECT fingerprint, body FROM replies")
    assert not [row for row in kept if sha("a").encode() in row["body"] + row["fingerprint"]]


async def test_two_orders_with_one_key_in_one_batch_are_one(database):
    from gamekeeper.db.idempotency import IdempotencyKey, IdempotencyKeyReused, StoredReply
    from gamekeeper.db.operations import AuditContext
    from gamekeeper.players import items

    await make_player(database, "ana")
    potion = await make_item(database)

    def order(fingerprint: bytes) -> items.Gift:
        by = AuditContext(actor="key:1", name="shop", key=IdempotencyKey("key:1", "k", fingerprint))
        return items.Gift(by=by, player="ana", item_id=potion, quantity=2)

    outcomes = await items.give(database, [order(b"a"), order(b"a"), order(b"b")])

    assert [type(outcome) for outcome in outcomes[1:]] == [StoredReply, IdempotencyKeyReused]
    assert outcomes[0].total == 2
    assert await held(database) == 2


async def test_a_reply_is_replayed_though_its_player_has_another_name(gift, database):
    """A gift finds its reply in its transaction; nothing may be looked up before that."""
    first = await gift()
    refused = await gift("k-2", quantity=99_999)
    await database.write(
        lambda writer: writer.run("UPDATE player_names SET name_key = 'eva' WHERE name_key = 'ana'")
    )

    again, refused_again = await gift(), await gift("k-2", quantity=99_999)

    assert (again.status_code, again.content) == (first.status_code, first.content)
    assert (refused_again.status_code, refused_again.content) == (409, refused.content)
    assert (await gift("k-3")).status_code == 404


async def test_a_stored_reply_needs_one_transaction_and_no_read_before(gift, database, statements):
    await gift()
    with statements() as made:
        again = await gift()

    assert again.headers["Idempotency-Replayed"] == "true"
    assert [" ".join(sql.split()[:2]) for sql in made] == [
        "BEGIN; SET",
        "SELECT pg_try_advisory_xact_lock(hashtextextended(asked.caller",
        "COMMIT",
    ]


async def test_a_reason_required_by_now_does_not_refuse_a_replay(gift, client, settings):
    """The setting came after the gift; its retry gets the answer, a new gift is refused."""
    first = await gift()
    strict = structs.replace(settings, required_reasons="players.items")
    async with in_process(strict, headers=client.headers) as other:
        again, fresh = await gift(client=other), await gift("k-2", client=other)

    assert again.content == first.content
    assert (fresh.status_code, fresh.json()["Code"]) == (400, "reason_required")
