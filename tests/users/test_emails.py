"""Addresses: their normal form, their mask, and how they are given up and taken."""

import asyncio
from uuid import UUID

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gamekeeper.core.errors import Problem
from gamekeeper.core.names import fold
from gamekeeper.db.database import Database
from gamekeeper.users import emails
from gamekeeper.users.emails import EmailTaken, InvalidEmail, NewEmail, normal
from gamekeeper.users.lookup import UserNotFound
from gamekeeper.users.records import masked
from tests.make import BY, make_user

locals_ = st.from_regex(r"[A-Za-zäßø0-9]{1,20}([._+-][A-Za-z0-9]{1,10})?", fullmatch=True)
labels = st.from_regex(r"[A-Za-zäöü][A-Za-zäöü0-9]{0,15}", fullmatch=True)
domains = st.tuples(labels, st.sampled_from(["org", "Com", "DE", "co.uk"])).map(".".join)
addresses = st.tuples(locals_, domains).map("@".join)


@given(addresses)
def test_the_normal_form_is_normal_and_keeps_the_part_before_the_at(address):
    once = normal(address)

    assert normal(once) == once
    assert once.split("@")[0] == address.split("@")[0]
    domain = once.split("@")[1]
    assert domain == domain.lower()


@given(addresses)
def test_any_spelling_of_a_domain_is_one_address(address):
    local, domain = address.split("@")
    other = domain.lower().encode("idna").decode().upper()

    assert fold(normal(f"{local}@{other}")) == fold(normal(address))
    assert fold(normal(address.upper())) == fold(normal(address.lower()))


@given(st.text(max_size=60))
def test_whatever_is_sent_is_an_address_or_refused(text):
    """And what is let in can stand in the head of a mail."""
    try:
        address = normal(text)
    except InvalidEmail:
        return
    assert address.count("@") == 1
    assert not set("\r\n\0 ,;<>") & set(address)


@given(addresses)
def test_a_mask_shows_two_letters_and_the_last_part(address):
    local, _, domain = normal(address).partition("@")
    name, _, last = domain.rpartition(".")

    assert masked(normal(address)) == f"{local[0]}•••@{name[0]}•••.{last}"


@pytest.mark.parametrize(
    ("address", "mask"),
    [
        ("ana@example.org", "a•••@e•••.org"),
        ("a@e.org", "a•••@e•••.org"),
        ("ana@mail.example.co.uk", "a•••@m•••.uk"),
        ("ü@bücher.example", "ü•••@b•••.example"),
        ("root@localhost", "r•••@l•••"),
        ("", "•••@•••"),
    ],
)
def test_every_address_that_may_be_stored_can_be_masked(address, mask):
    assert masked(address) == mask


async def directory(database: Database) -> dict[str, UUID]:
    """Whom each address belongs to, which must be what the accounts say themselves."""
    rows = await database.reader.rows("SELECT email_key, user_id FROM user_emails")
    accounts = await database.reader.rows("SELECT id, email FROM users")
    directory = {row["email_key"]: row["user_id"] for row in rows}
    assert directory == {fold(row["email"]): row["id"] for row in accounts}
    return directory


def told(outcomes: list[emails.records.ChangedUser | Problem]) -> list[str | type[Problem]]:
    return [
        type(outcome) if isinstance(outcome, Problem) else outcome.email for outcome in outcomes
    ]


async def test_a_refused_change_does_not_harm_its_neighbours(database):
    """A taken address and an unknown account, between two changes that are fine."""
    ana, bob, eve = [
        await make_user(database, name, email=f"{name}@example.org")
        for name in ("ana", "bob", "eve")
    ]

    outcomes = await emails.change(
        database,
        [
            NewEmail(by=BY, user="ana", email="ana@example.com"),
            NewEmail(by=BY, user="eve", email="BOB@example.org"),
            NewEmail(by=BY, user="nobody", email="nobody@example.com"),
            NewEmail(by=BY, user=str(bob), email="bob@example.com"),
        ],
    )

    assert told(outcomes) == ["ana@example.com", EmailTaken, UserNotFound, "bob@example.com"]
    assert await directory(database) == {
        "ana@example.com": ana,
        "bob@example.com": bob,
        "eve@example.org": eve,
    }


async def test_of_two_who_want_one_address_in_a_batch_one_gets_it(database):
    for name in ("ana", "bob"):
        await make_user(database, name, email=f"{name}@example.org")

    outcomes = await emails.change(
        database,
        [
            NewEmail(by=BY, user="ana", email="wanted@example.org"),
            NewEmail(by=BY, user="bob", email="Wanted@example.org"),
        ],
    )

    assert told(outcomes).count(EmailTaken) == 1
    found = await directory(database)
    assert len(found) == 2
    assert "wanted@example.org" in found


async def test_of_two_addresses_for_one_account_the_later_stays(database):
    ana = await make_user(database, "ana", email="ana@example.org")

    await emails.change(
        database,
        [NewEmail(by=BY, user="ana", email=f"{name}@example.org") for name in ("one", "two")],
    )

    assert await directory(database) == {"two@example.org": ana}


async def test_of_twenty_who_want_one_address_at_once_exactly_one_gets_it(database):
    for number in range(20):
        await make_user(database, f"user{number}")

    outcomes = await asyncio.gather(
        *(
            emails.change(database, [NewEmail(by=BY, user=f"user{number}", email="w@example.org")])
            for number in range(20)
        )
    )

    flat = told([outcome for [outcome] in outcomes])
    assert flat.count("w@example.org") == 1
    assert flat.count(EmailTaken) == 19
    assert len(await directory(database)) == 20


async def test_twenty_exchanges_at_once_end_with_every_account_having_one_address(database):
    """Everybody takes what another gives up, all at the same time, and nobody waits for ever."""
    for number in range(20):
        await make_user(database, f"user{number}", email=f"e{number}@example.org")

    await asyncio.gather(
        *(
            emails.change(
                database,
                [NewEmail(by=BY, user=f"user{number}", email=f"e{(number + 1) % 20}@example.org")],
            )
            for number in range(20)
        )
    )

    assert len(await directory(database)) == 20
