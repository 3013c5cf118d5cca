"""Commands are fetched and answered: each by one server, once."""

import asyncio
from uuid import UUID, uuid4

from gamekeeper.core.errors import Problem
from gamekeeper.servers.commands import delivery, expiry
from gamekeeper.servers.commands.delivery import Answer
from gamekeeper.servers.leases import LeaseHolder
from tests.commands.orders import age, answer, code, fetch, fetched_ids, good
from tests.make import BY, make_player
from tests.servers.game_server import GameServer
from tests.servers.test_presence import expire


async def test_a_server_gets_what_is_for_it_and_those_on_it(orders, client, database, realm, ana):
    other = await GameServer.register(client, "Other")
    ben = await make_player(database, "Ben")
    await other.join(ben)
    to_ana, to_realm = await orders.send(ana, text="Out!"), await orders.send_server(realm.id)
    to_ben = await orders.send(ben)

    fetched = await fetch(realm)

    assert [one["Id"] for one in fetched] == [to_ana["Id"], to_realm["Id"]]
    assert 29 < fetched[0].pop("SecondsLeft") <= 30
    assert fetched[0] == {
        "Id": to_ana["Id"],
        "Kind": "kick",
        "PlayerId": str(ana),
        "Payload": {"Text": "Out!"},
        "Again": False,
    }
    assert await fetched_ids(other) == [to_ben["Id"]]
    assert await fetched_ids(realm) == []
    found = await orders.find(to_ana)
    assert (found["State"], found["DeliveredTo"]) == ("delivered", str(realm.id))


async def test_done_and_failed_are_told_to_who_asked(orders, realm, ana):
    first, second = await orders.send(ana), await orders.send(ana)
    await fetch(realm)

    assert good(await answer(realm, first)) == {"Id": first["Id"], "State": "done"}
    good(await answer(realm, second, done=False, text="She is in a duel."))

    assert await orders.state(first) == ("done", None)
    assert await orders.state(second) == ("failed", "She is in a duel.")
    assert (await orders.find(first))["AnsweredAt"] is not None


async def test_the_first_answer_counts(orders, realm, ana):
    sent = await orders.send(ana)
    await fetch(realm)
    good(await answer(realm, sent, text="gone"))

    assert good(await answer(realm, sent, text="again"))["State"] == "done"
    refused = await answer(realm, sent, done=False)

    assert code(refused) == (409, "command_answered")
    assert await orders.state(sent) == ("done", "gone")


async def test_only_the_server_that_got_it_answers(orders, client, realm, ana):
    other = await GameServer.register(client, "Other")
    sent = await orders.send(ana)

    assert code(await answer(realm, sent)) == (404, "command_not_found")
    await fetch(realm)
    assert code(await answer(other, sent)) == (404, "command_not_found")
    assert code(await answer(realm, {"Id": uuid4()})) == (404, "command_not_found")
    assert await orders.state(sent) == ("delivered", None)


async def test_who_moves_takes_what_was_not_delivered_along(orders, client, realm, ana):
    sent = await orders.send(ana)
    other = await GameServer.register(client, "Other")
    await other.join(ana)

    assert await fetched_ids(realm) == []
    assert await fetched_ids(other) == [sent["Id"]]


async def test_what_was_delivered_goes_to_no_other_server(orders, client, database, realm, ana):
    sent = await orders.send(ana)
    await fetch(realm)
    other = await GameServer.register(client, "Other")
    await other.join(ana)

    assert await fetched_ids(other, resume=[realm.fence]) == []
    await age(database, sent, 60)
    assert await fetched_ids(other, resume=[realm.fence]) == []
    assert await orders.state(sent) == ("expired", "Delivered to Realm, never answered.")


async def test_a_process_that_does_not_answer_gets_it_again(orders, database, realm, ana):
    """It may have been carried out: the response was lost, or the answer."""
    sent = await orders.send(ana, seconds=600)
    await fetch(realm)
    assert await fetched_ids(realm) == []
    await age(database, sent, 4)

    [again] = await fetch(realm)

    assert (again["Id"], again["Again"]) == (sent["Id"], True)
    assert await fetched_ids(realm) == []
    good(await answer(realm, sent))
    await age(database, sent, 4)
    assert await fetched_ids(realm) == []


async def test_the_next_process_gets_it_again_only_if_it_continues_the_journal(
    orders, client, database, realm, ana
):
    sent = await orders.send(ana, seconds=600)
    await fetch(realm)
    await age(database, sent, 4)
    next_one = await GameServer.register(client)

    assert await fetched_ids(next_one) == []
    assert await fetched_ids(next_one, resume=[realm.fence - 1]) == []
    assert await fetched_ids(next_one, resume=[realm.fence]) == [sent["Id"]]
    assert code(await answer(realm, sent)) == (409, "fenced")
    good(await answer(next_one, sent))


async def test_the_next_process_may_answer_for_the_one_before(orders, client, realm, ana):
    sent = await orders.send(ana)
    await fetch(realm)
    next_one = await GameServer.register(client)

    assert good(await answer(next_one, sent))["State"] == "done"


async def test_a_fenced_process_gets_nothing_and_delivers_nothing(orders, client, realm, ana):
    sent = await orders.send(ana)
    await GameServer.register(client)

    assert code(await realm.say("commands/fetch", wait=30)) == (409, "fenced")
    assert await orders.state(sent) == ("waiting", None)


async def test_a_server_whose_lease_ran_out_gets_nothing(orders, database, realm, ana):
    sent = await orders.send(ana)
    await expire(database, realm)

    assert code(await realm.say("commands/fetch")) == (409, "fenced")
    assert await orders.state(sent) == ("waiting", None)


async def test_nobody_fetched_it_in_time(orders, database, realm, ana):
    sent = await orders.send(ana)
    await age(database, sent, 31)

    assert await fetched_ids(realm) == []
    await age(database, sent, 5)
    assert await orders.state(sent) == ("expired", "No game server fetched the command in time.")


async def test_a_late_answer_replaces_the_guess(orders, database, realm, ana):
    sent = await orders.send(ana)
    await fetch(realm)
    await age(database, sent, 31)
    assert (await orders.state(sent))[0] == "expired"
    assert await expiry.sweep(database) == 1

    good(await answer(realm, sent, text="at last"))

    assert await orders.state(sent) == ("done", "at last")


async def test_the_sweep_marks_only_what_has_expired(orders, database, realm, ana):
    old, fetched = await orders.send(ana), await orders.send(ana)
    await age(database, old, 31)
    assert await fetched_ids(realm) == [fetched["Id"]]
    fresh = await orders.send(ana)

    assert await expiry.sweep(database) == 1
    assert await expiry.sweep(database) == 0

    states = [(await orders.state(one))[0] for one in (old, fetched, fresh)]
    assert states == ["expired", "delivered", "waiting"]


async def test_a_delivered_command_has_thirty_seconds_to_an_hour_to_be_answered(orders, realm, ana):
    await orders.send(ana, seconds=1)
    await orders.send(ana, seconds=600)
    await orders.send(ana, when="next_join")

    left = [one["SecondsLeft"] for one in await fetch(realm)]

    assert [round(seconds, -1) for seconds in left] == [30, 600, 3600]


async def test_a_fetch_is_limited(orders, realm, ana):
    sent = [(await orders.send(ana))["Id"] for _ in range(3)]

    assert await fetched_ids(realm, limit=2) == sent[:2]
    assert await fetched_ids(realm, limit=0) == sent[2:]


async def test_twenty_fetches_at_once_deliver_each_command_once(orders, realm, ana):
    sent = {(await orders.send(ana))["Id"] for _ in range(20)}

    fetched = await asyncio.gather(*(fetch(realm, limit=3) for _ in range(20)))

    # One that another fetch holds is skipped; nothing is delivered twice as if it were new.
    new = [entry["Id"] for values in fetched for entry in values if not entry["Again"]]
    assert len(new) == len(set(new))
    new += await fetched_ids(realm)
    assert set(new) == sent


async def test_twenty_answers_at_once_are_one(orders, realm, ana):
    sent = await orders.send(ana)
    await fetch(realm)

    answers = await asyncio.gather(
        *(answer(realm, sent, done=number % 2 == 0) for number in range(20))
    )

    state, _ = await orders.state(sent)
    agree = [answer for answer in answers if answer.status_code == 200]
    assert len(agree) == 10
    assert {one.json()["State"] for one in agree} == {state}


async def test_many_answers_go_in_one_call(orders, realm, ana):
    first, second = await orders.send(ana), await orders.send(ana)
    await fetch(realm)
    unknown = str(uuid4())
    answers = [
        {"id": first["Id"], "done": True},
        {"id": unknown, "done": True},
        {"id": second["Id"], "done": False, "text": "no"},
        {"id": first["Id"], "done": False},
    ]

    values = good(await realm.say("commands/answers", answers=answers))["Values"]

    assert [(entry["Id"], entry["State"]) for entry in values] == [
        (first["Id"], "done"),
        (unknown, None),
        (second["Id"], "failed"),
        (first["Id"], None),
    ]
    assert [entry["Failure"] and entry["Failure"]["Code"] for entry in values] == [
        None,
        "command_not_found",
        None,
        "command_answered",
    ]
    assert await orders.state(second) == ("failed", "no")


async def test_a_batch_with_a_refused_neighbour_stores_the_others(orders, database, realm, ana):
    sent = await orders.send(ana)
    await fetch(realm)
    fenced = LeaseHolder(realm.id, realm.fence - 1)
    mine = LeaseHolder(realm.id, realm.fence)

    outcomes = await delivery.answer(
        database,
        [
            Answer(by=BY, holder=fenced, command_id=UUID(sent["Id"]), done=False),
            Answer(by=BY, holder=mine, command_id=UUID(sent["Id"]), done=True),
        ],
    )

    assert [isinstance(outcome, Problem) for outcome in outcomes] == [True, False]
    assert await orders.state(sent) == ("done", None)


async def test_fenced_answers_are_refused_together(orders, client, realm, ana):
    sent = await orders.send(ana)
    await fetch(realm)
    await GameServer.register(client)

    refused = await realm.say("commands/answers", answers=[{"id": sent["Id"], "done": True}])

    assert code(refused) == (409, "fenced")
    assert await orders.state(sent) == ("delivered", None)


async def test_an_answer_has_at_most_500_characters(orders, realm, ana):
    sent = await orders.send(ana)
    await fetch(realm)

    assert code(await answer(realm, sent, text="a" * 501)) == (400, "invalid_body")
    assert good(await answer(realm, sent, text="a" * 500))["State"] == "done"
