"""Answers are objects with Python names, and still the dicts that were sent."""

import copy
import inspect
import json
import pickle
from collections.abc import Iterator
from datetime import UTC, date, datetime
from email.utils import format_datetime
from typing import Any

import pytest
from gamekeeper_client import APIError, Gamekeeper, records
from gamekeeper_client.fields import Cursor, LegacyPage, Page, Record, reader
from gamekeeper_client.records import (
    Bag,
    EventEntry,
    Flow,
    OnlineCount,
    Player,
    Slot,
    TokenAnswer,
    TransactionOutcome,
    User,
)

from tests.clients.answers import answering
from tests.clients.records import DOCUMENT, SCHEMAS, python_name
from tests.clients.test_endpoints import ENDPOINTS, shape

KINDS = [
    kind
    for kind in vars(records).values()
    if isinstance(kind, type) and issubclass(kind, Record) and kind is not Record
]
PLAIN = {"string": "a", "integer": 3, "number": 0.5, "boolean": True, "object": {"A": 1}}
TEXTS = {"date-time": "2026-03-14T18:22:05Z", "date": "2026-03-14"}


def examples() -> Iterator[Any]:
    """Each example of an answer in the document, and the type that the client has for it."""
    for path, operations in DOCUMENT["paths"].items():
        for method, operation in operations.items():
            content = operation["responses"]["200"].get("content", {})
            about = content.get("application/json", {})
            if "example" in about and (method.upper(), shape(path)) in ENDPOINTS:
                answer = ENDPOINTS[method.upper(), shape(path)].asked.__annotations__["return"]
                yield pytest.param(answer, about, id=f"{method.upper()} {path}")


EXAMPLES = list(examples())


def read(schema: dict[str, Any], raw: Any, value: Any) -> Iterator[str]:
    """Compare a value with what was sent; every field that was seen."""
    if "$ref" in schema and isinstance(raw, dict):
        assert isinstance(value, Record)
        name = schema["$ref"].rpartition("/")[2]
        for key, part in SCHEMAS[name]["properties"].items():
            if key in raw:
                yield f"{name}.{key}"
                found = raw[key], getattr(value, python_name(key))
                yield from read(part, *found)
    elif "allOf" in schema or "anyOf" in schema:
        for part in schema.get("allOf") or schema["anyOf"]:
            if raw is None or part != {"type": "null"}:
                yield from read(part, raw, value)
    elif isinstance(raw, list) and schema.get("items") == {"type": "string"}:
        yield from value
        assert value == raw
    elif isinstance(raw, list) and "items" in schema:
        assert len(raw) == len(value)
        for one, found in zip(raw, value, strict=True):
            yield from read(schema["items"], one, found)
    elif schema.get("type") == "object" and isinstance(value, Record):
        yield from value
        assert value == raw
    elif schema.get("format") == "date-time" and raw is not None:
        assert type(value) is datetime
        assert value.utcoffset() is not None
        assert value == datetime.fromisoformat(raw)
    elif schema.get("format") == "date":
        assert type(value) is date
        assert value.isoformat() == raw
    elif schema.get("description") == "RFC 1123.":
        assert format_datetime(value, usegmt=True) == raw
    else:
        assert value == raw
        assert type(value) is type(raw)


@pytest.mark.parametrize(("answer", "about"), EXAMPLES)
def test_every_field_of_an_example_is_read_by_its_python_name(answer: Any, about: dict[str, Any]):
    raw = about["example"]
    value = reader(answer)(copy.deepcopy(raw))
    assert list(read(about["schema"], raw, value)) or raw in ({}, [])
    assert value == raw
    assert json.loads(json.dumps(value)) == raw
    assert pickle.loads(pickle.dumps(value)) == value


def sample(schema: dict[str, Any]) -> Any:
    """A value of a schema with every field, those too that the examples leave out."""
    if "$ref" in schema:
        part = SCHEMAS[schema["$ref"].rpartition("/")[2]]
        if "properties" not in part:
            return sample(part)
        return {key: sample(value) for key, value in part["properties"].items()}
    for whole in ("allOf", "anyOf"):
        if whole in schema:
            return sample(schema[whole][0])
    if schema.get("description") == "RFC 1123.":
        return "Sat, 14 Mar 2026 18:22:05 GMT"
    if schema.get("format") in TEXTS:
        return TEXTS[schema["format"]]
    kind = schema.get("type", "string")
    kind = kind[0] if isinstance(kind, list) else kind
    return [sample(schema["items"])] if kind == "array" else PLAIN[kind]


@pytest.mark.parametrize("kind", KINDS)
def test_every_field_of_every_record_is_read_by_its_python_name(kind: type[Record]):
    schema = {"$ref": kind.__name__}
    raw = sample(schema)
    value = kind(copy.deepcopy(raw))
    seen = set(read(schema, raw, value))
    assert {f"{kind.__name__}.{key}" for key in SCHEMAS[kind.__name__]["properties"]} <= seen
    assert value == raw


@pytest.mark.parametrize("kind", KINDS)
def test_no_attribute_hides_what_a_dict_has(kind: type[Record]):
    keys = SCHEMAS[kind.__name__]["properties"]
    names = {python_name(key) for key in keys}
    assert len(names) == len(keys)
    assert all(name.isidentifier() and name == name.lower() for name in names)
    assert names <= set(vars(kind))
    assert not names & set(dir(Record))


@pytest.mark.parametrize(
    ("key", "name"),
    [
        ("Name", "name"),
        ("LastOnline", "last_online"),
        ("onlineCount", "online_count"),
        ("ExperienceToNextLevel", "experience_to_next_level"),
        ("X", "x"),
        (".issued", "issued"),
        ("access_token", "access_token"),
        ("Values", "entries"),
        ("Items", "items_"),
        ("From", "from_"),
        ("Class", "class_"),
    ],
)
def test_names(key: str, name: str):
    assert python_name(key) == name


def test_what_a_newer_service_adds_is_kept():
    player = Player({"Name": "Ana", "Guild": {"Name": "Larks"}, "Values": [1]})
    assert player["Guild"]["Name"] == "Larks"
    assert repr(player) == "Player(name='Ana', 'Guild': {'Name': 'Larks'}, 'Values': [1])"
    assert player == {"Name": "Ana", "Guild": {"Name": "Larks"}, "Values": [1]}
    with pytest.raises(AttributeError):
        player.guild  # type: ignore[attr-defined] # noqa: B018


def test_what_an_older_service_lacks_is_said():
    player = Player(Name="Ana")
    with pytest.raises(AttributeError, match="'Level'"):
        player.level  # noqa: B018
    assert getattr(player, "level", 1) == 1
    assert Slot().item_name is None, "names are shown if they were asked for"


def test_instants_are_aware_and_null_is_none():
    player = Player(LastOnline="2026-03-14T18:22:05.123456Z", CreationDate="2026-03-14T18:22:05")
    assert player.last_online == datetime(2026, 3, 14, 18, 22, 5, 123456, tzinfo=UTC)
    assert player.creation_date.utcoffset() is not None
    token = TokenAnswer({".issued": "Sat, 14 Mar 2026 18:22:05 GMT"})
    assert token.issued == datetime(2026, 3, 14, 18, 22, 5, tzinfo=UTC)
    assert Flow(Day="2026-03-14").day == date(2026, 3, 14)
    assert records.Session(LeftAt=None).left_at is None
    assert TransactionOutcome(Failure=None).failure is None


def test_a_wrong_instant_is_printed_as_it_is():
    player = Player(LastOnline="soon")
    assert repr(player) == "Player(last_online='soon')"
    with pytest.raises(ValueError, match="soon"):
        player.last_online  # noqa: B018


def test_nested_records_are_made_when_they_are_read_and_once():
    bag = Bag(Slots=[{"Slot": 1, "ItemId": "a"}, {"Slot": 2, "ItemId": "b"}])
    assert type(bag["Slots"][0]) is dict
    assert [slot.item_id for slot in bag.slots] == ["a", "b"]
    assert bag.slots[0] is bag.slots[0] is bag["Slots"][0]
    user = User(Power={"Ban": True})
    assert type(user["Power"]) is dict
    assert user.power.ban
    assert user.power is user.power is user["Power"]
    assert repr(User(Power={"Ban": True})) == "User(power=Power(ban=True))"


def test_an_unexpected_form_inside_is_left_as_it_is():
    assert User(Power="all").power == "all"
    assert Bag(Slots={"1": {}}).slots == {"1": {}}
    assert Bag(Slots=[None, 3]).slots == [None, 3]


def test_attributes_cannot_be_assigned_to():
    player = Player(Name="Ana")
    for name in ("name", "nmae"):
        with pytest.raises(AttributeError):
            setattr(player, name, "Ben")
    assert player == {"Name": "Ana"}


def test_copies_are_records():
    player = Player(Name="Ana", Vitals=[1])
    for other in (copy.copy(player), copy.deepcopy(player), pickle.loads(pickle.dumps(player))):
        assert type(other) is Player
        assert other == player
    assert copy.deepcopy(player).vitals is not player.vitals


def test_pages_hold_records():
    sent = {"Total": 9, "Page": 1, "PageSize": 1, "Count": 1, "Values": [{"Name": "Ana"}]}
    page = reader(Page[Player])(sent)
    assert (page.total, page.page, page.page_size, page.count) == (9, 1, 1, 1)
    assert page.entries[0].name == "Ana"
    older = {"total": 9, "Page": 1, "count": 1, "PageSize": 1}
    legacy = reader(LegacyPage[Player])(
        older | {"entries": [{"Name": "Ana"}], "Values": [{"Name": "Ana"}]}
    )
    assert (legacy.total, legacy.page, legacy.page_size, legacy.count) == (9, 1, 1, 1)
    assert legacy.entries[0].name == legacy["Values"][0].name == "Ana"
    cursor = reader(Cursor[EventEntry])({"Values": [{"Seq": 4}], "Next": None})
    assert (cursor.entries[0].seq, cursor.next) == (4, None)
    assert repr(cursor) == "Cursor(entries=[EventEntry(seq=4)], next=None)"


def test_a_method_must_say_what_it_answers():
    for wrong in (int, dict[str, Any], inspect.Signature.empty):
        with pytest.raises(TypeError):
            reader(wrong)


@pytest.mark.parametrize("body", ["[]", "3", "null", '"up"', "true"])
def test_an_answer_of_another_form_is_an_error_of_the_service(body: str):
    with answering(200, body) as told, Gamekeeper(told.url, "gk_x") as client:
        with pytest.raises(APIError, match="is this the service"):
            client.players.get("Ana")
        with pytest.raises(APIError, match="is this the service"):
            client.players.online_count()


def test_an_object_for_a_list_is_an_error_of_the_service():
    with answering(200, "{}") as told, Gamekeeper(told.url, "gk_x") as client:
        with pytest.raises(APIError, match="is this the service"):
            client.players.inventory("Ana")
        with pytest.raises(APIError, match="is this the service"):
            next(client.players.all())
        assert client.players.online_count() == OnlineCount()
