"""Attacks on the second factor: replays, races, guesses, and the ways around it."""

import re
from uuid import uuid4

import pytest

from gamekeeper.auth import authenticator, tokens
from gamekeeper.auth.secrets import Vault
from gamekeeper.core.errors import Unavailable
from gamekeeper.core.settings import Hidden
from gamekeeper.users.staff import recovery_codes, second_factors
from gamekeeper.users.staff.second_factors import FactorProof, WrongCode
from tests.make import BY, proved, sha
from tests.staff.signed_in import Person, open_session

CODE = re.compile(r"([0-9A-HJKMNP-TV-Z]{4}-){5}[0-9A-HJKMNP-TV-Z]{4}")


@pytest.fixture
async def ana(client, database) -> Person:
    """Somebody who has enrolled, and has entered the password again, and nothing else."""
    person = await Person.make(client, database, "owner")
    await person.sign_in()
    await person.enter_password()
    return person


async def codes_of(database, person: Person) -> list[str]:
    """New recovery codes, made in a session that is signed in."""
    headers = (await open_session(database, person.user_id)).headers
    request = person.client.build_request("POST", "/api/v1/me/recovery-codes", headers=headers)
    request.headers.pop("Authorization", None)
    return (await person.client.send(request)).json()["Codes"]


async def test_a_wrong_proof_gets_nothing_from_a_right_one_beside_it(ana, database):
    """In one batch and one session: only who proved it gets the new cookie."""
    session = await database.reader.value(
        "SELECT id FROM browser_sessions WHERE verified_at IS NULL AND ended_at IS NULL"
    )
    factor = await database.reader.value("SELECT id FROM second_factors")
    about = {"user_id": ana.user_id, "session_id": session, "by": BY}
    right = FactorProof(method="totp", factor_id=factor, counter=2**40, **about)
    wrong = FactorProof(method="recovery", hashes=(b"wrong",), **about)

    for proofs in ([right, wrong], [wrong, FactorProof(method="totp", factor_id=factor, **about)]):
        outcomes = await second_factors.verify(database, proofs)
        assert [isinstance(outcome, Hidden) for outcome in outcomes] == [
            proof is right for proof in proofs
        ]
        assert isinstance(outcomes[proofs.index(wrong)], WrongCode)


async def test_guesses_are_counted_for_the_account_in_whatever_session(ana):
    """A new sign-in gives no new guesses, and the wait is for the right code too."""
    statuses = []
    for _ in range(3):
        await ana.enter_password()
        statuses += [(await ana.enter_code(f"{n:06}")).status_code for n in range(3)]

    assert statuses[:5] == [403] * 5
    assert 429 in statuses
    assert (await ana.enter_code()).status_code == 429


async def test_codes_and_secrets_are_long_random_and_stored_so_that_a_copy_opens_nothing(
    ana, database
):
    """120 bits each for recovery codes, 160 for the secret of an app; none in clear."""
    codes = await codes_of(database, ana)
    made = {str(recovery_codes.new_code()) for _ in range(1000)}

    assert len(set(codes)) == 10
    assert len(made) == 1000
    assert all(CODE.fullmatch(code) for code in [*codes, *made])
    assert len(ana.secret) == 32
    rows = await database.reader.rows("SELECT encode(hash, 'escape') AS hash FROM recovery_codes")
    stored = {row["hash"] for row in rows} | {
        row["secret"] for row in await database.reader.rows("SELECT secret FROM second_factors")
    }
    assert not [text for text in stored for secret in [*codes, ana.secret] if secret in text]


async def test_a_secret_of_another_factor_or_account_does_not_decrypt(database, ana):
    """Whoever can write to the table cannot exchange the secret of another for theirs."""
    sealed = await database.reader.value("SELECT secret FROM second_factors")
    factor = await database.reader.value("SELECT id FROM second_factors")
    vault = Vault(database.settings)

    assert vault.decrypt(f"totp;{ana.user_id};{factor}", sealed) == ana.secret
    for about in (f"totp;{uuid4()};{factor}", f"totp;{ana.user_id};{uuid4()}"):
        with pytest.raises(Unavailable):
            vault.decrypt(about, sealed)


# ── The ways around ──


async def test_a_new_password_does_not_bypass_the_second_factor(ana, client):
    """Whoever can read the mailbox, or manages accounts, has the first factor only."""
    path = f"/api/v1/users/{ana.name}/manage/password/change"
    changed = await client.post(path, json={"new": sha("chosen by another")})
    assert changed.status_code == 200, changed.text

    begun = await ana.enter_password("chosen by another")

    assert begun.json()["State"] == "second_factor_required"
    assert (await ana.call("GET", "/api/v1/players")).json()["Code"] == "second_factor_required"
    # Nor can another factor be enrolled, or the codes be replaced.
    for path in ("/api/v1/me/factors/totp", "/api/v1/me/recovery-codes"):
        refused = await ana.call("POST", path)
        assert (refused.status_code, refused.json()["Code"]) == (403, "second_factor_required")


async def test_a_token_has_no_role_because_it_has_no_second_factor(client, database):
    person = await Person.make(client, database, "owner")
    sql = "UPDATE users SET api = true WHERE id = $1"
    await database.write(lambda writer: writer.run(sql, person.user_id))
    issued = await tokens.issue.one(database, await proved(database, person.user_id))

    headers = {"Authorization": f"Bearer {issued.access}"}
    assert (await client.get("/api/v1/players", headers=headers)).status_code == 200
    for path in ("/api/v1/users", "/api/v1/actions", "/api/v1/me/sessions"):
        assert (await client.get(path, headers=headers)).status_code == 403


async def test_a_factor_is_changed_only_after_it_was_verified_again(client, database, monkeypatch):
    monkeypatch.setattr(authenticator, "REMEMBERED_SECONDS", 0.0)
    person = await Person.make(client, database, "owner")
    await person.sign_in()
    sql = "UPDATE browser_sessions SET verified_at = now() - interval '11 minutes'"
    await database.write(lambda writer: writer.run(sql))
    factor = await database.reader.value("SELECT id FROM second_factors")

    for method, path in (
        ("POST", "/api/v1/me/factors/totp"),
        ("POST", "/api/v1/me/factors/passkeys/options"),
        ("POST", "/api/v1/me/recovery-codes"),
        ("DELETE", f"/api/v1/me/factors/{factor}"),
        ("DELETE", f"/api/v1/staff/{person.name}/factors"),
        ("DELETE", "/api/v1/me/sessions"),
    ):
        refused = await person.call(method, path)
        assert (refused.status_code, refused.json()["Code"]) == (403, "step_up_required"), path


async def test_the_factors_of_an_owner_are_reset_by_owners_and_no_key(client, database):
    """A key could else set the password, reset the factors, sign in and be an owner."""
    ana, bob = [await Person.make(client, database, "owner") for _ in range(2)]
    await ana.sign_in()
    await bob.sign_in()
    path = f"/api/v1/staff/{ana.name}/factors"

    assert (await client.delete(path)).status_code == 403
    assert await database.reader.value("SELECT count(*) FROM second_factors") == 2
    assert (await bob.call("DELETE", path)).status_code == 200


async def test_a_challenge_is_good_once_and_in_its_own_session(ana, client, database):
    """Whatever answers it, right or wrong, it is gone."""
    path = "/api/v1/session/passkey"
    bob = await Person.make(client, database, "owner")
    await bob.enter_password()
    answer = {"id": "AAAA", "clientdatajson": "e30", "authenticatordata": "AAAA"}
    answer |= {"signature": "AAAA"}
    origin = {"Origin": "http://localhost"}
    asked = await ana.call("POST", f"{path}/options", headers=origin)
    assert asked.status_code == 200, asked.text

    others = await bob.call("POST", path, headers=origin, **answer)
    first = await ana.call("POST", path, headers=origin, **answer)
    second = await ana.call("POST", path, headers=origin, **answer)

    assert others.json()["Code"] == "challenge_expired"
    assert first.json()["Code"] == "passkey_refused"
    assert second.json()["Code"] == "challenge_expired"
