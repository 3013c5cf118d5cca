"""
Presence: which characters play on which server.

A character is on at most one server: a join moves it there, and its former server can no
longer act for it. When a session ends it is recorded, and the time played is added to the
character: until it left or the lease of its server ended, whichever came first.
"""

import asyncio
from collections.abc import Collection, Mapping, Sequence
from typing import LiteralString
from uuid import UUID

from msgspec import structs

from gamekeeper.auth import client_traces
from gamekeeper.auth.client_traces import ClientTrace
from gamekeeper.core.errors import Problem
from gamekeeper.core.languages.negotiation import lookup
from gamekeeper.core.languages.texts import texts_in
from gamekeeper.core.schemas import Instant, Record
from gamekeeper.db.database import Reader, Writer
from gamekeeper.db.operations import Command, operation
from gamekeeper.db.paging.orderings import ONLINE, PLAYERS, added, record_deltas
from gamekeeper.players.presences import close, count
from gamekeeper.players.state import lock_all
from gamekeeper.sanctions.in_force import Restriction, restrictions
from gamekeeper.servers import leases
from gamekeeper.servers.leases import LeaseHolder
from gamekeeper.users.verified_emails import IS_VERIFIED

NOT_VERIFIED = "email_not_verified"


class PresenceChange(Command, frozen=True, kw_only=True):
    """Characters, by name or id, that join a server or leave it."""

    holder: LeaseHolder
    players: Sequence[str]
    traces: Mapping[str, ClientTrace] = {}
    """Where those who join play from, as the game server says, by the key in `players`."""


class BankVisits(Command, frozen=True, kw_only=True):
    """Characters whose bank windows were opened or closed."""

    holder: LeaseHolder
    opened: Sequence[str]
    closed: Sequence[str]


class Joined(Record, frozen=True):
    player_id: UUID
    seq: int
    """The number of the character's last posting in the ledger; 0 if it has none."""
    moved_from: UUID | None
    """The server it was on until now."""
    restrictions: list[Restriction]
    """Mutes and trade locks in force, for the server to enforce."""


class RefusedJoin(Record, frozen=True):
    """A character that is banned or must verify an address first, with what its player reads."""

    player: str
    """The name or id, as it was sent."""
    code: str
    """
    The code of the ban, for the player to quote. `email_not_verified`: the operator requires a
    verified email address, and that of the account is not.
    """
    message: str
    """The text for the player."""
    until: Instant | None
    """The end of the ban; null: permanent, or no ban."""


class Joining(Record, frozen=True):
    """The characters now on the server."""

    values: list[Joined]
    unknown: list[str]
    """Unknown names and ids."""
    refused: list[RefusedJoin]
    """
    Banned characters, those of banned accounts, devices and addresses, and those whose account
    must verify its email address first; they did not join.
    """


class Changed(Record, frozen=True):
    """For how many it was done."""

    changed: int
    not_here: list[str]
    """Characters that are not on the server."""


@operation
async def join(writer: Writer, commands: Sequence[PresenceChange]) -> list[Joining | Problem]:
    """
    Let characters join servers. One on another server is moved; one already there stays.

    A banned one, one of a banned account, one that plays from a banned device or address, and one
    whose account must verify its email address is refused; the others join all the same.
    """
    return [
        await leases.hold(writer, command.holder, command.by) or await _join(writer, command)
        for command in commands
    ]


async def _join(writer: Writer, command: PresenceChange) -> Joining:
    server = command.holder.server_id
    found = await lock_all(writer, command.players)
    # Read after the lock: a ban that this join waited for would not be seen before it.
    known = await restrictions(writer, [player for player in found if player])
    traces = {
        player: command.traces[key]
        for key, player in zip(command.players, found, strict=True)
        if player and key in command.traces
    }
    refused = await _refusals(writer, found, known, traces)
    players = sorted({player for player in found if player and player not in refused})
    await _note(writer, {player: traces[player] for player in players if player in traces})
    elsewhere = await _elsewhere(writer, players, server)
    gone = await close(writer, list(elsewhere))
    entered = await writer.rows(JOIN, players, server)
    await record_deltas(writer, [added(ONLINE, row["list_key"]) for row in entered])
    await count(writer, {server: len(entered)} if entered else {}, gone)
    seqs = await writer.rows(
        "SELECT player_id, seq FROM ledger_heads WHERE player_id = ANY($1)", players
    )
    seq: dict[UUID, int] = {row["player_id"]: row["seq"] for row in seqs}
    return Joining(
        values=[
            Joined(
                player_id=player,
                seq=seq.get(player, 0),
                moved_from=elsewhere.get(player),
                restrictions=list(known.get(player, ())),
            )
            for player in players
        ],
        unknown=_missing(command.players, found),
        refused=[
            structs.replace(refused[player], player=key)
            for key, player in zip(command.players, found, strict=True)
            if player and player in refused
        ],
    )


async def _note(writer: Writer, traces: Mapping[UUID, ClientTrace]) -> None:
    """Store where the accounts of characters are used from."""
    if traces:
        rows = await writer.rows(
            "SELECT id, user_id FROM players WHERE id = ANY($1) ORDER BY user_id", list(traces)
        )
        await client_traces.note(writer, [(row["user_id"], traces[row["id"]]) for row in rows])


async def _refusals(
    writer: Writer,
    found: Sequence[UUID | None],
    known: Mapping[UUID, Sequence[Restriction]],
    traces: Mapping[UUID, ClientTrace],
) -> dict[UUID, RefusedJoin]:
    """Those who may not join: banned, where a ban is, or with an unverified address."""
    stopped = await client_traces.find_stopped(writer, list(traces.values()))
    banned = {player: _refused(ban) for player in known if (ban := _ban(known[player]))}
    banned |= {
        player: RefusedJoin(player="", code=ban.code, message=ban.message, until=ban.until)
        for position, player in enumerate(traces)
        if player not in banned and (ban := stopped.get(position))
    }
    allowed = [player for player in found if player and player not in banned]
    return banned | await _unverified(writer, allowed)


async def _unverified(writer: Writer, players: Sequence[UUID]) -> dict[UUID, RefusedJoin]:
    """Those whose accounts must verify their addresses first, if the operator requires it."""
    if writer.settings.email_verification == "optional":
        return {}
    sql: LiteralString = f"""
        SELECT players.id, language FROM players JOIN users ON users.id = user_id
         WHERE players.id = ANY($1) AND NOT {IS_VERIFIED}
    """
    refused = {}
    for row in await writer.rows(sql, list(players)):
        language = lookup(row["language"] or "") or writer.settings.language
        texts = await asyncio.to_thread(texts_in, language)
        message = texts.plain("join.email_not_verified", game=writer.settings.game_name)
        refused[row["id"]] = RefusedJoin(player="", code=NOT_VERIFIED, message=message, until=None)
    return refused


def _refused(ban: Restriction) -> RefusedJoin:
    return RefusedJoin(player="", code=ban.code, message=ban.message, until=ban.until)


def _ban(found: Sequence[Restriction]) -> Restriction | None:
    """The ban that ends last, if there is one."""
    return next((restriction for restriction in found if restriction.kind == "ban"), None)


# Never before the end of the last session, even if the clock was set back: a character's
# sessions do not overlap.
JOIN: LiteralString = f"""
    INSERT INTO presences (player_id, server_id, list_key, joined_at)
    SELECT id, $2, {PLAYERS.key},
           greatest(clock_timestamp(), last_online + interval '1 microsecond')
      FROM players
     WHERE id = ANY($1)
    ON CONFLICT (player_id) DO NOTHING
    RETURNING list_key
"""


async def _elsewhere(writer: Writer, players: Sequence[UUID], server: UUID) -> dict[UUID, UUID]:
    rows = await writer.rows(
        """
        SELECT player_id, server_id FROM presences
         WHERE player_id = ANY($1) AND server_id <> $2
        """,
        list(players),
        server,
    )
    return {row["player_id"]: row["server_id"] for row in rows}


@operation
async def leave(writer: Writer, commands: Sequence[PresenceChange]) -> list[Changed | Problem]:
    """Let characters leave servers; one that is not there, or has moved, is left alone."""
    return [
        await leases.hold(writer, command.holder, command.by) or await _leave(writer, command)
        for command in commands
    ]


async def _leave(writer: Writer, command: PresenceChange) -> Changed:
    found = await lock_all(writer, command.players)
    here = await on(writer, command.holder.server_id, found)
    await count(writer, {}, await close(writer, sorted(here)))
    there = [player if player in here else None for player in found]
    return Changed(changed=len(here), not_here=_missing(command.players, there))


@operation
async def visit_bank(writer: Writer, commands: Sequence[BankVisits]) -> list[Changed | Problem]:
    """Record which bank windows are open and which are closed."""
    return [
        await leases.hold(writer, command.holder, command.by) or await _visit(writer, command)
        for command in commands
    ]


async def _visit(writer: Writer, command: BankVisits) -> Changed:
    keys = [*command.opened, *command.closed]
    found = await lock_all(writer, keys)
    here = await on(writer, command.holder.server_id, found)
    # A window opened and closed within one call is closed: the later key wins.
    visits = {
        player: number < len(command.opened)
        for number, player in enumerate(found)
        if player is not None and player in here
    }
    changed = await writer.run(
        """
        UPDATE presences SET in_bank = visits.open
          FROM unnest($1::uuid[], $2::boolean[]) AS visits (player_id, open)
         WHERE presences.player_id = visits.player_id AND in_bank <> visits.open
        """,
        list(visits),
        list(visits.values()),
    )
    there = [player if player in here else None for player in found]
    return Changed(changed=changed, not_here=_missing(keys, there))


async def servers(reader: Reader, players: Collection[UUID]) -> dict[UUID | None, UUID]:
    """The current servers of players; a player on none is left out."""
    rows = await reader.rows(
        "SELECT player_id, server_id FROM presences WHERE player_id = ANY($1)", list(players)
    )
    return {row["player_id"]: row["server_id"] for row in rows}


async def of_user(reader: Reader, user: UUID) -> list[UUID]:
    """The characters of an account that are on a server, alive or not."""
    rows = await reader.rows(
        """
        SELECT player_id FROM presences JOIN players ON players.id = player_id
         WHERE user_id = $1 ORDER BY player_id
        """,
        user,
    )
    return [row["player_id"] for row in rows]


async def servers_of_accounts(reader: Reader, users: Collection[UUID]) -> dict[UUID, set[UUID]]:
    """The servers on which characters of these accounts are."""
    rows = await reader.rows(
        """
        SELECT players.user_id, presences.server_id
          FROM players JOIN presences ON presences.player_id = players.id
         WHERE players.user_id = ANY($1)
        """,
        list(users),
    )
    found: dict[UUID, set[UUID]] = {}
    for row in rows:
        found.setdefault(row["user_id"], set()).add(row["server_id"])
    return found


async def on(writer: Writer, server: UUID, players: Sequence[UUID | None]) -> set[UUID]:
    """Which of the players are on a server. The players must be locked."""
    rows = await writer.rows(
        "SELECT player_id FROM presences WHERE player_id = ANY($1) AND server_id = $2",
        [player for player in players if player],
        server,
    )
    return {row["player_id"] for row in rows}


async def clear(writer: Writer, server: UUID, *, most: int) -> int:
    """
    End at most `most` sessions on a server, and return how many were found.

    The server's row must be locked FOR UPDATE.
    """
    rows = await writer.rows(
        "SELECT player_id FROM presences WHERE server_id = $1 ORDER BY list_key LIMIT $2",
        server,
        most,
    )
    found = await lock_all(writer, [str(row["player_id"]) for row in rows])
    # A character that moved while we waited for its lock keeps its session elsewhere.
    here = await on(writer, server, found)
    await count(writer, {}, await close(writer, sorted(here)))
    return len(rows)


def _missing(keys: Sequence[str], found: Sequence[UUID | None]) -> list[str]:
    return [key for key, player in zip(keys, found, strict=True) if player is None]
