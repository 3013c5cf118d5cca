"""Teaching, forgetting and remembering: in batches, and at once."""

import asyncio

from gamekeeper.catalog.variables import WrongVariableType
from gamekeeper.players import spells, variables
from gamekeeper.players.spells import KnownSpell, Lesson, SpellAlreadyKnown, SpellbookFull
from gamekeeper.players.variables import PlayerVariable, Setting
from tests.make import BY, make_player, make_spell, make_variable


async def test_lessons_of_one_batch_take_one_slot_each(database):
    ana = await make_player(database, "ana")
    fire, ice = await make_spell(database), await make_spell(database)

    outcomes = await spells.teach(
        database, [Lesson(by=BY, player="ana", spell_id=spell) for spell in (fire, fire, ice)]
    )

    assert isinstance(outcomes[1], SpellAlreadyKnown)
    assert await spells.known_spells(database.reader, str(ana)) == [
        KnownSpell(slot=0, spell_id=fire),
        KnownSpell(slot=1, spell_id=ice),
    ]


async def test_the_same_spell_taught_twenty_times_at_once_is_known_once(database):
    await make_player(database, "ana")
    fire = await make_spell(database)

    outcomes = await asyncio.gather(
        *(spells.teach(database, [Lesson(by=BY, player="ana", spell_id=fire)]) for _ in range(20))
    )

    assert sum(isinstance(outcome, Lesson) for [outcome] in outcomes) == 1
    assert len(await spells.known_spells(database.reader, "ana")) == 1


async def test_a_full_spellbook_and_a_forgotten_place(database):
    """The thirty-sixth is refused; a slot that was freed is used again."""
    await make_player(database, "ana")
    many = [await make_spell(database) for _ in range(36)]

    outcomes = await spells.teach(database, [Lesson(by=BY, player="ana", spell_id=s) for s in many])
    assert isinstance(outcomes[35], SpellbookFull)
    await spells.forget.one(database, Lesson(by=BY, player="ana", spell_id=many[7]))
    await spells.teach.one(database, Lesson(by=BY, player="ana", spell_id=many[35]))

    book = await spells.known_spells(database.reader, "ana")
    assert book[7] == KnownSpell(slot=7, spell_id=many[35])


async def test_the_last_setting_of_a_batch_wins_and_a_wrong_one_harms_nobody(database):
    await make_player(database, "ana")
    karma = await make_variable(database)

    outcomes = await variables.assign(
        database,
        [Setting(by=BY, player="ana", variable_id=karma, value=value) for value in (1, True, 3)],
    )

    assert isinstance(outcomes[1], WrongVariableType)
    assert await variables.all_set(database.reader, "ana") == [
        PlayerVariable(variable_id=karma, value=3)
    ]


async def test_settings_at_once_end_with_one_of_them(database):
    await make_player(database, "ana")
    karma = await make_variable(database)

    await asyncio.gather(
        *(
            variables.assign(
                database, [Setting(by=BY, player="ana", variable_id=karma, value=value)]
            )
            for value in range(20)
        )
    )

    [variable] = await variables.all_set(database.reader, "ana")
    assert variable.value in range(20)
