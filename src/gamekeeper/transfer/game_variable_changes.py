"""Imported variables of the game: each that differs is an action, as if staff had set it."""

from collections.abc import Sequence

from gamekeeper.catalog import game_variables as variables
from gamekeeper.db.database import Writer
from gamekeeper.db.operations import AuditContext
from gamekeeper.ledger import actions
from gamekeeper.ledger.actions import Action
from gamekeeper.transfer import differences
from gamekeeper.transfer.lines import GameVariableLine
from gamekeeper.transfer.stored_guilds import read_game_variables


async def set_game_variables(
    writer: Writer, lines: Sequence[GameVariableLine], by: AuditContext
) -> int:
    """Set the values that differ; returns how many."""
    if not lines:
        return 0
    await variables.lock(writer)
    there = await read_game_variables(writer, [line.id for line in lines])
    differing = [
        line for line in lines if line.id not in there or differences.fields(line, there[line.id])
    ]
    await variables.save(writer, {line.id: line.value for line in differing})
    await actions.record(
        writer,
        [
            Action(
                kind="game.variable",
                by=by,
                before={
                    "variable_id": line.id,
                    "value": there[line.id].value if line.id in there else None,
                },
                after={"variable_id": line.id, "value": line.value},
            )
            for line in differing
        ],
    )
    return len(differing)
