"""A mail that was promised is not dropped because a worker lacks the mail server's address."""

import json

import httpx2
import pytest

from gamekeeper.auth import keys
from tests.contract.account import Account
from tests.contract.mailbox import mailing, receiving, working
from tests.contract.sign_in import bearer
from tests.deadlines import PATIENCE, until
from tests.make import BY
from tests.server import serving


@pytest.mark.torture
async def test_a_worker_without_a_mail_server_leaves_the_mail_to_another(
    settings, database, tmp_path
):
    """It says so as an error, and the first retry, 10 seconds later, finds a better worker."""
    account = await Account.make(database)
    key = await keys.create.one(database, keys.NewKey(by=BY, name="website"))
    log = tmp_path / "worker"
    with receiving() as mailbox:
        with serving(mailing(settings, mailbox), tmp_path / "serve") as (url, _):
            path = f"{url}{account.path('/password/reset')}"
            answer = httpx2.get(path, headers=bearer(key), timeout=PATIENCE)
        assert answer.json()["Delivery"] == "queued"

        with working(settings, log):
            await until(lambda: _is_in(log, "mail_delayed"), "it is tried")
        with working(mailing(settings, mailbox), tmp_path / "other"):
            letter = await mailbox.wait_for(account.email)

    assert letter.recipients == [account.email]
    lines = [json.loads(line) for line in log.read_text().splitlines()]
    [said] = [line for line in lines if line["event"] == "mail_not_configured"]
    assert said["level"] == "error"
    assert str(said["reason"]).startswith("GAMEKEEPER_SMTP_URL is not set for this worker")
    assert "mail_dropped" not in log.read_text()


async def _is_in(log, event: str) -> bool:
    return event in log.read_text()
