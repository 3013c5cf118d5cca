"""A small world with everything in it that a restore must deal with, and its backup."""

import shutil
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from uuid import uuid4

import msgspec
from msgspec import Struct

from gamekeeper.auth import keys, tokens
from gamekeeper.auth.keys import NewKey
from gamekeeper.auth.tokens import SignIn
from gamekeeper.core.settings import Hidden, Settings
from gamekeeper.db.database import Database, Writer
from gamekeeper.demo import loader
from gamekeeper.operations.backup import creation, manifest, restoration
from gamekeeper.operations.backup.creation import MadeBackup
from gamekeeper.operations.backup.manifest import Manifest
from gamekeeper.operations.backup.restoration import RestoredBackup, RestoreOrder
from gamekeeper.users import accounts
from gamekeeper.users.accounts import PowersChange
from tests.databases import SERVER, admin
from tests.ledger.chains import link
from tests.make import BY, make_server

SECRET = "x$y$z"
"""Stands for a sealed secret that nobody opens here."""


class Backup(Struct, frozen=True, kw_only=True):
    """A backup, and what was live when it was made."""

    directory: Path
    made: MadeBackup
    kept_key: str
    lost_key: str
    access_token: str

    def copied(self, to: Path) -> Path:
        """A copy to do harm to."""
        return Path(shutil.copytree(self.directory, to / "copy"))


async def make_world(settings: Settings, directory: Path) -> Backup:
    await loader.fill(settings, players=30, seed=1)
    async with Database.open(settings) as database:
        kept = await keys.create.one(database, NewKey(by=BY, name="website"))
        lost = await keys.create.one(database, NewKey(by=BY, name="forgotten"))
        user = await database.reader.value("SELECT id FROM users ORDER BY id LIMIT 1")
        await accounts.empower.one(database, PowersChange(by=BY, user=str(user), api=True))
        sealed = await database.reader.value(
            "SELECT sealed FROM passwords WHERE user_id = $1", user
        )
        token = await tokens.issue.one(database, SignIn(user_id=user, sealed=sealed))
        server = await make_server(database, fence=3)
        await database.write(lambda writer: _things(writer, user, server))
        await link(database)
    made = await creation.create(settings, directory, BY)
    return Backup(
        directory=Path(made.directory),
        made=made,
        kept_key=kept,
        lost_key=lost,
        access_token=token.access,
    )


async def _things(writer: Writer, user: object, server: object) -> None:
    """A session, a link, a reset, a webhook, a command and more, all of them open."""
    await writer.run(
        """
        INSERT INTO email_verifications (user_id, id, email, expires_at)
        VALUES ($1, $2, 'a@example.org', now() + interval '1 day')
        """,
        user,
        uuid4(),
    )
    await writer.run(
        """
        INSERT INTO link_codes (hash, user_id, expires_at)
        VALUES (sha256('code'), $1, now() + interval '10 minutes')
        """,
        user,
    )
    await writer.run(
        """
        INSERT INTO identity_flows (id, source, user_id, return_to, secret_hash, expires_at)
        VALUES ($2, 'discord', $1, '', '', now() + interval '10 minutes')
        """,
        user,
        uuid4(),
    )
    await writer.run(
        """
        INSERT INTO browser_sessions (id, user_id, hash, expires_at, roles, address, user_agent)
        VALUES ($1, $2, sha256('session'), now() + interval '1 hour', '{}', '', '')
        """,
        uuid4(),
        user,
    )
    await writer.run(
        """
        INSERT INTO sign_in_links (hash, user_id, expires_at)
        VALUES (sha256('link'), $1, now() + interval '10 minutes')
        """,
        user,
    )
    await writer.run(
        """
        INSERT INTO password_resets (user_id, expires_at)
        VALUES ($1, now() + interval '10 minutes')
        """,
        user,
    )
    await writer.run(
        """
        INSERT INTO webhooks (id, url, emails, secret, position)
        VALUES ($1, 'https://example.org/hook', false, $2, 0)
        """,
        uuid4(),
        SECRET,
    )
    await writer.run(
        """
        INSERT INTO commands (id, kind, server_id, sent_by, sent_by_name, expires_at)
        VALUES ($1, 'message', $2, 'system', 'tests', now() + interval '1 hour')
        """,
        uuid4(),
        server,
    )


@asynccontextmanager
async def empty() -> AsyncIterator[Settings]:
    """A database without anything in it."""
    name = f"gamekeeper_restored_{uuid4().hex[:12]}"
    await admin(f"CREATE DATABASE {name} TEMPLATE template0 ENCODING 'UTF8'")
    try:
        yield Settings(database_url=Hidden(SERVER.format(name)))
    finally:
        await admin(f"DROP DATABASE {name} WITH (FORCE)")


async def restored(settings: Settings, directory: Path, **about: object) -> RestoredBackup:
    """Restore as the command does."""
    order = msgspec.structs.replace(RestoreOrder(directory=directory, by=BY), **about)
    checked = await restoration.look(settings, order)
    return await restoration.restore(settings, order, checked)


def rewritten(directory: Path, **about: object) -> Manifest:
    """The manifest says something else."""
    changed = msgspec.structs.replace(manifest.read(directory), **about)
    manifest.write(directory, changed)
    return changed
