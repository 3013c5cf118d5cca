"""Guilds in Intersect's shapes and sentences: lists, members, ranks, names, disbanding."""

import asyncio
from uuid import uuid4

import pytest

from gamekeeper.catalog.variables import WrongVariableType
from gamekeeper.guilds import variables
from gamekeeper.guilds.lookup import UnknownGuild
from gamekeeper.guilds.variables import GuildSetting, GuildVariable
from tests.guilds.halls import API, Hall, good, refused, sound
from tests.make import BY, KNIGHT, make_player, make_user, make_variable


@pytest.fixture
async def hall(client, database) -> Hall:
    return await Hall.make(client, database)


async def test_a_guild_is_shown_as_intersect_shows_it(hall):
    shown = good(await hall.get())

    assert shown == hall.record
    assert shown.keys() == {
        *("Id", "Name", "FoundingDate", "BankSlotsCount", "GuildInstanceId", "UpdatedVariables")
    }
    assert (shown["Name"], shown["BankSlotsCount"]) == ("Larkspur Court", 4)
    assert shown["UpdatedVariables"] == {}


async def test_all_guilds_are_listed_in_both_envelopes(client, hall):
    page = good(await client.get(f"{API}/"))
    legacy = good(await client.post(API, json={"page": 0, "count": 10}))

    assert page["Values"] == [{"Key": hall.record, "Value": 2}]
    assert page["Total"] == 1
    assert legacy["entries"] == legacy["Values"] == page["Values"]


async def test_a_list_is_searched_and_sorted(client, database, hall):
    await make_player(database, "Dee")
    good(await client.post(f"{API}/create", json={"name": "Ashen Vale", "owner": "Dee"}))

    async def named(query: str) -> list[str]:
        values = good(await client.get(f"{API}?{query}"))["Values"]
        return [entry["Key"]["Name"] for entry in values]

    assert await named("") == ["Ashen Vale", "Larkspur Court"]
    assert await named("search=spur") == ["Larkspur Court"]
    assert await named("sortBy=members&sortDirection=Descending") == [
        "Larkspur Court",
        "Ashen Vale",
    ]
    assert await named("sortBy=nonsense&sortDirection=x") == ["Ashen Vale", "Larkspur Court"]
    assert await named("sortBy=FoundingDate") == ["Larkspur Court", "Ashen Vale"]
    assert await named("page=0pageSize=25") == ["Ashen Vale", "Larkspur Court"]
    assert await named("page=1&pageSize=1") == ["Larkspur Court"]
    assert await named("search=%25%25") == []


async def test_members_are_player_records_with_their_ranks(hall):
    page = good(await hall.get("/members?page=0pageSize=25"))

    assert [(entry["Name"], entry["GuildRank"]) for entry in page["Values"]] == [
        ("Ana", 0),
        ("Bo", 3),
    ]
    assert page["Values"][0]["GuildId"] == str(hall.id)
    assert {"Level", "ClassName", "Online", "Id", "GuildJoinDate"} <= page["Values"][0].keys()
    by_rank = good(await hall.get("/members?sortBy=guildrank&sortDirection=Descending"))
    assert [entry["Name"] for entry in by_rank["Values"]] == ["Bo", "Ana"]


async def test_what_is_not_there_is_said_in_the_words_of_intersect(client, hall):
    nobody = uuid4()
    found = f"Guild not found: ${nobody}."
    missing = f"No guild with id '{nobody}'."

    assert refused(await client.get(f"{API}/{nobody}")) == (400, found)
    for path in ("members", "bank"):
        assert refused(await client.get(f"{API}/{nobody}/{path}")) == (404, missing)
    assert refused(await client.delete(f"{API}/{nobody}")) == (404, missing)
    assert refused(await client.delete(f"{API}?id={nobody}")) == (404, missing)
    assert (await client.delete(API)).status_code == 404
    named = await client.post(f"{API}/{nobody}/name", json={"name": "Anything"})
    assert refused(named) == (404, missing)
    kicked = await client.post(f"{API}/{nobody}/kick/Bo")
    assert refused(kicked) == (400, "Guild does not exist.")
    assert refused(await hall.post("kick/Nobody")) == (400, "Player not found.")
    variables = await client.get(f"{API}/{nobody}/variables")
    assert refused(variables) == (400, "Guild does not exist.")


async def test_a_member_is_kicked_and_the_owner_is_not(hall, settings):
    owner = "Cannot kick a guild owner, transfer ownership first."
    assert refused(await hall.post("kick/Ana")) == (400, owner)
    outside = "Cyd is not a member of Larkspur Court."
    assert refused(await hall.post("kick/Cyd")) == (400, outside)

    assert good(await hall.post("kick/bo"))["Name"] == "Bo"

    assert await hall.ranks() == {"Ana": 0}
    await sound(settings)


async def test_ranks_are_between_the_owners_and_the_number_of_ranks(hall):
    for rank in (0, 4, -1):
        wrong = "Invalid guild rank, should be > 0 and < 4."
        assert refused(await hall.post("rank/Bo", rank=rank)) == (400, wrong)
    owner = "Cannot change rank of the guild owner, transfer ownership first!"
    assert refused(await hall.post("rank/Ana", rank=1)) == (400, owner)

    assert good(await hall.post("rank/Bo", rank=1))["Name"] == "Bo"

    assert await hall.ranks() == {"Ana": 0, "Bo": 1}


async def test_ownership_is_transferred_to_a_member(hall):
    own = "Cannot transfer ownership of a guild to ones self."
    assert refused(await hall.post("transfer/Ana")) == (400, own)
    assert (await hall.post("transfer/Cyd")).status_code == 400

    assert good(await hall.post("transfer/Bo"))["Name"] == "Bo"

    assert await hall.ranks() == {"Ana": 1, "Bo": 0}


async def test_of_twenty_transfers_at_once_one_owner_is_left(hall, database):
    for number in range(20):
        await make_player(database, f"Crowd{number}x")
        good(await hall.post(f"members/Crowd{number}x"))

    done = await asyncio.gather(*(hall.post(f"transfer/Crowd{n}x") for n in range(20)))

    assert {answer.status_code for answer in done} == {200}
    assert list((await hall.ranks()).values()).count(0) == 1


async def test_a_name_is_three_to_twenty_letters_digits_and_spaces(client, database, hall):
    await make_player(database, "Dee")
    for name in ("ab", "a" * 21, "semi;colon", " lead", "two  spaces", "12345"):
        wrong = (400, "Invalid guild name.")
        assert refused(await hall.post("name", name=name)) == wrong, name
        body = {"name": name, "owner": "Dee"}
        assert refused(await client.post(f"{API}/create", json=body)) == wrong, name

    taken = (400, "Invalid name, or name already taken.")
    body = {"name": "LARKSPUR court", "owner": "Dee"}
    assert refused(await client.post(f"{API}/create", json=body)) == taken
    good(await client.post(f"{API}/create", json={"name": "Other One", "owner": "Dee"}))
    assert refused(await hall.post("name", name="other one")) == taken
    assert good(await hall.post("name", name="LARKSPUR court"))["Name"] == "LARKSPUR court"


async def test_of_many_who_want_a_name_one_gets_it(client, database):
    for number in range(10):
        await make_player(database, f"Crowd{number}x")
    bodies = [{"name": "The Only", "owner": f"Crowd{number}x"} for number in range(10)]

    done = await asyncio.gather(*(client.post(f"{API}/create", json=body) for body in bodies))

    assert sorted(answer.status_code for answer in done) == [200] + [400] * 9
    assert await database.reader.value("SELECT count(*) FROM guild_members") == 1


async def test_a_character_is_in_one_guild_at_most(client, hall):
    again = await client.post(f"{API}/create", json={"name": "Second", "owner": "Bo"})
    assert again.status_code == 409
    assert (await hall.post("members/Bo")).json()["Code"] == "already_in_guild"


async def test_a_guild_with_an_empty_bank_is_disbanded(client, hall, database):
    assert good(await client.delete(f"{API}?guildId={hall.id}")) == hall.record

    assert (await hall.get()).status_code == 400
    assert await database.reader.value("SELECT count(*) FROM guild_members") == 0
    kinds = await database.reader.rows(
        "SELECT kind FROM guild_actions JOIN actions ON id = action_id ORDER BY at"
    )
    assert [row["kind"] for row in kinds] == ["guilds.create", "guilds.join", "guilds.delete"]


async def test_an_owner_is_not_deleted_and_a_member_comes_back_as_one(client, hall, settings):
    kept = await client.delete("/api/v1/players/Ana")
    assert (kept.status_code, kept.json()["Code"]) == (409, "owns_guild")
    good(await hall.post("rank/Bo", rank=2))

    good(await client.delete("/api/v1/players/Bo"))

    assert await hall.ranks() == {"Ana": 0}
    actions = good(await client.get("/api/v1/actions?kind=players.delete"))
    good(await client.post(f"/api/v1/actions/{actions['Values'][0]['Id']}/undo"))
    assert await hall.ranks() == {"Ana": 0, "Bo": 2}
    await sound(settings)


async def test_a_deleted_member_of_a_guild_that_is_gone_comes_back_without_one(client, hall):
    good(await client.delete("/api/v1/players/Bo"))
    good(await hall.delete())

    actions = good(await client.get("/api/v1/actions?kind=players.delete"))
    good(await client.post(f"/api/v1/actions/{actions['Values'][0]['Id']}/undo"))

    assert good(await client.get("/api/v1/players/Bo"))["Name"] == "Bo"


async def test_the_creation_of_an_owner_is_not_undone(client, database):
    await make_player(database, "Ana")
    user = await make_user(database)
    body = {"name": "Eve", "classid": str(KNIGHT)}
    good(await client.post(f"/api/v1/users/{user}/players", json=body))
    good(await client.post(f"{API}/create", json={"name": "Eves Own", "owner": "Eve"}))
    actions = good(await client.get("/api/v1/actions?kind=players.create"))

    undone = await client.post(f"/api/v1/actions/{actions['Values'][0]['Id']}/undo")

    assert undone.status_code == 409
    assert undone.json()["Details"]["InTheWay"][0]["Reason"] == "owns_guild"


async def test_a_key_makes_a_change_once(hall, database):
    headers = {"Idempotency-Key": "kick-once"}
    first = await hall.post("kick/Bo", headers=headers)
    again = await hall.post("kick/Bo", headers=headers)

    assert first.status_code == again.status_code == 200
    assert first.json() == again.json()


async def test_the_creation_of_a_guild_says_what_to_do_instead_of_an_undo(client, hall):
    actions = good(await client.get("/api/v1/actions?kind=guilds.create"))

    answer = await client.post(f"/api/v1/actions/{actions['Values'][0]['Id']}/undo")

    assert (answer.status_code, answer.json()["Code"]) == (409, "not_undoable")
    assert "Disband it instead" in answer.json()["Message"]


async def test_what_happened_in_a_guild_is_in_its_log(client, hall):
    good(await client.post(f"{API}/{hall.id}/rank/Bo", json={"rank": 1}))
    good(await client.post(f"{API}/{hall.id}/rank/Bo", json={"rank": 2}))
    good(await client.post(f"{API}/{hall.id}/name", json={"name": "Larkspur Hall"}))
    good(await client.post(f"{API}/{hall.id}/kick/Bo"))

    log = good(await client.get(f"/api/v1/logs/guild/{hall.id}/activity?pageSize=100"))

    types = [entry["ActivityType"] for entry in log["Values"]]
    assert types == ["Kicked", "Rename", "Demoted", "Promoted", "Joined", "Created"]
    assert (log["Total"], log["Values"][0]["PlayerName"]) == (6, "Bo")
    assert log["Values"][1]["Meta"] == "Larkspur Hall"
    turned = good(
        await client.get(f"/api/v1/logs/guild/{hall.id}/activity?sortDirection=Ascending&limit=1")
    )
    assert [entry["ActivityType"] for entry in turned["Values"]] == ["Created"]
    assert good(await client.get(f"/api/v1/logs/guild/{uuid4()}/activity"))["Values"] == []


async def test_variables_of_a_guild_are_of_their_type(client, database, hall):
    fame = await make_variable(database, name="Fame", owner="guild")
    of_players = await make_variable(database, name="Karma")
    path = f"{API}/{hall.id}/variables"

    assert good(await client.get(f"{path}/{fame}/value")) == {"value": 0}
    answer = good(await client.post(f"{path}/{fame}", json={"value": "7"}))
    assert (answer["Value"], answer["VariableName"]) == (7, "Fame")
    assert good(await client.get(path)) == [answer]
    newer = {"Accept": "application/vnd.intersect.0.8+json"}
    assert good(await client.get(f"{path}/{fame}/value", headers=newer)) == {"Value": 7}
    assert (await client.post(f"{path}/{fame}", json={"value": "x"})).status_code == 400
    wrong = f"Invalid variable id ${of_players}."
    assert refused(await client.post(f"{path}/{of_players}", json={"value": 1})) == (400, wrong)


async def test_of_a_batch_of_guild_variables_the_last_wins_and_a_wrong_one_harms_nobody(
    client, database, hall
):
    fame = await make_variable(database, name="Fame", owner="guild")
    guild = hall.id
    wanted = [(guild, 1), (uuid4(), 2), (guild, "x"), (guild, 3)]

    outcomes = await variables.assign(
        database,
        [GuildSetting(by=BY, guild_id=of, variable_id=fame, value=value) for of, value in wanted],
    )

    assert [type(outcome) for outcome in outcomes] == [
        *(GuildVariable, UnknownGuild, WrongVariableType, GuildVariable)
    ]
    assert good(await client.get(f"{API}/{hall.id}/variables/{fame}/value")) == {"value": 3}
    rows = await database.reader.rows(
        """
        SELECT before ->> 'value' AS before, after ->> 'value' AS after
          FROM actions JOIN guild_actions ON action_id = actions.id
         WHERE kind = 'guilds.variable'
         ORDER BY actions.id
        """
    )
    assert [tuple(row) for row in rows] == [(None, "1"), ("1", "3")]


async def test_a_newer_client_gets_the_newer_list(client, hall):
    newer = {"Accept": "application/vnd.intersect.0.8+json"}
    page = good(await client.post(API, json={"PageSize": 7}, headers=newer))
    assert list(page) == ["Total", "Page", "PageSize", "Count", "Values"]
    assert (page["PageSize"], page["Values"][0]["Value"]) == (7, 2)
