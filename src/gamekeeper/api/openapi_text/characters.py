"""Examples for the OpenAPI document: creating, changing and deleting characters."""

from uuid import UUID

from msgspec import structs

from gamekeeper.api.openapi_text.examples import PLAYER, VILLAGE, WARRIOR
from gamekeeper.catalog.classes import UnknownClass
from gamekeeper.core.errors import Problem
from gamekeeper.core.ids import NIL as NOTHING
from gamekeeper.http.openapi import Example
from gamekeeper.players.characters import TooManyCharacters
from gamekeeper.players.sheet import InvalidSheet, LevelAboveClass, Sheet

SHEET = Sheet(
    class_id=WARRIOR,
    gender=1,
    stat_points=3,
    vitals=[187, 140],
    max_vitals=[220, 140],
    base_stats=[14, 8, 12, 10, 11],
    stat_point_allocations=[4, 0, 3, 0, 2],
    equipment=[0, -1, -1, -1, -1],
    map_id=VILLAGE,
    map_name="Willowbrook",
    x=17,
    y=9,
    z=0,
    dir=2,
    sprite="warrior_f1.png",
    face="ana.png",
    name_color="#FFC0A0FF",
)

NEW = structs.replace(
    PLAYER,
    id=UUID("0c6a4f5e-8f0b-4d1c-9a77-3f2f6f9f1b21"),
    name="Bo Reed",
    gender=0,
    level=1,
    exp=0,
    experience_to_next_level=100,
    max_vitals=[110, 60],
    vitals=[110, 60],
    stat_points=0,
    stat_point_allocations=[0] * 5,
    equipment=[-1] * 5,
    map_id=NOTHING,
    map_name="",
    x=0,
    y=0,
    dir=0,
    sprite="warrior_m1.png",
    face="",
    online=False,
    last_online=PLAYER.creation_date,
    play_time_seconds=0,
)

CHARACTER_EXAMPLES = {
    "create_player": Example(
        body={"name": NEW.name, "classid": str(WARRIOR), "gender": 0, "sprite": "warrior_m1.png"},
        answer=NEW,
    ),
    "delete_player": Example(body={}, answer=PLAYER),
    "rename_player": Example(body={"name": PLAYER.name}, answer=PLAYER),
    "change_class": Example(body={"classid": str(WARRIOR)}, answer=PLAYER),
    "set_level": Example(body={"level": PLAYER.level}, answer=PLAYER),
    "get_sheet": Example(answer=SHEET),
    "save_sheet": Example(
        body={"mapid": str(VILLAGE), "mapname": "Willowbrook", "x": 17, "y": 9}, answer=SHEET
    ),
}

CHARACTER_REFUSALS: dict[type[Problem], Problem] = {
    TooManyCharacters: TooManyCharacters(None, most=1),
    LevelAboveClass: LevelAboveClass(None, level=51, highest=50),
    InvalidSheet: InvalidSheet("'dir' must be from 0 to 255.", field="dir"),
    UnknownClass: UnknownClass(),
}
