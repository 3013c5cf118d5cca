"""Endpoints 16 to 18: the spells a character knows."""

import asyncio
from uuid import UUID, uuid4

import pytest

from tests.contract.outcomes import outcome, refusal
from tests.make import make_player, make_spell

NO_SPELL = refusal(400, "unknown_spell", "Invalid spell id.")
NOBODY = refusal(404, "player_not_found", "No player with name 'nobody'.")
KNOWN = refusal(409, "spell_already_known", "The player already knows this spell.")
NOT_KNOWN = refusal(409, "spell_not_known", "The player does not know that spell.")
NO_SLOT = refusal(409, "spellbook_full", "The player has no free slot for another spell.")
BOUND = refusal(409, "spell_bound", "That spell is bound to the character and cannot be forgotten.")


async def teach(client, player: UUID | str, spell: object):
    return await client.post(f"/api/v1/players/{player}/spells/teach", json={"spellid": str(spell)})


async def forget(client, player: UUID | str, spell: object):
    return await client.post(
        f"/api/v1/players/{player}/spells/forget", json={"spellid": str(spell)}
    )


async def known(client, player: UUID):
    return outcome(await client.get(f"/api/v1/players/{player}/spells"))


def book(*spells: UUID | None):
    """What `known` says when these are in the first slots, None for an empty one."""
    return 200, [{"Slot": n, "SpellId": str(spell)} for n, spell in enumerate(spells) if spell]


def learned(spell: UUID):
    return 200, {"SpellId": str(spell)}


async def test_spells_are_learned_in_the_lowest_free_slot(client, database):
    player = await make_player(database)
    fire, ice, air, mist = [await make_spell(database) for _ in range(4)]
    assert await known(client, player) == book()

    for spell in (fire, ice, air):
        assert outcome(await teach(client, player, spell)) == learned(spell)
    assert await known(client, player) == book(fire, ice, air)

    assert outcome(await forget(client, player, ice)) == learned(ice)
    assert await known(client, player) == book(fire, None, air)
    assert outcome(await teach(client, player, mist)) == learned(mist)
    assert await known(client, player) == book(fire, mist, air)


async def test_a_spell_slot_has_its_two_fields_in_order(client, database):
    player, fire = await make_player(database), await make_spell(database)
    await teach(client, player, fire)

    answer = await client.get(f"/api/v1/players/{player}/spells")

    assert list(answer.json()[0]) == ["Slot", "SpellId"]


async def test_the_answer_spells_the_guid_in_one_way(client, database):
    player, fire = await make_player(database), await make_spell(database)

    assert outcome(await teach(client, player, f"{{{fire}}}".upper())) == learned(fire)
    assert outcome(await forget(client, player, fire.hex.upper())) == learned(fire)


async def test_a_spell_is_learned_once(client, database):
    player, fire = await make_player(database), await make_spell(database)
    await teach(client, player, fire)

    assert outcome(await teach(client, player, fire)) == KNOWN
    assert await known(client, player) == book(fire)


async def test_others_spells_are_their_own(client, database):
    ana, bo = await make_player(database), await make_player(database)
    fire = await make_spell(database)

    assert outcome(await teach(client, ana, fire)) == learned(fire)
    assert outcome(await teach(client, bo, fire)) == learned(fire)
    assert outcome(await forget(client, ana, fire)) == learned(fire)
    assert await known(client, ana) == book()
    assert await known(client, bo) == book(fire)


async def test_a_book_has_35_slots(client, database):
    player = await make_player(database)
    spells = [await make_spell(database) for _ in range(36)]

    for spell in spells[:35]:
        assert outcome(await teach(client, player, spell)) == learned(spell)
    assert outcome(await teach(client, player, spells[35])) == NO_SLOT
    # That it is known already is said before that there is no room.
    assert outcome(await teach(client, player, spells[0])) == KNOWN
    assert await known(client, player) == book(*spells[:35])

    assert outcome(await forget(client, player, spells[20])) == learned(spells[20])
    assert outcome(await teach(client, player, spells[35])) == learned(spells[35])
    assert await known(client, player) == book(*spells[:20], spells[35], *spells[21:35])


async def test_a_spell_that_is_not_known_cannot_be_forgotten(client, database):
    player, fire = await make_player(database), await make_spell(database)
    ice = await make_spell(database)
    await teach(client, player, ice)

    assert outcome(await forget(client, player, fire)) == NOT_KNOWN
    assert await known(client, player) == book(ice)


async def test_a_bound_spell_is_learned_and_never_forgotten(client, database):
    player, bond = await make_player(database), await make_spell(database, bound=True)

    assert outcome(await forget(client, player, bond)) == NOT_KNOWN
    assert outcome(await teach(client, player, bond)) == learned(bond)
    assert outcome(await forget(client, player, bond)) == BOUND
    assert await known(client, player) == book(bond)


@pytest.mark.parametrize("lesson", [teach, forget])
async def test_a_spell_that_does_not_exist_is_unknown(client, database, lesson):
    player = await make_player(database)

    for spell in (uuid4(), UUID(int=0), player):
        assert outcome(await lesson(client, player, spell)) == NO_SPELL
        assert outcome(await lesson(client, "nobody", spell)) == NO_SPELL


@pytest.mark.parametrize("lesson", [teach, forget])
async def test_an_unknown_character_learns_and_forgets_nothing(client, database, lesson):
    assert outcome(await lesson(client, "nobody", await make_spell(database))) == NOBODY


@pytest.mark.parametrize("lesson", ["teach", "forget"])
async def test_a_spell_must_be_named(client, database, lesson):
    player = await make_player(database)

    answer = await client.post(f"/api/v1/players/{player}/spells/{lesson}")

    expected = refusal(400, "invalid_body", "'spellid' is required.", Field="spellid")
    assert outcome(answer) == expected


async def test_of_twenty_who_teach_the_same_spell_at_once_one_does(client, database):
    player, fire = await make_player(database), await make_spell(database)

    answers = await asyncio.gather(*(teach(client, player, fire) for _ in range(20)))

    assert [outcome(answer) for answer in answers].count(learned(fire)) == 1
    assert [outcome(answer) for answer in answers].count(KNOWN) == 19
    assert await known(client, player) == book(fire)
