"""Requests as they are stored: with ids for names, and a list in as many statements as one."""

from gamekeeper.approvals import requests
from gamekeeper.approvals.requests import ApprovalRequest
from gamekeeper.players.items import Gift
from gamekeeper.players.moves import ChangeSpell, Endpoint, MoveItems
from gamekeeper.players.quotas import LimitExceeded
from gamekeeper.servers.transactions import Expected, Transaction
from tests.make import BY, make_item, make_player, make_spell


def requested(*commands: Gift | Transaction) -> list[ApprovalRequest]:
    return [
        ApprovalRequest(by=BY, command=command, exceeded=LimitExceeded()) for command in commands
    ]


async def changes(database) -> list[dict]:
    rows = await database.reader.rows("SELECT change FROM approval_requests ORDER BY id")
    return [row["change"] for row in rows]


async def test_every_name_of_a_transaction_becomes_an_id(database):
    ana, bo = [str(await make_player(database, name)) for name in ("ana", "bo")]
    potion, spell = await make_item(database), await make_spell(database)
    trade = MoveItems(
        item_id=potion,
        quantity=1,
        source=Endpoint(player="ana"),
        target=Endpoint(player="bo", place="bank"),
    )
    made = MoveItems(item_id=potion, quantity=1, source=None, target=Endpoint(player="ana"))
    taught = ChangeSpell(player="bo", spell_id=spell, teach=True)
    lost = ChangeSpell(player="nobody", spell_id=spell, teach=True)
    command = Transaction(
        by=BY, holder=None, expected=[Expected("ana", 1)], moves=[trade, made, taught, lost]
    )

    await requests.request(database, requested(command))

    [change] = await changes(database)
    assert [one["player"] for one in change["expected"]] == [ana]
    moves = change["moves"]
    assert (moves[0]["source"]["player"], moves[0]["target"]["player"]) == (ana, bo)
    assert moves[0]["target"]["place"] == "bank"
    assert (moves[1]["source"], moves[1]["target"]["player"]) == (None, ana)
    assert [move["player"] for move in moves[2:]] == [bo, "nobody"]


async def test_many_requests_take_as_many_statements_as_one(database, statements):
    players = {name: str(await make_player(database, name)) for name in ("ana", "bo", "cy")}
    potion = await make_item(database)
    gifts = [Gift(by=BY, player=name, item_id=potion, quantity=9) for name in players]

    with statements() as one:
        await requests.request(database, requested(gifts[0]))
    with statements() as many:
        await requests.request(database, requested(*gifts))

    assert len(many) == len(one)
    pinned = [change["player"] for change in await changes(database)]
    assert pinned == [players["ana"], *players.values()]
