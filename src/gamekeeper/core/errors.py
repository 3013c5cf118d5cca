"""
Error classes: every error response (status, code, message) a client may see.

    Problem                400
      Invalid              400   the request cannot be read or makes no sense
      Unauthorized         401   the caller is not authenticated
      Forbidden            403   the caller lacks a role, or the password is wrong
      NotFound             404
      Conflict             409   the request conflicts with what is stored
      TooManyRequests      429
      Unavailable          503   a temporary failure; a retry is safe and worthwhile
        OutcomeUnknown     503   a retry is safe only with an idempotency key

Each package defines its own errors, next to the operation that raises them. The
docstring is the message, unless the constructor is given one with details; the class
name is the code; the base class sets the status. Anything that is not a ``Problem`` is a bug
and answers 500 without detail.
"""

import re
from http import HTTPStatus
from typing import Any, ClassVar

from msgspec import Struct


class Problem(Exception):
    """The request could not be processed."""

    status: ClassVar[HTTPStatus] = HTTPStatus.BAD_REQUEST
    code: ClassVar[str] = "problem"
    """The class name in snake_case: ``PlayerNotFound`` is ``player_not_found``."""
    cacheable: ClassVar[bool] = True
    """Whether it is stored as the reply to its idempotency key; False if a retry may succeed."""

    def __init_subclass__(cls) -> None:
        if "code" not in vars(cls):
            cls.code = re.sub(r"(?<!^)(?=[A-Z])", "_", cls.__name__).lower()

    def __init__(self, message: str | None = None, /, **details: object) -> None:
        super().__init__(message or type(self).__doc__)
        self.details = details
        self.headers: list[tuple[str, str]] = []


class Invalid(Problem):
    """The request cannot be read."""


class InvalidBody(Invalid):
    """The body does not match the schema of this operation."""


class InvalidQuery(Invalid):
    """The query string does not match the parameters of this operation."""


# A sentence of Intersect, which its clients compare: it stays as it is.
class Unauthorized(Problem):
    """Authorization has been denied for this request."""

    status = HTTPStatus.UNAUTHORIZED

    def __init__(self) -> None:
        super().__init__()
        self.headers = [("WWW-Authenticate", "Bearer")]


class Forbidden(Problem):
    """You do not have permission to do this."""

    status = HTTPStatus.FORBIDDEN


class RoleRequired(Forbidden):
    """The caller lacks a role."""

    cacheable = False

    def __init__(self, role: str = "") -> None:
        super().__init__(f"This needs the role '{role}'.", role=role)
        self.headers = [("WWW-Authenticate", f'Bearer error="insufficient_scope", scope="{role}"')]


class NotFound(Problem):
    """Not found."""

    status = HTTPStatus.NOT_FOUND


class RouteNotFound(NotFound):
    """No operation has that path."""


class MethodNotAllowed(Problem):
    """The path does not support this method."""

    status = HTTPStatus.METHOD_NOT_ALLOWED

    def __init__(self, allowed: list[str] | None = None) -> None:
        super().__init__()
        self.headers = [("Allow", ", ".join(sorted(allowed or [])))]


class Conflict(Problem):
    """The request conflicts with the stored data."""

    status = HTTPStatus.CONFLICT


class BodyTooLarge(Problem):
    """The body is larger than 64 KiB."""

    status = HTTPStatus.REQUEST_ENTITY_TOO_LARGE

    def __init__(self, largest: int = 64 * 1024) -> None:
        super().__init__(f"The body is larger than {largest // 1024} KiB.")


class BodyTooSlow(Problem):
    """The body did not arrive within 10 seconds."""

    status = HTTPStatus.REQUEST_TIMEOUT

    def __init__(self) -> None:
        super().__init__()
        self.headers = [("Connection", "close")]


class BodyTooFragmented(Problem):
    """The body arrives in too many small pieces."""

    def __init__(self) -> None:
        super().__init__()
        self.headers = [("Connection", "close")]


class UnsupportedMediaType(Problem):
    """Send application/json or application/x-www-form-urlencoded, in UTF-8, not compressed."""

    status = HTTPStatus.UNSUPPORTED_MEDIA_TYPE


class TooManyRequests(Problem):
    """Too many attempts. Wait before you try again."""

    status = HTTPStatus.TOO_MANY_REQUESTS

    def __init__(self, retry_after: float = 1) -> None:
        seconds = max(1, min(86_400, round(retry_after + 0.5)))
        super().__init__(None, retry_after=seconds)
        self.headers = [("Retry-After", str(seconds))]


class RateLimitExceeded(TooManyRequests):
    """Too many requests of this kind. Wait before you send the next one."""

    def __init__(self, retry_after: float = 1, policy: str = "read") -> None:
        super().__init__(retry_after)
        self.details["policy"] = policy


class InternalError(Problem):
    """Internal error. Quote the request id when you report it."""

    status = HTTPStatus.INTERNAL_SERVER_ERROR


class Unavailable(Problem):
    """The service is temporarily unavailable. Try again shortly."""

    status = HTTPStatus.SERVICE_UNAVAILABLE

    def __init__(self, message: str | None = None) -> None:
        super().__init__(message)
        self.headers = [("Retry-After", "1")]


class OutcomeUnknown(Unavailable):
    """The change may have been made or not. Repeat it only with the same Idempotency-Key."""

    def __init__(self) -> None:
        super().__init__()
        # No Retry-After: a client that repeats it without a key could make the change twice.
        self.headers = []


class StoredReply(Problem):
    """This request was processed before; this is the stored response."""

    def __init__(self, status: int, body: bytes) -> None:
        super().__init__()
        self.answer = (status, body)


class Failure(Struct, frozen=True, kw_only=True, rename="pascal", omit_defaults=True):
    """What every refusal looks like."""

    message: str
    code: str
    request_id: str
    details: dict[str, Any] | None = None

    @classmethod
    def of(cls, problem: Problem, request_id: str) -> "Failure":
        details = {name.title().replace("_", ""): fact for name, fact in problem.details.items()}
        return cls(
            message=str(problem),
            code=problem.code,
            request_id=request_id,
            details=details or None,
        )
