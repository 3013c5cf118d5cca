"""Tokens issued, exchanged and ended, as operations on many."""

import asyncio
from uuid import UUID, uuid4

from gamekeeper.auth import credentials, tokens
from gamekeeper.auth.authenticator import Authenticator
from gamekeeper.auth.tokens import Family, InvalidGrant, TokenNotFound, Tokens
from gamekeeper.core.errors import Problem, Unauthorized
from gamekeeper.db.database import Database
from tests.make import make_user, proved


async def signed_in(database: Database, number: int) -> list[tuple[UUID, Tokens]]:
    users = [await make_user(database, api=True) for _ in range(number)]
    issued = await tokens.issue(database, [await proved(database, user) for user in users])
    assert all(isinstance(tokens, Tokens) for tokens in issued)
    return list(zip(users, issued, strict=True))  # pyright: ignore[reportReturnType]


async def live(database: Database, *issued: Tokens) -> list[bool]:
    """Whose access tokens are let in."""

    async def opens(token: str) -> bool:
        try:
            await Authenticator(database).authenticate(token)
        except Unauthorized:
            return False
        return True

    return [await opens(str(tokens.access)) for tokens in issued]


async def test_an_account_that_is_gone_does_not_harm_its_neighbours(database):
    ana, bob = await make_user(database, api=True), await make_user(database, api=True)

    outcomes = await tokens.issue(
        database, [await proved(database, user) for user in (ana, uuid4(), bob)]
    )

    assert [isinstance(outcome, Tokens) for outcome in outcomes] == [True, False, True]
    assert isinstance(outcomes[1], Problem)
    assert await live(
        database, *(outcome for outcome in outcomes if isinstance(outcome, Tokens))
    ) == [
        True,
        True,
    ]


async def test_a_bad_refresh_token_does_not_harm_its_neighbours(database):
    """Unknown, used up, of an account without the power: each between good ones."""
    signed = await signed_in(database, 4)
    (_, one), (_, used), (powerless, weak), (_, two) = signed
    await tokens.refresh.one(database, used.refresh)
    await database.write(
        lambda writer: writer.run("UPDATE users SET api = false WHERE id = $1", powerless)
    )
    unknown = credentials.new_credential("gkr")

    outcomes = await tokens.refresh(
        database, [one.refresh, unknown, used.refresh, weak.refresh, two.refresh]
    )

    refused = [InvalidGrant] * 3
    assert [type(outcome) for outcome in outcomes] == [Tokens, *refused, Tokens]
    fresh = [outcome for outcome in outcomes if isinstance(outcome, Tokens)]
    assert [one.family_id, two.family_id] == [outcome.family_id for outcome in fresh]
    assert await live(database, *fresh) == [True, True]
    assert await live(database, used) == [False]


async def test_one_refresh_token_twice_in_a_batch_ends_its_family(database):
    [(_, issued)] = await signed_in(database, 1)

    outcomes = await tokens.refresh(database, [issued.refresh, issued.refresh])

    assert [type(outcome) for outcome in outcomes] == [InvalidGrant, InvalidGrant]
    assert await live(database, issued) == [False]


async def test_of_twenty_exchanges_at_once_at_most_one_succeeds_and_the_family_ends(database):
    [(_, issued), (_, other)] = await signed_in(database, 2)

    outcomes = await asyncio.gather(
        *(tokens.refresh(database, [issued.refresh]) for _ in range(20))
    )

    fresh = [outcome for [outcome] in outcomes if isinstance(outcome, Tokens)]
    assert len(fresh) == 1
    assert await live(database, issued, *fresh, other) == [False, False, True]


async def test_forgetting_ends_the_family_of_either_token_and_nothing_else(database):
    (_, one), (_, two), (_, three) = await signed_in(database, 3)

    outcomes = await tokens.forget(database, [one.access, "garbage", two.refresh])

    assert outcomes == [None, None, None]
    assert await live(database, one, two, three) == [False, False, True]


async def test_a_sign_in_that_is_not_there_does_not_harm_its_neighbours(database):
    """Somebody else's, and one that ended before."""
    (ana, one), (bob, two), (eve, three) = await signed_in(database, 3)
    await tokens.end_all.one(database, eve)

    outcomes = await tokens.end(
        database,
        [
            Family(user_id=ana, family_id=one.family_id),
            Family(user_id=ana, family_id=two.family_id),
            Family(user_id=eve, family_id=three.family_id),
        ],
    )

    assert [type(outcome) for outcome in outcomes] == [type(None), TokenNotFound, TokenNotFound]
    assert await live(database, one, two, three) == [False, True, False]
    assert await tokens.end_all(database, [ana, bob, uuid4()]) == [0, 1, 0]


async def test_a_sign_in_ends_once_however_many_end_it_at_once(database):
    [(ana, issued)] = await signed_in(database, 1)
    order = Family(user_id=ana, family_id=issued.family_id)

    outcomes = await asyncio.gather(*(tokens.end(database, [order]) for _ in range(20)))

    flat = [type(outcome) for [outcome] in outcomes]
    assert (flat.count(type(None)), flat.count(TokenNotFound)) == (1, 19)


async def test_twenty_sign_ins_at_once_are_twenty_families(database):
    ana = await make_user(database, api=True)

    order = await proved(database, ana)
    outcomes = await asyncio.gather(*(tokens.issue(database, [order]) for _ in range(20)))

    issued = [outcome for [outcome] in outcomes if isinstance(outcome, Tokens)]
    assert len({tokens.family_id for tokens in issued}) == 20
    assert (
        len({str(tokens.access) for tokens in issued} | {str(tokens.refresh) for tokens in issued})
        == 40
    )
    assert await tokens.end_all.one(database, ana) == 20
    assert await live(database, *issued) == [False] * 20


async def test_a_sign_in_under_way_does_not_outlive_a_changed_password(database):
    """Proved with the old password, and the new one was set before the tokens were made."""
    ana = await make_user(database, password="old", api=True)
    order = await proved(database, ana)
    await database.write(
        lambda writer: writer.run("UPDATE passwords SET sealed = 'new' WHERE user_id = $1", ana)
    )

    [outcome] = await tokens.issue(database, [order])

    assert isinstance(outcome, tokens.InvalidGrant)
    assert await database.reader.value("SELECT count(*) FROM access_tokens") == 0
