"""Endpoint 22: an account is registered, with its name, its address and no power at all."""

import asyncio
from typing import Any
from uuid import uuid4

import pytest

from gamekeeper.db.database import Database
from gamekeeper.db.paging import pages
from gamekeeper.db.paging.orderings import USERS
from gamekeeper.users.passwords import EMPTY
from tests.contract.outcomes import outcome, refusal
from tests.make import make_user, sha, shown_user

REGISTER = "/api/v1/users/register"
A_USERNAME = (
    "A username needs 2 to 20 letters or digits of one script, one a letter; '-' or '_' inside."
)


def fresh() -> str:
    return f"u{uuid4().hex[:12]}"


def form(**about: Any) -> dict[str, Any]:
    """A registration that would succeed but for what is said otherwise."""
    name = fresh()
    whole = {"username": name, "password": sha("secret"), "email": f"{name}@example.org"}
    return whole | about


async def stored(database: Database) -> tuple[int, ...]:
    """How much there is of everything that a registration writes."""
    [row] = await database.reader.rows(
        """
        SELECT (SELECT count(*) FROM users), (SELECT count(*) FROM user_names),
               (SELECT count(*) FROM user_skeletons),
               (SELECT count(*) FROM user_emails), (SELECT count(*) FROM passwords)
        """
    )
    return (*row, await pages.total(database.reader, USERS))


async def test_whoever_registers_is_an_account_without_any_power(client, database):
    before = await stored(database)
    sent = form()

    answer = await client.post(REGISTER, json=sent)

    assert outcome(answer) == (200, {"Username": sent["username"], "Email": sent["email"]})
    [row] = await database.reader.rows("SELECT * FROM users WHERE name = $1", sent["username"])
    found = await client.get(f"/api/v1/users/{sent['username']}")
    since = f"{row['created_at']:%Y-%m-%dT%H:%M:%S.%fZ}"
    shown = shown_user(row["id"], sent["username"], sent["email"], RegistrationDate=since)
    assert outcome(found) == (200, shown)
    assert not row["user_query"]
    assert not row["user_management"]
    assert await stored(database) == tuple(number + 1 for number in before)


async def test_a_form_with_keys_in_any_case_registers_too(client):
    """And powers that somebody asks for in the body are not given."""
    sent = form()
    data = {key.upper(): value for key, value in sent.items()}

    answer = await client.post(REGISTER, data=data | {"Api": "true", "power": "users.manage"})

    assert outcome(answer) == (200, {"Username": sent["username"], "Email": sent["email"]})
    found = (await client.get(f"/api/v1/users/{sent['username']}")).json()
    assert set(found["Power"].values()) == {False}


async def test_the_password_works_in_any_case_of_its_hex(client):
    sent = form(password=sha("Ünïcode").upper())
    assert (await client.post(REGISTER, json=sent)).status_code == 200

    path = f"/api/v1/users/{sent['username']}/password/validate"
    answer = await client.post(path, json={"password": sha("Ünïcode").lower()})

    assert outcome(answer) == (200, {"Message": "Password Correct"})


@pytest.mark.parametrize("name", ["ab", "Ана", "阿娜", "नमस्ते", "Jean-Luc_9", "7of9", "x" * 20])
async def test_a_name_may_be_of_any_script(client, name):
    answer = await client.post(REGISTER, json=form(username=name))

    assert answer.status_code == 200
    assert answer.json()["Username"] == name
    assert (await client.get(f"/api/v1/users/{name}")).json()["Name"] == name


@pytest.mark.parametrize(
    "name",
    [
        *["", "a", "x" * 21, "12345", "ana maria", "ana'maria", " ana", "ana ", "ana\n", "a\tb"],
        *["-ana", "ana-", "_ana", "a--b", "a-_b", "a.b", "a/b", "a@b", "a😀b", "a\u200db", "²²"],
        *[
            "Ｆｕｌｌ",
            "register",
            "Register",
            "ＲＥＧＩＳＴＥＲ",
            "rank",
            "online",
            "bag",
            "count",
            "password",
        ],
    ],
)
async def test_a_name_that_breaks_the_rules_is_refused(client, database, name):
    """A name is never an index, never a route word, and never looks like another by its spaces."""
    before = await stored(database)

    answer = await client.post(REGISTER, json=form(username=name))

    assert outcome(answer) == refusal(400, "invalid_username", A_USERNAME)
    assert await stored(database) == before


@pytest.mark.parametrize("again", ["Ana{}", "aNA{}", "ANA{}"])
async def test_a_name_is_taken_in_any_spelling(client, database, again):
    unique = uuid4().hex[:8]
    await make_user(database, f"Ana{unique}")
    before = await stored(database)
    spelled = again.format(unique)

    answer = await client.post(REGISTER, json=form(username=spelled))

    message = f"Account already exists with username '{spelled}'."
    assert outcome(answer) == refusal(409, "username_taken", message)
    assert await stored(database) == before


@pytest.mark.parametrize(
    ("sent", "normal"),
    [
        ("Ana.{}@EXAMPLE.Org", "Ana.{}@example.org"),
        ("{}@BÜCHER.example", "{}@bücher.example"),
        ("{}@xn--bcher-kva.example", "{}@bücher.example"),
        ("ü{}@example.org", "ü{}@example.org"),
        ("{}+game@sub.example.co.uk", "{}+game@sub.example.co.uk"),
    ],
)
async def test_an_address_is_answered_as_sent_and_kept_in_its_normal_form(client, sent, normal):
    unique = fresh()
    order = form(email=sent.format(unique))

    answer = await client.post(REGISTER, json=order)

    expected = {"Username": order["username"], "Email": order["email"]}
    assert outcome(answer) == (200, expected)
    found = (await client.get(f"/api/v1/users/{order['username']}")).json()
    assert found["Email"] == normal.format(unique)


@pytest.mark.parametrize(
    ("had", "asked"),
    [
        ("{}@example.org", "{}@example.org"),
        ("ana{}@example.org", "ANA{}@example.org"),
        ("{}@bücher.example", "{}@xn--bcher-kva.example"),
        ("straße{}@example.org", "STRASSE{}@EXAMPLE.org"),
    ],
)
async def test_an_address_is_taken_in_any_spelling(client, database, had, asked):
    """The refusal spells it as it was sent, and the name is not taken either."""
    unique = fresh()
    await make_user(database, email=had.format(unique))
    before = await stored(database)
    order = form(email=asked.format(unique))

    answer = await client.post(REGISTER, json=order)

    message = f"Account already with email '{asked.format(unique)}'."
    assert outcome(answer) == refusal(409, "email_taken", message)
    assert await stored(database) == before
    again = await client.post(REGISTER, json=order | {"email": f"{fresh()}@example.org"})
    assert again.status_code == 200


@pytest.mark.parametrize(
    "address",
    [
        *["", "ana", "ana@", "@example.org", "ana@example", "ana@@example.org", "a b@example.org"],
        *["ana@exa mple.org", " ana@example.org", "ana@example.org ", "ana@example..org"],
        *["ana@example.org\r\nBcc: eve@example.org", "ana@example.org\nX: y", "a,b@example.org"],
        *["Ana <ana@example.org>", '"a b"@example.org', "ana@[127.0.0.1]", "ana@-x.example.org"],
        "ana@" + "x" * 64 + ".org",
    ],
)
async def test_what_is_no_address_is_refused(client, database, address):
    """Nobody can smuggle a second recipient or a header line into a mail."""
    before = await stored(database)

    answer = await client.post(REGISTER, json=form(email=address))

    message = f"Malformed email address '{address}'."
    assert outcome(answer) == refusal(400, "invalid_email", message)
    assert await stored(database) == before


async def test_an_endless_address_is_refused_without_repeating_it(client):
    answer = await client.post(REGISTER, json=form(email="a" * 300 + "@example.org"))

    assert outcome(answer) == refusal(400, "invalid_email", "The email address is too long.")


@pytest.mark.parametrize(
    "password",
    [
        *["", "secret", "0" * 63, "0" * 65, "g" * 64, " " + "0" * 63, "0" * 64 + "\n", "٠" * 64],
        "-".join([sha("secret")[:32], sha("secret")[32:]]),
    ],
)
async def test_a_password_that_is_no_hash_is_refused(client, database, password):
    before = await stored(database)

    answer = await client.post(REGISTER, json=form(password=password))

    message = "'password' must be 64 hexadecimal digits."
    assert outcome(answer) == refusal(400, "invalid_password_hash", message, Field="password")
    assert await stored(database) == before


@pytest.mark.parametrize("empty", [EMPTY, EMPTY.upper()])
async def test_the_hash_of_an_empty_password_is_refused(client, empty):
    assert empty.lower() == sha("")

    answer = await client.post(REGISTER, json=form(password=empty))

    message = "'password' is the hash of an empty password."
    assert outcome(answer) == refusal(400, "invalid_password_hash", message, Field="password")


@pytest.mark.parametrize("missing", ["username", "password", "email"])
async def test_all_three_fields_are_required(client, missing):
    sent = form()
    del sent[missing]

    answer = await client.post(REGISTER, json=sent)

    message = f"'{missing}' is required."
    assert outcome(answer) == refusal(400, "invalid_body", message, Field=missing)


async def test_of_many_who_register_one_name_at_once_exactly_one_wins(client, database):
    """The others are told that it is taken, and nothing of theirs is left behind."""
    before = await stored(database)
    name = fresh()
    orders = [form(username=name.upper() if odd % 2 else name) for odd in range(6)]

    answers = await asyncio.gather(*(client.post(REGISTER, json=order) for order in orders))

    assert sorted(answer.status_code for answer in answers) == [200] + [409] * 5
    assert {answer.json().get("Code") for answer in answers} == {None, "username_taken"}
    assert await stored(database) == tuple(number + 1 for number in before)
