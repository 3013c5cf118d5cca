"""Another shape of an operation, for clients that ask for it (content negotiation)."""

from collections.abc import Callable, Mapping
from typing import Any

import msgspec
from msgspec import Struct

from gamekeeper.core.errors import Problem
from gamekeeper.http.requests import Request


def _same(document: Any) -> Any:
    return document


def _refused(problem: Problem, request: Request) -> Problem:
    return problem


class NewerShape(Struct, frozen=True, kw_only=True):
    answer: Callable[[Any], Any] = _same
    """Makes the newer document of the usual one."""
    refusal: Callable[[Problem, Request], Problem] = _refused
    keys: Mapping[str, str] = {}
    """The newer names of fields of the body, in lower case, and the usual ones."""
    defaults: Mapping[str, object] = {}
    """Of fields that are not sent, by their usual names."""

    def encode(self, body: bytes) -> bytes:
        """The body of an answer in this shape."""
        return msgspec.json.encode(self.answer(msgspec.json.decode(body)))

    def renamed(self, fields: Mapping[str, object]) -> Mapping[str, object]:
        """The fields of a request by their usual names; a usual name that was sent counts."""
        sent = {name.lower(): value for name, value in fields.items()}
        newer = {usual: sent[name] for name, usual in self.keys.items() if name in sent}
        return {**self.defaults, **newer, **sent}
