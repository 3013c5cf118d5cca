"""gamekeeper transactions and players move, as staff type them."""

import asyncio
import re
from datetime import UTC, datetime
from uuid import UUID

import msgspec

from gamekeeper.players import items
from gamekeeper.players.items import Gift
from tests.cli.command import gamekeeper
from tests.make import BY, make_item, make_player


async def test_a_trade_is_followed_from_the_history_to_its_undo(settings, database):
    """Who has it, by which transaction, what is in the way, and back."""

    async def run(*words: str) -> tuple[int, str]:
        done = await asyncio.to_thread(gamekeeper, settings, *words)
        return done.returncode, done.stdout + done.stderr

    for name in ("Ana", "Bo", "Cy"):
        await make_player(database, name)
    potion = str(await make_item(database))
    gift = Gift(by=BY, player="Ana", item_id=UUID(potion), quantity=5)
    await items.give.one(database, gift)
    before = datetime.now(UTC).isoformat()

    code, said = await run("players", "move", "Ana", "Bo", potion, "5", "--reason", "a test")
    assert code == 0, said
    [trade] = re.findall(r"as transaction ([0-9a-f-]{36})\.", said)

    assert "-5 to Bo" in (await run("players", "history", "Ana"))[1]
    assert "+5 from Ana" in (await run("players", "history", "Bo"))[1]
    code, said = await run("players", "restore", "Ana", before, "--dry-run")
    assert f"passed on to Bo on {datetime.now(UTC):%Y-%m-%d}" in said
    assert f"gamekeeper transactions show {trade}" in said
    assert "Nothing else is missing." in said
    code, said = await run("transactions", "show", trade)
    assert (code, "to Bo" in said, "from Ana" in said) == (0, True, True)
    assert "(a test). It is not undone." in said

    code, said = await run("players", "move", "Bo", "Cy", potion, "3")
    [on] = re.findall(r"as transaction ([0-9a-f-]{36})\.", said)
    code, said = await run("transactions", "undo", trade)
    assert (code, "2 of 5" in said) == (1, True)
    assert f"in transaction {on}." in said
    assert "Bo passed 3 on to Cy on " in said
    assert (await run("transactions", "undo", on, "--dry-run"))[0] == 0
    assert (await run("transactions", "undo", on))[0] == 0

    code, said = await run("transactions", "undo", trade, "--json")
    assert (code, msgspec.json.decode(said)["Undoes"]) == (0, trade)
    assert "It is undone." in (await run("transactions", "show", trade))[1]
    code, said = await run("transactions", "undo", trade)
    assert (code, "This transaction is already undone." in said) == (1, True)
    owner = await database.reader.value(
        "SELECT name FROM players JOIN slots ON player_id = id WHERE quantity = 5"
    )
    assert owner == "Ana"


async def test_a_move_that_makes_no_sense_moves_nothing(settings, database):
    await make_player(database, "Ana")
    potion = str(await make_item(database))
    for words, complaint in (
        (("Ana", "Bo", potion), "No player with name 'Bo'."),
        (("Ana", "Ana", potion, "--to-place", "bank"), "holds fewer"),
        (("Ana", "Ana", potion, "0"), "Invalid value"),
        (("Ana", "Ana", potion, "--to-place", "bag"), "Bag does not exist."),
        (("Ana", "Ana", "no such thing"), "no such thing"),
    ):
        done = await asyncio.to_thread(gamekeeper, settings, "players", "move", *words)
        assert done.returncode != 0
        assert complaint in done.stderr
    assert await database.reader.value("SELECT count(*) FROM postings") == 0
