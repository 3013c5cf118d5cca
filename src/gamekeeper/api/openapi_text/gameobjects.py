"""Text and examples for the OpenAPI document: game objects."""

from gamekeeper.api.openapi_text.examples import POTION
from gamekeeper.api.v1.gameobjects import ObjectEntry, ObjectNames, ObjectPage
from gamekeeper.catalog.object_types import DAY_CYCLE, DEFAULTS
from gamekeeper.core.schemas import LegacyPage, Page, Window
from gamekeeper.http.openapi import Example

OBJECT_TAGS = {
    "gameobjects": "For clients of the Intersect Engine: everything that the game's editor knows.",
}


SHOWN = DEFAULTS["item"] | {
    "Name": "Health Potion",
    "ItemType": 2,
    "Stackable": True,
    "MaxInventoryStack": 20,
    "MaxBankStack": 200,
    "Price": 12,
    "Id": str(POTION),
    "TimeCreated": 0,
}

OBJECT_EXAMPLES = {
    "get_day_cycle": Example(answer=DAY_CYCLE),
    "list_game_objects_by_post": Example(
        body={"page": 0, "count": 5},
        answer=LegacyPage.of(Page.of([ObjectEntry(key=POTION, value=SHOWN)], 1, Window.of(0, 5))),
    ),
    "list_game_objects": Example(
        answer=ObjectPage(total=1, page=0, page_size=10, count=1, values=[SHOWN])
    ),
    "list_game_object_names_by_post": Example(answer={str(POTION): "Health Potion"}),
    "list_game_object_names": Example(
        answer=ObjectNames(total=1, page=0, page_size=1, count=1, values=["Health Potion"])
    ),
    "get_game_object": Example(answer=SHOWN),
}
