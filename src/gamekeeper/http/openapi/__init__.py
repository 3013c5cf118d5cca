"""
The OpenAPI 3.1 document, generated from the signatures of the handlers.

Parameters, results and errors are read from the handler, so the document cannot promise
anything else. Descriptions are docstrings. The caller gives examples and the rest as ``Words``.
"""

import inspect
from collections.abc import Iterable
from importlib.metadata import version

from gamekeeper.http.openapi import names, request, response
from gamekeeper.http.openapi.components import SCALARS
from gamekeeper.http.openapi.operations import (
    SCALAR,
    Examples,
    Json,
    OpenApiOperation,
    PathParameter,
    Words,
)
from gamekeeper.http.routing import Route

__all__ = ["Examples", "OpenApiOperation", "PathParameter", "Words", "describe"]


def describe(routes: Iterable[Route], words: Words, server: str = "/") -> Json:
    """The document for `routes`, served at `server`."""
    operations = [OpenApiOperation.of(route, words) for route in routes]
    paths: dict[str, Json] = {}
    for operation in operations:
        methods = paths.setdefault(operation.route.path, {})
        methods[operation.route.method.lower()] = _operation(operation, words)
    schemas = request.schemas(operations) | response.schemas(operations, words)
    document = {
        "openapi": "3.1.0",
        "info": {
            "title": "Gamekeeper",
            "version": version("gamekeeper"),
            "summary": "The player and account service of an online role-playing game.",
            "description": words.introduction,
            "license": {"name": "Apache-2.0", "identifier": "Apache-2.0"},
        },
        "servers": [{"url": server}],
        "tags": [{"name": tag, "description": about} for tag, about in words.tags.items()],
        "paths": paths,
        "components": {
            "schemas": schemas | {SCALAR: SCALARS},
            "securitySchemes": {
                "bearer": {"type": "http", "scheme": "bearer"},
                "cookie": {
                    "type": "apiKey",
                    "in": "cookie",
                    "name": words.cookie,
                    "description": "A browser session; see the operations of `session`. Changes "
                    "need the header `X-Gamekeeper: 1` and must come from the same origin.",
                },
            },
        },
    }
    return names.renamed(document, words.names)


def _operation(operation: OpenApiOperation, words: Words) -> Json:
    route = operation.route
    summary, _, rest = (inspect.getdoc(route.handler) or operation.name).partition("\n")
    described = {
        "operationId": operation.name,
        "tags": [operation.tag],
        "summary": summary.rstrip("."),
        "description": "\n\n".join(filter(None, [rest.strip(), _who(route)])),
        "parameters": request.parameters(operation),
        "responses": response.responses(operation, words),
        "security": _security(route, words),
    }
    if route.successor:
        described |= {"deprecated": True}
        described["description"] += f"\n\nUse `GET {route.successor}` instead."
    if operation.body is not None:
        described["requestBody"] = request.request(
            operation, operation.body, words.examples.operations.get(operation.name)
        )
    return described


def _security(route: Route, words: Words) -> list[Json]:
    """The credentials with which a route can be called: any one of these."""
    if route.roles is None:
        return []
    roles = sorted(route.roles)
    if words.without_session in route.raises:
        return [{"cookie": roles}]
    if route.path.startswith(words.bearer_only):
        return [{"bearer": roles}]
    return [{"bearer": roles}, {"cookie": roles}]


def _who(route: Route) -> str:
    if route.roles is None:
        return "No credential required."
    roles = " and ".join(f"`{role}`" for role in sorted(route.roles))
    needs = f"Needs {roles}." if roles else "Requires a credential."
    if not route.step_up:
        return needs
    return f"{needs} A browser session must have verified its second factor within ten minutes."
