"""
A web shop that delivers each order exactly once, with idempotency keys.

    KEY=gk_… python examples/shop.py http://127.0.0.1:8000 orders.sqlite

The idempotency key of a delivery is made of the order's number. Between the delivery and the
update of the order anything may fail: the connection, this process, the machine. The order is
then delivered again with the same key, and the service repeats its first answer without giving
anything. Run it as often as you like, and in as many processes.
"""

import os
import sqlite3
import sys
from collections.abc import Iterator
from contextlib import closing

from gamekeeper_client import APIError, Gamekeeper, Unreachable

TABLE = """
    CREATE TABLE IF NOT EXISTS orders (
        id INTEGER PRIMARY KEY,
        player TEXT NOT NULL,
        item TEXT NOT NULL,
        quantity INTEGER NOT NULL,
        state TEXT NOT NULL DEFAULT 'paid'
    )
"""
PAID = "SELECT id, player, item, quantity FROM orders WHERE state = 'paid' ORDER BY id"


def deliver(client: Gamekeeper, order: int, player: str, item: str, quantity: int) -> str:
    """Deliver an order; return its new state: delivered, or why not."""
    try:
        client.players.give(
            player,
            item,
            quantity,
            bank_overflow=True,
            reason=f"shop order {order}",
            idempotency_key=f"shop-order-{order}",
        )
    except Unreachable:
        return "paid"
    except APIError as refused:
        if refused.code == "inventory_full":
            # The service stores a refusal under its key, too: to retry takes a new order.
            return "no room"
        return f"refused: {refused.code}"
    return "delivered"


def delivered(client: Gamekeeper, database: sqlite3.Connection) -> Iterator[tuple[int, str]]:
    for order, player, item, quantity in database.execute(PAID).fetchall():
        state = deliver(client, order, player, item, quantity)
        # A crash here is the case that the key protects against.
        with database:
            database.execute("UPDATE orders SET state = ? WHERE id = ?", (state, order))
        yield order, state


def main() -> None:
    url, path = sys.argv[1:]
    with Gamekeeper(url, os.environ["KEY"]) as client, closing(sqlite3.connect(path)) as database:
        database.execute(TABLE)
        for order, state in delivered(client, database):
            print(f"order {order}: {state}")


if __name__ == "__main__":
    main()
