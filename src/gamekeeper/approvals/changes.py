"""
Changes that may need approval: how each is stored, read back and carried out.

A change is stored as its command, without the actor: when it is approved, the same operation
carries it out as if it had come at that moment, and checks everything again.
"""

from collections.abc import Mapping, Sequence
from typing import Any

import msgspec
from msgspec import UNSET, Struct, structs

from gamekeeper.auth.principal import Principal
from gamekeeper.campaigns import changes as campaigns
from gamekeeper.campaigns.changes import CampaignReversal, CampaignStart
from gamekeeper.campaigns.schedules import changes as schedules
from gamekeeper.campaigns.schedules.changes import NewSchedule
from gamekeeper.core.errors import Forbidden, Problem, RoleRequired
from gamekeeper.db.database import Queryable, Writer
from gamekeeper.db.operations import AuditContext, Command, Operation, PreviewableOperation
from gamekeeper.history import restore
from gamekeeper.history.restore import Restoration
from gamekeeper.history.undo import bulk, execute, transactions
from gamekeeper.history.undo.bulk import Sweep, Swept
from gamekeeper.history.undo.execute import Undoing, UndoingTransaction
from gamekeeper.players import items
from gamekeeper.players.items import Gift
from gamekeeper.players.lookup import find_player_ids
from gamekeeper.players.mailbox import delivery
from gamekeeper.players.mailbox.delivery import SendLetter
from gamekeeper.players.moves import AboutPlayers
from gamekeeper.servers import transactions as trades
from gamekeeper.servers.transactions import Transaction
from gamekeeper.users.ranks import Outranked

NOT_STORED = ("by", "caller")


class ChangeKind(Struct, frozen=True, kw_only=True):
    name: str
    command: type[Command]
    operation: Operation[Any, Any]
    scope: str

    def stored(self, command: Command) -> dict[str, Any]:
        about = {name: getattr(command, name) for name in command.__struct_fields__}
        return {
            name: msgspec.to_builtins(value)
            for name, value in about.items()
            if name not in NOT_STORED and value is not UNSET
        }

    def restored(
        self, stored: Mapping[str, Any], by: AuditContext, caller: Principal | None
    ) -> Command:
        """The command again; by whom, and for an undo, by whose rights."""
        actor = {"actor": by.actor, "name": by.name}
        command = msgspec.convert({**stored, "by": actor}, self.command)
        whose = {"caller": caller} if "caller" in command.__struct_fields__ else {}
        return structs.replace(command, by=by, **whose)

    async def refusal(
        self, writer: Writer, stored: Mapping[str, Any], by: AuditContext, caller: Principal
    ) -> Problem | None:
        """Why the caller may not make this change itself; None if it may."""
        if not caller.may(self.scope):
            return RoleRequired(self.scope)
        if not isinstance(self.operation, PreviewableOperation):
            return None
        # The preview of an undo checks the caller's right to each of its changes.
        change: PreviewableOperation[Any, Any] = self.operation
        [previewed] = await change.preview(writer, [self.restored(stored, by, caller)])
        if isinstance(previewed, Forbidden):
            return previewed
        if isinstance(previewed, Swept):
            codes = {left.code for left in previewed.left}
            return Outranked() if codes & {Outranked.code, RoleRequired.code} else None
        return None


async def pinned(reader: Queryable, commands: Sequence[Command]) -> list[Command]:
    """The same commands with ids for names: a character may be renamed before the approval."""
    keys = sorted(
        {
            key
            for command in commands
            if isinstance(command, AboutPlayers)
            for key in command.about()
        }
    )
    found = await find_player_ids(reader, keys) if keys else []
    ids = {key: str(player) for key, player in zip(keys, found, strict=True) if player}
    return [
        command.pinned(ids) if isinstance(command, AboutPlayers) else command
        for command in commands
    ]


KINDS = {
    kind.name: kind
    for kind in (
        ChangeKind(name="items.give", command=Gift, operation=items.give, scope="players.items"),
        ChangeKind(
            name="mail.send", command=SendLetter, operation=delivery.send, scope="players.items"
        ),
        ChangeKind(
            name="items.restore",
            command=Restoration,
            operation=restore.restore,
            scope="players.items",
        ),
        ChangeKind(
            name="transaction",
            command=Transaction,
            operation=trades.transact,
            scope="transactions",
        ),
        ChangeKind(
            name="undo.action",
            command=Undoing,
            operation=execute.undo,
            scope="actions.undo",
        ),
        ChangeKind(
            name="undo.transaction",
            command=UndoingTransaction,
            operation=transactions.undo,
            scope="actions.undo",
        ),
        ChangeKind(
            name="undo.actor",
            command=Sweep,
            operation=bulk.sweep_at_once,
            scope="actions.undo",
        ),
        ChangeKind(
            name="campaigns.start",
            command=CampaignStart,
            operation=campaigns.start,
            scope="campaigns.manage",
        ),
        ChangeKind(
            name="campaigns.reverse",
            command=CampaignReversal,
            operation=campaigns.reverse,
            scope="campaigns.manage",
        ),
        ChangeKind(
            name="schedules.create",
            command=NewSchedule,
            operation=schedules.create,
            scope="campaigns.manage",
        ),
    )
}

OF_COMMANDS = {kind.command: kind for kind in KINDS.values()}
