"""Schedules: the limits of their authors, approval at creation, and authors without rights."""

from datetime import timedelta
from typing import Any
from uuid import UUID

import pytest

from gamekeeper.db.operations import AuditContext
from tests.approvals.callers import approval_id
from tests.campaigns.crowds import Crowd
from tests.make import make_user
from tests.schedules.plans_of import Planner
from tests.schedules.test_schedule_endpoints import SCHEDULES, wanted

SCOPES = ("campaigns.manage", "campaigns.read", "players.items")


@pytest.fixture
async def planner(office) -> Planner:
    return Planner(await Crowd.make(office.database))


async def due(planner: Planner, answer: Any) -> UUID:
    """Make the first run of a new schedule due."""
    schedule = UUID(answer.json()["Id"])
    await planner.run("UPDATE schedules SET next_at = now() WHERE id = $1", schedule)
    return schedule


async def test_a_schedule_is_no_way_around_the_right_to_give(office, planner):
    outsider = await office.caller("campaigns.manage", "campaigns.read")

    refused = await outsider.call("POST", SCHEDULES, json=wanted(planner.crowd))

    assert (refused.status_code, refused.json()["Code"]) == (403, "role_required")


async def test_within_the_limits_each_run_counts_against_them(office, planner):
    limited = await office.caller(*SCOPES, pieces_per_day=20)
    body = wanted(planner.crowd) | {"maxrecipients": 6}
    made = await limited.call("POST", SCHEDULES, json=body)
    assert made.status_code == 200, made.text
    schedule = await due(planner, made)

    [first] = await planner.work(schedule)
    await due(planner, made)
    second, _ = await planner.work(schedule)

    # 15 of 20 pieces are used by the first run; the second needs 15 more.
    assert (first.state, second.state, second.code) == ("started", "refused", "limit_exceeded")
    assert len(await planner.crowd.letters()) == 5


async def test_beyond_the_limits_of_a_day_a_schedule_needs_an_approval_once(office, planner):
    limited = await office.caller(*SCOPES, pieces_per_day=14)
    body = wanted(planner.crowd) | {"maxrecipients": 5}

    asked = await limited.call("POST", SCHEDULES, json=body)

    assert asked.status_code == 202, asked.text
    assert await office.database.reader.value("SELECT count(*) FROM schedules") == 0
    approved = await office.administrator.approve(approval_id(asked))
    assert approved.status_code == 200, approved.text
    [shown] = (await limited.call("GET", SCHEDULES)).json()["Values"]
    assert (shown["CreatedByName"], shown["ApprovedByName"]) == ("caller", "caller")
    for _ in range(2):
        schedule = UUID(shown["Id"])
        await planner.run("UPDATE schedules SET next_at = now() WHERE id = $1", schedule)
        run, *_ = await planner.work(schedule)
        assert run.state == "started"


async def test_an_approval_holds_for_so_many_recipients_only(office, planner):
    limited = await office.caller(*SCOPES, pieces_per_day=1)
    asked = await limited.call("POST", SCHEDULES, json=wanted(planner.crowd) | {"maxrecipients": 4})
    approved = await office.administrator.approve(approval_id(asked))
    schedule = UUID(approved.json()["Result"]["Id"])
    await planner.run("UPDATE schedules SET next_at = now() WHERE id = $1", schedule)

    [run] = await planner.work(schedule)

    assert (run.state, run.code) == ("refused", "too_many_recipients")


@pytest.mark.parametrize(
    "loss",
    [
        "UPDATE api_keys SET revoked_at = now() WHERE scopes IS NOT NULL",
        "UPDATE api_keys SET scopes = ARRAY['campaigns.manage'] WHERE scopes IS NOT NULL",
        "UPDATE api_keys SET scopes = ARRAY['players.items'] WHERE scopes IS NOT NULL",
    ],
)
async def test_the_run_of_an_author_without_rights_is_refused_and_listed(office, planner, loss):
    author = await office.caller(*SCOPES)
    made = await author.call("POST", SCHEDULES, json=wanted(planner.crowd))
    schedule = await due(planner, made)
    await planner.run(loss)

    [run] = await planner.work(schedule)

    assert (run.state, run.code) == ("refused", "author_lost_rights")
    assert await planner.campaigns() == []
    assert (await planner.find(schedule)).state == "active"


@pytest.mark.parametrize(
    "loss",
    [
        "DELETE FROM staff_roles WHERE user_id = $1",
        "UPDATE staff_roles SET role = 'support' WHERE user_id = $1",
        """
        INSERT INTO sanctions (code, kind, user_id, imposed_by, imposed_by_name)
        VALUES ('AAAA-AAAA', 'ban', $1, 'system', 'tests')
        """,
    ],
)
async def test_the_run_of_somebody_who_is_no_longer_staff_is_refused(office, planner, loss):
    """The first run is theirs; before the second they lose their role, or are banned."""
    kim = await make_user(office.database, "kim")
    await planner.run("INSERT INTO staff_roles (user_id, role) VALUES ($1, 'administrator')", kim)
    schedule = await planner.due(by=AuditContext(actor=f"user:{kim}", name="kim"))
    [first] = await planner.work(schedule.id)
    await planner.run(loss, kim)
    await planner.move(schedule.id, timedelta(minutes=1))

    second, _ = await planner.work(schedule.id)

    assert (first.state, second.state, second.code) == ("started", "refused", "author_lost_rights")
    assert len(await planner.campaigns()) == 1
