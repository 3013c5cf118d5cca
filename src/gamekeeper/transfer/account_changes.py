"""Changes of accounts that exist: the difference to the file, and one action for each account."""

from collections.abc import Mapping
from uuid import UUID

from msgspec import UNSET

from gamekeeper.auth.secrets import Vault
from gamekeeper.catalog.variable_values import USER_VARIABLES
from gamekeeper.core.names import fold, look
from gamekeeper.db.database import Writer
from gamekeeper.db.operations import AuditContext
from gamekeeper.db.paging.orderings import USERS, added, by_name, record_deltas, removed
from gamekeeper.ledger import actions
from gamekeeper.ledger.actions import Action
from gamekeeper.transfer import differences, passwords, stored
from gamekeeper.transfer.additions import USER_SKELETONS, variables_of
from gamekeeper.transfer.lines import UserLine
from gamekeeper.transfer.mutes import MUTE, change_mutes
from gamekeeper.users import accounts, emails, languages, replaced_passwords, skeletons
from gamekeeper.users.accounts import POWERS
from gamekeeper.users.lookup import lock

Existing = Mapping[UUID, UserLine]


async def change_users(
    writer: Writer, lines: Mapping[int, UserLine], vault: Vault, by: AuditContext
) -> int:
    """Make accounts what their lines say; returns how many differed."""
    await lock(writer, [line.id for line in lines.values()])
    there = await stored.read_users(writer, [line.id for line in lines.values()])
    sealed = {
        line.id: record
        for line in lines.values()
        if (record := new_password(line, there[line.id], vault))
    }
    fields = {line.id: differences.fields(line, there[line.id]) for line in lines.values()}
    differing = {line.id: line for line in lines.values() if fields[line.id] or line.id in sealed}
    if not differing:
        return 0
    await _rename(writer, differing, there)
    await _readdress(writer, differing, there)
    await _empower(writer, differing, there)
    await change_mutes(writer, differing, fields, by)
    await _set_created(writer, differing)
    await languages.write(
        writer,
        {user: line.language for user, line in differing.items() if line.language is not UNSET},
    )
    await _set_passwords(writer, sealed, by)
    about_variables = await _set_variables(writer, differing, there, by)
    await actions.record(
        writer,
        [
            *(
                _changed(line, there[user], own, by)
                for user, line in differing.items()
                # A mute is a sanction with an action of its own, and so is each variable.
                if (own := [name for name in fields[user] if name not in (*MUTE, "variables")])
            ),
            *about_variables,
            *(Action(kind="users.password", by=by, user_id=user) for user in sealed),
        ],
    )
    return len(differing)


def new_password(line: UserLine, there: UserLine, vault: Vault) -> str | None:
    before = there.password.sealed if there.password else None
    return passwords.replacement(vault, line, before)


def _changed(line: UserLine, there: UserLine, fields: list[str], by: AuditContext) -> Action:
    """The audit action; powers one by one, as other actions record them."""
    plain = [name for name in fields if name != "powers"]
    before = {name: getattr(there, name) for name in plain}
    after = {name: getattr(line, name) for name in plain}
    if "powers" in fields:
        before |= _powers(there)
        after |= _powers(line)
    return Action(kind="users.import", by=by, user_id=line.id, before=before, after=after)


def _powers(line: UserLine) -> dict[str, bool]:
    return {power: power in (line.powers or ()) for power in POWERS}


async def _rename(writer: Writer, lines: Existing, there: Existing) -> None:
    new = {
        user: (str(there[user].name), str(line.name))
        for user, line in lines.items()
        if line.name is not UNSET and line.name != there[user].name
    }
    if not new:
        return
    users = list(new)
    await skeletons.release(writer, [before for before, _ in new.values()], users)
    await writer.run("DELETE FROM user_names WHERE user_id = ANY($1)", users)
    keys = [fold(name) for _, name in new.values()]
    await writer.run(
        """
        INSERT INTO user_names (name_key, user_id)
        SELECT * FROM unnest($1::text[], $2::uuid[]) AS new (name_key, user_id) ORDER BY name_key
        """,
        keys,
        users,
    )
    looks = {look(name): user for user, (_, name) in new.items()}
    await writer.run(USER_SKELETONS, list(looks), list(looks.values()))
    await writer.run(
        """
        UPDATE users SET name = new.name, name_key = new.name_key
          FROM unnest($1::uuid[], $2::text[], $3::text[]) AS new (id, name, name_key)
         WHERE users.id = ANY($1) AND users.id = new.id
        """,
        users,
        [name for _, name in new.values()],
        keys,
    )
    gone = [removed(USERS, by_name(fold(before), user)) for user, (before, _) in new.items()]
    come = [added(USERS, by_name(fold(after), user)) for user, (_, after) in new.items()]
    await record_deltas(writer, gone + come)


async def _readdress(writer: Writer, lines: Existing, there: Existing) -> None:
    new = {
        user: str(line.email)
        for user, line in lines.items()
        if line.email is not UNSET and line.email != there[user].email
    }
    if not new:
        return
    await emails.give_up_others(writer, new)
    await writer.run(
        """
        INSERT INTO user_emails (email_key, user_id)
        SELECT * FROM unnest($1::text[], $2::uuid[]) AS new (email_key, user_id)
         WHERE NOT EXISTS (SELECT FROM user_emails AS own
                            WHERE own.email_key = new.email_key AND own.user_id = new.user_id)
         ORDER BY email_key
        """,
        [fold(email) for email in new.values()],
        list(new),
    )
    # No mails: an import may change the addresses of all accounts.
    await emails.write(writer, new, mails=False)


async def _empower(writer: Writer, lines: Existing, there: Existing) -> None:
    given = [user for user, line in lines.items() if line.powers is not UNSET]
    before = {user: _powers(there[user]) for user in given}
    await accounts.set_powers(writer, before, {user: _powers(lines[user]) for user in given})


async def _set_created(writer: Writer, lines: Existing) -> None:
    given = {user: line.created_at for user, line in lines.items() if line.created_at is not UNSET}
    await writer.run(
        """
        UPDATE users SET created_at = new.created_at
          FROM unnest($1::uuid[], $2::timestamptz[]) AS new (id, created_at)
         WHERE users.id = ANY($1) AND users.id = new.id AND users.created_at <> new.created_at
        """,
        list(given),
        list(given.values()),
    )


async def _set_variables(
    writer: Writer, lines: Existing, there: Existing, by: AuditContext
) -> list[Action]:
    """Replace the variables of accounts whose lines have some; returns an action for each."""
    given = [line for line in lines.values() if line.variables is not UNSET]
    now = variables_of(there[line.id] for line in given)
    wanted = variables_of(given)
    changed = {
        spot: wanted.get(spot)
        for spot in sorted({*now, *wanted})
        if (type(now.get(spot)), now.get(spot)) != (type(wanted.get(spot)), wanted.get(spot))
    }
    await USER_VARIABLES.save(writer, changed)
    return [
        Action(
            kind="users.variable",
            by=by,
            user_id=user,
            before={"variable_id": variable, "value": now.get((user, variable))},
            after={"variable_id": variable, "value": value},
        )
        for (user, variable), value in changed.items()
    ]


async def _set_passwords(writer: Writer, sealed: Mapping[UUID, str], by: AuditContext) -> None:
    if not sealed:
        return
    await writer.run(
        """
        INSERT INTO passwords (user_id, sealed)
        SELECT * FROM unnest($1::uuid[], $2::text[])
        ON CONFLICT (user_id) DO UPDATE
           SET sealed = excluded.sealed, changed_at = excluded.changed_at
        """,
        list(sealed),
        list(sealed.values()),
    )
    await replaced_passwords.end_access(writer, dict.fromkeys(sealed, by))
