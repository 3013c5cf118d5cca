"""The orders of the story: delivered, refunded, disputed, waiting, and one with a misspelt name."""

from datetime import datetime, timedelta
from decimal import Decimal
from uuid import UUID

from msgspec import Struct
from msgspec.structs import replace

from gamekeeper.core.ids import NIL
from gamekeeper.db.database import Writer
from gamekeeper.db.operations import AuditContext, Command
from gamekeeper.demo import world
from gamekeeper.demo.story.cast import FENCE, HERO, VICTIMS, WEBSITE, Cast
from gamekeeper.demo.story.schedule import Schedule
from gamekeeper.orders import changes, intake, products
from gamekeeper.orders.changes import DisputeChange, Refund
from gamekeeper.orders.content import Content, OrderedItem, OrderedLine
from gamekeeper.orders.products import ProductChange
from gamekeeper.players.mailbox import changes as letters
from gamekeeper.players.mailbox.changes import LetterCommand

CLAIMED, GIFT, REFUNDED, MISSPELT = "WS-2041", "WS-2042", "WS-2043", "WS-2044"
UNKNOWN_PRODUCT, DISPUTED = "tbx-7f31a90c", "pi_3Q8mVw"

PACK = OrderedLine(product="potion-pack")
CAKE = OrderedLine(product="festival-cake")
GOLD = OrderedLine(product="gold")
# Shop, id, name, item and quantity.
PRODUCTS = (
    (WEBSITE, "potion-pack", "Potion pack", "Health Potion", 5),
    (WEBSITE, "festival-cake", "Festival cake", "Honey Cake", 3),
    ("stripe", "gold", "Purse of gold", "Gold Coin", 500),
)
OSWIN, TILDA, HUGO = VICTIMS


class Purchase(Struct, frozen=True, kw_only=True):
    """An order, how long ago it was paid, and the price."""

    order_id: str
    ago: timedelta
    lines: tuple[OrderedLine, ...]
    price: str
    shop: str = WEBSITE
    account: str | None = None
    character: str | None = None
    buyer: str | None = None


PURCHASES = (
    Purchase(
        order_id=CLAIMED,
        ago=timedelta(days=5, hours=7),
        lines=(replace(PACK, quantity=2), CAKE),
        price="14.97",
        account=HERO.account,
    ),
    Purchase(
        order_id=GIFT,
        ago=timedelta(days=3, hours=2),
        lines=(CAKE,),
        price="4.99",
        character=TILDA.name,
        buyer=OSWIN.account,
    ),
    Purchase(
        order_id=REFUNDED,
        ago=timedelta(days=2, hours=5),
        lines=(PACK,),
        price="4.99",
        account=HUGO.account,
    ),
    Purchase(
        order_id=MISSPELT,
        ago=timedelta(hours=30),
        lines=(PACK,),
        price="4.99",
        account="osvin",
    ),
    Purchase(
        order_id=UNKNOWN_PRODUCT,
        ago=timedelta(hours=20),
        lines=(OrderedLine(product="6514023"),),
        price="19.99",
        shop="tebex",
        account=FENCE.account,
    ),
    Purchase(
        order_id=DISPUTED,
        ago=timedelta(hours=16),
        lines=(GOLD,),
        price="9.99",
        shop="stripe",
        account=TILDA.account,
    ),
)


def draw(schedule: Schedule, cast: Cast) -> None:
    """Put products, orders, a claim, a refund and a dispute into the schedule."""
    for shop, product, name, item, quantity in PRODUCTS:
        change = ProductChange(
            by=cast.staff["Maren"],
            shop=shop,
            product=product,
            name=name,
            items=(OrderedItem(item_id=world.items()[item].id, quantity=quantity),),
        )
        schedule.add(schedule.began + timedelta(hours=8), products.change, change)
    for purchase in PURCHASES:
        _buy(schedule, cast, purchase)


def _buy(schedule: Schedule, cast: Cast, purchase: Purchase) -> None:
    at = schedule.now - purchase.ago
    # A refund without its order would leave an order without content behind.
    if at < schedule.began + timedelta(hours=9):
        return
    by = _shop(cast, purchase.shop)
    sent = Content(
        account=purchase.account,
        character=purchase.character,
        buyer=purchase.buyer,
        lines=purchase.lines,
        amount=Decimal(purchase.price),
        currency="EUR",
        paid_at=at - timedelta(seconds=4),
    )
    order = intake.new_order(cast.vault, by, purchase.shop, purchase.order_id, sent)
    schedule.add(at, intake.receive, order)
    _follow_up(schedule, cast, purchase, at)


def _follow_up(schedule: Schedule, cast: Cast, purchase: Purchase, at: datetime) -> None:
    by, shop, order_id = _shop(cast, purchase.shop), purchase.shop, purchase.order_id
    if purchase.order_id == CLAIMED:
        claim = at + timedelta(minutes=50)
        schedule.add(claim, letters.claim, lambda writer: _claim(writer, cast))
    if purchase.order_id == REFUNDED:
        refund = Refund(by=by, shop=shop, order_id=order_id)
        schedule.add(at + timedelta(hours=19), changes.refund, refund)
    if purchase.order_id == DISPUTED:
        dispute = DisputeChange(by=by, shop=shop, order_id=order_id, verdict="open")
        schedule.add(at + timedelta(hours=12), changes.dispute, dispute)


def _shop(cast: Cast, shop: str) -> AuditContext:
    if shop == WEBSITE:
        return cast.website
    return AuditContext(actor="system", name=f"shop {shop}")


async def _claim(writer: Writer, cast: Cast) -> Command:
    """The claim of the first letter that the order of the hero delivered."""
    letter: UUID | None = await writer.value(
        """
        SELECT letter_id FROM order_lines JOIN orders ON orders.id = order_lines.order_id
         WHERE orders.order_id = $1 AND number = 1
        """,
        CLAIMED,
    )
    by = replace(cast.servers["Ravenmoor"], reason="opened the mailbox")
    return LetterCommand(by=by, player=HERO.name, letter_id=letter or NIL)
