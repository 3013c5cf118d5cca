"""Orders in the books: verification finds what was tampered with, an erasure empties names."""

import pytest

from gamekeeper.auth.secrets import Vault
from gamekeeper.core.settings import Settings
from gamekeeper.db.database import Database
from gamekeeper.ledger.verify_ledger import verify
from gamekeeper.users import erasure
from gamekeeper.users.erasure import Erasure
from tests.make import BY
from tests.orders.counter import Counter, good, refused, sound


@pytest.fixture
async def counter(client, database) -> Counter:
    return await Counter.make(client, database)


async def tamper(database: Database, sql: str) -> None:
    await database.write(lambda writer: writer.run(sql))


@pytest.mark.parametrize(
    "sql",
    [
        "UPDATE order_lines SET delivered = '[]'",
        "UPDATE order_lines SET letter_id = gen_random_uuid()",
        "UPDATE order_lines SET state = 'returned'",
        "DELETE FROM order_lines",
        "UPDATE order_lines SET player_id = gen_random_uuid()",
    ],
)
async def test_verification_finds_a_changed_delivery(counter, database, settings: Settings, sql):
    good(await counter.put())
    await sound(settings)
    await tamper(database, sql)
    assert {breach.law for breach in (await verify(settings)).breaches} == {"orders"}


async def test_verification_finds_a_hidden_return(counter, database, settings: Settings):
    good(await counter.put())
    good(await counter.post("1", "refund"))
    await sound(settings)
    await tamper(database, "UPDATE order_lines SET state = 'lost'")
    assert [breach.law for breach in (await verify(settings)).breaches] == ["orders"]


async def test_an_erasure_empties_names_and_the_repeat_is_still_recognised(
    counter, database, settings
):
    order = good(await counter.put(character=None, account="ana", amount="5", currency="EUR"))
    command = Erasure(by=BY, user="ana")
    await erasure.erase(Vault(settings)).one(database, command)
    [row] = await database.reader.rows("SELECT account_ref, user_id, amount, currency FROM orders")
    assert (row["account_ref"], row["user_id"]) == (None, counter.users["ana"])
    assert (row["amount"], row["currency"]) == (5, "EUR")
    again = good(await counter.put(character=None, account="ana", amount="5", currency="EUR"))
    assert (again["Id"], again["State"], again["Receiver"]) == (order["Id"], "delivered", None)
    other = await counter.put(character=None, account="bo", amount="5", currency="EUR")
    assert refused(other) == (409, "order_differs")
    await sound(settings)
