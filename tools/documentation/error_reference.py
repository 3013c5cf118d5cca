"""
The reference of errors: code, status and message of each, when it is returned, and by what.

docs/reference/errors/ has the cases by hand, one page per kind of error. The site shows these pages
with the messages and the operations of the OpenAPI document, and an index of all codes.
"""

import re
from collections import defaultdict
from collections.abc import Iterator
from http import HTTPStatus
from pathlib import PurePosixPath
from typing import Any

from tools.documentation.api_reference import codes, operations
from tools.documentation.pages import DOCS, rewritten
from tools.documentation.text import plain, table

Json = dict[str, Any]
Error = tuple[str, str]
"""Status and code."""
Messages = dict[Error, list[str]]
"""By error, in the order of statuses and codes. A few errors have two messages."""

FOLDER = "reference/errors"
ROW = re.compile(r"^\| (\d{3}) \| (`\w+`(?:, `\w+`)*) \| (.*?) \| ", re.MULTILINE)
MAX_LISTED_OPERATIONS = 8
"""Errors of more operations are common to nearly all; these operations are counted, not listed."""

ADVICE = {
    202: "Not an error: another person must approve the change. Read the request under "
    "`Details.ApprovalId`, and do not send the change again.",
    400: "The request cannot be parsed or contains an invalid value. Change the request; the same "
    "request always fails.",
    401: "The credential is missing, wrong, expired or revoked. Sign in again, or use another key.",
    403: "The credential is valid but lacks a permission. `Message` names the missing scope: ask "
    "the person who created the key or granted the role.",
    404: "Not found. Check the name or the id.",
    405: "The path exists with another method. The header `Allow` lists the valid methods.",
    408: "The body arrived too slowly. Send the request again.",
    409: "The request is valid, but the current state does not allow it. `Details` contains the "
    "reason. Show it to the user; do not retry automatically.",
    410: "The data has expired.",
    413: "The body is too large. Split it.",
    415: "Send JSON or a form in UTF-8, without compression.",
    422: "The `Idempotency-Key` was used for another request. Use a new key for a new request.",
    429: "Wait for the seconds in `Retry-After`, then send the request again.",
    500: "A bug in the service. Send the `RequestId` to the operator: the log has the details.",
    501: "This installation or version does not support the operation.",
    503: "Send the request again after `Retry-After`, with the same `Idempotency-Key`.",
    504: "The game server did not answer in time. Check the state of the command before you retry.",
}
"""What to do, by status."""

STATUSES = {
    "invalid-requests": ("400",),
    "protocol": ("405", "408", "413", "415", "422"),
    "access": ("401", "403"),
    "not-found": ("404", "410"),
    "conflicts": ("202", "409"),
    "live-operations": ("400", "409"),
    "identities": ("400", "403", "404", "409"),
    "retry": ("429", "500", "501", "503", "504"),
}
"""
The statuses of each page. If a status is on two pages, an error is on the one that describes it, or
on the first of them.
"""


def pages(document: Json) -> dict[str, str]:
    about = document["components"]["schemas"]["ErrorCode"]["description"]
    found = re.findall(r"^\| (\d{3}) \| `(\w+)` \| (.*?) \|$", about, re.MULTILINE)
    messages: Messages = defaultdict(list)
    for status, code, message in sorted(found):
        messages[status, code].append(message)
    callers = _callers(document)
    written = {f"{FOLDER}.md": _index(messages)}
    for name in STATUSES:
        written[f"{FOLDER}/{name}.md"] = _page(name, messages, callers)
    return written


def described() -> dict[Error, str]:
    """When each error is returned, from the tables in docs/reference/errors."""
    return {error: when for name in STATUSES for error, when in _described_on(name)}


def _described_on(name: str) -> Iterator[tuple[Error, str]]:
    for status, names, when in ROW.findall(_source(name)):
        for code in re.findall(r"\w+", names):
            yield (status, code), when


def _pages_of(messages: Messages) -> dict[Error, str]:
    """The page of each error."""
    first: dict[str, str] = {}
    for name, statuses in STATUSES.items():
        for status in statuses:
            first.setdefault(status, name)
    by_hand = {error: name for name in STATUSES for error, _ in _described_on(name)}
    return {error: by_hand.get(error, first[error[0]]) for error in messages}


def _source(name: str) -> str:
    return (DOCS / FOLDER / f"{name}.md").read_text("utf-8")


def _anchors(messages: Messages) -> Iterator[tuple[Error, str]]:
    """A few codes have two statuses; the first has the anchor."""
    seen: set[str] = set()
    for status, code in messages:
        yield (status, code), code if code not in seen else f"{code}-{status}"
        seen.add(code)


def _index(messages: Messages) -> str:
    place = PurePosixPath(f"{FOLDER}.md")
    text = rewritten((DOCS / place).read_text("utf-8"), "docs" / place, place)
    page_of = _pages_of(messages)
    links: dict[str, list[str]] = defaultdict(list)
    for (status, code), anchor in _anchors(messages):
        page = f"errors/{page_of[status, code]}.md"
        links[status].append(f'<a id="{anchor}"></a>[`{code}`]({page}#{anchor})')
    rows = [(status, " · ".join(codes)) for status, codes in links.items()]
    return "\n".join([text, "## All codes", "", *table(["Status", "Codes"], rows)])


def _page(name: str, messages: Messages, callers: dict[Error, list[str]]) -> str:
    place = PurePosixPath(f"{FOLDER}/{name}.md")
    when, anchors, page_of = described(), dict(_anchors(messages)), _pages_of(messages)
    title, about, _ = _source(name).split("\n\n", 2)
    lines = [title, "", about, ""]
    for status in STATUSES[name]:
        errors = [code for each, code in messages if each == status and page_of[each, code] == name]
        if not errors:
            continue
        lines += [f"## {status} {HTTPStatus(int(status)).phrase}", "", ADVICE[int(status)], ""]
        for code in errors:
            error = (status, code)
            lines += [f"### {code} {{ #{anchors[error]} }}", ""]
            lines += [line for message in messages[error] for line in (plain(message), "")]
            if error in when:
                lines += [f"When: {rewritten(when[error], 'docs' / place, place)}.", ""]
            lines += _from(callers[error])
    return "\n".join(lines)


def _callers(document: Json) -> dict[Error, list[str]]:
    """The links to the operations that can return each error."""
    found: dict[Error, list[str]] = defaultdict(list)
    for method, path, operation in operations(document):
        link = f"[`{method} {path}`](../api/{operation['tags'][0]}.md#{operation['operationId']})"
        for status, code in codes(operation):
            found[status, code].append(link)
    return found


def _from(links: list[str]) -> list[str]:
    if len(links) > MAX_LISTED_OPERATIONS:
        return [f"From {len(links)} operations.", ""]
    return [f"From {', '.join(links)}.", ""] if links else []
