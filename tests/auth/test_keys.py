"""API keys, made and ended as operations on many."""

import asyncio
from datetime import UTC, datetime, timedelta

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gamekeeper.auth import credentials, keys
from gamekeeper.auth.authenticator import Authenticator
from gamekeeper.auth.keys import KeyNotFound, NewKey, UnknownScope
from gamekeeper.auth.principal import SCOPES, Principal
from gamekeeper.core.errors import Problem, Unauthorized
from tests.make import BY


async def caller_of(database, key: str) -> Principal:
    """The caller, as a guard knows it that has never seen the key."""
    guard = Authenticator(database)
    try:
        return await guard.authenticate(key)
    finally:
        await guard.close()


async def works(database, key: str) -> bool:
    """Whether a guard who has never seen the key lets it in."""
    try:
        await caller_of(database, key)
    except Unauthorized:
        return False
    return True


async def test_a_key_is_kept_as_a_hash_with_what_it_may(database):
    order = NewKey(by=BY, name="site", scopes=("players.read", "users.query"), days=30)

    key = await keys.create.one(database, order)

    assert credentials.kind_of(key) == "gk"
    [kept] = await keys.list_keys(database.reader)
    assert (kept.name, kept.scopes) == ("site", ["players.read", "users.query"])
    assert (kept.used_at, kept.revoked_at) == (None, None)
    assert abs(kept.expires_at - datetime.now(UTC) - timedelta(days=30)) < timedelta(minutes=1)
    row = await database.reader.value("SELECT api_keys::text FROM api_keys")
    assert key not in row
    assert credentials.digest(key).hex() in row


async def test_a_key_with_an_unknown_scope_does_not_harm_its_neighbours(database):
    outcomes = await keys.create(
        database,
        [
            NewKey(by=BY, name="one", scopes=("players.read",)),
            NewKey(by=BY, name="two", scopes=("players.raed",)),
            NewKey(by=BY, name="three"),
        ],
    )

    assert isinstance(outcomes[1], UnknownScope)
    assert "'players.raed'" in str(outcomes[1])
    assert all(scope in str(outcomes[1]) for scope in SCOPES)
    assert [key.name for key in await keys.list_keys(database.reader)] in (
        ["one", "three"],
        ["three", "one"],
    )
    assert await works(database, str(outcomes[0]))
    assert await works(database, str(outcomes[2]))


@pytest.mark.parametrize("scope", ["users.query", "Users.Query", "USERS.QUERY"])
async def test_a_scope_is_written_in_any_case(database, scope):
    """The contract itself writes both users.query and Users.Manage."""
    key = await keys.create.one(database, NewKey(by=BY, name="site", scopes=(scope,)))

    caller = await caller_of(database, key)

    assert caller.may("users.query")
    assert not caller.may("users.manage")


async def test_a_key_without_scopes_may_everything_and_one_with_none_nothing(database):
    everything, nothing = await keys.create(
        database, [NewKey(by=BY, name="all"), NewKey(by=BY, name="none", scopes=())]
    )

    for key, may in ((everything, True), (nothing, False)):
        caller = await caller_of(database, str(key))
        assert {caller.may(scope) for scope in SCOPES} == {may}
        assert caller.sees_emails is may


async def test_an_unknown_key_does_not_harm_its_neighbours(database):
    """By name or by id; two keys of one name end together."""
    one, two, three, four = await keys.create(
        database, [NewKey(by=BY, name=name) for name in ("site", "site", "bot", "game")]
    )
    ids = {key.name: str(key.id) for key in await keys.list_keys(database.reader)}

    outcomes = await keys.revoke(
        database,
        [keys.Revocation(by=BY, key=name) for name in ("site", "nothing", ids["bot"])],
    )

    assert (outcomes[0], outcomes[2]) == (2, 1)
    assert isinstance(outcomes[1], KeyNotFound)
    assert str(outcomes[1]) == "No active key is called 'nothing'; see gamekeeper keys list."
    assert [await works(database, str(key)) for key in (one, two, three, four)] == [
        False,
        False,
        False,
        True,
    ]


async def test_a_key_ends_once_however_many_end_it_at_once(database):
    await keys.create.one(database, NewKey(by=BY, name="site"))

    outcomes = await asyncio.gather(
        *(keys.revoke(database, [keys.Revocation(by=BY, key="site")]) for _ in range(20))
    )

    flat = [outcome for [outcome] in outcomes]
    assert flat.count(1) == 1
    assert sum(isinstance(outcome, Problem) for outcome in flat) == 19


async def test_twenty_keys_made_at_once_are_twenty_keys(database):
    made = await asyncio.gather(
        *(keys.create(database, [NewKey(by=BY, name="k")]) for _ in range(20))
    )

    assert len({str(key) for [key] in made}) == 20
    assert len(await keys.list_keys(database.reader)) == 20


@pytest.mark.parametrize("kind", ["gk", "gka", "gkr"])
def test_one_changed_character_is_noticed_without_asking_anybody(kind):
    """So noise never reaches the database, and a scanner can tell ours from it."""
    credential = str(credentials.new_credential(kind))
    assert credentials.kind_of(credential) == kind

    for place, character in enumerate(credential):
        for other in {"a", "0", "_", "é", "\n"} - {character}:
            changed = credential[:place] + other + credential[place + 1 :]
            assert credentials.kind_of(changed) is None, changed


@given(st.text())
def test_no_text_makes_the_reader_of_credentials_stumble(text):
    assert credentials.kind_of(text) is None
