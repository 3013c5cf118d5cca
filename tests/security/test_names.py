"""Nobody is called what looks like somebody else, or like nothing (attack 20)."""

import asyncio
from uuid import UUID, uuid4

import pytest

from gamekeeper.core import confusables
from gamekeeper.core.names import STAFF, fold, is_name, is_staff_word, look
from gamekeeper.users import accounts, skeletons
from gamekeeper.users.accounts import InvalidUsername, UsernameTaken, UserRegistration
from tests.contract.outcomes import outcome
from tests.make import BY, make_user, sha

REGISTER = "/api/v1/users/register"
JOINERS = " -'_"


def registration(name: str) -> UserRegistration:
    email = f"{uuid4().hex}@example.org"
    return UserRegistration(by=BY, id=uuid4(), name=name, email=email, sealed="sealed")


async def registered(client, name: str) -> tuple[int, str]:
    email = f"{uuid4().hex[:8]}@example.org"
    form = {"username": name, "password": sha("secret"), "email": email}
    status, body = outcome(await client.post(REGISTER, json=form))
    return status, body.get("Code", "")


def test_the_data_are_unicodes():
    data = confusables.data()
    assert data.version == "17.0.0"
    assert (len(data.confusables), len(data.ignorable)) == (6565, 17)
    # Both lists are looked up by halves.
    for ranges in (data.allowed, data.ignorable, data.scripts):
        assert ranges == sorted(ranges)


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("paypal", "рaypal"),  # examples of UTS 39 and of ICU's own tests
        ("scope", "ѕсоре"),
        ("Alan", "AIan"),
        ("lol", "1o1"),
        ("Bob", "B0b"),
        ("modern", "rnodern"),
        ("coco", "сосо"),
        ("COCO", "СОСО"),
        ("Boss", "Boss\u17b4"),
        ("admin", "ad\u034fmin"),
        ("admin", "admin\ufe0f"),
        ("Ana", "A\u200dna"),
    ],
)
def test_what_looks_alike_has_one_look(one, other):
    assert look(one) == look(other)
    assert fold(one) != fold(other), "or there would be nothing to be confused"


@pytest.mark.parametrize(
    "name",
    [
        *("Ana", "ana lyra", "O'Neil", "x_1", "a-b", "Zoë", "Łukasz", "Nguyễn", "Straße", "Þór"),
        *("Ана", "Дмитрий", "Ελένη", "名前", "山田", "ゲーマー", "ゲーマーX", "한국", "한국Joe"),
        *("मीरा", "สมชาย", "שלום", "محمد", "Արամ", "გიორგი", "A\u0301na"),
    ],
)
def test_names_of_one_script_are_good(name):
    assert is_name(name, joiners=JOINERS)
    assert not is_staff_word(name)


@pytest.mark.parametrize(
    "name",
    [
        *("admin\ufe0f", "ad\u034fmin", "Boss\u17b4", "a\u200db", "a\u2060b", "\u3164\u3164ab"),
        *("a" + "\u0301" * 10, "a\u0301\u0302\u0303\u0308\u030a", "a\u0301\u0301", "i\u0307an"),
        *("аdmin", "Αna", "Bоb", "раураl", "Ωmega", "ЖaЖa"),  # two scripts
        *("ａｎａ", "𝐀na", "Ꭺbc", "ᴀna", "ⅷab", "ﬁna"),  # not for identifiers
        *("1\u0301a", "a-\u0301b", "a1\u0662", "a\u0661\u0967"),  # odd marks and digits
        *("a\u202eb", "a\u00adb", "a\ue000", "\U000e0041ab"),
    ],
)
def test_invisible_mixed_and_piled_up_names_are_bad(name):
    assert not is_name(name, joiners=JOINERS)


def test_no_name_has_anything_invisible_in_it():
    for low, high in confusables.data().ignorable:
        for point in range(low, min(high, low + 300) + 1):
            assert not is_name(f"an{chr(point)}a", joiners=JOINERS), hex(point)


@pytest.mark.parametrize("word", sorted(STAFF))
def test_staff_words_are_known_however_they_are_spelled(word):
    for name in (word, word.upper(), word.title(), "-".join(word), "_".join(word.title())):
        assert is_staff_word(name), name
    with pytest.raises(InvalidUsername):
        accounts.check_name(word)


@pytest.mark.parametrize("name", ["ADMlN", "adrnin", "АDМІN", "rnoderator", "SYSTEΜ", "r00t"])
def test_what_looks_like_a_staff_word_is_one(name):
    """The third is Cyrillic."""
    assert is_staff_word(name)


async def test_staff_words_are_for_the_command_line(client, database):
    for name in ("moderator", "Root", "SYSTEM", "game-master"):
        assert await registered(client, name) == (400, "invalid_username")
    accounts.check_name("moderator", staff=True)


async def test_what_looks_like_another_account_is_taken(client, database):
    assert await registered(client, "Alan") == (200, "")
    assert await registered(client, "modern") == (200, "")
    counts = "SELECT (SELECT count(*) FROM user_names) + (SELECT count(*) FROM user_emails)"
    before = await database.reader.value(counts)

    for name in ("AIan", "A1an", "rnodern"):
        assert await registered(client, name) == (409, "username_taken")

    assert await database.reader.value(counts) == before
    # What a refused one claimed is free again.
    assert await registered(client, "Alain") == (200, "")


async def test_of_twenty_who_look_alike_exactly_one_wins(database):
    names = [f"{'I' if number % 2 else 'l'}an" for number in range(20)]
    orders = [registration(name) for name in names]

    outcomes = await asyncio.gather(*(accounts.register(database, [order]) for order in orders))

    kinds = [type(outcome) for [outcome] in outcomes]
    assert (kinds.count(UUID), kinds.count(UsernameTaken)) == (1, 19)


async def test_in_one_list_the_first_of_two_that_look_alike_is_made(database):
    orders = [registration(name) for name in ("Alan", "AIan", "Bob")]

    outcomes = await accounts.register(database, orders)

    assert [type(outcome) for outcome in outcomes].count(UsernameTaken) == 1
    assert outcomes[2] == orders[2].id


async def test_a_refused_address_gives_the_look_back(database):
    first = registration("Zoe")
    await accounts.register.one(database, first)
    [refused] = await accounts.register(
        database,
        [UserRegistration(by=BY, id=uuid4(), name="Alan", email=first.email, sealed="sealed")],
    )
    assert refused.code == "email_taken"

    assert await accounts.register.one(database, registration("AIan"))


async def test_accounts_of_before_are_entered_and_stay_as_they_are(client, database):
    """Also those that look alike, and those that nobody could register today."""
    old = ["Alan", "AIan", "admin\ufe0f", "moderator", "Bоb"]
    for name in old:
        await make_user(database, name, email=f"{uuid4().hex}@example.com", password="secret")
    assert await registered(client, "A1an") == (200, ""), "nothing is known of them yet"
    await database.write(lambda writer: writer.run("DELETE FROM user_skeletons"))

    assert await skeletons.backfill(database) == 4
    assert await skeletons.backfill(database) == 0

    assert await registered(client, "AIan_") == (400, "invalid_username")
    assert await registered(client, "aIan") == (409, "username_taken")
    assert await registered(client, "Bob") == (409, "username_taken")
    for name in old:
        path = f"/api/v1/users/{name}/password/validate"
        answer = await client.post(path, json={"password": sha("secret")})
        assert answer.status_code == 200, name


async def test_the_backfill_goes_through_all_windows(database, monkeypatch):
    monkeypatch.setattr(skeletons, "WINDOW", 3)
    for number in range(10):
        await make_user(database, f"player{number:02}", email=f"{number}@example.com")

    assert await skeletons.backfill(database) == len({look(f"player{n:02}") for n in range(10)})
