"""Actions on the orders and products of shops."""

from gamekeeper.ledger.kinds.records import ActionKind, Look

ORDERS = (
    ActionKind(
        "orders.receive",
        Look("Received an order", "items", "gain", "shopping-cart"),
        instead="An order cannot be undone. Refund it.",
    ),
    ActionKind(
        "orders.assign",
        Look("Assigned an order", "items", "change", "shopping-cart"),
        instead="An order keeps its receiver. Refund the order.",
    ),
    ActionKind(
        "orders.refund",
        Look("Refunded an order", "items", "loss", "receipt-refund"),
        instead="A refund is final. Give the items instead.",
    ),
    ActionKind(
        "orders.return",
        Look("Took back refunded items", "items", "loss", "receipt-refund", series="gifts"),
        moment="order refunded",
        instead="A refund is final. Give the items instead.",
        accounts=("refund",),
    ),
    ActionKind(
        "orders.dispute",
        Look("Changed the dispute of an order", "items", "change", "gavel"),
        instead="Record the verdict of the dispute instead.",
    ),
    ActionKind(
        "products.change",
        Look("Changed a product", "system", "change", "tag"),
        instead="Change the product back.",
    ),
    ActionKind(
        "products.remove",
        Look("Deleted a product", "system", "loss", "tag"),
        instead="Create the product again.",
    ),
)
