"""The icons of the demo's items: every item has one, small, and drawn for it."""

from gamekeeper.demo import world

SMALL = 3000


def test_every_item_has_a_small_icon():
    catalog = world.catalog()
    pictures = {item.name: catalog.icons[item.id].png for item in catalog.items}
    assert all(pictures.values())
    assert {
        name: len(png or b"") for name, png in pictures.items() if len(png or b"") > SMALL
    } == {}


def test_no_two_items_look_alike():
    catalog = world.catalog()
    assert len({icon.digest for icon in catalog.icons.values()}) == len(catalog.items)
