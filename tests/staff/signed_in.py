"""Staff who are signed in with a browser, and the way there: password, then second factor."""

import time
from typing import Any
from uuid import UUID, uuid4

import httpx2
import pyotp
from msgspec import Struct

from gamekeeper.auth import credentials
from gamekeeper.core.settings import Hidden
from gamekeeper.db.database import Database, Writer
from gamekeeper.http.cookies import NAME
from tests.make import make_user, sha
from tests.staff.make import make_staff

PASSWORD = "secret"
OURS = {"X-Gamekeeper": "1", "Sec-Fetch-Site": "same-origin"}
"""What our own pages send with every change."""


class StaffSession(Struct, frozen=True, kw_only=True):
    user_id: UUID
    session_id: UUID
    cookie: Hidden

    @property
    def headers(self) -> dict[str, str]:
        """The headers of a change by one of our own pages in this session."""
        return {"Cookie": f"{NAME}={self.cookie}"} | OURS


async def staff_session(
    database: Database, *roles: str, user: UUID | None = None, verified_minutes_ago: int = 0
) -> dict[str, str]:
    """The headers of a new staff member with these roles, signed in with a browser."""
    member = user or await make_staff(database, *roles)
    session = await open_session(database, member, verified_minutes_ago=verified_minutes_ago)
    return session.headers


async def open_session(
    database: Database, user: UUID, *, verified_minutes_ago: int = 0
) -> StaffSession:
    """A signed-in session of a staff member, past every step of a sign-in."""
    made = StaffSession(user_id=user, session_id=uuid4(), cookie=credentials.new_credential("gks"))

    async def work(writer: Writer) -> None:
        await writer.run(
            """
            INSERT INTO browser_sessions (id, user_id, hash, roles, address, user_agent,
                                          expires_at, verified_at, method)
            SELECT $1, $2, $3, array_agg(role ORDER BY role), '192.0.2.1', 'tests',
                   now() + interval '12 hours', now() - make_interval(mins => $4), 'totp'
              FROM staff_roles WHERE user_id = $2
            """,
            made.session_id,
            user,
            credentials.digest(made.cookie),
            verified_minutes_ago,
        )

    await database.write(work)
    return made


class Person:
    """A staff member with a browser and an authenticator app, who does it all by hand."""

    def __init__(self, client: httpx2.AsyncClient, name: str, user_id: UUID) -> None:
        self.client = client
        self.name = name
        self.user_id = user_id
        self.cookie = ""
        self.secret = ""

    @classmethod
    async def make(cls, client: httpx2.AsyncClient, database: Database, *roles: str) -> "Person":
        name = f"staff-{uuid4().hex[:8]}"
        user = await make_user(database, name, password=PASSWORD)
        await make_staff(database, *(roles or ("support",)), user=user)
        return cls(client, name, user)

    async def call(
        self, method: str, path: str, *, headers: dict[str, str] | None = None, **fields: Any
    ) -> httpx2.Response:
        """What our own pages send; a new cookie replaces the one before."""
        # Not the client's own cookies and key: these are another person's.
        sent = OURS | ({"Cookie": f"{NAME}={self.cookie}"} if self.cookie else {})
        body = {"json": fields} if method in ("POST", "PUT", "PATCH") else {}
        request = self.client.build_request(method, path, headers=sent | (headers or {}), **body)
        request.headers.pop("Authorization", None)
        answer = await self.client.send(request)
        self.client.cookies.clear()
        for header in answer.headers.get_list("set-cookie"):
            self.cookie = header.partition(";")[0].partition("=")[2]
        return answer

    async def enter_password(self, password: str = PASSWORD) -> httpx2.Response:
        return await self.call(
            "POST", "/api/v1/session", username=self.name, password=sha(password)
        )

    async def enrol(self) -> httpx2.Response:
        """Enrol an authenticator app."""
        begun = await self.call("POST", "/api/v1/me/factors/totp")
        assert begun.status_code == 200, begun.text
        self.secret = begun.json()["Secret"]
        return await self.call(
            "POST",
            "/api/v1/me/factors/totp/confirm",
            id=begun.json()["Id"],
            code=self.code(0),
        )

    def code(self, steps: int = 1) -> str:
        """
        What the authenticator app shows, so many steps of thirty seconds from now.

        By default the next one, which is good already: the one of now was used to enrol, and
        would be too old if a step ended before it arrives.
        """
        return pyotp.TOTP(self.secret).at(int(time.time()) + 30 * steps)

    async def enter_code(self, code: str = "") -> httpx2.Response:
        return await self.call("POST", "/api/v1/session/totp", code=code or self.code())

    async def sign_in(self) -> None:
        """All the way: the password, then enrolment."""
        assert (await self.enter_password()).json()["State"] == "enrolment_required"
        enrolled = await self.enrol()
        assert enrolled.status_code == 200, enrolled.text
