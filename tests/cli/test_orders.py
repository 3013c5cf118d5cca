"""The commands of orders and products."""

import json

from gamekeeper.auth.secrets import Vault
from gamekeeper.orders import intake
from gamekeeper.orders.content import Content, OrderedLine
from tests.cli.command import gamekeeper
from tests.make import BY, make_item, make_player


async def test_an_order_is_assigned_and_refunded(database, settings):
    await make_player(database, "Ana")
    await make_item(database)
    made = gamekeeper(settings, "orders", "product", "webshop", "pack", "Pack", "Potion=5")
    assert made.stdout == "Saved.\n"
    assert "pack" in gamekeeper(settings, "orders", "products").stdout
    wrong = gamekeeper(settings, "orders", "product", "webshop", "pack", "Pack", "Potion=many")
    assert "must be ITEM or ITEM=QUANTITY" in wrong.stderr

    content = Content(lines=(OrderedLine(product="pack"),))
    await intake.put(database, Vault(settings), BY, "webshop", "1001", content)
    [order] = json.loads(gamekeeper(settings, "orders", "list", "--json").stdout)["Values"]
    assert (order["OrderId"], order["State"]) == ("1001", "unclaimed")
    assert "claim code" in gamekeeper(settings, "orders", "show", "webshop", "1001").stdout
    assert "must be one of" in gamekeeper(settings, "orders", "list", "--state", "odd").stderr
    assigned = gamekeeper(settings, "orders", "assign", "webshop", "1001", "Ana")
    assert assigned.stdout == "The order is delivered.\n"
    held = gamekeeper(settings, "orders", "dispute", "webshop", "1001", "open")
    assert held.stdout == "The order is disputed.\n"
    odd = gamekeeper(settings, "orders", "dispute", "webshop", "1001", "perhaps")
    assert "open, won or lost" in odd.stderr
    receipt = json.loads(
        gamekeeper(settings, "orders", "receipt", "webshop", "1001", "--json").stdout
    )
    assert json.loads(receipt["Document"])["order"] == "1001"
    refunded = gamekeeper(settings, "orders", "refund", "webshop", "1001", "--line", "1")
    assert refunded.stdout == "The order is refunded.\n"
    removed = gamekeeper(settings, "orders", "remove-product", "webshop", "pack")
    assert removed.stdout == "Deleted Pack.\n"
