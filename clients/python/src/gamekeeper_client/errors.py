"""
Exceptions of the client.

    GamekeeperError
    ├─ APIError                the service answered with an error
    │  ├─ ApprovalRequired     202: it exceeds your limits, and waits for approval
    │  ├─ BadRequest           400: the request is invalid
    │  ├─ Unauthorized         401: no valid credential
    │  ├─ Forbidden            403: the credential lacks a scope or a rank
    │  ├─ NotFound             404
    │  ├─ Conflict             409: the state does not allow it
    │  │  ├─ Fenced            another process is this game server now, or its lease expired
    │  │  └─ EventsUnknown     a backup was restored, and the last events you heard are undone
    │  ├─ Gone                 410
    │  │  └─ EventsExpired     the requested events are past their retention
    │  ├─ PayloadTooLarge      413
    │  ├─ RateLimited          429: `retry_after` says when to try again
    │  └─ ServerError          5xx
    │     └─ Unavailable       503: `retry_after` says when to try again
    ├─ Unreachable             no answer after all retries
    └─ WebhookVerificationError   a webhook message that the service did not sign
"""

from typing import Any

import httpx2


class GamekeeperError(Exception):
    """Any failure of a call."""


class APIError(GamekeeperError):
    """The service answered with an error; `code` is stable, `message` is for people."""

    def __init__(
        self,
        status: int,
        code: str,
        message: str,
        details: dict[str, Any] | None = None,
        request_id: str = "",
        retry_after: float | None = None,
    ) -> None:
        super().__init__(status, code, message, details, request_id, retry_after)
        self.status = status
        self.code = code
        self.message = message
        self.details = details or {}
        self.request_id = request_id
        self.retry_after = retry_after

    def __str__(self) -> str:
        said = f"{self.status} {self.code}: {self.message}" if self.code else self._unsaid()
        return f"{said} (request {self.request_id})" if self.request_id else said

    def _unsaid(self) -> str:
        return f"{self.status} {self.message}".rstrip()


class ApprovalRequired(APIError):
    """It exceeds the limits of your key: nothing was changed, and `approval_id` waits for a yes."""

    @property
    def approval_id(self) -> str:
        return self.details["ApprovalId"]


class BadRequest(APIError):
    """The request is invalid; `details` may say where."""


class Unauthorized(APIError):
    """There is no credential, or it is unknown, expired or revoked."""


class Forbidden(APIError):
    """The credential is valid, and may not do this; `details` may name the role it lacks."""


class NotFound(APIError):
    """There is no such character, account, item or route; `code` says which."""


class Conflict(APIError):
    """The state does not allow it, `not_enough_items` for example; `code` says why."""


class Fenced(Conflict):
    """Another process replaced the server, its lease expired, or a character is elsewhere."""


class Gone(APIError):
    """It was there, and is not kept any longer."""


class EventsExpired(Gone):
    """The events are past their retention; resume after `oldest - 1`: some were missed."""

    @property
    def oldest(self) -> int:
        return self.details["Oldest"]


class EventsUnknown(Conflict):
    """
    There is no such event: a backup was restored, and the events after `shared` are undone.

    Read anew what you derived from them, and resume after `shared`.
    """

    @property
    def shared(self) -> int:
        return self.details["Shared"]


class PayloadTooLarge(APIError):
    """The body is larger than the service accepts."""


class RateLimited(APIError):
    """Too many requests; `retry_after` is how many seconds to wait."""


class ServerError(APIError):
    """The service, or a proxy before it, failed. A change may have been made."""


class Unavailable(ServerError):
    """The service is overloaded, starting or stopping."""


class Unreachable(GamekeeperError):
    """No answer. The change may have been made: retry with the same idempotency key."""

    def __init__(self, attempts: int, last: Exception) -> None:
        super().__init__(attempts, last)
        self.attempts = attempts
        self.last = last

    def __str__(self) -> str:
        times = "1 attempt" if self.attempts == 1 else f"{self.attempts} attempts"
        return f"no answer after {times}: {type(self.last).__name__}: {self.last}"


class WebhookVerificationError(GamekeeperError):
    """The message was not signed with this secret, or not just now: do not trust it."""


OF_CODE: dict[str, type[APIError]] = {
    "approval_required": ApprovalRequired,
    "fenced": Fenced,
    "events_expired": EventsExpired,
    "events_unknown": EventsUnknown,
}
OF_STATUS: dict[int, type[APIError]] = {
    400: BadRequest,
    401: Unauthorized,
    403: Forbidden,
    404: NotFound,
    409: Conflict,
    410: Gone,
    413: PayloadTooLarge,
    429: RateLimited,
    503: Unavailable,
}


def api_error(response: httpx2.Response) -> APIError:
    """Parse an error response, which may also come from a proxy in another format."""
    said = _said(response)
    status, details = response.status_code, said.get("Details")
    code = str(said.get("Code") or said.get("error") or "")
    return _kind(status, code)(
        status=status,
        code=code,
        message=said.get("Message") or said.get("error_description") or response.reason_phrase,
        details=details if isinstance(details, dict) else None,
        request_id=said.get("RequestId") or response.headers.get("x-request-id", ""),
        retry_after=retry_after(response),
    )


def retry_after(response: httpx2.Response) -> float | None:
    """The seconds that the service asks to wait."""
    asked = response.headers.get("retry-after", "")
    return float(asked) if asked.isascii() and asked.isdigit() else None


def _kind(status: int, code: str) -> type[APIError]:
    return OF_CODE.get(code) or OF_STATUS.get(status, ServerError if status >= 500 else APIError)


def _said(response: httpx2.Response) -> dict[str, Any]:
    try:
        said = response.json()
    except ValueError:
        return {}
    return said if isinstance(said, dict) else {}
