"""The replayer: sends the calls of a recording to a server, and applies the conditions."""

import json
import re
from collections.abc import Mapping
from typing import Any

import httpx2
from msgspec import UNSET, Struct

from tests.intersect_clients import conditions
from tests.intersect_clients.recordings import (
    Expectation,
    RecordedCall,
    Recording,
    Version,
)

TOKEN = "/api/oauth/token"
NEWER = "application/vnd.intersect.0.8+json"
"""Whoever accepts this gets the shapes of version 0.8."""
DEAD_TOKEN = "gka_an-old-token-of-yesterday"
PLACE = re.compile(r"\{(\w+)\}")
SIGNED_IN = Expectation(
    status=200,
    keys={"access_token": "string", "refresh_token": "string", "expires_in": "int32"},
    values={"token_type": "bearer"},
    # Programs that never renew a token rely on Intersect's seven days.
    least={"expires_in": 86_400},
)


class Outcome(Struct, frozen=True):
    call: RecordedCall
    faults: list[str]
    answer: str
    """The beginning of the last answer, for whoever must find out why."""


class Replay:
    """One run of a program: its token, and what it knows from the answers so far."""

    def __init__(
        self,
        client: httpx2.AsyncClient,
        recording: Recording,
        known: Mapping[str, str],
        version: Version = "0.7",
        key: str = "",
    ) -> None:
        self._client = client
        self._recording = recording
        self._known = dict(known)
        self._version: Version = version
        self._key = key
        self._token: str | None = None
        self.sign_ins = 0

    async def run(self) -> list[Outcome]:
        calls = self._recording.calls_of(self._version)
        return [await self._outcome(call) for call in calls]

    async def _outcome(self, call: RecordedCall) -> Outcome:
        try:
            wrong, answer = await self._call(call)
        except KeyError as gap:
            return Outcome(call, [f"an earlier answer had no {gap.args[0]}"], "")
        return Outcome(call, wrong, f"{answer.status_code} {answer.text[:300]}")

    async def _call(self, call: RecordedCall) -> tuple[list[str], httpx2.Response]:
        habit = self._recording.sign_in
        if call.stale:
            self._token = DEAD_TOKEN
            denied = await self._send(call)
            self._token = None
            if wrong := _faults(habit.denied, denied):
                return [f"denied: {one}" for one in wrong], denied
            if not habit.renews:
                return [], denied
        signs_in = habit.when != "never" and not call.anonymous
        if signs_in and (self._token is None or habit.when == "before every call"):
            signed = await self._sign_in()
            if wrong := _faults(SIGNED_IN, signed):
                return [f"sign-in: {one}" for one in wrong], signed
        answer = await self._send(call)
        expected = self._filled(call.expected(self._version))
        wrong = _faults(expected, answer)
        for name, path in call.keep.items():
            try:
                self._known[name] = str(next(iter(conditions.find(_body(answer), path))))
            except conditions.Missing as gap:
                wrong.append(f"{path}: {gap}")
        return wrong, answer

    async def _sign_in(self) -> httpx2.Response:
        given = {
            "grant_type": "password",
            "username": self._known["account"],
            "password": self._known["password"],
        }
        if self._recording.sign_in.body == "json":
            answer = await self._client.post(TOKEN, json=given)
        else:
            answer = await self._client.post(TOKEN, data=given)
        if answer.status_code == 200:
            self._token = answer.json()["access_token"]
            self._known["refresh_token"] = answer.json()["refresh_token"]
        self.sign_ins += 1
        return answer

    async def _send(self, call: RecordedCall) -> httpx2.Response:
        method, _, path = self._fill(call.send).partition(" ")
        headers = self._fill(call.headers)
        if self._version == "0.8":
            headers = {"Accept": NEWER, **headers}
        credential = self._key if call.api_key else self._token
        if credential and not call.anonymous:
            headers["Authorization"] = f"Bearer {credential}"
        given: dict[str, Any] = {}
        if call.json is not UNSET:
            given["json"] = self._fill(call.json)
        elif call.form is not UNSET:
            given["data"] = self._fill(call.form)
        elif call.text is not UNSET:
            given["content"] = self._fill(call.text)
            headers["Content-Type"] = "application/json"
        return await self._client.request(method, path, headers=headers, **given)

    def _filled(self, expected: Expectation) -> Expectation:
        fields = {name: getattr(expected, name) for name in expected.__struct_fields__}
        return Expectation(**{name: self._fill(value) for name, value in fields.items()})

    def _fill(self, value: Any) -> Any:
        """The value with the names in braces replaced, wherever they are."""
        if isinstance(value, str):
            return PLACE.sub(lambda found: self._known[found[1]], value)
        if isinstance(value, list):
            return [self._fill(one) for one in value]
        if isinstance(value, dict):
            return {self._fill(key): self._fill(one) for key, one in value.items()}
        return value


def _faults(expected: Expectation, answer: httpx2.Response) -> list[str]:
    return conditions.faults(expected, answer.status_code, answer.text, _body(answer))


def _body(answer: httpx2.Response) -> Any:
    try:
        return json.loads(answer.text)
    except ValueError:
        return None
