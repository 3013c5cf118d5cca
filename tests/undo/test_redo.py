"""What was undone, redone and undone again is undone once."""

from gamekeeper.history.undo import execute
from gamekeeper.history.undo.execute import AlreadyUndone, Undoing
from gamekeeper.players import items
from gamekeeper.players.items import Gift
from tests.make import BY, make_item, make_player


async def test_a_redo_cannot_be_undone_when_what_it_redid_is_undone_again(database):
    """Otherwise the same gift would be taken back twice, from what the player had before."""
    ana, potion = await make_player(database, "ana"), await make_item(database)
    gift = Gift(by=BY, player=str(ana), item_id=potion, quantity=3)
    await items.give.one(database, gift)
    await items.give.one(database, gift)
    action = await database.reader.value("SELECT max(id::text)::uuid FROM actions")

    async def undo(one):
        [outcome] = await execute.undo(database, [Undoing(by=BY, action_id=one)])
        return outcome

    redone = (await undo((await undo(action)).id)).id
    again = await undo(action)
    refused = await undo(redone)

    assert await database.reader.value("SELECT sum(quantity) FROM slots") == 3
    assert isinstance(refused, AlreadyUndone)
    assert refused.details == {"by": again.id}
