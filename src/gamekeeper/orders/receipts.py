"""
Receipts of delivery, signed with Ed25519: evidence for the disputes of payment companies.

The signature is over the text of the document as it is sent, after a prefix of its own: the same
key signs the anchors of the hash chain, and neither can be taken for the other.
"""

from datetime import UTC, datetime
from typing import Any

import msgspec
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey
from cryptography.hazmat.primitives.serialization import Encoding, PublicFormat

from gamekeeper.core.schemas import Record
from gamekeeper.core.settings import Settings
from gamekeeper.db.database import Reader
from gamekeeper.orders import lists, presentation
from gamekeeper.orders.storage import StoredOrder, StoredOrderLine

PREFIX = b"gamekeeper receipt "
"""Before the document in the signed text."""


class Receipt(Record, frozen=True):
    """The delivered items with their characters and times, and a signature."""

    document: str
    """JSON, in the exact form that is signed."""
    signature: str
    """Ed25519 over `gamekeeper receipt `, then the document in UTF-8; hexadecimal."""
    public_key: str
    """The key that verifies the signature; hexadecimal."""


async def receipt(reader: Reader, shop: str, order_id: str) -> Receipt:
    """The receipt of an order, as of now."""
    order = await lists.find_order(reader, shop, order_id)
    names = await presentation.names_of_orders(reader, [order])
    lines = [
        _line(line)
        | {
            "character": names.players.get(line.player_id) if line.player_id else None,
            "read_at": names.read_at(line),
            "claimed_at": names.claimed_at(line),
        }
        for line in order.lines
    ]
    return _signed(reader.settings, _document(order, lines))


def _document(order: StoredOrder, lines: list[dict[str, Any]]) -> dict[str, Any]:
    return {
        "shop": order.shop,
        "order": order.order_id,
        "state": order.state,
        "account": order.user_id,
        "buyer": order.buyer_id,
        "amount": order.amount,
        "currency": order.currency,
        "paid_at": order.paid_at,
        "received_at": order.created_at,
        "dispute": order.dispute,
        "lines": lines,
        "issued_at": datetime.now(UTC),
    }


def _line(line: StoredOrderLine) -> dict[str, Any]:
    return {
        "number": line.number,
        "product": line.product,
        "quantity": line.quantity,
        "state": line.state,
        "items": line.delivered or (),
        "character_id": line.player_id,
        "letter": line.letter_id,
        "delivered_at": line.delivered_at,
    }


def _signed(settings: Settings, document: dict[str, Any]) -> Receipt:
    key = Ed25519PrivateKey.from_private_bytes(bytes.fromhex(settings.anchor_key))
    text = msgspec.json.encode(document)
    public = key.public_key().public_bytes(Encoding.Raw, PublicFormat.Raw)
    return Receipt(
        document=text.decode(),
        signature=key.sign(PREFIX + text).hex(),
        public_key=public.hex(),
    )
