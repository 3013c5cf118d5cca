"""Errors are classes that a program can tell apart, and say under which id to look them up."""

import asyncio
import pickle

import pytest
from gamekeeper_client import (
    APIError,
    ApprovalRequired,
    AsyncGamekeeper,
    BadRequest,
    Conflict,
    Fenced,
    Forbidden,
    Gamekeeper,
    GamekeeperError,
    NotFound,
    PayloadTooLarge,
    RateLimited,
    RetryPolicy,
    ServerError,
    Unauthorized,
    Unavailable,
    Unreachable,
    moves,
)

from gamekeeper.auth import keys
from gamekeeper.auth.limits import Limits
from tests.clients.answers import answering
from tests.deadlines import PATIENCE
from tests.make import BY, make_item, make_player

ONCE = RetryPolicy(attempts=1)


async def test_every_status_of_the_service_has_its_class(client, url, database):
    ana, potion = await make_player(database), await make_item(database)
    order = keys.NewKey(by=BY, name="reader", scopes=frozenset({"players.read"}))
    async with AsyncGamekeeper(url, str(await keys.create.one(database, order))) as reader:
        with pytest.raises(Forbidden) as forbidden:
            await reader.players.give(ana, potion)
    assert forbidden.value.details == {"Role": "players.items"}
    async with AsyncGamekeeper(url, "gk_wrong") as stranger:
        with pytest.raises(Unauthorized):
            await stranger.players.get(ana)
    with pytest.raises(NotFound) as missing:
        await client.players.get("nobody")
    assert missing.value.code == "player_not_found"
    with pytest.raises(BadRequest):
        await client.players.give(ana, potion, -1)
    with pytest.raises(Conflict) as conflict:
        await client.players.take(ana, potion, 3)
    assert conflict.value.code == "not_enough_items"
    with pytest.raises(PayloadTooLarge):
        await client.transactions.send(
            [{"key": "large", "moves": [moves.items(potion, 1, to="x" * 1_100_000)]}]
        )
    lease = await client.servers.register("Twice")
    await client.servers.register("Twice")
    with pytest.raises(Fenced) as fenced:
        await client.servers.heartbeat(lease["Id"], lease["Fence"])
    assert isinstance(fenced.value, Conflict)


async def test_what_waits_for_approval_is_told_by_an_error_with_its_id(client, url, database):
    ana, potion = await make_player(database), await make_item(database)
    order = keys.NewKey(by=BY, name="limited", limits=Limits(pieces_per_day=1))
    async with AsyncGamekeeper(url, str(await keys.create.one(database, order))) as limited:
        await limited.players.give(ana, potion, 1)
        with pytest.raises(ApprovalRequired) as waiting:
            await limited.players.give(ana, potion, 2)
        wanted = await limited.approvals.get(waiting.value.approval_id)
    assert (waiting.value.status, wanted.state, wanted.exceeded.wanted) == (202, "pending", 2)

    done = await client.approvals.approve(waiting.value.approval_id, reason="a gift")

    assert (done.state, done.decision_reason) == ("approved", "a gift")
    assert [one.id async for one in client.approvals.list(state="approved")] == [done.id]


async def test_an_error_says_under_which_id_the_service_logged_it(client, log):
    with pytest.raises(NotFound) as missing:
        await client.players.get("nobody")
    said = str(missing.value)
    assert said.startswith("404 player_not_found: ")
    assert said.endswith(f"(request {missing.value.request_id})")
    # The line may be written after the answer was sent.
    async with asyncio.timeout(PATIENCE):
        while missing.value.request_id not in log.read_text():
            await asyncio.sleep(0.05)


@pytest.mark.parametrize(
    ("status", "kind"),
    [(429, RateLimited), (500, ServerError), (502, ServerError), (503, Unavailable)],
)
def test_a_proxy_that_answers_in_html_is_an_error_of_the_same_kind(status, kind):
    with (
        answering(status, "<h1>Sorry</h1>", Retry_After="7", X_Request_Id="abc") as proxy,
        Gamekeeper(proxy.url, "", retries=ONCE) as client,
        pytest.raises(kind) as error,
    ):
        client.health.alive()
    assert type(error.value) is kind
    assert (error.value.code, error.value.details, error.value.retry_after) == ("", {}, 7.0)
    assert str(error.value).startswith(f"{status} ")
    assert str(error.value).endswith("(request abc)")


@pytest.mark.parametrize("body", ["<h1>Sign in to this network</h1>", "", "\ufffd{"])
def test_an_answer_that_is_no_json_is_an_error_of_the_client(body):
    with (
        answering(200, body) as proxy,
        Gamekeeper(proxy.url, "", retries=ONCE) as client,
        pytest.raises(APIError, match="not JSON"),
    ):
        client.health.alive()


@pytest.mark.parametrize("body", ['{"Code": null, "Details": [1]}', "[]", "null", '{"Code": 7}'])
def test_an_error_in_a_strange_shape_is_still_an_error(body):
    with (
        answering(418, body) as proxy,
        Gamekeeper(proxy.url, "", retries=ONCE) as client,
        pytest.raises(APIError) as error,
    ):
        client.health.alive()
    assert type(error.value) is APIError
    assert error.value.details == {}


@pytest.mark.parametrize(
    "error",
    [NotFound(404, "player_not_found", "None.", {"a": 1}, "id"), Unreachable(3, OSError("no"))],
)
def test_errors_cross_processes(error):
    again = pickle.loads(pickle.dumps(error))
    assert isinstance(again, GamekeeperError)
    assert (str(again), type(again)) == (str(error), type(error))
