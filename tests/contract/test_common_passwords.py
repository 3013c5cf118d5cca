"""A new password is none of those that attackers try first; any other is taken as it is."""

from hashlib import sha256
from uuid import uuid4

import pytest

from gamekeeper.core.settings import Settings
from gamekeeper.users import common_passwords
from tests.contract.account import Account, body
from tests.contract.outcomes import outcome, refusal
from tests.make import sha

COMMON = ("12345678", "password", "Password1", "iloveyou", "123456", "qwertyuiop", "1q2w3e4r5t")
OURS = ("gamekeeper", "Gamekeeper123", "administrator1", "repeekemag!", "moderator!")
GOOD = {
    "64 letters": "a" * 63 + "b",
    "a thousand": "pass" * 250,
    "spaces": "  correct horse battery  ",
    "no Latin letter": "пароль не такой",
    "an emoji": "🐉 of the north",
    "letters only": "nothingbutletters",
    "digits only": "73910462857301",
}


def guessable(field: str) -> object:
    message = "This password is too common. Choose one that is neither common nor a name."
    return refusal(400, "guessable_password", message, Field=field)


def test_the_list_has_the_most_common_ones_of_eight_characters_or_more():
    """More than 3,000 that a form with a minimum of eight lets through."""
    assert len(common_passwords._listed()) > 15_000
    assert all(common_passwords.is_common(sha256(one.encode()).digest()) for one in COMMON)
    for made_up in range(1000):
        assert not common_passwords.is_common(sha256(f"made up {made_up}".encode()).digest())


@pytest.mark.parametrize("rest", ["/password/change", "/manage/password/change"])
@pytest.mark.parametrize("chosen", ["password1", "{name}", "{name}123", "{NAME}!", "gamekeeper1"])
async def test_a_change_to_a_guessable_password_is_refused_and_changes_nothing(
    client, database, rest, chosen
):
    account = await Account.make(database)
    chosen = chosen.format(name=account.name, NAME=account.name.upper())

    answer = await client.post(account.path(rest), json=body(rest, new=sha(chosen)))

    assert outcome(answer) == guessable("new")
    still = await client.post(account.path("/password/validate"), json={"password": sha("secret")})
    assert outcome(still) == (200, {"Message": "Password Correct"})
    sql = "SELECT count(*) FROM actions WHERE user_id = $1"
    assert await database.reader.value(sql, account.id) == 0


async def test_the_name_counts_also_if_the_account_is_found_by_its_id(client, database):
    account = await Account.make(database)
    path = f"/api/v1/users/{account.id}/password/change"

    answer = await client.post(path, json=body("/password/change", new=sha(account.name)))

    assert outcome(answer) == guessable("new")


@pytest.mark.parametrize("chosen", [*COMMON, *OURS, "{name}", "{name}1", "mail-{name}", "thegame"])
async def test_nobody_registers_with_a_guessable_password(
    client, database, settings: Settings, chosen
):
    name = f"New-{uuid4().hex[:8]}"
    assert settings.game_name == "the game"

    answer = await client.post(
        "/api/v1/users/register",
        json={
            "username": name,
            "email": f"mail-{name}@example.org",
            "password": sha(chosen.format(name=name)),
        },
    )

    assert outcome(answer) == guessable("password")
    assert not await database.reader.value("SELECT count(*) FROM users WHERE name = $1", name)


@pytest.mark.parametrize("chosen", GOOD)
async def test_any_other_password_is_taken_as_it_is(client, database, chosen):
    """No composition rules, no longest length, nothing cut off, nothing folded."""
    account = await Account.make(database)
    new = GOOD[chosen]

    changed = await client.post(
        account.path("/password/change"), json=body("/password/change", new=sha(new))
    )

    assert changed.status_code == 200
    for tried, status in ((new, 200), (new[:-1], 400), (new.strip() + "!", 400)):
        path = account.path("/password/validate")
        answer = await client.post(path, json={"password": sha(tried)})
        assert answer.status_code == status
