"""The reference of errors: code, status and message of each, when it comes, and from what."""

import re
from collections import defaultdict
from http import HTTPStatus
from typing import Any

from tools.documentation.api_reference import codes, operations
from tools.documentation.pages import DOCS
from tools.documentation.text import plain

Json = dict[str, Any]

ROW = re.compile(r"^\| (\d{3}) \| `(\w+)` \| (.*?) \| ", re.MULTILINE)
MOST = 8
"""An error of more operations than this is one of nearly all; they are counted, not listed."""

ADVICE = {
    202: "Not an error: somebody else must approve the change. Read the request under "
    "`Details.ApprovalId`, and do not send the change again.",
    400: "The request cannot be read, or makes no sense. Mend the program; the same request will "
    "always be refused.",
    401: "The credential is missing, wrong, expired or revoked. Sign in again, or use another key.",
    403: "The credential is good, but may not do this. `Message` names the missing scope: ask "
    "whoever made the key or gave the role.",
    404: "There is no such thing. Check the name or the id.",
    405: "The path exists, with another method: the header `Allow` has them.",
    408: "The body came too slowly. Send it again.",
    409: "The request is fine, but not in this state of the game. `Details` says what is in the "
    "way. Show it to whoever asked; do not repeat it blindly.",
    410: "It was there, and is not kept any more.",
    413: "The body is too large. Send less at a time.",
    415: "Send JSON or a form, in UTF-8, not compressed.",
    422: "The `Idempotency-Key` was used for another request. Use a new key for a new request.",
    429: "Wait as long as `Retry-After` says, then send it again.",
    500: "A bug of the service. Tell the operator the `RequestId`: the log has the rest.",
    501: "This installation, or this version, does not do that.",
    503: "It is safe to send it again, with the same `Idempotency-Key`, after `Retry-After`.",
    504: "The game server did not answer in time. Look at the command's state, then repeat it.",
}
"""What to do, by status."""


def pages(document: Json) -> dict[str, str]:
    return {"reference/errors.md": _page(document)}


def _page(document: Json) -> str:
    about = document["components"]["schemas"]["ErrorCode"]["description"]
    messages = re.findall(r"^\| (\d{3}) \| `(\w+)` \| (.*?) \|$", about, re.MULTILINE)
    when = {(status, code): text for status, code, text in _contract()}
    callers = _callers(document)
    lines = [INTRODUCTION]
    by_status: dict[str, list[tuple[str, str]]] = defaultdict(list)
    seen: set[str] = set()
    for status, code, message in messages:
        by_status[status].append((code, message))
    for status, errors in sorted(by_status.items()):
        lines += [f"## {status} {HTTPStatus(int(status)).phrase}", "", ADVICE[int(status)], ""]
        for code, message in sorted(errors):
            # A few codes have two statuses; the first has the anchor.
            anchor = code if code not in seen else f"{code}-{status}"
            seen.add(code)
            lines += [f"### {code} {{ #{anchor} }}", "", plain(message), ""]
            if (status, code) in when:
                lines += [f"When: {when[status, code]}.", ""]
            lines += _from(callers[status, code])
    return "\n".join(lines)


INTRODUCTION = """\
# Errors

Every error has the same form. `Code` never changes its meaning; `Message` is for people and may be
reworded. `RequestId` finds the request in the operator's log.

```json
{"Message": "No player with name 'Ana'.", "Code": "player_not_found", "RequestId": "4f1c2b7a"}
```

A program decides by the status first, and then, if it must know more, by the code.
"""


def _contract() -> list[tuple[str, str, str]]:
    """Status, code and occasion of the table in the contract, without its links and numbers."""
    text = (DOCS / "contract.md").read_text("utf-8")
    rows = ROW.findall(text[text.index("\n## Errors\n") :])
    return [(s, c, re.sub(r"\[([^\]]*)\]\([^)]*\)", r"\1", when)) for s, c, when in rows]


def _callers(document: Json) -> dict[tuple[str, str], list[str]]:
    """The links to the operations that may answer with each error."""
    found: dict[tuple[str, str], list[str]] = defaultdict(list)
    for method, path, operation in operations(document):
        link = f"[`{method} {path}`](api/{operation['tags'][0]}.md#{operation['operationId']})"
        for status, code in codes(operation):
            found[status, code].append(link)
    return found


def _from(links: list[str]) -> list[str]:
    if len(links) > MOST:
        return [f"From {len(links)} operations.", ""]
    return [f"From {', '.join(links)}.", ""] if links else []
