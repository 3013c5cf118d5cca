"""Nothing is lost or made when items are spread over slots."""

from uuid import UUID

import pytest
from hypothesis import given
from hypothesis import strategies as some

from gamekeeper.players.inventory import NO_BUFFS, Slots, Stack
from gamekeeper.players.rules import BagNotEmpty, NotEnoughItems, put, withdraw

POTION, SWORD = UUID(int=1), UUID(int=2)
BUFFED = (9, 9, 9, 9, 9)
SIZE = 12


@some.composite
def containers(draw) -> Slots:
    numbers = draw(some.sets(some.integers(0, SIZE - 1)))
    return {
        number: Stack(
            item_id=draw(some.sampled_from([POTION, SWORD])),
            quantity=draw(some.integers(1, 20)),
            stat_buffs=draw(some.sampled_from([NO_BUFFS, BUFFED])),
            bag_filled=draw(some.booleans()),
        )
        for number in numbers
    }


@given(containers(), some.integers(0, 400), some.integers(1, 20))
def test_what_was_put_and_what_found_no_room_is_what_there_was(slots, quantity, stack):
    changed, left = put(slots, SIZE, Stack(item_id=POTION, quantity=quantity), stack=stack)

    after = {**slots, **changed}
    assert count(after, POTION) + left == count(slots, POTION) + quantity
    assert count(after, SWORD) == count(slots, SWORD)
    assert all(0 <= number < SIZE for number in after)


@given(containers(), some.integers(0, 400), some.integers(1, 20))
def test_no_stack_grows_past_its_limit_and_none_shrinks(slots, quantity, stack):
    changed, _ = put(slots, SIZE, Stack(item_id=POTION, quantity=quantity), stack=stack)

    for number, held in changed.items():
        before = slots[number].quantity if number in slots else 0
        assert before < held.quantity <= max(stack, before)
        assert number not in slots or _plain_potions(slots[number])


@given(containers(), some.integers(0, 400), some.integers(1, 20))
def test_nothing_gains_or_loses_buffs(slots, quantity, stack):
    changed, _ = put(slots, SIZE, Stack(item_id=POTION, quantity=quantity), stack=stack)

    for number, held in changed.items():
        assert held.stat_buffs == NO_BUFFS
        assert number not in slots or slots[number].stat_buffs == NO_BUFFS


@given(containers(), some.integers(1, 400), some.integers(1, 20))
def test_something_is_left_only_when_all_is_full(slots, quantity, stack):
    changed, left = put(slots, SIZE, Stack(item_id=POTION, quantity=quantity), stack=stack)

    after = {**slots, **changed}
    if left:
        assert len(after) == SIZE
        assert all(held.quantity >= stack for held in after.values() if _plain_potions(held))


@given(containers(), some.integers(0, 400), some.integers(1, 20))
def test_stacks_are_filled_first_then_the_lowest_free_slots(slots, quantity, stack):
    changed, _ = put(slots, SIZE, Stack(item_id=POTION, quantity=quantity), stack=stack)

    new = [number for number in changed if number not in slots]
    free = [number for number in range(SIZE) if number not in slots]
    assert new == free[: len(new)]
    if new:
        stacks = {**slots, **changed}
        assert all(
            held.quantity >= stack
            for number, held in stacks.items()
            if _plain_potions(held) and number in slots
        )


@given(containers(), some.integers(1, 100))
def test_all_that_was_asked_is_taken_or_nothing(slots, quantity):
    there = {n: held for n, held in slots.items() if held.item_id == POTION}
    empty = sum(held.quantity for held in there.values() if not held.bag_filled)
    if count(there, POTION) < quantity:
        with pytest.raises(NotEnoughItems) as refused:
            withdraw(there, quantity, stays=False)
        assert refused.value.details == {"held": count(slots, POTION)}
    elif empty < quantity:
        with pytest.raises(BagNotEmpty) as refused:
            withdraw(there, quantity, stays=False)
        assert refused.value.details == {"held": count(slots, POTION), "empty": empty}
    else:
        changed = withdraw(there, quantity, stays=False)
        after = {number: held for number, held in {**slots, **changed}.items() if held}
        assert count(slots, POTION) - count(after, POTION) == quantity
        assert count(after, SWORD) == count(slots, SWORD)
        assert all(not slots[number].bag_filled for number in changed)


@given(containers(), some.data())
def test_the_lowest_slots_are_emptied_first(slots, data):
    loose = {n: slots[n] for n in slots if slots[n].item_id == POTION and not slots[n].bag_filled}
    if loose:
        quantity = data.draw(some.integers(1, count(loose, POTION)))
        changed = withdraw(loose, quantity, stays=False)
        assert list(changed) == sorted(loose)[: len(changed)]
        assert all(changed[number] is None for number in list(changed)[:-1])


@given(containers(), some.integers(1, 100), some.integers(1, 20))
def test_what_was_given_can_be_taken_back(slots, quantity, stack):
    changed, left = put(slots, SIZE, Stack(item_id=POTION, quantity=quantity), stack=stack)
    after = {**slots, **changed}
    there = {n: held for n, held in after.items() if held.item_id == POTION}

    if left < quantity and not any(held.bag_filled for held in there.values()):
        back = withdraw(there, quantity - left, stays=False)
        remaining = {number: held for number, held in {**after, **back}.items() if held}
        assert count(remaining, POTION) == count(slots, POTION)


def count(slots: Slots, item: UUID) -> int:
    return sum(held.quantity for held in slots.values() if held.item_id == item)


def _plain_potions(held: Stack) -> bool:
    return (held.item_id, held.stat_buffs) == (POTION, NO_BUFFS)
