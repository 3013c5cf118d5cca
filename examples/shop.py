"""
A web shop that delivers each order exactly once, by the order's own id.

    export GAMEKEEPER_CLIENT_KEY=gk_…
    python examples/shop.py http://127.0.0.1:8000
    python examples/shop.py http://127.0.0.1:8000 --order Ana "Health Potion" 2

The first run makes an order by itself. Each order has an id, written down with it. Between the
delivery and the update of the order anything may fail: the connection, this process, the
machine. The order is then sent again under the same id, and the service repeats its first
answer without delivering anything. Run it as often as you like, and in as many processes.

What was bought arrives in the mailbox of the character. An unknown character is no error: the
order then has a claim code, with which the buyer claims it (docs/guides/connect-a-shop.md).
"""

import argparse
import os
import sqlite3
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

from gamekeeper_client import APIError, Gamekeeper, GamekeeperError, Unreachable

TABLE = """
    CREATE TABLE IF NOT EXISTS orders (
        id INTEGER PRIMARY KEY,
        player TEXT NOT NULL,
        item TEXT NOT NULL,
        quantity INTEGER NOT NULL,
        state TEXT NOT NULL DEFAULT 'paid',
        key TEXT NOT NULL DEFAULT (lower(hex(randomblob(16))))
    )
"""
PAID = "SELECT id, player, item, quantity, key FROM orders WHERE state = 'paid' ORDER BY id"
ORDER = "INSERT INTO orders (player, item, quantity) VALUES (?, ?, ?)"
SHOP = "webshop"
FILE = Path.home() / ".gamekeeper-examples" / "orders.sqlite"


def deliver(client: Gamekeeper, player: str, item: str, quantity: int, key: str) -> str:
    """Send an order; return its new state: delivered, waiting, or how to claim it."""
    lines = [{"items": [{"itemid": item, "quantity": quantity}]}]
    try:
        order = client.orders.put(SHOP, key, lines, character=player)
    except Unreachable:
        return "paid"
    except APIError as error:
        # A wrong key of ours, a limit, or a failure is not the buyer's fault: it stays paid.
        if error.status in (401, 403, 429) or error.status >= 500:
            raise
        return f"refused: {error.code}"
    if order.claim_code:
        return f"unclaimed: {order.claim_code}"
    return order.state


def delivered(client: Gamekeeper, database: sqlite3.Connection) -> Iterator[tuple[int, str]]:
    for order, player, item, quantity, key in database.execute(PAID).fetchall():
        state = deliver(client, player, item, quantity, key)
        # A crash here is the case that the id protects against.
        with database:
            database.execute("UPDATE orders SET state = ? WHERE id = ?", (state, order))
        yield order, state


def order(client: Gamekeeper, database: sqlite3.Connection, asked: list[str] | None) -> None:
    """Write down an order: what was asked for, or at the first run a potion for somebody."""
    if asked is not None:
        player, name, quantity = asked
        found = next((one for one in client.catalog.items(search=name) if one.name == name), None)
    elif database.execute("SELECT 1 FROM orders").fetchone():
        return
    else:
        player = next((one.name for one in client.players.all(limit=1)), "")
        found = next(client.catalog.items(search="Potion", limit=1), None)
        quantity = "1"
    if not player or found is None:
        raise SystemExit("nothing to order: there is no such item, or no character")
    with database:
        database.execute(ORDER, (player, found.id, int(quantity)))
    print(f"ordered: {quantity} × {found.name} for {player}")


def arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description="Deliver the orders of a shop, each once.")
    parser.add_argument("url", help="of the service, as `gamekeeper try` prints it")
    parser.add_argument("orders", nargs="?", type=Path, default=FILE, help=f"default: {FILE}")
    parser.add_argument("--order", nargs=3, metavar=("PLAYER", "ITEM", "QUANTITY"))
    if not os.environ.get("GAMEKEEPER_CLIENT_KEY"):
        parser.error("set GAMEKEEPER_CLIENT_KEY to the key, as `gamekeeper try` prints it")
    asked = parser.parse_args()
    if asked.order and not asked.order[2].isdecimal():
        parser.error("QUANTITY must be a number")
    return asked


def main() -> None:
    asked = arguments()
    asked.orders.parent.mkdir(parents=True, exist_ok=True)
    with Gamekeeper(asked.url) as client, closing(sqlite3.connect(asked.orders)) as database:
        database.execute(TABLE)
        order(client, database, asked.order)
        states = 0
        for number, state in delivered(client, database):
            print(f"order {number}: {state}")
            states += 1
        if not states:
            print("nothing to deliver; --order adds an order")


if __name__ == "__main__":
    try:
        main()
    except GamekeeperError as error:
        raise SystemExit(f"{type(error).__name__}: {error}") from None
    except KeyboardInterrupt:
        raise SystemExit("stopped") from None
