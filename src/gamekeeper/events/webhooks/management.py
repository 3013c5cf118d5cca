"""Management of webhooks: create, change, rotate the secret, remove."""

from collections.abc import Sequence
from typing import Any, LiteralString
from uuid import UUID

from msgspec import field

from gamekeeper.core import ids
from gamekeeper.core.errors import Conflict, Problem, RoleRequired
from gamekeeper.db.database import Writer
from gamekeeper.db.operations import Command, operation
from gamekeeper.egress import targets
from gamekeeper.events.webhooks import owners, records
from gamekeeper.events.webhooks.owners import Viewer
from gamekeeper.events.webhooks.records import Webhook, missing
from gamekeeper.ledger import actions
from gamekeeper.ledger.actions import Action

MAX_WEBHOOKS = 1000
LOCK = 0x6D6F7374  # "most": any number that no other lock uses
OVERLAP_HOURS = 24
CHANGED = "gamekeeper_webhooks"
"""The NOTIFY channel for changes of webhooks."""


class TooManyWebhooks(Conflict):
    """The maximum number of webhooks is reached. Delete one first."""


class NewWebhook(Command, frozen=True, kw_only=True):
    viewer: Viewer
    id: UUID = field(default_factory=ids.new_id)
    url: str
    kinds: tuple[str, ...] | None
    sealed: str


class WebhookChange(Command, frozen=True, kw_only=True):
    """A field that is None stays unchanged."""

    viewer: Viewer
    webhook: UUID
    url: str | None = None
    kinds: tuple[str, ...] | None = None
    all_kinds: bool = False
    enabled: bool | None = None


class NewSecret(Command, frozen=True, kw_only=True):
    viewer: Viewer
    webhook: UUID
    sealed: str


class Removal(Command, frozen=True, kw_only=True):
    viewer: Viewer
    webhook: UUID


@operation
async def create(writer: Writer, commands: Sequence[NewWebhook]) -> list[Webhook | Problem]:
    """Create webhooks; each gets the events from now on."""
    # Serialize creation: two concurrent counts could both pass the limit.
    await writer.run("SELECT pg_advisory_xact_lock($1)", LOCK)
    free = max(0, MAX_WEBHOOKS - await writer.value("SELECT count(*) FROM webhooks"))
    outcomes: list[Webhook | Problem] = [
        await _made(writer, command) for command in commands[:free]
    ]
    return outcomes + [TooManyWebhooks() for _ in commands[free:]]


async def _made(writer: Writer, command: NewWebhook) -> Webhook:
    await writer.run(
        """
        INSERT INTO webhooks (id, url, kinds, emails, secret, owner, position)
        SELECT $1, $2, $3, $4, $5, $6, coalesce(max(seq), 0) FROM chain
        """,
        command.id,
        command.url,
        command.kinds,
        command.viewer.sees_personal,
        command.sealed,
        command.viewer.owner,
    )
    made = await records.find_webhook(writer, command.id, command.viewer)
    await _record(writer, "webhooks.create", command, None, _described(made))
    return made


@operation
async def change(writer: Writer, commands: Sequence[WebhookChange]) -> list[Webhook | Problem]:
    """Change URLs, kinds and the switch; switching on resets the failed attempts."""
    return [await _changed(writer, command) for command in commands]


async def _changed(writer: Writer, command: WebhookChange) -> Webhook | Problem:
    before = await records.locked(writer, command.webhook, command.viewer)
    if before is None:
        return missing(command.webhook)
    takes = command.url is not None or (command.enabled and before.off_reason in owners.GONE)
    if takes and (refused := await _own(writer, before, command.viewer)):
        return refused
    await writer.run(
        CHANGE, command.webhook, command.url, command.kinds, command.all_kinds, command.enabled
    )
    after = await records.find_webhook(writer, command.webhook, command.viewer)
    if _differ(before, after):
        await _record(writer, "webhooks.change", command, _described(before), _described(after))
    return after


async def _own(writer: Writer, webhook: Webhook, viewer: Viewer) -> Problem | None:
    """
    Make the viewer the owner, who is responsible for what is sent from then on.

    If the former owner's key is no longer valid, the webhook is off until it is switched on:
    a new secret alone must not reactivate a target that nobody is responsible for.
    """
    if webhook.owner == viewer.owner:
        return None
    if not viewer.may_listen:
        return RoleRequired("events.read")
    await writer.run(
        """
        UPDATE webhooks
           SET owner = $2, emails = $3, enabled = enabled AND NOT $4,
               off_reason = CASE WHEN $4 THEN 'switched off' ELSE off_reason END
         WHERE id = $1
        """,
        webhook.id,
        viewer.owner,
        viewer.sees_personal,
        webhook.off_reason in owners.GONE,
    )
    return None


# A new URL, or switching on, resets the backoff: failed messages are retried at once.
CHANGE: LiteralString = """
    UPDATE webhooks
       SET url = coalesce($2, url),
           kinds = CASE WHEN $4 THEN NULL ELSE coalesce($3, kinds) END,
           enabled = coalesce($5, enabled),
           off_reason = CASE WHEN coalesce($5, enabled) THEN NULL
                             WHEN enabled THEN 'switched off' ELSE off_reason END,
           attempts = CASE WHEN $5 OR $2 IS NOT NULL THEN 0 ELSE attempts END,
           retry_at = CASE WHEN $5 OR $2 IS NOT NULL THEN NULL ELSE retry_at END,
           failing_since = CASE WHEN $5 OR $2 IS NOT NULL THEN NULL ELSE failing_since END
     WHERE id = $1
"""


@operation
async def renew(writer: Writer, commands: Sequence[NewSecret]) -> list[Webhook | Problem]:
    """Rotate secrets; messages are also signed with the old ones for `OVERLAP_HOURS`."""
    return [await _renewed(writer, command) for command in commands]


async def _renewed(writer: Writer, command: NewSecret) -> Webhook | Problem:
    before = await records.locked(writer, command.webhook, command.viewer)
    if before is None:
        return missing(command.webhook)
    if refused := await _own(writer, before, command.viewer):
        return refused
    await writer.run(
        """
        UPDATE webhooks
           SET old_secret = secret, secret = $2, old_until = now() + make_interval(hours => $3)
         WHERE id = $1
        """,
        command.webhook,
        command.sealed,
        OVERLAP_HOURS,
    )
    after = await records.find_webhook(writer, command.webhook, command.viewer)
    about = {"id": command.webhook, "secret": "renewed", "owner": after.owner}
    await _record(writer, "webhooks.change", command, None, about)
    return after


@operation
async def remove(writer: Writer, commands: Sequence[Removal]) -> list[Webhook | Problem]:
    """Remove webhooks and their stored deliveries."""
    return [await _removed(writer, command) for command in commands]


async def _removed(writer: Writer, command: Removal) -> Webhook | Problem:
    gone = await records.locked(writer, command.webhook, command.viewer)
    if gone is None:
        return missing(command.webhook)
    await writer.run("DELETE FROM webhooks WHERE id = $1", command.webhook)
    await _record(writer, "webhooks.remove", command, _described(gone), None)
    return gone


def _differ(before: Webhook, after: Webhook) -> bool:
    return before.url != after.url or _described(before) != _described(after)


def _described(webhook: Webhook) -> dict[str, Any]:
    """The webhook in the audit log: without the URL's path, which may contain a token."""
    return {
        "id": webhook.id,
        "url": targets.origin(webhook.url),
        "kinds": webhook.kinds,
        "enabled": webhook.enabled,
        "owner": webhook.owner,
    }


async def _record(
    writer: Writer, kind: actions.Kind, command: Command, before: Any, after: Any
) -> None:
    await actions.record(writer, [Action(kind=kind, by=command.by, before=before, after=after)])
    await writer.run("SELECT pg_notify($1, '')", CHANGED)
