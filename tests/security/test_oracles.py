"""What anybody may ask tells nobody which accounts there are, nor which password is right."""

from statistics import median
from time import perf_counter

from gamekeeper.auth.login_throttle import POLICIES
from gamekeeper.auth.secrets import Vault
from gamekeeper.users import resets
from gamekeeper.users.resets import Reset, ResetRequest
from tests.contract.outcomes import outcome, refusal
from tests.make import make_user, sha

WRONG = (
    400,
    {"error": "invalid_grant", "error_description": "The username or password is wrong."},
)


async def budgets(database) -> list[object]:
    """All budgets, without their clocks."""
    rows = await database.reader.rows(
        """
        SELECT subject, round(failures) AS failures, streak, blocked_until > now() AS blocked
          FROM guess_budgets ORDER BY subject
        """
    )
    return [tuple(row) for row in rows]


async def test_a_right_password_without_the_power_is_a_wrong_one(client, database, statements):
    """The same answer, the same statements and the same charge (attack 26)."""
    await make_user(database, "ana", password="secret")
    seen = []
    for password in ("wrong", "secret"):
        await database.write(lambda writer: writer.run("DELETE FROM guess_budgets"))
        form = {"grant_type": "password", "username": "ana", "password": sha(password)}
        with statements() as sent:
            answers = [
                outcome(await client.post("/api/oauth/token", data=form))
                for _ in range(POLICIES["account"].free + 1)
            ]
        assert answers[:-1] == [WRONG] * POLICIES["account"].free
        assert answers[-1][0] == 429
        seen.append((sent, await budgets(database)))

    assert seen[0] == seen[1]
    known = "SELECT count(*) FROM known_sources"
    assert await database.reader.value(known) == 0, "nothing says that it was right"


COMPLETE = "/api/v1/users/password/reset/complete"
INVALID = refusal(
    400, "invalid_reset", "The link or code is wrong, used or expired. Request a new email."
)
ROUNDS = 30


async def tried(client, name: str) -> tuple[int, object]:
    form = {"new": sha("new"), "username": name, "code": "AAAA-AAAA"}
    return outcome(await client.post(COMPLETE, json=form))


async def forgive(database) -> None:
    await database.write(lambda writer: writer.run("DELETE FROM guess_budgets"))


async def test_codes_cost_the_same_statements_whoever_is_asked_for(client, database, statements):
    """An account that has a request, one that has none, and none (attack 15)."""
    asked = await make_user(database, "asked", password="secret")
    await make_user(database, "ana", password="secret")
    await resets.request.one(database, ResetRequest(user_id=asked))
    seen = []
    for name in ("asked", "ana", "nobody", "x" * 500):
        await forgive(database)
        with statements() as sent:
            assert await tried(client, name) == INVALID
        seen.append((sent, await budgets(database)))

    assert all(one == seen[0] for one in seen)
    assert [subject for subject, *_ in seen[0][1]] == ["reset:address:127.0.0.1"]


async def test_codes_take_about_the_same_time_whoever_is_asked_for(client, database):
    """Coarse: what takes a commit takes more than twice as long as what takes none."""
    asked = await make_user(database, "asked", password="secret")
    await resets.request.one(database, ResetRequest(user_id=asked))
    taken: dict[str, list[float]] = {"asked": [], "nobody": []}
    for _ in range(ROUNDS):
        for name, times in taken.items():
            await forgive(database)
            begun = perf_counter()
            assert (await tried(client, name))[0] == 400
            times.append(perf_counter() - begun)

    known, unknown = median(taken["asked"]), median(taken["nobody"])
    assert 0.6 < known / unknown < 1.67, (known, unknown)


async def test_codes_are_limited_for_each_address(client, database):
    await make_user(database, "ana", password="secret")
    free = POLICIES["reset"].free

    statuses = [(await tried(client, name))[0] for name in ("ana", "nobody") * (free // 2 + 1)]

    assert statuses == [400] * free + [429] * 2
    # A link, which nobody can guess, is not held up by it.
    form = {"new": sha("new"), "token": "AAAA"}
    assert (await client.post(COMPLETE, json=form)).status_code == 400


async def test_a_right_code_is_not_charged(client, database):
    user = await make_user(database, "ana", password="secret")
    await resets.request.one(database, ResetRequest(user_id=user))
    row = await database.reader.rows("SELECT user_id, id FROM password_resets")
    code = resets.code(Vault(database.settings), Reset(**dict(row[0])))

    form = {"new": sha("new"), "username": "ana", "code": code}
    answer = await client.post(COMPLETE, json=form)

    assert outcome(answer) == (200, {"Message": "Password Updated"})
    assert await budgets(database) == [("reset:address:127.0.0.1", 0, 0, False)]
