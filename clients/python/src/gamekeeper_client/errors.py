"""
Exceptions of the client.

    GamekeeperError
    ├─ Refused            the service answered with an error
    │  ├─ Fenced          another process is this game server now, or its lease expired
    │  └─ EventsExpired   the requested events are past their retention
    └─ Unreachable        no answer after all retries
"""

from typing import Any

import httpx2


class GamekeeperError(Exception):
    """Any failure of a call."""


class Refused(GamekeeperError):
    """The service answered with an error; `code` is stable, `message` is for people."""

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
    """Another process replaced the server, its lease expired, or a character is elsewhere."""


class EventsExpired(Refused):
    """The events are past their retention; resume after `oldest - 1`: some were missed."""

    @property
    def oldest(self) -> int:
        return self.details["Oldest"]


class Unreachable(GamekeeperError):
    """No answer. The change may have been made: retry with the same idempotency key."""

    def __init__(self, attempts: int, last: Exception) -> None:
        super().__init__(f"no answer after {attempts} attempts: {type(last).__name__}: {last}")
        self.attempts = attempts


OF_CODE: dict[str, type[Refused]] = {"fenced": Fenced, "events_expired": EventsExpired}


def refusal(response: httpx2.Response) -> Refused:
    """Parse an error response, which may also come from a proxy in another format."""
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
