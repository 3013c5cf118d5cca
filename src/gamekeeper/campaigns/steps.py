"""How a campaign does its work for some recipients: by the operations that everybody uses."""

from collections.abc import Sequence
from datetime import timedelta
from typing import Any
from uuid import UUID

from gamekeeper.campaigns.records import CampaignWork
from gamekeeper.core.errors import Problem, Unavailable
from gamekeeper.db.database import Writer
from gamekeeper.db.operations import AuditContext
from gamekeeper.players import items, spells, variables
from gamekeeper.players.items import Gift, Taking
from gamekeeper.players.mailbox import delivery
from gamekeeper.players.mailbox.delivery import SendLetter
from gamekeeper.players.mailbox.records import LetterItem, LetterSender
from gamekeeper.players.spells import Lesson
from gamekeeper.players.variables import Setting
from gamekeeper.servers.commands import outbox
from gamekeeper.servers.commands.outbox import NewCommand


async def execute(
    writer: Writer, by: AuditContext, work: CampaignWork, players: Sequence[UUID]
) -> list[Problem | None]:
    """
    Do the work for characters, in the transaction of the caller; why not, for each.

    Raises Unavailable: then nothing was decided, and the caller tries again.
    """
    outcomes = await _execute(writer, by, work, players)
    refusals = [outcome if isinstance(outcome, Problem) else None for outcome in outcomes]
    for refusal in refusals:
        if isinstance(refusal, Unavailable):
            raise refusal
    return refusals


async def _execute(
    writer: Writer, by: AuditContext, work: CampaignWork, players: Sequence[UUID]
) -> Sequence[Any]:
    keys = [str(player) for player in players]
    match work.kind:
        case "letter":
            return await delivery.send(writer, await _letters(writer, by, work, keys))
        case "give":
            item = _item(work)
            return await items.give(
                writer,
                [
                    Gift(by=by, player=key, **item, overflow_to_bank=bool(work.overflow_to_bank))
                    for key in keys
                ],
            )
        case "take":
            item = _item(work)
            return await items.take(writer, [Taking(by=by, player=key, **item) for key in keys])
        case "variable":
            assert work.id is not None
            assert work.value is not None
            return await variables.assign(
                writer,
                [Setting(by=by, player=key, variable_id=work.id, value=work.value) for key in keys],
            )
        case "spell":
            assert work.id is not None
            return await spells.teach(
                writer, [Lesson(by=by, player=key, spell_id=work.id) for key in keys]
            )
        case "message":
            # For who is not in the game, it waits for the next join.
            said = work.message()
            return await outbox.send(
                writer,
                [
                    NewCommand(by=by, player=key, kind="message", payload=said, when="next_join")
                    for key in keys
                ],
            )
        case "announcement":
            raise AssertionError("an announcement has no recipients")


def _item(work: CampaignWork) -> dict[str, Any]:
    [item] = work.items
    return {"item_id": item.item_id, "quantity": item.quantity}


async def _letters(
    writer: Writer, by: AuditContext, work: CampaignWork, keys: Sequence[str]
) -> list[SendLetter]:
    attached = tuple(
        LetterItem(item_id=item.item_id, quantity=item.quantity) for item in work.items
    )
    expires_at = None
    if work.expires_in_days is not None:
        now = await writer.value("SELECT statement_timestamp()")
        expires_at = now + timedelta(days=work.expires_in_days)
    return [
        SendLetter(
            by=by,
            player=key,
            subject=work.subject or "",
            text=work.text or "",
            items=attached,
            sender=LetterSender(kind="staff", name=by.name),
            expires_at=expires_at,
        )
        for key in keys
    ]
