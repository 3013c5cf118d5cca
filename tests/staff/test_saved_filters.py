"""Saved filters of the console: one's own, bounded, and gone with the account."""

import asyncio

import pytest

from gamekeeper.users.staff import saved_filters
from gamekeeper.users.staff.saved_filters import NewFilter, TooManyFilters
from tests.make import BY
from tests.moderation.complaints import without_key
from tests.staff.make import make_staff
from tests.staff.signed_in import staff_session

FILTERS = "/api/v1/me/filters"
GIFTS = {"list": "actions", "name": "Gifts", "query": "?kind=items.give&actor=user%3A1"}


@pytest.fixture
def browser(client):
    return without_key(client)


@pytest.fixture
async def ana(database):
    return await staff_session(database, "support")


async def saved(browser, headers, **about):
    answer = await browser.post(FILTERS, json=GIFTS | about, headers=headers)
    assert answer.status_code == 200, answer.text
    return answer.json()


async def listed(browser, headers):
    answer = await browser.get(FILTERS, headers=headers)
    assert answer.status_code == 200, answer.text
    return answer.json()["Values"]


async def test_a_filter_is_saved_listed_and_deleted(browser, ana):
    made = await saved(browser, ana)
    await saved(browser, ana, list="players", name="Online", query="online=true")

    names = [(each["List"], each["Name"], each["Query"]) for each in await listed(browser, ana)]
    assert names == [
        ("actions", "Gifts", "kind=items.give&actor=user%3A1"),
        ("players", "Online", "online=true"),
    ]
    gone = await browser.delete(f"{FILTERS}/{made['Id']}", headers=ana)
    assert (gone.status_code, gone.json()) == (200, made)
    assert [each["Name"] for each in await listed(browser, ana)] == ["Online"]


async def test_the_same_name_replaces_the_filter_of_that_list(browser, ana):
    first = await saved(browser, ana)
    again = await saved(browser, ana, name=" GIFTS ", query="kind=items.take")
    await saved(browser, ana, list="reports")

    assert (again["Id"], again["Name"], again["Query"]) == (first["Id"], "GIFTS", "kind=items.take")
    assert len(await listed(browser, ana)) == 2


async def test_filters_of_others_are_neither_seen_nor_deleted(browser, database, ana):
    made = await saved(browser, ana)
    bo = await staff_session(database, "moderator")

    assert await listed(browser, bo) == []
    refused = await browser.delete(f"{FILTERS}/{made['Id']}", headers=bo)
    assert (refused.status_code, refused.json()["Code"]) == (404, "filter_not_found")
    assert len(await listed(browser, ana)) == 1


@pytest.mark.parametrize(
    ("about", "field"),
    [
        ({"name": " "}, "name"),
        ({"name": "x" * 61}, "name"),
        ({"name": "a\nb"}, "name"),
        ({"query": "?"}, "query"),
        ({"query": "x" * 1001}, "query"),
    ],
)
async def test_what_does_not_fit_is_refused(browser, ana, about, field):
    answer = await browser.post(FILTERS, json=GIFTS | about, headers=ana)

    assert (answer.status_code, answer.json()["Code"]) == (400, "invalid_filter")
    assert answer.json()["Details"] == {"Field": field}
    assert await listed(browser, ana) == []


async def test_there_are_at_most_a_hundred_and_those_can_still_change(browser, database, ana):
    for number in range(saved_filters.MAX_FILTERS):
        await saved(browser, ana, name=f"filter {number}")

    refused = await browser.post(FILTERS, json=GIFTS, headers=ana)

    assert (refused.status_code, refused.json()["Code"]) == (409, "too_many_filters")
    assert (await saved(browser, ana, name="filter 7", query="a=b"))["Query"] == "a=b"


async def test_twenty_at_once_do_not_exceed_the_limit(database, monkeypatch):
    monkeypatch.setattr(saved_filters, "MAX_FILTERS", 5)
    user = await make_staff(database, "support")
    made = await asyncio.gather(
        *(
            saved_filters.save(
                database,
                [NewFilter(by=BY, user_id=user, list="players", name=f"{n}", query="a=b")],
            )
            for n in range(20)
        )
    )
    refusals = [one for [one] in made if isinstance(one, TooManyFilters)]

    assert len(refusals) == 15
    assert len((await saved_filters.list_filters(database.reader, user)).values) == 5


async def test_keys_have_no_filters(client):
    answer = await client.get(FILTERS)
    assert (answer.status_code, answer.json()["Code"]) == (403, "no_session")


async def test_they_are_erased_with_the_account(client, browser, database):
    user = await make_staff(database, "support")
    await saved(browser, await staff_session(database, user=user))
    await database.write(
        lambda writer: writer.run("DELETE FROM staff_roles WHERE user_id = $1", user)
    )

    assert (await client.delete(f"/api/v1/users/{user}")).status_code == 200
    assert await database.reader.value("SELECT count(*) FROM saved_filters") == 0
