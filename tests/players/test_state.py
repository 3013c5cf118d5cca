"""The one write path: what is refused leaves nothing, and what is saved is exactly the rest."""

from gamekeeper.core.errors import Problem
from gamekeeper.ledger.actions import Action
from gamekeeper.players import items, rules, spells, variables
from gamekeeper.players.inventory import PostingContext
from gamekeeper.players.items import Gift
from gamekeeper.players.moves import Endpoint, MoveItems
from gamekeeper.players.state import Needs, State
from gamekeeper.players.variables import Setting
from tests.make import BY, make_bag_item, make_item, make_player, make_spell, make_variable


async def rows(database) -> dict[str, list[tuple[object, ...]]]:
    tables = ("slots", "bags", "bag_owners", "player_spells", "player_variables")
    tables += ("actions", "postings", "ledger_heads")
    return {
        table: sorted(map(tuple, await database.reader.rows(f"SELECT * FROM {table}")), key=repr)
        for table in tables
    }


async def test_what_is_rolled_back_leaves_nothing(database):
    """Slots, bags, spells, variables, postings and actions, in one savepoint."""
    ana = await make_player(database, "ana")
    potion, satchel = await make_item(database), await make_bag_item(database)
    fire, karma = await make_spell(database), await make_variable(database)
    await items.give.one(database, Gift(by=BY, player="ana", item_id=potion, quantity=5))
    before = await rows(database)
    needs = Needs(items={potion, satchel}, spells={fire}, variables={karma})

    async def work(writer) -> Problem | None:
        state = await State.lock(writer, ["ana"], needs)
        action = Action(kind="items.give", by=BY, player_id=ana)

        def everything() -> None:
            for item in (potion, satchel):
                gift = MoveItems(
                    item_id=item, quantity=1, source=None, target=Endpoint(player="ana")
                )
                rules.carry(state, gift, lambda _, against: PostingContext(action.id, against))
            spells.change(state, ana, fire, teach=True)
            variables.change(state, ana, karma, 3)
            state.record(action)
            raise rules.InventoryFull

        refusal = state.attempt(everything)
        await state.save(writer)
        return refusal

    assert isinstance(await database.write(work), rules.InventoryFull)
    assert await rows(database) == before


async def test_true_is_not_one(database):
    """A variable whose type was changed takes a value that Python thinks equal to its former."""
    await make_player(database, "ana")
    karma = await make_variable(database)
    await variables.assign.one(database, Setting(by=BY, player="ana", variable_id=karma, value=1))
    await database.write(lambda writer: writer.run("UPDATE variables SET type = 'boolean'"))

    await variables.assign.one(
        database, Setting(by=BY, player="ana", variable_id=karma, value=True)
    )

    assert await database.reader.value("SELECT value::text FROM player_variables") == "true"
