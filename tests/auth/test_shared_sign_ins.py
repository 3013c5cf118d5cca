"""Sign-ins beyond an account's first few share a family: how many rows, and what thieves get."""

import asyncio
from datetime import timedelta
from uuid import UUID, uuid4

import pytest
from msgspec import structs

from gamekeeper.auth import credentials, shared_sign_ins, tokens
from gamekeeper.auth.credentials import Tokens
from gamekeeper.auth.secrets import Vault
from gamekeeper.auth.shared_sign_ins import FirstRefresh, Sharing
from gamekeeper.auth.tokens import MOST_FAMILIES, Family, InvalidGrant, SignIn
from gamekeeper.core.settings import Hidden
from gamekeeper.db.database import Database
from tests.auth.test_tokens import live
from tests.make import make_user, proved

HERE, THERE = "address:192.0.2.1", "address:198.51.100.7"


@pytest.fixture
def vault(settings) -> Vault:
    return Vault(settings)


async def order_of(database: Database, vault: Vault, user: UUID, source: str = HERE) -> SignIn:
    return structs.replace(await proved(database, user), sharing=Sharing(vault, source))


async def sign_in(database: Database, order: SignIn) -> Tokens:
    return await tokens.issue.one(database, order)


async def make_busy(database: Database, vault: Vault) -> tuple[UUID, SignIn]:
    """An account with as many families as it may have of its own, and its next sign-in."""
    user = await make_user(database, api=True)
    order = await order_of(database, vault, user)
    issued = await tokens.issue(database, [order] * MOST_FAMILIES)
    assert (
        len({tokens.family_id for tokens in issued if isinstance(tokens, Tokens)}) == MOST_FAMILIES
    )
    return user, order


async def rows(database: Database) -> dict[str, int]:
    tables = ("token_families", "access_tokens", "refresh_tokens")
    return {
        table: await database.reader.value(f"SELECT count(*) FROM {table}")  # pyright: ignore[reportArgumentType]
        for table in tables
    }


def first(vault: Vault, issued: Tokens) -> FirstRefresh:
    signed = shared_sign_ins.read_refresh_token(vault, issued.refresh)
    assert signed is not None
    return signed


# --- how many there are -------------------------------------------------------


async def test_ten_thousand_sign_ins_leave_a_few_rows_and_every_token_is_good(database, vault):
    """A site that signs in before every call, for a day."""
    user = await make_user(database, api=True)
    order = await order_of(database, vault, user)

    issued: list[Tokens] = []
    for _ in range(100):
        batch = await tokens.issue(database, [order] * 100)
        issued += [one for one in batch if isinstance(one, Tokens)]

    assert len(issued) == 10_000
    assert len({str(tokens.refresh) for tokens in issued}) == 10_000
    shared = {str(tokens.access): tokens for tokens in issued[MOST_FAMILIES:]}
    # One, or two if a new part of a token's life began meanwhile.
    assert 1 <= len(shared) <= 2
    assert await rows(database) == {
        "token_families": MOST_FAMILIES + len(shared),
        "access_tokens": MOST_FAMILIES + len(shared),
        "refresh_tokens": MOST_FAMILIES,
    }
    kept = [*issued[:MOST_FAMILIES], *shared.values()]
    assert all(await live(database, *kept))
    assert await tokens.end_all.one(database, user) == len(kept)
    assert not any(await live(database, *kept))


async def test_twenty_at_once_share_one_family(database, vault):
    _, order = await make_busy(database, vault)

    issued = await asyncio.gather(*(sign_in(database, order) for _ in range(20)))

    assert len({tokens.family_id for tokens in issued}) == 1
    assert len({str(tokens.access) for tokens in issued}) == 1
    assert await live(database, issued[0]) == [True]


async def test_most_of_a_tokens_life_is_left_whenever_it_is_answered(database, vault):
    _, order = await make_busy(database, vault)
    life = timedelta(seconds=database.settings.access_token_seconds)
    begun = await sign_in(database, order)
    assert begun.expires_at - begun.issued_at == life
    await database.write(
        lambda writer: writer.run(
            "UPDATE token_families SET created_at = created_at - interval '1 day' WHERE id = $1",
            begun.family_id,
        )
    )

    again = await sign_in(database, order)

    assert again.family_id == begun.family_id
    assert life * 3 / 4 < again.expires_at - again.issued_at < life - timedelta(hours=23)


async def test_other_places_and_accounts_share_nothing(database, vault):
    user, order = await make_busy(database, vault)
    _, other = await make_busy(database, vault)

    here = await sign_in(database, order)
    there = await sign_in(database, await order_of(database, vault, user, THERE))
    others = await sign_in(database, other)

    assert len({here.family_id, there.family_id, others.family_id}) == 3
    await tokens.forget.one(database, there.access)
    assert await live(database, here, there, others) == [True, False, True]


async def test_below_the_limit_a_sign_in_is_its_own_again(database, vault):
    """Ending sign-ins makes room, and one of each batch of neighbours is counted."""
    user, order = await make_busy(database, vault)
    shared = await sign_in(database, order)
    await tokens.end_all.one(database, user)

    stranger = SignIn(user_id=uuid4(), sealed=None, sharing=order.sharing)
    batch = [*[order] * (MOST_FAMILIES + 2), stranger]
    *issued, refused = await tokens.issue(database, batch)

    families = [tokens.family_id for tokens in issued if isinstance(tokens, Tokens)]
    assert len(set(families)) == MOST_FAMILIES + 1
    assert families[-1] == families[-2] != shared.family_id
    assert isinstance(refused, InvalidGrant)


async def test_no_access_token_says_that_it_outlives_its_sign_in(settings, vault):
    short = structs.replace(settings, session_days=1)
    async with Database.open(short) as database:
        user, order = await make_busy(database, vault)
        shared = await sign_in(database, order)
        own = await sign_in(database, await proved(database, user))
        refreshed = await tokens.refresh.one(database, own.refresh)

    for issued in (shared, own, refreshed):
        assert issued.expires_at - issued.issued_at <= timedelta(days=1)


# --- what ends it -------------------------------------------------------------


async def test_a_new_password_ends_the_shared_token_for_good(database, vault):
    user = await make_user(database, password="old", api=True)
    order = await order_of(database, vault, user)
    await tokens.issue(database, [order] * MOST_FAMILIES)
    before = await sign_in(database, order)

    async def change(writer) -> None:
        await writer.run("UPDATE passwords SET sealed = 'new' WHERE user_id = $1", user)
        await tokens.end_all(writer, [user])

    await database.write(change)

    assert await live(database, before) == [False]
    with pytest.raises(InvalidGrant):
        await sign_in(database, order)
    with pytest.raises(InvalidGrant):
        await tokens.refresh_shared.one(database, first(vault, before))
    after = await tokens.issue(database, [await order_of(database, vault, user)] * 40)
    assert str(before.access) not in {str(one.access) for one in after if isinstance(one, Tokens)}
    assert await live(database, before) == [False]


async def test_a_shared_family_that_was_ended_is_followed_by_another(database, vault):
    user, order = await make_busy(database, vault)
    first_one = await sign_in(database, order)
    await tokens.end.one(database, Family(user_id=user, family_id=first_one.family_id))

    second = await sign_in(database, order)

    assert second.access != first_one.access
    assert await live(database, first_one, second) == [False, True]


async def test_without_the_api_power_a_shared_token_and_its_refresh_are_nothing(database, vault):
    user, order = await make_busy(database, vault)
    issued = await sign_in(database, order)
    await database.write(
        lambda writer: writer.run("UPDATE users SET api = false WHERE id = $1", user)
    )

    assert await live(database, issued) == [False]
    with pytest.raises(InvalidGrant):
        await sign_in(database, order)
    with pytest.raises(InvalidGrant):
        await tokens.refresh_shared.one(database, first(vault, issued))


async def test_ending_all_misses_no_family_that_is_begun_meanwhile(database, vault):
    """Either the exchange comes first and its family ends, or it comes too late."""
    busy = [await make_busy(database, vault) for _ in range(10)]
    issued = [await sign_in(database, order) for _, order in busy]

    async def exchange(one: Tokens) -> None:
        await tokens.refresh_shared(database, [first(vault, one)])

    await asyncio.gather(
        *(exchange(tokens) for tokens in issued),
        *(tokens.end_all(database, [user]) for user, _ in busy),
    )

    sql = "SELECT count(*) FROM token_families WHERE revoked_at IS NULL"
    assert await database.reader.value(sql) == 0


# --- refresh tokens -----------------------------------------------------------


async def test_each_sign_in_has_a_refresh_token_that_begins_a_family_of_its_own(database, vault):
    _, order = await make_busy(database, vault)
    one, two = [await sign_in(database, order) for _ in range(2)]

    mine = await tokens.refresh_shared.one(database, first(vault, one))
    theirs = await tokens.refresh_shared.one(database, first(vault, two))
    later = await tokens.refresh.one(database, mine.refresh)

    assert len({one.family_id, mine.family_id, theirs.family_id}) == 3
    assert later.family_id == mine.family_id
    assert await live(database, one, mine, theirs, later) == [True] * 4


async def test_a_refresh_token_that_comes_twice_ends_all_that_came_of_it(database, vault):
    """And the shared family too: who stole one token may have stolen the other."""
    user, order = await make_busy(database, vault)
    issued = await sign_in(database, order)
    elsewhere = await sign_in(database, await order_of(database, vault, user, THERE))
    child = await tokens.refresh_shared.one(database, first(vault, issued))
    grandchild = await tokens.refresh.one(database, child.refresh)

    with pytest.raises(InvalidGrant):
        await tokens.refresh_shared.one(database, first(vault, issued))

    ended = await live(database, issued, child, grandchild, elsewhere)
    assert ended == [False, False, False, True]
    with pytest.raises(InvalidGrant):
        await tokens.refresh.one(database, grandchild.refresh)


async def test_of_twenty_exchanges_at_once_one_succeeds_and_all_ends(database, vault):
    _, order = await make_busy(database, vault)
    issued = await sign_in(database, order)

    outcomes = await asyncio.gather(
        *(tokens.refresh_shared(database, [first(vault, issued)]) for _ in range(20))
    )

    fresh = [outcome for [outcome] in outcomes if isinstance(outcome, Tokens)]
    assert len(fresh) == 1
    assert await live(database, issued, *fresh) == [False, False]


async def test_a_bad_exchange_does_not_harm_its_neighbours(database, vault):
    """Twice in one batch, of nobody, of a family that is not there: each beside good ones."""
    orders = [(await make_busy(database, vault))[1] for _ in range(3)]
    one, twice, two = [await sign_in(database, order) for order in orders]
    forged = FirstRefresh(user_id=uuid4(), family_id=uuid4(), hash=bytes(32))
    wrong = structs.replace(first(vault, one), family_id=uuid4(), hash=b"\1" * 32)

    given = [first(vault, issued) for issued in (one, twice, twice, two)]
    outcomes = await tokens.refresh_shared(database, [*given, forged, wrong])

    kinds = [Tokens, InvalidGrant, InvalidGrant, Tokens, InvalidGrant, InvalidGrant]
    assert [type(outcome) for outcome in outcomes] == kinds
    assert await live(database, one, twice, two) == [True, False, True]


# --- forgery ------------------------------------------------------------------


async def test_a_signed_refresh_token_is_read_only_as_it_was_written(database, vault):
    """Every changed byte, another spelling of the same bytes, another key, another kind."""
    token = shared_sign_ins.new_refresh_token(vault, uuid4(), uuid4())
    raw = credentials.decode(token)
    assert raw is not None
    assert shared_sign_ins.read_refresh_token(vault, token) is not None

    for place in range(len(raw)):
        changed = raw[:place] + bytes([raw[place] ^ 1]) + raw[place + 1 :]
        forged = credentials.encode("gkr", changed)
        assert shared_sign_ins.read_refresh_token(vault, forged) is None
    for other in (raw[:-1], raw + b"\0", raw[:48], b""):
        forged = credentials.encode("gkr", other)
        assert shared_sign_ins.read_refresh_token(vault, forged) is None
    stranger = Vault(structs.replace(database.settings, password_keys=Hidden("other:" + "ab" * 32)))
    assert shared_sign_ins.read_refresh_token(stranger, token) is None


def test_another_spelling_of_the_same_bytes_is_no_credential():
    """Else a used refresh token could come again under another digest."""
    token = credentials.encode("gkr", bytes(range(64)))
    body, last = token[:-7], token[-7]
    alphabet = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_"
    spelled = [body + letter for letter in alphabet if letter != last]
    # An embedded character outside of the alphabet is skipped by the decoder.
    spelled += [body[:20] + "!" + body[20:] + last, body + last + "="]
    for other in spelled:
        checked = other + credentials._checksum(other)
        assert credentials.kind_of(checked) == "gkr"
        assert credentials.decode(checked) != bytes(range(64))


async def test_after_a_rotation_of_keys_old_refresh_tokens_are_good_and_sign_ins_new(
    database, vault
):
    user, order = await make_busy(database, vault)
    before = await sign_in(database, order)
    keys = Hidden("new:" + "cd" * 32 + "," + database.settings.password_keys)
    rotated = Vault(structs.replace(database.settings, password_keys=keys))

    after = await sign_in(database, await order_of(database, rotated, user))
    child = await tokens.refresh_shared.one(database, first(rotated, before))

    assert after.family_id != before.family_id
    assert await live(database, before, after, child) == [True, True, True]


async def test_a_family_id_and_the_tables_give_no_token(database, vault):
    """The token of a shared family follows from its id only for who has the key."""
    family = uuid4()
    other = Vault(structs.replace(database.settings, password_keys=Hidden("x:" + "ef" * 32)))

    assert shared_sign_ins.access_token(vault, family) != shared_sign_ins.access_token(
        other, family
    )
    assert credentials.kind_of(shared_sign_ins.access_token(vault, family)) == "gka"
