"""The table of the commands about orders; the others are in `commands`."""

from gamekeeper.cli.lazy import LazyCommand, LazyGroup

ORDERS = LazyGroup(
    {
        "list": LazyCommand("orders:list_", "Show orders, newest first."),
        "show": LazyCommand(
            "orders:show",
            "Show an order with its lines and, if it is unclaimed, its claim code.",
        ),
        "assign": LazyCommand("orders:assign", "Give an unclaimed order to a character."),
        "refund": LazyCommand(
            "orders:refund", "Take back what a refunded order delivered, in whole lines."
        ),
        "dispute": LazyCommand(
            "orders:dispute", "Record a dispute: open, won or lost. The first verdict is final."
        ),
        "compare": LazyCommand(
            "orders:compare",
            "Compare the shop's paid orders with those that are stored, and change nothing.",
        ),
        "receipt": LazyCommand(
            "orders:receipt", "Print the signed receipt of an order, as evidence in a dispute."
        ),
        "products": LazyCommand(
            "orders:products_", "Show products, with the items that each delivers."
        ),
        "product": LazyCommand("orders:product", "Create or replace a product."),
        "remove-product": LazyCommand(
            "orders:remove_product", "Delete a product. Orders of it wait until it exists again."
        ),
    },
    "Orders of shops and their products: list, assign and refund.",
)
