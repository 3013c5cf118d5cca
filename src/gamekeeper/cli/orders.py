"""Order commands: list, show, assign, refund and compare orders; products of shops."""

import csv
from pathlib import Path
from typing import Annotated, get_args
from uuid import UUID

import typer

from gamekeeper.auth.secrets import Vault
from gamekeeper.cli import names
from gamekeeper.cli.actor import By
from gamekeeper.cli.command import Output, TextTable, change, command
from gamekeeper.cli.options import Limit, Since, Until, an_id
from gamekeeper.cli.times import Clock, TerminalClock
from gamekeeper.core.schemas import Window
from gamekeeper.db.database import Database
from gamekeeper.orders import (
    changes,
    content,
    lists,
    presentation,
    products,
    receipts,
    reconciliation,
)
from gamekeeper.orders.changes import DisputeChange, OrderReceiver, Refund
from gamekeeper.orders.content import InvalidOrder, OrderedItem
from gamekeeper.orders.lists import OrderFilter
from gamekeeper.orders.products import ProductChange, ProductRemoval
from gamekeeper.orders.reconciliation import MAX_STATEMENT, PaidOrder, Reconciliation
from gamekeeper.orders.records import Order, OrderLine, OrderState, Product, Verdict

STATES: dict[str, OrderState] = {state: state for state in get_args(OrderState)}
HEADINGS = ("order", "orderid", "order_id", "order id", "id")
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
Statement = Annotated[
    Path,
    typer.Argument(
        metavar="FILE",
        help="A CSV file: order, and if you like amount, currency and 'refunded'.",
        show_default=False,
    ),
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
    seen = await presentation.shown(database.reader, found, Vault(database.settings))
    return Output(seen, _facts(seen, clock))


def _facts(order: Order, clock: TerminalClock) -> dict[str, str]:
    facts = {
        "state": order.state,
        "received": clock.show(order.created_at),
        "account": order.user_name or str(order.user_id or "none"),
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
    changed = await changes.assign.one(database, command)
    done = await presentation.shown(database.reader, changed)
    return Output(done, f"The order is {done.state}.")


@change("orders.manage")
async def refund(
    database: Database, shop: Shop, order: OrderId, *, line: Lines = None, by: By
) -> Output:
    """Take back what a refunded order delivered, in whole lines."""
    command = Refund(by=by, shop=shop, order_id=order, lines=tuple(line) if line else None)
    changed = await changes.refund.one(database, command)
    done = await presentation.shown(database.reader, changed)
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
    changed = await changes.dispute.one(database, command)
    done = await presentation.shown(database.reader, changed)
    return Output(done, f"The order is {done.state}.")


@command
async def compare(
    database: Database,
    shop: Shop,
    file: Statement,
    *,
    since: Since = None,
    until: Until = None,
    clock: Clock,
) -> Output:
    """
    Compare the shop's paid orders with those that are stored, and change nothing.

    With --from and --to, orders of that time that the list does not have are shown, too.
    """
    begin, end = clock.period(since, until)
    paid = _statement(_read(file))
    found = await reconciliation.reconcile(database.reader, shop, paid, begin, end)
    rows = _differences(found)
    table = TextTable(["difference", "order", "fields"], rows)
    return Output(found, table if rows else "Both lists are the same.")


def _read(file: Path) -> str:
    try:
        return file.read_text(encoding="utf-8-sig")
    except (OSError, UnicodeDecodeError) as wrong:
        raise InvalidOrder(f"{file} cannot be read: {wrong}.", field="file") from None


def _statement(text: str) -> list[PaidOrder]:
    rows = [row for row in csv.reader(text.splitlines()) if row and row[0].strip()]
    # Ids of shops have digits; a heading names its column.
    if rows and rows[0][0].strip().lower() in HEADINGS:
        del rows[0]
    if len(rows) > MAX_STATEMENT:
        raise InvalidOrder(f"A list has at most {MAX_STATEMENT:,} orders.", field="orders")
    return [_paid(*(cell.strip() for cell in row[:4])) for row in rows]


def _paid(order: str, amount: str = "", currency: str = "", refunded: str = "") -> PaidOrder:
    return PaidOrder(
        order_id=order,
        amount=content.amount_of(amount or None),
        currency=currency or None,
        is_refunded=refunded.lower() in ("refunded", "true", "yes"),
    )


def _differences(found: Reconciliation) -> list[list[str]]:
    rows = [["missing", order, ""] for order in found.missing]
    rows += [["extra", order, ""] for order in found.extra]
    rows += [["different", each.order_id, ", ".join(each.fields)] for each in found.different]
    return rows + [["not delivered", order, ""] for order in found.undelivered]


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
