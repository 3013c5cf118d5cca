"""Four eyes are two people: nobody evades limits by taking over another account."""

from typing import Any
from uuid import UUID

import httpx2
import pytest

from gamekeeper.auth import keys
from gamekeeper.auth.limits import Limits
from gamekeeper.db.database import Database
from gamekeeper.users import accounts
from gamekeeper.users.accounts import PowersChange
from tests.approvals.callers import approval_id
from tests.contract.outcomes import outcome, refusal
from tests.make import BY, make_item, make_player, make_user, sha
from tests.staff.make import make_role, make_staff
from tests.staff.signed_in import staff_session

SCOPES = (
    *("players.items", "players.read", "players.variables", "players.spells", "actions.undo"),
    *("approvals", "users.query", "users.manage", "staff.manage"),
)
LIMITS = {"pieces_per_day": 10}
RESTRICTED = refusal(
    403,
    "outranked",
    "The account holds 'players.items', which your limits restrict. Ask an account without limits.",
    Scope="players.items",
)
OUTRANKED = refusal(403, "outranked", "The account has permissions that you lack.")
SAME_PERSON = refusal(
    403,
    "own_request",
    "In the last 30 days one of you set the password or email of the other, or removed their "
    "second factors. Ask a third person to decide.",
)


class Browser:
    """A staff member with a session, and a factor that was just verified."""

    def __init__(self, client: httpx2.AsyncClient, user: UUID, headers: dict[str, str]) -> None:
        self.client = client
        self.user = user
        self.headers = headers

    @classmethod
    async def of(cls, client: httpx2.AsyncClient, database: Database, user: UUID) -> "Browser":
        return cls(client, user, await staff_session(database, user=user))

    async def call(self, method: str, path: str, **body: Any) -> httpx2.Response:
        request = self.client.build_request(
            method, f"/api/v1{path}", headers=self.headers, json=body or None
        )
        # Not the key of the tests: a cookie counts only without it.
        request.headers.pop("Authorization")
        return await self.client.send(request)

    async def take_over(self, other: UUID, how: str) -> httpx2.Response:
        if how == "factors":
            return await self.call("DELETE", f"/staff/{other}/factors")
        new = sha("chosen by a colleague") if how == "password" else f"{other}@example.com"
        return await self.call("POST", f"/users/{other}/manage/{how}/change", new=new)


WAYS = ["password", "email", "factors"]


@pytest.fixture
async def deputies(client, database) -> tuple[Browser, Browser]:
    """Two administrators, each with the same limit."""
    await make_role(database, "deputy", SCOPES, LIMITS)
    first, second = await make_staff(database, "deputy"), await make_staff(database, "deputy")
    return await Browser.of(client, database, first), await Browser.of(client, database, second)


@pytest.mark.parametrize("how", WAYS)
async def test_a_caller_with_limits_takes_over_no_account_that_hands_out(deputies, how):
    """As it was attacked: the second account then approved what the first one requested."""
    first, second = deputies

    assert outcome(await first.take_over(second.user, how)) == RESTRICTED
    # Its session has not ended.
    assert (await second.call("GET", "/me")).status_code == 200


@pytest.mark.parametrize("how", WAYS)
async def test_a_caller_with_limits_still_helps_those_who_hand_out_nothing(deputies, database, how):
    first, _ = deputies
    await make_role(database, "reader", ["players.read", "staff.manage"])

    for other in (await make_staff(database, "reader"), await make_user(database)):
        assert (await first.take_over(other, how)).status_code == 200


async def test_a_key_with_limits_takes_over_nobody_either(client, database):
    await make_role(database, "giver", ["players.items"], LIMITS)
    order = keys.NewKey(by=BY, name="limited", scopes=SCOPES, limits=Limits(**LIMITS))
    headers = {"Authorization": f"Bearer {await keys.create.one(database, order)}"}
    path = f"/api/v1/users/{await make_staff(database, 'giver')}/manage/password/change"

    answer = await client.post(path, json={"new": sha("own")}, headers=headers)

    assert outcome(answer) == RESTRICTED


async def test_an_undo_of_an_email_takes_over_as_much(client, database, deputies):
    first, second = deputies
    path = f"/api/v1/users/{second.user}/manage/email/change"
    assert (await client.post(path, json={"new": "new@example.com"})).status_code == 200
    action = await database.reader.value("SELECT id FROM actions WHERE kind = 'users.email'")

    assert outcome(await first.call("POST", f"/actions/{action}/undo")) == RESTRICTED


async def test_a_caller_with_limits_returns_no_power_by_an_undo(database, deputies):
    """A power has no limits: with Api back, a token of the same account hands out at will."""
    first, _ = deputies
    for api in (True, False):
        change = PowersChange(by=BY, user=str(first.user), api=api)
        await accounts.empower.one(database, change)
    sql = "SELECT id FROM actions WHERE kind = 'users.powers' ORDER BY id DESC LIMIT 1"
    action = await database.reader.value(sql)

    assert outcome(await first.call("POST", f"/actions/{action}/undo")) == OUTRANKED
    sql = "SELECT api FROM users WHERE id = $1"
    assert not await database.reader.value(sql, first.user)


# ── Approvals ──


async def beyond_the_limit(database: Database, requester: Browser) -> str:
    """The id of a request for one piece more than the limit."""
    player, item = await make_player(database), await make_item(database)
    body = {"itemid": str(item), "quantity": LIMITS["pieces_per_day"] + 1}
    return approval_id(await requester.call("POST", f"/players/{player}/items/give", **body))


async def approve(approver: Browser, approval: str) -> tuple[int, Any]:
    return outcome(await approver.call("POST", f"/approvals/{approval}/approve", reason="fine"))


@pytest.fixture
async def owner(client, database) -> Browser:
    return await Browser.of(client, database, await make_staff(database, "owner"))


@pytest.mark.parametrize("how", WAYS)
async def test_a_taken_over_account_is_the_same_person_for_30_days(
    client, database, deputies, owner, how
):
    """Whoever has no limits may help; afterwards neither approves what the other requests."""
    first, _ = deputies
    assert (await owner.take_over(first.user, how)).status_code == 200
    first = await Browser.of(client, database, first.user)
    approval = await beyond_the_limit(database, first)

    assert await approve(owner, approval) == SAME_PERSON
    await backdate(database, days=29)
    assert await approve(owner, approval) == SAME_PERSON
    await backdate(database, days=2)
    assert (await approve(owner, approval))[0] == 200


async def backdate(database: Database, days: int) -> None:
    """Let so many days pass since every takeover."""
    sql = """
        UPDATE actions SET at = at - make_interval(days => $1)
         WHERE kind IN ('users.password', 'users.email', 'factors.reset')
    """
    await database.write(lambda writer: writer.run(sql, days))


async def test_a_third_person_decides(client, database, deputies, owner):
    """And two whom the same owner helped are two people."""
    for other in deputies:
        assert (await owner.take_over(other.user, "password")).status_code == 200
    first = await Browser.of(client, database, deputies[0].user)
    other = await Browser.of(client, database, await make_staff(database, "administrator"))

    assert (await approve(other, await beyond_the_limit(database, first)))[0] == 200


async def test_a_chain_of_takeovers_is_one_person(client, database, deputies, owner):
    """The owner sets a password, signs in with it, and sets the next one."""
    administrator = await make_staff(database, "administrator")
    assert (await owner.take_over(administrator, "password")).status_code == 200
    between = await Browser.of(client, database, administrator)
    assert (await between.take_over(deputies[0].user, "password")).status_code == 200
    first = await Browser.of(client, database, deputies[0].user)

    assert await approve(owner, await beyond_the_limit(database, first)) == SAME_PERSON


async def test_a_takeover_by_a_key_is_one_by_its_maker(client, database, owner):
    await make_role(database, "giver", ["players.items", "players.read"], LIMITS)
    giver = await make_staff(database, "giver")
    made = await owner.call("POST", "/keys", name="helper", scopes=list(SCOPES))
    headers = {"Authorization": f"Bearer {made.json()['Key']}"}
    path = f"/api/v1/users/{giver}/manage/password/change"
    done = await client.post(path, json={"new": sha("chosen")}, headers=headers)
    assert done.status_code == 200, done.text
    first = await Browser.of(client, database, giver)

    assert await approve(owner, await beyond_the_limit(database, first)) == SAME_PERSON


async def test_a_password_changed_with_the_current_one_is_no_takeover(
    client, database, deputies, owner
):
    """A website changes passwords of players and of staff, with a key that an owner made."""
    user = await make_staff(database, "deputy", name="robin", password="secret")
    made = await owner.call("POST", "/keys", name="website", scopes=["users.query"])
    headers = {"Authorization": f"Bearer {made.json()['Key']}"}
    body = {"authorization": sha("secret"), "new": sha("another secret of mine")}
    path = "/api/v1/users/robin/password/change"
    assert (await client.post(path, json=body, headers=headers)).status_code == 200
    robin = await Browser.of(client, database, user)

    assert (await approve(owner, await beyond_the_limit(database, robin)))[0] == 200


@pytest.mark.parametrize(
    ("how", "kind"),
    [("password", "users.password"), ("email", "users.email"), ("factors", "factors.reset")],
)
async def test_both_find_a_takeover_in_the_log(client, deputies, owner, how, kind):
    other = deputies[0].user
    assert (await owner.take_over(other, how)).status_code == 200

    by_actor = await client.get(
        "/api/v1/actions", params={"actor": f"user:{owner.user}", "kind": kind}
    )
    by_target = await client.get("/api/v1/actions", params={"user": str(other), "kind": kind})

    [entry] = by_actor.json()["Values"]
    assert by_target.json()["Values"] == [entry]
    assert (entry["Actor"], entry["UserId"]) == (f"user:{owner.user}", str(other))
