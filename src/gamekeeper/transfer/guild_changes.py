"""
Changes of guilds that exist: the difference to the file.

Each membership that changes is an action of its character, and each variable one of the guild, as
if a game server had changed them. One action of the import has the rest, with the postings of the
bank.
"""

from collections.abc import Mapping, Sequence
from datetime import datetime
from typing import Any
from uuid import UUID

from msgspec import UNSET

from gamekeeper.core.names import fold
from gamekeeper.db.database import Writer
from gamekeeper.db.operations import AuditContext
from gamekeeper.guilds.state import save_actions
from gamekeeper.ledger import actions
from gamekeeper.ledger.actions import Action, Kind
from gamekeeper.players import memberships
from gamekeeper.players.inventory import Inventory, PostingContext, Stack
from gamekeeper.players.state import lock_rows
from gamekeeper.transfer import differences
from gamekeeper.transfer.character_changes import RefusedLines
from gamekeeper.transfer.guild_additions import members_of, set_members, set_variables
from gamekeeper.transfer.lines import Fault, GuildLine
from gamekeeper.transfer.positions import find_moved, keep_positions
from gamekeeper.transfer.stored_guilds import read_guilds

PLAIN = ("name", "founded_at", "bank_slots", "instance_id")
"""The fields that are columns."""
Existing = Mapping[UUID, GuildLine]


async def change_guilds(
    writer: Writer, lines: Mapping[int, GuildLine], by: AuditContext, *, overwrite: bool
) -> int:
    """Make guilds what their lines say; returns how many differed."""
    there = await _lock(writer, list(lines.values()))
    if gone := [number for number, line in lines.items() if line.id not in there]:
        raise RefusedLines(
            [Fault(number, "id", "was disbanded during the import") for number in gone]
        )
    differing = {
        number: line for number, line in lines.items() if guild_fields(line, there[line.id])
    }
    faults = [] if overwrite else await find_moved(writer, differing, there)
    faults += [
        fault
        for number, line in differing.items()
        for fault in bank_faults(number, line, there[line.id])
    ]
    if faults:
        raise RefusedLines(faults)
    if differing:
        await _change(writer, {line.id: line for line in differing.values()}, there, by)
    return len(differing)


async def _lock(writer: Writer, lines: Sequence[GuildLine]) -> dict[UUID, GuildLine]:
    """Lock the guilds that differ and their members, the former ones too; returns all as stored."""
    seen = await read_guilds(writer, [line.id for line in lines])
    odd = [line.id for line in lines if line.id not in seen or guild_fields(line, seen[line.id])]
    if not odd:
        return seen
    wanted = {line.id: line for line in lines}
    both = [line for guild in odd for line in (wanted[guild], seen.get(guild)) if line]
    players = {member.player_id for line in both for member in line.members or ()}
    await lock_rows(writer, players)
    # Also the guilds that members come from: whoever changes a membership holds its guild.
    former = await memberships.of_players(writer, list(players))
    await writer.rows(
        memberships.LOCK, sorted({*odd, *(membership.guild_id for membership in former.values())})
    )
    return {guild: line for guild, line in seen.items() if guild not in odd} | await read_guilds(
        writer, odd
    )


def guild_fields(line: GuildLine, before: GuildLine) -> list[str]:
    """The fields that differ; a member without `joined_at` keeps the stored one."""
    joined = {member.player_id: member.joined_at for member in before.members or ()}
    for member in line.members or ():
        member.joined_at = member.joined_at or joined.get(member.player_id, UNSET)
    return differences.fields(line, before)


def bank_faults(number: int, line: GuildLine, before: GuildLine) -> list[Fault]:
    """Slots beyond the size of the bank, which may stand in the line or be the stored one."""
    size = before.bank_slots if line.bank_slots is UNSET else line.bank_slots
    held = before.bank if line.bank is UNSET else line.bank
    if beyond := [slot.slot for slot in held or () if slot.slot >= (size or 0)]:
        return [Fault(number, "bank_slots", f"is {size}, but slot {max(beyond)} is filled")]
    return []


async def _change(writer: Writer, lines: Existing, there: Existing, by: AuditContext) -> None:
    at = await writer.value("SELECT now()")
    imports = {
        guild: Action(kind="players.import", by=by, **_plain_changes(line, there[guild]))
        for guild, line in lines.items()
    }
    await _set_columns(writer, lines, there)
    await _set_members(writer, lines, there, at)
    await set_variables(writer, list(lines.values()))
    await _set_banks(writer, lines, imports)
    about = list(imports.items())
    for guild, line in lines.items():
        about += [(guild, action) for action in _member_actions(line, there[guild], by)]
        about += [(guild, action) for action in _variable_actions(line, there[guild], by)]
    await save_actions(writer, about)
    await keep_positions(writer, lines.values())


def _plain_changes(line: GuildLine, before: GuildLine) -> dict[str, Any]:
    named = {"guild_id": line.id, "guild": before.name}
    fields = [name for name in differences.fields(line, before) if name in PLAIN]
    return {
        "before": named | {name: getattr(before, name) for name in fields},
        "after": named | {name: getattr(line, name) for name in fields},
    }


async def _set_columns(writer: Writer, lines: Existing, there: Existing) -> None:
    def now(guild: UUID, name: str) -> Any:
        value = getattr(lines[guild], name)
        return getattr(there[guild], name) if value is UNSET else value

    names = [now(guild, "name") for guild in lines]
    await writer.run(
        """
        UPDATE guilds
           SET name = new.name, name_key = new.name_key, founded_at = new.founded_at,
               bank_slots = new.bank_slots, instance_id = new.instance_id
          FROM unnest($1::uuid[], $2::text[], $3::text[], $4::timestamptz[], $5::int[], $6::uuid[])
               AS new (id, name, name_key, founded_at, bank_slots, instance_id)
         WHERE guilds.id = ANY($1) AND guilds.id = new.id
        """,
        list(lines),
        names,
        [fold(name) for name in names],
        *([now(guild, name) for guild in lines] for name in PLAIN[1:]),
    )


async def _set_members(writer: Writer, lines: Existing, there: Existing, at: datetime) -> None:
    given = [line for line in lines.values() if line.members is not UNSET]
    former = [member.player_id for line in given for member in there[line.id].members or ()]
    # All out before any comes in: an owner and its successor change places.
    await writer.run(
        "DELETE FROM guild_members WHERE player_id = ANY($1) AND guild_id = ANY($2)",
        former,
        [line.id for line in given],
    )
    await set_members(writer, [membership for line in given for membership in members_of(line, at)])


async def _set_banks(writer: Writer, lines: Existing, imports: Mapping[UUID, Action]) -> None:
    given = [line for line in lines.values() if line.bank is not UNSET]
    banks = Inventory()
    await banks.load_guilds(writer, [line.id for line in given])
    for line in given:
        context = PostingContext(imports[line.id].id, "import")
        wanted = {
            slot.slot: Stack(
                item_id=slot.item_id,
                quantity=slot.quantity,
                stat_buffs=slot.stat_buffs,
                bag_id=None,
            )
            for slot in line.bank or ()
        }
        now = dict(banks.at(line.id, "guild"))
        for number in sorted({*now, *wanted}):
            before, after = now.get(number), wanted.get(number)
            if before == after:
                continue
            # A slot whose item changes is emptied first: a posting is about one item.
            if before and after and not _is_alike(before, after):
                banks.set_slot((line.id, "guild", number), None, context)
            banks.set_slot((line.id, "guild", number), after, context)
    await actions.post(writer, await banks.save(writer))


def _is_alike(one: Stack, other: Stack) -> bool:
    return (one.item_id, one.stat_buffs) == (other.item_id, other.stat_buffs)


def _member_actions(line: GuildLine, before: GuildLine, by: AuditContext) -> list[Action]:
    if line.members is UNSET:
        return []
    old = {member.player_id: member.rank for member in before.members or ()}
    new = {member.player_id: member.rank for member in line.members}
    about = {"guild_id": line.id, "guild": before.name}
    return [
        Action(
            kind=_kind(old.get(player), new.get(player)),
            by=by,
            player_id=player,
            before=about | {"rank": old[player]} if player in old else None,
            after=about | {"rank": new[player]} if player in new else None,
        )
        for player in sorted({*old, *new})
        if old.get(player) != new.get(player)
    ]


def _kind(before: int | None, after: int | None) -> Kind:
    if before is None:
        return "guilds.join"
    return "guilds.kick" if after is None else "guilds.rank"


def _variable_actions(line: GuildLine, before: GuildLine, by: AuditContext) -> list[Action]:
    if line.variables is UNSET:
        return []
    old, new, done = before.variables or {}, line.variables, list[Action]()
    for variable in sorted({*old, *new}):
        former, value = old.get(variable), new.get(variable)
        if (type(former), former) != (type(value), value):
            about = {"guild_id": line.id, "guild": before.name, "variable_id": variable}
            done.append(
                Action(
                    kind="guilds.variable",
                    by=by,
                    before=about | {"value": former},
                    after=about | {"value": value},
                )
            )
    return done
