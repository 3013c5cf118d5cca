"""Two roles: one owns, one serves, and the one that serves cannot alter history."""

import asyncio
from collections.abc import AsyncIterator
from datetime import UTC, datetime, timedelta
from pathlib import Path
from uuid import UUID, uuid4

import asyncpg
import httpx2
import pytest

from gamekeeper import worker
from gamekeeper.app import App
from gamekeeper.auth import keys
from gamekeeper.auth.keys import KeyNotFound
from gamekeeper.auth.principal import Principal
from gamekeeper.core.settings import Hidden, Settings
from gamekeeper.db import grants
from gamekeeper.db.database import Database
from gamekeeper.db.grants import OwnRole, UnknownRole
from gamekeeper.db.migrate import migrate
from gamekeeper.db.paging import maintenance, pages
from gamekeeper.db.paging.orderings import RANK
from gamekeeper.db.paging.verify import check
from gamekeeper.history.undo import execute
from gamekeeper.history.undo.execute import Undoing
from gamekeeper.ledger import chain
from gamekeeper.ledger.verify_ledger import verify
from gamekeeper.moderation import appeal_queue, appeals
from gamekeeper.moderation.appeal_queue import AppealDecision
from gamekeeper.players import characters, items, lookup
from gamekeeper.players.characters import Deletion
from gamekeeper.players.items import Gift
from tests import server as processes
from tests.cli.command import gamekeeper
from tests.databases import SERVER, admin, cloned, drop_far_months, name_of
from tests.deadlines import PATIENCE
from tests.make import BY, make_item, make_player
from tests.moderation.rows import CODE, make_sanction
from tests.open_connections import open_connections

THIS_MONTH = datetime.now(UTC)
NEXT_MONTH = THIS_MONTH.replace(day=1) + timedelta(days=31)


@pytest.fixture(scope="module")
async def role() -> AsyncIterator[str]:
    name = f"gamekeeper_test_{uuid4().hex[:12]}"
    await admin(f"CREATE ROLE {name} LOGIN")
    yield name
    await admin(f"DROP ROLE {name}")


@pytest.fixture(scope="module")
async def granted(template: str, role: str) -> AsyncIterator[str]:
    """A database in which the role was let serve, to be cloned."""
    async with cloned(template) as settings:
        await migrate(settings, role)
        await drop_far_months(settings)
        yield name_of(settings)


@pytest.fixture
async def settings(request, template: str, granted: str) -> AsyncIterator[Settings]:
    """The owner's; where nothing is about the role that serves, there is none."""
    async with cloned(granted if "serving" in request.fixturenames else template) as settings:
        yield settings


@pytest.fixture
def serving(settings: Settings, role: str) -> Settings:
    """The settings of the role that was let serve."""
    return as_role(settings, role)


def as_role(settings: Settings, role: str) -> Settings:
    url = SERVER.format(name_of(settings)).replace("//postgres@", f"//{role}@")
    return Settings(database_url=Hidden(url))


async def world(settings: Settings) -> tuple[UUID, UUID]:
    async with Database.open(settings) as database:
        ana, potion = await make_player(database, "ana"), await make_item(database)
        gift = Gift(by=BY, player=str(ana), item_id=potion, quantity=12)
        await items.give.one(database, gift)
    return ana, potion


FORBIDDEN = [
    "UPDATE postings SET quantity = 1, held_after = held_before + 1",
    "DELETE FROM postings",
    "TRUNCATE postings",
    "UPDATE actions SET actor = 'system'",
    "DELETE FROM actions",
    "TRUNCATE actions",
    "UPDATE chain SET hash = hash",
    "DELETE FROM chain",
    "TRUNCATE chain",
    f"DELETE FROM postings_{THIS_MONTH:%Y_%m}",
    f"UPDATE actions_{THIS_MONTH:%Y_%m} SET reason = 'no reason'",
    f"TRUNCATE actions_{NEXT_MONTH:%Y_%m}",
    f"DROP TABLE postings_{THIS_MONTH:%Y_%m}",
    f"ALTER TABLE postings DETACH PARTITION postings_{THIS_MONTH:%Y_%m}",
    "ALTER TABLE actions DROP COLUMN reason",
    "CREATE RULE forget AS ON INSERT TO actions DO INSTEAD NOTHING",
    "SET session_replication_role = replica",
    "INSERT INTO migrations (name) VALUES ('9999_nothing')",
    "DELETE FROM migrations",
    # When it was done and in which transaction is not for the service to say.
    *(
        f"INSERT INTO {table} (id, {column}, kind, actor, actor_name, request_id, address) "
        f"VALUES (gen_random_uuid(), {value}, 'items.give', 'system', '', '', '')"
        for table, column, value in (
            ("actions", "xid", "'9999999999'"),
            ("actions", "at", "now() - interval '1 day'"),
            ("actions", "position", "'0/1'"),
            (f"actions_{THIS_MONTH:%Y_%m}", "reason", "''"),
        )
    ),
    *(
        f"INSERT INTO {table} (player_id, seq, at, {column} action_id, place, slot, item_id, "
        f"quantity, against, held_before, held_after, stat_buffs) SELECT gen_random_uuid(), 1, "
        f"now(), {value} gen_random_uuid(), 'bank', 1, id, 1, 'grant', 0, 1, '{{}}' FROM items"
        for table, column, value in (
            ("postings", "xid,", "'0',"),
            (f"postings_{THIS_MONTH:%Y_%m}", "", ""),
        )
    ),
    "DELETE FROM ledger_heads",
    "UPDATE ledger_checkpoints SET contents = '[]'",
    "DELETE FROM ledger_checkpoints",
    "DELETE FROM chain_progress",
    "UPDATE chain_verifications SET breaches = 0",
    "DELETE FROM chain_verifications",
    "INSERT INTO chain_verifications (links, at, breaches) VALUES (0, now(), 0)",
    # Neither is what exists in the game, nor who may call.
    "UPDATE items SET inventory_stack = 1000000",
    "DELETE FROM spells",
    "INSERT INTO variables (id, name, type) VALUES (gen_random_uuid(), 'x', 'string')",
    "UPDATE classes SET max_level = 9999",
    # A key is added under its own id and time, and neither changed nor brought back.
    "INSERT INTO api_keys (hash, name, created_at) VALUES (sha256('x'), 'old', '2020-01-01Z')",
    "INSERT INTO api_keys (hash, name, id) VALUES (sha256('x'), 'other', gen_random_uuid())",
    "UPDATE api_keys SET scopes = NULL",
    "UPDATE api_keys SET limits = '{}'",
    "UPDATE api_keys SET rates = 'read off'",
    "UPDATE api_keys SET expires_at = 'infinity'",
    "UPDATE api_keys SET revoked_at = NULL",
    "DELETE FROM api_keys",
    # A way in without a second factor is made on the command line only.
    "INSERT INTO sign_in_links (hash, user_id, expires_at) SELECT 'x', id, now() FROM users",
    "UPDATE sign_in_links SET hash = sha256('x')",
    "UPDATE sign_in_links SET expires_at = now()",
    # What a player wrote stays as it was.
    "UPDATE appeals SET text = 'I did it'",
    "UPDATE appeals SET opened_at = now()",
    "DELETE FROM appeals",
    "UPDATE replies SET status = 200",
    "UPDATE replies SET fingerprint = ''",
    "DELETE FROM replies",
    "DELETE FROM players",
    "DELETE FROM users",
    # An erased account stays known as one.
    "DELETE FROM erased_users",
    "UPDATE erased_users SET user_id = gen_random_uuid()",
]


@pytest.fixture(scope="module")
async def refused(granted: str, role: str) -> AsyncIterator[tuple[Database, asyncpg.Connection]]:
    """A world that nothing changes: its owner's database, and a connection of who serves."""
    async with cloned(granted) as settings, Database.open(settings) as database:
        await world(settings)
        connection = await asyncpg.connect(as_role(settings, role).database_url)
        yield database, connection
        await connection.close()


@pytest.mark.parametrize("sql", FORBIDDEN)
async def test_who_serves_cannot_alter_history(refused, sql):
    database, connection = refused
    with pytest.raises(asyncpg.InsufficientPrivilegeError):
        await connection.execute(sql)
    with open_connections(database):
        assert (await verify(database.settings)).breach is None


async def test_who_serves_can_do_everything_else(settings, serving):
    """A gift, its replay, a taking, the chain and the proof, all as that role."""
    ana, potion = await world(settings)
    async with Database.open(settings) as owned:
        key = await keys.create.one(owned, keys.NewKey(by=BY, name="tests"))
    app = App(serving)
    await app.start()
    async with httpx2.AsyncClient(
        transport=httpx2.ASGITransport(app),  # pyright: ignore[reportArgumentType]
        base_url="http://gamekeeper",
        headers={"Authorization": f"Bearer {key}", "Idempotency-Key": "one"},
    ) as client:
        path = f"/api/v1/players/{ana}/items"
        body = {"itemid": str(potion), "quantity": 3}
        given = await client.post(f"{path}/give", json=body)
        again = await client.post(f"{path}/give", json=body)
        taken = await client.post(f"{path}/take", json=body, headers={"Idempotency-Key": "two"})
        ready = await client.get("/readyz")
    await app.stop()

    assert given.json()["quantity"]["total"] == 15
    assert again.content == given.content
    assert again.headers["Idempotency-Replayed"] == "true"
    assert taken.status_code == 200
    assert ready.json() == {"status": "ready", "replica": "none"}
    await linked(serving)
    assert (await verify(serving)).breach is None


async def test_who_serves_deletes_a_character_and_brings_it_back(settings, serving):
    ana, _ = await world(settings)
    async with Database.open(serving) as database:
        await characters.delete.one(database, Deletion(by=BY, player="ana"))
        action = await database.reader.value("SELECT id FROM actions WHERE kind = 'players.delete'")
        assert (await verify(serving)).breach is None
        await execute.undo.one(database, Undoing(by=BY, action_id=action))
        assert (await lookup.find_player(database.reader, "ana")).id == ana
    assert (await verify(serving)).breach is None


async def test_a_character_that_is_not_archived_or_has_something_left_is_not_removed(
    settings, serving
):
    ana, _ = await world(settings)
    connection = await asyncpg.connect(serving.database_url)
    remove = "SELECT count(*) FROM remove_archived_players(ARRAY[$1::uuid])"
    assert await connection.fetchval(remove, ana) == 0
    await connection.execute(
        "INSERT INTO deleted_players SELECT id, user_id, name, now(), id, '{}' FROM players"
    )
    assert await connection.fetchval(remove, ana) == 0
    await connection.close()
    assert (await verify(settings)).breach is None


async def test_who_serves_makes_and_revokes_keys_but_brings_none_back(settings, serving):
    async with Database.open(serving) as database:
        await keys.create.one(database, keys.NewKey(by=BY, name="site", scopes=("players.read",)))
        await keys.revoke.one(database, keys.Revocation(by=BY, key="site"))
        with pytest.raises(KeyNotFound):
            await keys.revoke.one(database, keys.Revocation(by=BY, key="site"))
        rows = await database.reader.rows("SELECT revoked_at FROM api_keys")
    assert [row["revoked_at"] is not None for row in rows] == [True]
    assert (await verify(settings)).breach is None


async def test_who_serves_takes_appeals_and_decides_them(settings, serving):
    async with Database.open(settings) as owner:
        sanction = await make_sanction(owner)
    async with Database.open(serving) as database:
        shown = await appeals.appeal(database, CODE, "It was not me.", BY)
        assert shown.appeals[0].state == "open"
        appeal = await database.reader.value("SELECT id FROM appeals")
        decision = AppealDecision(
            by=BY, appeal_id=appeal, lift=True, answer="Yes.", caller=Principal(id="x", name="x")
        )
        decided = await appeal_queue.decide.one(database, decision)
    assert (decided.state, decided.sanction.id) == ("lifted", sanction)


async def test_a_key_that_who_serves_adds_under_no_action_is_found(settings, serving):
    connection = await asyncpg.connect(serving.database_url)
    await connection.execute("INSERT INTO api_keys (hash, name) VALUES (sha256('x'), 'back door')")
    await connection.close()

    breach = (await verify(settings)).breach

    assert breach is not None
    assert breach.message == "of the key 'back door' there are 1, but 0 were made"


MINTED = """
    WITH head AS (UPDATE ledger_heads SET seq = seq + 1 RETURNING *),
         slot AS (INSERT INTO slots (player_id, place, slot, item_id, quantity)
                  SELECT player_id, 'bank', 99, $1, 1000 FROM head)
    INSERT INTO postings (player_id, seq, at, action_id, place, slot, item_id, quantity, against,
                          held_before, held_after, stat_buffs)
    SELECT player_id, seq, at, $2, 'bank', 99, $1, 1000, 'grant', 0, 1000, '{0,0,0,0,0}' FROM head
"""


async def test_what_who_serves_mints_under_no_action_is_found(settings, serving):
    _, potion = await world(settings)
    connection = await asyncpg.connect(serving.database_url)
    await connection.execute(MINTED, potion, uuid4())
    await connection.close()

    breach = (await verify(settings)).breach

    assert breach is not None
    assert (breach.law, breach.seq) == ("actions", 3)


async def test_what_who_serves_mints_under_an_action_stands_in_the_log(settings, serving):
    """It can do what the service does, and nothing of it unseen: with its time and place."""
    ana, potion = await world(settings)
    action = uuid4()
    connection = await asyncpg.connect(serving.database_url)
    async with connection.transaction():
        await connection.execute(
            """
            INSERT INTO actions (id, kind, actor, actor_name, player_id, item_id, request_id,
                                 address)
            VALUES ($1, 'items.give', 'system', 'thief', $2, $3, '', '')
            """,
            *(action, ana, potion),
        )
        await connection.execute(MINTED, potion, action)
    await connection.close()
    await linked(serving)

    assert (await verify(settings)).breach is None
    async with Database.open(settings) as database:
        [row] = await database.reader.rows(
            """
            SELECT now() - at < interval '1 minute' AS is_new, chain.postings IS NOT NULL AS sealed
              FROM actions JOIN chain ON action_id = id WHERE id = $1
            """,
            action,
        )
    assert (row["is_new"], row["sealed"]) == (True, True)


async def linked(settings: Settings) -> None:
    """Wait for the chain: whoever writes on the same server, in any database, holds it up."""
    async with Database.open(settings) as database, asyncio.timeout(PATIENCE):
        while await chain.catch_up(database) == 0:
            await asyncio.sleep(0.1)


async def test_a_table_made_later_can_be_added_to_but_not_altered(settings, serving):
    """Until migrate says that it may: so a new month of history is safe from its first day."""
    owner = await asyncpg.connect(settings.database_url)
    await owner.execute(
        "CREATE TABLE postings_2031_01 PARTITION OF postings "
        "FOR VALUES FROM ('2031-01-01Z') TO ('2031-02-01Z'); CREATE TABLE wishes (id int)"
    )
    connection = await asyncpg.connect(serving.database_url)
    try:
        await connection.execute("INSERT INTO wishes VALUES (1)")
        with pytest.raises(asyncpg.InsufficientPrivilegeError):
            await connection.execute("DELETE FROM wishes")

        await migrate(settings)

        await connection.execute("DELETE FROM wishes")
        with pytest.raises(asyncpg.InsufficientPrivilegeError):
            await connection.execute("DELETE FROM postings_2031_01")
    finally:
        await connection.close()
        await owner.close()


async def test_a_command_that_needs_the_owner_says_so(serving):
    made = gamekeeper(serving, "keys", "create", "site", "--rotate")

    assert (made.returncode, made.stdout) == (1, "")
    assert "permission denied for table api_keys" in made.stderr
    assert "the URL of the owner of the tables" in made.stderr
    assert "Traceback" not in made.stderr


async def test_the_worker_works_as_that_role(settings, serving):
    """It links and adds up, which changes tables of its own; nothing else tells of a refusal."""
    ana, potion = await world(settings)
    stop = asyncio.Event()
    working = asyncio.create_task(worker.run(serving, stop))
    async with Database.open(settings) as database, asyncio.timeout(PATIENCE):
        while not await database.reader.value(
            "SELECT EXISTS (SELECT FROM chain) AND EXISTS (SELECT FROM item_holdings)"
        ):
            await asyncio.sleep(0.1)
        held = await database.reader.value(
            "SELECT quantity FROM item_holdings WHERE player_id = $1 AND item_id = $2", ana, potion
        )
    stop.set()
    await working
    assert held == 12


@pytest.mark.deploy
async def test_serving_as_the_owner_is_said_in_the_log(settings, serving, tmp_path):
    def start_and_stop(role: Settings, log: Path) -> None:
        with processes.serving(role, log):
            pass

    await asyncio.gather(
        asyncio.to_thread(start_and_stop, settings, tmp_path / "owner"),
        asyncio.to_thread(start_and_stop, serving, tmp_path / "app"),
    )

    assert '"history_alterable"' in (tmp_path / "owner").read_text()
    assert "history_alterable" not in (tmp_path / "app").read_text()


async def test_one_role_works_too_and_strangers_are_not_told(settings, database, client):
    """The log of `serve` and `ledger verify` say it, to those who run the service."""
    await world(settings)

    assert await grants.is_alterable(database.reader)
    ready = await client.get("/readyz")
    assert ready.json() == {"status": "ready", "replica": "none"}


async def test_a_role_nobody_made_is_refused(settings):
    with pytest.raises(UnknownRole, match="CREATE ROLE nobody_made_me LOGIN"):
        await migrate(settings, "nobody_made_me")


async def test_the_owner_cannot_be_the_role_that_serves(settings):
    with pytest.raises(OwnRole):
        await migrate(settings, "postgres")


async def test_the_role_that_serves_keeps_the_lists_counted(settings, serving):
    """It may not VACUUM what it does not own, and does not try to."""
    async with Database.open(settings) as owned:
        await make_player(owned, "ana")
    async with Database.open(serving) as database:
        stop = asyncio.Event()
        follower = asyncio.create_task(maintenance.follow(serving, stop))
        async with asyncio.timeout(PATIENCE):
            while await database.reader.value("SELECT EXISTS (SELECT FROM list_deltas)"):
                await asyncio.sleep(0.05)
        stop.set()
        await follower
        assert await pages.total(database.reader, RANK) == 1
    assert await maintenance.rebuild_ordering(serving, RANK) == 1
    assert (await check(serving, RANK)).wrong == []
