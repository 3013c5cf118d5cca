"""Gives an item twice under one key with the generated client, and says what came back."""

import sys
from uuid import UUID

from gamekeeper_generated import AuthenticatedClient
from gamekeeper_generated.api.players import give_item, list_inventory, set_variable
from gamekeeper_generated.models import ErrorCode, Failure, GiveItem, GivenItem, SetVariable

url, key, player, item, variable, order = sys.argv[1:]

with AuthenticatedClient(base_url=url, token=key) as client:

    def give(quantity: int):
        return give_item.sync_detailed(
            player,
            client=client,
            body=GiveItem(itemid=UUID(item), quantity=quantity, bankoverflow=True),
            idempotency_key=order,
            x_reason="order 5512",
        )

    for _ in range(2):
        given = give(5)
        assert isinstance(given.parsed, GivenItem)
        replayed = "Idempotency-Replayed" in given.headers
        print(given.parsed.id, given.parsed.quantity.inventory, replayed)
    for slot in list_inventory.sync(player, client=client):
        if slot.quantity > 0:
            print(slot.item_id, slot.quantity, slot.bag_id is None)
    value = set_variable.sync(player, UUID(variable), client=client, body=SetVariable(value=42))
    print(value.variable_id, value.value)
    refused = give(6)
    assert isinstance(refused.parsed, Failure)
    print(refused.status_code, refused.parsed.code is ErrorCode.IDEMPOTENCY_KEY_REUSED)
