"""
What can go wrong with a call.

    GamekeeperError
    ├─ Refused            the service said no, and why
    │  ├─ Fenced          another process is this game server now, or its lease ran out
    │  └─ EventsExpired   the events asked for are no longer told
    └─ Unreachable        no answer, however often it was asked
"""

from typing import Any

import httpx2


class GamekeeperError(Exception):
    """Any failure of a call."""


class Refused(GamekeeperError):
    """The service said no; `code` never changes, `message` is for people."""

    def __init__(
        self,
        status: int,
        code: str,
        message: str,
        details: dict[str, Any] | None = None,
        request_id: str = "",
    ) -> None:
        super().__init__(f"{status} {code}: {message}")
        self.status = status
        self.code = code
        self.message = message
        self.details = details or {}
        self.request_id = request_id


class Fenced(Refused):
    """Another process took the server's place, its lease ran out, or a character is elsewhere."""


class EventsExpired(Refused):
    """Events so old are no longer told; go on after `oldest - 1`, knowing that some are missed."""

    @property
    def oldest(self) -> int:
        return self.details["Oldest"]


class Unreachable(GamekeeperError):
    """There was no answer. A change may have been made: ask again under the same key."""

    def __init__(self, attempts: int, last: Exception) -> None:
        super().__init__(f"no answer after {attempts} attempts: {type(last).__name__}: {last}")
        self.attempts = attempts


OF_CODE: dict[str, type[Refused]] = {"fenced": Fenced, "events_expired": EventsExpired}


def refusal(response: httpx2.Response) -> Refused:
    """The refusal that an answer is; a proxy in between may have written it in its own way."""
    said = _said(response)
    code = str(said.get("Code") or said.get("error") or "")
    return OF_CODE.get(code, Refused)(
        status=response.status_code,
        code=code,
        message=said.get("Message") or said.get("error_description") or response.reason_phrase,
        details=said.get("Details"),
        request_id=said.get("RequestId") or response.headers.get("x-request-id", ""),
    )


def _said(response: httpx2.Response) -> dict[str, Any]:
    try:
        said = response.json()
    except ValueError:
        return {}
    return said if isinstance(said, dict) else {}
