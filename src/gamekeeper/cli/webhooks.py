"""
Webhook commands: list and show deliveries, send a test, replay events.

`deliveries` is imported where it is needed: its job queue takes a second to import,
which no other command should wait for.
"""

from typing import TYPE_CHECKING, Annotated
from uuid import UUID

import typer

from gamekeeper.cli.actor import By
from gamekeeper.cli.command import Output, TextTable, change, command
from gamekeeper.cli.options import Limit, Since, Until, an_id
from gamekeeper.cli.times import Clock
from gamekeeper.db.database import Database
from gamekeeper.events.webhooks import records
from gamekeeper.events.webhooks.owners import OPERATOR
from gamekeeper.events.webhooks.records import Webhook

if TYPE_CHECKING:
    from gamekeeper.events.webhooks.deliveries import Delivery

WebhookId = Annotated[UUID, typer.Argument(parser=an_id, metavar="ID", help="The webhook's id.")]


@command
async def list_(database: Database) -> Output:
    """Show all webhooks, and whether their deliveries succeed."""
    found = await records.list_webhooks(database.reader, OPERATOR)
    rows = [
        [hook.url, _state(hook), _kinds(hook), _owner(hook), str(hook.id)] for hook in found.values
    ]
    return Output(found, TextTable(["url", "state", "kinds", "owner", "id"], rows))


@command
async def show(database: Database, id_: WebhookId, *, limit: Limit = 20) -> Output:
    """
    Show a webhook and its last deliveries, newest first.

    A delivery is delivered, waiting for its next attempt, or failed. The last
    column shows the target's response, or why there was none.
    """
    from gamekeeper.events.webhooks import deliveries

    hook = await records.find_webhook(database.reader, id_, OPERATOR)
    sent = await deliveries.list_deliveries(database.reader, id_, OPERATOR, None, limit)
    rows = [_row(delivery) for delivery in sent.values]
    return Output(
        {"Webhook": hook, "Deliveries": sent},
        f"{hook.url}: {_state(hook)}; events: {_kinds(hook)}; created by {_owner(hook)}.",
        TextTable(["tried", "what", "state", "attempts", "delivery", "answer"], rows),
    )


@change("webhooks")
async def try_(database: Database, id_: WebhookId, *, by: By) -> Output:
    """
    Send a test event, ahead of all waiting deliveries.

    The worker sends it at once. If it succeeds, waiting deliveries are retried at once
    too; `gamekeeper webhooks show ID` shows the result.
    """
    from gamekeeper.events.webhooks import deliveries

    order = deliveries.Testing(by=by, viewer=OPERATOR, webhook=id_)
    asked = await deliveries.test.one(database, order)
    return Output(asked, f"The worker sends it now; see: gamekeeper webhooks show {id_}")


@change("webhooks")
async def replay(
    database: Database,
    id_: WebhookId,
    *,
    delivery: Annotated[
        UUID | None, typer.Option(parser=an_id, metavar="ID", help="The id of one delivery.")
    ] = None,
    since: Since = None,
    until: Until = None,
    clock: Clock,
    by: By,
) -> Output:
    """
    Send events again: one --delivery, or all events in a time range.

    Events are sent in order with their original ids, so that a receiver can
    deduplicate them. At most 1,000 events per call.
    """
    from gamekeeper.events.webhooks import deliveries

    if delivery is None and (since is None or until is None):
        raise deliveries.InvalidReplay("Use --delivery, or both --from and --to.")
    begin, end = clock.period(since, until)
    order = deliveries.Replay(
        by=by, viewer=OPERATOR, webhook=id_, delivery=delivery, since=begin, until=end
    )
    done = await deliveries.replay.one(database, order)
    more = "" if done.complete else " There are more: continue from the last one."
    return Output(done, f"Sent again: {done.count}.{more}")


def _state(webhook: Webhook) -> str:
    if not webhook.enabled:
        return f"off: {webhook.off_reason}"
    if webhook.failing_since is None:
        return "works"
    again = f", next attempt {webhook.retry_at:%m-%d %H:%M:%S}" if webhook.retry_at else ""
    return f"failing since {webhook.failing_since:%Y-%m-%d %H:%M:%S}{again}"


def _kinds(webhook: Webhook) -> str:
    return "everything" if webhook.kinds is None else " ".join(webhook.kinds)


def _owner(webhook: Webhook) -> str:
    """The key that owns it, by name and id; webhooks older than ownership have none."""
    return f"{webhook.owner_name} {webhook.owner}" if webhook.owner else "nobody"


def _row(delivery: "Delivery") -> list[str]:
    answered = f"{delivery.status or ''} {(delivery.answer or '')[:60]!a}"
    return [
        f"{delivery.tried_at:%Y-%m-%d %H:%M:%S}" if delivery.tried_at else "",
        f"{delivery.kind} {delivery.message_id}",
        delivery.state,
        str(delivery.attempts),
        str(delivery.id),
        delivery.fault or (answered if delivery.status else ""),
    ]
