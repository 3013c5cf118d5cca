"""
Erasure of accounts (right to erasure).

Its characters are deleted as any character is, with actions and postings, and so that none
comes back: their archive goes too. Passwords, addresses, tokens, sessions, second factors,
variables, chat messages and private messages to its characters are deleted. Sanctions stay, under
the id of the account; while one is in force, keyed hashes (HMAC) of the email address and of the
identities stay too: that address is not registered again, and after a ban no other account gets
these identities.
The action says nothing that names a person. docs/decisions/0051-erased-accounts.md
"""

from collections.abc import Collection, Mapping, Sequence
from typing import Any
from uuid import UUID

from msgspec import Struct, structs

from gamekeeper.auth import login_throttle, openid_sessions
from gamekeeper.auth.principal import Principal
from gamekeeper.auth.secrets import Vault
from gamekeeper.core.errors import Conflict, Invalid, Problem
from gamekeeper.core.names import fold
from gamekeeper.db.database import RetryTransaction, Writer
from gamekeeper.db.operations import Command, Operation, operation
from gamekeeper.db.paging.orderings import USERS, by_name, record_deltas, removed
from gamekeeper.ledger import actions
from gamekeeper.ledger.actions import Action
from gamekeeper.players import characters, memberships
from gamekeeper.players.characters import Deletion
from gamekeeper.players.memberships import OwnsGuild
from gamekeeper.players.state import lock_all
from gamekeeper.sanctions.in_force import NOT_OVER
from gamekeeper.users import accounts, erased_rows, ranks, records
from gamekeeper.users.identities import records as identities
from gamekeeper.users.lookup import find_user_ids
from gamekeeper.users.play_time import seconds_played
from gamekeeper.users.ranks import Management
from gamekeeper.users.records import User


# A sentence of Intersect, which its clients compare: it stays as it is.
class UserOnline(Invalid):
    """Cannot delete a user is currently online."""

    cacheable = False


class AccountHasRoles(Conflict):
    """The account has staff roles. Remove them first."""

    cacheable = False


class Erasure(Command, frozen=True, kw_only=True):
    user: str
    manager: Principal | None = None
    """The caller; None: the command line."""
    sees_emails: bool = False


class Erased(Struct, frozen=True):
    """What was erased, as it was before, and how much of it stays as what."""

    user: User
    characters: int
    sanctions: int
    """Sanctions that have not ended, for which the email address stays reserved."""


def erase(vault: Vault) -> Operation[Erasure, Erased]:
    """
    The operation that erases accounts with their characters; returns what they were.

    `vault` makes the keyed hash of an address that stays taken. The address is read under the
    lock of the account, so the hash cannot be a part of the command.
    """

    @operation
    async def erase(writer: Writer, commands: Sequence[Erasure]) -> list[Erased | Problem]:
        return await _erase(writer, vault, commands)

    return erase


class _Account(Struct, frozen=True):
    """An account that is about to be erased; it and its characters are locked."""

    row: Any
    players: list[UUID]
    sanctions: int
    play_time_seconds: int


async def _erase(
    writer: Writer, vault: Vault, commands: Sequence[Erasure]
) -> list[Erased | Problem]:
    users = await find_user_ids(writer, [command.user for command in commands])
    locked = await _lock(writer, {user for user in users if user})
    refused = await _refusals(writer, commands, users, locked)
    going: dict[UUID, Erasure] = {}
    refusals: dict[int, Problem] = {}
    for position, (command, user) in enumerate(zip(commands, users, strict=True)):
        if user is None or user not in locked or user in going:
            refusals[position] = accounts.missing(command.user)
        elif refusal := refused[position]:
            refusals[position] = refusal
        else:
            going[user] = command
    erased = iter(await _remove(writer, vault, going, locked) if going else ())
    return [refusals.get(position) or next(erased) for position in range(len(commands))]


async def _lock(writer: Writer, users: Collection[UUID]) -> dict[UUID, list[UUID]]:
    """
    Lock the accounts that exist, with their characters; returns the characters of each.

    Characters are locked before accounts, as in an undo.
    """
    characters_of = await _characters(writer, users)
    await lock_all(writer, [str(player) for own in characters_of.values() for player in own])
    rows = await writer.rows(
        "SELECT id FROM users WHERE id = ANY($1) ORDER BY id FOR UPDATE", list(users)
    )
    there = [row["id"] for row in rows]
    locked = {user: characters_of[user] for user in there}
    if await _characters(writer, there) != locked:
        # One was created, deleted or restored meanwhile. From here on none can be.
        raise RetryTransaction
    return locked


async def _characters(writer: Writer, users: Collection[UUID]) -> dict[UUID, list[UUID]]:
    rows = await writer.rows(
        "SELECT id, user_id FROM players WHERE user_id = ANY($1) ORDER BY id", list(users)
    )
    found: dict[UUID, list[UUID]] = {user: [] for user in users}
    for row in rows:
        found[row["user_id"]].append(row["id"])
    return found


async def _refusals(
    writer: Writer,
    commands: Sequence[Erasure],
    users: Sequence[UUID | None],
    locked: Mapping[UUID, Sequence[UUID]],
) -> list[Problem | None]:
    """Why each account cannot be erased; None if it can be, or does not exist."""
    pairs = list(zip(commands, users, strict=True))
    outranked = await ranks.refusals(
        writer, [Management(command.manager, user) for command, user in pairs]
    )
    players = [player for own in locked.values() for player in own]
    rows = await writer.rows("SELECT user_id FROM staff_roles WHERE user_id = ANY($1)", [*locked])
    staff = {row["user_id"] for row in rows}
    playing = await characters.playing(writer, players)
    owners = await memberships.owners(writer, players)

    def refusal(user: UUID | None) -> Problem | None:
        own = locked.get(user, ()) if user else ()
        if user in staff:
            return AccountHasRoles()
        if any(player in playing for player in own):
            return UserOnline()
        return OwnsGuild() if any(player in owners for player in own) else None

    return [above or refusal(user) for (_, user), above in zip(pairs, outranked, strict=True)]


async def _remove(
    writer: Writer,
    vault: Vault,
    going: Mapping[UUID, Erasure],
    locked: Mapping[UUID, list[UUID]],
) -> list[Erased]:
    found = await _read(writer, {user: locked[user] for user in going})
    removed_accounts = [(going[user], found[user]) for user in going]
    await _delete_characters(writer, removed_accounts)
    await _delete_accounts(writer, vault, removed_accounts)
    return [
        Erased(
            user=records.user(
                account.row,
                sees_emails=command.sees_emails,
                play_time_seconds=account.play_time_seconds,
            ),
            characters=len(account.players),
            sanctions=account.sanctions,
        )
        for command, account in removed_accounts
    ]


async def _read(writer: Writer, characters_of: Mapping[UUID, list[UUID]]) -> dict[UUID, _Account]:
    users = list(characters_of)
    rows = await writer.rows(f"SELECT {records.COLUMNS} FROM users WHERE id = ANY($1)", users)
    played = await seconds_played(writer, users)
    held = await writer.rows(
        f"""
        SELECT user_id, count(*) AS sanctions FROM sanctions
         WHERE user_id = ANY($1) AND kind IN ('ban', 'mute', 'trade_lock') AND {NOT_OVER}
         GROUP BY user_id
        """,
        users,
    )
    sanctions = {row["user_id"]: row["sanctions"] for row in held}
    return {
        row["id"]: _Account(
            row, characters_of[row["id"]], sanctions.get(row["id"], 0), played[row["id"]]
        )
        for row in rows
    }


async def _delete_characters(
    writer: Writer, removed_accounts: Sequence[tuple[Erasure, _Account]]
) -> None:
    deletions = [
        # The idempotency key belongs to the erasure.
        Deletion(by=structs.replace(command.by, key=None), player=str(player))
        for command, account in removed_accounts
        for player in account.players
    ]
    outcomes = await characters.delete(writer, deletions)
    if any(isinstance(outcome, Problem) for outcome in outcomes):
        # All was checked under the locks, but the lease of a game server may be renewed since.
        raise RetryTransaction


async def _delete_accounts(
    writer: Writer, vault: Vault, removed_accounts: Sequence[tuple[Erasure, _Account]]
) -> None:
    rows = [account.row for _, account in removed_accounts]
    users = [row["id"] for row in rows]
    recorded = [_action(command, account) for command, account in removed_accounts]
    await login_throttle.clear(writer, users)
    # The clients are told, before the rows that name them are gone.
    await openid_sessions.end_all(writer, users)
    await _tag_identities(
        writer, vault, [account.row["id"] for _, account in removed_accounts if account.sanctions]
    )
    await _delete_conversations(writer, users)
    for statement in erased_rows.OWNED:
        await writer.run(statement, users)
    await writer.run(erased_rows.NAMES, users, [fold(row["name"]) for row in rows])
    await writer.run(erased_rows.EMAILS, users, [fold(row["email"]) for row in rows])
    await writer.run(
        """
        INSERT INTO erased_users (user_id, action_id, email_tag)
        SELECT * FROM unnest($1::uuid[], $2::uuid[], $3::bytea[])
        """,
        users,
        [action.id for action in recorded],
        [
            vault.hmac(accounts.tag_text(account.row["email"])) if account.sanctions else None
            for _, account in removed_accounts
        ],
    )
    gone = await writer.rows("SELECT remove_erased_users($1) AS id", users)
    assert len(gone) == len(users), "an erased account still exists"
    await record_deltas(
        writer, [removed(USERS, by_name(fold(row["name"]), row["id"])) for row in rows]
    )
    await actions.record(writer, recorded)


async def _tag_identities(writer: Writer, vault: Vault, users: Sequence[UUID]) -> None:
    """Store keyed hashes of all identities that the accounts have or had."""
    rows = await writer.rows(
        """
        SELECT user_id, issuer, subject FROM identities WHERE user_id = ANY($1)
        UNION SELECT user_id, issuer, subject FROM former_identities WHERE user_id = ANY($1)
        """,
        list(users),
    )
    await writer.run(
        """
        INSERT INTO erased_identities (user_id, tag)
        SELECT * FROM unnest($1::uuid[], $2::bytea[]) ON CONFLICT DO NOTHING
        """,
        [row["user_id"] for row in rows],
        [vault.hmac(identities.tag_text(row["issuer"], row["subject"])) for row in rows],
    )


async def _delete_conversations(writer: Writer, users: Sequence[UUID]) -> None:
    """Delete what others said in private to the characters, also to those deleted before."""
    rows = await writer.rows("SELECT player_id FROM deleted_players WHERE user_id = ANY($1)", users)
    players = [row["player_id"] for row in rows]
    await writer.run(
        "DELETE FROM chat_messages WHERE channel = 'pm' AND target_id = ANY($1)", players
    )
    await writer.run(
        """
        UPDATE sanction_excerpts SET salt = NULL, message = NULL, target_name = NULL
         WHERE channel = 'pm' AND target_id = ANY($1)
        """,
        players,
    )
    await writer.run(
        """
        UPDATE report_excerpts SET salt = NULL, message = NULL, target_name = NULL
         WHERE channel = 'pm' AND target_id = ANY($1)
        """,
        players,
    )
    await writer.run(
        """
        UPDATE case_excerpts SET salt = NULL, message = NULL, target_name = NULL
         WHERE channel = 'pm' AND target_id = ANY($1)
        """,
        players,
    )


def _action(command: Erasure, account: _Account) -> Action:
    """The entry in the audit log, with nothing that names a person."""
    return Action(
        kind="users.delete",
        by=command.by,
        user_id=account.row["id"],
        before={
            "registered_at": account.row["registration_date"],
            "characters": len(account.players),
        },
    )
