"""Order commands: list, show, assign and refund orders; products of shops."""

from typing import Annotated, get_args
from uuid import UUID

import typer

from gamekeeper.auth.secrets import Vault
from gamekeeper.cli import names
from gamekeeper.cli.actor import By
from gamekeeper.cli.command import Output, TextTable, change, command
from gamekeeper.cli.options import Limit, an_id
from gamekeeper.cli.times import Clock, TerminalClock
from gamekeeper.core.schemas import Window
from gamekeeper.db.database import Database
from gamekeeper.orders import changes, lists, products, receipts
from gamekeeper.orders.changes import DisputeChange, OrderReceiver, Refund
from gamekeeper.orders.content import InvalidOrder, OrderedItem
from gamekeeper.orders.lists import OrderFilter
from gamekeeper.orders.products import ProductChange, ProductRemoval
from gamekeeper.orders.records import Order, OrderLine, OrderState, Product, Verdict

STATES: dict[str, OrderState] = {state: state for state in get_args(OrderState)}
VERDICTS: dict[str, Verdict] = {verdict: verdict for verdict in get_args(Verdict)}

Shop = Annotated[str, typer.Argument(metavar="SHOP", help="The shop's name.")]
OrderId = Annotated[str, typer.Argument(metavar="ORDER", help="The shop's own id of the order.")]
ProductId = Annotated[str, typer.Argument(metavar="PRODUCT", help="The shop's id of the product.")]
Character = Annotated[str, typer.Argument(metavar="CHARACTER", help="Its name or id.")]
Title = Annotated[str, typer.Argument(metavar="NAME", help="The subject of its letters.")]
Contents = Annotated[
    list[str], typer.Argument(metavar="ITEM[=QUANTITY]…", help="Its items, by name or id.")
]
OfShop = Annotated[str | None, typer.Option("--shop", metavar="NAME", help="Only of this shop.")]
OfUser = Annotated[
    str | None, typer.Option("--user", metavar="NAME", help="Only of this account, or paid by it.")
]
InState = Annotated[
    str | None, typer.Option("--state", metavar="STATE", help=f"Only {', '.join(STATES)}.")
]
Cursor = Annotated[
    UUID | None, typer.Option(parser=an_id, help="The cursor printed at the end of the last page.")
]
Lines = Annotated[
    list[int] | None,
    typer.Option("--line", metavar="NUMBER", help="Only this line; repeat it for several."),
]
VerdictWord = Annotated[str, typer.Argument(metavar="STATE", help="open, won or lost.")]


@command
async def list_(
    database: Database,
    *,
    shop: OfShop = None,
    user: OfUser = None,
    state: InState = None,
    limit: Limit = 20,
    cursor: Cursor = None,
    clock: Clock,
) -> Output:
    """Show orders, newest first."""
    if state is not None and state not in STATES:
        raise InvalidOrder(f"'--state' must be one of: {', '.join(STATES)}.", field="state")
    whose = (await names.user(database.reader, user)).id if user else None
    wanted = OrderFilter(shop=shop, state=STATES[state] if state else None, user_id=whose)
    found = await lists.list_orders(database.reader, wanted, cursor, limit)
    head = ["shop", "order", "state", "lines", "amount", "received"]
    table = TextTable(head, [_row(order, clock) for order in found.values])
    return Output(found, table, f"More: --cursor {found.next}" if found.next else None)


def _row(order: Order, clock: TerminalClock) -> list[str]:
    amount = f"{order.amount} {order.currency or ''}".strip() if order.amount else ""
    count = str(len(order.lines))
    return [order.shop, order.order_id, order.state, count, amount, clock.show(order.created_at)]


@command
async def show(database: Database, shop: Shop, order: OrderId, *, clock: Clock) -> Output:
    """Show an order with its lines and, if it is unclaimed, its claim code."""
    found = await lists.find_order(database.reader, shop, order)
    seen = lists.shown(found, Vault(database.settings))
    return Output(seen, _facts(seen, clock))


def _facts(order: Order, clock: TerminalClock) -> dict[str, str]:
    facts = {
        "state": order.state,
        "received": clock.show(order.created_at),
        "account": str(order.user_id or "none"),
        "dispute": order.dispute or "none",
    }
    if order.claim_code:
        facts["claim code"] = order.claim_code
    return facts | {f"line {line.number}": _line(line) for line in order.lines}


def _line(line: OrderLine) -> str:
    what = line.product or f"{len(line.items)} items"
    reason = f" ({line.reason})" if line.reason else ""
    return f"{line.quantity} × {what}: {line.state}{reason}"


@change("orders.manage")
async def assign(
    database: Database, shop: Shop, order: OrderId, character: Character, *, by: By
) -> Output:
    """Give an unclaimed order to a character."""
    command = OrderReceiver(by=by, shop=shop, order_id=order, character=character)
    done = lists.shown(await changes.assign.one(database, command))
    return Output(done, f"The order is {done.state}.")


@change("orders.manage")
async def refund(
    database: Database, shop: Shop, order: OrderId, *, line: Lines = None, by: By
) -> Output:
    """Take back what a refunded order delivered, in whole lines."""
    command = Refund(by=by, shop=shop, order_id=order, lines=tuple(line) if line else None)
    done = lists.shown(await changes.refund.one(database, command))
    lost = [str(each.number) for each in done.lines if each.state == "lost"]
    rest = f" No longer there: line {', '.join(lost)}." if lost else ""
    return Output(done, f"The order is {done.state}.{rest}")


@change("orders.manage")
async def dispute(
    database: Database, shop: Shop, order: OrderId, state: VerdictWord, *, by: By
) -> Output:
    """Record a dispute: open, won or lost. The first verdict is final."""
    if state not in VERDICTS:
        raise InvalidOrder("The state must be open, won or lost.", field="state")
    command = DisputeChange(by=by, shop=shop, order_id=order, verdict=VERDICTS[state])
    done = lists.shown(await changes.dispute.one(database, command))
    return Output(done, f"The order is {done.state}.")


@command
async def receipt(database: Database, shop: Shop, order: OrderId) -> Output:
    """Print the signed receipt of an order, as evidence in a dispute."""
    found = await receipts.receipt(database.reader, shop, order)
    facts = {"signature": found.signature, "public key": found.public_key}
    return Output(found, facts | {"document": found.document})


@command
async def products_(database: Database, *, shop: OfShop = None, limit: Limit = 100) -> Output:
    """Show products, with the items that each delivers."""
    found = await products.list_products(database.reader, Window.of(0, limit), shop)
    rows = [[each.shop, each.product, each.name, str(len(each.items))] for each in found.values]
    return Output(found, TextTable(["shop", "product", "name", "items"], rows))


@change("orders.manage")
async def product(
    database: Database,
    shop: Shop,
    product: ProductId,
    name: Title,
    items: Contents,
    *,
    by: By,
) -> Output:
    """
    Create or replace a product.

    For example: gamekeeper orders product webshop potion-pack "Potion pack" "Health Potion=5"
    """
    ordered = tuple([await _item(database, text) for text in items])
    command = ProductChange(by=by, shop=shop, product=product, name=name, items=ordered)
    return Output(await products.change.one(database, command), "Saved.")


async def _item(database: Database, text: str) -> OrderedItem:
    name, _, count = text.partition("=")
    if count and not count.isdecimal():
        raise InvalidOrder(f"'{text}' must be ITEM or ITEM=QUANTITY.", field="items")
    item = await names.entry(database.reader, "item", name)
    return OrderedItem(item_id=item.id, quantity=int(count or 1))


@change("orders.manage")
async def remove_product(database: Database, shop: Shop, product: ProductId, *, by: By) -> Output:
    """Delete a product. Orders of it wait until it exists again."""
    command = ProductRemoval(by=by, shop=shop, product=product)
    done: Product = await products.remove.one(database, command)
    return Output(done, f"Deleted {done.name}.")
