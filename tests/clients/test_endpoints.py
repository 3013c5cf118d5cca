"""The client knows every route, every field and every record of the service."""

import re
from typing import Any, get_type_hints

import pytest
from gamekeeper_client.access_bans import AccessBans
from gamekeeper_client.actions import Actions
from gamekeeper_client.appeals import Appeals
from gamekeeper_client.approvals import Approvals
from gamekeeper_client.calls import Endpoint
from gamekeeper_client.campaigns import Campaigns
from gamekeeper_client.catalog import Catalog
from gamekeeper_client.codes import Codes
from gamekeeper_client.commands import Chat, Commands
from gamekeeper_client.economy import Economy
from gamekeeper_client.event_stream import EventPages
from gamekeeper_client.gameobjects import GameObjects
from gamekeeper_client.guilds import Guilds
from gamekeeper_client.health import Health
from gamekeeper_client.identities import Identities
from gamekeeper_client.info import Info
from gamekeeper_client.keys import ApiKeys
from gamekeeper_client.logs import Logs
from gamekeeper_client.openid_clients import OpenIdClients
from gamekeeper_client.orders import Orders, Shops
from gamekeeper_client.overview import Overview
from gamekeeper_client.players import Players
from gamekeeper_client.reports import ReportedCases, Reports
from gamekeeper_client.sanctions import Sanctions
from gamekeeper_client.schedules import Schedules
from gamekeeper_client.segments import NameLists, SavedSegments
from gamekeeper_client.servers import Servers
from gamekeeper_client.staff import Me, Roles, Staff
from gamekeeper_client.staff_sessions import StaffSessions
from gamekeeper_client.transactions import Transactions
from gamekeeper_client.users import Tokens, Users
from gamekeeper_client.variables import GameVariables
from gamekeeper_client.webhooks import Webhooks
from msgspec import structs

from gamekeeper.api.pages import PAGES
from gamekeeper.api.v1.session import NoSession
from gamekeeper.app import ROUTES
from gamekeeper.core.schemas import Body
from gamekeeper.http.routing import Route
from tests.clients.records import CURSORS, DOCUMENT, FILE, SCHEMAS, written

GROUPS = [
    Players,
    Users,
    Tokens,
    Actions,
    Approvals,
    Catalog,
    Economy,
    Campaigns,
    Schedules,
    Codes,
    Identities,
    OpenIdClients,
    SavedSegments,
    NameLists,
    Servers,
    Commands,
    Chat,
    Logs,
    Guilds,
    Transactions,
    EventPages,
    Webhooks,
    ApiKeys,
    Roles,
    Staff,
    Me,
    StaffSessions,
    Reports,
    ReportedCases,
    AccessBans,
    Appeals,
    Overview,
    Sanctions,
    Health,
    Info,
    GameObjects,
    GameVariables,
    Orders,
    Shops,
]
NOT_FOR_CLIENTS = PAGES | {
    *(
        "/metrics",
        "/api/openapi.json",
        "/api/v1/session",
        "/api/v1/session/link",
        "/api/v1/session/invitation",
        # Shops call it, signed.
        "/api/v1/shops/{shop}/events",
    )
}
FILES = {
    *("/api/v1/catalog/items/{item_id}/icon", "/api/v1/actions/export"),
    "/api/v1/codes/batches/{batch_id}/download",
}
"""
A browser shows or keeps them; a program has the item's address, pages of actions, and the command
line for codes.
"""


def shape(path: str) -> str:
    return re.sub(r"{\w+}", "{}", path)


ENDPOINTS = {
    (endpoint.method, shape(endpoint.path)): endpoint
    for group in GROUPS
    for endpoint in vars(group).values()
    if isinstance(endpoint, Endpoint)
}
ROUTES_FOR_CLIENTS = [
    pytest.param(route, id=f"{route.method} {route.path}")
    for route in ROUTES
    if route.path not in NOT_FOR_CLIENTS | FILES
    and not route.path.startswith(("/api/docs/", "/reset/", "/verify/"))
    # Those that take nothing but the cookie of a browser are for pages in a browser.
    and NoSession not in route.raises
]


def test_nothing_is_called_that_is_not_there():
    routes = {(route.method, shape(route.path)) for route in ROUTES}
    assert set(ENDPOINTS) <= routes


@pytest.mark.parametrize("route", ROUTES_FOR_CLIENTS)
def test_every_route_has_a_method_that_can_send_every_field(route: Route):
    endpoint = ENDPOINTS[route.method, shape(route.path)]
    # Every recorded change takes a reason; the methods of those that rarely have one do not.
    assert fields(route) - endpoint.names <= {"reason"} - declared(route)
    assert endpoint.names - fields(route) <= {"reason"}
    assert endpoint.asked.__doc__


@pytest.mark.parametrize("route", ROUTES_FOR_CLIENTS)
def test_every_method_says_what_it_answers(route: Route):
    endpoint = ENDPOINTS[route.method, shape(route.path)]
    operation = DOCUMENT["paths"][route.path][route.method.lower()]
    content = operation["responses"]["200"]["content"]["application/json"]["schema"]
    answer = str(endpoint.asked.__annotations__["return"]).replace("gamekeeper_client.", "")
    assert re.sub(r"\w+\.|<class '|'>", "", answer) == answered(content)


def answered(schema: dict[str, Any]) -> str:
    """The name of the type that the client has for an answer."""
    if schema.get("type") == "string":
        return "str"
    if schema.get("type") == "object":
        return "JsonObject"
    if "$ref" not in schema:
        return f"list[{answered(schema['items'])}]"
    name = schema["$ref"].rpartition("/")[2]
    if name in CURSORS:
        return f"Cursor[{answered(SCHEMAS[name]['properties']['Values']['items'])}]"
    if found := re.fullmatch(r"(Legacy|)(\w+)Page", name):
        return f"{found[1]}Page[{found[2]}]"
    return name


def fields(route: Route) -> set[str]:
    """What the document says may be sent in the query and body."""
    operation = DOCUMENT["paths"][route.path][route.method.lower()]
    sent = {
        one["name"]
        for one in operation.get("parameters", [])
        if "name" in one and one.get("in") == "query"
    }
    for content in operation.get("requestBody", {}).get("content", {}).values():
        schema = content["schema"]
        while "$ref" in schema:
            schema = SCHEMAS[schema["$ref"].rpartition("/")[2]]
        sent |= set(schema.get("properties", ()))
    return sent


def declared(route: Route) -> set[str]:
    """The fields of the body's own class."""
    hints = get_type_hints(route.handler).values()
    bodies = [kind for kind in hints if isinstance(kind, type) and issubclass(kind, Body)]
    return {field.encode_name for body in bodies for field in structs.fields(body)}


def test_the_records_are_those_of_the_document():
    """If this fails: python -m tests.clients.records."""
    assert FILE.read_text() == written()


def test_the_client_needs_nothing_of_the_service():
    ours = re.compile(r"^(from|import) gamekeeper(\.| )", re.MULTILINE)
    files = [*FILE.parent.glob("*.py"), *(FILE.parents[4] / "examples").glob("*.py")]
    assert len(files) > 10
    assert not [file.name for file in files if ours.search(file.read_text())]
