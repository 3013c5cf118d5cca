"""The shapes of the Intersect Engine's version 0.8, chosen by a client or by the operator."""

from uuid import UUID, uuid4

import pytest
from msgspec import structs

from gamekeeper.api.intersect import SHAPES
from gamekeeper.app import ROUTES
from gamekeeper.auth import keys
from gamekeeper.auth.keys import NewKey
from gamekeeper.auth.principal import SCOPES
from tests.contract.outcomes import outcome, refusal
from tests.in_process import in_process
from tests.make import BY, make_item, make_object, make_player, make_spell, make_variable

NEWER = {"Accept": "application/vnd.intersect.0.8+json"}
OLDER = {"Accept": "application/vnd.intersect.0.7+json"}
PLAYERS, OBJECTS = "/api/v1/players", "/api/v1/gameobjects"
ENVELOPE = ["Total", "Page", "PageSize", "Count", "Values"]


@pytest.fixture(scope="module")
async def player(database) -> UUID:
    return await make_player(database, "Ana")


def test_every_shape_is_of_an_operation():
    names = {route.handler.__name__ for route in ROUTES}
    assert SHAPES.keys() <= names


@pytest.mark.parametrize(
    ("path", "keys_shown"),
    [
        ("/api/v1/info", ["Name", "Port"]),
        ("/api/v1/info/authorized", ["Authorized"]),
        ("/api/v1/info/stats", ["Uptime", "Cps", "ConnectedClients", "OnlineCount"]),
        (f"{PLAYERS}/online/count", ["OnlineCount"]),
    ],
)
async def test_keys_begin_with_a_capital(client, path, keys_shown):
    answer = await client.get(path, headers=NEWER)
    assert list(outcome(answer)[1]) == keys_shown
    assert answer.headers["vary"] == "Accept"
    usual = await client.get(path)
    assert list(usual.json()) == [key[:1].lower() + key[1:] for key in keys_shown]
    assert usual.headers["vary"] == "Accept"


@pytest.mark.parametrize("path", [PLAYERS, f"{PLAYERS}/online", "/api/v1/users"])
async def test_older_lists_have_the_newer_envelope(client, player, path):
    status, body = outcome(await client.post(path, headers=NEWER))
    assert (status, list(body), body["PageSize"]) == (200, ENVELOPE, 10)
    body = (await client.post(path, headers=NEWER, json={"PageSize": 7})).json()
    assert body["PageSize"] == 7
    usual = (await client.post(path, headers=OLDER, json={"PageSize": 7})).json()
    assert (list(usual)[:4], usual["PageSize"]) == (["total", "Page", "count", "entries"], 5)


async def test_game_objects_stand_alone_and_an_unknown_one_is_not_found(client, database):
    made = await make_object(database, "map", "Willowbrook", {"Music": "a.ogg"})

    body = (await client.post(f"{OBJECTS}/map", headers=NEWER)).json()
    assert (list(body), body["PageSize"]) == (ENVELOPE, 10)
    assert body["Values"][0]["Id"] == str(made)
    body = (await client.post(f"{OBJECTS}/map/names", headers=NEWER)).json()
    assert (list(body), body["Values"]) == (ENVELOPE, ["Willowbrook"])
    missing = uuid4()
    answer = await client.get(f"{OBJECTS}/crafttables/{missing}", headers=NEWER)
    message = f"No CraftTables with id '{missing}'"
    assert outcome(answer) == refusal(404, "object_not_found", message)
    answer = await client.get(f"{OBJECTS}/castle/{missing}", headers=NEWER)
    assert answer.status_code == 400


async def test_slots_come_without_the_empty_ones(client, database, player):
    item = await make_item(database)
    given = await client.post(
        f"{PLAYERS}/{player}/items/give", json={"itemid": str(item), "quantity": 3}, headers=NEWER
    )
    assert outcome(given) == (
        200,
        {"Id": str(item), "Quantity": {"Total": 3, "Bank": 0, "Inventory": 3}},
    )

    carried = (await client.get(f"{PLAYERS}/{player}/items", headers=NEWER)).json()
    assert (list(carried), len(carried["Inventory"]), carried["Bank"]) == (
        *(["Inventory", "Bank"], 1, []),
    )
    inventory = (await client.get(f"{PLAYERS}/{player}/items/inventory", headers=NEWER)).json()
    assert inventory == carried["Inventory"]
    assert (await client.get(f"{PLAYERS}/{player}/items/bank", headers=NEWER)).json() == []
    assert len((await client.get(f"{PLAYERS}/{player}/items/bank")).json()) > 10


async def test_a_character_has_words_for_its_vitals_and_its_gender(client, player):
    usual = (await client.get(f"{PLAYERS}/{player}")).json()
    newer = (await client.get(f"{PLAYERS}/{player}", headers=NEWER)).json()

    health, mana = usual["Vitals"]
    assert newer["Vitals"] == {"Health": health, "Mana": mana}
    assert (newer["Gender"], newer["IsOnline"], newer["IsDead"]) == ("Male", False, False)
    changed = ("Vitals", "MaxVitals", "Gender", "IsOnline", "IsDead")
    rest = {key: value for key, value in newer.items() if key not in changed}
    assert rest == {key: value for key, value in usual.items() if key not in changed}
    for path in (PLAYERS, f"{PLAYERS}/rank"):
        assert (await client.get(path, headers=NEWER)).json()["Values"] == [newer]
    assert (await client.post(PLAYERS, headers=NEWER)).json()["Values"] == [newer]
    owned = await client.get(f"/api/v1/users/{usual['UserId']}/players", headers=NEWER)
    assert owned.json() == [newer]


async def test_spells_and_variables_have_their_newer_keys(client, database, player):
    spell, karma = await make_spell(database), await make_variable(database)
    path = f"{PLAYERS}/{player}/spells"

    for verb in ("teach", "forget", "teach"):
        answer = await client.post(f"{path}/{verb}", json={"Id": str(spell)}, headers=NEWER)
        assert outcome(answer) == (200, {"Id": str(spell)})
    answer = await client.post(f"{path}/forget", json={"Id": str(spell)})
    assert answer.status_code == 400
    answer = await client.post(f"{path}/forget", data={"spellid": str(spell)}, headers=NEWER)
    assert outcome(answer) == (200, {"Id": str(spell)})
    value = await client.get(f"{PLAYERS}/{player}/variables/{karma}/value", headers=NEWER)
    assert outcome(value) == (200, {"Value": 0})


async def test_a_repeated_request_is_answered_in_the_shape_that_is_asked_for(
    client, database, player
):
    spell = await make_spell(database)
    path = f"{PLAYERS}/{player}/spells/teach"
    key = {"Idempotency-Key": str(uuid4())}

    first = await client.post(path, json={"spellid": str(spell)}, headers=key | OLDER)
    again = await client.post(path, json={"spellid": str(spell)}, headers=key | NEWER)

    assert outcome(first) == (200, {"SpellId": str(spell)})
    assert outcome(again) == (200, {"Id": str(spell)})
    assert again.headers["idempotency-replayed"] == "true"


@pytest.mark.parametrize(
    "accept",
    ["*/*", "", "application/json", "text/html", "application/vnd.intersect.0.9+json", "\xff;q=x"],
)
async def test_any_other_accept_is_answered_as_ever(client, accept):
    answer = await client.get("/api/v1/info", headers={"Accept": accept.encode("latin-1")})
    assert list(answer.json()) == ["name", "port"]


async def test_an_operator_chooses_for_those_who_do_not_say(settings, database):
    key = await keys.create.one(database, NewKey(by=BY, name="site", scopes=tuple(SCOPES)))
    newer = structs.replace(settings, intersect_version="0.8")
    async with in_process(newer, database, {"Authorization": f"Bearer {key}"}) as site:
        assert "Name" in (await site.get("/api/v1/info")).json()
        assert "name" in (await site.get("/api/v1/info", headers=OLDER)).json()
        assert "Name" in (await site.get("/api/v1/info", headers=NEWER)).json()
