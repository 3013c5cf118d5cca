"""Endpoint 5: one character, by any of the keys it has."""

from datetime import UTC, datetime
from urllib.parse import quote
from uuid import UUID, uuid4

import pytest

from tests.contract.outcomes import outcome, refusal
from tests.make import SINCE, join, make_player, make_server, make_user, shown_player

READS = ["", "/variables", "/items", "/items/inventory", "/items/bank", "/spells"]


def at(key: object) -> str:
    return f"/api/v1/players/{quote(str(key), safe='')}"


async def test_a_character_is_shown_whole(client, database):
    user = await make_user(database)
    place, portrait = uuid4(), "face.png"
    player = await make_player(
        database,
        "Bjorn the Bold",
        user=user,
        gender=1,
        level=2,
        exp=2**62,
        stat_points=-3,
        vitals=[7, 0],
        max_vitals=[120, 2**31 - 1],
        base_stats=[1, 2, 3, 4, 5],
        stat_point_allocations=[5, 4, 3, 2, 1],
        equipment=[0, -1, 34],
        map_id=place,
        map_name="Älvdalen ☃",
        x=-1,
        y=2,
        z=3,
        dir=4,
        sprite="knight.png",
        face=portrait,
        last_online=datetime(2026, 2, 3, 4, 5, 6, 789000, tzinfo=UTC),
        play_time_seconds=2**40,
    )

    answer = await client.get(at(player))

    shown = shown_player(
        player,
        user,
        "Bjorn the Bold",
        Gender=1,
        Level=2,
        Exp=2**62,
        ExperienceToNextLevel=110,
        StatPoints=-3,
        Vitals=[7, 0],
        MaxVitals=[120, 2**31 - 1],
        BaseStats=[1, 2, 3, 4, 5],
        StatPointAllocations=[5, 4, 3, 2, 1],
        Equipment=[0, -1, 34],
        MapId=str(place),
        MapName="Älvdalen ☃",
        X=-1,
        Y=2,
        Z=3,
        Dir=4,
        Sprite="knight.png",
        Face=portrait,
        LastOnline="2026-02-03T04:05:06.789000Z",
        PlayTimeSeconds=2**40,
    )
    assert outcome(answer) == (200, shown)
    assert list(answer.json()) == list(shown)
    assert list(answer.json())[:4] == ["Name", "InBank", "UserId", "MaxVitals"]


@pytest.mark.parametrize(
    ("name", "keys"),
    [
        ("Ana Lyra", ["Ana Lyra", "ana lyra", "ANA LYRA", "ａｎａ\u3000ｌｙｒａ"]),
        ("Straße", ["straße", "STRASSE", "strasse", "STRAẞE", "ｓｔｒａｓｓｅ"]),
        ("ΣΊΣΥΦΟΣ", ["σίσυφος", "σίσυφοσ", "Σίσυφος"]),
        ("Ｆｕｌｌ", ["full", "FULL", "Ｆｕｌｌ"]),
        ("Zoë", ["zoë", "ZOË", "zoe\u0308", "ZOE\u0308"]),
        ("ﬁona", ["fiona", "FIONA", "ﬁona"]),
        ("Ivan", ["ivan", "IVAN", "ⅳan", "ᴵvan"]),
        ("О'Нил-Би", ["о'нил-би", "О'НИЛ-БИ"]),
    ],
)
async def test_a_name_is_found_in_every_spelling_that_folds_alike(client, database, name, keys):
    user = await make_user(database)
    player = await make_player(database, name, user=user)

    for key in keys:
        answer = await client.get(at(key))
        assert (key, *outcome(answer)) == (key, 200, shown_player(player, user, name))


async def test_a_name_that_is_only_alike_is_not_found(client, database):
    """The last of these begins with a Cyrillic letter."""
    await make_player(database, "Tamara")

    for near in ("Tam", "Tamara ", " Tamara", "Tam%", "Tam_ra", "Tamaro", "Тamara"):
        answer = await client.get(at(near))
        expected = refusal(404, "player_not_found", f"No player with name '{near}'.")
        assert outcome(answer) == expected


@pytest.mark.parametrize("inner", READS)
async def test_an_unknown_character_is_named_as_it_was_asked_for(client, inner):
    answer = await client.get(at("NoBody") + inner)
    assert outcome(answer) == refusal(404, "player_not_found", "No player with name 'NoBody'.")

    guid = "ABCDEF00-0000-4000-8000-00000000000A"
    expected = refusal(404, "player_not_found", f"No player with id '{guid.lower()}'.")
    for spelled in (guid, guid.lower(), f"{{{guid}}}", guid.replace("-", "")):
        assert outcome(await client.get(at(spelled) + inner)) == expected


async def test_the_id_of_a_user_is_not_the_id_of_a_character(client, database):
    user = await make_user(database, "owner")
    await make_player(database, user=user)

    answer = await client.get(at(user))
    assert outcome(answer) == refusal(404, "player_not_found", f"No player with id '{user}'.")
    answer = await client.get(at("owner"))
    assert outcome(answer) == refusal(404, "player_not_found", "No player with name 'owner'.")


async def test_a_character_whose_old_name_looks_like_an_id_is_reachable_by_its_id(client, database):
    """A key that is a guid is an id and never a name."""
    user, looks = await make_user(database), str(UUID(int=7))
    player = await make_player(database, looks, user=user)

    expected = refusal(404, "player_not_found", f"No player with id '{looks}'.")
    assert outcome(await client.get(at(looks))) == expected
    answer = await client.get(at(player))
    assert outcome(answer) == (200, shown_player(player, user, looks))


@pytest.mark.parametrize(("word", "status"), [("rank", 200), ("online", 200)])
async def test_a_word_of_a_path_is_never_a_name(client, database, word, status):
    """A character of an older game that is called so is still there by its id."""
    user = await make_user(database)
    player = await make_player(database, word.title(), user=user)

    answer = await client.get(at(player))
    assert outcome(answer) == (200, shown_player(player, user, word.title()))
    answer = await client.get(at(word))
    assert answer.status_code == status
    assert "Name" not in answer.json()


async def test_online_and_the_bank_window_are_what_a_living_server_says(client, database):
    user = await make_user(database)
    player = await make_player(database, "Here Now", user=user)
    server = await make_server(database)
    await join(database, player, server, in_bank=True)

    here = shown_player(player, user, "Here Now", Online=True, InBank=True, LastOnline=SINCE)
    assert outcome(await client.get(at(player))) == (200, here)

    await database.write(
        lambda writer: writer.run("UPDATE servers SET lease_until = now() WHERE id = $1", server)
    )
    gone = shown_player(player, user, "Here Now", LastOnline=SINCE)
    assert outcome(await client.get(at(player))) == (200, gone)


@pytest.mark.parametrize(
    ("level", "needed"),
    [(1, 100), (2, 1100), (8, 1948717100), (20, 9 * 10**18), (9999, 9 * 10**18), (10000, -1)],
)
async def test_experience_to_the_next_level_is_a_number_however_steep_the_climb(
    client, database, level, needed
):
    """Capped where 64 bits end, -1 at the highest level; and the lists show it as well."""
    steep, user = uuid4(), await make_user(database)
    await database.write(
        lambda writer: writer.run(
            """
            INSERT INTO classes (id, name, base_exp, exp_increase, max_level)
            VALUES ($1, 'Sisyphus', 100, 1000, 10000)
            """,
            steep,
        )
    )
    player = await make_player(database, f"Climber {level}", user=user, class_id=steep, level=level)

    answer = await client.get(at(player))

    shown = shown_player(
        player,
        user,
        f"Climber {level}",
        ClassId=str(steep),
        ClassName="Sisyphus",
        Level=level,
        ExperienceToNextLevel=needed,
    )
    assert outcome(answer) == (200, shown)
