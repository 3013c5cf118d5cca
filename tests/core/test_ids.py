"""Ids in the order in which they were made."""

from gamekeeper.core import ids


def test_ids_only_grow_and_are_of_version_seven():
    made = [ids.new_id() for _ in range(100_000)]

    assert made == sorted(made)
    assert len(set(made)) == len(made)
    assert {(one.version, one.variant) for one in made} == {(7, "specified in RFC 4122")}
