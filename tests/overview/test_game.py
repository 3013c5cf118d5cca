"""The overview: every figure and alert, by scope, from sums that are kept."""

from datetime import UTC, datetime, timedelta
from uuid import UUID, uuid4

import pytest

from gamekeeper.db.database import Database
from gamekeeper.db.operations import AuditContext
from gamekeeper.ledger import actions, verify_chain
from gamekeeper.ledger.actions import Action
from gamekeeper.ledger.verifications import record_verification
from tests.ledger.chains import act, age_actions, link
from tests.make import BY, join, make_item, make_player, make_server, make_user
from tests.security.callers import key_with
from tests.staff.make import make_staff

PATH = "/api/v1/overview"


async def run(database: Database, sql: str, *args: object) -> None:
    await database.write(lambda writer: writer.run(sql, *args))


async def seen(client, headers: dict[str, str] | None = None) -> dict:
    answer = await client.get(PATH, headers=headers)
    assert answer.status_code == 200, answer.text
    return answer.json()


async def sample(database: Database, ago: str, online: int) -> None:
    await run(
        database,
        """
        INSERT INTO online_counts (span, at, samples, total, lowest, highest)
        VALUES ('minute', date_trunc('minute', now(), 'UTC') - $1::text::interval, 1, $2::int,
                $2::int, $2::int)
        """,
        ago,
        online,
    )


def codes(overview: dict) -> list[str]:
    return [alert["Code"] for alert in overview["Alerts"]]


async def test_an_empty_game_has_an_overview(client):
    overview = await seen(client)

    assert overview["Online"] == {"Now": 0, "SampledAt": None, "Curve": []}
    assert overview["Servers"] == {"Alive": 0, "Stopped": 0, "Total": 0, "Values": []}
    assert overview["Newcomers"] == {
        "AccountsDay": 0,
        "AccountsWeek": 0,
        "CharactersDay": 0,
        "CharactersWeek": 0,
        "Complete": True,
    }
    assert (overview["Actions"]["Values"], overview["Supply"]["Values"]) == ([], [])
    assert codes(overview) == ["worker_stopped"]


async def test_who_is_online_now_and_was_in_the_last_day(client, database):
    await join(database, await make_player(database, "Lyra"), await make_server(database))
    await make_server(database, lease_seconds=-3600 * 48)
    for ago, number in (("2 minutes", 4), ("25 hours", 9), ("3 hours", 6)):
        await sample(database, ago, number)

    overview = await seen(client)

    assert overview["Online"]["Now"] == 1
    assert [point["Highest"] for point in overview["Online"]["Curve"]] == [6, 4]
    assert (overview["Servers"]["Alive"], overview["Servers"]["Total"]) == (1, 2)
    assert [entry["Online"] for entry in overview["Servers"]["Values"] if entry["Alive"]] == [1]
    assert codes(overview) == []


async def test_a_server_that_stopped_is_not_down_until_it_registers_and_loses_its_lease(
    client, database
):
    def counts(overview: dict) -> tuple[int, int, int]:
        return tuple(overview["Servers"][one] for one in ("Alive", "Stopped", "Total"))

    registered = await client.post("/api/v1/servers", json={"name": "Realm"})
    server, fence = registered.json()["Id"], registered.json()["Fence"]
    assert counts(await seen(client)) == (1, 0, 1)
    stopped = await client.post(f"/api/v1/servers/{server}/stop", json={"fence": fence})
    assert stopped.status_code == 200, stopped.text
    assert counts(await seen(client)) == (0, 1, 1)

    await client.post("/api/v1/servers", json={"name": "Realm", "id": server})
    await run(database, "UPDATE servers SET lease_until = now() - interval '5 minutes'")

    assert counts(await seen(client)) == (0, 0, 1)


async def test_newcomers_and_actions_come_from_the_counts(client, database):
    for hours, kind, number in (
        *((1, "users.register", 2), (30, "users.register", 5), (24 * 8, "users.import", 90)),
        *((2, "players.create", 3), (26, "players.import", 4), (3, "items.give", 70)),
    ):
        await run(
            database,
            "INSERT INTO action_counts VALUES (date_trunc('hour', now(), 'UTC') - $1 * "
            "interval '1 hour', $2, $3)",
            hours,
            kind,
            number,
        )
    at = datetime.now(UTC)
    await run(database, "UPDATE action_counts_progress SET at = $1", at)

    overview = await seen(client)

    assert overview["Newcomers"] == {
        "AccountsDay": 2,
        "AccountsWeek": 7,
        "CharactersDay": 3,
        "CharactersWeek": 7,
        "Complete": True,
    }
    hours = overview["Actions"]
    assert [(entry["Kind"], entry["Count"]) for entry in hours["Values"]] == [
        *(("items.give", 70), ("players.create", 3), ("users.register", 2))
    ]
    assert datetime.fromisoformat(hours["CountedUntil"]) == at


async def test_the_items_that_changed_most_since_yesterday(client, database):
    today = datetime.now(UTC).date()
    gold, sword, rock = [await make_item(database, name) for name in ("Gold", "Sword", "Rock")]
    for item, days, against, came, went in (
        *((gold, 0, "grant", 500, 0), (gold, 1, "removal", 0, 100), (gold, 0, "move", 9, 9)),
        *((sword, 1, "removal", 0, 700), (rock, 2, "grant", 10_000, 0)),
    ):
        await run(
            database,
            "INSERT INTO item_flows VALUES ($1, $2, $3, $4, $5)",
            *(item, today - timedelta(days=days), against, came, went),
        )

    supply = (await seen(client))["Supply"]

    assert [
        (entry["ItemName"], entry["Came"], entry["Went"], entry["Change"])
        for entry in supply["Values"]
    ] == [
        ("Sword", 0, 700, -700),
        ("Gold", 500, 100, 400),
    ]
    assert datetime.fromisoformat(supply["Since"]).date() == today - timedelta(days=1)


async def test_the_last_actions_of_staff_are_shown_with_names(client, database):
    member = await make_staff(database, "support", name="sue")
    player = await make_player(database, "Lyra")

    def by(actor: str, name: str) -> AuditContext:
        return AuditContext(actor=actor, name=name)

    done = [
        Action(kind="items.give", by=by(f"user:{member}", "sue"), player_id=player),
        *(Action(kind="items.give", by=by(f"key:{uuid4()}", "realm")) for _ in range(20)),
        Action(kind="items.take", by=by(f"user:{uuid4()}", "a player")),
    ]
    await database.write(lambda writer: actions.record(writer, done))

    shown = (await seen(client))["StaffActions"]

    # The first is the key of this test, made at the command line.
    assert [(one["Kind"], one["ActorName"]) for one in shown] == [
        ("items.give", "sue"),
        ("keys.create", "tests"),
    ]
    assert shown[0]["PlayerName"] == "Lyra"


# ── Alerts ──


async def test_actions_that_are_not_linked_for_long_are_an_alert(client, database):
    await sample(database, "0", 1)
    assert codes(await seen(client)) == []

    await age_actions(database, timedelta(minutes=2))

    [alert] = (await seen(client))["Alerts"]
    assert (alert["Code"], alert["Target"]) == ("chain_lagging", "chain")
    assert alert["Since"] is not None


async def test_a_chain_that_nobody_verified_for_over_a_week_is_an_alert(client, database):
    await sample(database, "0", 1)
    empty = {"VerifiedAt": None, "VerifiedThrough": None, "VerifiedThroughAt": None}
    assert (await seen(client))["Chain"] == empty | {"Breaches": None}
    await link(database)
    # Somebody who has just begun is not warned.
    assert codes(await seen(client)) == []

    await run(database, "UPDATE chain SET action_at = now() - interval '9 days'")

    [alert] = (await seen(client))["Alerts"]
    assert (alert["Code"], alert["Target"]) == ("chain_unverified", "chain")
    assert alert["Since"] is not None


async def test_a_verification_is_shown_until_it_is_old(client, database, settings):
    await sample(database, "0", 1)
    [done] = await act(database)
    await link(database)
    report = await verify_chain.find(settings)
    await database.write(lambda writer: record_verification(writer, report))

    overview = await seen(client)
    assert overview["Chain"]["VerifiedThrough"] == str(done)
    assert overview["Chain"]["VerifiedThroughAt"] < overview["Chain"]["VerifiedAt"]
    assert (overview["Chain"]["Breaches"], codes(overview)) == (0, [])

    await run(database, "UPDATE chain_verifications SET at = now() - interval '8 days 1 minute'")
    assert codes(await seen(client)) == ["chain_unverified"]
    await database.write(lambda writer: record_verification(writer, report))
    assert codes(await seen(client)) == []


async def test_a_breach_is_an_alert(client, database, settings):
    await sample(database, "0", 1)
    await act(database)
    await link(database)
    await run(database, "UPDATE actions SET reason = 'another'")
    report = await verify_chain.find(settings)
    await database.write(lambda writer: record_verification(writer, report))

    overview = await seen(client)

    assert (overview["Chain"]["Breaches"], codes(overview)) == (2, ["chain_breached"])


async def webhook(database: Database, owner: str | None = None, **about: object) -> UUID:
    hook = uuid4()
    columns = {"id": hook, "url": "https://x.example", "emails": False, "secret": "", "position": 0}
    columns |= {"owner": owner} | about
    await run(
        database,
        f"INSERT INTO webhooks ({', '.join(columns)}) "
        f"VALUES ({', '.join(f'${n}' for n in range(1, len(columns) + 1))})",
        *columns.values(),
    )
    return hook


async def test_a_webhook_that_fails_or_is_off_is_an_alert_for_those_who_see_it(client, database):
    await sample(database, "0", 1)
    long = datetime.now(UTC) - timedelta(hours=1)
    failing = await webhook(database, failing_since=long)
    off = await webhook(database, enabled=False, off_reason="gave up")
    await webhook(database, failing_since=datetime.now(UTC))
    await webhook(database, enabled=False)

    alerts = (await seen(client))["Alerts"]

    assert {(alert["Code"], alert["TargetId"]) for alert in alerts} == {
        ("webhook_failing", str(failing)),
        ("webhook_off", str(off)),
    }
    blind = await key_with(database, "players.read", "webhooks")
    assert codes(await seen(client, blind)) == []


async def test_a_lost_lease_is_an_alert_but_a_stopped_server_is_not(client, database):
    await sample(database, "0", 1)
    lost = await make_server(database, lease_seconds=-60)
    stopped = await make_server(database, lease_seconds=-60)
    await make_server(database, lease_seconds=-3600 * 25)
    stop = Action(kind="servers.stop", by=BY, after={"server_id": stopped})
    await database.write(lambda writer: actions.record(writer, [stop]))
    await run(
        database, "UPDATE actions SET at = at - interval '61 seconds' WHERE kind = 'servers.stop'"
    )

    alerts = [alert for alert in (await seen(client))["Alerts"] if alert["Code"] == "lease_lost"]

    assert [alert["TargetId"] for alert in alerts] == [str(lost)]


# ── Who sees what ──


@pytest.mark.parametrize(
    ("scopes", "shown"),
    [
        (["players.read"], {"online", "servers", "newcomers", "alerts"}),
        (["players.read", "economy.read"], {"online", "servers", "newcomers", "alerts", "supply"}),
        (
            ["players.read", "actions.read"],
            {"online", "servers", "newcomers", "alerts", "actions", "staff_actions", "chain"},
        ),
        (
            ["players.read", "approvals"],
            {"online", "servers", "newcomers", "alerts", "pending_approvals"},
        ),
        (
            ["players.read", "sanctions.manage"],
            {"online", "servers", "newcomers", "alerts", "open_appeals"},
        ),
        (
            ["players.read", "reports.manage"],
            {"online", "servers", "newcomers", "alerts", "claimed_cases"},
        ),
    ],
    ids=["players", "economy", "actions", "approvals", "appeals", "cases"],
)
async def test_a_caller_sees_the_parts_of_its_scopes(client, database, scopes, shown):
    await make_user(database)
    await run(database, "INSERT INTO action_counts VALUES (now(), 'items.give', 1)")
    item = await make_item(database)
    await run(database, "INSERT INTO item_flows VALUES ($1, current_date, 'grant', 5, 0)", item)
    headers = await key_with(database, *scopes)

    overview = await seen(client, headers)

    assert set(overview["Shown"]) == shown
    assert bool(overview["Supply"]["Values"]) is ("supply" in shown)
    assert bool(overview["Actions"]["Values"]) is ("actions" in shown)
    assert bool(overview["StaffActions"]) is ("staff_actions" in shown)
    assert ("worker_stopped" in codes(overview)) is ("actions" in shown)
    assert overview["PendingApprovals"] == (0 if "pending_approvals" in shown else None)
    assert overview["OpenAppeals"] == (0 if "open_appeals" in shown else None)
    assert overview["ClaimedCases"] == (0 if "claimed_cases" in shown else None)
    assert overview["Newcomers"]["AccountsDay"] is None
    assert overview["Newcomers"]["CharactersDay"] == 0
