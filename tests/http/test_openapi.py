"""The document says what the routes say: all of it, and only that."""

import sys
from functools import cache
from html.parser import HTMLParser
from importlib import resources
from typing import Any
from urllib.parse import urlsplit

import httpx2
import jsonschema_rs
import msgspec
import pytest
import schemathesis
from msgspec import structs

from gamekeeper import app
from gamekeeper.api import document
from gamekeeper.api.pages import PAGES
from gamekeeper.core.errors import MethodNotAllowed, Problem, RouteNotFound
from gamekeeper.core.schemas import Body
from gamekeeper.core.settings import Settings
from gamekeeper.http.openapi.field_docs import described
from gamekeeper.http.routing import Route
from tests import processes
from tests.clients.records import DOCUMENT

DESCRIBED = [route for route in app.ROUTES if route.path not in PAGES]
ERROR_CODE = DOCUMENT["components"]["schemas"]["ErrorCode"]
OPERATIONS = [
    pytest.param(operation, id=operation["operationId"])
    for methods in DOCUMENT["paths"].values()
    for operation in methods.values()
]


def operation_of(route: Route) -> dict[str, Any]:
    return DOCUMENT["paths"][route.path][route.method.lower()]


def validator(schema: dict[str, Any]) -> jsonschema_rs.Draft202012Validator:
    """For a schema of the document, with the components it may refer to."""
    return _validator(msgspec.json.encode(schema))


@cache
def _validator(schema: bytes) -> jsonschema_rs.Draft202012Validator:
    # Most operations share the schema of their refusals, and all components are read for each.
    return jsonschema_rs.Draft202012Validator(
        {**msgspec.json.decode(schema), "components": DOCUMENT["components"]},
        validate_formats=True,
    )


def contents(operation: dict[str, Any]) -> list[dict[str, Any]]:
    """What an operation takes and answers, each with its schema and examples."""
    places = [*operation["responses"].values(), operation.get("requestBody", {"content": {}})]
    return [content for place in places for content in place["content"].values()]


def examples(content: dict[str, Any]) -> list[Any]:
    several = [example["value"] for example in content.get("examples", {}).values()]
    return several + ([content["example"]] if "example" in content else [])


async def test_the_document_is_served_as_it_was_described(client):
    answer = await client.get("/api/openapi.json")
    assert answer.status_code == 200
    assert answer.headers["content-type"] == "application/json; charset=utf-8"
    assert answer.json() == DOCUMENT


def test_the_document_is_valid_openapi():
    """By the specification's own schema; a document without a title is noticed."""
    schemathesis.openapi.from_dict(DOCUMENT).validate()
    with pytest.raises(Exception, match="title"):
        schemathesis.openapi.from_dict(DOCUMENT | {"info": {"version": "1"}}).validate()


def test_every_route_is_described_and_nothing_else():
    described = {(m.upper(), p) for p, methods in DOCUMENT["paths"].items() for m in methods}
    assert described == {(route.method, route.path) for route in DESCRIBED}
    assert {route.path for route in app.ROUTES} - {p for _, p in described} == PAGES


def test_operation_ids_are_unique():
    ids = [operation_of(route)["operationId"] for route in DESCRIBED]
    assert len(set(ids)) == len(ids)


def test_every_reference_leads_somewhere():
    names = set()

    def walk(value: Any) -> None:
        if isinstance(value, dict):
            names.update([value["$ref"]] if "$ref" in value else [])
            value = list(value.values())
        if isinstance(value, list):
            for inner in value:
                walk(inner)

    walk(DOCUMENT)
    schemas = {f"#/components/schemas/{name}" for name in DOCUMENT["components"]["schemas"]}
    assert names <= schemas
    assert schemas - names == set()


@pytest.mark.parametrize("name", DOCUMENT["components"]["schemas"])
def test_every_schema_is_well_formed(name: str):
    jsonschema_rs.meta.validate(DOCUMENT["components"]["schemas"][name])


@pytest.mark.parametrize("operation", OPERATIONS)
def test_every_schema_of_an_operation_is_well_formed(operation: dict[str, Any]):
    schemas = [content["schema"] for content in contents(operation)]
    schemas += [parameter["schema"] for parameter in operation["parameters"]]
    for schema in schemas:
        jsonschema_rs.meta.validate(schema)


@pytest.mark.parametrize("operation", OPERATIONS)
def test_every_example_is_what_its_schema_says(operation: dict[str, Any]):
    for content in contents(operation):
        for example in examples(content):
            validator(content["schema"]).validate(example)


@pytest.mark.parametrize("operation", OPERATIONS)
def test_every_operation_has_an_example_of_everything_in_json(operation: dict[str, Any]):
    for content in contents(operation):
        plain = content["schema"] in ({"type": "string"}, {"type": "string", "format": "binary"})
        assert examples(content) or plain


def test_an_example_that_is_not_what_its_schema_says_would_be_noticed():
    """The checks above can fail: a field missing, a wrong type and a code that nothing has."""
    answers = DOCUMENT["paths"]["/api/v1/players/{key}"]["get"]["responses"]
    player = answers["200"]["content"]["application/json"]
    failure = answers["404"]["content"]["application/json"]
    [refusal] = examples(failure)
    for schema, wrong in [
        (player["schema"], {**player["example"], "Level": "12"}),
        (player["schema"], {k: v for k, v in player["example"].items() if k != "Dir"}),
        (failure["schema"], refusal | {"Code": "no_such_code"}),
    ]:
        with pytest.raises(jsonschema_rs.ValidationError):
            validator(schema).validate(wrong)


@pytest.mark.parametrize("operation", OPERATIONS)
def test_everything_sent_has_a_description(operation: dict[str, Any]):
    assert operation["tags"][0] in document.TAGS
    for parameter in operation["parameters"]:
        assert parameter["description"], parameter["name"]
        assert not parameter["required"] or parameter["example"], parameter["name"]
    for content in operation.get("requestBody", {"content": {}})["content"].values():
        shape = DOCUMENT["components"]["schemas"][content["schema"]["$ref"].rpartition("/")[2]]
        for name, field in shape["properties"].items():
            assert field["description"], name


class Told(Body, frozen=True):
    text: str
    """
    A text that is longer than
    a line.

    And has two paragraphs.
    """
    speaker: str = ""
    """Of a text."""
    volume: int = 0


class ToldTwice(Told, frozen=True):
    speaker: str = ""
    """Of two texts."""


def test_the_docstring_below_a_field_is_its_description():
    text = {"description": "A text that is longer than a line.\n\nAnd has two paragraphs."}
    assert described(Told, "text") == described(ToldTwice, "text") == text
    assert described(Told, "speaker") == {"description": "Of a text."}
    assert described(ToldTwice, "speaker") == {"description": "Of two texts."}
    assert described(Told, "volume") == {}


def test_descriptions_are_there_without_docstrings():
    """`python -OO` drops docstrings from the code, not from the source."""
    code = """if True:
        from gamekeeper.core.schemas import Paging
        from gamekeeper.http.openapi.field_docs import described
        print(described(Paging, "page")["description"])
    """
    done = processes.run([sys.executable, "-OO", "-c", code])
    assert done.stdout.startswith("The number of the page, from 0;"), done.stderr


@pytest.mark.parametrize("route", DESCRIBED, ids=lambda route: route.handler.__name__)
def test_every_refusal_of_a_route_is_listed_under_its_status(route: Route):
    answers = operation_of(route)["responses"]
    for problem in route.raises:
        content = answers[str(int(problem.status))]["content"]["application/json"]
        assert problem.code in content["examples"]
        assert f"| {int(problem.status)} | `{problem.code}` |" in ERROR_CODE["description"]
    assert ("401" in answers) == (route.roles is not None)
    assert ("403" in answers) >= bool(route.roles)
    assert ("415" in answers) == ("413" in answers) == ("requestBody" in operation_of(route))


def test_the_table_lists_every_refusal_of_every_route_and_of_none():
    listed = [problem for route in DESCRIBED for problem in route.raises]
    codes: set[type[Problem]] = {*listed, RouteNotFound, MethodNotAllowed}
    for problem in codes:
        row = f"| {int(problem.status)} | `{problem.code}` | {problem.__doc__} |"
        assert row in ERROR_CODE["description"]


def test_deprecated_operations_name_what_replaces_them():
    deprecated = [route for route in DESCRIBED if operation_of(route).get("deprecated")]
    assert {route.path for route in deprecated} == {
        *("/api/v1/players", "/api/v1/users", "/api/v1/guilds", "/api/v1/variables/global")
    }
    for route in deprecated:
        assert route.method == "POST"
        for answer in operation_of(route)["responses"].values():
            assert {"Deprecation", "Link", "X-Request-Id"} <= answer["headers"].keys()


def test_roles_stand_in_the_security_of_an_operation():
    manage = DOCUMENT["paths"]["/api/v1/users/{key}/manage/email/change"]["post"]
    roles = ["users.manage", "users.query"]
    assert manage["security"] == [{"bearer": roles}, {"cookie": roles}]
    tokens = DOCUMENT["paths"]["/api/oauth/tokens/{username}"]["delete"]
    assert tokens["security"] == [{"bearer": []}]
    factors = DOCUMENT["paths"]["/api/v1/me/factors"]["get"]
    assert factors["security"] == [{"cookie": []}]
    assert DOCUMENT["paths"]["/livez"]["get"]["security"] == []


@pytest.mark.parametrize(
    ("shape", "body"),
    [
        ("GiveItem", {"itemid": "5f1d9a36-2f0e-4c55-9d2a-7f1c0e4b8a01", "quantity": 5, "else": 1}),
        ("GiveItem", {"itemid": "5F1D9A36-2F0E-4C55-9D2A-7F1C0E4B8A01", "quantity": 5}),
        ("LegacyPaging", {}),
        ("SetVariable", {"value": True}),
    ],
)
def test_what_clients_should_send_is_described(shape: str, body: object):
    validator({"$ref": f"#/components/schemas/{shape}"}).validate(body)


@pytest.mark.parametrize("quantity", [True, 1.5, "1.0", "1e2", 2**31, None, "5"])
def test_what_is_refused_or_only_tolerated_is_not_described(quantity: object):
    body = {"itemid": "5f1d9a36-2f0e-4c55-9d2a-7f1c0e4b8a01", "quantity": quantity}
    assert not validator({"$ref": "#/components/schemas/GiveItem"}).is_valid(body)


# ── Pages ──


class Addresses(HTMLParser):
    """Every address a page refers to."""

    def __init__(self) -> None:
        super().__init__()
        self.found: list[str] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.found += [value or "" for name, value in attrs if name in ("src", "href", "action")]
        assert not [name for name, _ in attrs if name.startswith("on") or name == "style"]


@pytest.mark.parametrize("path", ["/api/docs", "/reset", "/verify", "/appeal"])
async def test_a_page_and_all_it_refers_to_comes_from_us(client, path: str):
    page = await client.get(path, headers={"Authorization": ""})
    assert page.status_code == 200
    assert page.headers["content-type"] == "text/html; charset=utf-8"
    addresses = Addresses()
    addresses.feed(page.text)
    assert len(addresses.found) >= 3
    for address in addresses.found:
        assert urlsplit(address).netloc == "", address
        assert (await client.get(address)).status_code == 200, address


BROWSER = "text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8"


async def test_the_root_leads_browsers_to_the_documentation(client):
    page = await client.get("/", headers={"Authorization": "", "Accept": BROWSER})

    assert (page.status_code, page.headers["location"]) == (307, "/api/docs")
    assert page.headers["vary"] == "Accept"
    assert (await client.get(page.headers["location"])).status_code == 200


async def test_the_root_tells_programs_where_things_are(client):
    answer = await client.get("/", headers={"Authorization": "", "Accept": "*/*"})

    assert answer.status_code == 200
    assert answer.json() == {
        "Service": "Gamekeeper",
        "Documentation": "/api/docs",
        "OpenApi": "/api/openapi.json",
    }
    assert (await client.post("/")).status_code == 405


async def test_behind_a_path_the_root_leads_there(settings: Settings):
    service = app.App(structs.replace(settings, public_url="https://example.org/keeper/"))
    await service.start()
    transport = httpx2.ASGITransport(service)
    async with httpx2.AsyncClient(transport=transport, base_url="http://x") as client:
        page = await client.get("/", headers={"Accept": BROWSER})
    await service.stop()

    assert page.headers["location"] == "/keeper/api/docs"


@pytest.mark.parametrize("path", ["/api/docs", "/reset", "/verify", "/appeal"])
async def test_pages_forbid_what_they_do_not_need(client, path: str):
    headers = (await client.get(path)).headers
    assert headers["x-frame-options"] == "DENY"
    assert headers["referrer-policy"] == "no-referrer"
    assert headers["x-content-type-options"] == "nosniff"
    policy = dict(part.split(" ", 1) for part in headers["content-security-policy"].split("; "))
    assert policy["default-src"] == "'none'"
    assert policy["script-src"] == policy["connect-src"] == "'self'"
    assert policy["frame-ancestors"] == policy["form-action"] == "'none'"
    assert ("'unsafe-inline'" in policy["style-src"]) == (path == "/api/docs")
    assert not [host for host in headers["content-security-policy"].split() if "." in host]


@pytest.mark.parametrize(
    "name",
    [
        *("docs.html", "docs.js", "docs.css"),
        *("reset.html", "reset.js", "sha256.js", "code.js", "texts.js", "card.css"),
        *("appeal.html", "appeal.js", "appeal.css"),
        *("verify.html", "verify.js"),
    ],
)
def test_our_own_pages_name_no_other_host(name: str):
    text = (resources.files("gamekeeper.api") / "static" / name).read_text("utf-8")
    assert "http:" not in text
    assert "https:" not in text


async def test_the_name_of_the_game_is_escaped(settings: Settings):
    page = await reset_page(structs.replace(settings, game_name='<script src="//x">&Co'))
    assert "&lt;script src=" in page
    assert "<script src=" not in page


async def test_pages_find_their_parts_behind_the_path_of_a_proxy(settings: Settings):
    page = await reset_page(structs.replace(settings, public_url="https://example.com/keeper/"))
    assert 'href="/keeper/reset/card.css"' in page


async def reset_page(settings: Settings) -> str:
    service = app.App(settings)
    await service.start()
    async with httpx2.AsyncClient(
        transport=httpx2.ASGITransport(service), base_url="http://gamekeeper"
    ) as client:
        page = await client.get("/reset")
    await service.stop()
    return page.text


def test_every_reference_can_be_followed_to_its_end():
    """The page for developers follows them itself, without a guard against circles."""

    def follow(part: Any, way: tuple[str, ...] = ()) -> None:
        if isinstance(part, dict):
            if reference := part.get("$ref"):
                assert reference not in way, way
                found: Any = DOCUMENT
                for name in reference.removeprefix("#/").split("/"):
                    found = found[name]
                follow(found, (*way, reference))
            for value in part.values():
                follow(value, way)
        elif isinstance(part, list):
            for value in part:
                follow(value, way)

    follow(DOCUMENT)
