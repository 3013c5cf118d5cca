"""The OpenAPI description of responses: success, and every error."""

from itertools import groupby

import msgspec
from msgspec import Struct

from gamekeeper.core.errors import (
    BodyTooLarge,
    Failure,
    InternalError,
    InvalidBody,
    InvalidQuery,
    Problem,
    RoleRequired,
    Unauthorized,
    Unavailable,
    UnsupportedMediaType,
)
from gamekeeper.http.openapi.components import components, plain
from gamekeeper.http.openapi.operations import (
    PLAIN_JSON,
    REF,
    Example,
    Json,
    OpenApiOperation,
    Words,
    error_name,
)
from gamekeeper.http.responses import error_response

HEADERS: dict[str, str] = {
    "X-Request-Id": "The id you sent, if valid, or a new one.",
    "Retry-After": "Seconds to wait before you retry.",
    "WWW-Authenticate": "How to authenticate, or which role is missing (RFC 6750).",
    "Deprecation": "Since when this operation is deprecated (RFC 9745).",
    "Link": 'The operation to use instead: `rel="successor-version"`.',
    "Idempotency-Replayed": "`true` for the stored response to an earlier request.",
}

# The request id in the examples of errors.
CALL = "4f1c2b7a90d34e5f8a6b1c2d3e4f5061"


def responses(operation: OpenApiOperation, words: Words) -> Json:
    always = ["Deprecation", "Link"] if operation.route.successor else []
    example = words.examples.operations.get(operation.name)
    perhaps = ["Idempotency-Replayed"] if operation.idempotent else []
    described = {"200": _success(operation, example) | {"headers": _headers(always, perhaps)}}
    problems = sorted(refusals(operation, words), key=lambda problem: problem.status)
    for status, group in groupby(problems, key=lambda problem: problem.status):
        alike = list(group)
        headers = _headers(always, perhaps, [dict(problem.headers) for problem in alike])
        described[str(int(status))] = _refused(alike) | {"headers": headers}
    if operation.refusal is not None and example is not None:
        reworded = _reworded(operation.refusal, example.refusal)
        described["400"] = reworded | {"headers": described["400"]["headers"]}
    return described


def _success(operation: OpenApiOperation, example: Example | None) -> Json:
    if operation.answer is None:
        kind = operation.route.media_type
        is_text = kind.startswith("text/")
        schema = {"type": "string"} if is_text else {"type": "string", "format": "binary"}
        about = "Text." if is_text else "A file."
        return {"description": about, "content": {kind: {"schema": schema}}}
    [schema], _ = msgspec.json.schema_components([operation.answer], ref_template=REF)
    content = {"schema": plain(schema)}
    if example is not None:
        content["example"] = example.answer
    return {"description": "Done.", "content": {PLAIN_JSON: content}}


def refusals(operation: OpenApiOperation, words: Words) -> list[Problem]:
    """All errors of this operation, each as it would be raised."""
    route = operation.route
    given = [_shown(kind, words) for kind in route.raises]
    if route.roles is not None:
        given.append(Unauthorized())
    if route.roles and RoleRequired not in route.raises:
        given.append(RoleRequired(max(route.roles)))
    if route.step_up:
        given.append(words.step_up())
    if operation.query is not None:
        given.append(
            InvalidQuery("The fields are not form-encoded UTF-8.")
            if operation.query.lenient
            else InvalidQuery("'page' must be an integer.", field="page")
        )
    if operation.body is not None:
        given += [InvalidBody("The body is not valid JSON."), BodyTooLarge(route.largest)]
        given.append(UnsupportedMediaType())
    elif operation.audited:
        given.append(InvalidBody("'reason' must be a string of at most 500 characters."))
    permissions, reason_required = words.reason_required
    if operation.audited and permissions.intersection(route.roles or ()):
        given.append(reason_required())
    if operation.idempotent:
        given += [kind() for kind in words.repeated if kind not in route.raises]
    if operation.stored and Unavailable not in route.raises:
        given.append(Unavailable())
    return [*given, InternalError()]


def _shown(kind: type[Problem], words: Words) -> Problem:
    """An error with the message and the details of its example."""
    problem = kind()
    if example := words.examples.errors.get(error_name(kind)):
        problem.args = (example.message or str(problem),)
        problem.details |= example.details
    return problem


def _all_refusals(operations: list[OpenApiOperation], words: Words) -> list[Problem]:
    """Every error that an answer may carry."""
    problems = [_shown(kind, words) for kind in words.codes]
    for operation in operations:
        problems += refusals(operation, words)
    return problems


def _refused(problems: list[Problem]) -> Json:
    """The errors of one status; the keys of the examples are all of their codes."""
    return {
        "description": "\n".join(f"* `{problem.code}`: {problem.__doc__}" for problem in problems),
        "content": {
            PLAIN_JSON: {
                # No enum of these codes: a generator would make a class for every answer.
                "schema": {"$ref": REF.format(name="Failure")},
                "examples": {
                    problem.code: {"value": msgspec.json.decode(error_response(problem, CALL).body)}
                    for problem in problems
                },
            }
        },
    }


def _reworded(refusal: type[Struct], example: Json | None) -> Json:
    """The error of a route that follows another standard, in the format of that standard."""
    schema = {"$ref": REF.format(name=refusal.__name__)}
    content = {"schema": schema, "example": example}
    return {"description": refusal.__doc__, "content": {PLAIN_JSON: content}}


def schemas(operations: list[OpenApiOperation], words: Words) -> Json:
    """The schemas of responses, by name."""
    kinds = [operation.answer for operation in operations if operation.answer is not None]
    kinds += [operation.refusal for operation in operations if operation.refusal is not None]
    shapes = components([*kinds, Failure])
    failure = shapes["Failure"]
    failure["required"].remove("Details")
    failure["properties"]["Code"] = {"$ref": REF.format(name="ErrorCode")}
    failure["properties"]["Details"] = {"type": "object", "additionalProperties": True}
    return shapes | {"ErrorCode": _code(operations, words)}


def _code(operations: list[OpenApiOperation], words: Words) -> Json:
    problems = _all_refusals(operations, words)
    rows = {
        (int(problem.status), problem.code, type(problem).__doc__ or "") for problem in problems
    }
    table = [f"| {status} | `{code}` | {text} |" for status, code, text in sorted(rows)]
    about = "The error code, for programs. Codes never change their meaning; new ones may be added."
    return {
        "title": "ErrorCode",
        "description": "\n".join(
            [about, "", "| Status | Code | Message |", "|---|---|---|", *table]
        ),
        "type": "string",
        "enum": sorted({problem.code for problem in problems}),
    }


def _headers(
    always: list[str], perhaps: list[str], sent: list[dict[str, str]] | None = None
) -> Json:
    """The headers of one status; one is required if all errors of that status have it."""
    sent = sent or []
    required = {"X-Request-Id", *always}
    if sent:
        required |= set.intersection(*(set(headers) for headers in sent))
    possible = {*required, *perhaps, *(name for headers in sent for name in headers)}
    return {
        name: {
            "description": about,
            "required": name in required,
            "schema": {"type": "string"},
        }
        for name, about in HEADERS.items()
        if name in possible
    }
