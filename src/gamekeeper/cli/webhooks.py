"""
Webhook commands: list and show deliveries, send a test, replay events.

`deliveries` is imported where it is needed: its job queue takes a second to import,
which no other command should wait for.
"""

from typing import TYPE_CHECKING, Annotated
from uuid import UUID

import typer

from gamekeeper.cli.actor import As, audit_context
from gamekeeper.cli.options import Limit, Since, Until, an_id
from gamekeeper.cli.terminal import AsJson, say, show_json, show_table, with_database
from gamekeeper.cli.times import InUtc, TerminalClock
from gamekeeper.db.database import Database
from gamekeeper.events.webhooks import records
from gamekeeper.events.webhooks.owners import OPERATOR
from gamekeeper.events.webhooks.records import Webhook

if TYPE_CHECKING:
    from gamekeeper.events.webhooks.deliveries import Deliveries, Delivery

app = typer.Typer(
    help="Webhooks: list, test and replay deliveries; use the API to create or change them.",
    no_args_is_help=True,
)

WebhookId = Annotated[UUID, typer.Argument(parser=an_id, metavar="ID", help="The webhook's id.")]


@app.command("list")
def list_(*, as_json: AsJson = False) -> None:
    """Show all webhooks, and whether their deliveries succeed."""
    found = with_database(lambda database: records.list_webhooks(database.reader, OPERATOR))
    if as_json:
        return show_json(found)
    rows = [[one.url, _state(one), _kinds(one), _owner(one), str(one.id)] for one in found.values]
    return show_table(["url", "state", "kinds", "owner", "id"], rows)


@app.command()
def show(id_: WebhookId, *, limit: Limit = 20, as_json: AsJson = False) -> None:
    """
    Show a webhook and its last deliveries, newest first.

    A delivery is delivered, waiting for its next attempt, or failed. The last
    column shows the target's response, or why there was none.
    """
    from gamekeeper.events.webhooks import deliveries

    async def work(database: Database) -> "tuple[Webhook, Deliveries]":
        webhook = await records.find_webhook(database.reader, id_, OPERATOR)
        return webhook, await deliveries.list_deliveries(
            database.reader, id_, OPERATOR, None, limit
        )

    webhook, sent = with_database(work)
    if as_json:
        return show_json({"Webhook": webhook, "Deliveries": sent})
    say(f"{webhook.url}: {_state(webhook)}; told of {_kinds(webhook)}; made by {_owner(webhook)}.")
    rows = [_row(one) for one in sent.values]
    return show_table(["tried", "what", "state", "attempts", "delivery", "answer"], rows)


@app.command("test")
def try_(id_: WebhookId, *, as_: As = None, as_json: AsJson = False) -> None:
    """
    Send a test event, ahead of all waiting deliveries.

    The worker sends it at once. If it succeeds, waiting deliveries are retried at once
    too; `gamekeeper webhooks show ID` shows the result.
    """
    from gamekeeper.events.webhooks import deliveries

    order = deliveries.Testing(by=audit_context(as_), viewer=OPERATOR, webhook=id_)
    asked = with_database(lambda database: deliveries.test.one(database, order))
    if as_json:
        return show_json(asked)
    return say(f"The worker sends it now; see: gamekeeper webhooks show {id_}")


@app.command()
def replay(
    id_: WebhookId,
    *,
    delivery: Annotated[
        UUID | None, typer.Option(parser=an_id, metavar="ID", help="The id of one delivery.")
    ] = None,
    since: Since = None,
    until: Until = None,
    utc: InUtc = False,
    as_: As = None,
    as_json: AsJson = False,
) -> None:
    """
    Send events again: one --delivery, or all events in a time range.

    Events are sent in order with their original ids, so that a receiver can
    deduplicate them. At most 1,000 events per call.
    """
    from gamekeeper.events.webhooks import deliveries

    if delivery is None and (since is None or until is None):
        raise deliveries.InvalidReplay("Give --delivery, or both --from and --to.")
    begin, end = TerminalClock(utc=utc).period(since, until)
    order = deliveries.Replay(
        by=audit_context(as_),
        viewer=OPERATOR,
        webhook=id_,
        delivery=delivery,
        since=begin,
        until=end,
    )
    done = with_database(lambda database: deliveries.replay.one(database, order))
    if as_json:
        return show_json(done)
    more = "" if done.complete else " That was not all: go on from the last of them."
    return say(f"Sent again: {done.count}.{more}")


def _state(webhook: Webhook) -> str:
    if not webhook.enabled:
        return f"off: {webhook.off_reason}"
    if webhook.failing_since is None:
        return "works"
    again = f", tried again {webhook.retry_at:%m-%d %H:%M:%S}" if webhook.retry_at else ""
    return f"fails since {webhook.failing_since:%Y-%m-%d %H:%M:%S}{again}"


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
