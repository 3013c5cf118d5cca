"""Staff sign in with a real browser: passkeys, codes, and what the cookie keeps out."""

from typing import Any
from uuid import UUID, uuid4

import pytest
from playwright.async_api import CDPSession

from gamekeeper.db.database import Database
from tests.make import make_user, sha
from tests.pages.conftest import Visit
from tests.pages.test_cors import site
from tests.staff.make import make_staff
from tests.staff.signed_in import PASSWORD, Person

__all__ = ["site"]

pytestmark = pytest.mark.browser

# What the console does: our own page calls the API, and the browser adds the cookie.
CALL = """
async ([method, path, body]) => {
    const answer = await fetch(path, {
        method,
        headers: {"X-Gamekeeper": "1", "Content-Type": "application/json"},
        body: body && JSON.stringify(body),
    });
    return [answer.status, await answer.json()];
}
"""
REGISTER = """
async (options) => {
    const made = await navigator.credentials.create(
        {publicKey: PublicKeyCredential.parseCreationOptionsFromJSON(options)});
    const {id, response} = made.toJSON();
    return {
        id,
        clientdatajson: response.clientDataJSON,
        attestationobject: response.attestationObject,
        transports: response.transports,
        name: "Laptop",
    };
}
"""
ANSWER = """
async (options) => {
    const made = await navigator.credentials.get(
        {publicKey: PublicKeyCredential.parseRequestOptionsFromJSON(options)});
    const {id, response} = made.toJSON();
    return {
        id,
        clientdatajson: response.clientDataJSON,
        authenticatordata: response.authenticatorData,
        signature: response.signature,
    };
}
"""
FORGE = """
async (url) => {
    const answers = [];
    for (const about of [{}, {"X-Gamekeeper": "1"}]) {
        try {
            await fetch(`${url}/api/v1/me/sessions`, {
                method: "DELETE", credentials: "include", headers: about});
            answers.push("sent");
        } catch (fault) {
            answers.push(String(fault));
        }
    }
    const posted = await fetch(`${url}/api/v1/session/passkey/options`, {
        method: "POST", mode: "no-cors", credentials: "include", body: "{}"});
    return [...answers, posted.type];
}
"""


class Member:
    """A staff member at our own page, in a browser of their own."""

    def __init__(self, visit: Visit, name: str, user_id: UUID) -> None:
        self.visit = visit
        self.name = name
        self.user_id = user_id

    async def call(self, method: str, path: str, **body: Any) -> tuple[int, Any]:
        sent = body if method == "POST" else None
        status, answer = await self.visit.page.evaluate(CALL, [method, f"/api/v1{path}", sent])
        return status, answer

    async def enter_password(self) -> str:
        status, answer = await self.call(
            "POST", "/session", username=self.name, password=sha(PASSWORD)
        )
        assert status == 200, answer
        return answer["State"]

    async def register_passkey(self) -> tuple[int, Any]:
        _, asked = await self.call("POST", "/me/factors/passkeys/options")
        made = await self.visit.page.evaluate(REGISTER, asked["Options"])
        return await self.call("POST", "/me/factors/passkeys", **made)

    async def answer_passkey(self) -> dict[str, Any]:
        _, asked = await self.call("POST", "/session/passkey/options")
        return await self.visit.page.evaluate(ANSWER, asked["Options"])


@pytest.fixture
def home(url: str) -> str:
    """Our own origin by name: browsers make no passkeys for addresses."""
    return url.replace("127.0.0.1", "localhost")


@pytest.fixture
async def ana(visit: Visit, home: str, database: Database) -> Member:
    name = f"ana-{uuid4().hex[:8]}"
    user = await make_user(database, name, password=PASSWORD)
    await make_staff(database, "owner", user=user)
    await visit.page.goto(f"{home}/reset")
    return Member(visit, name, user)


@pytest.fixture
async def devtools(visit: Visit) -> CDPSession:
    """With a virtual authenticator, whose owner always puts a finger on it."""
    devtools = await visit.context.new_cdp_session(visit.page)
    await devtools.send("WebAuthn.enable")
    options = {
        "protocol": "ctap2",
        "transport": "internal",
        "hasResidentKey": True,
        "hasUserVerification": True,
        "isUserVerified": True,
    }
    made = await devtools.send("WebAuthn.addVirtualAuthenticator", {"options": options})
    devtools.authenticator = made["authenticatorId"]  # pyright: ignore[reportAttributeAccessIssue]
    return devtools


async def test_a_passkey_is_registered_and_signs_in_again(ana, devtools):
    assert await ana.enter_password() == "enrolment_required"
    status, added = await ana.register_passkey()
    assert (status, added["Kind"], added["Name"]) == (200, "passkey", "Laptop")
    assert (await ana.call("GET", "/players"))[0] == 200
    assert (await ana.call("DELETE", "/session"))[0] == 200
    assert (await ana.call("GET", "/players"))[0] == 401

    assert await ana.enter_password() == "second_factor_required"
    answer = await ana.answer_passkey()
    status, verified = await ana.call("POST", "/session/passkey", **answer)

    assert (status, verified["State"]) == (200, "signed_in")
    assert (await ana.call("GET", "/players"))[0] == 200
    # The challenge is used up, and the signature counts no second time.
    status, again = await ana.call("POST", "/session/passkey", **answer)
    assert (status, again["Code"]) == (409, "challenge_expired")
    # As step-up, with the next one.
    status, _ = await ana.call("POST", "/session/passkey", **await ana.answer_passkey())
    assert status == 200


async def test_a_passkey_whose_owner_was_not_verified_is_refused(ana, devtools):
    await ana.enter_password()
    assert (await ana.register_passkey())[0] == 200
    await ana.call("DELETE", "/session")
    await ana.enter_password()
    answer = await ana.answer_passkey()
    tampered = answer | {"signature": answer["signature"][:-8] + "AAAAAAAA"}
    status, refused = await ana.call("POST", "/session/passkey", **tampered)
    assert (status, refused["Code"]) == (403, "passkey_refused")
    about = {"authenticatorId": devtools.authenticator, "isUserVerified": False}
    await devtools.send("WebAuthn.setUserVerified", about)
    _, asked = await ana.call("POST", "/session/passkey/options")
    assert asked["Options"]["userVerification"] == "required"
    with pytest.raises(Exception, match="NotAllowedError"):
        await ana.visit.page.evaluate(ANSWER, asked["Options"] | {"timeout": 1000})
    status, refused = await ana.call("POST", "/session/passkey", **answer)
    assert (status, refused["Code"]) == (403, "passkey_refused")
    assert (await ana.call("GET", "/players"))[1]["Code"] == "second_factor_required"


async def test_an_authenticator_app_signs_in(ana):
    assert await ana.enter_password() == "enrolment_required"
    _, begun = await ana.call("POST", "/me/factors/totp", name="Phone")
    assert begun["QrCode"].startswith("<svg")
    app = Person(None, ana.name, ana.user_id)  # pyright: ignore[reportArgumentType]
    app.secret = begun["Secret"]
    status, _ = await ana.call("POST", "/me/factors/totp/confirm", id=begun["Id"], code=app.code(0))
    assert status == 200
    await ana.call("DELETE", "/session")

    assert await ana.enter_password() == "second_factor_required"
    status, verified = await ana.call("POST", "/session/totp", code=app.code())

    assert (status, verified["State"]) == (200, "signed_in")
    # A script of ours cannot read the cookie, and over HTTP it is the one for development.
    assert await ana.visit.page.evaluate("document.cookie") == ""
    [cookie] = await ana.visit.context.cookies()
    assert {name: cookie.get(name) for name in ("name", "httpOnly", "sameSite", "path")} == {
        "name": "gamekeeper-dev",
        "httpOnly": True,
        "sameSite": "Strict",
        "path": "/",
    }
    assert cookie["expires"] == -1  # pyright: ignore[reportTypedDictNotRequiredAccess]


async def test_a_page_of_another_origin_cannot_make_a_change(ana, site, home, database):
    await ana.enter_password()
    _, begun = await ana.call("POST", "/me/factors/totp", name="Phone")
    app = Person(None, ana.name, ana.user_id)  # pyright: ignore[reportArgumentType]
    app.secret = begun["Secret"]
    await ana.call("POST", "/me/factors/totp/confirm", id=begun["Id"], code=app.code(0))
    sql = "SELECT count(*) FROM browser_sessions WHERE user_id = $1 AND challenge IS NOT NULL"

    # Another origin of another site; and one of the same site, which gets the cookie sent.
    for origin in (
        site.replace("127.0.0.1", "gamekeeper.test"),
        site.replace("127.0.0.1", "localhost"),
    ):
        await ana.visit.page.goto(origin)
        answers = await ana.visit.page.evaluate(FORGE, home)
        assert answers == ["TypeError: Failed to fetch"] * 2 + ["opaque"]
        assert await database.reader.value(sql, ana.user_id) == 0

    await ana.visit.page.goto(f"{home}/reset")
    assert (await ana.call("GET", "/me/sessions"))[1]["Total"] == 1
