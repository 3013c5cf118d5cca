"""DiscourseConnect: a forum signs players in with its own protocol."""

import hmac
import json
from base64 import b64decode, b64encode
from typing import Any
from urllib.parse import parse_qs, urlencode, urlsplit

import httpx2
import pytest
from msgspec import structs

from gamekeeper.auth.secrets import Vault
from gamekeeper.core.settings import Hidden, Settings
from gamekeeper.db.database import Database
from gamekeeper.provider import client_commands, clients, discourse
from gamekeeper.provider.clients import ClientChange
from gamekeeper.users import verified_emails
from tests.cli.command import gamekeeper
from tests.make import BY
from tests.moderation.rows import make_sanction
from tests.provider.relying_party import ISSUER, Browser, answer_in
from tests.provider.sign_outs import ban, notices
from tests.staff.make import make_staff
from tests.webhooks.receivers import Receiver

RETURN = "https://forum.example.org/session/sso_login"


class Forum:
    """What a Discourse forum sends and accepts (lib/discourse_connect_base.rb)."""

    def __init__(self, client: str, secret: str) -> None:
        self.id, self.secret = client, secret
        self.nonce = "0123456789abcdef"

    def query(self, **about: str | None) -> str:
        wanted: dict[str, str | None] = {"nonce": self.nonce, "return_sso_url": RETURN} | about
        text = urlencode({name: value for name, value in wanted.items() if value is not None})
        sso = b64encode(text.encode()).decode()
        return urlencode({"client_id": self.id, "sso": sso, "sig": self.sign(sso)})

    def sign(self, sso: str) -> str:
        return hmac.new(self.secret.encode(), sso.encode(), "sha256").hexdigest()

    def accepts(self, address: str) -> dict[str, str]:
        """The account in an answer, whose signature and nonce it checks."""
        assert address.startswith(f"{RETURN}?")
        answer = answer_in(address)
        assert hmac.compare_digest(self.sign(answer["sso"]), answer["sig"])
        fields = parse_qs(
            b64decode(answer["sso"]).decode(), keep_blank_values=True, strict_parsing=True
        )
        assert fields.pop("nonce") == [self.nonce]
        return {name: value for name, [value] in fields.items()}


@pytest.fixture
async def forum(database: Database, provider_settings: Settings, receiver: Receiver) -> Forum:
    secret = "a secret of at least ten characters"
    order = client_commands.NewClient(
        by=BY,
        name="Forum",
        redirect_uris=(RETURN,),
        backchannel_uri=receiver.url,
        scopes=("profile", "email", "roles"),
        secret=Hidden(secret),
    )
    sealed = Vault(provider_settings).encrypt(discourse.about(order.id), secret)
    made = await clients.create.one(database, structs.replace(order, discourse_sealed=sealed))
    return Forum(made.id, secret)


async def back(browser: Browser, forum: Forum, **about: str | None) -> str:
    """Where a player is sent who signs in and allows it."""
    query = forum.query(**about)
    entered = await browser.enter_password(query)
    assert entered.status_code == 200, entered.text
    assert entered.json()["next"] == f"{ISSUER}/openid/authorize?{query}"
    shown = await browser.get(entered.json()["next"])
    assert "forum.example.org" in shown.text
    return (await browser.decide(query)).json()["next"]


async def test_a_player_signs_in_at_a_forum(browser: Browser, forum: Forum, database: Database):
    await database.write(lambda writer: verified_emails.record(writer, {browser.user: "mail"}))

    first = await browser.authorize(forum.query())
    account = forum.accepts(await back(browser, forum))
    again = await browser.authorize(forum.query())

    assert (first.status_code, 'id="sign-in"' in first.text) == (200, True)
    assert account == {
        "external_id": str(browser.user),
        "username": "Ana",
        "name": "Ana",
        "email": "Ana@example.com",
        "require_activation": "false",
        "groups": "",
    }
    assert again.status_code == 303
    assert again.headers["cache-control"] == "no-store"
    assert forum.accepts(again.headers["location"]) == account


async def test_a_forum_confirms_an_address_that_is_not_verified(browser: Browser, forum: Forum):
    """Else whoever enters the address of an administrator gets the administrator's account."""
    assert forum.accepts(await back(browser, forum))["require_activation"] == "true"


async def test_staff_roles_are_groups(browser: Browser, forum: Forum, database: Database):
    await browser.enter_password(forum.query())
    await make_staff(database, "support", user=browser.user)

    account = forum.accepts((await browser.decide(forum.query())).json()["next"])

    assert account["groups"] == "support"
    assert not {"admin", "moderator"} & set(account)


@pytest.mark.parametrize(
    "change",
    [
        {"return_sso_url": "https://evil.example.org/session/sso_login"},
        {"return_sso_url": RETURN + "/"},
        {"return_sso_url": RETURN + "?a=b"},
        {"return_sso_url": None},
        {"nonce": None},
        {"nonce": "a" * 1001},
    ],
)
async def test_a_browser_is_sent_only_to_the_forum(
    browser: Browser, forum: Forum, change: dict[str, str | None]
):
    await back(browser, forum)

    refused = await browser.authorize(forum.query(**change))

    assert (refused.status_code, "location" in refused.headers) == (400, False)


@pytest.mark.parametrize("sig", ["", "0" * 64, "ä", "0"])
async def test_a_request_needs_the_signature_of_the_forum(browser: Browser, forum: Forum, sig: str):
    await back(browser, forum)
    fields = {name: value for name, [value] in parse_qs(forum.query()).items()}

    refused = await browser.authorize(urlencode(fields | {"sig": sig}))

    assert (refused.status_code, "location" in refused.headers) == (400, False)
    assert (await browser.authorize(forum.query())).status_code == 303


async def test_the_secret_of_one_forum_is_nothing_to_another(
    browser: Browser, forum: Forum, database: Database, provider_settings: Settings
):
    vault = Vault(provider_settings)
    stolen = await database.reader.value(
        "SELECT discourse_sealed FROM openid_clients WHERE id = $1", forum.id
    )
    assert vault.decrypt(discourse.about(forum.id), stolen) == forum.secret
    plain = client_commands.NewClient(by=BY, name="Wiki", redirect_uris=(RETURN,))
    wiki = await clients.create.one(database, plain)

    no_forum = await browser.authorize(Forum(wiki.id, forum.secret).query())
    change = ClientChange(by=BY, client=wiki.id, discourse_sealed=stolen)
    await clients.change.one(database, change)
    copied = await browser.authorize(Forum(wiki.id, forum.secret).query())

    assert no_forum.status_code == 400
    assert copied.status_code == 503


async def test_a_banned_player_does_not_get_in(browser: Browser, forum: Forum, database: Database):
    await back(browser, forum)
    await make_sanction(database, user_id=browser.user)

    await browser.enter_password(forum.query())
    page = await browser.authorize(forum.query())
    silent = await browser.authorize(forum.query(prompt="none"))

    assert (page.status_code, "Your account is banned" in page.text) == (200, True)
    assert forum.accepts(silent.headers["location"]) == {"failed": "true"}


async def test_a_refusal_is_signed_too(browser: Browser, forum: Forum):
    silent = await browser.authorize(forum.query(prompt="none"))
    await browser.enter_password(forum.query())
    refused = await browser.decide(forum.query(), allow=False)

    for address in (silent.headers["location"], refused.json()["next"]):
        assert forum.accepts(address) == {"failed": "true"}


async def test_a_ban_is_reported(browser: Browser, forum: Forum, database: Database):
    await back(browser, forum)
    await ban(database, browser.user)

    assert [notice.client_id for notice in await notices(database)] == [forum.id]


async def test_the_secret_is_encrypted_with_the_current_password_key(
    browser: Browser, forum: Forum, database: Database, provider_settings: Settings
):
    old = str(provider_settings.password_keys)
    both = structs.replace(provider_settings, password_keys=Hidden(f"2026b:{'22' * 32},{old}"))
    new = structs.replace(provider_settings, password_keys=Hidden(f"2026b:{'22' * 32}"))

    await discourse.reseal(database, Vault(both))

    sealed = await database.reader.value("SELECT discourse_sealed FROM openid_clients")
    assert Vault(new).decrypt(discourse.about(forum.id), sealed) == forum.secret


async def test_a_forum_is_created_and_its_secret_rotated(settings: Settings, database: Database):
    def run(*words: str) -> dict[str, Any]:
        about = {"GAMEKEEPER_OPENID_ISSUER": "https://play.example.org"}
        return json.loads(gamekeeper(settings, "openid", *words, "--json", **about).stdout)

    async def secret() -> str:
        sealed = await database.reader.value("SELECT discourse_sealed FROM openid_clients")
        return Vault(settings).decrypt(discourse.about(made["client_id"]), sealed)

    made = run("create", "Forum", "--discourse", "--redirect-uri", RETURN)
    url = urlsplit(made["discourse_connect_url"])
    assert (url.path, url.query) == ("/openid/authorize", f"client_id={made['client_id']}")
    assert await secret() == made["client_secret"]

    renewed = run("rotate", made["client_id"])

    assert await secret() == renewed["client_secret"] != made["client_secret"]


async def test_an_unknown_forum(http: httpx2.AsyncClient, browser: Browser):
    assert (await browser.authorize(Forum("nobody", "secret").query())).status_code == 400
