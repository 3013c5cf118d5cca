"""Redemption of codes: once per account and campaign, within their uses and times."""

import asyncio
from datetime import UTC, datetime, timedelta

import pytest

from gamekeeper.history.undo import execute
from gamekeeper.history.undo.execute import Undoing, Undone
from tests.codes.mint import BATCHES, CODES, MINE, Mint, good, refused, sound
from tests.make import BY, make_player, make_user

SOON = {"Idempotency-Key": "first"}


@pytest.fixture
async def mint(client, database) -> Mint:
    return await Mint.make(client, database)


async def test_a_code_gives_a_letter_with_its_items_once(mint, settings):
    first, _ = await mint.codes()
    done = good(await mint.redeem(first))
    assert done["PlayerId"] == str(mint.players["Ana"])
    assert (done["Subject"], done["Items"][0]["Quantity"]) == ("Hello", 3)
    assert await mint.mailed() == 3
    again = await mint.redeem(first)
    assert refused(again) == (409, "code_already_redeemed")
    assert again.json()["Details"]["SameCode"] is True
    # A code for one account is used up for all others.
    assert refused(await mint.redeem(first, "Bo")) == (409, "code_used_up")
    assert (await mint.mailed(), await mint.mailed("Bo")) == (3, 0)
    assert (await mint.only_batch())["Redeemed"] == 1
    await sound(settings)


async def test_an_account_redeems_one_code_of_a_campaign(mint, database):
    first, second = await mint.codes()
    [third] = await mint.codes(codes=1)
    [other] = await mint.codes(codes=1, campaign="summer")
    good(await mint.redeem(first))
    # Not another code of the batch, not one of another batch, not for another character.
    user = await database.reader.value("SELECT id FROM users WHERE name = 'ana'")
    await make_player(database, "Anas Other", user=user)
    for code, character in ((second, "Ana"), (third, "Ana"), (second, "Anas Other")):
        answer = await mint.redeem(code, character)
        assert refused(answer) == (409, "code_already_redeemed")
        assert answer.json()["Details"]["SameCode"] is False
    good(await mint.redeem(other))
    assert await mint.mailed() == 6
    assert (await mint.look_up(second))["Used"] == 0


async def test_a_retry_with_its_key_gets_the_same_answer(mint):
    code, _ = await mint.codes()
    first = good(await mint.redeem(code, headers=SOON))
    assert good(await mint.redeem(code, headers=SOON)) == first
    assert await mint.mailed() == 3


@pytest.mark.parametrize("uses", [1, 7])
async def test_many_at_once_redeem_a_code_as_often_as_it_can_be(mint, uses, settings):
    """64 accounts, each twice at once."""
    [code] = await mint.codes(codes=1, uses=uses)
    await mint.crowd(64)
    answers = await asyncio.gather(
        *(mint.redeem(code, f"Crowd{number}x") for number in range(64) for _ in range(2))
    )
    codes = [answer.status_code for answer in answers]
    assert codes.count(200) == uses
    assert {refused(answer)[1] for answer in answers if answer.status_code != 200} <= {
        "code_used_up",
        "code_already_redeemed",
    }
    assert await mint.count("letters") == await mint.count("code_redemptions") == uses
    found = await mint.look_up(code)
    assert (found["Used"], found["Batch"]["Redeemed"]) == (uses, uses)
    assert len({each["UserId"] for each in found["Redemptions"]}) == uses
    await sound(settings)


async def test_many_codes_at_once_give_one_account_one_letter(mint, client):
    codes = await mint.codes(codes=9)
    [token] = await mint.crowd(1)
    answers = await asyncio.gather(
        *(client.post(MINE, json={"code": code}, headers=token) for code in codes)
    )
    assert sorted(answer.status_code for answer in answers) == [200] + [409] * 8
    assert await mint.count("letters") == 1
    used = await mint.database.reader.value("SELECT sum(used) FROM codes")
    assert used == (await mint.only_batch())["Redeemed"] == 1


async def test_a_code_before_its_start_and_after_its_end(mint):
    now = datetime.now(UTC)
    later = (now + timedelta(hours=1)).isoformat()
    [early] = await mint.codes(codes=1, startsat=later, campaign="early")
    assert refused(await mint.redeem(early, headers=SOON)) == (409, "code_not_started")
    await mint.run("UPDATE code_batches SET starts_at = now() WHERE campaign = 'early'")
    # The same key: that the code had not started was no answer for ever.
    good(await mint.redeem(early, headers=SOON))
    [late] = await mint.codes(codes=1, expiresat=later, campaign="late")
    await mint.run("UPDATE code_batches SET expires_at = now() WHERE campaign = 'late'")
    assert refused(await mint.redeem(late)) == (409, "code_expired")


async def test_a_revoked_code_and_a_revoked_batch(mint, client):
    first, second = await mint.codes()
    assert good(await client.post(f"{CODES}/revoke", json={"code": first}))["RevokedAt"]
    assert refused(await mint.redeem(first)) == (409, "code_revoked")
    good(await mint.redeem(second))
    batch = (await mint.only_batch())["Id"]
    assert good(await client.post(f"{BATCHES}/{batch}/revoke"))["State"] == "revoked"
    [third] = await mint.codes(codes=1, campaign="summer")
    assert refused(await mint.redeem(second, "Bo")) == (409, "code_revoked")
    good(await mint.redeem(third, "Bo"))
    assert await mint.mailed() == 3


async def test_after_a_revocation_no_redemption_follows(mint, client):
    """The answer of the revocation waits for redemptions that run."""
    codes = await mint.codes(codes=16)
    crowd = await mint.crowd(16)
    batch = (await mint.only_batch())["Id"]
    running = [
        asyncio.create_task(client.post(MINE, json={"code": code}, headers=token))
        for code, token in zip(codes, crowd, strict=True)
    ]
    await asyncio.wait(running, return_when=asyncio.FIRST_COMPLETED)
    redeemed = good(await client.post(f"{BATCHES}/{batch}/revoke"))["Redeemed"]
    answers = await asyncio.gather(*running)
    assert [answer.status_code for answer in answers].count(200) == redeemed
    assert await mint.count("letters") == redeemed


async def test_without_a_character_the_code_stays_unused(mint, client, database):
    await make_user(database, name="cleo")
    code, _ = await mint.codes()
    body = {"code": code, "account": "cleo"}
    assert refused(await client.post(f"{CODES}/redeem", json=body)) == (409, "no_character")
    assert (await mint.look_up(code))["Used"] == 0
    good(await client.post(f"{CODES}/redeem", json={"code": code, "account": "bo"}))
    assert await mint.mailed("Bo") == 3


async def test_a_full_mailbox_leaves_the_code_unused(mint, database):
    code, _ = await mint.codes()
    await mint.run(
        """
        INSERT INTO letters (player_id, id, state, sender_kind, subject, text, attached, sent_at,
                             expires_at, on_expiry)
        SELECT $1, gen_random_uuid(), 'open', 'system', 'x', '', '[]', now(),
               now() + interval '1 day', 'destroy'
          FROM generate_series(1, 100)
        """,
        mint.players["Ana"],
    )
    assert refused(await mint.redeem(code)) == (409, "mailbox_full")
    assert (await mint.look_up(code))["Used"] == 0
    assert await mint.count("code_redemptions") == 0
    good(await mint.redeem(code, "Bo"))


async def test_an_undo_takes_the_letter_and_not_the_use(mint, database, settings):
    code, _ = await mint.codes()
    good(await mint.redeem(code))
    action = await database.reader.value("SELECT id FROM actions WHERE kind = 'codes.redeem'")
    [undone] = await execute.undo(database, [Undoing(by=BY, action_id=action)])
    assert await mint.mailed() == 0
    assert refused(await mint.redeem(code)) == (409, "code_already_redeemed")
    assert (await mint.look_up(code))["Used"] == 1
    # The undo can be undone: the letter is there again.
    assert isinstance(undone, Undone)
    assert undone.id is not None
    await execute.undo(database, [Undoing(by=BY, action_id=undone.id)])
    assert await mint.mailed() == 3
    await sound(settings)


async def test_the_log_has_the_redemption_and_never_a_code(mint, database):
    code, _ = await mint.codes(text="Private words", prefix="SPRING")
    good(await mint.redeem(code))
    rows = await database.reader.rows("SELECT kind, player_id, after FROM actions ORDER BY id")
    kinds = [row["kind"] for row in rows if row["kind"].startswith("codes.")]
    assert kinds == ["codes.create", "codes.download", "codes.activate", "codes.redeem"]
    redeemed = rows[-1]["after"]
    assert (redeemed["campaign"], redeemed["batch"]) == ("spring", "Spring")
    assert rows[-1]["player_id"] == mint.players["Ana"]
    stored = str([dict(row) for row in rows])
    plain = code.removeprefix("SPRING-")
    assert not any(part in stored for part in (plain, plain.replace("-", ""), "Private words"))


async def test_no_table_has_a_code(mint, database):
    code, _ = await mint.codes(prefix="SPRING")
    good(await mint.redeem(code, headers=SOON))
    plain = code.removeprefix("SPRING-")
    tables = await database.reader.rows(
        "SELECT tablename FROM pg_tables WHERE schemaname = 'public'"
    )
    for row in tables:
        sql = f'SELECT count(*) FROM "{row["tablename"]}" AS t WHERE t::text ~* $1'
        pattern = f"{plain}|{plain.replace('-', '')}"
        assert await database.reader.value(sql, pattern) == 0, row["tablename"]


@pytest.mark.usefixtures("schema_changes")
async def test_without_its_row_a_redemption_gives_nothing(mint):
    """The row is what lets an account redeem once; an erasure may empty it at the same moment."""
    code, _ = await mint.codes()
    await mint.run(
        """
        CREATE FUNCTION lose() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN RETURN NULL; END $$
        """
    )
    await mint.run(
        """
        CREATE TRIGGER lose BEFORE INSERT ON code_redemptions
            FOR EACH ROW EXECUTE FUNCTION lose()
        """
    )

    assert refused(await mint.redeem(code)) == (409, "code_already_redeemed")

    assert await mint.mailed() == 0
    assert (await mint.look_up(code))["Used"] == 0
