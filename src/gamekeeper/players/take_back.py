"""Taking back what was given, as far as it is there: refunds, and reversals of campaigns."""

from uuid import UUID

from gamekeeper.players.inventory import Container, PostingContext
from gamekeeper.players.rules import withdraw
from gamekeeper.players.state import State


def take_up_to(
    state: State,
    player: UUID,
    place: Container,
    wanted: tuple[UUID, int],
    context: PostingContext,
) -> int:
    """Take at most so many of an item out of a place, but no filled bags; how many it took."""
    item, most = wanted
    slots = state.inventory.at(player, place)
    found = {
        number: held
        for number, held in slots.items()
        if held.item_id == item and not held.bag_filled
    }
    taken = min(most, sum(held.quantity for held in found.values()))
    if taken:
        for number, left in withdraw(found, taken, stays=False).items():
            state.inventory.set_slot((player, place, number), left, context)
    return taken
