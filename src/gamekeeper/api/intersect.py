"""
The shapes of the Intersect Engine's version 0.8: the one place that knows where it differs.

Every operation answers as 0.7 did. A client chooses 0.8 by the header Accept, an operator by a
setting, and then the document of the answer is changed here, after it was made: the same for an
answer that is repeated under an idempotency key (docs/decisions/0049-intersect-versions.md).
"""

from collections.abc import Callable, Mapping
from typing import Any

from gamekeeper.catalog import objects
from gamekeeper.catalog.object_types import NIL_TEXT, TYPES
from gamekeeper.core.errors import NotFound, Problem
from gamekeeper.core.settings import Settings
from gamekeeper.http.newer_shapes import NewerShape
from gamekeeper.http.requests import Request

NEWER = "application/vnd.intersect.0.8+json"
OLDER = "application/vnd.intersect.0.7+json"
GENDERS = {0: "Male", 1: "Female"}


def chooser(settings: Settings) -> Callable[[Request], bool]:
    """Whether a request is to be answered as 0.8 does: its Accept decides, or the setting."""
    is_default = settings.intersect_version == "0.8"

    def is_newer(request: Request) -> bool:
        accepted = request.headers.get("accept", "").lower()
        if "vnd.intersect." not in accepted:
            return is_default
        return NEWER in accepted or (is_default and OLDER not in accepted)

    return is_newer


class ObjectNotFound(NotFound):
    """No object of that type has that id."""


def _pascal(document: Any) -> Any:
    """Keys with a capital first letter, at every depth."""
    if isinstance(document, dict):
        return {key[:1].upper() + key[1:]: _pascal(value) for key, value in document.items()}
    return [_pascal(element) for element in document] if isinstance(document, list) else document


def _page(document: Any) -> Any:
    """The envelope of GET lists, of the older one."""
    return {
        "Total": document["total"],
        "Page": document["Page"],
        "PageSize": document["PageSize"],
        "Count": document["count"],
        "Values": document["entries"],
    }


def _objects(document: Any) -> Any:
    return _page(document | {"entries": [entry["Value"] for entry in document["entries"]]})


def _names(document: Any) -> Any:
    names = list(document.values())
    return {
        "Total": len(names),
        "Page": 0,
        "PageSize": len(names),
        "Count": len(names),
        "Values": names,
    }


def _filled(slots: Any) -> Any:
    return [slot for slot in slots if slot["ItemId"] != NIL_TEXT]


def _carried(document: Any) -> Any:
    return {"Inventory": _filled(document["inventory"]), "Bank": _filled(document["bank"])}


def _bag(document: Any) -> Any:
    return document | {"Slots": _filled(document["Slots"])}


def _spell(document: Any) -> Any:
    return {"Id": document["SpellId"]}


def _vitals(document: Any) -> Any:
    health, mana = document
    return {"Health": health, "Mana": mana}


def _player(document: Any) -> Any:
    return document | {
        "Vitals": _vitals(document["Vitals"]),
        "MaxVitals": _vitals(document["MaxVitals"]),
        "Gender": GENDERS.get(document["Gender"], str(document["Gender"])),
        "IsOnline": document["Online"],
        "IsDead": document["Dead"],
    }


def _players(document: Any) -> Any:
    return document | {"Values": [_player(player) for player in document["Values"]]}


def _no_object(problem: Problem, request: Request) -> Problem:
    if not isinstance(problem, objects.ObjectNotFound):
        return problem
    type_, wanted = request.parameters
    return ObjectNotFound(f"No {TYPES[type_.lower()]} with id '{wanted}'")


PASCAL = NewerShape(answer=_pascal)
LIST = NewerShape(answer=_page, keys={"pagesize": "count"}, defaults={"count": 10})
PLAYER = NewerShape(answer=_player)
PLAYERS = NewerShape(answer=_players)
PLAYERS_BY_POST = NewerShape(
    answer=lambda document: _players(_page(document)), keys=LIST.keys, defaults=LIST.defaults
)

SHAPES: Mapping[str, NewerShape] = {
    "get_info": PASCAL,
    "get_authorized": PASCAL,
    "get_stats": PASCAL,
    "count_online_players": PASCAL,
    "get_variable_value": PASCAL,
    "get_user_variable_value": PASCAL,
    "get_guild_variable_value": PASCAL,
    "get_game_variable_value": PASCAL,
    "get_global_variable_value": PASCAL,
    "give_item": PASCAL,
    "list_players": PLAYERS,
    "rank_players": PLAYERS,
    "list_online_players": PLAYERS,
    "list_guild_members": PLAYERS,
    "list_players_by_post": PLAYERS_BY_POST,
    "list_online_players_by_post": PLAYERS_BY_POST,
    "list_users_players": NewerShape(
        answer=lambda players: [_player(player) for player in players]
    ),
    "get_player": PLAYER,
    "get_users_player": PLAYER,
    "create_player": PLAYER,
    "delete_player": PLAYER,
    "rename_player": PLAYER,
    "set_level": PLAYER,
    "kick_guild_member": PLAYER,
    "set_guild_rank": PLAYER,
    "transfer_guild": PLAYER,
    "list_users_by_post": LIST,
    "list_guilds_by_post": LIST,
    "list_global_variables_by_post": LIST,
    "list_game_objects_by_post": NewerShape(
        answer=_objects, keys=LIST.keys, defaults=LIST.defaults
    ),
    "list_game_object_names_by_post": NewerShape(answer=_names),
    "get_game_object": NewerShape(refusal=_no_object),
    "list_items": NewerShape(answer=_carried),
    "list_inventory": NewerShape(answer=_filled),
    "list_bank": NewerShape(answer=_filled),
    "get_bag": NewerShape(answer=_bag),
    "change_class": NewerShape(answer=_player, keys={"id": "classid"}),
    "teach_spell": NewerShape(answer=_spell, keys={"id": "spellid"}),
    "forget_spell": NewerShape(answer=_spell, keys={"id": "spellid"}),
}
"""By the name of the operation."""
