"""No secret is anywhere but in the one answer that hands it out."""

import json
from collections.abc import Iterator
from pathlib import Path
from uuid import uuid4

import httpx2
import msgspec
import pytest
from msgspec import Struct, field

from gamekeeper.auth import keys, tokens
from gamekeeper.auth.authenticator import Authenticator
from gamekeeper.core.settings import Hidden, Settings
from gamekeeper.db.database import Database
from gamekeeper.users.accounts import UserRegistration
from gamekeeper.users.passwords import Account as ProvedAccount
from gamekeeper.users.passwords import NewPassword
from gamekeeper.users.resets import Completion, Reset
from tests.contract.mailbox import Mailbox, mailing, receiving, working
from tests.contract.sign_in import TOKEN, bearer
from tests.deadlines import PATIENCE
from tests.make import BY, make_user, proved, sha

PASSWORD_KEY = "f00dfeed" * 8
OLD_KEY = "badc0ffe" * 8


class Story(Struct):
    """What was sent, and all that came back."""

    secrets: dict[str, str] = field(default_factory=dict)
    answers: list[str] = field(default_factory=list)

    async def keep(self, answer: httpx2.Response) -> None:
        await answer.aread()
        self.answers.append(f"{answer.headers.raw}\n{answer.text}")


@pytest.fixture(scope="module")
def mailbox() -> Iterator[Mailbox]:
    with receiving() as mailbox:
        yield mailbox


@pytest.fixture(scope="module")
def settings(settings: Settings, mailbox: Mailbox) -> Settings:
    held = Hidden(f"2026a:{PASSWORD_KEY},2025a:{OLD_KEY}")
    return msgspec.structs.replace(mailing(settings, mailbox), password_keys=held)


@pytest.fixture(scope="module")
def worker(settings: Settings, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Path]:
    log = tmp_path_factory.mktemp("worker") / "log"
    with working(settings, log):
        yield log


@pytest.fixture(scope="module")
async def story(url: str, key: str, database: Database, mailbox: Mailbox, worker: Path) -> Story:
    """A run that uses every kind of credential, rightly and wrongly."""
    story = Story()
    scoped = keys.NewKey(by=BY, name="scoped", scopes=("players.read",))
    story.secrets |= {
        "key": key,
        "scoped key": str(await keys.create.one(database, scoped)),
        "password key": PASSWORD_KEY,
        "old password key": OLD_KEY,
        "database": str(database.settings.database_url),
    }
    story.secrets |= {name: sha(name) for name in ("right", "wrong", "newer", "newest", "mailed")}
    await make_user(database, "Ana", email="ana@example.org", password="right", api=True)
    async with httpx2.AsyncClient(
        base_url=url, headers=bearer(key), timeout=PATIENCE, event_hooks={"response": [story.keep]}
    ) as client:
        await _sign_in(client, story)
        await _manage(client, story)
        await _blunder(client, story)
        await _reset(client, story, mailbox)
    return story


async def _sign_in(client: httpx2.AsyncClient, story: Story) -> None:
    grant = {"grant_type": "password", "username": "ana", "password": story.secrets["right"]}
    await client.post(TOKEN, data=grant | {"password": story.secrets["wrong"]})
    first = (await client.post(TOKEN, data=grant)).json()
    renewal = {"grant_type": "refresh_token", "refresh_token": first["refresh_token"]}
    second = (await client.post(TOKEN, json=renewal)).json()
    for number, issued in enumerate((first, second)):
        story.secrets[f"access {number}"] = issued["access_token"]
        story.secrets[f"refresh {number}"] = issued["refresh_token"]
        await client.get("/api/v1/players", headers=bearer(issued["access_token"]))
    await client.post(TOKEN, json=renewal)
    await client.post("/api/oauth/revoke", json={"token": second["refresh_token"]})
    await client.delete("/api/oauth/tokens/ana", headers=bearer(second["access_token"]))
    await client.get("/api/v1/users", headers=bearer(story.secrets["scoped key"]))


async def _manage(client: httpx2.AsyncClient, story: Story) -> None:
    right, wrong, newer, newest = (
        story.secrets[name] for name in ("right", "wrong", "newer", "newest")
    )
    person = {"username": "Bob", "password": right, "email": "bob@example.org"}
    for _ in range(2):
        await client.post("/api/v1/users/register", json=person)
    for rest, body in (
        ("password/validate", {"password": wrong}),
        ("password/validate", {"password": right}),
        ("email/change", {"new": "bob@example.com", "authorization": right}),
        ("password/change", {"new": newer, "authorization": wrong}),
        ("password/change", {"new": newer, "authorization": right}),
        ("manage/password/change", {"new": newest}),
    ):
        await client.post(f"/api/v1/users/bob/{rest}", json=body)
    await client.get("/api/v1/users?pageSize=100")


async def _blunder(client: httpx2.AsyncClient, story: Story) -> None:
    """Secrets where they do not belong: broken bodies, odd types, odd headers."""
    right, refresh = story.secrets["right"], story.secrets["refresh 1"]
    broken = {"Content-Type": "application/json"}
    for path in (TOKEN, "/api/v1/users/register", "/api/v1/users/a%00b/password/validate"):
        await client.post(path, content=f'{{"password": "{right}"', headers=broken)
        await client.post(path, json={"password": [right], "refresh_token": {"x": refresh}})
        await client.post(path, json={"password": right, "username": "x", "email": "y"})
        await client.post(path, content=right, headers={"Content-Type": "text/plain"})
    await client.get("/api/v1/users", headers={"Authorization": f"Basic {refresh}"})
    await client.get("/api/v1/users", headers={"Cookie": f"token={refresh}"})


async def _reset(client: httpx2.AsyncClient, story: Story, mailbox: Mailbox) -> None:
    for _ in range(2):
        await client.get("/api/v1/users/ana/password/reset")
    letter = await mailbox.wait_for("ana@example.org")
    story.secrets |= {
        "reset token": letter.token,
        "reset code": letter.code,
        "plain reset code": letter.code.replace("-", ""),
    }
    complete = "/api/v1/users/password/reset/complete"
    new = story.secrets["mailed"]
    await client.post(complete, json={"username": "ana", "code": "2222-2222", "new": new})
    await client.post(complete, json={"username": "nobody", "code": letter.code, "new": new})
    await client.post(complete, json={"token": letter.token, "new": new})
    await client.post(complete, json={"username": "ana", "code": letter.code, "new": new})


def found(secrets: dict[str, str], text: str) -> set[str]:
    """Which of the secrets are in a text, in either letter case, or as the hex of their bytes."""
    lower = text.lower()
    return {
        name
        for name, secret in secrets.items()
        if secret.lower() in lower or secret.encode().hex() in lower
    }


async def test_the_story_used_what_it_says(story):
    """Or the tests below would look for secrets that nobody ever sent."""
    statuses = [json.loads(answer.split("\n", 1)[1]).get("Message") for answer in story.answers]

    for sentence in ("Password Correct", "Password Updated", "Password reset email sent."):
        assert sentence in statuses
    assert statuses.count("Password Updated") == 2
    assert statuses.count("Invalid credentials.") == 2
    assert len(story.secrets) == 17


async def test_no_log_line_holds_a_secret(story, log, worker):
    for written in (log.read_text(), worker.read_text()):
        assert '"event"' in written
        assert found(story.secrets, written) == set()


async def test_no_answer_holds_a_secret_but_the_one_that_hands_it_out(story):
    handed_out = {"access 0", "access 1", "refresh 0", "refresh 1"}
    times = {
        name: sum(name in found({name: secret}, answer) for answer in story.answers)
        for name, secret in story.secrets.items()
    }

    assert times == {name: int(name in handed_out) for name in story.secrets}


async def test_no_table_holds_a_secret_in_clear(story, database):
    """A copy of the database signs nobody in."""
    tables = await database.reader.rows(
        "SELECT quote_ident(tablename) AS name FROM pg_tables WHERE schemaname = 'public'"
    )
    everything = []
    for table in tables:
        rows = await database.reader.rows(f"SELECT t::text AS row FROM {table['name']} AS t")
        everything += [row["row"] for row in rows]
    text = "\n".join(everything)

    assert found({"the scan sees names": "bob@example.com"}, text)
    assert found({"and jobs": "password_reset_mail"}, text)
    assert found(story.secrets, text) == set()


async def test_nothing_shows_a_secret_when_it_is_printed(story, settings, database):
    """In a log, a traceback or a debugger."""
    user = uuid4()
    sealed = "v1$the$sealed$record"
    issued = await tokens.issue.one(
        database, await proved(database, await make_user(database, api=True))
    )
    objects = [
        msgspec.structs.replace(settings, smtp_url=Hidden("smtp://me:hunter2@mail.example.org")),
        database,
        UserRegistration(by=BY, id=user, name="ana", email="ana@example.org", sealed=sealed),
        NewPassword(by=BY, user_id=user, sealed=sealed, replaces=sealed),
        Completion(by=BY, reset=Reset(user_id=user, id=user), sealed=sealed),
        ProvedAccount(
            id=user, name_key="ana", api=True, is_staff=False, banned=False, sealed=sealed
        ),
        issued,
        await keys.create(database, [keys.NewKey(by=BY, name="printed")]),
        await Authenticator(database).authenticate(story.secrets["key"]),
        await Authenticator(database).authenticate(str(issued.access)),
    ]
    secrets = story.secrets | {
        "sealed": sealed,
        "smtp": "hunter2",
        "access": str(issued.access),
        "refresh": str(issued.refresh),
        "a key": "gk_",
    }

    shown = {type(one).__name__: found(secrets, f"{one!r}") for one in objects}

    assert {name: secret for name, secret in shown.items() if secret} == {}
