"""The language of an account, in which it gets mails."""

from collections.abc import Mapping, Sequence
from typing import Any
from uuid import UUID

from gamekeeper.core.errors import Invalid, Problem
from gamekeeper.core.languages.negotiation import LANGUAGES, Language, lookup
from gamekeeper.db.database import Writer
from gamekeeper.db.operations import Command, operation
from gamekeeper.ledger import actions
from gamekeeper.ledger.actions import Action
from gamekeeper.users import accounts, records
from gamekeeper.users.lookup import lock_keys
from gamekeeper.users.play_time import seconds_played
from gamekeeper.users.records import User

KNOWN = ", ".join(LANGUAGES)


class UnknownLanguage(Invalid):
    """There are no texts in that language."""

    def __init__(self, tag: str = "") -> None:
        super().__init__(
            f"There are no texts in '{tag}'. Choose one of: {KNOWN}.", field="language"
        )


def parse(tag: str) -> Language | None:
    """The language for a tag: `de-AT` is `de`. None if it is empty; raises UnknownLanguage."""
    if not tag.strip():
        return None
    if (language := lookup(tag)) is None:
        raise UnknownLanguage(tag[:35])
    return language


class NewLanguage(Command, frozen=True, kw_only=True):
    user: str
    language: Language | None
    """None: the operator's default."""
    sees_emails: bool = False


@operation
async def change(writer: Writer, commands: Sequence[NewLanguage]) -> list[User | Problem]:
    """Set the languages of accounts; of several commands for one account the last wins."""
    users = await lock_keys(writer, [command.user for command in commands])
    rows = await _rows(writer, [user for user in users if user])
    language: dict[UUID, str | None] = {user: row["language"] for user, row in rows.items()}
    done: list[Action] = []
    for command, user in zip(commands, users, strict=True):
        if user and language[user] != command.language:
            before, after = {"language": language[user]}, {"language": command.language}
            done.append(
                Action(
                    kind="users.language", by=command.by, user_id=user, before=before, after=after
                )
            )
            language[user] = command.language
    await write(writer, language)
    await actions.record(writer, done)
    rows, played = await _rows(writer, list(rows)), await seconds_played(writer, list(rows))
    return [
        records.user(rows[user], sees_emails=command.sees_emails, play_time_seconds=played[user])
        if user
        else accounts.missing(command.user)
        for command, user in zip(commands, users, strict=True)
    ]


async def _rows(writer: Writer, users: Sequence[UUID]) -> dict[UUID, Any]:
    sql = f"SELECT {records.COLUMNS} FROM users WHERE id = ANY($1)"
    return {row["id"]: row for row in await writer.rows(sql, list(users))}


async def write(writer: Writer, new: Mapping[UUID, str | None]) -> None:
    """Write languages; a row that has its language already is not written again."""
    await writer.run(
        """
        UPDATE users SET language = new.language
          FROM unnest($1::uuid[], $2::text[]) AS new (id, language)
         WHERE users.id = ANY($1) AND users.id = new.id
           AND users.language IS DISTINCT FROM new.language
        """,
        list(new),
        list(new.values()),
    )
