"""Batches: their checks, their download, once and replaceable, their lists, and permissions."""

import asyncio
from uuid import UUID, uuid4

import pytest

from gamekeeper.auth.secrets import Vault
from gamekeeper.codes import generation
from gamekeeper.codes.batches import BatchCommand
from gamekeeper.codes.generation import CODES_AT_ONCE, DownloadReplaced
from tests.codes.mint import BATCHES, CODES, MINE, Mint, good, refused
from tests.make import BY, make_item, make_player, make_user
from tests.security.callers import key_with


@pytest.fixture
async def mint(client, database) -> Mint:
    return await Mint.make(client, database)


async def test_a_batch_from_its_creation_to_its_activation(mint, client):
    batch = await mint.create(codes=5, prefix="SPRING", uses=2)
    early = await client.post(f"{BATCHES}/{batch}/activate")
    assert refused(early) == (409, "wrong_batch_state")
    codes = await mint.download(batch)
    assert len(set(codes)) == 5
    assert all(code.startswith("SPRING-") and len(code) == 24 for code in codes)
    assert good(await client.get(f"{BATCHES}/{batch}"))["State"] == "ready"
    # Nobody can redeem a code before its owner said that all of them arrived.
    assert refused(await mint.redeem(codes[0])) == (404, "unknown_code")
    assert (await mint.activate(batch))["State"] == "active"
    assert (await mint.activate(batch))["State"] == "active"
    good(await mint.redeem(codes[0].lower().replace("-", " ")))
    found = await mint.look_up(codes[0])
    assert (found["Used"], found["Batch"]["Redeemed"]) == (1, 1)
    assert found["Redemptions"][0]["PlayerName"] == "Ana"


async def test_codes_are_shown_once(mint, client):
    batch = await mint.create()
    await mint.download(batch)
    await mint.activate(batch)
    again = await client.post(f"{BATCHES}/{batch}/download")
    assert refused(again) == (409, "codes_already_shown")
    await client.post(f"{BATCHES}/{batch}/revoke")
    again = await client.post(f"{BATCHES}/{batch}/download")
    assert refused(again) == (409, "codes_already_shown")
    assert refused(await client.post(f"{BATCHES}/{batch}/activate")) == (409, "wrong_batch_state")


async def test_a_second_download_replaces_the_codes_of_the_first(mint):
    batch = await mint.create(codes=3)
    lost = await mint.download(batch)
    kept = await mint.download(batch)
    assert not set(lost) & set(kept)
    await mint.activate(batch)
    assert {refused(await mint.redeem(code)) for code in lost} == {(404, "unknown_code")}
    good(await mint.redeem(kept[0]))
    assert await mint.count("codes") == 3


async def test_a_broken_download_leaves_a_draft_that_can_be_downloaded_again(mint, database):
    batch = await mint.create(codes=CODES_AT_ONCE + 1)
    vault = Vault(database.settings)
    pieces = generation.pieces(database, vault, BatchCommand(by=BY, batch_id=UUID(batch)))
    assert await anext(pieces) == b"Code\n"
    first = (await anext(pieces)).decode().splitlines()
    assert len(first) == CODES_AT_ONCE
    await pieces.aclose()
    broken = await mint.only_batch()
    assert broken["State"] == "draft"
    assert refused(await mint.redeem(first[0])) == (404, "unknown_code")
    assert len(await mint.download(batch)) == CODES_AT_ONCE + 1
    assert (await mint.activate(batch))["State"] == "active"
    assert refused(await mint.redeem(first[0])) == (404, "unknown_code")


async def test_an_older_download_stops_when_another_begins(mint, database):
    batch = await mint.create(codes=CODES_AT_ONCE * 2)
    vault, command = Vault(database.settings), BatchCommand(by=BY, batch_id=UUID(batch))
    older = generation.pieces(database, vault, command)
    await anext(older)
    await anext(older)
    newer = generation.pieces(database, vault, command)
    await anext(newer)
    with pytest.raises(DownloadReplaced):
        await anext(older)
    sent = [code async for piece in newer for code in piece.decode().splitlines()]
    assert len(sent) == await mint.count("codes") == CODES_AT_ONCE * 2
    assert (await mint.only_batch())["State"] == "ready"


async def test_a_download_that_is_refused_does_not_disturb_one_that_runs(mint, client):
    """One export for each caller at a time."""
    # Many pieces, so that it still runs when the last of the others arrives.
    batch = await mint.create(codes=CODES_AT_ONCE * 3)
    answers = await asyncio.gather(*(client.post(f"{BATCHES}/{batch}/download") for _ in range(4)))
    [whole] = [answer for answer in answers if answer.status_code == 200]
    assert len(whole.text.splitlines()) == CODES_AT_ONCE * 3 + 1
    others = {refused(answer) for answer in answers if answer is not whole}
    assert others == {(429, "too_many_exports")}
    assert (await mint.only_batch())["State"] == "ready"


async def test_a_retry_of_the_creation_is_the_same_batch(mint, client):
    key = {"Idempotency-Key": "batch"}
    first = good(await client.post(BATCHES, json=mint.wanted(), headers=key))
    assert good(await client.post(BATCHES, json=mint.wanted(), headers=key)) == first
    assert await mint.count("code_batches") == 1


@pytest.mark.parametrize(
    ("change", "code"),
    [
        ({"campaign": ""}, "invalid_code_batch"),
        ({"campaign": "Spring"}, "invalid_code_batch"),
        ({"campaign": "x" * 65}, "invalid_code_batch"),
        ({"name": " "}, "invalid_code_batch"),
        ({"name": "x" * 81}, "invalid_code_batch"),
        ({"prefix": "spring"}, "invalid_code_batch"),
        ({"prefix": "X" * 13}, "invalid_code_batch"),
        ({"codes": 0}, "invalid_code_batch"),
        ({"codes": 1_000_001}, "invalid_code_batch"),
        ({"uses": 0}, "invalid_code_batch"),
        ({"expiresindays": 366}, "invalid_code_batch"),
        (
            {"startsat": "2026-03-14T00:00:00Z", "expiresat": "2026-03-14T00:00:00Z"},
            "invalid_code_batch",
        ),
        ({"subject": ""}, "invalid_letter"),
        ({"items": [{"itemid": str(uuid4())}]}, "unknown_item"),
    ],
)
async def test_an_invalid_batch_is_refused(mint, client, change, code):
    answer = await client.post(BATCHES, json=mint.wanted(**change))
    assert refused(answer) == (400, code)
    assert await mint.count("code_batches") == 0
    assert await mint.count("actions WHERE kind LIKE 'codes.%'") == 0


async def test_each_bag_needs_a_stack_of_the_letter(mint, client, database):
    bag = await make_item(database, "Bag", type="bag", bag_slots=5)
    items = [{"itemid": str(bag), "quantity": 11}]
    answer = await client.post(BATCHES, json=mint.wanted(items=items))
    assert refused(answer) == (400, "invalid_letter")
    items = [{"itemid": str(bag), "quantity": 10}]
    [code] = await mint.codes(codes=1, items=items)
    good(await mint.redeem(code))
    assert await mint.mailed() == 10


async def test_lists_page_through_batches_and_redemptions(mint, client, database):
    codes = await mint.codes(codes=3)
    await mint.codes(codes=1, campaign="summer")
    for number, code in enumerate(codes):
        user = await make_user(database, name=f"user{number}")
        await make_player(database, f"Player{number}x", user=user)
        good(await mint.redeem(code, f"Player{number}x"))
    page = good(await client.get(BATCHES, params={"limit": 1}))
    assert page["Values"][0]["Campaign"] == "summer"
    page = good(await client.get(BATCHES, params={"cursor": page["Next"]}))
    [spring] = page["Values"]
    assert (spring["Campaign"], spring["Redeemed"], page["Next"]) == ("spring", 3, None)
    only = good(await client.get(BATCHES, params={"campaign": "spring"}))["Values"]
    assert only == [spring]
    path = f"{BATCHES}/{spring['Id']}/redemptions"
    page = good(await client.get(path, params={"limit": 2}))
    names = [each["PlayerName"] for each in page["Values"]]
    assert names == ["Player2x", "Player1x"]
    rest = good(await client.get(path, params={"cursor": page["Next"]}))
    assert [each["PlayerName"] for each in rest["Values"]] == ["Player0x"]
    assert rest["Next"] is None


@pytest.mark.parametrize("scope", ["codes.read", "codes.manage", "codes.redeem"])
async def test_each_permission_alone(mint, client, database, scope):
    """A permission allows its own calls, and no other."""
    code, _ = await mint.codes()
    batch = (await mint.only_batch())["Id"]
    headers = await key_with(database, scope)
    named, redeemed = {"code": code}, {"code": code, "character": "Ana"}
    calls = [
        ("codes.read", client.get(BATCHES, headers=headers)),
        ("codes.read", client.get(f"{BATCHES}/{batch}", headers=headers)),
        ("codes.read", client.get(f"{BATCHES}/{batch}/redemptions", headers=headers)),
        ("codes.read", client.post(f"{CODES}/look-up", json=named, headers=headers)),
        ("codes.redeem", client.post(f"{CODES}/redeem", json=redeemed, headers=headers)),
        ("codes.manage", client.post(BATCHES, json=mint.wanted(), headers=headers)),
        ("codes.manage", client.post(f"{BATCHES}/{batch}/activate", headers=headers)),
        ("codes.manage", client.post(f"{CODES}/revoke", json=named, headers=headers)),
        ("codes.manage", client.post(f"{BATCHES}/{batch}/revoke", headers=headers)),
    ]
    for needed, call in calls:
        answer = await call
        assert answer.status_code == (200 if needed == scope else 403), answer.text


async def test_a_key_has_no_codes_of_its_own(client):
    answer = await client.post(MINE, json={"code": "0000-0000-0000-00"})
    assert refused(answer) == (403, "redeem_needs_account")
