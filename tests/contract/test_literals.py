"""
Odd literals in every field of every body: what each is answered, cell by cell.

The answers are kept in literals.json. After a change that is meant, write them anew
with `GOLDEN=write pytest tests/contract/test_literals.py`, and read the difference.
So that a fault is not written down along with the rest, rules that know nothing of
that file say what may be answered at all.
"""

import asyncio
import json
import os
import re
import typing
from collections import defaultdict
from contextlib import nullcontext
from datetime import datetime
from pathlib import Path
from types import NoneType, UnionType
from typing import Annotated, Any, Union, get_args, get_origin
from uuid import UUID

import msgspec
import pytest

from gamekeeper.core.names import fold
from gamekeeper.core.parsing import JsonObject, Scalar, Wide
from gamekeeper.core.schemas import Body
from gamekeeper.db.database import Writer
from gamekeeper.http.routing import Route
from tests.contract.endpoints import WITH_BODY, Stage, changes, label
from tests.contract.literals import LITERALS, Literal
from tests.contract.outcomes import JSON
from tests.deadlines import PATIENCE
from tests.own_server import database, key, log, settings, url
from tests.security.raw_connections import Answer, Lane
from tests.staff.signed_in import OURS

__all__ = ["database", "key", "log", "settings", "url"]

GOLDEN = Path(__file__).with_name("literals.json")
READ_AS = {int: "i", bool: "b", UUID: "g", datetime: "d", str: "t"}
PASSWORDS = {"password", "authorization"}
LENIENT = {
    (f"POST /api/v1/{path}", field)
    for path in ("players", "players/online", "users")
    for field in ("page", "count")
}

ONE_OF = {("POST /api/v1/actions/undo", field) for field in ("actor", "player", "user")}
"""Fields of which exactly one is required, so that each is where it is tried."""

Cell = tuple[str, str, str]
"""An endpoint, a field of its body, and a literal."""


class Field(msgspec.Struct, frozen=True):
    name: str
    kind: Any
    required: bool
    lenient: bool
    """Of Intersect's lists: whatever is JSON at all is read, or ignored."""

    def reads(self, literal: Literal) -> bool:
        """Whether the field takes the literal at all, by the contract's table of scalars."""
        if self.lenient:
            return _is_json(literal.raw)
        if literal.kinds == "0":
            return not self.required
        if get_origin(self.kind) is list:
            return literal.raw == "[]" or (literal.raw == "[5]" and get_args(self.kind) == (int,))
        if self.kind == Wide:
            return bool({"i", "l"} & set(literal.kinds))
        if self.kind == Scalar:
            return literal.kinds != ""
        if self.kind == JsonObject:
            return literal.raw == "{}"
        if isinstance(self.kind, type) and issubclass(self.kind, Body):
            needs_any = any(field.required for field in msgspec.structs.fields(self.kind))
            return literal.raw == "{}" and not needs_any
        if get_origin(self.kind) is typing.Literal:
            return literal.raw.strip('"').lower() in get_args(self.kind)
        return READ_AS[self.kind] in literal.kinds


def _is_json(raw: str) -> bool:
    try:
        msgspec.json.decode(raw.encode())
    except (msgspec.MsgspecError, UnicodeError):
        return False
    return True


def fields_of(route: Route, shape: type[msgspec.Struct]) -> list[Field]:
    return [
        Field(
            field.encode_name,
            _plain(field.type),
            field.required or (label(route), field.encode_name) in ONE_OF,
            (label(route), field.encode_name) in LENIENT
            or field.name in getattr(shape, "lenient", ()),
        )
        for field in msgspec.structs.fields(shape)
    ]


def _plain(kind: Any) -> Any:
    if kind == Wide:
        return kind
    if get_origin(kind) is Annotated:
        return get_args(kind)[0]
    if kind == Scalar or get_origin(kind) not in (Union, UnionType):
        return kind
    [only] = [part for part in get_args(kind) if part is not NoneType]
    return _plain(only)


FIELDS = {
    (label(route), field.name): (route, shape, field)
    for route, shape in WITH_BODY
    for field in fields_of(route, shape)
}

pytestmark = pytest.mark.torture


@pytest.fixture(scope="module")
async def answers(url: str, key: str, database) -> dict[Cell, str]:
    """The status and code that every cell was answered with."""
    port = int(url.rpartition(":")[2])
    gate = asyncio.Semaphore(6)
    # A literal that became one's name or address must not be in the way of another's.
    names = asyncio.Lock()

    async def column(endpoint: str, name: str) -> dict[Cell, str]:
        async with names if name in ("name", "username", "email", "new") else nullcontext(), gate:
            # As bytes: a client of HTTP takes longer for 20,000 requests than the server does.
            lane = Lane(port)
            try:
                return await _column(lane, key, database, endpoint, name)
            finally:
                await lane.close()

    columns = await asyncio.gather(*(column(*place) for place in FIELDS))
    return {cell: answer for column in columns for cell, answer in column.items()}


async def _column(lane: Lane, key: str, database, endpoint: str, name: str) -> dict[Cell, str]:
    """One field with every literal; whoever changed something leaves the stage to the next."""
    route, shape, _ = FIELDS[endpoint, name]
    answered: dict[Cell, str] = {}
    stage = await Stage.make(database, route)
    for title, literal in LITERALS.items():
        fields = stage.fields(route, shape, trying=name)
        raw = _request(f"{route.method} {stage.path(route)}", key, fields, name, literal)
        answer = await _sent(lane, database, raw)
        answered[endpoint, name, title] = _told(answer)
        if answer.status == 200 and changes(route):
            await _clear(database, json.loads(answer.body))
            await stage.leave(database)
            stage = await Stage.make(database, route)
    await stage.leave(database)
    return answered


def _request(place: str, key: str, fields: dict[str, Any], name: str, literal: Literal) -> bytes:
    """A request as it goes over the wire, with the literal in one field."""
    others = {key: value for key, value in fields.items() if key != name}
    parts = [f"{json.dumps(key)}: {json.dumps(value)}" for key, value in others.items()]
    content = ("{" + ", ".join([*parts, f'"{name}": {literal.raw}']) + "}").encode()
    # Sign-in with a browser reads only what our own pages send.
    headers = {"Host": "gamekeeper", "Authorization": f"Bearer {key}"} | OURS
    headers |= {"Content-Type": "application/json", "Content-Length": str(len(content))}
    if literal.kinds == "*":
        # A body that is refused unread may cost the connection.
        headers["Connection"] = "close"
    lines = [f"{place} HTTP/1.1", *(f"{name}: {value}" for name, value in headers.items())]
    return "\r\n".join([*lines, "", ""]).encode() + content


async def _sent(lane: Lane, database, raw: bytes) -> Answer:
    """The answer; who has guessed too often is forgiven and asks again."""
    while True:
        async with asyncio.timeout(PATIENCE):
            answer = await lane.ask(raw)
        assert answer is not None, raw
        if answer.status != 429:
            return answer
        await database.write(lambda writer: writer.run("DELETE FROM guess_budgets"))


def _told(answer: Answer) -> str:
    assert f"\r\ncontent-type: {JSON}\r\n".encode() in answer.head, answer.head
    body = json.loads(answer.body)
    if answer.status == 200:
        return "200"
    return f"{answer.status} {body.get('Code') or body['error']}"


async def _clear(database, body: dict[str, Any]) -> None:
    """Let a literal that became somebody's name or address be free again."""

    named = {"Username", "Email", "Name"} & body.keys()
    if not named:
        return

    async def work(writer: Writer) -> None:
        if named != {"Name"}:
            await writer.run(
                "DELETE FROM users WHERE name_key = $1 OR email = $2",
                fold(str(body.get("Username", ""))),
                body.get("Email", ""),
            )
        if "Name" in named:
            name = fold(str(body["Name"]))
            await writer.run("DELETE FROM players WHERE name_key = $1", name)
            of_guild = "guild_id IN (SELECT id FROM guilds WHERE name_key = $1)"
            await writer.run(f"DELETE FROM guild_members WHERE {of_guild}", name)
            await writer.run("DELETE FROM guilds WHERE name_key = $1", name)

    await database.write(work)


def _grouped(answers: dict[Cell, str]) -> dict[str, dict[str, dict[str, list[str]]]]:
    """The same, so that people can read it: endpoint, field, answer, its literals."""
    grouped: Any = defaultdict(lambda: defaultdict(lambda: defaultdict(list)))
    for (endpoint, field, title), answer in answers.items():
        grouped[endpoint][field][answer].append(title)
    return json.loads(json.dumps(grouped))


def _written(grouped: dict[str, Any]) -> str:
    """As JSON, with the literals of one answer on one line."""
    text = json.dumps(grouped, indent=1, sort_keys=True, ensure_ascii=False)
    lists = re.compile(r"\[\n.*?\n +\]", re.DOTALL)
    return (
        lists.sub(lambda found: json.dumps(json.loads(found[0]), ensure_ascii=False), text) + "\n"
    )


async def test_every_cell_is_answered_as_written_down(answers):
    seen = _grouped(answers)
    if os.environ.get("GOLDEN") == "write":
        GOLDEN.write_text(_written(seen))
    assert seen == json.loads(GOLDEN.read_text())


async def test_no_literal_makes_the_server_fail(answers):
    assert {cell: told for cell, told in answers.items() if told >= "5"} == {}


async def test_a_body_that_is_too_large_is_told_so_and_no_other(answers):
    wrong = {
        cell: told
        for cell, told in answers.items()
        if (told == "413 body_too_large") != _is_too_large(cell)
    }
    assert wrong == {}


def _is_too_large(cell: Cell) -> bool:
    """One route takes larger bodies than the others."""
    route, _, _ = FIELDS[cell[0], cell[1]]
    return LITERALS[cell[2]].kinds == "*" and route.largest == 64 * 1024


async def test_a_field_reads_what_the_contract_says_and_nothing_else(answers):
    """Integers and strings of digits, guids, the words true and false; all else is refused."""
    wrong = {}
    for (endpoint, name, title), told in answers.items():
        literal, (_, _, field) = LITERALS[title], FIELDS[endpoint, name]
        # The token endpoint refuses in the words of RFC 6749.
        unread = "400 invalid_request" if "oauth/token" in endpoint else "400 invalid_body"
        if literal.kinds == "*":
            continue
        if (told == "400 invalid_body") if field.reads(literal) else (told != unread):
            wrong[endpoint, name, title] = told
    assert wrong == {}


async def test_an_integer_variable_takes_integers_of_64_bits(answers):
    endpoint = "POST /api/v1/players/{key}/variables/{variable_id}"
    told = {title: told for (at, _, title), told in answers.items() if at == endpoint}
    scalars = {title for title, literal in LITERALS.items() if set(literal.kinds) - set("0*")}
    fitting = {title for title in scalars if set(LITERALS[title].kinds) & {"i", "l"}}

    assert {title for title, answer in told.items() if answer == "200"} == fitting
    refused = {title for title, answer in told.items() if answer == "400 wrong_variable_type"}
    assert refused == scalars - fitting


async def test_a_password_is_64_hexadecimal_digits(answers):
    """And a new one is not the hash of nothing."""
    wrong = {}
    for (endpoint, name, title), told in answers.items():
        kinds = LITERALS[title].kinds
        new = name == "new" and "email" not in endpoint
        # An API key has no identities: it is refused before the password is looked at.
        if not (name in PASSWORDS or new) or "t" not in kinds or "/me/identities" in endpoint:
            continue
        expected = "invalid_request" if "oauth" in endpoint else "invalid_password_hash"
        fits = "p" in kinds and not (title == "hash of nothing" and _sets(endpoint, name))
        if fits == told.endswith(expected):
            wrong[endpoint, name, title] = told
    assert wrong == {}


def _sets(endpoint: str, name: str) -> bool:
    return name == "new" or endpoint.endswith(("/register", "/session/invitation"))


async def test_an_address_is_one_that_a_mail_server_would_take(answers):
    wrong = {}
    for (endpoint, name, title), told in answers.items():
        kinds = LITERALS[title].kinds
        # Not of invitations: the caller is refused before the address is looked at.
        address = name == "email" and "invitation" not in endpoint
        address = address or (name == "new" and "email" in endpoint)
        if address and "t" in kinds and told != ("200" if "e" in kinds else "400 invalid_email"):
            wrong[endpoint, name, title] = told
    assert wrong == {}


async def test_a_quantity_of_less_than_one_is_never_moved(answers):
    moved = {
        title for (_, name, title), told in answers.items() if name == "quantity" and told == "200"
    }
    assert moved == {"5", "'5'", "'05'"}
