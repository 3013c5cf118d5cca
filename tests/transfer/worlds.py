"""A small game to import: its catalog, its lines, and the proof that a database is whole."""

import io
from collections.abc import Iterable
from pathlib import Path
from typing import Any
from uuid import UUID, uuid4, uuid5

import msgspec

from gamekeeper.catalog import files, importer
from gamekeeper.core.settings import Settings
from gamekeeper.db.database import Database
from gamekeeper.db.paging.orderings import ORDERINGS
from gamekeeper.db.paging.verify import check
from gamekeeper.ledger.verify_ledger import verify
from gamekeeper.transfer import exporter
from gamekeeper.transfer import importer as transfer
from gamekeeper.transfer.importer import ImportReport
from tests.make import BY

ROOT = UUID("aaaaaaaa-0000-4000-8000-000000000000")


def named(name: str) -> str:
    """An id that is the same each time."""
    return str(uuid5(ROOT, name))


POTION, SWORD, POUCH, LETTER = (named(name) for name in ("potion", "sword", "pouch", "letter"))
SPARK, BLINK = named("spark"), named("blink")
KARMA, TITLE, RATE, DONE = (named(name) for name in ("karma", "title", "rate", "done"))
VOTES, RENOWN, HALL = (named(name) for name in ("votes", "renown", "hall"))
SEASON, EVENT = named("season"), named("event")
KNIGHT, SQUIRE = named("knight"), named("squire")

CATALOG = {
    "items": [
        {"id": POTION, "name": "Potion", "type": "consumable", "stackable": True}
        | {"inventory_stack": 10, "bank_stack": 50},
        {"id": SWORD, "name": "Sword", "type": "equipment"},
        {"id": POUCH, "name": "Pouch", "type": "bag", "bag_slots": 4},
        {"id": LETTER, "name": "Letter", "type": "none", "bankable": False},
    ],
    "spells": [{"id": SPARK, "name": "Spark", "bound": True}, {"id": BLINK, "name": "Blink"}],
    "variables": [
        {"id": KARMA, "name": "Karma", "type": "integer"},
        {"id": TITLE, "name": "Title", "type": "string"},
        {"id": RATE, "name": "Rate", "type": "number"},
        {"id": DONE, "name": "Done", "type": "boolean"},
        {"id": VOTES, "name": "Votes", "type": "integer", "owner": "user"},
        {"id": RENOWN, "name": "Renown", "type": "number", "owner": "user"},
        {"id": HALL, "name": "Hall", "type": "integer", "owner": "guild"},
        {"id": SEASON, "name": "Season", "type": "string", "owner": "game"},
        {"id": EVENT, "name": "Event", "type": "boolean", "owner": "game"},
    ],
    "classes": [
        {"id": KNIGHT, "name": "Knight"},
        {"id": SQUIRE, "name": "Squire", "max_level": 5},
    ],
}


async def make_catalog(database: Database) -> None:
    await importer.bring(database, files.parse(CATALOG, "test"), BY)


def user(name: str = "ana", **about: Any) -> dict[str, Any]:
    plain = {"kind": "user", "id": named(f"user {name}"), "name": name}
    return plain | {"email": f"{name}@example.com"} | about


def player(name: str = "Ana", owner: str = "ana", **about: Any) -> dict[str, Any]:
    plain = {"kind": "player", "id": named(f"player {name}"), "user_id": named(f"user {owner}")}
    return plain | {"name": name, "class_id": KNIGHT} | about


def held(slot: int, item: str, quantity: int = 1, **about: Any) -> dict[str, Any]:
    return {"slot": slot, "item_id": item, "quantity": quantity} | about


BAG = str(uuid4())


def rich_player(**about: Any) -> dict[str, Any]:
    """A character with something of everything."""
    full: dict[str, Any] = {
        "level": 7,
        "exp": 12345678901,
        "vitals": [5, 6],
        "max_vitals": [50, 60],
        "equipment": [-1, 0, -1, -1, -1, -1, -1],
        "name_color": "#ff8800",
        "last_online": "2026-01-02T03:04:05.678901Z",
        "created_at": "2020-01-02T03:04:05+02:00",
        "play_time_seconds": 99,
        "inventory": [
            held(3, POTION, 10),
            held(0, SWORD, stat_buffs=[1, 2, 3, 0, -5]),
            held(1, POUCH, bag={"id": BAG, "slots": [held(2, POTION, 9), held(0, SWORD)]}),
        ],
        "bank": [held(99, POTION, 50), held(5, POUCH)],
        "spells": [{"slot": 4, "spell_id": SPARK}],
        "variables": {KARMA: -5, TITLE: "the Ünready", RATE: 1e300, DONE: True},
    }
    return player() | full | about


def write(path: Path, lines: Iterable[object]) -> Path:
    path.write_bytes(msgspec.json.Encoder().encode_lines(lines))
    return path


async def bring(
    settings: Settings, folder: Path, *lines: object, dry_run: bool = False
) -> ImportReport:
    return await transfer.bring(settings, write(folder / "game.jsonl", lines), BY, dry_run=dry_run)


async def exported(settings: Settings, *, private: bool = True) -> list[dict[str, Any]]:
    out = io.BytesIO()
    await exporter.send(settings, out, private=private)
    return [msgspec.json.decode(line) for line in out.getvalue().splitlines()]


async def exported_people(settings: Settings) -> list[dict[str, Any]]:
    """The accounts and characters of an export."""
    return [line for line in await exported(settings) if line["kind"] in ("user", "player")]


async def assert_whole(settings: Settings) -> None:
    """The ledger holds, and the counts of all lists are right."""
    assert (await verify(settings)).breach is None
    assert [one.wrong for one in [await check(settings, each) for each in ORDERINGS]] == [[]] * 4


def counts(report: ImportReport) -> tuple[tuple[int, int, int], tuple[int, int, int]]:
    """How many accounts and characters were added, changed, unchanged."""
    of = [(one.added, one.changed, one.unchanged) for one in (report.users, report.players)]
    return of[0], of[1]
