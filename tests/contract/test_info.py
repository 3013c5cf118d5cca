"""What Intersect's clients ask first, whole: the name, the limits and the state of the game."""

from collections.abc import AsyncIterator
from time import monotonic

import httpx2
import pytest
from msgspec import structs

from gamekeeper.api.v1.info import port_of
from tests.contract.outcomes import outcome
from tests.contract.sign_in import bearer, make_signer, sign_in
from tests.in_process import in_process
from tests.make import join, make_mage, make_player, make_server

INFO = "/api/v1/info"


@pytest.fixture(scope="module")
async def anonymous(settings, served_database) -> AsyncIterator[httpx2.AsyncClient]:
    """A server whose operator has configured everything that is told here."""
    configured = structs.replace(
        settings,
        game_name="Larkspur",
        public_url="https://play.example.org",
        characters_per_user=3,
        inventory_slots=40,
        bank_slots=120,
        spell_slots=30,
    )
    async with in_process(configured, served_database.database(configured)) as client:
        yield client


@pytest.fixture(scope="module")
def client(anonymous, key) -> httpx2.AsyncClient:
    """The same server, called with a key that may do everything."""
    return httpx2.AsyncClient(
        transport=anonymous._transport, base_url=anonymous.base_url, headers=bearer(key)
    )


async def test_the_game_has_a_name_and_a_port(client):
    assert outcome(await client.get(INFO)) == (200, {"name": "Larkspur", "port": 443})


async def test_who_is_let_in_is_authorized(client):
    assert outcome(await client.get(f"{INFO}/authorized")) == (200, {"authorized": True})


async def test_the_limits_are_those_that_are_enforced_and_nothing_else_is_told(client, database):
    limits = {
        "MaxCharacters": 3,
        "MaxInventory": 40,
        "MaxBank": 120,
        "InitialBankslots": 120,
        "MaxLevel": 100,
        "MaxSpells": 30,
        "MaxStat": 2147483647,
    }
    config = {"GameName": "Larkspur", "ServerPort": 443, "Player": limits}
    assert outcome(await client.get(f"{INFO}/config")) == (200, config)

    await make_mage(database, max_level=250)

    config["Player"] = limits | {"MaxLevel": 250}
    assert outcome(await client.get(f"{INFO}/config")) == (200, config)


async def test_the_state_counts_who_is_online_and_the_uptime_goes_on(client, database):
    alive, dead = await make_server(database), await make_server(database, lease_seconds=-1)
    for server in (alive, alive, dead):
        await join(database, await make_player(database), server)
    begun = monotonic()
    first = (await client.get(f"{INFO}/stats")).json()
    second = (await client.get(f"{INFO}/stats")).json()
    passed = (monotonic() - begun) * 1000

    assert [list(first), first | {"uptime": 0}] == [
        ["uptime", "cps", "connectedClients", "onlineCount"],
        {"uptime": 0, "cps": 0, "connectedClients": 2, "onlineCount": 2},
    ]
    assert type(first["uptime"]) is int
    assert 0 < first["uptime"] <= second["uptime"] <= first["uptime"] + passed + 1


async def test_the_versions_of_the_api_are_told_to_anybody(anonymous):
    for last in ("", "/"):
        answer = await anonymous.get(f"/api/info{last}")
        assert outcome(answer) == (200, {"versions": ["v1"]})
        assert outcome(await anonymous.get(f"/api/info/versions{last}")) == (200, ["v1"])


async def test_stats_have_names_and_metrics_are_elsewhere(client):
    stats = ["Attack", "AbilityPower", "Defense", "MagicResist", "Speed"]
    assert outcome(await client.get(f"{INFO}/config/stats")) == (200, stats)
    assert outcome(await client.get(f"{INFO}/metrics")) == (200, {})


ALL = ["", "/authorized", "/stats", "/config", "/config/stats", "/metrics"]


@pytest.mark.parametrize("rest", ALL)
async def test_any_accounts_token_opens_it_and_nobody_else(anonymous, database, rest):
    """As in Intersect; with a last slash and in any letter case too."""
    signed = await sign_in(anonymous, await make_signer(database))
    headers = bearer(signed["access_token"])

    for path in (INFO + rest, INFO + rest + "/", (INFO + rest).upper()):
        assert (await anonymous.get(path, headers=headers)).status_code == 200
        denied = await anonymous.get(path)
        assert denied.status_code == 401
        message = "Authorization has been denied for this request."
        assert denied.json()["Message"] == message


@pytest.mark.parametrize(
    ("public", "port"),
    [
        ("http://127.0.0.1:8000", 8000),
        ("http://example.org", 80),
        ("https://example.org/game", 443),
        ("https://[::1]:8443", 8443),
        ("example.org", 0),
        ("https://example.org:99999", 0),
        ("https://[broken", 0),
    ],
)
def test_the_port_is_that_of_the_public_url_or_unknown(public, port):
    assert port_of(public) == port
