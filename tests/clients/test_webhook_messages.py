"""Webhook messages, verified as a receiver does it."""

import time
from collections.abc import AsyncIterator

import pytest
from gamekeeper_client import AsyncGamekeeper, WebhookVerificationError, verify_webhook
from msgspec import structs

from gamekeeper.db.database import Database
from gamekeeper.events.webhooks import signatures
from tests.make import make_item, make_player
from tests.server import serving
from tests.webhooks.receivers import Receiver, receiver
from tests.webhooks.test_deliveries import delivering

HOSTS = "127.0.0.1:*"
SECRET = str(signatures.new_secret())
BODY = b'{"type": "items.give", "timestamp": "2026-01-01T00:00:00Z", "data": {"Seq": 7}}'


def signed(at: float = 0, body: bytes = BODY, secret: str = SECRET) -> dict[str, str]:
    """The headers of a message that was sent so many seconds ago, as the service makes them."""
    return dict(signatures.headers([secret], "evt_7", int(time.time() - at), body))


@pytest.fixture
async def target() -> AsyncIterator[Receiver]:
    async with receiver() as made:
        yield made


async def test_what_the_service_delivers_is_verified(settings, key, database, target, tmp_path):
    """While the secret is rotated, both the old and the new one verify."""
    ana, potion = await make_player(database), await make_item(database)
    sending = structs.replace(settings, webhook_hosts=HOSTS)
    with serving(settings, tmp_path / "log", GAMEKEEPER_WEBHOOK_HOSTS=HOSTS) as (url, _):
        async with (
            Database.open(sending) as worker,
            delivering(worker),
            AsyncGamekeeper(url, key) as client,
        ):
            made = await client.webhooks.create(target.url, kinds=["items.give", "items.take"])
            await client.players.give(ana, potion, 3)
            [given] = await target.got(1)
            renewed = await client.webhooks.renew_secret(made["Id"])
            await client.players.take(ana, potion, 1)
            [_, taken] = await target.got(2)
    message = verify_webhook(given.body, given.headers, made["Secret"])
    assert (message.kind, message.data.player_id) == ("items.give", str(ana))
    assert message.data["PlayerId"] == str(ana)
    assert message.data.at.tzinfo is not None
    assert message.id == given.headers["webhook-id"]
    assert message.timestamp.tzinfo is not None
    for secret in (made["Secret"], renewed["Secret"]):
        assert verify_webhook(taken.body, taken.headers, secret).kind == "items.take"
    with pytest.raises(WebhookVerificationError):
        verify_webhook(given.body, given.headers, renewed["Secret"])
    with pytest.raises(WebhookVerificationError):
        verify_webhook(given.body + b" ", given.headers, made["Secret"])
    with pytest.raises(WebhookVerificationError):
        verify_webhook(taken.body, given.headers, made["Secret"])


def test_headers_are_in_any_case_and_the_body_may_be_text():
    headers = {name.title(): value for name, value in signed().items()}
    assert verify_webhook(BODY.decode(), headers, SECRET).data == {"Seq": 7}
    assert verify_webhook(BODY, headers, SECRET.removeprefix("whsec_")).id == "evt_7"


@pytest.mark.parametrize(("age", "good"), [(290, True), (-290, True), (310, False), (-310, False)])
def test_clocks_may_differ_by_minutes_and_old_messages_are_refused(age, good):
    if good:
        assert verify_webhook(BODY, signed(age), SECRET)
    else:
        with pytest.raises(WebhookVerificationError, match="clocks"):
            verify_webhook(BODY, signed(age), SECRET)
    assert verify_webhook(BODY, signed(age), SECRET, tolerance=400)


@pytest.mark.parametrize(
    "forged",
    [
        {"webhook-id": "evt_8"},
        {"webhook-id": ""},
        {"webhook-timestamp": "9" * 5000},
        {"webhook-timestamp": "now"},
        {"webhook-timestamp": "٣"},
        {"webhook-signature": ""},
        {"webhook-signature": "v1,"},
        {"webhook-signature": "v1"},
        {"webhook-signature": "v1,ä"},
        {"webhook-signature": signed()["webhook-signature"].replace("v1,", "v2,")},
        {"webhook-signature": signed()["webhook-signature"].removeprefix("v1,")},
        {"webhook-signature": signed(secret="whsec_" + "A" * 44)["webhook-signature"]},
    ],
)
def test_forged_headers_are_refused(forged):
    with pytest.raises(WebhookVerificationError):
        verify_webhook(BODY, signed() | forged, SECRET)


def test_signatures_of_others_beside_ours_do_no_harm():
    headers = signed()
    headers["webhook-signature"] = f"v1a,abc v1,wrong {headers['webhook-signature']}"
    assert verify_webhook(BODY, headers, SECRET)


@pytest.mark.parametrize("secret", ["", "whsec_", "whsec_ä", "not base64!"])
def test_a_secret_that_is_none_is_a_mistake_of_the_receiver(secret):
    """With an empty key anybody could sign."""
    with pytest.raises(ValueError, match="whsec_"):
        verify_webhook(BODY, signed(), secret)
