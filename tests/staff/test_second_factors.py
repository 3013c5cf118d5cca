"""Second factors: every proof counts once, guesses are few, and the last one stays."""

import asyncio
import json
import time
from collections.abc import AsyncIterator, Iterator
from uuid import UUID, uuid4

import httpx2
import pyotp
import pytest
from msgspec import structs
from structlog.testing import capture_logs

from gamekeeper.app import App
from gamekeeper.auth import authenticator
from gamekeeper.auth.authorisation import NOTHING_TO_VERIFY
from gamekeeper.auth.principal import Principal
from gamekeeper.core.settings import Hidden, Settings
from gamekeeper.db.database import Database
from gamekeeper.users.ranks import Outranked
from gamekeeper.users.staff import enrolment, recovery_codes, second_factors, sign_in, totp
from gamekeeper.users.staff.enrolment import EnrolledFactor, NewFactor
from gamekeeper.users.staff.second_factors import (
    FactorNotFound,
    FactorProof,
    FactorRemoval,
    FactorReset,
)
from gamekeeper.users.staff.sign_in import BegunSession, NewSession
from tests.cheap_passwords import cheap_passwords
from tests.in_process import in_process
from tests.make import BY, proved
from tests.own_server import database, settings
from tests.staff.make import make_staff
from tests.staff.signed_in import Person, open_session, staff_session

__all__ = ["database", "settings"]

FACTORS = "/api/v1/me/factors"
CODES = "/api/v1/me/recovery-codes"


@pytest.fixture(scope="module", autouse=True)
def cheap() -> Iterator[None]:
    with cheap_passwords():
        yield


@pytest.fixture(scope="module")
async def client(settings: Settings) -> AsyncIterator[httpx2.AsyncClient]:
    app = App(settings)
    await app.start()
    transport = httpx2.ASGITransport(app)
    async with httpx2.AsyncClient(transport=transport, base_url="http://gamekeeper") as client:
        yield client
    await app.stop()


@pytest.fixture
async def ana(client: httpx2.AsyncClient, database: Database) -> Person:
    """Signed in, with an authenticator app."""
    person = await Person.make(client, database, "support")
    await person.sign_in()
    return person


async def run(database: Database, sql: str, *given: object) -> None:
    await database.write(lambda writer: writer.run(sql, *given))


def codes(answers: list[httpx2.Response]) -> list[int]:
    return sorted(answer.status_code for answer in answers)


# ── Codes of authenticator apps ──


def test_a_code_is_good_a_step_before_and_after_its_own():
    secret = Hidden("JBSWY3DPEHPK3PXPJBSWY3DPEHPK3PXP")
    now = 1_000_000_000.0
    step = int(now // 30)
    shown = {drift: pyotp.TOTP(secret).at(int(now) + 30 * drift) for drift in range(-2, 3)}
    found = {drift: totp.matching_step(secret, code, now) for drift, code in shown.items()}
    assert found == {-2: None, -1: step - 1, 0: step, 1: step + 1, 2: None}


@pytest.mark.parametrize(
    "code",
    ["", "12345", "1234567", "१२३४५६", "12345a", " 12345", "0x1234", "-12345"],
)
def test_what_is_no_code_is_wrong(code: str):
    assert totp.matching_step(Hidden("JBSWY3DPEHPK3PXPJBSWY3DPEHPK3PXP"), code, 0.0) is None


async def test_a_code_is_good_once(ana):
    """Also in another session, and never an older one after it."""
    assert (await ana.enter_code()).status_code == 200
    again = await ana.enter_code()
    assert (again.status_code, again.json()["Code"]) == (403, "wrong_code")
    older = await ana.enter_code(ana.code(0))
    assert older.status_code == 403


async def test_of_twenty_uses_of_a_code_at_once_one_is_good(ana, database):
    """In twenty sessions, whose budgets are their own; the account's is full."""
    others = [await open_session(database, ana.user_id) for _ in range(20)]
    step = totp.matching_step(Hidden(ana.secret), ana.code(), time.time())
    factor = await database.reader.value(
        "SELECT id FROM second_factors WHERE user_id = $1", ana.user_id
    )
    proofs = [
        FactorProof(
            user_id=ana.user_id,
            session_id=other.session_id,
            method="totp",
            factor_id=factor,
            counter=step or 0,
            by=BY,
        )
        for other in others
    ]
    outcomes = await asyncio.gather(
        *(second_factors.verify.one(database, proof) for proof in proofs), return_exceptions=True
    )
    assert len([outcome for outcome in outcomes if isinstance(outcome, Hidden)]) == 1


async def test_a_wrong_proof_does_not_spoil_its_neighbours(ana, database):
    """An ended session leaves the factor as it was, so its code is still good for another."""
    live, ended = [await open_session(database, ana.user_id) for _ in range(2)]
    await run(
        database, "UPDATE browser_sessions SET ended_at = now() WHERE id = $1", ended.session_id
    )
    factor = await database.reader.value(
        "SELECT id FROM second_factors WHERE user_id = $1", ana.user_id
    )
    right = FactorProof(
        user_id=ana.user_id,
        session_id=live.session_id,
        method="totp",
        factor_id=factor,
        counter=2**40,
        by=BY,
    )
    gone = structs.replace(right, session_id=ended.session_id)
    refused, cookie = await second_factors.verify(database, [gone, right])
    assert isinstance(refused, second_factors.SessionNotFound)
    assert isinstance(cookie, Hidden)


async def test_codes_are_guessed_five_times_and_then_slowly(ana, database):
    await ana.enter_password()
    wrong = [await ana.enter_code("000000") for _ in range(6)]
    assert [answer.status_code for answer in wrong] == [403] * 5 + [429]
    assert int(wrong[-1].headers["Retry-After"]) >= 1
    # The right one has to wait as well, or the wait would tell.
    assert (await ana.enter_code()).status_code == 429
    # Another session of the same account is no way around it.
    other = Person(ana.client, ana.name, ana.user_id)
    other.secret = ana.secret
    await other.enter_password()
    assert (await other.enter_code()).status_code == 429
    # She signed in from here before, so it is the budget of this place.
    budget = f"code-at:{ana.user_id}:address:127.0.0.1"
    await run(
        database,
        "UPDATE guess_budgets SET blocked_until = now(), counted_at = now() WHERE subject = $1",
        budget,
    )
    assert (await other.enter_code()).status_code == 200
    streak = "SELECT streak FROM guess_budgets WHERE subject = $1"
    assert await database.reader.value(streak, budget) == 0


async def test_whoever_knows_the_password_blocks_nobody(ana, client, database):
    """Neither step-up, nor a sign-in from a known place, nor a recovery code anywhere."""
    made = await ana.call("POST", CODES)
    first, second = elsewhere(client, "198.51.100.7"), elsewhere(client, "198.51.100.8")
    async with first, second:
        thief = Person(first, ana.name, ana.user_id)
        await thief.enter_password()
        wrong = [await thief.enter_code("000000") for _ in range(6)]
        assert [answer.status_code for answer in wrong] == [403] * 5 + [429]
        again = Person(second, ana.name, ana.user_id)
        await again.enter_password()
        assert (await again.enter_code("000000")).status_code == 429

        # Signed in, she is asked again, and is right.
        assert (await ana.enter_code()).status_code == 200
        # On the road she has a recovery code.
        away = Person(second, ana.name, ana.user_id)
        await away.enter_password()
        code = made.json()["Codes"][0]
        right = await away.call("POST", "/api/v1/session/recovery", code=code)
        assert right.status_code == 200, right.text
    # At home she signs in as ever; the code of now was used, so its step is put back.
    await run(database, "UPDATE second_factors SET counter = 0 WHERE user_id = $1", ana.user_id)
    await ana.enter_password()
    assert (await ana.enter_code()).status_code == 200


def elsewhere(client: httpx2.AsyncClient, address: str) -> httpx2.AsyncClient:
    """A client of the same application at another address."""
    assert isinstance(client._transport, httpx2.ASGITransport)
    transport = httpx2.ASGITransport(client._transport.app, client=(address, 1))
    return httpx2.AsyncClient(transport=transport, base_url="http://gamekeeper")


async def test_a_place_is_known_for_30_days(ana, database):
    sql = """
        UPDATE actions SET at = at - interval '31 days'
         WHERE kind = 'sessions.start' AND user_id = $1
    """
    await run(database, sql, ana.user_id)
    await ana.enter_password()
    await ana.enter_code("000000")

    sql = "SELECT subject FROM guess_budgets WHERE subject LIKE $1"
    spent = await database.reader.value(sql, f"code%{ana.user_id}%")
    assert spent == f"code:{ana.user_id}"


async def test_a_wrong_code_is_logged_without_the_code(ana):
    with capture_logs() as logs:
        await ana.enter_code("123321")
    [line] = [line for line in logs if line["event"] == "second_factor_refused"]
    assert line["user_id"] == str(ana.user_id)
    assert "123321" not in str(logs)


async def test_thirty_guesses_at_once_are_five(ana):
    statuses = codes(await asyncio.gather(*(ana.enter_code("000000") for _ in range(30))))
    assert statuses == [403] * 5 + [429] * 25


# ── Recovery codes ──


async def test_recovery_codes_are_ten_and_each_is_good_once(ana, database):
    made = await ana.call("POST", CODES)
    assert made.status_code == 200, made.text
    ten = made.json()["Codes"]
    assert len(set(ten)) == 10
    await ana.call("DELETE", "/api/v1/session")
    begun = await ana.enter_password()
    assert begun.json()["Methods"] == ["recovery", "totp"]

    typed = ten[0].lower().replace("-", " ").replace("0", "o").replace("1", "l")
    used = await ana.call("POST", "/api/v1/session/recovery", code=typed)

    assert used.status_code == 200, used.text
    assert used.json()["State"] == "signed_in"
    again = await ana.call("POST", "/api/v1/session/recovery", code=ten[0])
    assert (again.status_code, again.json()["Code"]) == (403, "wrong_code")
    assert (await ana.call("GET", FACTORS)).json()["RecoveryCodesLeft"] == 9
    stored = await database.reader.rows(
        "SELECT hash FROM recovery_codes WHERE user_id = $1", ana.user_id
    )
    assert {len(row["hash"]) for row in stored} == {32}


async def test_new_recovery_codes_end_the_old_ones(ana):
    old = (await ana.call("POST", CODES)).json()["Codes"]
    new = (await ana.call("POST", CODES)).json()["Codes"]
    assert (await ana.call("POST", "/api/v1/session/recovery", code=old[0])).status_code == 403
    assert (await ana.call("POST", "/api/v1/session/recovery", code=new[0])).status_code == 200


async def test_of_twenty_uses_of_a_recovery_code_at_once_one_is_good(ana, database):
    [code, *_] = (await ana.call("POST", CODES)).json()["Codes"]
    answers = await asyncio.gather(
        *(ana.call("POST", "/api/v1/session/recovery", code=code) for _ in range(20))
    )
    assert codes(answers).count(200) == 1
    left = "SELECT count(*) FROM recovery_codes WHERE user_id = $1 AND used_at IS NULL"
    assert await database.reader.value(left, ana.user_id) == 9


async def test_the_codes_of_another_account_are_no_good(ana, client, database):
    [code, *_] = (await ana.call("POST", CODES)).json()["Codes"]
    eve = await Person.make(client, database, "owner")
    await eve.sign_in()
    assert (await eve.call("POST", "/api/v1/session/recovery", code=code)).status_code == 403


def test_a_recovery_code_has_120_bits_however_it_is_typed():
    code = recovery_codes.new_code()
    assert recovery_codes.normalised(code) == code.replace("-", "")
    assert recovery_codes.normalised("a" * 10_000) is None
    assert recovery_codes.normalised("") is None
    assert 32 ** len(code.replace("-", "")) == 2**120


# ── Enrolled ──


async def test_a_second_app_needs_a_recent_verification(ana, database):
    ana.cookie = (await open_session(database, ana.user_id, verified_minutes_ago=11)).cookie
    refused = await ana.call("POST", f"{FACTORS}/totp")
    assert (refused.status_code, refused.json()["Code"]) == (403, "step_up_required")

    assert (await ana.enter_code()).status_code == 200

    assert (await ana.call("POST", f"{FACTORS}/totp")).status_code == 200


async def test_the_first_factor_is_enrolled_however_old_the_sign_in_is(client, database):
    """It verifies the session, so what needed step-up can be done at once."""
    bo = await signed_in_long_ago(client, database)
    refused = await bo.call("DELETE", "/api/v1/me/sessions")
    assert (refused.status_code, refused.json()["Code"]) == (403, "step_up_required")
    assert refused.json()["Message"] == NOTHING_TO_VERIFY
    before = bo.cookie

    assert (await bo.enrol()).status_code == 200

    assert bo.cookie != before
    assert len((await bo.call("POST", CODES)).json()["Codes"]) == 10
    assert (await bo.call("DELETE", "/api/v1/me/sessions")).status_code == 200


async def test_the_first_passkey_is_begun_however_old_the_sign_in_is(client, database):
    bo = await signed_in_long_ago(client, database)
    origin = {"Origin": database.settings.public_url}
    begun = await bo.call("POST", f"{FACTORS}/passkeys/options", headers=origin)
    assert begun.status_code == 200, begun.text


async def test_an_old_session_adds_no_factor_to_an_account_that_just_got_one(client, database):
    """A process may remember that the account had none; the lock of the account decides."""
    thief = await signed_in_long_ago(client, database)
    begun = await thief.call("POST", f"{FACTORS}/totp")
    assert begun.status_code == 200
    thief.secret = begun.json()["Secret"]
    bo = Person(client, thief.name, thief.user_id)
    session = await open_session(database, bo.user_id)
    bo.cookie = session.cookie
    passkey = NewFactor(
        user_id=bo.user_id,
        session_id=session.session_id,
        kind="passkey",
        name="Laptop",
        counter=0,
        credential_id=b"one",
        public_key=b"key",
        by=BY,
    )
    enrolled = await enrolment.add.one(database, passkey)
    assert enrolled.cookie is not None
    bo.cookie = enrolled.cookie

    late = await thief.call(
        "POST", f"{FACTORS}/totp/confirm", id=begun.json()["Id"], code=thief.code(0)
    )

    assert (late.status_code, late.json()["Code"]) == (403, "step_up_required")
    assert len((await bo.call("GET", FACTORS)).json()["Values"]) == 1


async def test_a_service_for_trials_does_not_ask_again(settings, database):
    trial = structs.replace(settings, staff_step_up="off")
    async with in_process(trial) as client:
        bo = await signed_in_long_ago(client, database)
        assert (await bo.call("DELETE", "/api/v1/me/sessions")).status_code == 200
        assert (await bo.enrol()).status_code == 200
        old = await open_session(database, bo.user_id, verified_minutes_ago=11)
        bo.cookie = old.cookie
        assert (await bo.enrol()).status_code == 200, "a second app"


async def signed_in_long_ago(client, database) -> Person:
    """Someone without a second factor, whose sign-in is too old for step-up."""
    person = await Person.make(client, database, "support")
    session = await open_session(database, person.user_id, verified_minutes_ago=11)
    person.cookie = session.cookie
    return person


async def test_who_knows_the_password_alone_cannot_add_a_factor(ana, client, database, monkeypatch):
    """Neither after the owner enrolled, nor in a sign-in that was begun before that."""
    monkeypatch.setattr(authenticator, "REMEMBERED_SECONDS", 0.0)
    bo = await Person.make(client, database, "support")
    thief = Person(client, bo.name, bo.user_id)
    await thief.enter_password()
    begun = await thief.call("POST", f"{FACTORS}/totp")
    assert begun.status_code == 200
    await bo.sign_in()

    thief.secret = begun.json()["Secret"]
    late = await thief.call(
        "POST", f"{FACTORS}/totp/confirm", id=begun.json()["Id"], code=thief.code(0)
    )
    assert late.status_code in (403, 409), late.text
    for path in ("/totp", "/passkeys/options"):
        refused = await thief.call("POST", f"{FACTORS}{path}")
        assert (refused.status_code, refused.json()["Code"]) == (403, "second_factor_required")
    assert len((await bo.call("GET", FACTORS)).json()["Values"]) == 1


async def test_of_twenty_who_enrol_a_first_factor_at_once_one_does(client, database):
    """Each is in an unfinished session of its own."""
    bo = await Person.make(client, database, "support")
    sealed = (await proved(database, bo.user_id)).sealed
    begin = NewSession(user_id=bo.user_id, sealed=sealed, user_agent="tests", by=BY)
    new = [
        NewFactor(
            user_id=bo.user_id,
            session_id=begun.session_id,
            kind="passkey",
            name="Laptop",
            counter=0,
            credential_id=uuid4().bytes,
            public_key=b"key",
            by=BY,
        )
        for begun in await sign_in.begin(database, [begin] * 20)
        if isinstance(begun, BegunSession)
    ]
    assert len(new) == 20
    outcomes = await asyncio.gather(
        *(enrolment.add.one(database, one) for one in new), return_exceptions=True
    )
    assert len([outcome for outcome in outcomes if isinstance(outcome, EnrolledFactor)]) == 1
    verified = "SELECT count(*) FROM browser_sessions WHERE user_id = $1 AND verified_at > 'epoch'"
    assert await database.reader.value(verified, bo.user_id) == 1


async def test_a_refused_enrolment_does_not_keep_its_neighbour_out(ana, database):
    session = await open_session(database, ana.user_id)
    right = NewFactor(
        user_id=ana.user_id,
        session_id=session.session_id,
        is_fresh=True,
        kind="passkey",
        name="Laptop",
        counter=0,
        credential_id=b"one",
        public_key=b"key",
        by=BY,
    )
    gone = structs.replace(right, session_id=uuid4(), credential_id=b"two")
    again = structs.replace(right)
    refused, added, known = await enrolment.add(database, [gone, right, again])
    assert isinstance(refused, second_factors.SessionNotFound)
    assert isinstance(added, EnrolledFactor)
    assert isinstance(known, enrolment.FactorKnown)
    count = "SELECT count(*) FROM second_factors WHERE user_id = $1 AND kind = 'passkey'"
    assert await database.reader.value(count, ana.user_id) == 1


async def test_an_account_has_at_most_ten_factors(ana, database):
    await run(
        database,
        """
        INSERT INTO second_factors (user_id, id, kind, name, confirmed_at, secret)
        SELECT $1, gen_random_uuid(), 'totp', 'app', now(), 'x' FROM generate_series(2, 10)
        """,
        ana.user_id,
    )
    refused = await ana.call("POST", f"{FACTORS}/totp")
    assert (refused.status_code, refused.json()["Code"]) == (409, "too_many_factors")


@pytest.mark.parametrize("name", ["", "   ", "x" * 65, "a\nb", "\0"], ids=repr)
async def test_a_factor_has_a_readable_name(ana, name):
    refused = await ana.call("POST", f"{FACTORS}/totp", name=name)
    assert refused.status_code == 400


async def test_the_secret_is_in_no_table_and_no_action(ana, database):
    kept = await database.reader.rows(
        "SELECT secret FROM second_factors WHERE user_id = $1", ana.user_id
    )
    assert ana.secret not in kept[0]["secret"]
    said = await database.reader.rows(
        "SELECT before::text, after::text FROM actions WHERE user_id = $1", ana.user_id
    )
    assert ana.secret not in json.dumps([dict(row) for row in said])
    assert ana.cookie not in json.dumps([dict(row) for row in said])


# ── Removed and reset ──


async def test_the_last_factor_stays_while_one_is_required(ana, database):
    [factor] = (await ana.call("GET", FACTORS)).json()["Values"]
    refused = await ana.call("DELETE", f"{FACTORS}/{factor['Id']}")
    assert (refused.status_code, refused.json()["Code"]) == (409, "last_factor")
    assert len((await ana.call("GET", FACTORS)).json()["Values"]) == 1

    await run(
        database,
        """
        INSERT INTO second_factors (user_id, id, kind, name, confirmed_at, secret)
        VALUES ($1, gen_random_uuid(), 'totp', 'spare', now(), 'x')
        """,
        ana.user_id,
    )
    removed = await ana.call("DELETE", f"{FACTORS}/{factor['Id']}")
    assert removed.status_code == 200
    assert removed.json() == factor
    assert (await ana.call("DELETE", f"{FACTORS}/{factor['Id']}")).status_code == 404
    kinds = await database.reader.rows(
        "SELECT kind FROM actions WHERE user_id = $1 AND kind = 'factors.remove'", ana.user_id
    )
    assert len(kinds) == 1


async def test_of_two_removals_of_the_last_two_factors_one_is_refused(ana, database):
    spare = uuid4()
    await run(
        database,
        """
        INSERT INTO second_factors (user_id, id, kind, name, confirmed_at, secret)
        VALUES ($1, $2, 'totp', 'spare', now(), 'x')
        """,
        ana.user_id,
        spare,
    )
    known = await second_factors.factors_of(database.reader, ana.user_id)
    removals = [FactorRemoval(user_id=ana.user_id, factor_id=factor.id, by=BY) for factor in known]
    outcomes = await asyncio.gather(
        *(second_factors.remove.one(database, one) for one in removals * 10),
        return_exceptions=True,
    )
    assert len([outcome for outcome in outcomes if isinstance(outcome, second_factors.Factor)]) == 1
    assert len(await second_factors.factors_of(database.reader, ana.user_id)) == 1
    stranger = FactorRemoval(user_id=uuid4(), factor_id=spare, by=BY)
    [refused] = await second_factors.remove(database, [stranger])
    assert isinstance(refused, FactorNotFound)


async def test_an_administrator_resets_the_factors_of_a_supporter(ana, client, database):
    boss = await staff_session(database, "owner")
    path = f"/api/v1/staff/{ana.name}/factors"
    await ana.call("POST", CODES)

    done = await client.delete(path, headers=boss)

    assert done.status_code == 200, done.text
    assert done.json() == {"UserId": str(ana.user_id), "Removed": 1}
    begun = await ana.enter_password()
    assert begun.json()["State"] == "enrolment_required"
    rows = await database.reader.rows(
        "SELECT actor FROM actions WHERE user_id = $1 AND kind = 'factors.reset'", ana.user_id
    )
    assert len(rows) == 1
    assert await recovery_codes.unused(database.reader, ana.user_id) == 0


async def test_nobody_resets_the_factors_of_who_holds_more_or_their_own(client, database):
    owner = await make_staff(database, "owner")
    clerk = await make_staff(database, "administrator")
    headers = await staff_session(database, user=clerk)
    above = await client.delete(f"/api/v1/staff/{owner}/factors", headers=headers)
    assert (above.status_code, above.json()["Code"]) == (403, "outranked")
    own = await client.delete(f"/api/v1/staff/{clerk}/factors", headers=headers)
    assert (own.status_code, own.json()["Code"]) == (409, "own_factors")
    late = await staff_session(database, user=clerk, verified_minutes_ago=11)
    stale = await client.delete(f"/api/v1/staff/{owner}/factors", headers=late)
    assert (stale.status_code, stale.json()["Code"]) == (403, "step_up_required")


async def test_a_refused_reset_does_not_keep_its_neighbour_out(ana, database):
    owner = await make_staff(database, "owner")
    clerk = Principal(
        id="key:1", name="clerk", scopes=frozenset({"staff.manage"}), user_id=UUID(int=1)
    )
    above = FactorReset(user_id=owner, manager=clerk, by=BY)
    mine = FactorReset(user_id=ana.user_id, by=BY)
    refused, removed = await second_factors.reset(database, [above, mine])
    assert isinstance(refused, Outranked)
    assert removed == 1
