"""Endpoints 23, 25 and 30: passwords checked and changed; and what 24 and 29 refuse like them."""

import asyncio
from uuid import UUID, uuid4

import pytest

from gamekeeper.auth import keys, tokens
from gamekeeper.db.database import Database
from gamekeeper.users.passwords import EMPTY
from tests.contract.account import Account, body
from tests.contract.outcomes import outcome, refusal
from tests.make import BY, make_user, proved, sha

CHANGES = ["/email/change", "/password/change", "/manage/email/change", "/manage/password/change"]
NOBODY = UUID("00000000-0000-4000-8000-000000000000")


@pytest.fixture(scope="module")
async def unmanaging(database: Database) -> dict[str, str]:
    """The headers of a key that may do everything with accounts except manage them."""
    order = keys.NewKey(by=BY, name="site", scopes=("users.query", "users.personal"))
    return {"Authorization": f"Bearer {await keys.create.one(database, order)}"}


async def test_the_right_password_is_correct_in_any_spelling(client, database):
    account = await Account.make(database)
    path = account.path("/password/validate")
    for sent in (
        {"json": {"password": sha("secret")}},
        {"json": {"PassWord": sha("secret").upper()}},
        {"data": {"password": sha("secret")}},
    ):
        assert outcome(await client.post(path, **sent)) == (200, {"Message": "Password Correct"})
    by_id = await client.post(
        f"/api/v1/users/{account.id}/password/validate", data={"PASSWORD": sha("secret")}
    )
    assert outcome(by_id) == (200, {"Message": "Password Correct"})


@pytest.mark.parametrize(
    ("rest", "status"),
    [("/password/validate", 400), ("/email/change", 403), ("/password/change", 403)],
)
async def test_a_wrong_password_is_refused(client, database, rest, status):
    """Where it is the question it is a bad request, where it should allow a change, forbidden."""
    account = await Account.make(database)
    field = "password" if rest == "/password/validate" else "authorization"

    answer = await client.post(account.path(rest), json=body(rest, **{field: sha("wrong")}))

    assert outcome(answer) == refusal(status, "invalid_credentials", "Invalid credentials.")
    still = await client.post(account.path("/password/validate"), json={"password": sha("secret")})
    assert still.status_code == 200
    found = (await client.get(account.path())).json()
    assert found["Email"] == account.email


async def test_an_account_without_a_password_has_no_right_one(client, database):
    name = f"imported-{uuid4().hex[:8]}"
    await make_user(database, name)

    answer = await client.post(
        f"/api/v1/users/{name}/password/validate", json={"password": sha("")}
    )

    assert outcome(answer) == refusal(400, "invalid_credentials", "Invalid credentials.")


@pytest.mark.parametrize(
    ("rest", "message"),
    [("/password/change", "Password Updated"), ("/manage/password/change", "Password Correct")],
)
@pytest.mark.parametrize("kind", ["json", "data"])
async def test_a_changed_password_works_and_ends_the_accounts_tokens(
    client, database, rest, message, kind
):
    """The two changes say different things, as the contract has it. Others' tokens live on."""
    account, other = await Account.make(database, api=True), await make_user(database, api=True)
    mine, theirs = [
        await tokens.issue.one(database, await proved(database, user))
        for user in (account.id, other)
    ]

    answer = await client.post(account.path(rest), **{kind: body(rest, new=sha("better").upper())})

    assert outcome(answer) == (200, {"Message": message})
    validate = account.path("/password/validate")
    better = await client.post(validate, json={"password": sha("better")})
    assert outcome(better) == (200, {"Message": "Password Correct"})
    assert (await client.post(validate, json={"password": sha("secret")})).status_code == 400
    for issued, status in ((mine, 401), (theirs, 200)):
        headers = {"Authorization": f"Bearer {issued.access}"}
        used = await client.get("/api/v1/players/online/count", headers=headers)
        assert used.status_code == status


async def test_an_imported_account_can_be_given_its_first_password(client, database):
    name = f"imported-{uuid4().hex[:8]}"
    await make_user(database, name)

    answer = await client.post(
        f"/api/v1/users/{name}/manage/password/change", json={"new": sha("first")}
    )

    assert outcome(answer) == (200, {"Message": "Password Correct"})
    path = f"/api/v1/users/{name}/password/validate"
    assert (await client.post(path, json={"password": sha("first")})).status_code == 200


@pytest.mark.parametrize(
    ("rest", "field"),
    [
        ("/password/validate", "password"),
        ("/email/change", "authorization"),
        ("/password/change", "authorization"),
        ("/password/change", "new"),
        ("/manage/password/change", "new"),
    ],
)
@pytest.mark.parametrize("bad", ["", "secret", "0" * 63, "0" * 65, "z" * 64])
async def test_a_password_that_is_no_hash_is_refused(client, rest, field, bad):
    """Before anything is looked up, so it costs nobody an attempt."""
    answer = await client.post(f"/api/v1/users/nobody{rest}", json=body(rest, **{field: bad}))

    message = f"'{field}' must be 64 hexadecimal digits."
    assert outcome(answer) == refusal(400, "invalid_password_hash", message, Field=field)


@pytest.mark.parametrize("rest", ["/password/change", "/manage/password/change"])
async def test_nobody_can_be_given_an_empty_password(client, database, rest):
    account = await Account.make(database)

    answer = await client.post(account.path(rest), json=body(rest, new=EMPTY.upper()))

    message = "'new' is the hash of an empty password."
    assert outcome(answer) == refusal(400, "invalid_password_hash", message, Field="new")
    right = await client.post(account.path("/password/validate"), json={"password": sha("secret")})
    assert right.status_code == 200


@pytest.mark.parametrize("rest", ["/password/validate", *CHANGES])
async def test_every_field_is_required(client, rest):
    for missing in body(rest):
        sent = {name: value for name, value in body(rest).items() if name != missing}

        answer = await client.post(f"/api/v1/users/nobody{rest}", json=sent)

        message = f"'{missing}' is required."
        assert outcome(answer) == refusal(400, "invalid_body", message, Field=missing)


@pytest.mark.parametrize("rest", ["/password/validate", *CHANGES])
@pytest.mark.parametrize(
    ("asked", "message"),
    [
        ("nobody-{}", "No user with name 'nobody-{}'."),
        (str(NOBODY).upper(), f"No user with id '{NOBODY}'."),
        ("a%00b", "No user with that name."),
        ("x" * 65, "No user with that name."),
    ],
)
async def test_an_unknown_account_is_not_found(client, database, rest, asked, message):
    # Unknown accounts are throttled like known ones, and here few are asked for often.
    await database.write(lambda writer: writer.run("DELETE FROM guess_budgets"))
    unique = uuid4().hex[:8]

    answer = await client.post(f"/api/v1/users/{asked.format(unique)}{rest}", json=body(rest))

    assert outcome(answer) == refusal(404, "user_not_found", message.format(unique))


@pytest.mark.parametrize("rest", ["/manage/email/change", "/manage/password/change"])
async def test_managing_needs_the_role_for_it(client, database, unmanaging, rest):
    account = await Account.make(database)

    answer = await client.post(account.path(rest), json=body(rest), headers=unmanaging)

    expected = refusal(
        403, "role_required", "This needs the role 'users.manage'.", Role="users.manage"
    )
    assert outcome(answer) == expected
    assert answer.headers["www-authenticate"].startswith('Bearer error="insufficient_scope"')
    assert (await client.get(account.path())).json()["Email"] == account.email


async def test_of_many_changes_with_one_old_password_exactly_one_happens(client, database):
    """The others proved a password that was no longer there when they came to change it."""
    account = await Account.make(database)
    path = account.path("/password/change")
    news = [sha(f"better {number}") for number in range(5)]
    # An owner who has been here before is not held up by the budget of strangers.
    await client.post(account.path("/password/validate"), json={"password": sha("secret")})

    answers = await asyncio.gather(
        *(client.post(path, json={"new": new, "authorization": sha("secret")}) for new in news)
    )

    good = [new for new, answer in zip(news, answers, strict=True) if answer.status_code == 200]
    assert len(good) == 1
    refused = {answer.json()["Code"] for answer in answers if answer.status_code != 200}
    # A busy machine may have no room for five hashes at once; that changes nothing either.
    assert refused <= {"password_changed_meanwhile", "invalid_credentials", "unavailable"}
    right = await client.post(account.path("/password/validate"), json={"password": good[0]})
    assert right.status_code == 200
