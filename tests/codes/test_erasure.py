"""Codes and the account of a person: exported, erased, and still counted."""

import pytest

from gamekeeper.users import personal_data
from gamekeeper.users.personal_data import PersonalExport
from tests.codes.mint import Mint, good, sound
from tests.make import BY


@pytest.fixture
async def mint(client, database) -> Mint:
    return await Mint.make(client, database)


async def test_an_export_has_the_redemptions_of_the_account(mint, database):
    first, second = await mint.codes()
    good(await mint.redeem(first))
    good(await mint.redeem(second, "Bo"))
    done = await personal_data.export.one(database, PersonalExport(by=BY, user="ana"))
    [row] = done.tables["code_redemptions"]
    assert (row["campaign"], row["player_id"]) == ("spring", str(mint.players["Ana"]))
    assert "code_batches" not in done.tables


async def test_a_deleted_character_keeps_its_name_and_is_said_to_be_deleted(mint, client):
    code, _ = await mint.codes()
    good(await mint.redeem(code))
    [redemption] = (await mint.look_up(code))["Redemptions"]
    assert (redemption["PlayerName"], redemption["PlayerDeleted"]) == ("Ana", False)
    assert (await client.delete("/api/v1/players/Ana")).status_code == 200
    [redemption] = (await mint.look_up(code))["Redemptions"]
    assert (redemption["PlayerName"], redemption["PlayerDeleted"]) == ("Ana", True)


async def test_an_erasure_removes_the_person_and_keeps_the_counts(mint, client, settings):
    code, _ = await mint.codes()
    good(await mint.redeem(code))
    assert (await client.delete("/api/v1/users/ana")).status_code == 200
    found = await mint.look_up(code)
    [redemption] = found["Redemptions"]
    people = [redemption[field] for field in ("UserId", "PlayerId", "PlayerName")]
    assert (people, redemption["PlayerDeleted"]) == ([None, None, None], True)
    assert (found["Used"], found["Batch"]["Redeemed"]) == (1, 1)
    assert (await mint.redeem(code, "Bo")).json()["Code"] == "code_used_up"
    await sound(settings)
