"""Endpoints 24 and 29: an account's address is changed, by its owner or by who manages it."""

import asyncio
from uuid import uuid4

import pytest

from gamekeeper.auth import keys, tokens
from tests.contract.account import Account, body
from tests.contract.outcomes import outcome, refusal
from tests.make import BY, proved, shown_changed_user


@pytest.mark.parametrize("rest", ["/email/change", "/manage/email/change"])
@pytest.mark.parametrize("kind", ["json", "data"])
async def test_a_changed_address_is_shown_with_the_longer_set_of_powers(
    client, database, rest, kind
):
    account = await Account.make(database)
    unique = uuid4().hex[:8]

    answer = await client.post(
        account.path(rest), **{kind: body(rest, new=f"Ana.{unique}@BÜCHER.example")}
    )

    email = f"Ana.{unique}@bücher.example"
    assert outcome(answer) == (200, shown_changed_user(account.id, account.name, email))
    assert (await client.get(account.path())).json()["Email"] == email


async def test_the_longer_set_shows_the_two_powers_of_the_interface(client, database):
    account = await Account.make(
        database, kick=True, personal_information=True, user_management=True
    )
    sent = body("/manage/email/change")

    answer = await client.post(account.path("/manage/email/change"), json=sent)

    expected = shown_changed_user(account.id, account.name, sent["new"])
    expected["Power"] = {
        "Editor": False,
        "Ban": False,
        "Kick": True,
        "Mute": False,
        "Api": False,
        "ApiPersonalInformation": True,
        "ApiUserManagement": True,
    }
    assert outcome(answer) == (200, expected)


@pytest.mark.parametrize("rest", ["/email/change", "/manage/email/change"])
async def test_an_address_just_set_is_shown_in_full_to_whoever_sent_it(client, database, rest):
    """Even to a caller who is otherwise shown masked ones."""
    account = await Account.make(database)
    scopes = ("users.query", "users.manage")
    key = await keys.create.one(database, keys.NewKey(by=BY, name="impersonal", scopes=scopes))
    headers = {"Authorization": f"Bearer {key}"}
    sent = body(rest)

    answer = await client.post(account.path(rest), json=sent, headers=headers)

    assert outcome(answer) == (200, shown_changed_user(account.id, account.name, sent["new"]))
    masked = (await client.get(account.path(), headers=headers)).json()
    assert masked["Email"] == "n•••@e•••.org"


@pytest.mark.parametrize("rest", ["/email/change", "/manage/email/change"])
async def test_ones_own_address_again_is_fine_in_any_spelling(client, database, rest):
    account = await Account.make(database)
    name, _, domain = account.email.partition("@")
    for sent, kept in (
        (account.email, account.email),
        (f"{name.upper()}@{domain.upper()}", f"{name.upper()}@{domain}"),
    ):
        answer = await client.post(account.path(rest), json=body(rest, new=sent))

        assert outcome(answer) == (200, shown_changed_user(account.id, account.name, kept))


@pytest.mark.parametrize("rest", ["/email/change", "/manage/email/change"])
async def test_somebody_elses_address_is_refused_until_they_give_it_up(client, database, rest):
    account, other = await Account.make(database), await Account.make(database)
    taken = other.email.upper().replace("EXAMPLE.ORG", "Example.org")

    answer = await client.post(account.path(rest), json=body(rest, new=taken))

    assert outcome(answer) == refusal(409, "email_taken", "Email address already in use.")
    assert (await client.get(account.path())).json()["Email"] == account.email
    await client.post(other.path("/manage/email/change"), json=body("/manage/email/change"))
    later = await client.post(account.path(rest), json=body(rest, new=other.email))
    assert outcome(later) == (200, shown_changed_user(account.id, account.name, other.email))


@pytest.mark.parametrize("rest", ["/email/change", "/manage/email/change"])
@pytest.mark.parametrize("address", ["", "ana", "a@example.org\r\nBcc: b@example.org"])
async def test_what_is_no_address_changes_nothing(client, database, rest, address):
    account = await Account.make(database)

    answer = await client.post(account.path(rest), json=body(rest, new=address))

    message = f"Malformed email address '{address}'."
    assert outcome(answer) == refusal(400, "invalid_email", message)
    assert (await client.get(account.path())).json()["Email"] == account.email


async def test_a_changed_address_leaves_the_accounts_tokens_alone(client, database):
    account = await Account.make(database, api=True)
    issued = await tokens.issue.one(database, await proved(database, account.id))
    for rest in ("/email/change", "/manage/email/change"):
        assert (await client.post(account.path(rest), json=body(rest))).status_code == 200

    headers = {"Authorization": f"Bearer {issued.access}"}
    assert (await client.get("/api/v1/players", headers=headers)).status_code == 200


async def test_of_many_who_want_one_address_at_once_exactly_one_gets_it(client, database):
    accounts = [await Account.make(database) for _ in range(5)]
    wanted = f"wanted-{uuid4().hex[:8]}@example.org"
    path = "/manage/email/change"

    answers = await asyncio.gather(
        *(client.post(account.path(path), json={"new": wanted}) for account in accounts)
    )

    assert sorted(answer.status_code for answer in answers) == [200, 409, 409, 409, 409]
    now = [(await client.get(account.path())).json()["Email"] for account in accounts]
    assert now.count(wanted) == 1
