"""What an answer says, so that a test can compare all of it at once."""

from typing import Any

from httpx2 import Response

JSON = "application/json; charset=utf-8"


def outcome(answer: Response) -> tuple[int, Any]:
    """
    The status and the whole body.

    A refusal's `RequestId` is made anew each time; it must be the header's, and
    then it is left out.
    """
    assert answer.headers["content-type"] == JSON, answer.headers
    body = answer.json()
    if answer.status_code >= 400 and "Code" in body:
        assert body.pop("RequestId") == answer.headers["x-request-id"]
    return answer.status_code, body


def refusal(status: int, code: str, message: str, **details: object) -> tuple[int, Any]:
    """What `outcome` shows of a refusal."""
    shown: dict[str, Any] = {"Message": message, "Code": code}
    return status, shown | ({"Details": details} if details else {})
