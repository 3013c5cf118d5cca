"""The commands of orders and products."""

import json
from decimal import Decimal

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


async def test_the_list_of_a_shop_is_compared(database, settings, tmp_path):
    content = Content(amount=Decimal("4.99"), currency="EUR", lines=(OrderedLine(product="pack"),))
    for number in ("1001", "1002"):
        await intake.put(database, Vault(settings), BY, "webshop", number, content)
    file = tmp_path / "paid.csv"
    file.write_text("order,amount,currency\n1001,4.99,EUR\n1002,5.00,EUR\n1003,1,EUR\n")

    said = gamekeeper(settings, "orders", "compare", "webshop", str(file)).stdout
    rows = [line.split() for line in said.splitlines()]
    assert ["missing", "1003"] in rows
    assert ["different", "1002", "amount"] in rows
    assert ["not", "delivered", "1001"] in rows

    file.write_text("order,amount,currency,state\n1001,4.99,EUR,refunded\n")
    compared = gamekeeper(settings, "orders", "compare", "webshop", str(file), "--json")
    [different] = json.loads(compared.stdout)["Different"]
    assert different["Fields"] == ["refunded"]
    file.write_text("1001,much\n")
    refused = gamekeeper(settings, "orders", "compare", "webshop", str(file))
    assert "must be a decimal number" in refused.stderr
    file.write_text("".join(f"{number}\n" for number in range(1001)))
    long = gamekeeper(settings, "orders", "compare", "webshop", str(file))
    assert "at most 1,000 orders" in long.stderr
    file.write_text("order\n")
    same = gamekeeper(settings, "orders", "compare", "webshop", str(file))
    assert same.stdout == "Both lists are the same.\n"
