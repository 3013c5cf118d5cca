"""The language of an account: set, refused, exported, erased."""

import asyncio
from typing import Any

import pytest

from gamekeeper.users import languages
from gamekeeper.users.languages import NewLanguage
from gamekeeper.users.lookup import UserNotFound
from tests.contract.outcomes import outcome, refusal
from tests.make import BY, make_user, sha
from tests.security.callers import key_with

KNOWN = "de, en, es, fr, pl, pt-BR, ru"


async def set_language(client, key: object, language: object, **headers: str) -> Any:
    body = {"language": language}
    return await client.post(f"/api/v1/users/{key}/language", json=body, headers=headers)


async def stored(database, name: str) -> str | None:
    return await database.reader.value("SELECT language FROM users WHERE name = $1", name)


async def recorded(database) -> list[tuple[dict[str, Any], dict[str, Any]]]:
    rows = await database.reader.rows(
        "SELECT before, after FROM actions WHERE kind = 'users.language' ORDER BY id"
    )
    return [(row["before"]["language"], row["after"]["language"]) for row in rows]


async def test_a_language_is_set_and_shown_and_unset(client, database):
    await make_user(database, "ana")
    before = (await client.get("/api/v1/users/ana")).json()

    answer = await set_language(client, "ANA", "pt-br")

    # Only an account that has one shows it: the other answers are as clients know them.
    assert "Language" not in before
    assert outcome(answer) == (200, before | {"Language": "pt-BR"})
    assert (await client.get("/api/v1/users/ana")).json() == answer.json()
    [listed] = (await client.get("/api/v1/users")).json()["Values"]
    assert listed == answer.json()

    assert outcome(await set_language(client, "ana", "de-AT")) == (200, before | {"Language": "de"})
    assert outcome(await set_language(client, "ana", "de")) == (200, before | {"Language": "de"})
    assert outcome(await set_language(client, "ana", "")) == (200, before)
    assert await stored(database, "ana") is None
    # To set what is set changes nothing, so there is nothing to record.
    assert await recorded(database) == [(None, "pt-BR"), ("pt-BR", "de"), ("de", None)]


@pytest.mark.parametrize("language", ["nl", "x", "*", "de;q=1", "German", "d" * 5000, "\u0000"])
async def test_a_language_without_texts_is_refused(client, database, language: str):
    await make_user(database, "ana", language="pl")

    answer = await set_language(client, "ana", language)

    assert answer.status_code == 400
    assert answer.json()["Code"] in ("unknown_language", "invalid_body")
    assert await stored(database, "ana") == "pl"
    assert await recorded(database) == []


async def test_a_refusal_says_which_languages_there_are(client, database):
    await make_user(database, "ana")

    answer = await set_language(client, "ana", "nl-BE")

    sentence = f"There are no texts in 'nl-BE'. Choose one of: {KNOWN}."
    assert outcome(answer) == refusal(400, "unknown_language", sentence, Field="language")
    missing = await client.post("/api/v1/users/ana/language", json={})
    assert (missing.status_code, missing.json()["Code"]) == (400, "invalid_body")


async def test_an_unknown_account_has_no_language(client):
    answer = await set_language(client, "nobody", "de")

    assert outcome(answer) == refusal(404, "user_not_found", "No user with name 'nobody'.")


async def test_a_website_that_may_look_at_accounts_sets_their_languages(client, database):
    """As it registers visitors and asks for their mails; it sees no address in the answer."""
    await make_user(database, "ana", email="ana@example.org")
    website = await key_with(database, "users.query")

    answer = await set_language(client, "ana", "fr", **website)

    assert answer.status_code == 200, answer.text
    assert (answer.json()["Language"], answer.json()["Email"]) == ("fr", "a•••@e•••.org")


async def test_of_twenty_at_once_each_is_recorded_after_the_one_before(client, database):
    await make_user(database, "ana")
    wanted = ["de", "fr"] * 10

    answers = await asyncio.gather(*(set_language(client, "ana", each) for each in wanted))

    assert {answer.status_code for answer in answers} == {200}
    chain = await recorded(database)
    assert chain[0][0] is None
    assert [before for before, _ in chain[1:]] == [after for _, after in chain[:-1]]
    assert await stored(database, "ana") == chain[-1][1]


async def test_in_a_batch_a_refused_neighbour_does_no_harm(database):
    for name in ("ana", "bo"):
        await make_user(database, name)
    ana, nobody, bo, again = await languages.change(
        database,
        [
            NewLanguage(by=BY, user="ana", language="de"),
            NewLanguage(by=BY, user="nobody", language="de"),
            NewLanguage(by=BY, user="bo", language="ru"),
            NewLanguage(by=BY, user="ana", language="pl"),
        ],
    )

    assert isinstance(nobody, UserNotFound)
    assert (await stored(database, "ana"), await stored(database, "bo")) == ("pl", "ru")
    assert [shown.language for shown in (ana, bo, again)] == ["pl", "ru", "pl"]
    assert await recorded(database) == [(None, "de"), (None, "ru"), ("de", "pl")]


async def test_an_account_is_registered_with_its_language(client, database):
    ana = {"username": "ana", "email": "ana@example.org", "password": sha("a long one")}
    bo = {"username": "bo", "email": "bo@example.org", "password": sha("a long one")}

    refused = await client.post("/api/v1/users/register", json=ana | {"language": "nl"})
    assert (refused.status_code, refused.json()["Code"]) == (400, "unknown_language")
    assert (await client.get("/api/v1/users/ana")).status_code == 404
    done = await client.post("/api/v1/users/register", json=ana | {"language": "es-MX"})
    assert outcome(done) == (200, {"Username": "ana", "Email": "ana@example.org"})
    await client.post("/api/v1/users/register", json=bo)

    assert (await stored(database, "ana"), await stored(database, "bo")) == ("es", None)
    rows = await database.reader.rows("SELECT after FROM actions WHERE kind = 'users.register'")
    assert sorted(row["after"].get("language", "") for row in rows) == ["", "es"]


async def test_an_erased_account_has_no_language(client, database):
    user = await make_user(database, "ana", language="ru")

    answer = await client.delete("/api/v1/users/ana")

    assert answer.json()["Language"] == "ru"
    assert await database.reader.value("SELECT count(*) FROM users WHERE language = 'ru'") == 0
    [row] = await database.reader.rows("SELECT before, after FROM actions WHERE user_id = $1", user)
    assert "language" not in str(row)
