"""How passwords are kept: sealed for one account, under a key that is not in the database."""

import asyncio
from uuid import uuid4

import msgspec
import pytest

from gamekeeper.auth import secrets as vaults
from gamekeeper.auth.secrets import COST, LINE, Cost, Vault
from gamekeeper.core.errors import Unavailable
from gamekeeper.core.settings import BadSettings, Hidden, Settings
from tests.deadlines import PATIENCE
from tests.make import sha

OLD, NEW = "2025a:" + "01" * 32, "2026a:" + "02" * 32
SECRET = bytes.fromhex(sha("secret"))
WRONG = bytes.fromhex(sha("wrong"))


def vault(*held: str) -> Vault:
    """A vault that holds these keys, the first of which seals."""
    return Vault(Settings(database_url=Hidden(""), password_keys=Hidden(",".join(held))))


async def test_a_sealed_password_opens_for_its_account_only():
    """A record copied to another account opens nothing there."""
    ana, eve = uuid4(), uuid4()
    ours = vault(NEW)
    sealed = await ours.hash(ana, SECRET)

    assert await ours.verify(ana, sealed, SECRET)
    assert not await ours.verify(ana, sealed, WRONG)
    assert not await ours.verify(eve, sealed, SECRET)


async def test_one_password_is_never_sealed_twice_alike():
    ana = uuid4()
    ours = vault(NEW)

    one, two = await ours.hash(ana, SECRET), await ours.hash(ana, SECRET)

    assert set(one.split("$")[2:]) & set(two.split("$")[2:]) == {"2026a"}


async def test_whoever_has_the_database_but_not_the_key_can_check_nothing():
    """The right password and a wrong one look the same without the key."""
    ana = uuid4()
    sealed = await vault(NEW).hash(ana, SECRET)
    theirs = vault("2026a:" + "03" * 32)

    assert not await theirs.verify(ana, sealed, SECRET)
    assert not await theirs.verify(ana, sealed, WRONG)


async def test_a_key_that_was_forgotten_is_our_fault_and_not_a_wrong_password():
    """Or an operator who drops a key too early would lock accounts that only guessed right."""
    ana = uuid4()
    sealed = await vault(OLD).hash(ana, SECRET)

    with pytest.raises(Unavailable, match="Contact the operator"):
        await vault(NEW).verify(ana, sealed, SECRET)


async def test_a_key_is_changed_while_old_records_still_open():
    """The first key seals, all of them open, and a record of an older one is stale."""
    ana = uuid4()
    before = await vault(OLD).hash(ana, SECRET)
    both = vault(NEW, OLD)

    assert await both.verify(ana, before, SECRET)
    assert both.needs_rehash(before)
    after = await both.hash(ana, SECRET)
    assert not both.needs_rehash(after)
    assert await vault(NEW).verify(ana, after, SECRET)


async def test_a_record_of_another_cost_opens_and_is_stale(monkeypatch):
    ana = uuid4()
    ours = vault(NEW)
    monkeypatch.setattr(vaults, "COST", Cost(memory=64, time=1))
    cheap = await ours.hash(ana, SECRET)
    monkeypatch.undo()

    assert await ours.verify(ana, cheap, SECRET)
    assert ours.needs_rehash(cheap)
    assert not ours.needs_rehash(await ours.hash(ana, SECRET))


async def test_a_record_that_was_made_cheaper_by_hand_does_not_open():
    """The cost is sealed along, so nobody with the database can lower it unnoticed."""
    ana = uuid4()
    ours = vault(NEW)
    sealed = await ours.hash(ana, SECRET)

    assert not await ours.verify(ana, sealed.replace(str(COST), "m=64,t=1,p=1"), SECRET)


@pytest.fixture
def cheap(monkeypatch) -> None:
    """Passwords are hashed in a millisecond."""
    monkeypatch.setattr(vaults, "COST", Cost(memory=1024, time=1))


async def test_the_line_is_short_and_who_does_not_fit_is_told_at_once(cheap):
    ours = vault(NEW)
    ana = uuid4()

    outcomes = await asyncio.gather(
        *(ours.hash(ana, SECRET) for _ in range(LINE + 10)), return_exceptions=True
    )

    refused = [outcome for outcome in outcomes if isinstance(outcome, Unavailable)]
    assert len(refused) >= 10
    assert all(isinstance(outcome, str | Unavailable) for outcome in outcomes)
    assert ("Retry-After", "1") in refused[0].headers
    assert await ours.verify(ana, await ours.hash(ana, SECRET), SECRET)


async def test_a_command_waits_for_its_turn_however_busy_the_machine_is(cheap, monkeypatch):
    """Many more than fit into the line, and each has to wait for longer than a caller would."""
    monkeypatch.setattr(vaults, "LONGEST_WAIT", 0.0)
    settings = Settings(database_url=Hidden(""), password_keys=Hidden(NEW))

    async def outcomes(by: Vault) -> set[type]:
        hashing = (by.hash(uuid4(), SECRET) for _ in range(LINE + 8))
        return {type(one) for one in await asyncio.gather(*hashing, return_exceptions=True)}

    assert await outcomes(Vault(settings, waits=True)) == {str}
    assert await outcomes(Vault(settings)) == {str, Unavailable}


async def test_who_gives_up_waiting_leaves_no_place_taken():
    """A client that hangs up while its password is checked must not shrink the line."""
    ours = vault(NEW)
    ana = uuid4()
    for _ in range(3):
        tasks = [asyncio.create_task(ours.hash(ana, SECRET)) for _ in range(8)]
        await asyncio.sleep(0.02)
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)

    assert await asyncio.wait_for(ours.verify(ana, await ours.hash(ana, SECRET), SECRET), PATIENCE)


async def test_the_event_loop_goes_on_while_passwords_are_hashed():
    """Were the work done on the loop, it would turn about once for each of the eight."""
    ours = vault(NEW)
    turns = 0

    async def turn() -> None:
        nonlocal turns
        while True:
            await asyncio.sleep(0.001)
            turns += 1

    turning = asyncio.create_task(turn())
    await asyncio.gather(*(ours.hash(uuid4(), SECRET) for _ in range(8)))
    turning.cancel()

    assert turns > 40


async def test_a_keyed_hash_differs_by_key_and_by_text():
    tags = {vault(key).hmac(text) for key in (OLD, NEW) for text in ("a", "b")}

    assert len(tags) == 4
    assert vault(NEW).hmac("a") == vault(NEW, OLD).hmac("a")


@pytest.mark.parametrize(
    "keys", ["", "x", "a:", "a:zz", "a:" + "00" * 31, "a:" + "00" * 33, ":" + "00" * 32, "a:b:c"]
)
def test_a_key_that_is_none_stops_the_start_and_says_how_to_make_one(keys):
    settings = msgspec.structs.replace(
        Settings(database_url=Hidden("")), password_keys=Hidden(keys)
    )

    with pytest.raises(BadSettings, match="openssl rand -hex 32"):
        Vault(settings)


@pytest.mark.parametrize("salt", ["", "A1B2"])
async def test_an_imported_password_is_bound_like_any_other(salt):
    """To its account and to a key; and it is to be replaced at the first chance."""
    ana, eve = uuid4(), uuid4()
    ours, theirs = vault(NEW, OLD), vault("2026a:" + "03" * 32)
    digest = vaults.imported_digest(SECRET, salt)
    sealed = ours.encrypt_imported(ana, digest, salt)

    assert await ours.verify(ana, sealed, SECRET)
    assert not await ours.verify(ana, sealed, WRONG)
    assert not await ours.verify(eve, sealed, SECRET)
    assert not await theirs.verify(ana, sealed, SECRET)
    assert ours.needs_rehash(sealed)
    assert vaults.is_record(sealed)
    assert ours.decrypt_imported(ana, sealed) == (digest, salt)
    assert ours.decrypt_imported(ana, await ours.hash(ana, SECRET)) is None
    with pytest.raises(Unavailable):
        await vault(OLD).verify(ana, sealed, SECRET)


def test_a_salted_digest_is_that_of_the_upper_case_digits_and_the_salt():
    digits = sha("secret").upper()
    assert vaults.imported_digest(SECRET, "A1B2").hex() == sha(f"{digits}A1B2")
    assert vaults.imported_digest(SECRET, "") == SECRET


async def test_only_records_look_like_records():
    sealed = await vault(NEW).hash(uuid4(), SECRET)
    assert vaults.is_record(sealed)
    for odd in (
        "",
        "secret",
        sealed[:-1],
        sealed + "$",
        sealed.replace("m=", "m=9999"),
        "sha256$k$a$b$",
    ):
        assert not vaults.is_record(odd)
