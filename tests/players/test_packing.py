"""Nothing is lost or made when items are spread over slots."""

from uuid import UUID

from hypothesis import given
from hypothesis import strategies as some

from gamekeeper.players.packing import NO_BUFFS, Slots, Stack, count, put, take

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


@given(containers(), some.integers(0, 300))
def test_what_was_taken_and_what_is_lacking_is_what_was_asked(slots, quantity):
    changed, lacking = take(slots, POTION, quantity)

    after = {number: held for number, held in {**slots, **changed}.items() if held}
    assert count(slots, POTION) - count(after, POTION) == quantity - lacking
    assert count(after, SWORD) == count(slots, SWORD)
    assert all(not slots[number].bag_filled for number in changed)


@given(containers(), some.integers(1, 300))
def test_the_lowest_slots_are_emptied_first(slots, quantity):
    changed, _ = take(slots, POTION, quantity)

    loose = [n for n in sorted(slots) if slots[n].item_id == POTION and not slots[n].bag_filled]
    assert list(changed) == loose[: len(changed)]
    assert all(changed[number] is None for number in list(changed)[:-1])


@given(containers(), some.integers(1, 100), some.integers(1, 20))
def test_what_was_given_can_be_taken_back(slots, quantity, stack):
    changed, left = put(slots, SIZE, Stack(item_id=POTION, quantity=quantity), stack=stack)
    after = {**slots, **changed}

    back, lacking = take(after, POTION, quantity - left)
    remaining = {number: held for number, held in {**after, **back}.items() if held}

    blocked = sum(h.quantity for h in after.values() if h.item_id == POTION and h.bag_filled)
    if not blocked:
        assert lacking == 0
        assert count(remaining, POTION) == count(slots, POTION)


def _plain_potions(held: Stack) -> bool:
    return (held.item_id, held.stat_buffs) == (POTION, NO_BUFFS)
